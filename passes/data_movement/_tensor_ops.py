"""What the cleaning passes on tensor ops share: definitions, replacements, and what is dead.

A penguin op at the top of a function writes its destinations as a whole. So what an op reads is
*defined* by the last op before it that writes the tensor, if that is such an op and not a nest.

An op may read the sources of a definition instead of its destination (`Editor.through`) if, all of:
  (L1) nothing overwrites those sources in between: not the defining op itself, no other step, and
       no step on a tensor that shares their buffer (`OVERWRITTEN`);
  (L2) the op does not write the buffer of a source that it would then read (`SHARED`);
  (L3) no barrier is in between, and the op is none (`BARRIER`);
  (L4) both tensors are in one memory (`SPACE`);
  (L5) the tensor that is passed over is not rematerialised (`REMATERIALISED`).
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from penguin.analysis.tensor_uses import ALLOC, TensorUses
from penguin.analysis.tensors import Access, Step, Tensor, Use
from penguin.dialects import penguin as pg
from penguin.dialects.base import Many, tensor_of
from penguin.dialects.penguin import TensorOp
from penguin.dialects.penguin import attributes as names
from penguin.dialects.penguin.fusion_op import FusionOp
from penguin.mlir import ir
from penguin.passlib import FunctionPass, Reject


class Reason(enum.Enum):
    """Reasons of the clauses above; a pass's `Why` has those that it can give."""

    OVERWRITTEN = "a tensor that would be read is overwritten in between"
    SHARED = "the op writes the buffer that it would then read"
    BARRIER = "a barrier is between"
    SPACE = "the two tensors are in different memories"
    REMATERIALISED = "the tensor is rematerialised"


@dataclass(frozen=True)
class New:
    """An op that takes the place of another and writes what that one writes."""

    kind: type
    sources: tuple[ir.Value, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)


def shape_of(value: ir.Value) -> tuple[int, ...]:
    return tensor_of(value.type).shape


def is_buildable(new: New) -> bool:
    """Whether the op's operands fit into the groups that its class has for them."""
    if new.kind is not pg.ConcatOp:
        return True
    kinds = [source.type for source in new.sources]
    changes = sum(a != b for a, b in pairwise(kinds))
    return changes < Many.RUNS


def build(new: New, dst: ir.Value, **where: Any) -> ir.Operation:
    """Creates the op."""
    if new.kind is pg.ConcatOp:
        op = pg.ConcatOp(list(new.sources), dst, **new.attributes, **where)
    else:
        op = new.kind(*new.sources, dst, **new.attributes, **where)
    return op.operation


def is_tensor_op(op: ir.Operation) -> bool:
    return isinstance(op.opview, TensorOp | FusionOp)


def destination(op: "ir.Operation | ir.OpView") -> ir.Value:
    """What a tensor op other than a fusion writes."""
    operands = op.operands
    return operands[len(operands) - 1]


