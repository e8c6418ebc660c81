"""Every tensor op on every dtype: lowered to loops, executed, compared with numpy.

Integer answers are exact and come from Python's own integers; the answers for floats from numpy
in f64, rounded to the dtype.
"""

import math
from collections.abc import Callable

import lowering_kernels as lk
import ml_dtypes
import numpy as np
import pytest

from penguin import dtypes
from penguin.dialects.penguin.attributes import (
    BINARY_KINDS,
    REDUCTION_KINDS,
    UNARY_KINDS,
    Binary,
    Kind,
    Reduction,
    Unary,
    kind_of,
)
from penguin.nests.binary import BINARY, TERNARY
from penguin.nests.unary import UNARY

pytestmark = pytest.mark.usefixtures("context")

FLOATS = [t for t in dtypes.TABLE if t.is_float]
INTEGERS = [t for t in dtypes.TABLE if not t.is_float and t.mlir != "i1"]
NUMBERS = FLOATS + INTEGERS
ALL = list(dtypes.TABLE)
# Relative errors of one correctly rounded result, with room for libm.
PRECISION = {"f32": 4e-7, "bf16": 2.0**-8, "f16": 2.0**-10}


def ids(dtype: dtypes.DType) -> str:
    return dtype.mlir


def limits(dtype: dtypes.DType) -> tuple[int, int]:
    if dtype.mlir == "i1":
        return 0, 1
    info = np.iinfo(dtype.numpy)
    return int(info.min), int(info.max)


def wrap(value: int, dtype: dtypes.DType) -> int:
    """`value` modulo the width, in the dtype's range."""
    low, high = limits(dtype)
    return (value - low) % (high - low + 1) + low


def integers(dtype: dtypes.DType) -> list[int]:
    low, high = limits(dtype)
    width = 8 * dtype.itemsize
    values = [0, 1, -1, 2, -2, 3, 5, -7, width - 1, width, width + 1, 100, low, low + 1, high]
    return sorted({v for v in values if low <= v <= high} | {high - 1, high // 3})


def floats(dtype: dtypes.DType) -> np.ndarray:
    big = 6e4 if dtype.mlir == "f16" else 1e30
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.7, 0.1, 7.3, 20.0, -20.0]
    return np.array([*values, big, -big, np.inf, -np.inf, np.nan]).astype(dtype.numpy)


def close(actual: np.ndarray, expected: np.ndarray, dtype: dtypes.DType) -> None:
    """Equal bits for specials and zeros, one rounding for the rest."""
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(a), np.isnan(e))
    zero = e == 0
    np.testing.assert_array_equal(np.signbit(a)[zero], np.signbit(e)[zero])
    smallest = float(ml_dtypes.finfo(dtype.numpy).tiny)
    np.testing.assert_allclose(a, e, rtol=PRECISION[dtype.mlir], atol=smallest)


def rounded(value: np.ndarray, dtype: dtypes.DType) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype.numpy)


UNARY_FLOAT: dict[Unary, Callable[[np.ndarray], np.ndarray]] = {
    Unary.ABS: np.abs,
    Unary.CBRT: np.cbrt,
    Unary.CEIL: np.ceil,
    Unary.COSINE: np.cos,
    Unary.EXPONENTIAL: np.exp,
    Unary.EXPONENTIAL_MINUS_ONE: np.expm1,
    Unary.FLOOR: np.floor,
    Unary.LOG: np.log,
    Unary.LOG_PLUS_ONE: np.log1p,
    Unary.LOGISTIC: lambda x: 1 / (1 + np.exp(-x)),
    Unary.NEGATE: np.negative,
    Unary.ROUND_NEAREST_AFZ: lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    Unary.ROUND_NEAREST_EVEN: np.rint,
    Unary.RSQRT: lambda x: 1 / np.sqrt(x),
    Unary.SIGN: lambda x: np.where(np.isnan(x) | (x == 0), x, np.copysign(1.0, x)),
    Unary.SINE: np.sin,
    Unary.SQRT: np.sqrt,
    Unary.TAN: np.tan,
    Unary.TANH: np.tanh,
}


