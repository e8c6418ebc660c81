"""Instruction selection, in layers.

* `tiles`: values of a tile program (tiles, constants, loop indices) and the instructions on them;
* `integers`, `floats`: what each scalar op of a nest becomes;
* `reductions`: folds along free axes and across partitions, contractions;
* `gathers`: loads whose address data decides;
* `nests`: the walk over a tiled nest.
"""
