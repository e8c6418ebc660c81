"""Data movement and casts that no pass removed: how many ops, how many bytes they write."""

import math
from collections import Counter
from dataclasses import dataclass

from penguin import dtypes
from penguin.dialects.penguin.attributes import PREFIX
from penguin.mlir import ir, walk


@dataclass(frozen=True)
class Survivor:
    """Offloaded tensor ops of one kind; `nbytes` is what they write."""

    op: str
    count: int
    nbytes: int


def survivors(root: ir.Operation) -> tuple[Survivor, ...]:
    """What is left at the tensor level once the compute ops are loops, by op name."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for op in walk(root):
        if op.name.startswith(PREFIX):
            counts[op.name] += 1
            sizes[op.name] += _bytes(op.operands[len(op.operands) - 1].type)
    return tuple(Survivor(name, counts[name], sizes[name]) for name in sorted(counts))


def _bytes(type_: ir.MemRefType) -> int:
    dtype = dtypes.of(type_.element_type)
    assert dtype is not None, type_
    return math.prod(type_.shape) * dtype.itemsize
