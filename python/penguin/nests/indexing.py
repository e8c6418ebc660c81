"""Index arithmetic of access maps: which element of a tensor an iteration touches.

An `Index` is one result of an access map over the loops of a nest, counted from the outermost:
`((offset + sum(coefficient * loop)) floordiv divisor) mod modulus`. That is all the movement ops
need: plain loops, shifted and strided ones (slice, pad, reverse, concat), and the quotients of a
reshape that no loop nest can express otherwise.

Pure functions on plain tuples; nothing here knows MLIR.
"""

import functools
from collections.abc import Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple


class Index(NamedTuple):
    """One result of an access map; `modulus` 0 stands for none."""

    terms: tuple[tuple[int, int], ...] = ()
    offset: int = 0
    divisor: int = 1
    modulus: int = 0

    def times(self, factor: int, plus: int = 0) -> "Index":
        """`factor * self + plus`; only for indices without a quotient."""
        assert self.divisor == 1 and self.modulus == 0
        terms = tuple((loop, coefficient * factor) for loop, coefficient in self.terms)
        return Index(terms, self.offset * factor + plus)


ZERO = Index()


def loop(position: int) -> Index:
    """The induction variable of one loop."""
    return Index(((position, 1),))


def constant(value: int) -> Index:
    return Index((), value)


def delinearize(flat: Index, extents: Sequence[int], shape: Sequence[int]) -> tuple[Index, ...]:
    """The indices into a row-major `shape` of the element numbered `flat`.

    `extents` are those of the loops in `flat`; with them, quotients are dropped where the loops
    show them to be plain sums.
    """
    return tuple(
        ZERO if extent == 1 else _simplified(Index(*flat[:2], stride, extent), extents)
        for stride, extent in zip(strides(shape), shape, strict=True)
    )


def _simplified(index: Index, extents: Sequence[int]) -> Index:
    """The same values with the smallest divisor, and without a modulus that never takes effect.

    With `x = g * a + r`, `0 <= r < g` and g a divisor of the index's: `x floordiv d` is
    `a floordiv (d / g)`. So every g is tried, the largest first, for which the loops' coefficients
    are multiples of g or too small to reach g together.
    """
    terms, offset, divisor, modulus = index
    period = divisor * modulus
    terms = tuple((p, c) for p, c in terms if c % period)
    offset %= period

    def reach(position: int, coefficient: int) -> int:
        return coefficient * (extents[position] - 1)

    for g in sorted({divisor, *(gcd(divisor, c) for _, c in terms)}, reverse=True):
        if offset % g + sum(reach(p, c) for p, c in terms if c % g) < g:
            terms = tuple((p, c // g) for p, c in terms if c % g == 0)
            offset, divisor = offset // g, divisor // g
            break
    if (offset + sum(reach(p, c) for p, c in terms)) // divisor < modulus:
        modulus = 0
    return Index(terms, offset, divisor, modulus)


class Reshape(NamedTuple):
    """Loops that visit two row-major shapes in element order, and the indices into each."""

    extents: tuple[int, ...]
    src: tuple[Index, ...]
    dst: tuple[Index, ...]


@functools.lru_cache(maxsize=1024)
def reshape(src: tuple[int, ...], dst: tuple[int, ...]) -> Reshape:
    """Common loops for two non-empty shapes of one element count.

    Where both shapes have a dimension boundary, the loops have one. Between two such points the
    loops are the common refinement of both shapes (768 and 12x64: loops 12, 64; 2x6 and 4x3: loops
    2, 2, 3); where none exists (2x3 and 3x2) one flat loop, and indices with floordiv and mod.
    Unit dimensions get no loop and the constant index 0.
    """
    src_cuts, dst_cuts = cuts(src), cuts(dst)
    common = sorted(src_cuts & dst_cuts, reverse=True)
    # A loop is (elements of all its iterations, elements of one iteration).
    loops: list[tuple[int, int]] = []
    for high, low in pairwise(common):
        inner = sorted((c for c in src_cuts | dst_cuts if low <= c <= high), reverse=True)
        steps = list(pairwise(inner))
        refines = all(outer % stride == 0 for outer, stride in steps)
        loops += steps if refines else [(high, low)]
    extents = tuple(high // low for high, low in loops)
    flat = Index(tuple((position, low) for position, (_, low) in enumerate(loops)))
    return Reshape(extents, delinearize(flat, extents, src), delinearize(flat, extents, dst))


def strides(shape: Sequence[int]) -> list[int]:
    """Row-major strides in elements."""
    found, size = [], 1
    for extent in reversed(shape):
        found.append(size)
        size *= extent
    return found[::-1]


def cuts(shape: Sequence[int]) -> set[int]:
    """The element counts of the shape's suffixes: where its dimensions begin and end."""
    return {1} | {stride * extent for stride, extent in zip(strides(shape), shape, strict=True)}


class Span(NamedTuple):
    """The part of one padded dimension that comes from the source: `count` iterations."""

    count: int
    src: int
    """First source index."""
    dst: int
    """Its place in the destination; later ones follow in steps of interior + 1."""


def padded(src: int, dst: int, low: int, interior: int) -> Span:
    """Source elements of a dimension that land inside the destination after padding.

    Element `i` goes to `low + i * (interior + 1)`; negative padding pushes it out on either side.
    """
    step = interior + 1
    first = max(0, -(low // step))
    last = min(src - 1, (dst - 1 - low) // step)
    return Span(max(0, last - first + 1), first, low + first * step)
