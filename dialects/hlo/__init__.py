"""The hlo levels: names of attributes and kinds, and composites; the ops are the bindings' own."""
