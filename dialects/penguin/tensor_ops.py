"""Compute ops: what `lower-tensor-op` turns into loop nests.

tensor_contract           dot_general with every axis named
reduce                    one associative function over some axes
unary, binary, ternary    a function per element; the function is an attribute
select                    per element, or one predicate for all
pad, iota, reverse        StableHLO's
gather                    slices of a tensor, at places that another tensor holds
"""

from collections.abc import Sequence
from dataclasses import dataclass

from penguin.dialects.base import IndexList, Operand, Tensor
from penguin.dialects.penguin.attributes import (
    BINARY_KINDS,
    FUNCTION,
    INTEGERS,
    NUMBERS,
    REDUCTION_KINDS,
    UNARY_KINDS,
    Binary,
    Reduction,
    Ternary,
    Unary,
)
from penguin.dialects.penguin.dialect import (
    TensorOp,
    Violation,
    axes,
    has_shape,
    integer,
    ints,
    is_dtype,
    kinds,
    length,
    member,
    same_dtype,
    same_shape,
    scalar,
)
from penguin.mlir import ir


class TensorContractOp(TensorOp, name="tensor_contract"):
    """`dst[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, n, k]`, each letter a list of axes.

    Entry `i` of lhs_batch_axes meets entry `i` of rhs_batch_axes, likewise the contract axes. dst
    has the batch dimensions, the free ones of lhs, the free ones of rhs, in the order of the lists.
    Floats accumulate in f32 and are rounded once; integers accumulate in dst's dtype and wrap.

    (C1) operands are tensors
    (C2) operands are all floats or all integers
    (C3) the axes of a side are array<i64> and name each of its dimensions once
    (C4) both sides have as many batch axes, and as many contract axes
    (C5) axes that meet have the same extent
    (C6) dst has the extents of the batch, lhs free and rhs free axes

    Example: `TensorContractOp(a, b, c, [], [], [1], [0], [0], [1])` is `c = a @ b`.
    """

    lhs: Operand[ir.MemRefType]
    rhs: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    lhs_batch_axes: IndexList
    rhs_batch_axes: IndexList
    lhs_contract_axes: IndexList
    rhs_contract_axes: IndexList
    lhs_free_axes: IndexList
    rhs_free_axes: IndexList

    def check(self, lhs: Tensor, rhs: Tensor, dst: Tensor) -> None:
        for number, t in enumerate((lhs, rhs, dst)):
            kinds(number, t, NUMBERS, "a contraction", "C2")
            if lhs.dtype.is_float is not t.dtype.is_float:
                expected = "a float" if lhs.dtype.is_float else "an integer"
                raise Violation(
                    f"operand #{number} has dtype {t.dtype.mlir}, expected {expected}"
                    " to match operand #0 (C2)"
                )
        of: dict[str, tuple[int, ...]] = {}
        for number, (side, t) in enumerate((("lhs", lhs), ("rhs", rhs))):
            for role in ("batch", "contract", "free"):
                key = f"{side}_{role}_axes"
                of[f"{side} {role}"] = ints(self, key, "C3")
            every = of[f"{side} batch"] + of[f"{side} contract"] + of[f"{side} free"]
            what = f"{side}_batch_axes, {side}_contract_axes and {side}_free_axes"
            axes(every, what, len(t.shape), "C3")
            length(every, what, len(t.shape), number, "C3")
        for role in ("batch", "contract"):
            left, right = of[f"lhs {role}"], of[f"rhs {role}"]
            if len(left) != len(right):
                raise Violation(
                    f"rhs_{role}_axes has {len(right)} entries, expected {len(left)}"
                    f" to match lhs_{role}_axes (C4)"
                )
            for a, b in zip(left, right, strict=True):
                if lhs.shape[a] != rhs.shape[b]:
                    raise Violation(
                        f"operand #1 dim {b} is {rhs.shape[b]}, expected {lhs.shape[a]}"
                        f" to match operand #0 dim {a} (C5)"
                    )
        expected = [lhs.shape[a] for a in of["lhs batch"] + of["lhs free"]]
        expected += [rhs.shape[b] for b in of["rhs free"]]
        has_shape(2, dst, expected, " for these axes", "C6")


