"""Erase what nobody sees: ops and nests whose tensors are not read any more, and unused values.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

Before                                            After
  %t = memref.alloc()                               (gone)
  "penguin.unary"(%in, %t)                          (gone)
  affine.for ... { %v = affine.load %t ...          (gone)
    affine.store %v, %u ... }                       (gone: nobody reads %u)

A step of a function (an op or a loop nest of its body) is dead if all that it writes is *unread*:
a tensor that only this function knows, and that no later step reads. Steps are visited last to
first, hence a chain of any length goes in one sweep. In a nest that stays, stores to unread
tensors, values without uses, and loops that do nothing go. At the end allocations, views and
constants (`memref.get_global`, and a private `memref.global`) that nothing uses go, too.

A candidate is a step that writes an unread tensor. It stays if one of these does not hold:
  (L1) it is no barrier;
  (L2) it does nothing that is not known: no call, no op of another dialect;
  (L3) all that it writes is unread; of a nest, the stores to what is read stay alone.
Keeps: the order of the rest. Leaves alone: values that loops carry to themselves, and functions of
more than one block.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.tensor_uses import GET_GLOBAL, TensorUses
from penguin.analysis.tensors import Access, Kind, Step, Tensor, Use
from penguin.mlir import ir, walk
from penguin.passes.data_movement._dead_code import Sweep, is_known, is_pure, is_unread, is_unused
from penguin.passes.data_movement._tensor_ops import is_tensor_op
from penguin.passlib import ModulePass, Reject, Statistic, Unit

_GLOBAL = "memref.global"
_PRIVATE = "private"


class Why(enum.Enum):
    """Reasons for an op that stays although nobody reads a tensor that it writes."""

    BARRIER = "the op is a barrier"  # L1
    EFFECTS = "the op may do something else than write tensors"  # L2
    PARTLY_READ = "another tensor that the op writes is read"  # L3


@dataclass
class DeadCodeElimination(ModulePass):
    name = "dead-code-elimination"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    ops = Statistic("Number of dead tensor ops erased")
    nests = Statistic("Number of dead loop nests erased")
    stores = Statistic("Number of dead stores erased")
    scalars = Statistic("Number of dead scalar ops and loops erased")
    tensors = Statistic("Number of dead tensors erased")
    constants = Statistic("Number of dead constants erased")
    nbytes = Statistic("Number of bytes of dead tensors", Unit.BYTES)

    def run(self, root: ir.Module) -> None:
        for view in root.body.operations:
            op = view.operation
            if op.name == "func.func" and len(op.regions[0].blocks) == 1:
                self._function(TensorUses(op))
        self._globals(root)

    def _function(self, uses: TensorUses) -> None:
        for step in reversed(uses.steps):
            if not self.may_rewrite():
                return
            self._step(uses, step)
        for tensor in reversed(list(uses.tensors())):
            self._tensor(uses, tensor)
            for view in reversed(tensor.views):
                if is_unused(view):
                    view.erase()

    def _step(self, uses: TensorUses, step: Step) -> None:
        if is_pure(step.op) and is_unused(step.op):
            self.scalars += 1
            uses.erase(step)
            return
        unread = {w.tensor: None for w in writes(step) if is_unread(w.tensor, step)}
        if unread and all(w.tensor in unread for w in writes(step)) and is_unused(step.op):
            self._dead(uses, step)
        elif is_tensor_op(step.op):
            if unread:
                self.decline(step.op, _named(Why.PARTLY_READ, next(iter(unread))))
        elif len(step.op.regions):
            self._clean(uses, step, unread)

    def _dead(self, uses: TensorUses, step: Step) -> None:
        """A step that writes unread tensors only."""
        tensor = next(iter(writes(step))).tensor
        if step.is_barrier:
            why = Why.BARRIER if is_known(step.op) else Why.EFFECTS
            self.decline(step.op, _named(why, tensor))
            return
        if not is_known(step.op):
            self.decline(step.op, _named(Why.EFFECTS, tensor))
            return
        self.done(step.op, "Dead", Tensor=tensor.name)
        if is_tensor_op(step.op):
            self.ops += 1
        elif len(step.op.regions):
            self.nests += 1
        else:
            self.stores += 1
        uses.erase(step)

    def _clean(self, uses: TensorUses, step: Step, unread: dict[Tensor, None]) -> None:
        """A nest that stays, but perhaps not all of it."""
        read = {a.tensor for a in step.accesses if not a.is_store}
        read.update(use.tensor for use in step.uses if use.reads)
        read.update(use.tensor for use in step.uses if use.writes and is_tensor_op(use.op))
        dead = {tensor for tensor in unread if tensor not in read}
        sweep = Sweep(lambda op: uses.has(op.operands[1]) and uses.tensor(op.operands[1]) in dead)
        effects = sweep.clean(step.op)
        if sweep.stores:
            self.stores += sweep.stores
            self.done(step.op, "DeadStores", Count=sweep.stores)
        elif unread:
            self.decline(step.op, _named(Why.PARTLY_READ, next(iter(unread))))
        self.scalars += sweep.scalars
        if not effects and is_unused(step.op) and is_known(step.op) and not step.is_barrier:
            self.nests += 1
            uses.erase(step)
            return
        if sweep.erased:
            uses.rescan(step)

    def _tensor(self, uses: TensorUses, tensor: Tensor) -> None:
        """An allocation or a use of a constant that is left without users."""
        if tensor.alloc is None or tensor.kind not in (Kind.INTERNAL, Kind.CONSTANT):
            return
        if tensor.loads or tensor.stores or tensor.uses:
            return
        if tensor.kind is Kind.INTERNAL:
            self.tensors += 1
            self.nbytes += tensor.nbytes
        uses.erase_tensor(tensor)
        tensor.views.clear()

    def _globals(self, root: ir.Module) -> None:
        """Private constants that no op gets."""
        found = [op for op in root.body.operations if op.operation.name == _GLOBAL]
        if not found or not self.may_rewrite():
            return
        used = {op.attributes["name"].value for op in walk(root.operation, GET_GLOBAL)}
        for view in found:
            attributes = view.operation.attributes
            private = "sym_visibility" in attributes and attributes["sym_visibility"].value == (
                _PRIVATE
            )
            if private and attributes["sym_name"].value not in used:
                self.constants += 1
                view.operation.erase()


def writes(step: Step) -> "list[Access | Use]":
    """What a step writes."""
    return [a for a in step.accesses if a.is_store] + [use for use in step.uses if use.writes]


def _named(why: Why, tensor: Tensor) -> Reject:
    return Reject(why, args={"Tensor": tensor.name})
