"""Scalar conversion between element types (`penguin.memcast`).

* float to float: extended, or rounded once; bf16 to f16 and back goes through f32.
* float to integer: towards zero; out of range saturates, a NaN gives 0.
* integer to integer: modulo the width; the source's signedness extends.
* anything to i1: x != 0 (true for a NaN); i1 to anything: 0 or 1.
"""

from penguin.dialects.penguin.attributes import Kind
from penguin.mlir import ir
from penguin.nests.elements import Element
from penguin.nests.scalars import Scalars


def convert(s: Scalars, value: ir.Value, target: Element) -> ir.Value:
    """`value`, of the element type of `s`, as an element of `target`."""
    source = s.element
    if source.name == target.name:
        return value
    to = s.on(target.name)
    if target.kind is Kind.BOOLEAN:
        return s.compare("ne", value, s.constant(0))
    if source.kind is Kind.FLOAT:
        return _from_float(s, to, value)
    if target.kind is Kind.FLOAT:
        signed = source.kind is Kind.SIGNED
        return to.op("arith.sitofp" if signed else "arith.uitofp", value)
    if target.width < source.width:
        return to.op("arith.trunci", value)
    if target.width > source.width:
        return to.op("arith.extsi" if source.kind is Kind.SIGNED else "arith.extui", value)
    return value


def _from_float(s: Scalars, to: Scalars, value: ir.Value) -> ir.Value:
    if to.element.kind is Kind.FLOAT:
        if s.element.width < to.element.width:
            return to.op("arith.extf", value)
        if s.element.width == to.element.width:
            value = s.widened().op("arith.extf", value)
        return to.op("arith.truncf", value)
    wide = s.widened()
    if wide is not s:
        value = wide.op("arith.extf", value)
    return _saturated(wide, to, value)


def _saturated(s: Scalars, to: Scalars, value: ir.Value) -> ir.Value:
    """f32 to an integer of any width."""
    element = to.element
    # 2^31 - 1 and 2^32 - 1 are no f32: clamp to the last f32 below, and set the rest by hand.
    exact = element.width <= 24
    ceiling = float(element.high) if exact else float(element.high + 1) * (1 - 2.0**-24)
    number = s.select(s.compare("nan", value, value), s.constant(0.0), value)
    number = s.op("arith.maximumf", number, s.constant(float(element.low)))
    number = s.op("arith.minimumf", number, s.constant(ceiling))
    signed = element.kind is Kind.SIGNED
    result = to.op("arith.fptosi" if signed else "arith.fptoui", number)
    if exact:
        return result
    over = s.compare("gt", value, s.constant(ceiling))
    return to.select(over, to.constant(element.high), result)
