"""Fold offloaded memcpys into the accesses around them: the polyhedral copy-folder.

Spec: document 000, "MemcpyElimination" (names and the shape of the legality predicate are public,
its body is not: the clauses below are ours).

Before                                            After
  affine.for %i ... affine.store %x, %t[%i]         affine.for %i ... affine.store %x, %t[%i]
  "penguin.memcpy"(%t, %u) : 768 to 12x64           (gone)
  affine.for %h, %d                                 affine.for %h, %d
    %v = affine.load %u[%h, %d]                       %v = affine.load %t[%h * 64 + %d]

Three paths:
  1. *trivial aliased copy*, tried first: both ends are one buffer, so the copy does nothing;
  2. *collective destination*: an op that fills the source as a whole writes the destination
     instead. That is `fuse_src` with a reinterpret cast, for any op that is not lowered to a nest;
     the dialect has no collectives yet, which the document has the path for;
  3. *general fold*: loads of the destination read the source (`fuse_dst`), or stores to the source
     write the destination (`fuse_src`); the mapping of elements is row-major order. Ops that use
     the tensor as a whole get a reinterpret cast of the other one. If only the place of the
     producer is in the way, the producing nest moves to the copy ("simple dag moved").

Legality, in either direction, all of (`_optimizer.py` has one method per clause):
  (L1) addresses stay quasi-affine: failing is a "failure in access folding"             (a)
  (L2) a producer that moves is not read before its new place                            (b)
  (L3) no generic access and no opaque use of the tensor that is eliminated              (c)
  (L4) the eliminated tensor is internal, in the memory of the other one, and defined
       once; no store to an aliased output falls in between                              (d)
  (L5) nothing overwrites what will be read, or uses what will be written, in between;
       no barrier is crossed                                                             (e)
Keeps: the order of all steps but a producer that moves. Leaves alone: rematerialised tensors.
A memcpy has one dtype by its verifier, so "Number of cast inserted" stays 0: conversions are
memcasts, and `cast-op-elimination`'s.
"""

from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Step, Use
from penguin.dialects.penguin import MemcpyOp
from penguin.mlir import ir
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import FunctionPass, Reject, Statistic, Unit

Why = closed_list(
    Reason.READ_MORE_THAN_ONCE,
    *COMMON,
    READ_MORE_THAN_ONCE="the producer cannot move to the copy: read before",
)
"""Reasons for a memcpy that stays."""


class MemcpyFolder(OpOptimizer):
    """The engine on memcpys, with the trivial path before and producers that move."""

    views = True

    def __init__(self, host: FunctionPass, uses: TensorUses, kinds: tuple[type, ...]) -> None:
        super().__init__(host, uses, kinds)
        self.moved = 0

    def fuse_dst(self, copy: Copy) -> bool:
        return self.try_eliminate_trivial_aliased_copy(copy) or super().fuse_dst(copy)

    def try_eliminate_trivial_aliased_copy(self, copy: Copy) -> bool:
        """Path 1: the copy of a buffer onto itself."""
        if not self.is_trivial_aliased_copy(copy):
            return False
        self.host.done(copy.op, "TrivialAliasedCopy", **self.ends(copy))
        self._touch(copy)
        self._remove(copy)
        self.uses.erase(copy.step)
        return True

    def is_trivial_aliased_copy(self, copy: Copy) -> bool:
        return copy.srcs[0].group is copy.dst.group and not copy.step.is_barrier

    def explain(self, copy: Copy) -> Reject | None:
        if self.is_trivial_aliased_copy(copy) and self.host.may_rewrite():
            copy.tried = -1
            return None
        return super().explain(copy)

    # A producer that moves ----------------------------------------------------------------------

    def dst_is_not_used_before_the_copy(self, copy: Copy) -> Reject | None:
        reject = super().dst_is_not_used_before_the_copy(copy)
        if reject is None:
            return None
        producer = self.producer(copy)
        if producer is None:
            return reject
        if any(r.step.order < copy.order for r in copy.srcs[0].readers):
            return Reject(Why.READ_MORE_THAN_ONCE, at=reject.at, args=reject.args)
        return None if self.can_move(producer, copy) else reject

    def producer(self, copy: Copy) -> Step | None:
        """The one nest that defines the source, and nothing else."""
        (src,) = copy.srcs
        steps = {writer.step: None for writer in src.writers}
        if len(steps) != 1:
            return None
        (step,) = steps
        others = any(a.is_store and a.tensor is not src for a in step.accesses)
        if others or len(step.op.results) or not len(step.op.regions):
            return None
        return None if any(use.is_opaque for use in step.uses) else step

    def can_move(self, producer: Step, copy: Copy) -> bool:
        """Whether the nest computes the same at the place of the copy."""
        if producer.is_barrier or self.uses.crosses_barrier(producer.order, copy.order):
            return False
        touches: list[Access | Use] = [*producer.accesses, *producer.uses]
        return all(
            self.uses.written_between(t.tensor, producer.order, copy.order - 0.0) is None
            or t.tensor is copy.srcs[0]
            for t in touches
        )

    def fuse_src(self, copy: Copy) -> bool:
        if self.reject_src(copy) is not None:
            return False
        if super().dst_is_not_used_before_the_copy(copy) is not None:
            producer = self.producer(copy)
            assert producer is not None
            self.rewriter.move(producer, copy.step)
            self.moved += 1
        return super().fuse_src(copy)


@dataclass
class MemcpyElimination(OpEliminationPass):
    name = "memcpy-elimination"
    kinds = (MemcpyOp,)
    optimizer = MemcpyFolder
    why = Why

    eliminated = Statistic("Number of memcopy eliminated")
    eliminated_bytes = Statistic("Number of bytes eliminated", Unit.BYTES)
    copied_bytes = Statistic("Number of bytes copied by memcpy", Unit.BYTES)
    casts = Statistic("Number of cast inserted")
    reinterprets = Statistic("Number of reinterpret cast inserted")
    quasi_affine = Statistic("Number of quasi affine expr generated during addr rewrite")
    failed_access_folding = Statistic("Number of failure in access folding")
    moved = Statistic("Number of simple dag moved")
    remated = Statistic("Number of remated tensors skipped")

    def run(self, root: ir.OpView) -> None:
        self.copied_bytes += sum(self.bytes_of(op) for op in self.candidates(root))
        super().run(root)

    def account(self, optimizer: OpOptimizer) -> None:
        assert isinstance(optimizer, MemcpyFolder)
        self.reinterprets += optimizer.rewriter.views
        self.quasi_affine += optimizer.rewriter.quasi_affine
        self.moved += optimizer.moved

    def done(self, op: ir.Operation, name: str, **args: str) -> None:
        self.eliminated += 1
        self.eliminated_bytes += self.bytes_of(op)
        super().done(op, name, **args)

    def decline(self, op: ir.Operation, reject: Reject) -> None:
        self.failed_access_folding += reject.reason is Why.ADDRESS
        self.remated += reject.reason is Why.REMATERIALISED
        super().decline(op, reject)
