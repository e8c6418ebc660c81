"""Remove offloaded slices: accesses of the part become accesses of the whole, or the reverse.

Spec: document 000, "Slice - SliceOpOptimizer".

Before                                            After
  "penguin.slice"(%a, %b) {starts = 2, strides = 3} (gone)
  %v = affine.load %b[%i]                           %v = affine.load %a[%i * 3 + 2]

`fuse_dst`: a consumer reads the slab from the parent, at the slice's offset and stride; for both
access kinds, ndim per dimension and flattened by element number. `fuse_src`: the producer of the
parent writes the slab straight into the destination; stores outside of the slab are dropped, and a
nest that stores both inside and outside is cut.

Legality: the clauses of `_optimizer.py`, and
  (L1) no load that feeds a contraction: the systolic array's loader needs the slice as it is laid
       out ("_skip_matmul_loads_from_slice_fusion"); option `fuse-matmul-loads` lifts it.
Keeps: the order of the steps. Leaves alone: slices that an op uses as a whole.
"""

from dataclasses import dataclass

from penguin.analysis.tensors import Access
from penguin.dialects.penguin import SliceOp
from penguin.passes.data_movement._contraction import feeds_contraction
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import Reject, option

Why = closed_list(
    Reason.MATMUL,
    Reason.SPANS,
    Reason.WHOLE,
    *COMMON,
)
"""Reasons for a slice that stays."""


class SliceOpOptimizer(OpOptimizer):
    """Consumers read the parent."""

    def reject_load(self, copy: Copy, load: Access) -> Reject | None:
        if not self.host.fuse_matmul_loads and feeds_contraction(load):
            return self.reject(Reason.MATMUL, load)
        return super().reject_load(copy, load)


@dataclass
class SliceOpElimination(OpEliminationPass):
    name = "slice-op-elimination"
    kinds = (SliceOp,)
    optimizer = SliceOpOptimizer
    why = Why

    fuse_matmul_loads: bool = option(False, "let contractions read from the parent of a slice")
