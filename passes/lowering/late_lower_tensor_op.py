"""Lower the offloaded primitives that copy elimination has left into loop nests.

Spec: source document 000, "Stage B - LateLowerTensorOp".

Before                                          After
  "penguin.memcpy"(%a, %b)                        affine.for %i = 0 to 12 {
    : (memref<768xf32>, memref<12x64xf32>)          affine.for %j = 0 to 64 {
                                                      %0 = affine.load %a[%i * 64 + %j]
                                                      affine.store %0, %b[%i, %j]

* What the nests are: `penguin.nests.movement`.
* Every new op has the location of the tensor op.
* Then no load or store goes through a view (`memref.reinterpret_cast`, `penguin.analysis.views`)
  any more: it accesses the base, at the indices of the same element, and the views are erased. A
  `memref.load` or `memref.store` computes those with arith ops.

Leaves alone: compute ops, and the views that they use. Produces tensor-level, not loop-level:
whether `lower-tensor-op` has run before is for the next pass to ask.

A memcpy from a tensor to itself, or to another name of the same memory, needs no nest.

Refuses (PGL010): a destination that is, or shares memory with, a source, except of a memcpy;
(PGL011): a `memref.reinterpret_cast` that is not the whole of its base, row-major.
"""

from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.dialects.penguin import MemcpyOp
from penguin.mlir import ir, walk
from penguin.nests.movement import LOWERINGS
from penguin.passes.lowering import _views
from penguin.passes.lowering._driver import lower
from penguin.passlib import FunctionPass, Statistic, Unit


@dataclass
class LateLowerTensorOp(FunctionPass):
    """Lower the surviving offloaded primitives into loop nests."""

    name = "late-lower-tensor-op"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    lowered = Statistic("Number of offloaded ops lowered")
    nests = Statistic("Number of loop nests created")
    written = Statistic("Number of bytes written by lowered offloaded ops", Unit.BYTES)
    views = Statistic("Number of views removed")

    def run(self, root: ir.OpView) -> None:
        views = _views.check(self, root.operation)
        if self.failed:
            return
        drop_idle_copies(root.operation)
        work = lower(self, root, LOWERINGS, ())
        if self.failed:
            return
        self.views += _views.remove(views)
        self.lowered += work.ops
        self.nests += work.nests
        self.written += work.bytes


def drop_idle_copies(root: ir.Operation) -> None:
    """Erases every memcpy that writes what is there already."""
    aliases = Aliases(root)
    for op in walk(root, MemcpyOp.OPERATION_NAME):
        if aliases.must(*op.operands):
            op.erase()