def unary_integer(function: Unary, x: int, dtype: dtypes.DType) -> int:
    width = 1 if dtype.mlir == "i1" else 8 * dtype.itemsize
    bits = x % (1 << width)
    answers = {
        Unary.ABS: abs(x),
        Unary.COUNT_LEADING_ZEROS: width - bits.bit_length(),
        Unary.NEGATE: -x,
        Unary.NOT: ~x,
        Unary.POPCNT: bits.bit_count(),
        Unary.SIGN: (x > 0) - (x < 0),
    }
    return wrap(answers[function], dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=ids)
def test_unary_floats(dtype: dtypes.DType) -> None:
    x = floats(dtype)
    # Sines of huge arguments say more about libm than about the lowering.
    moderate = x[np.abs(x.astype(np.float64)) < 100]
    for function, reference in UNARY_FLOAT.items():
        data = moderate if function in (Unary.SINE, Unary.COSINE, Unary.TAN) else x
        kernel = lk.Kernel()
        out = kernel.output(data.shape, dtype.mlir)
        kernel.op("unary", [kernel.input(data)], out, function=function)
        with np.errstate(all="ignore"):
            expected = reference(data.astype(np.float64))
        close(lk.run(kernel)[0], rounded(expected, dtype), dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=ids)
def test_is_finite(dtype: dtypes.DType) -> None:
    x = floats(dtype)
    kernel = lk.Kernel()
    kernel.op("unary", [kernel.input(x)], kernel.output(x.shape, "i1"), function=Unary.IS_FINITE)
    np.testing.assert_array_equal(lk.run(kernel)[0], np.isfinite(x))


def test_every_float_function_has_a_test() -> None:
    floats_only = {f for f in Unary if Kind.FLOAT in UNARY_KINDS[f]}
    assert {*UNARY_FLOAT, Unary.IS_FINITE} == floats_only
    assert set(BINARY_FLOAT) == {f for f in Binary if Kind.FLOAT in BINARY_KINDS[f]}


@pytest.mark.parametrize("dtype", [*INTEGERS, dtypes.BY_MLIR["i1"]], ids=ids)
def test_unary_integers(dtype: dtypes.DType) -> None:
    functions = [f for f in Unary if kind_of(dtype) in UNARY_KINDS[f]]
    values = integers(dtype) if dtype.mlir != "i1" else [0, 1]
    x = np.array(values, dtype.numpy)
    kernel = lk.Kernel()
    source = kernel.input(x)
    for function in functions:
        kernel.op("unary", [source], kernel.output(x.shape, dtype.mlir), function=function)
    for function, actual in zip(functions, lk.run(kernel), strict=True):
        assert actual.tolist() == [unary_integer(function, v, dtype) for v in values], function


def test_composed_functions_round_once() -> None:
    """In bf16 steps, logistic of 3 would be 0.949...: 1 + exp(-3) loses the last bits."""
    bf16 = dtypes.BY_MLIR["bf16"]
    x = np.linspace(-8, 8, 257).astype(bf16.numpy)
    kernel = lk.Kernel()
    source = kernel.input(x)
    kernel.op("unary", [source], kernel.output(x.shape, "bf16"), function="logistic")
    exact = 1 / (1 + np.exp(-x.astype(np.float64)))
    np.testing.assert_array_equal(lk.run(kernel)[0], exact.astype(np.float32).astype(bf16.numpy))


COMPARE = {
    Binary.COMPARE_EQ: lambda x, y: x == y,
    Binary.COMPARE_NE: lambda x, y: x != y,
    Binary.COMPARE_LT: lambda x, y: x < y,
    Binary.COMPARE_LE: lambda x, y: x <= y,
    Binary.COMPARE_GT: lambda x, y: x > y,
    Binary.COMPARE_GE: lambda x, y: x >= y,
}
BINARY_FLOAT: dict[Binary, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    Binary.ADD: np.add,
    Binary.SUBTRACT: np.subtract,
    Binary.MULTIPLY: np.multiply,
    Binary.DIVIDE: np.divide,
    Binary.MAXIMUM: lambda x, y: np.where(x == y, np.where(np.signbit(x), y, x), np.maximum(x, y)),
    Binary.MINIMUM: lambda x, y: np.where(x == y, np.where(np.signbit(x), x, y), np.minimum(x, y)),
    Binary.POWER: np.power,
    Binary.REMAINDER: np.fmod,
    Binary.ATAN2: np.arctan2,
    **COMPARE,
}


