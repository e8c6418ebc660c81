"""Fuse offloaded casts into the loop nests around them; the conversion is never dropped.

Spec: document 000, "Cast - CastOpOptimizer", whose docstring says: "fuse_dst = True, implies
eliminate memcast by eliminating dst tensor; fuse_src = True, implies eliminate memcast by
eliminating src tensor". The numeric side (which conversions may go away) is another page's.

Before                                            After
  affine.store %x, %a[%i]          : f32            %y = arith.truncf %x
  "penguin.memcast"(%a, %b)                         affine.store %y, %b[%i]     : bf16
  %z = affine.load %b[%i]          : bf16           %z = affine.load %b[%i]

`fuse_src` first: if the cast is the only reader of its source, the nest that stores the source
converts and stores the destination. Else `fuse_dst`: a nest that loads the destination loads the
source and converts.

Legality: the clauses of `_optimizer.py`, and
  (L1) fuse_src: nobody else reads the source, which would not exist any more in its dtype;
  (L2) fuse_dst: no load runs more often than there are elements: each load converts, so a
       contraction or a broadcast would convert the same element again and again. Several loads
       that each run once per element may (a choice: it trades cheap scalar work for traffic).
Keeps: every conversion, in number and in kind. Leaves alone: casts that an op uses as a whole.
"""

import math
from dataclasses import dataclass

from penguin.analysis.affine_form import Form
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Tensor
from penguin.dialects.penguin import MemcastOp
from penguin.mlir import ir
from penguin.nests.builder import Builder, convert_before
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Clause, Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import FunctionPass, Reject, Statistic

Why = closed_list(
    Reason.OTHER_READERS,
    Reason.READ_MORE_THAN_ONCE,
    Reason.WHOLE,
    *COMMON,
)
"""Reasons for a memcast that stays."""


class CastOpOptimizer(OpOptimizer):
    """Puts conversions beside the accesses that it redirects."""

    prefers_dst = False

    def __init__(self, host: FunctionPass, uses: TensorUses, kinds: tuple[type, ...]) -> None:
        super().__init__(host, uses, kinds)
        self.builder = Builder()
        self.conversions = 0

    @property
    def src_clauses(self) -> tuple[Clause, ...]:
        return (*super().src_clauses, self.src_has_no_other_readers)

    def src_has_no_other_readers(self, copy: Copy) -> Reject | None:
        """(L1)"""
        for reader in copy.srcs[0].readers:
            if reader.step is not copy.step:
                return self.reject(Reason.OTHER_READERS, reader)
        return None

    def reject_load(self, copy: Copy, load: Access) -> Reject | None:
        """(L2)"""
        if math.prod(loop.extent or 1 for loop in load.path) > max(1, copy.dst.count):
            return self.reject(Reason.READ_MORE_THAN_ONCE, load)
        return super().reject_load(copy, load)

    def redirect_load(self, copy: Copy, load: Access, src: Tensor, forms: tuple[Form, ...]) -> None:
        old = load.op
        self.rewriter.replace_load_src(load, src, forms, lambda v: self.convert(copy, v, old))

    def redirect_store(
        self, copy: Copy, store: Access, dst: Tensor, forms: tuple[Form, ...]
    ) -> None:
        old = store.op
        self.rewriter.replace_store_dst(store, dst, forms, lambda v: self.convert(copy, v, old))

    def convert(self, copy: Copy, value: ir.Value, before: ir.Operation) -> ir.Value:
        """The conversion of one scalar, with the location of the cast."""
        self.conversions += 1
        source, target = (
            self.builder.element(tensor.dtype.mlir) for tensor in (copy.srcs[0], copy.dst)
        )
        location = copy.op.location
        return convert_before(before, value, source, target, self.builder, location)


@dataclass
class CastOpElimination(OpEliminationPass):
    name = "cast-op-elimination"
    kinds = (MemcastOp,)
    optimizer = CastOpOptimizer
    why = Why

    conversions = Statistic("Number of casts put into loop nests")

    def account(self, optimizer: OpOptimizer) -> None:
        assert isinstance(optimizer, CastOpOptimizer)
        self.conversions += optimizer.conversions
