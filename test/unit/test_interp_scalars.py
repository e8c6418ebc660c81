"""Scalar ops of the loop level: arith and math against numpy and Python integers."""

import math

import numpy as np
import pytest

from penguin import dtypes, interp
from penguin.mlir import parse


def run(lines, dtype_in, dtype_out, *inputs):
    """`lines` computes %r from the inputs' elements %x0, %x1, ...; one parallel loop."""
    count = len(inputs[0])
    arguments = [
        f'%a{i}: memref<{count}x{dtype_in}, "dram"> {{penguin.io = "input"}}'
        for i in range(len(inputs))
    ]
    arguments.append(f'%o: memref<{count}x{dtype_out}, "dram"> {{penguin.io = "output"}}')
    loads = "\n".join(
        f'%x{i} = affine.load %a{i}[%i] : memref<{count}x{dtype_in}, "dram">'
        for i in range(len(inputs))
    )
    text = f"""
func.func @main({", ".join(arguments)}) attributes {{penguin.kernel}} {{
  affine.for %i = 0 to {count} {{
    {loads}
    {lines}
    affine.store %r, %o[%i] : memref<{count}x{dtype_out}, "dram">
  }}
  return
}}
"""
    (result,) = interp.run(parse(text), inputs)
    assert result.dtype == dtypes.BY_MLIR[dtype_out].numpy
    return result


EDGES = np.array([0, 1, 2, 3, 7, 100, 127, -1, -2, -7, -100, -128], np.int8)
PAIRS = np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))


def wrap(value):
    return (value + 128) % 256 - 128


def unsigned(value):
    return value % 256


def truncated(a, b):
    return math.trunc(a / b) if b else -1


_INTEGER_OPS = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": truncated,
    "arith.remsi": lambda a, b: a - b * truncated(a, b) if b else a,
    "arith.divui": lambda a, b: unsigned(a) // unsigned(b) if b else -1,
    "arith.remui": lambda a, b: unsigned(a) % unsigned(b) if b else a,
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.maxui": lambda a, b: max(unsigned(a), unsigned(b)),
    "arith.minui": lambda a, b: min(unsigned(a), unsigned(b)),
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: a << b if 0 <= b < 8 else 0,
    "arith.shrui": lambda a, b: unsigned(a) >> b if 0 <= b < 8 else 0,
    "arith.shrsi": lambda a, b: a >> b if 0 <= b < 8 else (-1 if a < 0 else 0),
}


@pytest.mark.parametrize("name", _INTEGER_OPS)
def test_integer_ops(context, name):
    actual = run(f"%r = {name} %x0, %x1 : i8", "i8", "i8", *PAIRS)
    expected = [wrap(_INTEGER_OPS[name](int(a), int(b))) for a, b in zip(*PAIRS, strict=True)]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # i1 is one-bit arithmetic; true is -1 for signed ops.
        ("addi", [0, 1, 1, 0]),
        ("subi", [0, 1, 1, 0]),
        ("muli", [0, 0, 0, 1]),
        ("maxsi", [0, 0, 0, 1]),
        ("minsi", [0, 1, 1, 1]),
        ("maxui", [0, 1, 1, 1]),
        ("minui", [0, 0, 0, 1]),
        ("andi", [0, 0, 0, 1]),
        ("ori", [0, 1, 1, 1]),
        ("xori", [0, 1, 1, 0]),
    ],
)
def test_boolean_ops(context, name, expected):
    a, b = np.array([0, 0, 1, 1], np.bool_), np.array([0, 1, 0, 1], np.bool_)
    actual = run(f"%r = arith.{name} %x0, %x1 : i1", "i1", "i1", a, b)
    np.testing.assert_array_equal(actual, np.array(expected, np.bool_))


_COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: unsigned(a) < unsigned(b),
    "ule": lambda a, b: unsigned(a) <= unsigned(b),
    "ugt": lambda a, b: unsigned(a) > unsigned(b),
    "uge": lambda a, b: unsigned(a) >= unsigned(b),
}


@pytest.mark.parametrize("predicate", _COMPARISONS)
def test_cmpi(context, predicate):
    actual = run(f"%r = arith.cmpi {predicate}, %x0, %x1 : i8", "i8", "i1", *PAIRS)
    function = _COMPARISONS[predicate]
    expected = [function(int(a), int(b)) for a, b in zip(*PAIRS, strict=True)]
    np.testing.assert_array_equal(actual, expected)


