"""Gathers of every form through all levels, bit by bit against JAX on the CPU."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from penguin import bir, driver, execute, frontend, interp, mlir, sim
from penguin.driver import Level
from penguin.passlib import run_pipeline

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


# Generic loads as other passes may write them.

X = data(40, 9)
N = starts(30, 4, reach=34, dtype="int32").clip(0, 39)


def nest(body: str, out: str = "30") -> str:
    """A kernel on X as %x and N as %n, with an output %o."""
    arguments = [
        f'%{name}: memref<{type_}, "dram"> {{penguin.io = "{io}"}}'
        for name, type_, io in (
            ("x", "40x9xf32", "input"),
            ("n", "30x4xi32", "input"),
            ("o", f"{out}xf32", "output"),
        )
    ]
    text = f"func.func @main({', '.join(arguments)}) attributes {{penguin.kernel}} {{"
    return f"{text}\n{body}\nreturn\n}}"


def check_nest(source: str, expected: np.ndarray, sequential: int = 0) -> str:
    with mlir.context():
        module = mlir.parse(source)
        np.testing.assert_allclose(interp.run(module, [X, N])[0], expected, rtol=1e-5)
        result = run_pipeline(module, "builtin.module(func.func(layout-tiling))")
        rows = {row.text: row.value for step in result.steps for row in step.rows}
        assert rows["Number of nests left sequential"] == sequential
        np.testing.assert_allclose(interp.run(module, [X, N])[0], expected, rtol=1e-5)
        run_pipeline(module, "builtin.module(func.func(select-instructions,allocate))")
        program = bir.from_mlir(module)
    np.testing.assert_allclose(sim.run(program, [X, N])[0], expected, rtol=1e-5)
    return bir.to_text(program)


def load_row(component: int = 0) -> str:
    return f"""
      %k{component} = affine.load %n[%i, {component}] : memref<30x4xi32, "dram">
      %j{component} = arith.index_cast %k{component} : i32 to index
    """


def test_a_sum_over_a_row() -> None:
    body = f"""%zero = arith.constant 0.0 : f32
    affine.for %i = 0 to 30 {{
      %s = affine.for %c = 0 to 9 iter_args(%acc = %zero) -> f32 {{
        {load_row()}
        %v = memref.load %x[%j0, %c] : memref<40x9xf32, "dram">
        %t = arith.addf %acc, %v : f32
        affine.yield %t : f32
      }}
      affine.store %s, %o[%i] : memref<30xf32, "dram">
    }}"""
    check_nest(nest(body), X[N[:, 0]].sum(1))


def test_a_sum_of_rows() -> None:
    body = """%zero = arith.constant 0.0 : f32
    affine.for %c = 0 to 9 {
      %s = affine.for %i = 0 to 30 iter_args(%acc = %zero) -> f32 {
        %k = affine.load %n[%i, 1] : memref<30x4xi32, "dram">
        %j = arith.index_cast %k : i32 to index
        %v = memref.load %x[%j, %c] : memref<40x9xf32, "dram">
        %t = arith.addf %acc, %v : f32
        affine.yield %t : f32
      }
      affine.store %s, %o[%c] : memref<9xf32, "dram">
    }"""
    check_nest(nest(body, out="9"), X[N[:, 1]].sum(0))


def test_a_product_of_gathered_rows() -> None:
    """Both factors of a contraction are rows that data names."""
    body = f"""%zero = arith.constant 0.0 : f32
    affine.for %i = 0 to 30 {{ affine.for %m = 0 to 30 {{
      %s = affine.for %c = 0 to 9 iter_args(%acc = %zero) -> f32 {{
        {load_row()}
        %l = affine.load %n[%m, 1] : memref<30x4xi32, "dram">
        %q = arith.index_cast %l : i32 to index
        %v = memref.load %x[%j0, %c] : memref<40x9xf32, "dram">
        %w = memref.load %x[%q, %c] : memref<40x9xf32, "dram">
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %acc, %p : f32
        affine.yield %t : f32
      }}
      affine.store %s, %o[%i, %m] : memref<30x30xf32, "dram">
    }} }}"""
    text = check_nest(nest(body, out="30x30"), X[N[:, 0]] @ X[N[:, 1]].T)
    assert "Matmult" in text


def test_an_index_that_falls_with_the_lane() -> None:
    body = f"""affine.for %i = 0 to 30 {{
      {load_row()}
      %r = affine.apply affine_map<(d0) -> (-d0 + 29)>(%i)
      %c = arith.constant 2 : index
      %v = memref.load %x[%r, %c] : memref<40x9xf32, "dram">
      %d = arith.constant 3 : index
      %k4 = affine.load %n[%i, 3] : memref<30x4xi32, "dram">
      %two = arith.constant 2 : i32
      %k5 = arith.minsi %k4, %two : i32
      %j5 = arith.index_cast %k5 : i32 to index
      %a5 = arith.addi %j5, %d : index
      %w = memref.load %x[%r, %a5] : memref<40x9xf32, "dram">
      %s = arith.addf %v, %w : f32
      affine.store %s, %o[%i] : memref<30xf32, "dram">
    }}"""
    i = np.arange(30)
    check_nest(nest(body), X[29 - i, 2] + X[29 - i, np.minimum(N[:, 3], 2) + 3])


def test_indices_that_turn_out_affine() -> None:
    """A constant and a loop variable that went through an integer need no gather."""
    body = """affine.for %i = 0 to 30 {
      %k = arith.index_cast %i : index to i32
      %j = arith.index_cast %k : i32 to index
      %one = arith.constant 1 : i32
      %c = arith.index_cast %one : i32 to index
      %v = memref.load %x[%j, %c] : memref<40x9xf32, "dram">
      affine.store %v, %o[%i] : memref<30xf32, "dram">
    }"""
    assert not gathers(check_nest(nest(body), X[:30, 1]))


def test_an_index_through_another_gather() -> None:
    body = f"""affine.for %i = 0 to 30 {{
      {load_row()}
      %m = arith.constant 29 : i32
      %k9 = arith.minsi %k0, %m : i32
      %j9 = arith.index_cast %k9 : i32 to index
      %z = arith.constant 2 : index
      %l = memref.load %n[%j9, %z] : memref<30x4xi32, "dram">
      %q = arith.index_cast %l : i32 to index
      %v = memref.load %x[%q, %z] : memref<40x9xf32, "dram">
      affine.store %v, %o[%i] : memref<30xf32, "dram">
    }}"""
    text = check_nest(nest(body), X[N[np.minimum(N[:, 0], 29), 2], 2])
    assert len(gathers(text)) == 2


def test_a_nest_that_stays_in_order() -> None:
    """Iterations may read what others wrote: one gather after the other."""
    body = f"""affine.for %i = 0 to 30 {{
      %zero = arith.constant 0.0 : f32
      affine.store %zero, %o[%i] : memref<30xf32, "dram">
    }}
    affine.for %i = 0 to 30 {{
      {load_row()}
      %m = arith.constant 29 : i32
      %k9 = arith.minsi %k0, %m : i32
      %j9 = arith.index_cast %k9 : i32 to index
      %v = memref.load %o[%j9] : memref<30xf32, "dram">
      %one = arith.constant 1.0 : f32
      %s = arith.addf %v, %one : f32
      affine.store %s, %o[%i] : memref<30xf32, "dram">
    }}"""
    expected = np.zeros(30, np.float32)
    for i in range(30):
        expected[i] = expected[min(N[i, 0], 29)] + 1
    check_nest(nest(body), expected, sequential=1)
