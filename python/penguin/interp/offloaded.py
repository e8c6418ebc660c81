"""Offloaded primitives; one entry per op of `dialects/penguin/offloaded.py`.

Each entry tolerates a destination that is its source: numpy buffers overlapping assignments.
"""

import numpy as np

from penguin.dialects import penguin as pg
from penguin.dialects.penguin.attributes import AccessKind
from penguin.interp import numerics
from penguin.interp.numerics import Array
from penguin.interp.registry import tensor_op
from penguin.mlir import ir


@tensor_op(pg.MemcpyOp)
def memcpy(op: ir.OpView, src: Array, dst: Array) -> None:
    dst[...] = src.reshape(dst.shape)


@tensor_op(pg.MemcastOp)
def memcast(op: ir.OpView, src: Array, dst: Array) -> None:
    dst[...] = numerics.convert(src, dst.dtype)


@tensor_op(pg.BitcastOp)
def bitcast(op: ir.OpView, src: Array, dst: Array) -> None:
    dst[...] = src.reshape(-1).view(dst.dtype).reshape(dst.shape)


@tensor_op(pg.ConcatOp)
def concat(op: ir.OpView, *tensors: Array) -> None:
    *srcs, dst = tensors
    dst[...] = np.concatenate(srcs, op.axis.value)


@tensor_op(pg.SliceOp)
def slice_(op: ir.OpView, src: Array, dst: Array) -> None:
    flat = op.access.value == AccessKind.FLATTENED
    box = zip(op.starts, op.limits, op.strides, strict=True)
    part = (src.reshape(-1) if flat else src)[tuple(slice(*b) for b in box)]
    dst[...] = part.reshape(dst.shape)


@tensor_op(pg.TransposeOp)
def transpose(op: ir.OpView, src: Array, dst: Array) -> None:
    dst[...] = src.reshape(op.permuted).transpose(list(op.permutation)).reshape(dst.shape)


@tensor_op(pg.BroadcastOp)
def broadcast(op: ir.OpView, src: Array, dst: Array) -> None:
    dims = list(op.dims)
    order = sorted(range(len(dims)), key=dims.__getitem__)
    shape = [1] * dst.ndim
    for dim, target in enumerate(dims):
        shape[target] = src.shape[dim]
    dst[...] = src.transpose(order).reshape(shape)


@tensor_op(pg.MemsetOp)
def memset(op: ir.OpView, dst: Array) -> None:
    dst[...] = np.array(op.value.value).astype(dst.dtype)