def test_cmpi_of_booleans_is_signed(context):
    a, b = np.array([0, 0, 1, 1], np.bool_), np.array([0, 1, 0, 1], np.bool_)
    actual = run("%r = arith.cmpi slt, %x0, %x1 : i1", "i1", "i1", a, b)
    np.testing.assert_array_equal(actual, [False, False, True, False])


_FLOATS = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], np.float32)
_RELATIONS = {"eq": np.equal, "gt": np.greater, "ge": np.greater_equal, "lt": np.less}
_RELATIONS |= {"le": np.less_equal, "ne": np.not_equal}


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("relation", _RELATIONS)
@pytest.mark.parametrize("order", "ou")
def test_cmpf(context, dtype, relation, order):
    a, b = np.repeat(_FLOATS, 7), np.tile(_FLOATS, 7)
    unordered = np.isnan(a) | np.isnan(b)
    holds = _RELATIONS[relation](a, b)
    expected = holds & ~unordered if order == "o" else holds | unordered
    given = [x.astype(dtypes.BY_MLIR[dtype].numpy) for x in (a, b)]
    line = f"%r = arith.cmpf {order}{relation}, %x0, %x1 : {dtype}"
    np.testing.assert_array_equal(run(line, dtype, "i1", *given), expected)


@pytest.mark.parametrize(
    ("predicate", "expected"), [("ord", 0), ("uno", 1), ("false", 0), ("true", 1)]
)
def test_cmpf_on_nan_alone(context, predicate, expected):
    nan = np.array([np.nan], np.float32)
    actual = run(f"%r = arith.cmpf {predicate}, %x0, %x0 : f32", "f32", "i1", nan)
    assert bool(actual[0]) == bool(expected)


@pytest.mark.parametrize(
    ("op", "source", "target", "given", "expected"),
    [
        ("extf", "bf16", "f32", [1.5, -3.0], [1.5, -3.0]),
        # 1 + 2^-8 is a tie: to even.
        ("truncf", "f32", "bf16", [1.00390625, 1.01171875], [1.0, 1.015625]),
        ("extsi", "i8", "i32", [-1, 127], [-1, 127]),
        ("extui", "i8", "i32", [-1, 127], [255, 127]),
        ("extui", "i1", "i8", [True, False], [1, 0]),
        ("extsi", "i1", "i8", [True, False], [-1, 0]),
        ("trunci", "i32", "i8", [300, -129], [44, 127]),
        ("trunci", "i32", "i1", [3, 2], [True, False]),
        ("sitofp", "i8", "f32", [-1, 5], [-1.0, 5.0]),
        ("uitofp", "i8", "f32", [-1, 5], [255.0, 5.0]),
        ("uitofp", "i1", "f32", [True, False], [1.0, 0.0]),
        ("sitofp", "i1", "f32", [True, False], [-1.0, 0.0]),
        ("fptosi", "f32", "i8", [-1.9, 300.0], [-1, 127]),
        ("fptosi", "bf16", "i32", [-1.5, np.nan], [-1, 0]),
        ("fptoui", "f32", "i8", [200.7, -5.0], [-56, 0]),
        ("bitcast", "f32", "i32", [1.0, -0.0], [0x3F800000, -(2**31)]),
        ("bitcast", "i16", "bf16", [0x3F80, -0x4080], [1.0, -1.0]),
    ],
)
def test_casts(context, op, source, target, given, expected):
    array = np.array(given).astype(dtypes.BY_MLIR[source].numpy)
    actual = run(f"%r = arith.{op} %x0 : {source} to {target}", source, target, array)
    np.testing.assert_array_equal(actual, np.array(expected).astype(actual.dtype))


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_halves_round_once(context, dtype):
    """x * y in f32, then to nearest even: what double rounding or truncation would get wrong."""
    numpy = dtypes.BY_MLIR[dtype].numpy
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(500).astype(numpy) for _ in range(2))
    actual = run(f"%r = arith.mulf %x0, %x1 : {dtype}", dtype, dtype, x, y)
    exact = x.astype(np.float64) * y.astype(np.float64)
    np.testing.assert_array_equal(actual, exact.astype(numpy))


