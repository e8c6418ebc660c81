"""The tensor level of the interpreter against JAX on the CPU and against numpy."""

import functools

import jax
import ml_dtypes
import numpy as np
import pytest
from jax import lax

from penguin import dtypes, interp
from penguin.dialects.penguin.attributes import (
    BINARY_KINDS,
    REDUCTION_KINDS,
    UNARY_KINDS,
    Binary,
    Reduction,
    Unary,
    kind_of,
)
from penguin.mlir import parse

BF16 = np.dtype(ml_dtypes.bfloat16)


def memref(array_or_type, shape=None):
    if shape is None:
        array_or_type, shape = (
            dtypes.BY_NUMPY[array_or_type.dtype].mlir,
            array_or_type.shape,
        )
    return f'memref<{"x".join([*map(str, shape), array_or_type])}, "dram">'


def kernel(op, inputs, out, attributes="", operands=None):
    """A kernel of one op: `out` is (dtype, shape); operands default to the inputs, then out."""
    types = [memref(x) for x in inputs] + [memref(*out)]
    names = [f"%a{i}" for i in range(len(inputs))] + ["%o"]
    kinds = ["input"] * len(inputs) + ["output"]
    arguments = ", ".join(
        f'{n}: {t} {{penguin.io = "{k}"}}' for n, t, k in zip(names, types, kinds, strict=True)
    )
    return (
        f"func.func @main({arguments}) attributes {{penguin.kernel}} {{\n"
        f'  "penguin.{op}"({", ".join(names)}) {{{attributes}}} : ({", ".join(types)}) -> ()\n'
        "  return\n}\n"
    )


def run(op, inputs, out, attributes=""):
    (result,) = interp.run(parse(kernel(op, inputs, out, attributes)), inputs)
    return result


def values(dtype, count=64):
    """Edge cases first, then random numbers."""
    rng = np.random.default_rng(7)
    entry = dtypes.BY_MLIR[dtype]
    if dtype == "i1":
        return rng.integers(0, 2, count).astype(np.bool_)
    if entry.is_float:
        edges = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            np.inf,
            -np.inf,
            np.nan,
            0.49999997,
        ]
        rest = rng.standard_normal(count - len(edges)) * 3
        return np.array([*edges, *rest], np.float32).astype(entry.numpy)
    info = np.iinfo(entry.numpy)
    edges = [0, 1, 2, 3, info.max, info.min, info.max - 1, 7, 31, 8]
    rest = rng.integers(info.min, info.max, count - len(edges), endpoint=True)
    return np.array([*edges, *rest]).astype(entry.numpy)


def assert_close(actual, expected):
    expected = np.asarray(expected)
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    if actual.dtype.kind in "iub":
        np.testing.assert_array_equal(actual, expected)
        return
    rounding = {np.dtype(np.float32): 4e-6, BF16: 8e-3, np.dtype(np.float16): 1e-3}[actual.dtype]
    np.testing.assert_allclose(
        actual.astype(np.float32), expected.astype(np.float32), rtol=rounding, atol=1e-6
    )


_LAX_UNARY = {
    Unary.ABS: lax.abs,
    Unary.CBRT: lax.cbrt,
    Unary.CEIL: lax.ceil,
    Unary.COSINE: lax.cos,
    Unary.COUNT_LEADING_ZEROS: lax.clz,
    Unary.EXPONENTIAL: lax.exp,
    Unary.EXPONENTIAL_MINUS_ONE: lax.expm1,
    Unary.FLOOR: lax.floor,
    Unary.IS_FINITE: lax.is_finite,
    Unary.LOG: lax.log,
    Unary.LOG_PLUS_ONE: lax.log1p,
    Unary.LOGISTIC: lax.logistic,
    Unary.NEGATE: lax.neg,
    Unary.NOT: lax.bitwise_not,
    Unary.POPCNT: lax.population_count,
    Unary.ROUND_NEAREST_AFZ: lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    Unary.ROUND_NEAREST_EVEN: lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
    Unary.RSQRT: lax.rsqrt,
    Unary.SIGN: lax.sign,
    Unary.SINE: lax.sin,
    Unary.SQRT: lax.sqrt,
    Unary.TAN: lax.tan,
    Unary.TANH: lax.tanh,
}
_LAX_BINARY = {
    Binary.ADD: lax.add,
    Binary.SUBTRACT: lax.sub,
    Binary.MULTIPLY: lax.mul,
    Binary.DIVIDE: lax.div,
    Binary.MAXIMUM: lax.max,
    Binary.MINIMUM: lax.min,
    Binary.POWER: lax.pow,
    Binary.REMAINDER: lax.rem,
    Binary.ATAN2: lax.atan2,
    Binary.AND: lax.bitwise_and,
    Binary.OR: lax.bitwise_or,
    Binary.XOR: lax.bitwise_xor,
    Binary.SHIFT_LEFT: lax.shift_left,
    Binary.SHIFT_RIGHT_ARITHMETIC: lax.shift_right_arithmetic,
    Binary.SHIFT_RIGHT_LOGICAL: lax.shift_right_logical,
    Binary.COMPARE_EQ: lax.eq,
    Binary.COMPARE_NE: lax.ne,
    Binary.COMPARE_LT: lax.lt,
    Binary.COMPARE_LE: lax.le,
    Binary.COMPARE_GT: lax.gt,
    Binary.COMPARE_GE: lax.ge,
}
# StableHLO defines them, JAX does not accept them.
_ON_BOOLEANS = {Binary.ADD: np.logical_or, Binary.MULTIPLY: np.logical_and}


