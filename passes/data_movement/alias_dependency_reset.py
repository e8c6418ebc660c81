"""Remove the facts of `alias-dependency-induction`: `penguin.must_alias` of allocations.

Source: document 000, "Pipeline Placement" (AliasDependencyReset). Its body is not public: a guess.

Before                                                After
  %t = memref.alloc() {penguin.must_alias = "out0"}     %t = memref.alloc()

The tensor then has a buffer of its own. Legality:
  (L1) nothing relies on the common buffer: every read finds in the tensor's own buffer, or in that
       of the others, what it found in the common one (`_sharing.py`).
What the induction wrote can go again, unless the tensor is first written in part; an attribute of
another origin may have to stay. The
aliases of outputs (`penguin.alias`) are no facts of ours, but what the caller asked for, and stay.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Tensor
from penguin.dialects.penguin.attributes import MUST_ALIAS
from penguin.mlir import ir
from penguin.passes.data_movement._sharing import Sharing, report_faults
from penguin.passlib import FunctionPass, Reject, Statistic
from penguin.passlib.patterns import Limit


class Why(enum.Enum):
    """Reasons for an attribute that stays."""

    RELIED_UPON = "what is written under one name is read under another"  # L1


@dataclass
class AliasDependencyReset(FunctionPass):
    name = "alias-dependency-reset"

    removed = Statistic("Number of must-alias facts removed")

    def run(self, root: ir.OpView) -> None:
        if report_faults(self, root):
            return
        declared = Aliases(root).declared
        allocated = [value for value in declared if not isinstance(value.owner, ir.Block)]
        if not allocated:
            return
        self.uses = TensorUses(root.operation)
        self.sharing = Sharing(self.uses)
        # Tensors by the one that their attribute names.
        self.named: dict[Tensor, list[Tensor]] = {}
        for value in allocated:
            target = self.uses.tensor(declared[value])
            self.named.setdefault(target, []).append(self.uses.tensor(value))
        for value in allocated:
            tensor, target = self.uses.tensor(value), self.uses.tensor(declared[value])
            reject = self.legality(tensor)
            if reject is not None:
                self.decline(value.owner, reject)
            else:
                self.remove(tensor, target)

    def legality(self, tensor: Tensor) -> Reject | None:
        """The first clause that does not hold."""
        if not self.may_rewrite():
            return Reject(Limit.REWRITE_LIMIT)
        part = self.part(tensor)
        others = [each for each in tensor.group if each not in part]
        clash = self.sharing.clash([others, part], strict=True)
        if clash is None:
            return None
        return Reject(Why.RELIED_UPON, at=None if clash.step is None else clash.step.op)

    def part(self, tensor: Tensor) -> list[Tensor]:
        """The tensor, and those that are in its buffer because they name it, or each other."""
        found = [tensor]
        for each in found:
            found += self.named.get(each, ())
        return found

    def remove(self, tensor: Tensor, target: Tensor) -> None:
        assert tensor.alloc is not None
        self.done(tensor.alloc, "Reset", Tensor=tensor.name)
        del tensor.alloc.attributes[MUST_ALIAS]
        self.uses.split(self.part(tensor))
        self.named[target].remove(tensor)
        self.removed += 1