def power(base: int, exponent: int) -> int:
    if exponent >= 0:
        # Enough bits for any width here; Python would build the whole number otherwise.
        return pow(base, exponent, 1 << 64)
    return base ** (exponent % 2) if base in (1, -1) else 0


def binary_integer(function: Binary, x: int, y: int, dtype: dtypes.DType) -> int:
    if function in COMPARE:
        return int(COMPARE[function](x, y))
    width = 8 * dtype.itemsize
    is_bool = dtype.mlir == "i1"
    amount = y % (1 << width)
    quotient = abs(x) // abs(y) if y else 0
    answers: dict[Binary, Callable[[], int]] = {
        Binary.ADD: lambda: x | y if is_bool else x + y,
        Binary.SUBTRACT: lambda: x - y,
        Binary.MULTIPLY: lambda: x * y,
        Binary.DIVIDE: lambda: -1 if y == 0 else quotient if (x < 0) == (y < 0) else -quotient,
        Binary.MAXIMUM: lambda: max(x, y),
        Binary.MINIMUM: lambda: min(x, y),
        Binary.POWER: lambda: power(x, y),
        Binary.REMAINDER: lambda: x if y == 0 else int(math.copysign(abs(x) % abs(y), x)),
        Binary.AND: lambda: x & y,
        Binary.OR: lambda: x | y,
        Binary.XOR: lambda: x ^ y,
        Binary.SHIFT_LEFT: lambda: x << amount if amount < width else 0,
        # Python's shift of a negative number keeps the sign; the bit pattern of ui8 has one too.
        Binary.SHIFT_RIGHT_ARITHMETIC: lambda: signed(x, width) >> min(amount, width),
        Binary.SHIFT_RIGHT_LOGICAL: lambda: x % (1 << width) >> min(amount, width),
    }
    return wrap(answers[function](), dtype)


def signed(x: int, width: int) -> int:
    return (x + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


@pytest.mark.parametrize("dtype", FLOATS, ids=ids)
def test_binary_floats(dtype: dtypes.DType) -> None:
    x, y = (a.ravel() for a in np.meshgrid(floats(dtype), floats(dtype)))
    kernel, functions = lk.Kernel(), list(BINARY_FLOAT)
    lhs, rhs = kernel.input(x), kernel.input(y)
    for function in functions:
        out = kernel.output(x.shape, "i1" if function in COMPARE else dtype.mlir)
        kernel.op("binary", [lhs, rhs], out, function=function)
    for function, actual in zip(functions, lk.run(kernel), strict=True):
        with np.errstate(all="ignore"):
            expected = BINARY_FLOAT[function](x.astype(np.float64), y.astype(np.float64))
        if function in COMPARE:
            np.testing.assert_array_equal(actual, expected)
        else:
            close(actual, rounded(expected, dtype), dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, dtypes.BY_MLIR["i1"]], ids=ids)
def test_binary_integers(dtype: dtypes.DType) -> None:
    functions = [f for f in Binary if kind_of(dtype) in BINARY_KINDS[f]]
    values = integers(dtype) if dtype.mlir != "i1" else [0, 1]
    pairs = [(x, y) for x in values for y in values]
    kernel = lk.Kernel()
    lhs, rhs = (kernel.input(np.array(side, dtype.numpy)) for side in zip(*pairs, strict=True))
    for function in functions:
        out = kernel.output((len(pairs),), "i1" if function in COMPARE else dtype.mlir)
        kernel.op("binary", [lhs, rhs], out, function=function)
    for function, actual in zip(functions, lk.run(kernel), strict=True):
        expected = [binary_integer(function, x, y, dtype) for x, y in pairs]
        wrong = [
            (pair, a, e)
            for pair, a, e in zip(pairs, actual.tolist(), expected, strict=True)
            if a != e
        ]
        assert not wrong, (function, wrong[:5])


def test_tables_are_the_verifiers() -> None:
    """A function that the verifier lets through has a rule, and no rule is out of reach."""
    assert {f: frozenset(UNARY[f]) for f in Unary} == UNARY_KINDS
    assert {f: frozenset(BINARY[f]) for f in Binary} == BINARY_KINDS
    assert all(REDUCTION_KINDS[r] <= set(BINARY[r]) for r in Reduction)
    assert all(set(rules) == set(Kind) for rules in TERNARY.values())