def cases(table):
    return [
        (function, dtype.mlir)
        for function, kinds in table.items()
        for dtype in dtypes.TABLE
        if kind_of(dtype) in kinds
    ]


@functools.cache
def unary_by_jax(dtype):
    """All functions in one program: compiling is what takes the time."""
    functions = [f for f, d in cases(UNARY_KINDS) if d == dtype]
    every = jax.jit(lambda x: [_LAX_UNARY[f](x) for f in functions])
    return dict(zip(functions, every(values(dtype)), strict=True))


def pairs(dtype):
    return np.repeat(values(dtype, 24), 24), np.tile(values(dtype, 24), 24)


@functools.cache
def binary_by_jax(dtype):
    functions = [f for f, d in cases(BINARY_KINDS) if d == dtype]
    if dtype == "i1":
        functions = [f for f in functions if f not in _ON_BOOLEANS]
    elif not dtypes.BY_MLIR[dtype].is_float:
        functions.remove(Binary.POWER)
    every = jax.jit(lambda x, y: [_LAX_BINARY[f](x, y) for f in functions])
    return dict(zip(functions, every(*pairs(dtype)), strict=True))


@pytest.mark.parametrize(("function", "dtype"), cases(UNARY_KINDS))
def test_unary_like_jax(context, function, dtype):
    x = values(dtype)
    out = "i1" if function is Unary.IS_FINITE else dtype
    actual = run("unary", [x], (out, x.shape), f'function = "{function}"')
    assert_close(actual, unary_by_jax(dtype)[function])


@pytest.mark.parametrize(("function", "dtype"), cases(BINARY_KINDS))
def test_binary_like_jax(context, function, dtype):
    x, y = pairs(dtype)
    if function is Binary.POWER and not dtypes.BY_MLIR[dtype].is_float:
        x, y = x[y >= 0], y[y >= 0]
        modulus = 256**x.itemsize
        powers = [pow(int(a), int(b), modulus) for a, b in zip(x, y, strict=True)]
        expected = np.array(powers, np.int64).astype(x.dtype)
    elif dtype == "i1" and function in _ON_BOOLEANS:
        expected = _ON_BOOLEANS[function](x, y)
    else:
        expected = binary_by_jax(dtype)[function]
    out = "i1" if function.is_comparison else dtype
    actual = run("binary", [x, y], (out, x.shape), f'function = "{function}"')
    assert_close(actual, expected)


def test_integer_power_of_a_negative_exponent(context):
    x = np.array([1, -1, -1, 2, 0, -3], np.int32)
    y = np.array([-2, -2, -3, -1, -1, -1], np.int32)
    actual = run("binary", [x, y], ("i32", x.shape), 'function = "power"')
    np.testing.assert_array_equal(actual, [1, 1, -1, 0, 0, 0])


@pytest.mark.parametrize("source", [t.mlir for t in dtypes.TABLE])
def test_memcast_like_jax(context, source):
    x = values(source)
    targets = [t for t in dtypes.TABLE if t.mlir != source]
    every = jax.jit(lambda x: [lax.convert_element_type(x, t.numpy) for t in targets])
    for target, expected in zip(targets, every(x), strict=True):
        assert_close(run("memcast", [x], (target.mlir, x.shape)), expected)


