"""Addresses of access patterns against enumeration, element by element."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penguin.sim.geometry import Elements, Layout, OutOfBounds, conform, locate

PITCH, BASE, ADDR, SIZE = 1000, 3, 40, 4


def offsets(dims: tuple) -> list[int]:
    """Offsets in pattern order, the last dimension fastest."""
    return [
        sum(i * s for i, (_, s) in zip(index, dims, strict=True))
        for index in itertools.product(*(range(n) for n, _ in dims))
    ]


@st.composite
def dims(draw: st.DrawFn, count: int) -> tuple:
    """A pattern of `count` elements with any strides."""
    sizes = []
    while count > 1 and draw(st.booleans()):
        n = draw(st.sampled_from([d for d in range(1, count + 1) if count % d == 0]))
        sizes.append(n)
        count //= n
    sizes.append(count)
    return tuple((n, draw(st.integers(-20, 20))) for n in sizes)


@given(st.data())
def test_conform_keeps_elements_and_order(data: st.DataObject) -> None:
    count = data.draw(st.sampled_from([1, 2, 12, 24, 36]))
    operands = [data.draw(dims(count)) for _ in range(data.draw(st.integers(1, 3)))]
    result = conform(operands)
    if result is None:
        return
    assert len({tuple(n for n, _ in d) for d in result}) == 1
    for before, after in zip(operands, result, strict=True):
        assert offsets(before) == offsets(after)


def test_conform_splits_and_merges() -> None:
    """[6, 4] contiguous beside [2, 3, 4] with a gap: the gap decides, [3, 4] merge."""
    assert conform([[(6, 4), (4, 1)], [(2, 100), (3, 4), (4, 1)]]) == [
        ((2, 12), (12, 1)),
        ((2, 100), (12, 1)),
    ]
    assert conform([[(2, 5), (3, 1)], [(3, 7), (2, 1)]]) is None
    assert conform([[(1, 9)], [(1, 8), (1, 7)]]) == [((1, 0),), ((1, 0),)]


@given(
    free=st.integers(1, 12),
    rows=st.integers(1, 6),
    pattern=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 15)), min_size=1, max_size=3),
    const=st.integers(0, 20),
    coefficient=st.integers(-6, 24),
    trips=st.integers(1, 3),
)
def test_tile_addresses(
    free: int, rows: int, pattern: list, const: int, coefficient: int, trips: int
) -> None:
    """Either every byte address is that of partition div and mod, or the access is refused."""
    layout = Layout(rows * free, SIZE, free, BASE, ADDR, PITCH)
    access = Elements(tuple(pattern), const, ((0, coefficient),))
    starts = [const + coefficient * v for v in range(trips)]
    elements = [[start + o for o in offsets(tuple(pattern))] for start in starts]
    inside = all(0 <= e < rows * free for es in elements for e in es)
    try:
        geometry = locate(access, layout, {0: range(trips)})
    except OutOfBounds:
        along = tuple((n, s) for n, s in pattern if s % free)
        crosses = any(not 0 <= start % free + o < free for start in starts for o in offsets(along))
        assert not inside or crosses
        return
    assert inside
    for value, (start, wanted) in enumerate(zip(starts, elements, strict=True)):
        if geometry.wrap:
            first = (BASE + start // free) * PITCH + ADDR + start % free * SIZE
        else:
            first = geometry.const + sum(c * value for _, c in geometry.terms)
        addresses = [first + o for o in offsets(geometry.dims)]
        assert addresses == [(BASE + e // free) * PITCH + ADDR + e % free * SIZE for e in wanted]


def test_affine_offsets_need_no_division() -> None:
    layout = Layout(8 * 16, SIZE, 16, 0, 0, PITCH)
    access = Elements(((4, 16), (4, 1)), 0, ((0, 64), (1, 4)))
    geometry = locate(access, layout, {0: range(2), 1: range(4)})
    assert geometry.wrap == 0
    assert geometry.terms == ((0, 4 * PITCH), (1, 16))


def test_dram_is_flat() -> None:
    access = Elements(((2, 3), (3, 1)), 1, ((0, 6),))
    geometry = locate(access, Layout(20, 2), {0: range(3)})
    assert (geometry.const, geometry.dims, geometry.terms) == (2, ((2, 6), (3, 2)), ((0, 12),))
    with pytest.raises(OutOfBounds, match="reaches elements 1 to 24, expected 0 to 19"):
        locate(access, Layout(20, 2), {0: range(4)})


def test_negative_steps_reach_below_the_offset() -> None:
    with pytest.raises(OutOfBounds, match="reaches elements -1 to 2"):
        locate(Elements(((4, -1),), 2, ()), Layout(20, 2), {})
    view = locate(Elements(((4, -1),), 3, ()), Layout(20, 2), {})
    assert np.prod(view.shape) == 4 and view.strides == (-2,)