class Editor:
    """Edits the tensor ops of one function, and keeps its `TensorUses` current."""

    def __init__(self, host: FunctionPass, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.pruned = 0
        self._temporaries = 0
        self._erased: set[Tensor] = set()

    # Definitions --------------------------------------------------------------------------------

    def last_writer(self, tensor: Tensor, order: float) -> "Access | Use | None":
        """Who wrote the tensor's buffer last before a place; which of several in a step is open."""
        found: Access | Use | None = None
        for each in tensor.may:
            for touches in (each.stores, each.writing):
                writer = touches.before(order) if touches else None
                if writer is not None and (found is None or writer.step.order >= found.step.order):
                    found = writer
        return found

    def definition(self, value: ir.Value, step: Step) -> Step | None:
        """The tensor op that defines what a step reads as `value`, under the same shape."""
        if not self.uses.has(value):
            return None
        tensor = self.uses.tensor(value)
        writer = self.last_writer(tensor, step.order)
        if not isinstance(writer, Use) or writer.is_opaque or writer.tensor is not tensor:
            return None
        found = writer.step
        if not isinstance(found.op.opview, TensorOp):
            return None
        return found if shape_of(destination(found.op)) == shape_of(value) else None

    def reject_through(
        self, step: Step, via: Step, sources: Iterable[ir.Value], passed: Tensor
    ) -> Reject | None:
        """The first of the clauses that fails if `step` reads sources of `via`, not `passed`."""
        tensors = [self.uses.tensor(source) for source in sources]
        written = self.uses.tensor(destination(step.op))
        for tensor in tensors:
            if tensor.may is passed.may:
                return self.reject(Reason.OVERWRITTEN, via.op)
            if tensor.may is written.may:
                return self.reject(Reason.SHARED)
            writer = self.uses.written_between(tensor, via.order, step.order)
            if writer is not None:
                return self.reject(Reason.OVERWRITTEN, writer.op)
        if step.is_barrier or self.uses.crosses_barrier(via.order, step.order):
            return self.reject(Reason.BARRIER)
        if any(tensor.space != passed.space for tensor in tensors):
            return self.reject(Reason.SPACE)
        return self.reject(Reason.REMATERIALISED) if passed.is_rematerialised else None

    def reject(self, reason: enum.Enum, at: ir.Operation | None = None, **args: str) -> Reject:
        """A reject with the pass's own member of that name."""
        return Reject(self.host.why[reason.name], at=at, args=args)

    # Edits --------------------------------------------------------------------------------------

    def replace(self, step: Step, new: New) -> Step:
        """Another op in the place of a step's; tensors that only the old one needed may be dead."""
        old = step.op
        where = {"ip": ir.InsertionPoint(old), "loc": old.location}
        op = build(new, destination(old), **where)
        for attribute in old.attributes:
            if attribute.startswith(names.PREFIX):
                op.attributes[attribute] = old.attributes[attribute]
        added = self.uses.add(op, step)
        self.uses.erase(step)
        return added

    def insert(self, new: New, dst: ir.Value, before: Step) -> Step:
        """A new op just before a step."""
        op = build(new, dst, ip=ir.InsertionPoint(before.op), loc=before.op.location)
        added = self.uses.add(op, before)
        self.uses.reorder(added, before)
        return added

    def temporary(self, shape: Sequence[int], like: ir.Value, before: Step) -> ir.Value:
        """An internal tensor with the dtype and in the memory of another."""
        type_ = like.type
        result = ir.MemRefType.get(shape, type_.element_type, memory_space=type_.memory_space)
        name = f"{self.uses.tensor(like).name}.{self.host.name}{self._temporaries}"
        self._temporaries += 1
        op = ir.Operation.create(
            ALLOC,
            [result],
            attributes={
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
                names.NAME: ir.StringAttr.get(name),
            },
            ip=ir.InsertionPoint(before.op),
            loc=before.op.location,
        )
        self.uses.add_tensor(op, before.order)
        return op.results[0]

    # Dead tensors -------------------------------------------------------------------------------

    def prune(self, tensors: Iterable[Tensor]) -> None:
        """Erases those tensors that nobody reads, with the tensor ops that write them only; then
        what these ops have read, and so on."""
        todo = list(tensors)
        while todo:
            tensor = todo.pop()
            if tensor in self._erased or not self.is_dead(tensor):
                continue
            for step in {writer.step: None for writer in tensor.writing}:
                todo += [use.tensor for use in step.uses if use.reads]
                self.uses.erase(step)
                self.pruned += 1
            self._erased.add(tensor)
            self.uses.erase_tensor(tensor)

    def is_dead(self, tensor: Tensor) -> bool:
        """Whether nobody reads a tensor, and the tensor ops that write it do nothing else."""
        if not tensor.is_internal or tensor.stores:
            return False
        if tensor.loads or tensor.reading:
            return False
        for writer in tensor.writing:
            step = writer.step
            if writer.is_opaque or step.is_barrier:
                return False
            if any(use.writes and use.tensor is not tensor for use in step.uses):
                return False
        return True
