"""Replace internal tensors that are in the buffer of an argument by that argument.

Source: document 000, "Pipeline Placement" (ConvertMustAliasToIOBuffer). Its body is not public: a
guess.

Before                                                 After
  %t = memref.alloc() {penguin.must_alias = "out0"}
  "penguin.binary"(%a, %b, %t) {function = "add"}        "penguin.binary"(%a, %b, %o) {"add"}
  "penguin.memcpy"(%t, %o)                               "penguin.memcpy"(%o, %o)

The two are one buffer before and after, so nothing changes but names. The copies between them,
which do nothing, are left to `memcpy-elimination`, which counts them ("trivial aliased copy"),
unless their destination would be an input: those are erased. If the buffer is an input and an
output, the output takes the tensor's place: inputs are not written to.

Legality:
  (L1) the buffer is that of an argument;
  (L2) it is that of an output, or nothing but copies from the buffer itself writes the tensor.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.dialects.penguin import MemcpyOp
from penguin.dialects.penguin.attributes import MUST_ALIAS, IoKind
from penguin.mlir import ir, walk
from penguin.passes.data_movement._sharing import report_faults
from penguin.passlib import FunctionPass, Reject, Statistic
from penguin.passlib.patterns import Limit

_ALLOC, _DEALLOC, _LOAD = "memref.alloc", "memref.dealloc", ("affine.load", "memref.load")


class Why(enum.Enum):
    """Reasons for an allocation that stays."""

    INTERNAL = "the buffer is that of no argument"  # L1
    READ_ONLY = "the buffer is that of an input alone, and the tensor is written"  # L2


@dataclass
class ConvertMustAliasToIOBuffer(FunctionPass):
    name = "convert-must-alias-to-io-buffer"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    converted = Statistic("Number of tensors replaced by an IO buffer")
    erased = Statistic("Number of copies onto an input erased")

    def run(self, root: ir.OpView) -> None:
        if report_faults(self, root):
            return
        self.aliases = Aliases(root)
        for op in list(self.candidates(root)):
            reject = self.legality(op)
            if reject is None:
                self.convert(op)
            else:
                self.decline(op, reject)

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        return [op for op in walk(root.operation, _ALLOC) if MUST_ALIAS in op.attributes]

    def legality(self, op: ir.Operation) -> Reject | None:
        """The first clause that does not hold."""
        buffer = self.buffer(op)
        if buffer is None:
            return Reject(Why.INTERNAL)
        if self.aliases.io[buffer] is IoKind.INPUT:
            (value,) = op.results
            for view in self.names_of(value):
                for use in view.uses:
                    user = use.owner.operation
                    if self.writes(user, use.operand_number) and not self.is_idle(user):
                        return Reject(Why.READ_ONLY, at=user)
        return None if self.may_rewrite() else Reject(Limit.REWRITE_LIMIT)

    def buffer(self, op: ir.Operation) -> ir.Value | None:
        """The argument that takes the tensor's place, an output if there is one."""
        found = [m for m in self.aliases.members(op.results[0]) if m in self.aliases.io]
        outputs = [each for each in found if self.aliases.io[each] is IoKind.OUTPUT]
        return next(iter(outputs or found), None)

    def names_of(self, value: ir.Value) -> list[ir.Value]:
        """A tensor and its views."""
        found = [value]
        for each in found:
            for use in each.uses:
                user = use.owner.operation
                if len(user.results) == 1 and isinstance(user.results[0].type, ir.MemRefType):
                    found.append(user.results[0])
        return found

    def writes(self, user: ir.Operation, operand: int) -> bool:
        if user.name in (_DEALLOC, *_LOAD) or len(user.results):
            return False
        effects = getattr(user.opview, "effects", None)
        return effects is None or operand in set(effects().writes)

    def is_idle(self, user: ir.Operation) -> bool:
        """Whether it copies the buffer onto itself."""
        return user.name == MemcpyOp.OPERATION_NAME and self.aliases.must(*user.operands)

    def convert(self, op: ir.Operation) -> None:
        buffer, (value,) = self.buffer(op), op.results
        assert buffer is not None
        self.done(op, "Converted", Tensor=op.attributes[MUST_ALIAS].value)
        for user in [use.owner.operation for use in value.uses]:
            if user.name == _DEALLOC:
                user.erase()
        if self.aliases.io[buffer] is IoKind.INPUT:
            self.erase_copies(value)
        value.replace_all_uses_with(buffer)
        op.erase()
        self.converted += 1

    def erase_copies(self, value: ir.Value) -> None:
        """Erases the copies of the buffer onto itself that write the tensor or a view of it."""
        for name in self.names_of(value):
            for use in list(name.uses):
                user = use.owner.operation
                if self.is_idle(user) and user.operands[1] == name:
                    user.erase()
                    self.erased += 1
