"""Derive which internal tensors can be in the buffer of an aliased input and output.

Source: document 000, "Pipeline Placement" (AliasDependencyInduction). Its body is not public: what
is induced, and from what, is a guess.

Before                                            After
  @main(%a {io = "input", name = "arg0"},           the same, but
        %o {io = "output", alias = 0,               %t = memref.alloc()
            name = "out0"})                              {penguin.must_alias = "out0"}
  %t = memref.alloc()
  "penguin.binary"(%a, %b, %t) {"add"}
  "penguin.memcpy"(%t, %o)

A fact comes from a memcpy of one type between an internal tensor and an argument whose buffer is
both an input and an output: the tensor is what the output will be, or what the input was. First the
copies from such buffers are looked at, in program order, then those to them, backwards, so that
tensors at the end of a row of copies are found, too. A tensor has at most one fact.

The fact is an attribute, which is true from then on: interpreter and simulator give both one buffer
(`penguin.analysis.aliases`). The copy stays; it does nothing any more.

Legality, all of (`_sharing.py`, whose clauses S1 to S3 these are):
  (L1) no tensor of the buffer is read after another one of them has overwritten it;
  (L2) an op that reads some and writes one of them works in place;
  (L3) no op writes two of them;
  (L4) the argument has a name, which no other tensor has.
Leaves alone: buffers of one argument alone: sharing those is copy elimination's business.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Kind, Step, Tensor
from penguin.dialects.penguin import MemcpyOp
from penguin.dialects.penguin.attributes import MUST_ALIAS
from penguin.mlir import ir
from penguin.passes.data_movement._sharing import (
    Clause,
    Sharing,
    has_aliased_outputs,
    report_faults,
)
from penguin.passlib import FunctionPass, Reject, Statistic, Unit
from penguin.passlib.patterns import Limit


class Why(enum.Enum):
    """Reasons for a copy that gives no fact."""

    OVERWRITTEN = Clause.OVERWRITTEN.value  # L1
    NOT_IN_PLACE = Clause.NOT_IN_PLACE.value  # L2
    WRITES_TWO = Clause.WRITES_TWO.value  # L3
    NAME = "the argument has no name of its own"  # L4


@dataclass
class AliasDependencyInduction(FunctionPass):
    name = "alias-dependency-induction"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    induced = Statistic("Number of must-alias facts induced")
    induced_bytes = Statistic("Number of bytes of tensors with a fact", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        if not has_aliased_outputs(root) or report_faults(self, root):
            return
        self.uses = TensorUses(root.operation)
        self.sharing = Sharing(self.uses)
        self.names = Aliases(root).names
        copies = [step for step in self.uses.steps if step.op.name == MemcpyOp.OPERATION_NAME]
        before = -1
        while before != self.induced:
            # A fact about the source of one copy may be what another copy of it waits for.
            before = self.induced
            self.sweep(copies, from_buffer=True)
            self.sweep(reversed(copies), from_buffer=False)
        for step in copies:
            found = self.candidate(step)
            if found is not None:
                reject = self.legality(*found)
                assert reject is not None or not self.may_rewrite(), "a legal copy gave no fact"
                self.decline(step.op, reject or Reject(Limit.REWRITE_LIMIT))

    def sweep(self, copies: Iterable[Step], *, from_buffer: bool) -> None:
        """Induces what it can from the copies in one direction."""
        for step in copies:
            found = self.candidate(step)
            if found is None or not self.may_rewrite():
                continue
            inner, outer = found
            source = self.uses.tensor(step.op.operands[0])
            if (source is outer) is from_buffer and self.legality(inner, outer) is None:
                self.induce(step, inner, outer)

    def candidate(self, step: Step) -> tuple[Tensor, Tensor] | None:
        """The internal tensor and the argument of a copy between such, the output if there are
        several names."""
        src, dst = (self.uses.tensor(value) for value in step.op.operands)
        if src.value.type != dst.value.type:
            return None
        for inner, outer in ((src, dst), (dst, src)):
            if inner.is_internal and _is_aliased(outer):
                return inner, outer
        return None

    def legality(self, inner: Tensor, outer: Tensor) -> Reject | None:
        """The first clause that does not hold."""
        clash = self.sharing.clash([outer.group, inner.group])
        if clash is not None:
            at = None if clash.step is None else clash.step.op
            return Reject(Why[clash.clause.name], at=at)
        if self.names.get(_output(outer).name) != [_output(outer).value]:
            return Reject(Why.NAME)
        return None

    def induce(self, step: Step, inner: Tensor, outer: Tensor) -> None:
        output = _output(outer)
        assert inner.alloc is not None
        self.done(step.op, "MustAlias", Tensor=inner.name, Buffer=output.name)
        inner.alloc.attributes[MUST_ALIAS] = ir.StringAttr.get(output.name)
        self.uses.join(inner, output)
        self.induced += 1
        self.induced_bytes += inner.nbytes


def _is_aliased(tensor: Tensor) -> bool:
    kinds = {each.kind for each in tensor.group}
    # Where something else may be the buffer, nothing is certain.
    return tensor.perhaps is None and {Kind.INPUT, Kind.OUTPUT} <= kinds


def _output(tensor: Tensor) -> Tensor:
    return next(each for each in tensor.group if each.kind is Kind.OUTPUT)
