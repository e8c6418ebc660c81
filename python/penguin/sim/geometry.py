"""Where the elements of an access pattern lie in memory: shapes, byte strides, affine offsets.

Every tensor is a flat row-major array; an access names the elements

    offset(axes) + sum(step_j * index_j),   0 <= index_j < num_j

A DRAM tensor lies in that order. An on-chip tile [P, F] has element e in partition `base + e div F`
at byte `addr + (e mod F) * itemsize`, and a partition is `pitch` bytes after the one before. The
address is affine in the loop axes when the offset's part below F never carries into the partitions;
this is decided once, from the bounds of the loops. Otherwise (`Geometry.wrap`) each
execution divides.

Bounds: a loop nest runs every combination of its axis values, so the least and the largest element
of an access occur. An access whose bounds leave its tensor is an error before anything runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

# (number of elements, stride); the last is the fastest.
Dim = tuple[int, int]
# (position of the axis in the environment, coefficient).
Term = tuple[int, int]


class OutOfBounds(ValueError):
    """An access leaves its tensor; the text says where."""


@dataclass(frozen=True)
class Layout:
    """A tensor's place in its storage; `free` is 0 for DRAM (no partitions)."""

    elements: int
    itemsize: int
    free: int = 0
    base: int = 0
    addr: int = 0
    pitch: int = 0


@dataclass(frozen=True)
class Geometry:
    """An access in bytes; `wrap` is the number of elements per partition if a division is needed.

    With `wrap`, `const` and `terms` count elements and the storage's layout gives the address.
    """

    dims: tuple[Dim, ...]
    const: int
    terms: tuple[Term, ...]
    wrap: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(n for n, _ in self.dims)

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(s for _, s in self.dims)


@dataclass(frozen=True)
class Elements:
    """An access in elements of its tensor."""

    dims: tuple[Dim, ...]
    const: int
    terms: tuple[Term, ...]

    @property
    def count(self) -> int:
        return prod(n for n, _ in self.dims)


def interval(const: int, terms: Sequence[Term], ranges: Mapping[int, range]) -> tuple[int, int]:
    """Least and largest value of an affine expression over the axes' values."""
    low = high = const
    for axis, coefficient in terms:
        ends = (ranges[axis][0] * coefficient, ranges[axis][-1] * coefficient)
        low += min(ends)
        high += max(ends)
    return low, high


def spread(dims: Sequence[Dim]) -> tuple[int, int]:
    """Least and largest offset of the elements of a pattern from its first."""
    ends = [(n - 1) * s for n, s in dims]
    return sum(e for e in ends if e < 0), sum(e for e in ends if e > 0)


def locate(access: Elements, layout: Layout, ranges: Mapping[int, range]) -> Geometry:
    """The bytes of an access; raises `OutOfBounds` if one execution would leave the tensor."""
    low, high = interval(access.const, access.terms, ranges)
    before, after = spread(access.dims)
    if low + before < 0 or high + after >= layout.elements:
        raise OutOfBounds(
            f"reaches elements {low + before} to {high + after}, expected 0 to "
            f"{layout.elements - 1}"
        )
    if not layout.free:
        size = layout.itemsize
        dims = tuple((n, s * size) for n, s in access.dims)
        terms = tuple((a, c * size) for a, c in access.terms)
        return Geometry(dims, layout.addr + access.const * size, terms)
    return _locate_tile(access, layout, ranges)


def _locate_tile(access: Elements, layout: Layout, ranges: Mapping[int, range]) -> Geometry:
    free, size, pitch = layout.free, layout.itemsize, layout.pitch
    across = [(n, s // free) for n, s in access.dims if s % free == 0]
    along = [(n, s) for n, s in access.dims if s % free]
    before, after = spread(along)
    dims = tuple((n, s // free * pitch if s % free == 0 else s * size) for n, s in access.dims)
    row, column = divmod(access.const, free)
    rows = [(a, c // free) for a, c in access.terms if c % free == 0]
    columns = [(a, c) for a, c in access.terms if c % free]
    low, high = interval(column, columns, ranges)
    if low + before < 0 or high + after >= free:
        _check_wrapped(access, layout, ranges, across, (before, after))
        return Geometry(dims, access.const, access.terms, free)
    const = (layout.base + row) * pitch + layout.addr + column * size
    terms = [(a, c * pitch) for a, c in rows] + [(a, c * size) for a, c in columns]
    return Geometry(dims, const, tuple(terms))


def _check_wrapped(
    access: Elements,
    layout: Layout,
    ranges: Mapping[int, range],
    across: Sequence[Dim],
    along: tuple[int, int],
) -> None:
    """Tries every offset: this is rare, and the axes that matter are few and short."""
    offsets = {access.const}
    for axis, coefficient in access.terms:
        offsets = {o + coefficient * v for o in offsets for v in ranges[axis]}
    up, down = spread(across)
    partitions = layout.elements // layout.free
    for offset in offsets:
        row, column = divmod(offset, layout.free)
        if column + along[0] < 0 or column + along[1] >= layout.free:
            raise OutOfBounds(f"crosses from one partition into the next at element {offset}")
        if row + up < 0 or row + down >= partitions:
            raise OutOfBounds(f"reaches partition {row + down}, expected at most {partitions - 1}")


def conform(operands: Sequence[Sequence[Dim]]) -> list[tuple[Dim, ...]] | None:
    """The same elements in the same order with one shape for all, in as few dimensions as possible.

    None if no splitting of dimensions does it; all operands must have the same element count.
    """
    bounds = sorted({b for dims in operands for b in _suffixes(dims)})
    if any(large % small for small, large in pairwise(bounds)):
        return None
    pieces = [large // small for small, large in pairwise(bounds)]
    if not pieces:
        return [((1, 0),) for _ in operands]
    split = [_split(dims, pieces) for dims in operands]
    return _merge(split)


def merged(dims: Sequence[Dim]) -> tuple[Dim, ...]:
    """The same elements in as few dimensions as possible, at least one."""
    return _merge([[d for d in dims if d[0] > 1] or [(1, 0)]])[0]


def _suffixes(dims: Sequence[Dim]) -> list[int]:
    sizes = [1]
    for n, _ in reversed(dims):
        sizes.append(sizes[-1] * n)
    return sizes


def _split(dims: Sequence[Dim], pieces: Sequence[int]) -> list[Dim]:
    """Cuts dimensions so that their sizes are `pieces`, which go from the fastest outwards."""
    queue = [d for d in dims if d[0] > 1]
    out: list[Dim] = []
    left, stride = 1, 0
    for piece in pieces:
        if left == 1:
            left, stride = queue.pop()
        out.append((piece, stride))
        left //= piece
        stride *= piece
    return out[::-1]


def _merge(operands: list[list[Dim]]) -> list[tuple[Dim, ...]]:
    rank = len(operands[0])
    merged: list[list[Dim]] = [[] for _ in operands]
    for k in range(rank):
        joins = k > 0 and all(
            done[-1][1] == dims[k][0] * dims[k][1]
            for done, dims in zip(merged, operands, strict=True)
        )
        for done, dims in zip(merged, operands, strict=True):
            n, s = dims[k]
            if joins:
                done[-1] = (done[-1][0] * n, s)
            else:
                done.append((n, s))
    return [tuple(dims) for dims in merged]
