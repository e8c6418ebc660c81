"""Every elementwise function on every dtype, down to BIR and simulated.

The judge is the interpreter at the tensor level, which `test_lowering_execute.py` holds to MLIR's
engine and to Python's own integers. Integers must agree exactly; floats within the tolerance table,
and infinities and NaN must come out where they should.
"""

import itertools

import lowering_kernels as lk
import numpy as np
import pytest
from test_lowering_execute import ALL, FLOATS, floats, ids, integers

from penguin import bir, dtypes, interp, mlir, sim
from penguin.dialects.penguin.attributes import (
    BINARY_KINDS,
    UNARY_KINDS,
    Binary,
    Kind,
    Unary,
    kind_of,
)
from penguin.passlib import run_pipeline

pytestmark = pytest.mark.usefixtures("context")

_DOWN = (
    "builtin.module(func.func(lower-tensor-op,late-lower-tensor-op,layout-tiling,"
    "select-instructions,allocate))"
)
# Where all functions are defined and none overflows.
_ORDINARY = [0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.7, 0.1, 7.3, 1e-4, -1e-4, 9.0]


def run(kernel: lk.Kernel) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Outputs of the simulator, and of the interpreter at the tensor level."""
    expected = interp.run(mlir.parse(kernel.text()), kernel.arrays)
    module = mlir.parse(kernel.text())
    run_pipeline(module, _DOWN)
    actual = sim.run(bir.from_mlir(module), kernel.arrays)
    # BIR has no i1: it is uint8, and may hold 0 and 1 only.
    assert all(a.max() <= 1 for a, e in zip(actual, expected, strict=True) if e.dtype == bool)
    bools = [e.dtype == bool for e in expected]
    return [a.astype(bool) if b else a for a, b in zip(actual, bools, strict=True)], expected


def agree(actual: np.ndarray, expected: np.ndarray) -> None:
    found = dtypes.compare(actual, expected)
    assert found.ok, (found, actual, expected)


def agree_on_specials(actual: np.ndarray, expected: np.ndarray) -> None:
    """Infinite, not a number, or finite: the same for each element."""
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(a), np.isnan(e))
    np.testing.assert_array_equal(np.where(np.isinf(a), a, 0), np.where(np.isinf(e), e, 0))


def values(dtype: dtypes.DType) -> np.ndarray:
    if dtype.is_float:
        return np.array(_ORDINARY).astype(dtype.numpy)
    return np.array([0, 1] if dtype.mlir == "i1" else integers(dtype)).astype(dtype.numpy)


def cases(kinds: dict) -> list:
    pairs = itertools.product(kinds, ALL)
    return [(f, t) for f, t in pairs if kind_of(t) in kinds[f]]


def name(value: object) -> str:
    return ids(value) if isinstance(value, dtypes.DType) else str(value)


@pytest.mark.parametrize(("function", "dtype"), cases(UNARY_KINDS), ids=name)
def test_unary(function: Unary, dtype: dtypes.DType) -> None:
    data = [values(dtype)]
    if dtype.is_float:
        data.append(floats(dtype))
    kernel = lk.Kernel()
    for array in data:
        source = kernel.input(array)
        out = kernel.output(array.shape, "i1" if function is Unary.IS_FINITE else dtype.mlir)
        kernel.op("unary", [source], out, function=str(function))
    actual, expected = run(kernel)
    agree(actual[0], expected[0])
    if dtype.is_float:
        agree_on_specials(actual[1], expected[1])


@pytest.mark.parametrize(("function", "dtype"), cases(BINARY_KINDS), ids=name)
def test_binary(function: Binary, dtype: dtypes.DType) -> None:
    base = values(dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(base, base))
    data = [(x, y)]
    if dtype.is_float:
        special = floats(dtype)
        data.append(tuple(grid.ravel() for grid in np.meshgrid(special, special)))
    kernel = lk.Kernel()
    for left, right in data:
        sources = [kernel.input(left), kernel.input(right)]
        out = kernel.output(left.shape, "i1" if function.is_comparison else dtype.mlir)
        kernel.op("binary", sources, out, function=str(function))
    actual, expected = run(kernel)
    agree(actual[0], expected[0])
    if dtype.is_float:
        agree_on_specials(actual[1], expected[1])


@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(ALL, 2)), ids=name)
def test_casts(source: dtypes.DType, target: dtypes.DType) -> None:
    array = values(source)
    if source.is_float:
        array = np.concatenate([array, floats(source)])
    kernel = lk.Kernel()
    out = kernel.output(array.shape, target.mlir)
    kernel.op("memcast", [kernel.input(array)], out)
    (actual,), (expected,) = run(kernel)
    if target.is_float:
        np.testing.assert_allclose(
            actual.astype(np.float64), expected.astype(np.float64), rtol=target.tolerance
        )
    else:
        agree(actual, expected)


@pytest.mark.parametrize("dtype", ALL, ids=ids)
def test_select_and_clamp(dtype: dtypes.DType) -> None:
    base = values(dtype)
    rng = np.random.default_rng(3)
    a, b = rng.permutation(base), rng.permutation(base)
    kernel = lk.Kernel()
    predicate = kernel.input(rng.integers(0, 2, base.shape).astype(bool))
    sources = [kernel.input(a), kernel.input(b)]
    kernel.op("select", [predicate, *sources], kernel.output(base.shape, dtype.mlir))
    if dtype.mlir != "i1":
        low, high = (kernel.input(np.asarray(v)) for v in (base.min(), base.max()))
        out = kernel.output(base.shape, dtype.mlir)
        kernel.op("ternary", [low, sources[0], high], out, function="clamp")
    actual, expected = run(kernel)
    for got, want in zip(actual, expected, strict=True):
        agree(got, want)


def test_the_grids_hold_what_wraps_and_what_does_not_fit() -> None:
    """The integers above reach both ends, so that a saturating sum would be seen."""
    for dtype in (t for t in ALL if t not in FLOATS and kind_of(t) is not Kind.BOOLEAN):
        found = integers(dtype)
        assert min(found) == np.iinfo(dtype.numpy).min and max(found) == np.iinfo(dtype.numpy).max