@pytest.mark.parametrize("dtype", ALL, ids=ids)
def test_clamp_and_select(dtype: dtypes.DType) -> None:
    if dtype.is_float:
        x = floats(dtype)[:-1]
        low, high = np.array(-2.0, dtype.numpy), np.array(2.5, dtype.numpy)
    else:
        x = np.array(integers(dtype) if dtype.mlir != "i1" else [0, 1], dtype.numpy)
        low, high = np.array(1, dtype.numpy), np.array(5 % 2 ** (8 * (dtype.mlir != "i1")))
        high = high.astype(dtype.numpy)
    lows, highs, other = np.full_like(x, low), np.full_like(x, high), x[::-1].copy()
    flags = np.arange(x.size) % 3 == 0
    kernel = lk.Kernel()
    a, b, c, d = (kernel.input(v) for v in (low, x, high, other))
    e, f = kernel.input(lows), kernel.input(highs)
    p, yes, no = (kernel.input(v) for v in (flags, np.array(True), np.array(False)))
    outs = [kernel.output(x.shape, dtype.mlir) for _ in range(5)]
    kernel.op("ternary", [a, b, c], outs[0], function="clamp")
    kernel.op("ternary", [e, b, f], outs[1], function="clamp")
    for predicate, out in zip((p, yes, no), outs[2:], strict=True):
        kernel.op("select", [predicate, b, d], out)
    wide = np.float64 if dtype.is_float else np.int64
    clamped = np.clip(x.astype(wide), low.astype(wide), high.astype(wide)).astype(dtype.numpy)
    expected = [clamped, clamped, np.where(flags, x, other), x, other]
    for actual, want in zip(lk.run(kernel), expected, strict=True):
        np.testing.assert_array_equal(actual, want)


def test_clamp_propagates_nan() -> None:
    kernel = lk.Kernel()
    names = [kernel.input(np.array(v, np.float32)) for v in (0.0, np.nan, 1.0)]
    kernel.op("ternary", names, kernel.output((), "f32"), function="clamp")
    assert np.isnan(lk.run(kernel)[0])


def test_pointwise_in_place() -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    kernel = lk.Kernel()
    a, out = kernel.input(x), kernel.output((2, 3), "i32")
    kernel.op("memcpy", [a], out)
    kernel.op("binary", [out, a], out, function="add")
    kernel.op("unary", [out], out, function="negate")
    np.testing.assert_array_equal(lk.run(kernel)[0], -2 * x)


def converted(value: float, source: dtypes.DType, target: dtypes.DType) -> float:
    if target.mlir == "i1":
        return value != 0
    if target.is_float:
        return value
    if not source.is_float:
        return wrap(int(value), target)
    if math.isnan(value):
        return 0
    low, high = limits(target)
    return low if value <= low else high if value >= high else math.trunc(value)


@pytest.mark.parametrize("source", ALL, ids=ids)
def test_memcast(source: dtypes.DType) -> None:
    if source.is_float:
        edges = [255.5, 256.0, -128.9, 127.9, 32767.6, -0.9, 65535.0, 2147483520.0, 4294967040.0]
        x = np.concatenate([floats(source), rounded(np.array(edges), source)])
    else:
        x = np.array(integers(source) if source.mlir != "i1" else [0, 1], source.numpy)
    kernel = lk.Kernel()
    a, targets = kernel.input(x), [t for t in ALL if t is not source]
    for target in targets:
        kernel.op("memcast", [a], kernel.output(x.shape, target.mlir))
    for target, actual in zip(targets, lk.run(kernel), strict=True):
        want = [converted(v, source, target) for v in x.tolist()]
        if target.is_float:
            close(actual, rounded(np.array(want, np.float64), target), target)
        else:
            assert actual.tolist() == want, target.mlir


