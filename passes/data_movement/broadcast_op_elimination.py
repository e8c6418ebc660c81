"""Remove offloaded broadcasts: consumers read the source again for every repetition.

Document 000 has no such pass: there, lowering makes load maps of broadcasts. Here `lower-tensor-op`
does so for the compute ops that it lowers; this pass does it for loads that come to be later, when
another elimination has removed an op between the broadcast and its consumer.

Before                                            After
  "penguin.broadcast"(%a, %b) {dims = 1}            (gone)
  %v = affine.load %b[%i, %j]                       %v = affine.load %a[%j]

Only `fuse_dst`: stores to the source would have to be repeated.

Legality: the clauses of `_optimizer.py` for that direction.
Keeps: the order of the steps. Leaves alone: broadcasts that an op uses as a whole.
"""

from dataclasses import dataclass

from penguin.dialects.penguin import BroadcastOp
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import Reject

Why = closed_list(
    Reason.WHOLE,
    *COMMON,
    BOUNDARY="the destination is seen from outside, or shares a buffer with what is",
    READ_BEFORE="the destination is still used before the broadcast",
)
"""Reasons for a broadcast that stays."""


class BroadcastOpOptimizer(OpOptimizer):
    """One direction."""

    def fuse_src(self, copy: Copy) -> bool:
        return False

    def explain(self, copy: Copy) -> Reject | None:
        return self.reject_dst(copy) or super().explain(copy)

    def reject_src(self, copy: Copy) -> Reject | None:
        return self.reject(Reason.WHOLE)


@dataclass
class BroadcastOpElimination(OpEliminationPass):
    name = "broadcast-op-elimination"
    kinds = (BroadcastOp,)
    optimizer = BroadcastOpOptimizer
    why = Why
