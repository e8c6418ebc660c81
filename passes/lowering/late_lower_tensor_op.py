"""Lower the offloaded primitives that copy elimination has left into loop nests.

Spec: source document 000, "Stage B - LateLowerTensorOp".

Before                                          After
  "penguin.memcpy"(%a, %b)                        affine.for %i = 0 to 12 {
    : (memref<768xf32>, memref<12x64xf32>)          affine.for %j = 0 to 64 {
                                                      %0 = affine.load %a[%i * 64 + %j]
                                                      affine.store %0, %b[%i, %j]

* What the nests are: `penguin.nests.movement`.
* A transpose between reshapes (`src_shape`) becomes one nest over the common basis of both, i.e.
  over loops in which the indices into source and destination are linear. If there is none, it is
  split: the source is copied to a tensor of `src_shape`, or the permuted elements go to a tensor of
  their shape and from there to the destination, or both; a missed remark has the reason.
* A transpose within one buffer of a kernel's interface, be it one argument or an output that shares
  the buffer of an input (`penguin.alias`), reads a copy of it.
* Every new op has the location of the tensor op.
* Then no load or store goes through a view (`memref.reinterpret_cast`, `penguin.analysis.views`)
  any more: it accesses the base, at the indices of the same element, and the views are erased. A
  `memref.load` or `memref.store` computes those with arith ops.

Leaves alone: compute ops, and the views that they use. Produces tensor-level, not loop-level:
whether `lower-tensor-op` has run before is for the next pass to ask.

A memcpy from a tensor to itself, or to another name of the same memory, needs no nest.

Refuses (PGL010): a destination that is, or shares memory with, a source, except of a memcpy (of a
transpose: "Only IO buffer could transpose with same src/dst"); (PGL011): a
`memref.reinterpret_cast` that is not the whole of its base, row-major.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.dialects.penguin import MemcpyOp, TransposeOp
from penguin.mlir import ir, walk
from penguin.nests.movement import LOWERINGS
from penguin.nests.transposes import NO_BASIS
from penguin.passes.lowering import _transposes as transposes
from penguin.passes.lowering import _views
from penguin.passes.lowering._driver import OVERLAP, lower
from penguin.passlib import FunctionPass, Statistic, Unit


class Why(enum.Enum):
    """Reasons for a transpose that one nest cannot do."""

    NO_BASIS = NO_BASIS


@dataclass
class LateLowerTensorOp(FunctionPass):
    """Lower the surviving offloaded primitives into loop nests."""

    name = "late-lower-tensor-op"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    lowered = Statistic("Number of offloaded ops lowered")
    nests = Statistic("Number of loop nests created")
    written = Statistic("Number of bytes written by lowered offloaded ops", Unit.BYTES)
    split = Statistic("Number of offloaded transposes split")
    copied = Statistic("Number of offloaded transposes that read a copy of their buffer")
    views = Statistic("Number of views removed")

    def run(self, root: ir.OpView) -> None:
        views = _views.check(self, root.operation)
        if self.failed:
            return
        drop_idle_copies(root.operation)
        plans = []
        for each in transposes.plans(root.operation):
            if isinstance(each, transposes.Plan):
                plans.append(each)
            else:
                self.error(each, OVERLAP, f"'{each.name}' op {transposes.IN_PLACE}")

        def prepare() -> bool:
            for plan in plans:
                self.copied += plan.copied
                self.split += any(plan.split)
                if any(plan.split):
                    self.missed(plan.op, Why.NO_BASIS)
                transposes.rewrite(plan)
            return bool(plans)

        # Whether these may work in place has been decided.
        work = lower(self, root, LOWERINGS, (TransposeOp,), prepare)
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