@pytest.mark.parametrize(("function", "dtype"), cases(REDUCTION_KINDS))
def test_reduce_like_jax(context, function, dtype):
    rng = np.random.default_rng(3)
    entry = dtypes.BY_MLIR[dtype]
    x = rng.standard_normal((3, 4, 5)) if entry.is_float else rng.integers(0, 100, (3, 4, 5)) & 1
    x = x.astype(entry.numpy)
    init = np.array(1).astype(entry.numpy)
    actual = run(
        "reduce", [x, init], (dtype, (4,)), f'function = "{function}", axes = array<i64: 0, 2>'
    )
    start, wide = (np.float32(1), x.astype(np.float32)) if entry.is_float else (init, x)
    if dtype == "i1" and function in (Reduction.ADD, Reduction.MULTIPLY):
        expected = np.ones(4, np.bool_) if function is Reduction.ADD else x.all((0, 2))
    else:
        expected = lax.reduce(wide, start, _LAX_BINARY[Binary(function)], (0, 2))
    assert_close(actual, np.asarray(expected).astype(entry.numpy))


def test_reduce_over_nothing_gives_init(context):
    x, init = np.zeros((3, 0), np.float32), np.array(5, np.float32)
    actual = run("reduce", [x, init], ("f32", (3,)), 'function = "maximum", axes = array<i64: 1>')
    np.testing.assert_array_equal(actual, [5, 5, 5])


def test_small_integers_wrap_in_sums(context):
    x, init = np.full((4,), 100, np.int8), np.array(0, np.int8)
    actual = run("reduce", [x, init], ("i8", ()), 'function = "add", axes = array<i64: 0>')
    assert actual == np.int8(400 - 512)


@pytest.mark.parametrize(
    ("lhs", "rhs", "out"), [("f32", "f32", "f32"), ("bf16", "bf16", "f32"), ("bf16", "f32", "bf16")]
)
def test_tensor_contract_of_floats(context, lhs, rhs, out):
    """Batch axes in different places, two contract axes in different order, mixed dtypes."""
    rng = np.random.default_rng(1)
    a = rng.standard_normal((4, 2, 5, 3)).astype(dtypes.BY_MLIR[lhs].numpy)
    b = rng.standard_normal((2, 6, 3, 4)).astype(dtypes.BY_MLIR[rhs].numpy)
    attributes = (
        "lhs_batch_axes = array<i64: 1>, rhs_batch_axes = array<i64: 0>,"
        "lhs_contract_axes = array<i64: 0, 3>, rhs_contract_axes = array<i64: 3, 2>,"
        "lhs_free_axes = array<i64: 2>, rhs_free_axes = array<i64: 1>"
    )
    actual = run("tensor_contract", [a, b], (out, (2, 5, 6)), attributes)
    exact = np.einsum("kbml,bnlk->bmn", a.astype(np.float64), b.astype(np.float64))
    assert_close(actual, exact.astype(np.float32).astype(dtypes.BY_MLIR[out].numpy))


@pytest.mark.parametrize("dtype", ["i8", "ui8", "i32"])
def test_tensor_contract_of_integers_wraps(context, dtype):
    info = np.iinfo(dtypes.BY_MLIR[dtype].numpy)
    rng = np.random.default_rng(1)
    a = rng.integers(info.min, info.max, (3, 4), endpoint=True).astype(info.dtype)
    b = rng.integers(info.min, info.max, (4, 2), endpoint=True).astype(info.dtype)
    attributes = (
        "lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>,"
        "lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>,"
        "lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>"
    )
    actual = run("tensor_contract", [a, b], (dtype, (3, 2)), attributes)
    exact = a.astype(object) @ b.astype(object)
    np.testing.assert_array_equal(
        actual, np.vectorize(lambda v: v % 2**32)(exact).astype(np.int64).astype(info.dtype)
    )


@pytest.mark.parametrize("bounds", [(), (8,)])
def test_clamp(context, bounds):
    x = np.arange(-4, 4, dtype=np.int32)
    low, high = np.full(bounds, -1, np.int32), np.full(bounds, 2, np.int32)
    actual = run("ternary", [low, x, high], ("i32", (8,)), 'function = "clamp"')
    np.testing.assert_array_equal(actual, [-1, -1, -1, -1, 0, 1, 2, 2])


@pytest.mark.parametrize("pred", [np.array(True), np.array([True, False, True])])
def test_select(context, pred):
    x, y = np.arange(3, dtype=np.uint8), np.arange(3, 6, dtype=np.uint8)
    actual = run("select", [pred, x, y], ("ui8", (3,)))
    np.testing.assert_array_equal(actual, np.where(pred, x, y))


