"""Remove offloaded concats: each access goes to the source that owns its address range.

Spec: document 000, "Concat - ConcatOpOptimizer".

Before                                            After
  "penguin.concat"(%b, %c, %a) {axis = 2}           (gone)
    : 7 and 9 along the axis
  %v = affine.load %a[%x, %y, %m + 8, %n]           %v = affine.load %c[%x, %y, %m + 1, %n]

Producers first: a nest that stores to a source stores into its slab of the destination (`fuse_src`,
all sources at once). Else consumers: the address range of a load along the axis, [8, 15], falls
into one source, which is then read at the index less the source's offset (`fuse_dst`). A load whose
range spans sources has its nest cut in pieces that each read one source; a nest is cut at a loop
only if its iterations may run in the order of the pieces, and at most 16 pieces are made (a guess).

Legality: the clauses of `_optimizer.py`, and
  (L1) each access is in one source's slab, perhaps after cuts: "it access addr space of only a
       single consumer of concat".
Keeps: the order of the steps. Leaves alone: concats that an op uses as a whole.
"""

from dataclasses import dataclass

from penguin.dialects.penguin import ConcatOp
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list

Why = closed_list(
    Reason.SPANS,
    Reason.WHOLE,
    *COMMON,
)
"""Reasons for a concat that stays."""


class ConcatOpOptimizer(OpOptimizer):
    """Slabs are written in place rather than read from several places."""

    prefers_dst = False


@dataclass
class ConcatOpElimination(OpEliminationPass):
    name = "concat-op-elimination"
    kinds = (ConcatOp,)
    optimizer = ConcatOpOptimizer
    why = Why
