"""Offloaded primitives: data movement as one op, until a pass folds it or lowers it to a nest.

memcpy     same dtype, same element count: a relabelling of a row-major buffer, hence also a reshape
memcast    conversion to another dtype: real compute, never dropped like a memcpy
bitcast    reinterpretation of the bytes under another dtype
concat     sources one after another along an axis
slice      a strided box of the source
transpose  a permutation of dimensions, between two reshapes if need be
broadcast  repetition along new dimensions and along dimensions of extent 1
memset     one value everywhere
"""

import math
from itertools import pairwise
from typing import Any

from penguin.dialects.base import IndexList, Many, Operand, Tensor, defaulted, tensor
from penguin.dialects.penguin.attributes import SRC_SHAPE, AccessKind
from penguin.dialects.penguin.dialect import (
    TensorOp,
    Violation,
    axes,
    given,
    has_shape,
    integer,
    ints,
    length,
    member,
    same_dtype,
    same_shape,
)
from penguin.mlir import ir


class MemcpyOp(TensorOp, name="memcpy"):
    """`dst[k] = src[k]` in row-major order of both: a copy or a reshape.

    (C1) operands are tensors
    (C2) dst has the dtype of src
    (C3) dst has as many elements as src

    Example: `"penguin.memcpy"(%t, %u) : (memref<8x6xf32, "dram">, memref<48xf32, "dram">) -> ()`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]

    def check(self, src: Tensor, dst: Tensor) -> None:
        same_dtype(1, dst, 0, src, "C2")
        if src.count != dst.count:
            raise Violation(
                f"operand #1 has {dst.count} elements, expected {src.count}"
                " to match operand #0 (C3)"
            )


class MemcastOp(TensorOp, name="memcast"):
    """`dst[i] = convert(src[i])` as `stablehlo.convert`.

    Float to float rounds to nearest even; float to integer truncates, saturates, and takes NaN to
    0; integer to narrower integer wraps; anything to i1 is `!= 0`.

    (C1) operands are tensors
    (C2) dst has another dtype than src
    (C3) dst has the shape of src

    Example: `"penguin.memcast"(%x, %y) : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]

    def check(self, src: Tensor, dst: Tensor) -> None:
        if src.dtype is dst.dtype:
            raise Violation(
                f"operand #1 has dtype {dst.dtype.mlir}, expected another than that of operand #0"
                " (C2)"
            )
        same_shape(1, dst, 0, src, "C3")


class BitcastOp(TensorOp, name="bitcast"):
    """The bytes of src under the dtype of dst, as `stablehlo.bitcast_convert`, little-endian.

    Between widths the narrower side has one more dimension, the last, of extent wide/narrow.

    (C1) operands are tensors
    (C2) i1 casts to i1 only: its width in memory is a byte, not a bit
    (C3) the shape of dst is that of src, with the dimension of a change of width added or dropped

    Example: `"penguin.bitcast"(%x, %y) : (memref<4xf32, "dram">, memref<4x2xui16, "dram">) -> ()`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]

    def check(self, src: Tensor, dst: Tensor) -> None:
        if src.dtype is not dst.dtype and "i1" in (src.dtype.mlir, dst.dtype.mlir):
            raise Violation(
                f"operand #1 has dtype {dst.dtype.mlir}, expected {src.dtype.mlir}:"
                " i1 has no other bit pattern (C2)"
            )
        wide, narrow = src.dtype.itemsize, dst.dtype.itemsize
        if wide >= narrow:
            expected = (*src.shape, wide // narrow) if wide > narrow else src.shape
        else:
            ratio = narrow // wide
            if not src.shape or src.shape[-1] != ratio:
                got = f"last dim {src.shape[-1]}" if src.shape else "rank 0"
                raise Violation(
                    f"operand #0 has {got}, expected last dim {ratio} to make one"
                    f" {dst.dtype.mlir} (C3)"
                )
            expected = src.shape[:-1]
        has_shape(1, dst, expected, f" for {src.dtype.mlir} to {dst.dtype.mlir}", "C3")


class ConcatOp(TensorOp, name="concat"):
    """The sources one after another along `axis`.

    The bindings give sequences one type only, so the text lists the runs of equally typed sources
    in `operandSegmentSizes` (`Many`): `array<i32: 2, 1, 0, ..., 0, 1>` are two of one type, one of
    another, and the destination. The builder fills it in.

    (C1) operands are tensors
    (C2) there is a source
    (C3) every source and dst have one dtype
    (C4) axis is an i64 and a dimension of dst
    (C5) the sources have the shape of dst except along axis
    (C6) along axis the extents of the sources add up to that of dst

    Example: `ConcatOp([a, b], dst, axis=1)`
    """

    srcs: Many
    dst: Operand[ir.MemRefType]
    axis: ir.IntegerAttr

    def check(self, *tensors: Tensor) -> None:
        *srcs, dst = tensors
        if not srcs:
            raise Violation("has no sources, expected at least one (C2)")
        for (i, a), (j, b) in pairwise(enumerate(tensors)):
            same_dtype(j, b, i, a, "C3")
        rank = len(dst.shape)
        axis = integer(self, "axis", "C4")
        if not 0 <= axis < rank:
            raise Violation(f"axis is {axis}, expected 0 to {rank - 1} (C4)")
        for number, src in enumerate(srcs):
            extent = src.shape[axis : axis + 1]
            expected = (*dst.shape[:axis], *extent, *dst.shape[axis + 1 :])
            has_shape(number, src, expected, f" to match operand #{len(srcs)}", "C5")
        total = sum(src.shape[axis] for src in srcs)
        if total != dst.shape[axis]:
            raise Violation(
                f"operand #{len(srcs)} dim {axis} is {dst.shape[axis]}, expected {total},"
                " the sum over the sources (C6)"
            )


class SliceOp(TensorOp, name="slice"):
    """`dst[i] = src[starts + i * strides]` over the box `[starts, limits)`.

    With access "flattened" src counts as its row-major list of elements: the index lists have one
    entry, and dst any shape of that many elements.

    (C1) operands are tensors
    (C2) dst has the dtype of src
    (C3) access is "ndim" or "flattened"
    (C4) starts, limits and strides are array<i64> with one entry per dimension of the access
    (C5) 0 <= starts <= limits <= extent
    (C6) strides are at least 1
    (C7) the extents of dst are ceil((limits - starts) / strides), or their number of elements is

    Example: `SliceOp(src, dst, starts=[0, 2], limits=[4, 8], strides=[1, 2])`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    starts: IndexList
    limits: IndexList
    strides: IndexList
    access: ir.StringAttr = defaulted(default_factory=lambda: AccessKind.NDIM)

    def check(self, src: Tensor, dst: Tensor) -> None:
        same_dtype(1, dst, 0, src, "C2")
        access = member(self, "access", AccessKind, "C3")
        flat = access is AccessKind.FLATTENED
        extents = (src.count,) if flat else src.shape
        lists = []
        for key in ("starts", "limits", "strides"):
            values = ints(self, key, "C4")
            if len(values) != len(extents):
                what = "a flattened access" if flat else "the rank of operand #0"
                raise Violation(
                    f"{key} has {len(values)} entries, expected {len(extents)} for {what} (C4)"
                )
            lists.append(values)
        expected = []
        for dim, (start, limit, stride, extent) in enumerate(zip(*lists, extents, strict=True)):
            if not 0 <= start <= limit <= extent:
                raise Violation(
                    f"dim {dim} takes {start} to {limit}, expected a range within 0 to {extent}"
                    " (C5)"
                )
            if stride < 1:
                raise Violation(f"strides dim {dim} is {stride}, expected at least 1 (C6)")
            expected.append(-((start - limit) // stride))
        if not flat:
            has_shape(1, dst, expected, " for this slice", "C7")
        elif dst.count != expected[0]:
            raise Violation(
                f"operand #1 has {dst.count} elements, expected {expected[0]} for this slice (C7)"
            )


class TransposeOp(TensorOp, name="transpose"):
    """Dimension `i` of dst is dimension `permutation[i]` of src.

    With the optional attribute `src_shape`, src counts as row-major elements of that shape, which
    is permuted, and dst as those of the result: a reshape, a transpose and a reshape.

    (C1) operands are tensors
    (C2) dst has the dtype of src
    (C3) permutation is an array<i64> with one entry per dimension of src, or of src_shape
    (C4) permutation holds each dimension once
    (C5) the extents of dst are those of src, permuted; with src_shape, dst has as many elements
    (C6) src_shape is an array<i64> of as many elements as src has

    Example: `TransposeOp(src, dst, permutation=[1, 0])`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    permutation: IndexList

    def check(self, src: Tensor, dst: Tensor) -> None:
        same_dtype(1, dst, 0, src, "C2")
        permutation = ints(self, "permutation", "C3")
        if SRC_SHAPE in self.attributes:
            shape = ints(self, SRC_SHAPE, "C6")
            count = math.prod(shape)
            if count != src.count or min(shape, default=0) < 0:
                raise Violation(
                    f"{SRC_SHAPE} is {list(shape)}, expected a shape of {src.count} elements"
                    " to match operand #0 (C6)"
                )
            if len(permutation) != len(shape):
                raise Violation(
                    f"permutation has {len(permutation)} entries, expected {len(shape)},"
                    f" the length of {SRC_SHAPE} (C3)"
                )
            axes(permutation, "permutation", len(shape), "C4")
            if dst.count != src.count:
                raise Violation(
                    f"operand #1 has {dst.count} elements, expected {src.count}:"
                    " OffloadedTranspose - src and dst must have same number of elements (C5)"
                )
            return
        length(permutation, "permutation", len(src.shape), 0, "C3")
        axes(permutation, "permutation", len(src.shape), "C4")
        has_shape(1, dst, [src.shape[p] for p in permutation], " for this permutation", "C5")

    @property
    def permuted(self) -> tuple[int, ...]:
        """The shape that is permuted."""
        if SRC_SHAPE in self.attributes:
            return tuple(self.attributes[SRC_SHAPE])
        return tensor(self.operands[0]).shape


class BroadcastOp(TensorOp, name="broadcast"):
    """Dimension `i` of src is dimension `dims[i]` of dst, as `stablehlo.broadcast_in_dim`.

    (C1) operands are tensors
    (C2) dst has the dtype of src
    (C3) dims is an array<i64> with one entry per dimension of src
    (C4) dims are distinct dimensions of dst
    (C5) each extent of src is 1 or that of its dimension of dst

    Example: `BroadcastOp(src, dst, dims=[1])`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    dims: IndexList

    def check(self, src: Tensor, dst: Tensor) -> None:
        same_dtype(1, dst, 0, src, "C2")
        dims = ints(self, "dims", "C3")
        length(dims, "dims", len(src.shape), 0, "C3")
        axes(dims, "dims", len(dst.shape), "C4")
        for dim, (extent, target) in enumerate(zip(src.shape, dims, strict=True)):
            if extent != 1 and extent != dst.shape[target]:
                raise Violation(
                    f"operand #0 dim {dim} is {extent}, expected 1 or {dst.shape[target]}"
                    f" to match operand #1 dim {target} (C5)"
                )


class MemsetOp(TensorOp, name="memset"):
    """Every element of dst is `value`.

    (C1) operands are tensors
    (C2) value is a number of dst's element type

    Example: `"penguin.memset"(%t) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()`
    """

    dst: Operand[ir.MemRefType]
    value: Any

    def check(self, dst: Tensor) -> None:
        value = given(self, "value", "a number", "C2")
        if not isinstance(value, ir.FloatAttr | ir.IntegerAttr | ir.BoolAttr):
            raise Violation(f"value is {value}, expected a number (C2)")
        if str(value.type) != dst.dtype.mlir:
            raise Violation(
                f"value has type {value.type}, expected {dst.dtype.mlir} to match operand #0 (C2)"
            )


# All of them: what moves data and does not compute.
OFFLOADED = (
    BitcastOp,
    BroadcastOp,
    ConcatOp,
    MemcastOp,
    MemcpyOp,
    MemsetOp,
    SliceOp,
    TransposeOp,
)