def test_nan_propagates_through_extremes(context):
    x, y = np.array([np.nan, 1, 2], np.float32), np.array([0, np.nan, 3], np.float32)
    for name in ("maximumf", "minimumf"):
        actual = run(f"%r = arith.{name} %x0, %x1 : f32", "f32", "f32", x, y)
        assert np.isnan(actual).tolist() == [True, True, False]


def test_select_and_constants(context):
    x = np.array([-2.0, 3.0], np.float32)
    lines = """
    %zero = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %x0, %zero : f32
    %r = arith.select %p, %x0, %zero : f32
    """
    np.testing.assert_array_equal(run(lines, "f32", "f32", x), [0, 3])


_MATH = {
    "absf": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "erf": math.erf,
    "exp": math.exp,
    "expm1": math.expm1,
    "floor": math.floor,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "roundeven": round,
    "sin": math.sin,
    "tan": math.tan,
    "tanh": math.tanh,
}
_POSITIVE = {
    "log": math.log,
    "log1p": math.log1p,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "sqrt": math.sqrt,
}


@pytest.mark.parametrize("name", [*_MATH, *_POSITIVE])
def test_math(context, name):
    function = _MATH.get(name) or _POSITIVE[name]
    x = np.linspace(-6, 6, 97, dtype=np.float32)
    x = np.abs(x) + np.float32(0.25) if name in _POSITIVE else x
    actual = run(f"%r = math.{name} %x0 : f32", "f32", "f32", x)
    expected = np.array([function(float(v)) for v in x])
    np.testing.assert_allclose(actual, expected, rtol=4e-6, atol=2e-7)


def test_erf_at_the_ends(context):
    x = np.array([np.inf, -np.inf, np.nan, 5, -5, 0.0, -0.0], np.float32)
    actual = run("%r = math.erf %x0 : f32", "f32", "f32", x)
    np.testing.assert_array_equal(actual, np.array([1, -1, np.nan, 1, -1, 0, -0.0], np.float32))
    assert np.signbit(actual[-1])


def test_math_of_two(context):
    x, y = np.array([2.0, -1.0], np.float32), np.array([0.5, 3.0], np.float32)
    actual = run("%r = math.powf %x0, %x1 : f32", "f32", "f32", x, y)
    np.testing.assert_allclose(actual, [math.sqrt(2), -1])
    actual = run("%r = math.atan2 %x0, %x1 : f32", "f32", "f32", x, y)
    np.testing.assert_allclose(actual, [math.atan2(2, 0.5), math.atan2(-1, 3)], rtol=1e-6)


def test_bit_counts(context):
    x = np.array([0, 1, -1, 64, -128], np.int8)
    np.testing.assert_array_equal(run("%r = math.ctlz %x0 : i8", "i8", "i8", x), [8, 7, 0, 1, 0])
    np.testing.assert_array_equal(run("%r = math.ctpop %x0 : i8", "i8", "i8", x), [0, 1, 8, 1, 1])
    np.testing.assert_array_equal(
        run("%r = math.absi %x0 : i8", "i8", "i8", x), [0, 1, 1, 64, -128]
    )


def test_isfinite(context):
    actual = run("%r = math.isfinite %x0 : f32", "f32", "i1", _FLOATS)
    np.testing.assert_array_equal(actual, np.isfinite(_FLOATS))


def test_integer_power_wraps(context):
    x, y = np.array([3, -2, 2, -1], np.int8), np.array([5, 7, 9, -3], np.int8)
    actual = run("%r = math.ipowi %x0, %x1 : i8", "i8", "i8", x, y)
    np.testing.assert_array_equal(actual, [wrap(243), -128, 0, -1])


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
def test_minus_zero_is_below_zero(context: object, dtype: str) -> None:
    """As XLA on the CPU; numpy gives either, by dtype."""
    numpy = dtypes.BY_MLIR[dtype].numpy
    a, b = np.array([0, -0.0, -0.0, 0], numpy), np.array([-0.0, 0, -0.0, 0], numpy)
    for op, signs in (
        ("maximumf", [False, False, True, False]),
        ("minimumf", [True, True, True, False]),
    ):
        found = run(f"%r = arith.{op} %x0, %x1 : {dtype}", dtype, dtype, a, b)
        assert np.signbit(found.astype(np.float32)).tolist() == signs
