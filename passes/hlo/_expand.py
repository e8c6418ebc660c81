"""Expanding exponential_minus_one and log_plus_one: what the two passes share.

The constant is 1.0 in the op's own element type. `result_accuracy` goes to the transcendental op of
the expansion.
"""

import enum
from collections.abc import Callable
from typing import Any

from penguin.dialects.hlo.attributes import RESULT_ACCURACY, Kind
from penguin.mlir import bindings_of
from penguin.passes.hlo._fusion import Match, users
from penguin.passlib import Reject


class Why(enum.Enum):
    USES = "the op has not exactly one use"  # L1
    NOT_FLOAT = "the elements are no floats"  # L2


def match(op: Any, kind: Kind, expand: Callable[[Any], list[Any]]) -> Match | Reject:
    """Clauses (L1) and (L2) of both passes; complex numbers are no floats."""
    uses = len(users(op))
    if uses != 1:
        return Reject(Why.USES, args={"Uses": uses})
    element = op.results[0].type.element_type
    if not isinstance(element, bindings_of(op).ir.FloatType):
        return Reject(Why.NOT_FLOAT, args={"Type": element})
    return Match(kind, [op], expand=expand)


class Expansion:
    """Creates ops of the old op's dialect before it, at its location, with its result type."""

    def __init__(self, old: Any) -> None:
        self._old = old
        self._ir = bindings_of(old).ir
        self._ip = self._ir.InsertionPoint(old)

    def one(self) -> Any:
        """A constant full of ones."""
        ir, type_ = self._ir, self._old.results[0].type
        one = ir.FloatAttr.get(type_.element_type, 1.0, loc=self._old.location)
        return self._create("constant", [], {"value": ir.DenseElementsAttr.get_splat(type_, one)})

    def op(self, name: str, *operands: Any) -> Any:
        """An elementwise op on results of ops, or on values."""
        return self._create(name, operands, {})

    def transcendental(self, name: str, operand: Any) -> Any:
        """An elementwise op that inherits the accuracy."""
        given = self._old.attributes
        kept = {RESULT_ACCURACY: given[RESULT_ACCURACY]} if RESULT_ACCURACY in given else {}
        return self._create(name, [operand], kept)

    def _create(self, name: str, operands: Any, attributes: dict[str, Any]) -> Any:
        dialect = self._old.name.partition(".")[0]
        return self._ir.Operation.create(
            f"{dialect}.{name}",
            [self._old.results[0].type],
            [o.results[0] if hasattr(o, "results") else o for o in operands],
            attributes,
            ip=self._ip,
            loc=self._old.location,
        )