@pytest.mark.parametrize("source", ALL, ids=ids)
def test_bitcast(source: dtypes.DType) -> None:
    kernel, expected = lk.Kernel(), []
    raw = np.random.default_rng(1).integers(0, 256, 3 * 4 * 4, np.uint8)
    for target in ALL:
        if target is source or "i1" in (source.mlir, target.mlir):
            continue
        ratio = max(1, target.itemsize // source.itemsize)
        x = raw[: 3 * 4 * source.itemsize * ratio].view(source.numpy)
        x = x.reshape((3, 4, ratio) if ratio > 1 else (3, 4))
        want = x.view(target.numpy).reshape(3, 4, -1)
        shape = want.shape if target.itemsize < source.itemsize else (3, 4)
        kernel.op("bitcast", [kernel.input(x)], kernel.output(shape, target.mlir))
        expected.append(want.reshape(shape))
    for actual, want in zip(lk.run(kernel) if expected else [], expected, strict=True):
        assert actual.tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", ALL, ids=ids)
def test_reduce(dtype: dtypes.DType) -> None:
    rng = np.random.default_rng(2)
    shape = (3, 4, 1, 5)
    if dtype.is_float:
        x = rng.uniform(0.5, 1.5, shape).astype(dtype.numpy)
    else:
        x = rng.integers(0, limits(dtype)[1], shape, np.int64, endpoint=True).astype(dtype.numpy)
    numpy_of = {
        Reduction.ADD: np.add,
        Reduction.MULTIPLY: np.multiply,
        Reduction.MAXIMUM: np.maximum,
        Reduction.MINIMUM: np.minimum,
        Reduction.AND: np.bitwise_and,
        Reduction.OR: np.bitwise_or,
    }
    if dtype.mlir == "i1":
        numpy_of |= {Reduction.ADD: np.logical_or, Reduction.MULTIPLY: np.logical_and}
    init = np.array(1, dtype.numpy)
    kernel, expected = lk.Kernel(), []
    a, start = kernel.input(x), kernel.input(init)
    wide = np.float64 if dtype.is_float else np.bool_ if dtype.mlir == "i1" else np.int64
    for function in Reduction:
        if kind_of(dtype) not in REDUCTION_KINDS[function]:
            continue
        for axes in ([], [1], [3, 0], [2], [0, 1, 2, 3]):
            kept = [n for i, n in enumerate(shape) if i not in axes]
            out = kernel.output(kept, dtype.mlir)
            kernel.op("reduce", [a, start], out, function=function, axes=axes)
            op, axis = numpy_of[function], tuple(axes)
            total = op(op.reduce(x.astype(wide), axis=axis) if axes else x.astype(wide), 1)
            expected.append((function, axes, np.asarray(total).astype(dtype.numpy)))
    for actual, (function, axes, want) in zip(lk.run(kernel), expected, strict=True):
        if dtype.is_float:
            np.testing.assert_allclose(
                actual.astype(np.float64),
                want.astype(np.float64),
                rtol=4 * PRECISION[dtype.mlir] if dtype.mlir == "f32" else PRECISION[dtype.mlir],
                err_msg=f"{function} over {axes}",
            )
        else:
            np.testing.assert_array_equal(actual, want, f"{function} over {axes}")


def test_reduce_nothing_is_the_initial_value() -> None:
    kernel = lk.Kernel()
    a, start = kernel.input(np.zeros((2, 0), np.float32)), kernel.input(np.array(7, np.float32))
    kernel.op("reduce", [a, start], kernel.output((2,), "f32"), function="add", axes=[1])
    assert "0 to 0" not in str(lk.lowered(kernel.text()))
    assert lk.run(kernel)[0].tolist() == [7, 7]


def test_sums_accumulate_in_f32() -> None:
    """In bf16, 256 + 1 is 256: a sum in steps would never leave it."""
    kernel = lk.Kernel()
    ones = kernel.input(np.ones(512, ml_dtypes.bfloat16))
    zero = kernel.input(np.zeros((), ml_dtypes.bfloat16))
    kernel.op("reduce", [ones, zero], kernel.output((), "bf16"), function="add", axes=[0])
    assert lk.run(kernel)[0] == 512


CONTRACTIONS = {
    "matmul": ((3, 4), (4, 5), [], [], [1], [0], "ik,kj->ij"),
    "transposed": ((4, 3), (5, 4), [], [], [0], [1], "ki,jk->ij"),
    "batch": ((2, 3, 4), (2, 4, 5), [0], [0], [2], [1], "bik,bkj->bij"),
    "batch last": ((3, 4, 2), (5, 2, 4), [2], [1], [1], [2], "ikb,jbk->bij"),
    "two contracted": ((3, 4, 6), (6, 5, 4), [], [], [1, 2], [2, 0], "ikl,ljk->ij"),
    "dot": ((6,), (6,), [], [], [0], [0], "k,k->"),
    "outer": ((3,), (4,), [], [], [], [], "i,j->ij"),
    "unit": ((1, 3), (3, 1), [], [], [1], [0], "ik,kj->ij"),
    "free": ((2, 3, 4), (4, 5, 2), [], [], [2], [0], "hik,kjm->hijm"),
}


@pytest.mark.parametrize("dtype", NUMBERS, ids=ids)
def test_contract(dtype: dtypes.DType) -> None:
    rng = np.random.default_rng(3)
    kernel, expected = lk.Kernel(), []
    for ls, rs, lb, rb, lc, rc, spec in CONTRACTIONS.values():
        if dtype.is_float:
            x, y = (rng.uniform(-1, 1, s).astype(dtype.numpy) for s in (ls, rs))
            want = np.einsum(spec, x.astype(np.float64), y.astype(np.float64))
        else:
            low, high = limits(dtype)
            x, y = (rng.integers(low, high, s, np.int64).astype(dtype.numpy) for s in (ls, rs))
            want = np.einsum(spec, x.astype(object), y.astype(object))
            want = np.vectorize(lambda v: wrap(int(v), dtype))(want)
        want = np.asarray(want).astype(dtype.numpy)
        lf = [i for i in range(len(ls)) if i not in lb + lc]
        rf = [i for i in range(len(rs)) if i not in rb + rc]
        kernel.op(
            "tensor_contract",
            [kernel.input(x), kernel.input(y)],
            kernel.output(want.shape, dtype.mlir),
            lhs_batch_axes=lb,
            rhs_batch_axes=rb,
            lhs_contract_axes=lc,
            rhs_contract_axes=rc,
            lhs_free_axes=lf,
            rhs_free_axes=rf,
        )
        expected.append(want)
    for name, actual, want in zip(CONTRACTIONS, lk.run(kernel), expected, strict=True):
        if dtype.is_float:
            error = np.abs(actual.astype(np.float64) - want.astype(np.float64)).max()
            assert error <= 2 * PRECISION[dtype.mlir], name
        else:
            np.testing.assert_array_equal(actual, want, name)


def test_contract_widens_to_the_destination() -> None:
    x = np.array([[100, -128], [127, 127]], np.int8)
    y = np.array([[200, 255], [1, 255]], np.uint8)
    z = np.array([[1.5, 256], [3, 1]], ml_dtypes.bfloat16)
    kernel = lk.Kernel()
    axes = {
        "lhs_batch_axes": [],
        "rhs_batch_axes": [],
        "lhs_contract_axes": [1],
        "rhs_contract_axes": [0],
        "lhs_free_axes": [0],
        "rhs_free_axes": [1],
    }
    a, b, c = (kernel.input(v) for v in (x, y, z))
    kernel.op("tensor_contract", [a, a], kernel.output((2, 2), "i32"), **axes)
    kernel.op("tensor_contract", [b, b], kernel.output((2, 2), "ui32"), **axes)
    kernel.op("tensor_contract", [c, c], kernel.output((2, 2), "f32"), **axes)
    wide = [v.astype(t) for v, t in ((x, np.int32), (y, np.uint32), (z, np.float32))]
    for actual, v in zip(lk.run(kernel), wide, strict=True):
        np.testing.assert_array_equal(actual, v @ v)


def test_contract_over_nothing_is_zero() -> None:
    kernel = lk.Kernel()
    a, b = kernel.input(np.zeros((2, 0), np.float32)), kernel.input(np.zeros((0, 3), np.float32))
    kernel.op(
        "tensor_contract",
        [a, b],
        kernel.output((2, 3), "f32"),
        lhs_batch_axes=[],
        rhs_batch_axes=[],
        lhs_contract_axes=[1],
        rhs_contract_axes=[0],
        lhs_free_axes=[0],
        rhs_free_axes=[1],
    )
    assert "0 to 0" not in str(lk.lowered(kernel.text()))
    np.testing.assert_array_equal(lk.run(kernel)[0], np.zeros((2, 3)))
