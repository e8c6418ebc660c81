"""Element types as the scalar functions see them: kind, width, and the types in IR.

A tensor of `ui8` holds `ui8`, but arith computes on signless `i8`: `stored` and `type` differ for
unsigned elements only. What a function means for an element follows from its kind.
"""

from dataclasses import dataclass

from penguin import dtypes
from penguin.dialects.penguin.attributes import Kind, kind_of
from penguin.mlir import ir


@dataclass(frozen=True)
class Element:
    """An element type. `low` and `high` are the range of an integer."""

    name: str
    kind: Kind
    width: int
    stored: ir.Type
    type: ir.Type

    @property
    def low(self) -> int:
        return -(1 << (self.width - 1)) if self.kind is Kind.SIGNED else 0

    @property
    def high(self) -> int:
        return (1 << (self.width - (self.kind is Kind.SIGNED))) - 1


def element(name: str) -> Element:
    """The element type of a dtype's name, in the current context."""
    kind = kind_of(dtypes.BY_MLIR[name])
    stored = type_ = ir.Type.parse(name)
    if kind is Kind.UNSIGNED:
        type_ = ir.IntegerType.get_signless(stored.width)
    return Element(name, kind, stored.width, stored, type_)
