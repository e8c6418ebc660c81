"""Scalar forms of `penguin.unary`, with StableHLO's meaning on every kind of element.

* One op of math or arith where there is one, in the element type.
* logistic is 1 / (1 + exp(-x)) in f32; instruction selection recognises these four ops.
* sign of a NaN is that NaN, sign of a zero that zero.
* abs and negate of the smallest integer are that integer: integers wrap.
"""

from penguin.dialects.penguin.attributes import Unary
from penguin.mlir import ir
from penguin.nests.rules import Rules, direct, rules, widened
from penguin.nests.scalars import Scalars


def _is_finite(s: Scalars, x: ir.Value) -> ir.Value:
    return s.on("i1").op("math.isfinite", x)


def _logistic(s: Scalars, x: ir.Value) -> ir.Value:
    one = s.constant(1.0)
    denominator = s.op("arith.addf", one, s.op("math.exp", s.op("arith.negf", x)))
    return s.op("arith.divf", one, denominator)


def _negate(s: Scalars, x: ir.Value) -> ir.Value:
    return s.op("arith.subi", s.constant(0), x)


def _not(s: Scalars, x: ir.Value) -> ir.Value:
    return s.op("arith.xori", x, s.constant(-1))


def _sign_float(s: Scalars, x: ir.Value) -> ir.Value:
    # Neither below nor above zero: a zero or a NaN, which are their own signs.
    zero = s.constant(0.0)
    negative = s.select(s.compare("lt", x, zero), s.constant(-1.0), x)
    return s.select(s.compare("gt", x, zero), s.constant(1.0), negative)


def _sign_signed(s: Scalars, x: ir.Value) -> ir.Value:
    zero = s.constant(0)
    negative = s.select(s.compare("lt", x, zero), s.constant(-1), zero)
    return s.select(s.compare("gt", x, zero), s.constant(1), negative)


UNARY: dict[str, Rules] = {
    Unary.ABS: rules(floats=direct("math.absf"), signed=direct("math.absi")),
    Unary.CBRT: rules(floats=direct("math.cbrt")),
    Unary.CEIL: rules(floats=direct("math.ceil")),
    Unary.COSINE: rules(floats=direct("math.cos")),
    Unary.COUNT_LEADING_ZEROS: rules(integers=direct("math.ctlz")),
    Unary.EXPONENTIAL: rules(floats=direct("math.exp")),
    Unary.EXPONENTIAL_MINUS_ONE: rules(floats=direct("math.expm1")),
    Unary.FLOOR: rules(floats=direct("math.floor")),
    Unary.IS_FINITE: rules(floats=_is_finite),
    Unary.LOG: rules(floats=direct("math.log")),
    Unary.LOG_PLUS_ONE: rules(floats=direct("math.log1p")),
    Unary.LOGISTIC: rules(floats=widened(_logistic)),
    Unary.NEGATE: rules(floats=direct("arith.negf"), integers=_negate),
    Unary.NOT: rules(integers=_not, booleans=_not),
    Unary.POPCNT: rules(integers=direct("math.ctpop")),
    Unary.ROUND_NEAREST_AFZ: rules(floats=direct("math.round")),
    Unary.ROUND_NEAREST_EVEN: rules(floats=direct("math.roundeven")),
    Unary.RSQRT: rules(floats=direct("math.rsqrt")),
    Unary.SIGN: rules(floats=_sign_float, signed=_sign_signed),
    Unary.SINE: rules(floats=direct("math.sin")),
    Unary.SQRT: rules(floats=direct("math.sqrt")),
    Unary.TAN: rules(floats=direct("math.tan")),
    Unary.TANH: rules(floats=direct("math.tanh")),
}
