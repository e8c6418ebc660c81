"""Erase what works on tensors without elements, and say without them what is left.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

Before                                            After
  "penguin.concat"(%a, %none, %b) : 4 + 0 -> 4      "penguin.memcpy"(%a, %b)
  "penguin.unary"(%none, %other)                    (gone)

| op | becomes |
|---|---|
| any, all of whose destinations have no elements | nothing |
| concat | without the sources that have none; a memcpy if one is left |
| reduce of nothing | broadcast of the init value |
| pad of nothing | broadcast of the padding |
| tensor_contract over nothing | memset to zero |
| a loop that never runs | nothing; its results are what they start from |

A candidate is an op that has a tensor without elements among its operands, or a loop nest with a
loop that never runs. Legality, all of:
  (L1) it is no barrier;
  (L2) it is one of these ops: a call, or another op that has elements to write, stays.
Then internal tensors without elements that nobody uses go, too. Keeps: IO tensors.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Kind, Step, Tensor
from penguin.dialects import penguin as pg
from penguin.dialects.penguin import TensorOp
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._dead_code import is_known
from penguin.passes.data_movement._tensor_ops import Editor, New, is_tensor_op, shape_of
from penguin.passlib import FunctionPass, Reject, Statistic


class Why(enum.Enum):
    """Reasons for an op on a tensor without elements that stays."""

    BARRIER = "the op is a barrier"  # L1
    UNKNOWN = "what the op does without these elements is not known"  # L2


@dataclass
class ZeroSizeTensorElimination(FunctionPass):
    name = "zero-size-tensor-elimination"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    erased = Statistic("Number of ops on zero-size tensors erased")
    replaced = Statistic("Number of ops with zero-size sources replaced")
    loops = Statistic("Number of loops erased that never run")
    tensors = Statistic("Number of zero-size tensors erased")

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        editor = Editor(self, uses)
        for step in uses.steps:
            if not self.may_rewrite():
                return
            if is_tensor_op(step.op):
                self._tensor_op(editor, step)
            elif 0 in step.extents.values():
                self._nest(uses, step)
            else:
                self._other(step)
        for tensor in list(uses.tensors()):
            self._tensor(uses, tensor)

    def _tensor_op(self, editor: Editor, step: Step) -> None:
        if not any(use.tensor.count == 0 for use in step.uses):
            return
        written = [use.tensor for use in step.uses if use.writes]
        is_dead = all(tensor.count == 0 for tensor in written)
        new = None if is_dead else without_elements(step.op.opview)
        if step.is_barrier:
            self.decline(step.op, Reject(Why.BARRIER))
        elif is_dead:
            self.done(step.op, "ZeroSize")
            self.erased += 1
            editor.uses.erase(step)
        elif new is None:
            self.decline(step.op, Reject(Why.UNKNOWN))
        else:
            self.done(step.op, "ZeroSizeSource", To=new.kind.OPERATION_NAME)
            self.replaced += 1
            editor.replace(step, new)

    def _nest(self, uses: TensorUses, step: Step) -> None:
        if step.is_barrier:
            self.decline(step.op, Reject(Why.BARRIER))
            return
        self.done(step.op, "NeverRuns")
        whole = False
        for loop in sorted(step.loops.values(), key=lambda loop: -loop.key):
            if loop.extent != 0:
                continue
            self.loops += 1
            op = loop.op
            carried = len(op.results)
            inits = list(op.operands)[len(op.operands) - carried :]
            for result, init in zip(op.results, inits, strict=True):
                result.replace_all_uses_with(init)
            whole = op == step.op
            if not whole:
                op.erase()
        if whole:
            uses.erase(step)
        else:
            uses.rescan(step)

    def _other(self, step: Step) -> None:
        """A call, or another op that is not known, with such an operand."""
        empty = any(use.tensor.count == 0 and use.is_opaque for use in step.uses)
        if empty and not is_known(step.op):
            self.decline(step.op, Reject(Why.UNKNOWN))

    def _tensor(self, uses: TensorUses, tensor: Tensor) -> None:
        if tensor.count or tensor.alloc is None:
            return
        if tensor.kind not in (Kind.INTERNAL, Kind.CONSTANT):
            return
        if not (tensor.loads or tensor.stores or tensor.uses):
            self.tensors += 1
            uses.erase_tensor(tensor)


def without_elements(op: ir.OpView) -> New | None:
    """An op whose sources have no elements, without them."""
    if not isinstance(op, TensorOp):
        return None
    if isinstance(op, pg.ConcatOp):
        return forms.joined(op.srcs, op.axis.value)
    if isinstance(op, pg.ReduceOp):
        return New(pg.BroadcastOp, (op.init,), {"dims": []})
    if isinstance(op, pg.PadOp):
        return New(pg.BroadcastOp, (op.value,), {"dims": []})
    if isinstance(op, pg.TensorContractOp) and 0 in (
        shape_of(op.lhs)[axis] for axis in op.lhs_contract_axes
    ):
        element = op.dst.type.element_type
        integer = isinstance(element, ir.IntegerType)
        zero = ir.IntegerAttr.get(element, 0) if integer else ir.FloatAttr.get(element, 0.0)
        return New(pg.MemsetOp, (), {"value": zero})
    return None
