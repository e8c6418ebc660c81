"""Casts that survive, boxes of runs, intervals: the arithmetic of the cleaning passes."""

import itertools
import random

import numpy as np
import pytest

from penguin import dtypes
from penguin.interp import numerics
from penguin.passes.data_movement import dead_store_elimination as stores
from penguin.passes.data_movement._forms import box_of_run, run_of_box
from penguin.passes.data_movement._identities import is_one_cast, survives


def values(dtype: dtypes.DType) -> np.ndarray:
    """Every value, or for four bytes those around the edges of all dtypes."""
    size = dtype.itemsize
    if dtype.mlir == "i1":
        return np.array([False, True])
    if size <= 2:
        return np.arange(256**size, dtype=f"u{size}").view(dtype.numpy)
    if dtype.is_float:
        high = np.arange(2**16, dtype=np.uint32) << 16
        return np.concatenate([high, high | 0x8000, high | 1, high | 0x7FFF]).view(np.float32)
    edges = [s * 2**b + d for s in (-1, 1) for b in range(33) for d in (-1, 0, 1)]
    edges += [2**b + 2**c for b in range(31) for c in range(b)]
    return np.array(edges, dtype=np.int64).astype(dtype.numpy)


def convert(x: np.ndarray, dtype: dtypes.DType) -> np.ndarray:
    with np.errstate(all="ignore"):
        return numerics.convert(x, dtype.numpy)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    x, y = a.astype(np.float32), b.astype(np.float32)
    same = (x == y) & (np.signbit(x) == np.signbit(y))
    return bool((same | (np.isnan(x) & np.isnan(y))).all())


PAIRS = list(itertools.permutations(dtypes.TABLE, 2))


def test_what_survives_comes_back() -> None:
    wrong = []
    for a, b in PAIRS:
        given = values(a)
        back = convert(convert(given, b), a)
        if survives(a, b) and not equal(back, given):
            wrong.append((a.mlir, b.mlir))
    assert wrong == []


@pytest.mark.parametrize("a", dtypes.TABLE, ids=lambda d: d.mlir)
def test_one_cast_for_two(a: dtypes.DType) -> None:
    given, wrong = values(a), []
    for b, c in PAIRS:
        if b is a or not is_one_cast(a, b, c):
            continue
        direct = given if a is c else convert(given, c)
        if not equal(convert(convert(given, b), c), direct):
            wrong.append((a.mlir, b.mlir, c.mlir))
    assert wrong == []


def test_the_pairs_of_the_specification() -> None:
    of = dtypes.BY_MLIR
    for a, b, expected in (
        ("f32", "bf16", False),
        ("bf16", "f32", True),
        ("i8", "i32", True),
        ("i32", "f32", False),
        ("f16", "bf16", False),
        ("i16", "f32", True),
    ):
        assert is_one_cast(of[a], of[b], of[a]) is expected, (a, b)


def test_boxes_of_runs() -> None:
    pick, boxes = random.Random(1), 0
    for _ in range(4000):
        shape = tuple(pick.choice([1, 2, 3, 4, 5]) for _ in range(pick.randint(0, 4)))
        total = int(np.prod(shape))
        start, stride = pick.randrange(total), pick.choice([1, 1, 1, 2, 3, 4, 5, 6, 8, 10, 12])
        count = pick.randint(1, (total - 1 - start) // stride + 1)
        box = box_of_run(shape, start, stride, count)
        if box is None:
            continue
        boxes += count > 1
        taken = np.arange(total).reshape(shape)[
            tuple(map(slice, box.starts, box.limits, box.strides))
        ]
        assert taken.shape == box.counts
        assert taken.ravel().tolist() == [start + stride * i for i in range(count)]
        run = run_of_box(shape, box)
        assert run is not None and (run.starts, run.counts) == ((start,), (count,))
        assert count == 1 or run.strides == (stride,)
    assert boxes > 300


def test_what_is_left_of_a_box() -> None:
    pick = random.Random(2)

    def box() -> stores.Box:
        return tuple(tuple(sorted((pick.randint(0, 5), pick.randint(0, 5)))) for _ in range(2))

    def points(boxes: list[stores.Box]) -> list[tuple[int, ...]]:
        ranges = [[range(low, high + 1) for low, high in each] for each in boxes]
        return sorted(point for each in ranges for point in itertools.product(*each))

    for _ in range(300):
        a, b = box(), box()
        left = stores.without([a], b)
        assert left is not None
        assert points(left) == [p for p in points([a]) if p not in set(points([b]))]