@pytest.mark.parametrize(
    ("low", "high", "interior"),
    [
        ((0, 0), (0, 0), (0, 0)),
        ((1, 2), (3, 0), (0, 1)),
        ((-1, 0), (-2, 5), (2, 0)),
        ((-3, 1), (0, -1), (1, 2)),
    ],
)
def test_pad_like_jax(context, low, high, interior):
    x, value = np.arange(12, dtype=np.float32).reshape(4, 3), np.array(-1, np.float32)
    expected = lax.pad(x, np.float32(-1), list(zip(low, high, interior, strict=True)))
    lists = {"low": low, "high": high, "interior": interior}
    attributes = ", ".join(f"{k} = array<i64: {v[0]}, {v[1]}>" for k, v in lists.items())
    actual = run("pad", [x, value], ("f32", expected.shape), attributes)
    assert_close(actual, expected)


def test_pad_of_nothing(context):
    x, value = np.zeros((0,), np.float32), np.array(7, np.float32)
    attributes = "low = array<i64: 1>, high = array<i64: 2>, interior = array<i64: 3>"
    np.testing.assert_array_equal(run("pad", [x, value], ("f32", (3,)), attributes), [7, 7, 7])


@pytest.mark.parametrize("dtype", ["f32", "bf16", "i8", "ui8", "i32"])
def test_iota_like_jax(context, dtype):
    actual = run("iota", [], (dtype, (2, 300)), "axis = 1 : i64")
    assert_close(
        actual, jax.jit(lambda: lax.broadcasted_iota(dtypes.BY_MLIR[dtype].numpy, (2, 300), 1))()
    )


def test_reverse(context):
    x = np.arange(12, dtype=np.int16).reshape(3, 4)
    actual = run("reverse", [x], ("i16", (3, 4)), "axes = array<i64: 1>")
    np.testing.assert_array_equal(actual, x[:, ::-1])


def test_movement(context):
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.testing.assert_array_equal(run("memcpy", [x], ("f32", (6, 4))), x.reshape(6, 4))
    transposed = run("transpose", [x], ("f32", (4, 2, 3)), "permutation = array<i64: 2, 0, 1>")
    np.testing.assert_array_equal(transposed, x.transpose(2, 0, 1))
    box = (
        "starts = array<i64: 0, 1, 0>, limits = array<i64: 2, 3, 4>, strides = array<i64: 1, 1, 3>"
    )
    sliced = run("slice", [x], ("f32", (2, 2, 2)), box + ', access = "ndim"')
    np.testing.assert_array_equal(sliced, x[:, 1:3, ::3])
    flat = "starts = array<i64: 2>, limits = array<i64: 22>, strides = array<i64: 5>"
    np.testing.assert_array_equal(
        run("slice", [x], ("f32", (2, 2)), flat + ', access = "flattened"'), [[2, 7], [12, 17]]
    )


def test_broadcast_permutes_and_repeats(context):
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    actual = run("broadcast", [x], ("f32", (2, 4, 3)), "dims = array<i64: 2, 0>")
    np.testing.assert_array_equal(actual, np.repeat(x.T[:, None, :], 4, 1))
    one = np.array([[5.0]], np.float32)
    actual = run("broadcast", [one], ("f32", (2, 3)), "dims = array<i64: 0, 1>")
    np.testing.assert_array_equal(actual, np.full((2, 3), 5.0))


def test_concat(context):
    x, y = np.arange(6, dtype=np.int8).reshape(2, 3), np.arange(4, dtype=np.int8).reshape(2, 2)
    sizes = "operandSegmentSizes = array<i32: 1, 1, " + "0, " * 14 + "1>"
    actual = run("concat", [x, y], ("i8", (2, 5)), "axis = 1 : i64, " + sizes)
    np.testing.assert_array_equal(actual, [[0, 1, 2, 0, 1], [3, 4, 5, 2, 3]])


def test_bitcast_like_jax(context):
    x = np.array([1.5, -2.25, 0.0], np.float32)
    for target, shape in (("i32", (3,)), ("bf16", (3, 2)), ("ui8", (3, 4))):
        expected = lax.bitcast_convert_type(x, dtypes.BY_MLIR[target].numpy)
        assert expected.shape == shape
        actual = run("bitcast", [x], (target, shape))
        np.testing.assert_array_equal(actual.view(np.uint8), np.asarray(expected).view(np.uint8))
        back = run("bitcast", [actual], ("f32", (3,)))
        np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize(
    ("literal", "dtype", "expected"),
    [
        ("0xFF80 : bf16", "bf16", -np.inf),
        ("0x7FC00000 : f32", "f32", np.nan),
        ("true", "i1", True),
        ("-3 : i8", "i8", -3),
        ("255 : ui8", "ui8", 255),
    ],
)
def test_memset(context, literal, dtype, expected):
    actual = run("memset", [], (dtype, (2,)), f"value = {literal}")
    np.testing.assert_array_equal(actual.astype(np.float64), np.full(2, float(expected)))
