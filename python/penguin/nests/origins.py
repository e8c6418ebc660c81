"""Loads that go past an offloaded op: its source is read, at the index that the op took it from.

document 000: emit_memcast_load, emit_transpose_load, emit_reshape_load, emit_broadcast_load. An
`Origin` stands beside a `Tensor`; a nest that loads from the tensor loads from the origin instead.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.movement import Found, Movement
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import MemcastOp
from penguin.mlir import ir
from penguin.nests.elements import Element

Forms = tuple[Form, ...]


class Hop(NamedTuple):
    """One offloaded op on the way back: the element of its source, and what becomes of it."""

    source: Callable[[Forms, Space], Forms]
    converted: Element | None = None
    """The type that the op converts to, if it does."""


class Origin(NamedTuple):
    """`hops` from the tensor that is read back to `value`, a memref or the number in all of it."""

    hops: tuple[Hop, ...]
    value: "ir.Value | ir.Attribute"
    element: Element
    """Of `value`."""

    def indices(self, at: Forms, space: Space) -> Forms:
        """Where in `value` the element `at` of the tensor comes from."""
        for hop in self.hops:
            at = hop.source(at, space)
        return at

    @property
    def conversions(self) -> Sequence[Element]:
        """What the element is converted to, one after the other."""
        return [hop.converted for hop in reversed(self.hops) if hop.converted is not None]


def hop(op: ir.Operation, element: Callable[[str], Element]) -> Hop:
    """The way back through a broadcast, memcast, transpose or memcpy."""
    view = op.opview
    movement = Movement(op)

    def source(at: Forms, space: Space) -> Forms:
        answer = movement.source(at, space)
        assert isinstance(answer, Found), f"no source through {movement.kind.__name__}"
        return answer.forms

    if isinstance(view, MemcastOp):
        dtype = tensor_of(op.operands[1].type).dtype
        assert dtype is not None
        return Hop(source, element(dtype.mlir))
    return Hop(source)
