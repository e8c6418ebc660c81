"""Slices that say what they take in the simplest way, and take it once.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

| a slice | becomes |
|---|---|
| with a limit behind the last element, or a stride along one element | one that says no more |
| of the whole source, in order | memcpy |
| of a slice | one slice; strides compose, runs of elements, too |
| that another one before it equals | a memcpy of that one's result |

Legality of the last two, the clauses of `_tensor_ops.py`: what would be read instead still holds
the same (L1), shares no memory with the result (L2), without a barrier in between (L3), in the same
memory (L4), and what is passed over is not rematerialised (L5).
A candidate is a slice to which a line of the table applies.
Keeps: the order of the ops. Leaves alone: what `tensor-op-simplifier` does with other ops.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Step, Tensor
from penguin.dialects import penguin as pg
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._identities import slice_of_slice
from penguin.passes.data_movement._tensor_ops import Editor, New, Reason, shape_of
from penguin.passlib import FunctionPass, Reject, Statistic


class Why(enum.Enum):
    """Reasons for a slice that stays as it is."""

    OVERWRITTEN = Reason.OVERWRITTEN.value  # L1
    SHARED = Reason.SHARED.value  # L2
    BARRIER = Reason.BARRIER.value  # L3
    SPACE = Reason.SPACE.value  # L4
    REMATERIALISED = Reason.REMATERIALISED.value  # L5


@dataclass
class SimplifySlice(FunctionPass):
    name = "simplify-slice"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    normalised = Statistic("Number of slices normalised")
    merged = Statistic("Number of slices merged with a slice before")

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Simplifier(self, Editor(self, uses))
        for step in uses.steps:
            if type(step.op.opview) is pg.SliceOp and self.may_rewrite():
                work.visit(step)
        work.editor.prune(list(work.passed)[::-1])


class _Simplifier:
    """One function, first slice to last."""

    def __init__(self, host: SimplifySlice, editor: Editor) -> None:
        self.host, self.editor = host, editor
        self.passed: dict[Tensor, None] = {}
        # Slices by what they take.
        self.known: dict[tuple, Step] = {}

    def visit(self, step: Step) -> None:
        reject = None
        while type(step.op.opview) is pg.SliceOp and self.host.may_rewrite():
            view = step.op.opview
            via = self.editor.definition(view.src, step)
            found = None
            if via is not None and type(via.op.opview) is pg.SliceOp:
                found = slice_of_slice(view, via.op.opview)
            if via is None or found is None:
                break
            passed = self.editor.uses.tensor(view.src)
            reject = self.editor.reject_through(step, via, found.sources, passed)
            if reject is not None:
                break
            self.passed[passed] = None
            step = self.replace(step, found, "Merged")
            self.host.merged += 1
        if type(step.op.opview) is pg.SliceOp and self.host.may_rewrite():
            step = self.normalise(step)
        if type(step.op.opview) is pg.SliceOp and self.host.may_rewrite():
            reject = self.same_again(step) or reject
        if reject is not None:
            self.host.decline(step.op, reject)

    def replace(self, step: Step, new: New, how: str) -> Step:
        self.host.done(step.op, how, To=new.kind.OPERATION_NAME)
        return self.editor.replace(step, new)

    def normalise(self, step: Step) -> Step:
        view = step.op.opview
        box = forms.Box.of(view)
        new = forms.slice_of(view.src, box, forms.is_flat(view))
        said = (tuple(view.limits), tuple(view.strides))
        if new.kind is pg.SliceOp and said == (box.limits, box.strides):
            return step
        self.host.normalised += 1
        return self.replace(step, new, "Normalised")

    def same_again(self, step: Step) -> Reject | None:
        """A slice that has been taken before is copied from there."""
        view = step.op.opview
        src, dst = (self.editor.uses.tensor(value) for value in (view.src, view.dst))
        lists = (tuple(view.starts), tuple(view.limits), tuple(view.strides))
        key = (src, shape_of(view.src), lists, view.access.value, shape_of(view.dst))
        before = self.known.get(key)
        self.known[key] = step
        if before is None:
            return None
        first = before.op.opview.dst
        taken = self.editor.uses.tensor(first)
        if taken is dst or self.editor.definition(first, step) is not before:
            return None
        if self.editor.uses.written_between(src, before.order, step.order) is not None:
            return None
        reject = self.editor.reject_through(step, before, (first,), src)
        if reject is None:
            self.known[key] = before
            self.replace(step, forms.copy_of(first), "Merged")
            self.host.merged += 1
        return reject
