"""Scalar forms of `penguin.binary` (and of reductions, which share names) and `penguin.ternary`.

Where arith leaves a case open, StableHLO's answer is spelt out:

* x / 0 is -1 (all bits set), the remainder x; smallest / -1 is smallest, the remainder 0;
* a shift by the width or more gives 0, or the sign for the arithmetic one; amounts are unsigned;
* integer powers are products modulo 2^width; a negative exponent gives 0, except that 1 and -1
  have themselves as inverses;
* i1: the sum is `or`, the product `and`; false < true;
* maximum and minimum of floats propagate NaN; comparisons with a NaN are false, but "ne" is true.
"""

from penguin.dialects.penguin.attributes import Binary, Kind, Ternary
from penguin.mlir import ir
from penguin.nests.rules import Rule, Rules, direct, rules
from penguin.nests.scalars import Scalars


def _guarded(s: Scalars, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Whether y is zero, and y with 1 in place of every divisor that arith leaves undefined."""
    is_zero = s.compare("eq", y, s.constant(0))
    undefined = is_zero
    if s.element.kind is Kind.SIGNED:
        smallest = s.compare("eq", x, s.constant(s.element.low))
        overflow = s.both(smallest, s.compare("eq", y, s.constant(-1)))
        undefined = s.either(is_zero, overflow)
    return is_zero, s.select(undefined, s.constant(1), y)


def _divide(name: str) -> Rule:
    def rule(s: Scalars, x: ir.Value, y: ir.Value) -> ir.Value:
        is_zero, divisor = _guarded(s, x, y)
        return s.select(is_zero, s.constant(-1), s.op(name, x, divisor))

    return rule


def _remainder(name: str) -> Rule:
    def rule(s: Scalars, x: ir.Value, y: ir.Value) -> ir.Value:
        is_zero, divisor = _guarded(s, x, y)
        return s.select(is_zero, x, s.op(name, x, divisor))

    return rule


def _power(s: Scalars, base: ir.Value, exponent: ir.Value) -> ir.Value:
    """Square and multiply over all exponent bits: right for any exponent, as products wrap."""
    zero = s.constant(0)
    result = s.constant(1)
    factor = base
    for bit in range(s.element.width):
        if bit:
            factor = s.op("arith.muli", factor, factor)
        unset = s.compare("eq", s.op("arith.andi", exponent, s.constant(1 << bit)), zero)
        result = s.select(unset, result, s.op("arith.muli", result, factor))
    if s.element.kind is Kind.UNSIGNED:
        return result
    # The lowest bit alone decides for 1 and -1, so the product is right for them as it stands.
    unit = s.either(s.compare("eq", base, s.constant(1)), s.compare("eq", base, s.constant(-1)))
    defined = s.either(s.compare("ge", exponent, zero), unit)
    return s.select(defined, result, zero)


def _shift(name: str) -> Rule:
    def rule(s: Scalars, x: ir.Value, amount: ir.Value) -> ir.Value:
        width = s.constant(s.element.width)
        inside = _unsigned(s).compare("lt", amount, width)
        zero = s.constant(0)
        return s.select(inside, s.op(name, x, s.select(inside, amount, zero)), zero)

    return rule


def _shift_right_arithmetic(s: Scalars, x: ir.Value, amount: ir.Value) -> ir.Value:
    return s.op("arith.shrsi", x, s.op("arith.minui", amount, s.constant(s.element.width - 1)))


def _unsigned(s: Scalars) -> Scalars:
    """The same bits, compared as unsigned."""
    return s.on(f"u{s.element.name}") if s.element.kind is Kind.SIGNED else s


def _compare(predicate: str) -> Rules:
    def rule(s: Scalars, x: ir.Value, y: ir.Value) -> ir.Value:
        return s.compare(predicate, x, y)

    return rules(floats=rule, integers=rule, booleans=rule)


def _bitwise(name: str) -> Rules:
    return rules(integers=direct(name), booleans=direct(name))


_MAXIMUM = rules(
    floats=direct("arith.maximumf"),
    signed=direct("arith.maxsi"),
    unsigned=direct("arith.maxui"),
    booleans=direct("arith.ori"),
)
_MINIMUM = rules(
    floats=direct("arith.minimumf"),
    signed=direct("arith.minsi"),
    unsigned=direct("arith.minui"),
    booleans=direct("arith.andi"),
)

BINARY: dict[str, Rules] = {
    Binary.ADD: rules(
        floats=direct("arith.addf"), integers=direct("arith.addi"), booleans=direct("arith.ori")
    ),
    Binary.SUBTRACT: rules(floats=direct("arith.subf"), integers=direct("arith.subi")),
    Binary.MULTIPLY: rules(
        floats=direct("arith.mulf"), integers=direct("arith.muli"), booleans=direct("arith.andi")
    ),
    Binary.DIVIDE: rules(
        floats=direct("arith.divf"),
        signed=_divide("arith.divsi"),
        unsigned=_divide("arith.divui"),
    ),
    Binary.MAXIMUM: _MAXIMUM,
    Binary.MINIMUM: _MINIMUM,
    Binary.POWER: rules(floats=direct("math.powf"), integers=_power),
    Binary.REMAINDER: rules(
        floats=direct("arith.remf"),
        signed=_remainder("arith.remsi"),
        unsigned=_remainder("arith.remui"),
    ),
    Binary.ATAN2: rules(floats=direct("math.atan2")),
    Binary.AND: _bitwise("arith.andi"),
    Binary.OR: _bitwise("arith.ori"),
    Binary.XOR: _bitwise("arith.xori"),
    Binary.SHIFT_LEFT: rules(integers=_shift("arith.shli")),
    Binary.SHIFT_RIGHT_ARITHMETIC: rules(integers=_shift_right_arithmetic),
    Binary.SHIFT_RIGHT_LOGICAL: rules(integers=_shift("arith.shrui")),
    Binary.COMPARE_EQ: _compare("eq"),
    Binary.COMPARE_NE: _compare("ne"),
    Binary.COMPARE_LT: _compare("lt"),
    Binary.COMPARE_LE: _compare("le"),
    Binary.COMPARE_GT: _compare("gt"),
    Binary.COMPARE_GE: _compare("ge"),
}


def _clamp(kind: Kind) -> Rule:
    upper, lower = _MINIMUM[kind], _MAXIMUM[kind]
    return lambda s, low, x, high: upper(s, lower(s, x, low), high)


TERNARY: dict[str, Rules] = {Ternary.CLAMP: {kind: _clamp(kind) for kind in Kind}}
