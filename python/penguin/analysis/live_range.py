"""When the values of a function live, and how many bytes live at once.

The ops of a function are numbered from 0 in post-order: what is in the regions of an op comes
before the op itself. A value lives from the op that defines it to the last op that uses it, both
included; an argument of the function from 0, an argument of a region from the first op of that
region. A use inside a region of an op, of a value from outside of it, counts as a use by that op: a
loop may come back to it. Values without uses live at their definition alone.

Works on any level and in either package of bindings. Arguments of regions count as values of their
own, also where a compiler would give them the buffers of their operands. A static tensor has the
bytes of its elements, each a whole number of bytes: one for i1 and i4. What is no static tensor of
elements with a known width (a token, a tuple, a quantized tensor) has no size and counts as 0.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_ELEMENT = re.compile(r"(complex<)?(?:[su]?i|b?f)(\d+)[A-Z\d]*>?")


@dataclass
class LiveRange:
    """`first` and `last` are numbers of ops; `size` is in bytes, None for what has no size."""

    value: Any
    first: int
    last: int
    size: int | None


@dataclass(frozen=True)
class Liveness:
    """Of one function: its ops in the order of their numbers, and the ranges of its values."""

    ops: list[Any]
    ranges: list[LiveRange]

    def live_bytes(self) -> list[int]:
        """The bytes that live at each op."""
        changes = [0] * (len(self.ops) + 1)
        for found in self.ranges:
            changes[found.first] += found.size or 0
            changes[found.last + 1] -= found.size or 0
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


@dataclass
class _Open:
    """An op on the way through its regions: what is left of them, and the values that it uses."""

    op: Any
    inside: Iterator[Any]
    used: list[Any]


class _Numbering:
    """One traversal: numbers the ops and keeps the range of every value met so far."""

    def __init__(self) -> None:
        self._ops: list[Any] = []
        self._ranges: dict[Any, LiveRange] = {}
        # The nesting depth of the block that defines a value.
        self._depth: dict[Any, int] = {}
        self._sizes: dict[Any, int | None] = {}
        # Not recursion: regions may be nested deeper than Python goes.
        self._open: list[_Open] = []

    def function(self, op: Any) -> Liveness:
        self._enter(op, [])
        while self._open:
            inner = next(self._open[-1].inside, None)
            if inner is None:
                left = self._open.pop()
                if self._open:
                    self._finish(left.op, left.used)
            elif len(inner.regions):
                self._enter(inner, list(inner.operands))
            else:
                self._finish(inner, inner.operands)
        return Liveness(self._ops, list(self._ranges.values()))

    def _enter(self, op: Any, used: list[Any]) -> None:
        self._open.append(_Open(op, self._inside(op, len(self._open)), used))

    def _inside(self, op: Any, depth: int) -> Iterator[Any]:
        """The ops of all regions of an op; defines the arguments of each block in its turn."""
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    self._define(argument, len(self._ops), depth)
                for view in block.operations:
                    yield view.operation

    def _finish(self, op: Any, used: Iterable[Any]) -> None:
        """Numbers an op; `used` has what is used in its regions, too."""
        number, depth = len(self._ops), len(self._open) - 1
        self._ops.append(op)
        for value in used:
            if self._depth[value] == depth:
                self._ranges[value].last = number
            else:
                self._open[-1].used.append(value)
        for result in op.results:
            self._define(result, number, depth)

    def _define(self, value: Any, number: int, depth: int) -> None:
        self._ranges[value] = LiveRange(value, number, number, self._size(value.type))
        self._depth[value] = depth

    def _size(self, type_: Any) -> int | None:
        if type_ not in self._sizes:
            self._sizes[type_] = _bytes_of(type_)
        return self._sizes[type_]


def _bytes_of(type_: Any) -> int | None:
    if not getattr(type_, "has_rank", False) or not type_.has_static_shape:
        return None
    element = _ELEMENT.fullmatch(str(type_.element_type))
    if element is None:
        return None
    parts = 1 if element[1] is None else 2
    return math.prod(type_.shape) * parts * math.ceil(int(element[2]) / 8)
