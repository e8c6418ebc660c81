"""Remove reshapes, which are memcpys, at the kernel's boundaries.

Spec: document 000, "Kernel-Boundary Legality"; the transform of this pass is called
`transformOffloadedMemCpy` there: a reshape is a memcpy whose two sides differ in shape only.

Before                                            After
  "penguin.memcpy"(%in, %t) : 768 to 12x64          (gone)
  %v = affine.load %t[%h, %d]                       %v = affine.load %in[%h * 64 + %d]

"Eliminate memcpy at kernel boundaries when:
  1. the only load of the dst tensor is a kernel input and no other stores to the dst tensor
  2. the only store to the src tensor is a kernel output and no other loads of the src tensor"

Read as: (1) the source is a kernel input and nothing but the memcpy defines the destination: loads
of the destination read the input. (2) the destination is a kernel output and nothing but the memcpy
reads the source: stores to the source write the output. `memcpy-elimination` does more; this pass
is the rule alone, and what is left after it at a boundary is left because the rule forbids it.

Legality, beside the clauses of `_optimizer.py`:
  (L1) "Either src/dst must be IO";
  (L2) case 2: no other loads of the source.
Keeps: the order of the steps. Leaves alone: memcpys between internal tensors.
"""

from dataclasses import dataclass

from penguin.analysis.tensors import Kind
from penguin.dialects.penguin import MemcpyOp
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Clause, Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import Reject

Why = closed_list(
    Reason.NOT_IO,
    Reason.OTHER_LOADS,
    *COMMON,
)
"""Reasons for a memcpy that stays."""


class ReshapeOpOptimizer(OpOptimizer):
    """The kernel-boundary rule before the common clauses."""

    views = True

    @property
    def dst_clauses(self) -> tuple[Clause, ...]:
        return (self.src_is_input, *super().dst_clauses)

    @property
    def src_clauses(self) -> tuple[Clause, ...]:
        return (self.dst_is_output, self.src_has_no_other_loads, *super().src_clauses)

    def src_is_input(self, copy: Copy) -> Reject | None:
        """(L1)"""
        return None if copy.srcs[0].kind is Kind.INPUT else self.reject(Reason.NOT_IO)

    def dst_is_output(self, copy: Copy) -> Reject | None:
        """(L1)"""
        return None if copy.dst.kind is Kind.OUTPUT else self.reject(Reason.NOT_IO)

    def src_has_no_other_loads(self, copy: Copy) -> Reject | None:
        """(L2)"""
        for reader in copy.srcs[0].readers:
            if reader.step is not copy.step:
                return self.reject(Reason.OTHER_LOADS, reader)
        return None

    def explain(self, copy: Copy) -> Reject | None:
        reject = super().explain(copy)
        if reject is not None and reject.reason is Why.NOT_IO and copy.srcs[0].kind is Kind.INPUT:
            # The side that is IO has the better reason.
            return self.reject_dst(copy)
        return reject


@dataclass
class ReshapeOpElimination(OpEliminationPass):
    name = "reshape-op-elimination"
    kinds = (MemcpyOp,)
    optimizer = ReshapeOpOptimizer
    why = Why
