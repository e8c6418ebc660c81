"""Remove offloaded transposes: the permutation moves into the addresses of producers or consumers.

Spec: document 000, "Transpose - TransposeOpOptimizer".

Before                                            After
  affine.store %x, %a[%i, %j]                       affine.store %x, %b[%j, %i]
  "penguin.transpose"(%a, %b) {permutation = 1, 0}  (gone)

`fuse_src_into_dst`: producers store permuted; `fuse_dst_into_src`: consumers load permuted. The
side whose loops run fewer times is tried first: a contraction reads an operand again for every tile
of the other one, and every such read would be a strided one.

Legality: the clauses of `_optimizer.py`, and
  (L1) the transpose is not sandwiched between DRAM copies: from a kernel input, or a tensor that
       only copies define, to a kernel output, or a tensor that only copies read. Its ends are
       marked `penguin.non_local`, and the DramToDramTranspose path of the back end has it
       ("mark_dram_to_dram_transpose_non_local").
An identity permutation is no transpose: `tensor-op-transform` makes a memcpy of it
("offloadedTranspose with identity permutation must be lowered to a lower tensor op").
Keeps: the order of the steps. Leaves alone: transposes that an op uses as a whole.
"""

import math
from dataclasses import dataclass

from penguin.analysis.tensors import Access, Kind, Tensor
from penguin.dialects.penguin import TransposeOp
from penguin.dialects.penguin import attributes as names
from penguin.mlir import ir
from penguin.passes.data_movement._elimination import OpEliminationPass
from penguin.passes.data_movement._optimizer import Clause, Copy, OpOptimizer
from penguin.passes.data_movement._reasons import COMMON, Reason, closed_list
from penguin.passlib import Reject

Why = closed_list(
    Reason.DRAM_TO_DRAM,
    Reason.WHOLE,
    *COMMON,
)
"""Reasons for a transpose that stays."""


class TransposeOpOptimizer(OpOptimizer):
    """Takes the side with fewer accesses first."""

    @property
    def dst_clauses(self) -> tuple[Clause, ...]:
        return (self.is_no_dram_to_dram_transpose, *super().dst_clauses)

    @property
    def src_clauses(self) -> tuple[Clause, ...]:
        return (self.is_no_dram_to_dram_transpose, *super().src_clauses)

    def is_no_dram_to_dram_transpose(self, copy: Copy) -> Reject | None:
        """(L1)"""
        if _comes_from_dram(copy.srcs[0], copy) and _goes_to_dram(copy.dst, copy):
            return self.reject(Reason.DRAM_TO_DRAM)
        return None

    def fuse_dst(self, copy: Copy) -> bool:
        loads = sum(map(_iterations, copy.dst.loads))
        stores = sum(map(_iterations, copy.srcs[0].stores))
        if stores <= loads and self.fuse_src(copy):
            return True
        return super().fuse_dst(copy)


def _iterations(access: Access) -> int:
    return math.prod(loop.extent or 1 for loop in access.path)


def _comes_from_dram(tensor: Tensor, copy: Copy) -> bool:
    if tensor.kind is not Kind.INTERNAL:
        return True
    writers = [w for w in tensor.writers if w.step is not copy.step]
    return bool(writers) and all(isinstance(w, Access) and _is_copied(w) for w in writers)


def _goes_to_dram(tensor: Tensor, copy: Copy) -> bool:
    if tensor.kind is not Kind.INTERNAL:
        return True
    readers = [r for r in tensor.readers if r.step is not copy.step]
    return bool(readers) and all(isinstance(r, Access) and _is_copied(r) for r in readers)


def _is_copied(access: Access) -> bool:
    """Whether the scalar goes from a load to a store and nowhere else."""
    value = access.value
    if access.is_store:
        owner = value.owner
        return isinstance(owner, ir.OpView | ir.Operation) and owner.name == "affine.load"
    return all(use.owner.name == "affine.store" for use in value.uses)


@dataclass
class TransposeOpElimination(OpEliminationPass):
    name = "transpose-op-elimination"
    kinds = (TransposeOp,)
    optimizer = TransposeOpOptimizer
    why = Why

    def decline(self, op: ir.Operation, reject: Reject) -> None:
        if reject.reason is Why.DRAM_TO_DRAM:
            mark_dram_to_dram_transpose_non_local(op)
        super().decline(op, reject)


def mark_dram_to_dram_transpose_non_local(op: ir.Operation) -> None:
    """Both ends of a transpose stay in DRAM."""
    for value in op.operands:
        if not isinstance(value.owner, ir.Block):
            value.owner.operation.attributes[names.NON_LOCAL] = ir.UnitAttr.get()
