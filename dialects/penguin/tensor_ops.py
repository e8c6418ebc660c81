"""Compute ops: what `lower-tensor-op` turns into loop nests.

tensor_contract           dot_general with every axis named
reduce                    one associative function over some axes
unary, binary, ternary    a function per element; the function is an attribute
select                    per element, or one predicate for all
pad, iota, reverse        StableHLO's
"""

from penguin.dialects.base import IndexList, Operand, Tensor
from penguin.dialects.penguin.attributes import (
    BINARY_KINDS,
    FUNCTION,
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