class ReduceOp(TensorOp, name="reduce"):
    """`dst = function over axes of (init, src)`; the other dimensions keep their order.

    Sums and products of floats accumulate in f32 and are rounded once.

    (C1) operands are tensors
    (C2) init and dst have the dtype of src
    (C3) function is a member of `Reduction`
    (C4) function is defined for the dtype
    (C5) axes is an array<i64> of distinct dimensions of src
    (C6) init has rank 0
    (C7) dst has the extents of src without axes

    Example: `ReduceOp(src, init, dst, "add", [1])`
    """

    src: Operand[ir.MemRefType]
    init: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    function: ir.StringAttr
    axes: IndexList

    def check(self, src: Tensor, init: Tensor, dst: Tensor) -> None:
        same_dtype(1, init, 0, src, "C2")
        same_dtype(2, dst, 0, src, "C2")
        function = member(self, FUNCTION, Reduction, "C3")
        kinds(0, src, REDUCTION_KINDS[function], function, "C4")
        reduced = ints(self, "axes", "C5")
        axes(reduced, "axes", len(src.shape), "C5")
        scalar(1, init, "C6")
        kept = [extent for dim, extent in enumerate(src.shape) if dim not in reduced]
        has_shape(2, dst, kept, " for these axes", "C7")


class UnaryOp(TensorOp, name="unary"):
    """`dst[i] = function(src[i])`.

    (C1) operands are tensors
    (C2) function is a member of `Unary`
    (C3) function is defined for the dtype of src
    (C4) dst has the dtype of src, or i1 for is_finite
    (C5) dst has the shape of src

    Example: `UnaryOp(src, dst, "tanh")`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    function: ir.StringAttr

    def check(self, src: Tensor, dst: Tensor) -> None:
        function = member(self, FUNCTION, Unary, "C2")
        kinds(0, src, UNARY_KINDS[function], function, "C3")
        if function is Unary.IS_FINITE:
            is_dtype(1, dst, "i1", "C4")
        else:
            same_dtype(1, dst, 0, src, "C4")
        same_shape(1, dst, 0, src, "C5")


class BinaryOp(TensorOp, name="binary"):
    """`dst[i] = function(lhs[i], rhs[i])`; nothing is broadcast.

    Integer arithmetic wraps; x / 0 is -1 (all ones), x rem 0 is x; a shift by the width or more
    gives 0, or the sign. maximum and minimum give NaN if an operand is NaN. Comparisons with NaN
    are false, except compare_ne. On i1, add and maximum are or, multiply and minimum are and.

    (C1) operands are tensors
    (C2) function is a member of `Binary`
    (C3) function is defined for the dtype of lhs
    (C4) rhs has the dtype of lhs
    (C5) dst has the dtype of lhs, or i1 for comparisons
    (C6) rhs and dst have the shape of lhs

    Example: `BinaryOp(lhs, rhs, dst, "add")`
    """

    lhs: Operand[ir.MemRefType]
    rhs: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    function: ir.StringAttr

    def check(self, lhs: Tensor, rhs: Tensor, dst: Tensor) -> None:
        function = member(self, FUNCTION, Binary, "C2")
        kinds(0, lhs, BINARY_KINDS[function], function, "C3")
        same_dtype(1, rhs, 0, lhs, "C4")
        if function.is_comparison:
            is_dtype(2, dst, "i1", "C5")
        else:
            same_dtype(2, dst, 0, lhs, "C5")
        same_shape(1, rhs, 0, lhs, "C6")
        same_shape(2, dst, 0, lhs, "C6")


class TernaryOp(TensorOp, name="ternary"):
    """`dst[i] = clamp(a[i], b[i], c[i])`: b, not below a, then not above c.

    (C1) operands are tensors
    (C2) function is a member of `Ternary`
    (C3) every operand has the dtype of b
    (C4) a and c have the shape of b, or rank 0
    (C5) dst has the shape of b

    Example: `TernaryOp(low, x, high, dst, "clamp")`
    """

    a: Operand[ir.MemRefType]
    b: Operand[ir.MemRefType]
    c: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    function: ir.StringAttr

    def check(self, a: Tensor, b: Tensor, c: Tensor, dst: Tensor) -> None:
        member(self, FUNCTION, Ternary, "C2")
        for number, t in ((0, a), (2, c), (3, dst)):
            same_dtype(number, t, 1, b, "C3")
        for number, t in ((0, a), (2, c)):
            if t.shape:
                same_shape(number, t, 1, b, "C4")
        same_shape(3, dst, 1, b, "C5")


class SelectOp(TensorOp, name="select"):
    """`dst[i] = pred[i] ? on_true[i] : on_false[i]`.

    (C1) operands are tensors
    (C2) pred has dtype i1
    (C3) on_false and dst have the dtype of on_true
    (C4) pred has the shape of on_true, or rank 0
    (C5) on_false and dst have the shape of on_true

    Example: `SelectOp(pred, on_true, on_false, dst)`
    """

    pred: Operand[ir.MemRefType]
    on_true: Operand[ir.MemRefType]
    on_false: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]

    def check(self, pred: Tensor, on_true: Tensor, on_false: Tensor, dst: Tensor) -> None:
        is_dtype(0, pred, "i1", "C2")
        same_dtype(2, on_false, 1, on_true, "C3")
        same_dtype(3, dst, 1, on_true, "C3")
        if pred.shape:
            same_shape(0, pred, 1, on_true, "C4")
        same_shape(2, on_false, 1, on_true, "C5")
        same_shape(3, dst, 1, on_true, "C5")


class PadOp(TensorOp, name="pad"):
    """src with `value` around it and between its elements, as `stablehlo.pad`.

    Negative low and high cut elements off.

    (C1) operands are tensors
    (C2) value and dst have the dtype of src
    (C3) value has rank 0
    (C4) low, high and interior are array<i64> with one entry per dimension of src
    (C5) interior is not negative
    (C6) the extents of dst are low + extent + max(extent - 1, 0) * interior + high

    Example: `PadOp(src, value, dst, low=[0, 1], high=[0, 1], interior=[0, 0])`
    """

    src: Operand[ir.MemRefType]
    value: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    low: IndexList
    high: IndexList
    interior: IndexList

    def check(self, src: Tensor, value: Tensor, dst: Tensor) -> None:
        same_dtype(1, value, 0, src, "C2")
        same_dtype(2, dst, 0, src, "C2")
        scalar(1, value, "C3")
        lists = []
        for key in ("low", "high", "interior"):
            values = ints(self, key, "C4")
            length(values, key, len(src.shape), 0, "C4")
            lists.append(values)
        expected = []
        for dim, (low, high, inner, extent) in enumerate(zip(*lists, src.shape, strict=True)):
            if inner < 0:
                raise Violation(f"interior dim {dim} is {inner}, expected at least 0 (C5)")
            expected.append(low + extent + max(extent - 1, 0) * inner + high)
        has_shape(2, dst, expected, " for this padding", "C6")


class IotaOp(TensorOp, name="iota"):
    """`dst[i] = i[axis]`, converted to dst's dtype (integers wrap).

    (C1) operands are tensors
    (C2) dst has a number dtype
    (C3) axis is an i64 and a dimension of dst

    Example: `"penguin.iota"(%t) {axis = 0 : i64} : (memref<4xi32, "dram">) -> ()`
    """

    dst: Operand[ir.MemRefType]
    axis: ir.IntegerAttr

    def check(self, dst: Tensor) -> None:
        kinds(0, dst, NUMBERS, "iota", "C2")
        axis, rank = integer(self, "axis", "C3"), len(dst.shape)
        if not 0 <= axis < rank:
            raise Violation(f"axis is {axis}, expected 0 to {rank - 1} (C3)")


class ReverseOp(TensorOp, name="reverse"):
    """src with the order of elements along `axes` turned round.

    (C1) operands are tensors
    (C2) dst has the dtype of src
    (C3) dst has the shape of src
    (C4) axes is an array<i64> of distinct dimensions of src

    Example: `ReverseOp(src, dst, axes=[0])`
    """

    src: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    axes: IndexList

    def check(self, src: Tensor, dst: Tensor) -> None:
        same_dtype(1, dst, 0, src, "C2")
        same_shape(1, dst, 0, src, "C3")
        axes(ints(self, "axes", "C4"), "axes", len(src.shape), "C4")


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Where the index into one dimension of a gather's source comes from: the sum of both.

    `component` counts along index_vector_dim: that entry of the slice's start, clamped to 0 ..
    `limit`; `dim` is a dimension of dst, whose index is added. Without either it is 0.
    """

    component: int | None
    limit: int
    dim: int | None


