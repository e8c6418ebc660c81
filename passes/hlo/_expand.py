"""Expanding exponential_minus_one and log_plus_one: what the two passes share.

The constant is 1.0 in the op's own element type. `result_accuracy` goes to the transcendental op of
the expansion.
"""

from typing import Any

from penguin.dialects.hlo.attributes import RESULT_ACCURACY
from penguin.mlir import bindings_of


def is_float(value: Any, op: Any) -> bool:
    """Whether the elements of a tensor are floats (complex numbers are none)."""
    return isinstance(value.type.element_type, bindings_of(op).ir.FloatType)


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
