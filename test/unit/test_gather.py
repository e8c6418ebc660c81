"""Gathers of every form through all levels, bit by bit against JAX on the CPU."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from penguin import bir, driver, execute, frontend, mlir
from penguin.driver import Level

RNG = np.random.default_rng(11)
LEVELS = tuple(level for level in Level if level is not Level.STABLEHLO)


def data(*shape: int, dtype: str = "float32") -> np.ndarray:
    values = RNG.standard_normal(shape) * 100
    return values.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def starts(*shape: int, reach: int, dtype: str = "int32") -> np.ndarray:
    """Places up to `reach`, some of them outside, on either side if the dtype is signed."""
    low = 0 if dtype.startswith("u") else -3
    return RNG.integers(low, reach + 3, shape).astype(dtype)


def check(function: Callable, *arguments: np.ndarray) -> str:
    """Holds every level against JAX; returns the BIR text."""
    jitted = jax.jit(function, keep_unused=True)
    expected = [np.asarray(leaf) for leaf in jax.tree.leaves(jitted(*arguments))]
    text = jitted.lower(*arguments).as_text()
    reached = []

    def compare(level: Level, module: mlir.ir.Module) -> None:
        reached.append(level)
        if level in LEVELS:
            for got, want in zip(execute.run(module, arguments), expected, strict=True):
                np.testing.assert_array_equal(got, want, err_msg=str(level))

    with mlir.context():
        compiled = driver.compile(frontend.load(text.encode()), after_stage=compare)
        compiled.module.operation.verify()
        assert set(LEVELS) <= set(reached)
        program = compiled.bir
    assert bir.from_text(bir.to_text(program)) == program
    assert bir.from_json(bir.to_json(program)) == program
    return bir.to_text(program)


def gather(src: np.ndarray, indices: np.ndarray, sizes: list[int], **numbers: Any) -> str:
    dimensions = lax.GatherDimensionNumbers(**numbers)
    return check(lambda x, i: lax.gather(x, i, dimensions, sizes, mode="clip"), src, indices)


def take(axis: int | None = None, mode: str = "clip") -> Callable:
    return lambda x, i: jnp.take(x, i, axis=axis, mode=mode)


def gathers(text: str) -> list[str]:
    return [line for line in text.splitlines() if "GenericIndirectLoad" in line]


@pytest.mark.parametrize("rows", [1, 2, 15, 16, 129, 300])
@pytest.mark.parametrize("width", [1, 5, 770])
def test_rows(rows: int, width: int) -> None:
    assert gathers(check(take(0), data(40, width), starts(rows, reach=40)))


def test_an_embedding_is_one_transfer_of_rows() -> None:
    text = check(take(0), data(300, 96), starts(1, 128, reach=300))
    (line,) = gathers(text)
    assert "Pool.GenericIndirectLoad" in line
    # One row of 96 elements to each of 128 partitions.
    assert "= float32 arg0[[96,128],[1,96]], uint32" in line
    assert "for " not in text


def test_rows_wider_than_a_tile() -> None:
    check(take(0), data(9, 5000), starts(20, reach=9))


@pytest.mark.parametrize(
    "dtype", ["bfloat16", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "bool"]
)
def test_dtypes_of_the_source(dtype: str) -> None:
    check(take(0), data(40, 7, dtype=dtype), starts(33, reach=40))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_dtypes_of_the_starts(dtype: str) -> None:
    numbers = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,)}
    # More rows than a byte can count: the limit must not wrap.
    gather(data(200, 3), starts(40, 1, reach=100, dtype=dtype), [1, 3], **numbers)
    edges = np.array([[np.iinfo(dtype).min], [np.iinfo(dtype).max], [0]], dtype)
    gather(data(200, 3), edges, [1, 3], **numbers)


@pytest.mark.parametrize("axis", [0, 1, 2, None])
@pytest.mark.parametrize("mode", ["clip", "wrap", "fill"])
def test_take(axis: int | None, mode: str) -> None:
    check(take(axis, mode), data(6, 20, 4), starts(5, 3, reach=6))


@pytest.mark.parametrize(
    "index",
    [
        lambda x, i, j: x[i],
        lambda x, i, j: x[:, j],
        lambda x, i, j: x[i, j],
        lambda x, i, j: x[i, :, j],
        lambda x, i, j: x[i[:, None], j[None, :]],
        lambda x, i, j: x[i[:1]],
        lambda x, i, j: x[i[:1], 1, j[:1]],
    ],
)
def test_indexing(index: Callable) -> None:
    check(index, data(30, 25, 8), starts(7, reach=30), starts(7, reach=8))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_take_along_axis(axis: int) -> None:
    indices = starts(6, 20, 5, reach=5)
    check(lambda x, i: jnp.take_along_axis(x, i, axis, mode="clip"), data(6, 20, 5), indices)


def test_batching_dims() -> None:
    gather(
        data(6, 20, 5),
        starts(5, 17, 6, 1, reach=20),
        [1, 3, 1],
        offset_dims=(1,),
        collapsed_slice_dims=(),
        start_index_map=(1,),
        operand_batching_dims=(0, 2),
        start_indices_batching_dims=(2, 0),
    )


def test_many_lanes_many_columns() -> None:
    text = check(take(1), data(130, 64), starts(1000, reach=64))
    # The starts are on the lanes, 8 columns of them, and each moves a slice of 130.
    (line,) = gathers(text)
    assert "[[1,125],[64,130]]" in line


def test_elements() -> None:
    check(take(0), data(1000), starts(1024, reach=1000))
    check(take(None), data(33, 7), starts(9, 5, reach=231))


def test_a_whole_dimension_needs_no_start() -> None:
    text = gather(
        data(4, 8),
        starts(3, 1, reach=8),
        [4, 8],
        offset_dims=(1, 2),
        collapsed_slice_dims=(),
        start_index_map=(1,),
    )
    assert not gathers(text)


def test_empty_gathers() -> None:
    check(take(0), data(4, 0), starts(3, reach=4))
    check(take(0), data(4, 5), starts(0, reach=4))


def test_code_without_loops() -> None:
    check(take(0), data(5), np.array([3], np.int32))


def test_a_gather_of_what_was_computed() -> None:
    check(
        lambda x, i: jnp.take(x * 2, i * 2, axis=0, mode="clip") - 1, data(9, 4), starts(5, reach=4)
    )


def random_form(seed: int) -> tuple[np.ndarray, np.ndarray, list[int], dict[str, Any]]:
    """A source, starts, slice sizes and dimension numbers of any legal shape."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 5))
    shape = [int(n) for n in rng.integers(1, 7, rank)]
    roles = [rng.choice(["collapsed", "batching", "offset"], p=[0.4, 0.2, 0.4]) for _ in shape]
    batching = [d for d in range(rank) if roles[d] == "batching"]
    collapsed = [d for d in range(rank) if roles[d] == "collapsed"]
    offsets = [d for d in range(rank) if roles[d] == "offset"]
    sizes = [int(rng.integers(1, shape[d] + 1)) if d in offsets else 1 for d in range(rank)]
    mapped = [d for d in range(rank) if d not in batching and rng.random() < 0.7]
    rng.shuffle(mapped)
    counting = [int(n) for n in rng.integers(1, 24, rng.integers(0, 3))]
    places = [int(p) for p in rng.permutation(len(counting) + len(batching))[: len(batching)]]
    extents = [0] * (len(counting) + len(batching))
    for place, d in zip(places, batching, strict=True):
        extents[place] = shape[d]
    rest = iter(counting)
    extents = [n or next(rest) for n in extents]
    out = len(extents) + len(offsets)
    numbers = {
        "offset_dims": tuple(sorted(int(d) for d in rng.permutation(out)[: len(offsets)])),
        "collapsed_slice_dims": tuple(collapsed),
        "start_index_map": tuple(mapped),
        "operand_batching_dims": tuple(batching),
        "start_indices_batching_dims": tuple(places),
    }
    indices = rng.integers(-3, 9, (*extents, len(mapped))).astype(np.int32)
    return rng.standard_normal(shape).astype(np.float32), indices, sizes, numbers


@pytest.mark.parametrize("block", range(4))
def test_random_forms(block: int) -> None:
    for seed in range(block * 15, block * 15 + 15):
        src, indices, sizes, numbers = random_form(seed)
        try:
            gather(src, indices, sizes, **numbers)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {src.shape} {indices.shape} {numbers}") from error
