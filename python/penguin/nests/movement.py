"""The nests of the offloaded primitives.

* Loops are those of `lower-tensor-op`: in the order of the destination's
  dimensions, none for an extent of 1. A reshape loops over the common refinement of both shapes;
  where there is none, a flat loop with floordiv and mod in the access maps (`indexing`).
* A transpose between reshapes loops over their common basis (`transposes`).
* slice, transpose, broadcast and concat are access maps: strides and offsets, permuted dimensions,
  the constant 0 along repeated dimensions, one nest per source.
* memcast converts each element (`convert`).
* bitcast to a narrower type is one nest per part of the wide element, each a shift and a
  truncation; to a wider type, one nest that joins the parts. Part 0 is the low one.
"""

from penguin.dialects.penguin import (
    BitcastOp,
    BroadcastOp,
    ConcatOp,
    MemcastOp,
    MemcpyOp,
    MemsetOp,
    SliceOp,
    TransposeOp,
)
from penguin.dialects.penguin.attributes import AccessKind, Kind
from penguin.mlir import ir
from penguin.nests.builder import Builder, Lowering, Tensor
from penguin.nests.convert import convert
from penguin.nests.elements import Element
from penguin.nests.indexing import ZERO, Index, constant, delinearize, reshape
from penguin.nests.scalars import Scalars
from penguin.nests.transposes import basis


def _memcpy(op: MemcpyOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    extents, src_at, dst_at = reshape(src.shape, dst.shape)
    with builder.nest(op) as nest:
        nest.parallel(extents)
        nest.store(nest.load(src, src_at), dst, dst_at)


def _memcast(op: MemcastOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        value = convert(nest.scalars(src.element), nest.load(src, at), dst.element)
        nest.store(value, dst, at)


def _memset(op: MemsetOp, builder: Builder, dst: Tensor) -> None:
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        nest.store(nest.scalars(dst.element).constant(op.attributes["value"].value), dst, at)


def _concat(op: ConcatOp, builder: Builder, *tensors: Tensor) -> None:
    *srcs, dst = tensors
    axis, offset = op.axis.value, 0
    for src in srcs:
        if src.empty:
            continue
        with builder.nest(op) as nest:
            at = nest.parallel(src.shape)
            dst_at = list(at)
            dst_at[axis] = at[axis].times(1, offset)
            nest.store(nest.load(src, at), dst, dst_at)
        offset += src.shape[axis]


def _slice(op: SliceOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    starts, strides = list(op.starts), list(op.strides)
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        if op.access.value == AccessKind.NDIM:
            src_at = [
                i.times(stride, start) for i, stride, start in zip(at, strides, starts, strict=True)
            ]
        else:
            src_at = _flattened(starts[0], strides[0], src.shape, dst.shape)
        nest.store(nest.load(src, src_at), dst, at)


def _flattened(
    start: int, stride: int, src: tuple[int, ...], dst: tuple[int, ...]
) -> tuple[Index, ...]:
    """Where element `start + stride * n` of `src` lies, n being the element of `dst` in turn."""
    extents = [extent for extent in dst if extent != 1]
    terms, weight = [], stride
    for position in reversed(range(len(extents))):
        terms.append((position, weight))
        weight *= extents[position]
    return delinearize(Index(tuple(reversed(terms)), start), extents, src)


def _transpose(op: TransposeOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    extents, src_at, dst_at = basis(src.shape, op.permuted, tuple(op.permutation), dst.shape)
    with builder.nest(op) as nest:
        nest.parallel(extents)
        nest.store(nest.load(src, src_at), dst, dst_at)


def _broadcast(op: BroadcastOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        src_at = [
            ZERO if extent == 1 else at[dim] for extent, dim in zip(src.shape, op.dims, strict=True)
        ]
        nest.store(nest.load(src, src_at), dst, at)


def _bitcast(op: BitcastOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    wide, narrow = src.element.width, dst.element.width
    if wide > narrow:
        for part in range(wide // narrow):
            with builder.nest(op) as nest:
                at = nest.parallel(src.shape)
                s, value = nest.scalars(src.element), nest.load(src, at)
                nest.store(_part(s, value, part, dst.element), dst, [*at, constant(part)])
        return
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        s = nest.scalars(src.element)
        if wide == narrow:
            bits = _bits(s, nest.load(src, at))
        else:
            parts = range(narrow // wide)
            bits = _joined(s, [nest.load(src, [*at, constant(p)]) for p in parts], narrow)
        nest.store(_unbits(s.on(dst.element.name), bits), dst, at)


def _word(s: Scalars, width: int) -> Scalars:
    return s.on(f"ui{width}")


def _bits(s: Scalars, value: ir.Value) -> ir.Value:
    """An element as an integer of its width."""
    is_float = s.element.kind is Kind.FLOAT
    return _word(s, s.element.width).op("arith.bitcast", value) if is_float else value


def _unbits(s: Scalars, bits: ir.Value) -> ir.Value:
    return s.op("arith.bitcast", bits) if s.element.kind is Kind.FLOAT else bits


def _part(s: Scalars, value: ir.Value, part: int, narrow: Element) -> ir.Value:
    """The bits of `value` from `part * width` on, as one narrow element."""
    bits, wide = _bits(s, value), _word(s, s.element.width)
    if part:
        bits = wide.op("arith.shrui", bits, wide.constant(part * narrow.width))
    bits = _word(s, narrow.width).op("arith.trunci", bits)
    return _unbits(s.on(narrow.name), bits)


def _joined(s: Scalars, parts: list[ir.Value], width: int) -> ir.Value:
    """Narrow elements side by side in one word, the first lowest."""
    wide, joined = _word(s, width), None
    for part, value in enumerate(parts):
        bits = wide.op("arith.extui", _bits(s, value))
        if joined is None:
            joined = bits
            continue
        shifted = wide.op("arith.shli", bits, wide.constant(part * s.element.width))
        joined = wide.op("arith.ori", joined, shifted)
    assert joined is not None
    return joined


LOWERINGS: dict[type, Lowering] = {
    BitcastOp: _bitcast,
    BroadcastOp: _broadcast,
    ConcatOp: _concat,
    MemcastOp: _memcast,
    MemcpyOp: _memcpy,
    MemsetOp: _memset,
    SliceOp: _slice,
    TransposeOp: _transpose,
}
