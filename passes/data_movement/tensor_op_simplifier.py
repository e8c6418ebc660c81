"""Algebraic identities on tensor ops: what two ops undo, or do in one, or do not do at all.

Spec: document 000, "TensorOpSimplifier" ("canceling inverse shape ops"; the body is not public: the
list below is ours).

Before                                            After
  "penguin.transpose"(%a, %t) {1, 0}                (gone, if nobody else reads %t)
  "penguin.transpose"(%t, %b) {1, 0}                "penguin.memcpy"(%a, %b)

| op | of | becomes |
|---|---|---|
| reshape | reshape | reshape, or a copy |
| transpose | transpose | transpose, or a copy if they are inverse |
| slice | slice | slice; strides compose |
| slice | concat | slice of the one source, or the concat of the sources that it takes as wholes |
| slice | broadcast | broadcast, if it cuts repetitions only |
| concat | adjacent slices of one tensor | slice, or a copy |
| concat | concat that nobody else reads, same axis | concat |
| broadcast | broadcast; reshape that adds unit dimensions | broadcast |
| reverse | reverse | reverse along the axes of one of them |
| cast | cast | cast or copy, if the values provably survive |
| negate, not | the same | copy |
| abs, ceil, floor, round | the same | copy of the inner one |
| movement | memset | memset |
| copy | movement that nobody else reads | that movement, to the copy's destination |

Without a second op: a transpose, broadcast, slice, reverse, pad or concat that moves nothing is a
copy; a broadcast that only permutes is a transpose, a pad that only cuts a slice; select of equal
arms, or by one value; max, min, and, or of x and x; x + 0 and its like where they are exact
(`_identities.py`). Ops whose result nobody reads any more go with their tensors.

A candidate is an op with such a pattern around it. Legality, all of:
  (L1) the values are the same for every input: casts that lose values, x + 0.0 (`LOSSY`,
       `SIGNED_ZERO`);
  (L2) the ops are no more and move no more than before (`SPANS`);
  (L3) the clauses of `_tensor_ops.py`.
Ops are visited in order, each until no identity is left, so that chains of any length collapse.
Keeps: the order of the ops. Leaves alone: ops inside of loops, and what nests define.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Step, Tensor
from penguin.dialects.penguin import TensorOp
from penguin.mlir import ir
from penguin.passes.data_movement._identities import Facts, Miss, bytes_of, combinations
from penguin.passes.data_movement._tensor_ops import Editor, New, Reason
from penguin.passlib import FunctionPass, Reject, Statistic, Unit


class Why(enum.Enum):
    """Reasons for an op that stays although a pattern is there."""

    LOSSY = Miss.LOSSY.value  # L1
    SIGNED_ZERO = Miss.SIGNED_ZERO.value  # L1
    SPANS = Miss.SPANS.value  # L2
    OVERWRITTEN = Reason.OVERWRITTEN.value  # L3
    SHARED = Reason.SHARED.value  # L3
    BARRIER = Reason.BARRIER.value  # L3
    SPACE = Reason.SPACE.value  # L3
    REMATERIALISED = Reason.REMATERIALISED.value  # L3


@dataclass
class TensorOpSimplifier(FunctionPass):
    name = "tensor-op-simplifier"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    simplified = Statistic("Number of tensor ops simplified")
    erased = Statistic("Number of tensor ops erased that were needed no more")
    simplified_bytes = Statistic("Number of bytes written by simplified tensor ops", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Simplifier(self, uses)
        for step in uses.steps:
            if isinstance(step.op.opview, TensorOp):
                work.simplify(step)
        work.prune()
        self.erased += work.editor.pruned


class _Simplifier:
    """The work on one function."""

    def __init__(self, host: TensorOpSimplifier, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.editor = Editor(host, uses)
        self.passed: dict[Tensor, None] = {}

    def simplify(self, step: Step) -> None:
        """One op, until nothing applies to it."""
        while self.host.may_rewrite():
            reject = None
            for found in combinations(step.op.opview, self.facts(step)):
                failed = self.legality(step, found)
                if failed is None:
                    assert isinstance(found, New)
                    step = self.replace(step, found)
                    break
                reject = reject or failed
            else:
                if reject is not None:
                    self.host.decline(step.op, reject)
                return

    def replace(self, step: Step, new: New) -> Step:
        self.host.done(step.op, "Simplified", To=new.kind.OPERATION_NAME)
        self.host.simplified += 1
        self.host.simplified_bytes += bytes_of(step.op.opview)
        self.passed.update(dict.fromkeys(use.tensor for use in step.uses if use.reads))
        return self.editor.replace(step, new)

    def prune(self) -> None:
        """What was passed over may be read by nobody any more."""
        self.editor.prune(list(self.passed)[::-1])

    def facts(self, step: Step) -> Facts:
        def definition(value: ir.Value) -> ir.OpView | None:
            found = self.editor.definition(value, step)
            return None if found is None else found.op.opview

        def is_only_reader(value: ir.Value) -> bool:
            tensor = self.uses.tensor(value)
            return tensor.is_internal and {r.step for r in tensor.readers} == {step}

        return Facts(definition, is_only_reader)

    def legality(self, step: Step, found: "New | Miss") -> Reject | None:
        """The first clause that fails if an op becomes another."""
        if isinstance(found, Miss):
            return Reject(Why[found.name])
        for value in list(step.op.operands)[:-1]:
            via = self.editor.definition(value, step)
            if via is None:
                continue
            inner = list(via.op.operands)[:-1]
            sources = [source for source in found.sources if source in inner]
            if not sources:
                continue
            reject = self.editor.reject_through(step, via, sources, self.uses.tensor(value))
            if reject is not None:
                return reject
        return None
