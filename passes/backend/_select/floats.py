"""Float scalars: ALU operators, activation functions, and compositions of both.

Everything is computed in float32 and rounded once when the last instruction writes its dtype; a
scalar op of the loop level in bf16 or f16 is such an instruction, so the roundings are those of the
program. Activation functions that the hardware has are used as they are; the others are composed
with the classic exact forms named beside them.
"""

import math
from collections.abc import Callable, Sequence

from penguin.dialects.bir import ActivationFunction as Act
from penguin.dialects.bir import AluOp
from penguin.passes.backend._select.tiles import Builder, Const, Tile, Value

F32 = "float32"
_DTYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}

# From here on, every float32 is an integer.
_ALL_INTEGERS = 8388608.0
# 1.5 * 2^23: adding and subtracting it rounds to the nearest even integer, below 2^22.
_ROUNDER = 12582912.0
# 2 * pi in three parts of few bits (Cody and Waite), for arguments up to some 10^5.
_TWO_PI = (6.28125, 0.0019350051879882812, 3.0199159819567e-07)
_PI_BELOW = 3.1415925  # the largest float32 below pi: what Sin takes


def dtype_of(kind: str) -> str:
    """The BIR dtype of a float type."""
    return _DTYPES[kind]


def is_float(kind: str) -> bool:
    return kind in _DTYPES


def _alu(op: AluOp) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        return b.binary(op, args[0], args[1], _DTYPES[result])

    return select


def _act(func: Act) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        return b.activation(func, args[0], _DTYPES[result], hint=func.lower())

    return select


def _tile(b: Builder, value: Value) -> Tile:
    """The operand of a composition, in its own dtype: the ALU widens by itself."""
    return b.tile(value, F32)


def _const(value: float) -> Const:
    return Const(float(value))


def _round_away_zero_sign(b: Builder, x: Tile, magnitude: Tile, dtype: str) -> Tile:
    """The magnitude with x's sign, where |x| has a fraction to lose; x itself elsewhere."""
    signed = b.binary(AluOp.MULT, magnitude, b.activation(Act.SIGN, x, F32), F32)
    return _small_only(b, x, signed, dtype)


def _small_only(b: Builder, x: Tile, rounded: Tile, dtype: str) -> Tile:
    """`rounded` where |x| < 2^23; beyond it (and for inf and NaN) x is what it rounds to."""
    size = b.activation(Act.ABS, x, F32)
    small = b.scalar(AluOp.IS_LT, size, _ALL_INTEGERS, "uint8")
    return b.where(small, rounded, b.copy(x, dtype))


def floor_of(b: Builder, x: Tile) -> Tile:
    """x - (x mod 1): exact below 2^23."""
    fraction = b.scalar(AluOp.MOD, x, 1.0, F32)
    return b.binary(AluOp.SUBTRACT, x, fraction, F32)


def truncate(b: Builder, value: Value) -> Value:
    """Toward zero."""
    if isinstance(value, Const):
        return _const(math.trunc(value.value)) if math.isfinite(value.value) else value
    x = _tile(b, value)
    whole = floor_of(b, b.activation(Act.ABS, x, F32))
    return _round_away_zero_sign(b, x, whole, F32)


