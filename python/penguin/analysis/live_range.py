"""When the values of a function live, and how many bytes live at once.

The ops of a function are numbered from 0 in post-order: what is in the regions of an op comes
before the op itself. A value lives from the op that defines it to the last op that uses it, both
included; an argument of the function from 0, an argument of a region from the first op of that
region. A use inside a region of an op, of a value from outside of it, counts as a use by that op: a
loop may come back to it. Values without uses live at their definition alone.

Works on any level and in either package of bindings. Arguments of regions count as values of their
own, also where a compiler would give them the buffers of their operands.
"""

from dataclasses import dataclass
from typing import Any

from penguin import dtypes


@dataclass
class LiveRange:
    """`first` and `last` are numbers of ops; `size` is in bytes, 0 for what is no static tensor."""

    value: Any
    first: int
    last: int
    size: int


@dataclass(frozen=True)
class Liveness:
    """Of one function: its ops in the order of their numbers, and the ranges of its values."""

    ops: list[Any]
    ranges: list[LiveRange]

    def live_bytes(self) -> list[int]:
        """The bytes that live at each op."""
        changes = [0] * (len(self.ops) + 1)
        for found in self.ranges:
            changes[found.first] += found.size
            changes[found.last + 1] -= found.size
        total, at = 0, []
        for change in changes[:-1]:
            total += change
            at.append(total)
        return at

    def peak(self) -> tuple[int, int]:
        """The most bytes that live at once, and the number of the first op at which they do."""
        at = self.live_bytes()
        most = max(at, default=0)
        return most, at.index(most) if at else 0


def liveness(function: Any) -> Liveness:
    """The live ranges in a function with a body; reads only, every op once."""
    return _Numbering().function(function.operation)


class _Numbering:
    """One traversal: numbers the ops and keeps the range of every value met so far."""

    def __init__(self) -> None:
        self._ops: list[Any] = []
        self._ranges: dict[Any, LiveRange] = {}
        # The nesting depth of the block that defines a value.
        self._depth: dict[Any, int] = {}
        self._sizes: dict[Any, int] = {}

    def function(self, op: Any) -> Liveness:
        for region in op.regions:
            self._region(region, 0)
        return Liveness(self._ops, list(self._ranges.values()))

    def _region(self, region: Any, depth: int) -> list[tuple[Any, int]]:
        """Numbers a region; the values that it uses from outside, with their depths."""
        outer: list[tuple[Any, int]] = []
        for block in region.blocks:
            for argument in block.arguments:
                self._define(argument, len(self._ops), depth)
            for view in block.operations:
                outer += self._op(view.operation, depth)
        return outer

    def _op(self, op: Any, depth: int) -> list[tuple[Any, int]]:
        used = [(value, self._depth[value]) for value in op.operands]
        for region in op.regions:
            used += self._region(region, depth + 1)
        number = len(self._ops)
        self._ops.append(op)
        for result in op.results:
            self._define(result, number, depth)
        outer = []
        for value, level in used:
            if level == depth:
                self._ranges[value].last = number
            else:
                outer.append((value, level))
        return outer

    def _define(self, value: Any, number: int, depth: int) -> None:
        self._ranges[value] = LiveRange(value, number, number, self._size(value.type))
        self._depth[value] = depth

    def _size(self, type_: Any) -> int:
        known = self._sizes.get(type_)
        if known is None:
            known = self._sizes[type_] = _bytes_of(type_)
        return known


def _bytes_of(type_: Any) -> int:
    dtype = dtypes.of(getattr(type_, "element_type", None))
    if dtype is None or not type_.has_rank or not type_.has_static_shape:
        return 0
    count = 1
    for extent in type_.shape:
        count *= extent
    return count * dtype.itemsize