class GatherOp(TensorOp, name="gather"):
    """One slice of src for each start in `indices`, as `stablehlo.gather`.

    The dimensions of dst that are not in offset_dims count the starts: in order, they are those of
    indices without index_vector_dim, along which the components of a start lie. The others walk the
    slice: they are those of src that are neither collapsed nor batching. The start's component k is
    an index into dimension start_index_map[k] of src, clamped so that the slice stays inside; what
    is no dimension of dst's starts at 0. The index into a batching dimension of src is the index
    into the dimension of indices that it is paired with.

    (C1) operands are tensors
    (C2) indices has an integer dtype
    (C3) dst has the dtype of src
    (C4) slice_sizes is an array<i64> with one entry per dimension of src, 0 to its extent
    (C5) collapsed_slice_dims and operand_batching_dims are array<i64> and ascending; together they
         are distinct dimensions of src of slice size 1
    (C6) index_vector_dim is an i64, 0 to the rank of indices
    (C7) start_index_map is an array<i64> of distinct dimensions of src that are not batching, as
         many as indices has components: its extent along index_vector_dim, or 1 if that is its rank
    (C8) start_indices_batching_dims is an array<i64> of distinct dimensions of indices other than
         index_vector_dim, as many as operand_batching_dims and of the same extents
    (C9) offset_dims is an array<i64> of distinct dimensions of dst, ascending, one per dimension of
         src that is neither collapsed nor batching
    (C10) dst has the extents of the starts and of the slices

    Example: `GatherOp(table, rows, dst, offset_dims=[1], collapsed_slice_dims=[0],
    operand_batching_dims=[], start_indices_batching_dims=[], start_index_map=[0],
    index_vector_dim=1, slice_sizes=[1, 768])`
    """

    src: Operand[ir.MemRefType]
    indices: Operand[ir.MemRefType]
    dst: Operand[ir.MemRefType]
    offset_dims: IndexList
    collapsed_slice_dims: IndexList
    operand_batching_dims: IndexList
    start_indices_batching_dims: IndexList
    start_index_map: IndexList
    index_vector_dim: ir.IntegerAttr
    slice_sizes: IndexList

    def coordinates(self, shape: Sequence[int], rank: int) -> list[Coordinate]:
        """One per dimension of src, whose shape is given; `rank` is that of dst."""
        batching = list(self.operand_batching_dims)
        offsets, starts = iter(self.offset_dims), self.start_dims(rank)
        mapped, sizes = list(self.start_index_map), list(self.slice_sizes)
        paired = list(self.start_indices_batching_dims)
        result = []
        for d, extent in enumerate(shape):
            component = mapped.index(d) if d in mapped else None
            dim = None
            if d in batching:
                dim = starts[paired[batching.index(d)]]
            elif d not in self.collapsed_slice_dims:
                dim = next(offsets)
            result.append(Coordinate(component, extent - sizes[d], dim))
        return result

    def start_dims(self, rank: int) -> list[int | None]:
        """Per dimension of indices, the dimension of dst that counts along it.

        None for index_vector_dim; `rank` is that of dst.
        """
        counting: list[int | None] = [d for d in range(rank) if d not in self.offset_dims]
        vector = self.index_vector_dim.value
        if vector < len(self.indices.type.shape):
            counting.insert(vector, None)
        return counting

    def check(self, src: Tensor, indices: Tensor, dst: Tensor) -> None:
        kinds(1, indices, INTEGERS, "the starts of a gather", "C2")
        same_dtype(2, dst, 0, src, "C3")
        rank = len(src.shape)
        sizes = ints(self, "slice_sizes", "C4")
        length(sizes, "slice_sizes", rank, 0, "C4")
        for d, (size, extent) in enumerate(zip(sizes, src.shape, strict=True)):
            if not 0 <= size <= extent:
                raise Violation(f"slice_sizes dim {d} is {size}, expected 0 to {extent} (C4)")
        absent = self._absent(rank, sizes)
        vector, components = self._components(indices)
        mapped = ints(self, "start_index_map", "C7")
        axes(mapped, "start_index_map", rank, "C7")
        batching = list(self.operand_batching_dims)
        for d in mapped:
            if d in batching:
                raise Violation(
                    f"start_index_map has axis {d}, which is in operand_batching_dims (C7)"
                )
        if len(mapped) != components:
            raise Violation(
                f"start_index_map has {len(mapped)} entries, expected {components}, the components"
                " of a start (C7)"
            )
        self._pairs(src, indices, vector)
        counting = [n for d, n in enumerate(indices.shape) if d != vector]
        offsets = ints(self, "offset_dims", "C9")
        axes(offsets, "offset_dims", len(counting) + rank - len(absent), "C9")
        _ascending(offsets, "offset_dims", "C9")
        if len(offsets) != rank - len(absent):
            raise Violation(
                f"offset_dims has {len(offsets)} entries, expected {rank - len(absent)}, the"
                " dimensions of a slice (C9)"
            )
        kept = iter([size for d, size in enumerate(sizes) if d not in absent])
        starts = iter(counting)
        expected = [
            next(kept if d in offsets else starts) for d in range(len(counting) + len(offsets))
        ]
        has_shape(2, dst, expected, " for these starts and slices", "C10")

    def _absent(self, rank: int, sizes: Sequence[int]) -> list[int]:
        """The dimensions of src that a slice has not (C5)."""
        absent: list[int] = []
        for key in ("collapsed_slice_dims", "operand_batching_dims"):
            values = ints(self, key, "C5")
            axes(values, key, rank, "C5")
            _ascending(values, key, "C5")
            for d in values:
                if d in absent:
                    raise Violation(f"{key} has axis {d}, which is in collapsed_slice_dims (C5)")
                if sizes[d] != 1:
                    raise Violation(
                        f"slice_sizes dim {d} is {sizes[d]}, expected 1 as it is in {key} (C5)"
                    )
            absent += values
        return absent

    def _components(self, indices: Tensor) -> tuple[int, int]:
        """index_vector_dim, and how many components a start has (C6)."""
        vector, rank = integer(self, "index_vector_dim", "C6"), len(indices.shape)
        if not 0 <= vector <= rank:
            raise Violation(f"index_vector_dim is {vector}, expected 0 to {rank} (C6)")
        return vector, indices.shape[vector] if vector < rank else 1

    def _pairs(self, src: Tensor, indices: Tensor, vector: int) -> None:
        """(C8)"""
        key = "start_indices_batching_dims"
        paired, batching = ints(self, key, "C8"), list(self.operand_batching_dims)
        axes(paired, key, len(indices.shape), "C8")
        if vector in paired:
            raise Violation(f"{key} has axis {vector}, which is index_vector_dim (C8)")
        if len(paired) != len(batching):
            raise Violation(
                f"{key} has {len(paired)} entries, expected {len(batching)} to match"
                " operand_batching_dims (C8)"
            )
        for d, other in zip(paired, batching, strict=True):
            if indices.shape[d] != src.shape[other]:
                raise Violation(
                    f"operand #1 dim {d} is {indices.shape[d]}, expected {src.shape[other]}"
                    f" to match operand #0 dim {other} (C8)"
                )


def _ascending(values: Sequence[int], key: str, clause: str) -> None:
    """Distinct axes in the order of the dimensions."""
    if list(values) != sorted(values):
        raise Violation(f"{key} is {list(values)}, expected ascending axes ({clause})")