def _floor(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x = _tile(b, args[0])
    return _small_only(b, x, floor_of(b, x), _DTYPES[result])


def _ceil(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x = _tile(b, args[0])
    below = floor_of(b, b.scalar(AluOp.MULT, x, -1.0, F32))
    return _small_only(b, x, b.scalar(AluOp.MULT, below, -1.0, F32), _DTYPES[result])


def _trunc(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    whole = truncate(b, args[0])
    return whole if result == "f32" else b.copy(whole, _DTYPES[result])


def _round_even(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x = _tile(b, args[0])
    size = b.activation(Act.ABS, x, F32)
    # 2^23 and not the rounder: |x| has no sign to keep and reaches up to 2^23.
    rounded = b.scalar(AluOp.ADD, size, _ALL_INTEGERS, F32, AluOp.SUBTRACT, _ALL_INTEGERS)
    return _round_away_zero_sign(b, x, rounded, _DTYPES[result])


def _round_away(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x = _tile(b, args[0])
    size = b.activation(Act.ABS, x, F32)
    fraction = b.scalar(AluOp.MOD, size, 1.0, F32)
    whole = b.binary(AluOp.SUBTRACT, size, fraction, F32)
    up = b.scalar(AluOp.IS_GE, fraction, 0.5, F32)
    return _round_away_zero_sign(b, x, b.binary(AluOp.ADD, whole, up, F32), _DTYPES[result])


def _remainder(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """C's fmod: the sign of the dividend on the floored modulus of the magnitudes."""
    x, y = (_tile(b, v) for v in args)
    modulus = b.binary(AluOp.MOD, b.activation(Act.ABS, x, F32), b.activation(Act.ABS, y, F32), F32)
    return b.binary(AluOp.MULT, modulus, b.activation(Act.SIGN, x, F32), _DTYPES[result])


def _negate(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    if isinstance(args[0], Const):
        return _const(-args[0].value)
    return b.scalar(AluOp.MULT, _tile(b, args[0]), -1.0, _DTYPES[result])


def _phase(b: Builder, value: Value, quarter_turns: int) -> Tile:
    """value + quarter_turns * pi/2, reduced to [-pi, pi]."""
    x = _tile(b, value)
    shift = quarter_turns / 4
    turns = b.scalar(AluOp.MULT, x, 1 / (2 * math.pi), F32, AluOp.ADD, shift)
    turns = b.scalar(AluOp.ADD, turns, _ROUNDER, F32, AluOp.SUBTRACT, _ROUNDER)
    for part in _TWO_PI:
        x = b.binary(AluOp.SUBTRACT, x, b.scalar(AluOp.MULT, turns, part, F32), F32)
    if quarter_turns:
        x = b.scalar(AluOp.ADD, x, quarter_turns * math.pi / 2, F32)
    return b.scalar(AluOp.MIN, x, _PI_BELOW, F32, AluOp.MAX, -_PI_BELOW)


def _sine(quarter_turns: int) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        return b.activation(Act.SIN, _phase(b, args[0], quarter_turns), _DTYPES[result])

    return select


def _tangent(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    sine = b.activation(Act.SIN, _phase(b, args[0], 0), F32)
    cosine = b.activation(Act.SIN, _phase(b, args[0], 1), F32)
    return b.binary(AluOp.DIVIDE, sine, cosine, _DTYPES[result])


def _cube_root(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """sign(x) * exp(ln|x| / 3); zero and infinity come out by themselves."""
    x = _tile(b, args[0])
    logarithm = b.activation(Act.LN, b.activation(Act.ABS, x, F32), F32)
    root = b.activation(Act.EXP, logarithm, F32, scale=1 / 3)
    return b.binary(AluOp.MULT, root, b.activation(Act.SIGN, x, F32), _DTYPES[result])


def _log1p(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """ln(u) * x / (u - 1) with u = 1 + x: the rounding of u cancels. u = 1 gives x."""
    x = _tile(b, args[0])
    u = b.scalar(AluOp.ADD, x, 1.0, F32)
    d = b.scalar(AluOp.SUBTRACT, u, 1.0, F32)
    logarithm = b.activation(Act.LN, u, F32)
    corrected = b.binary(AluOp.DIVIDE, x, d, F32)
    corrected = b.binary(AluOp.MULT, logarithm, corrected, F32)
    out = b.copy(x, F32)
    b.where(b.scalar(AluOp.NOT_EQUAL, d, 0.0, "uint8"), corrected, out)
    # Exact sums, and the infinities.
    b.where(b.binary(AluOp.IS_EQUAL, d, x, "uint8"), logarithm, out)
    return out if result == "f32" else b.copy(out, _DTYPES[result])


def _expm1(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """(u - 1) * x / ln(u) with u = exp(x), near zero; u - 1 beyond."""
    x = _tile(b, args[0])
    u = b.activation(Act.EXP, x, F32)
    d = b.scalar(AluOp.SUBTRACT, u, 1.0, F32)
    out = b.binary(AluOp.DIVIDE, x, b.activation(Act.LN, u, F32), F32)
    out = b.binary(AluOp.MULT, d, out, F32)
    b.where(b.scalar(AluOp.IS_EQUAL, d, 0.0, "uint8"), x, out)
    far = b.scalar(AluOp.IS_GT, b.activation(Act.ABS, x, F32), 0.5, "uint8")
    b.where(far, d, out)
    return out if result == "f32" else b.copy(out, _DTYPES[result])


def _atan2(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """The arctangent of the smaller over the larger magnitude, then octant by octant."""
    y, x = (_tile(b, v) for v in args)
    ay, ax = b.activation(Act.ABS, y, F32), b.activation(Act.ABS, x, F32)
    small, large = b.binary(AluOp.MIN, ay, ax, F32), b.binary(AluOp.MAX, ay, ax, F32)
    ratio = b.binary(AluOp.DIVIDE, small, large, F32)
    # 0/0 and inf/inf: equal magnitudes, except that zeros have no angle between the axes.
    b.where(b.binary(AluOp.IS_EQUAL, small, large, "uint8"), _const(1.0), ratio)
    b.where(b.scalar(AluOp.IS_EQUAL, large, 0.0, "uint8"), _const(0.0), ratio)
    out = b.activation(Act.ARCTAN, ratio, F32)
    steep = b.binary(AluOp.IS_GT, ay, ax, "uint8")
    b.where(steep, _complement(b, out, math.pi / 2), out)
    b.where(_is_negative(b, x), _complement(b, out, math.pi), out)
    b.where(_is_negative(b, y), b.scalar(AluOp.MULT, out, -1.0, F32), out)
    return out if result == "f32" else b.copy(out, _DTYPES[result])


def _complement(b: Builder, angle: Tile, whole: float) -> Tile:
    return b.scalar(AluOp.SUBTRACT, angle, whole, F32, reverse0=True)


def _is_negative(b: Builder, x: Tile) -> Tile:
    """The sign bit, so that -0.0 counts."""
    x = b.sbuf(x) if x.dtype == F32 else b.copy(x, F32)
    bits = b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, x.view("int32"), 31, "int32")
    return b.copy(bits, "uint8")


def _power(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    return b.binary(AluOp.POW, args[0], args[1], _DTYPES[result])


def _is_finite(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    return b.activation(Act.IS_FINITE, args[0], "uint8")


def _copysign(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x, sign = (_tile(b, v) for v in args)
    out = b.activation(Act.ABS, x, _DTYPES[result])
    return b.where(_is_negative(b, sign), b.scalar(AluOp.MULT, out, -1.0, _DTYPES[result]), out)


def convert(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """extf, truncf, and integers to floats (whose tile already has the right sign)."""
    if isinstance(args[0], Const):
        return _const(args[0].value)
    return b.copy(args[0], _DTYPES[result])


def sigmoid(b: Builder, x: Value, result: str) -> Value:
    """1 / (1 + exp(-x)), which the hardware has as one function."""
    return b.activation(Act.SIGMOID, x, _DTYPES[result])


def _not(b: Builder, value: Value) -> Value:
    return b.binary(AluOp.BITWISE_XOR, value, Const(1), "uint8")


def _is_ordered(b: Builder, x: Value, y: Value) -> Value:
    tests = [b.binary(AluOp.IS_EQUAL, v, v, "uint8") for v in (x, y) if not isinstance(v, Const)]
    return b.binary(AluOp.BITWISE_AND, tests[0], tests[-1], "uint8")


def compare(b: Builder, args: Sequence[Value], kind: str, predicate: int) -> Value:
    """arith.cmpf by the number of its predicate: ordered ones are false for NaN."""
    x, y = args
    direct = {
        1: AluOp.IS_EQUAL,
        2: AluOp.IS_GT,
        3: AluOp.IS_GE,
        4: AluOp.IS_LT,
        5: AluOp.IS_LE,
        13: AluOp.NOT_EQUAL,
    }
    if predicate in direct:
        return b.binary(direct[predicate], x, y, "uint8")
    if predicate == 6:
        both = [b.binary(op, x, y, "uint8") for op in (AluOp.IS_LT, AluOp.IS_GT)]
        return b.binary(AluOp.BITWISE_OR, *both, "uint8")
    if predicate == 7:
        return _is_ordered(b, x, y)
    if predicate in (0, 15):
        return Const(int(predicate == 15))
    # Unordered predicates are the negation of the opposite ordered one.
    opposite = {8: 6, 9: 5, 10: 4, 11: 3, 12: 2, 14: 7}
    return _not(b, compare(b, args, kind, opposite[predicate]))


TABLE: dict[str, Callable[..., Value]] = {
    "arith.addf": _alu(AluOp.ADD),
    "arith.subf": _alu(AluOp.SUBTRACT),
    "arith.mulf": _alu(AluOp.MULT),
    "arith.divf": _alu(AluOp.DIVIDE),
    "arith.maximumf": _alu(AluOp.MAX),
    "arith.minimumf": _alu(AluOp.MIN),
    "arith.remf": _remainder,
    "arith.negf": _negate,
    "arith.extf": convert,
    "arith.truncf": convert,
    "math.exp": _act(Act.EXP),
    "math.expm1": _expm1,
    "math.log": _act(Act.LN),
    "math.log1p": _log1p,
    "math.sqrt": _act(Act.SQRT),
    "math.rsqrt": _act(Act.RSQRT),
    "math.cbrt": _cube_root,
    "math.sin": _sine(0),
    "math.cos": _sine(1),
    "math.tan": _tangent,
    "math.tanh": _act(Act.TANH),
    "math.erf": _act(Act.ERF),
    "math.absf": _act(Act.ABS),
    "math.floor": _floor,
    "math.ceil": _ceil,
    "math.trunc": _trunc,
    "math.round": _round_away,
    "math.roundeven": _round_even,
    "math.powf": _power,
    "math.atan2": _atan2,
    "math.copysign": _copysign,
    "math.isfinite": _is_finite,
}
