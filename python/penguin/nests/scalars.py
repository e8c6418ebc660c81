"""Scalar code on one element type: the small language that the function tables are written in.

s.op("arith.addf", x, y)     an op whose operands and result have the element type
s.compare("lt", x, y)        i1; ordered for floats except "ne", by the element's signedness
s.constant(1.0)              a constant of the element type, made once per block
s.select(condition, x, y)
s.widened()                  f32 for the smaller floats: where functions of several steps compute
"""

from typing import TYPE_CHECKING

from penguin.dialects.penguin.attributes import Kind
from penguin.mlir import ir
from penguin.nests.elements import Element

if TYPE_CHECKING:
    from penguin.nests.builder import Builder

_create = ir.Operation.create

# Predicate numbers of arith.cmpf and arith.cmpi. "ne" is the negation of "eq", hence unordered.
_FLOAT = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13, "nan": 14}
_SIGNED = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
_UNSIGNED = {"eq": 0, "ne": 1, "lt": 6, "le": 7, "gt": 8, "ge": 9}
_PREDICATES = {
    Kind.FLOAT: _FLOAT,
    Kind.SIGNED: _SIGNED,
    Kind.UNSIGNED: _UNSIGNED,
    Kind.BOOLEAN: _UNSIGNED,
}


class Scalars:
    """Writes scalar ops at one place, by default on values of one element type."""

    __slots__ = ("_builder", "_constants", "_ip", "_loc", "element")

    def __init__(
        self,
        builder: "Builder",
        element: Element,
        ip: ir.InsertionPoint,
        loc: ir.Location,
        constants: dict[tuple[str, object], ir.Value],
    ) -> None:
        self.element = element
        self._builder = builder
        self._ip = ip
        self._loc = loc
        self._constants = constants

    def on(self, name: str) -> "Scalars":
        """The same place, another element type."""
        if name == self.element.name:
            return self
        element = self._builder.element(name)
        return Scalars(self._builder, element, self._ip, self._loc, self._constants)

    def widened(self) -> "Scalars":
        """f32 for bf16 and f16; otherwise the type itself."""
        return self.on("f32") if self.element.kind is Kind.FLOAT else self

    def op(self, name: str, *operands: ir.Value) -> ir.Value:
        return _create(
            name, results=[self.element.type], operands=operands, loc=self._loc, ip=self._ip
        ).result

    def compare(self, predicate: str, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
        """i1. `nan` is true if either side is a NaN."""
        kind = self.element.kind
        return _create(
            "arith.cmpf" if kind is Kind.FLOAT else "arith.cmpi",
            results=[self.flag.type],
            operands=[lhs, rhs],
            attributes={"predicate": self._predicate(_PREDICATES[kind][predicate])},
            loc=self._loc,
            ip=self._ip,
        ).result

    @property
    def flag(self) -> Element:
        return self._builder.element("i1")

    def _predicate(self, number: int) -> ir.Attribute:
        found = self._builder.predicates.get(number)
        if found is None:
            found = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
            self._builder.predicates[number] = found
        return found

    def constant(self, value: float | bool) -> ir.Value:
        """Integers are taken modulo the width; floats are rounded to the type."""
        # The text tells 0.0 from -0.0 and lets a NaN be found again.
        key = (self.element.name, repr(value))
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = _create(
                "arith.constant",
                results=[self.element.type],
                attributes={"value": self._literal(key, value)},
                loc=self._loc,
                ip=self._ip,
            ).result
        return found

    def _literal(self, key: tuple[str, object], value: float | bool) -> ir.Attribute:
        found = self._builder.constants.get(key)
        if found is None:
            element = self.element
            if element.kind is Kind.FLOAT:
                found = ir.FloatAttr.get(element.type, float(value))
            else:
                bits = int(value) & ((1 << element.width) - 1)
                negative = element.width > 1 and bits >> (element.width - 1)
                found = ir.IntegerAttr.get(element.type, bits - (negative << element.width))
            self._builder.constants[key] = found
        return found

    def select(self, condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> ir.Value:
        return self.op("arith.select", condition, then, otherwise)

    def both(self, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
        """The conjunction of two conditions."""
        return self.on("i1").op("arith.andi", lhs, rhs)

    def either(self, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
        """The disjunction of two conditions."""
        return self.on("i1").op("arith.ori", lhs, rhs)
