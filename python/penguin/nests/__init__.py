"""Writing loop nests: the builder, index arithmetic, and what each function is in scalar code.

Used by the lowerings, and by the passes that put scalar code into nests that are there.
"""
