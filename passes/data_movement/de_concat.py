"""Remove concats each of whose readers reads one source only: it reads that source.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

Before                                            After
  "penguin.concat"(%a, %b, %c) {axis = 0}           (gone)
    : 4 + 8 -> 12
  "penguin.slice"(%c, %d) : 6 to 12                 "penguin.slice"(%b, %d) : 2 to 8
  affine.load %c[%i], %i below 4                    affine.load %a[%i]

Readers are ndim slices and loads in nests. No nest is cut; `concat-op-elimination` does that, and
makes producers write in place, but leaves a concat that an op reads.

Legality, all of; every concat is a candidate:
  (L1) the result is an internal tensor, not rematerialised, defined by the concat alone;
  (L2) its readers are known: no generic access, no opaque op;
  (L3) they are slices or loads, not ops that need it as a whole;
  (L4) each takes what one source owns along the axis;
  (L5) nothing overwrites the sources before the last reader, which does not either, and no barrier
       is in between;
  (L6) the sources are in the memory of the result.
Keeps: the order of the rest.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.affine_form import Form
from penguin.analysis.movement import Found, Movement
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Step, Tensor, Use
from penguin.dialects import penguin as pg
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._identities import slice_of_concat
from penguin.passes.data_movement._optimizer import Copy
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passes.data_movement._tensor_ops import Editor, New, Reason, is_buildable, shape_of
from penguin.passlib import FunctionPass, Reject, Statistic, Unit


class Why(enum.Enum):
    """Reasons for a concat that stays."""

    BOUNDARY = "the result is seen from outside"  # L1
    DEFINED_TWICE = "the result is defined by more than one op"  # L1
    REMATERIALISED = Reason.REMATERIALISED.value  # L1
    GENERIC = "used by a generic access or an opaque op"  # L2
    WHOLE = "a reader needs the result as a whole"  # L3
    SPANS = "a reader takes elements of more than one source"  # L4
    OVERWRITTEN = Reason.OVERWRITTEN.value  # L5
    BARRIER = Reason.BARRIER.value  # L5
    SPACE = Reason.SPACE.value  # L6


@dataclass
class DeConcat(FunctionPass):
    name = "de-concat"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    removed = Statistic("Number of concats removed")
    removed_bytes = Statistic("Number of bytes of concats removed", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Remover(self, uses)
        # A concat of concats is read by slices of the inner ones only after the outer one went.
        for step in reversed(uses.steps):
            if type(step.op.opview) is pg.ConcatOp and self.may_rewrite():
                work.visit(step)


@dataclass
class _Plan:
    """What each reader is to read."""

    loads: list[tuple[Access, Tensor, tuple[Form, ...]]]
    slices: list[tuple[Use, New]]


class _Remover:
    """One function."""

    def __init__(self, host: DeConcat, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.editor, self.rewriter = Editor(host, uses), Rewriter(uses)

    def visit(self, step: Step) -> None:
        *srcs, dst = [self.uses.tensor(value) for value in step.op.operands]
        plan = self.reject_result(step, dst) or self.plan(step, srcs, dst)
        reject = self.reject_schedule(step, srcs, dst) if isinstance(plan, _Plan) else plan
        if isinstance(plan, Reject) or reject is not None:
            assert isinstance(reject, Reject)
            self.host.decline(step.op, reject)
            return
        self.host.done(step.op, "Removed", Tensor=dst.name)
        self.host.removed += 1
        self.host.removed_bytes += dst.nbytes
        for access, source, indices in plan.loads:
            self.rewriter.replace_load_src(access, source, indices)
        for use, new in plan.slices:
            self.editor.replace(use.step, new)
        self.rewriter.forget_views(dst)
        self.rewriter.replace_op_dst_tensor_and_erase(step, dst)

    def reject_result(self, step: Step, dst: Tensor) -> Reject | None:
        """(L1), (L2)"""
        if not dst.is_internal:
            return Reject(Why.BOUNDARY, args={"Tensor": dst.name})
        for writer in dst.writers:
            if writer.step is not step:
                return Reject(Why.DEFINED_TWICE, at=writer.op)
        if dst.is_rematerialised:
            return Reject(Why.REMATERIALISED)
        for use in dst.uses:
            if use.is_opaque:
                return Reject(Why.GENERIC, at=use.op)
        return None

    def plan(self, step: Step, srcs: list[Tensor], dst: Tensor) -> "_Plan | Reject":
        """(L3), (L4)"""
        copy, plan = Copy(step, Movement(step.op), srcs, dst), _Plan([], [])
        concat = step.op.opview
        for use in dst.uses:
            if use.step is step:
                if use.reads:
                    return Reject(Why.WHOLE, at=use.op)
                continue
            view = use.op.opview
            same = type(view) is pg.SliceOp and shape_of(view.src) == shape_of(concat.dst)
            if not same or forms.is_flat(view):
                return Reject(Why.WHOLE, at=use.op)
            new = slice_of_concat(view, concat)
            if not isinstance(new, New) or new.kind is pg.ConcatOp or not is_buildable(new):
                return Reject(Why.SPANS, at=use.op)
            plan.slices.append((use, new))
        for access in dst.loads:
            answer = None
            if access.forms is not None:
                answer = copy.source(access.forms, access.step.space)
            if not isinstance(answer, Found):
                return Reject(Why.SPANS, at=access.op)
            plan.loads.append((access, srcs[answer.operand], answer.forms))
        return plan

    def reject_schedule(self, step: Step, srcs: list[Tensor], dst: Tensor) -> Reject | None:
        """(L5), (L6)"""
        last = dst.last_read
        for src in srcs:
            writer = self.uses.written_between(src, step.order, last)
            if writer is not None:
                return Reject(Why.OVERWRITTEN, at=writer.op)
        early = min((reader.step.order for reader in dst.readers), default=step.order)
        if early < step.order or step.is_barrier or self.uses.crosses_barrier(step.order, last):
            return Reject(Why.BARRIER if early >= step.order else Why.OVERWRITTEN)
        if any(src.space != dst.space for src in srcs):
            return Reject(Why.SPACE)
        return None
