"""Compute ops of the tensor level; one entry per op of `dialects/penguin/tensor_ops.py`."""

from collections.abc import Callable

import numpy as np

from penguin.dialects import penguin as pg
from penguin.dialects.penguin.attributes import Binary, Reduction, Ternary, Unary
from penguin.interp import numerics
from penguin.interp.numerics import Array, elementwise, predicate
from penguin.interp.registry import tensor_op
from penguin.mlir import ir

UNARY: dict[Unary, Callable[[Array], Array]] = {
    Unary.ABS: elementwise(np.abs),
    Unary.CBRT: elementwise(np.cbrt),
    Unary.CEIL: elementwise(np.ceil),
    Unary.COSINE: elementwise(np.cos),
    Unary.COUNT_LEADING_ZEROS: numerics.count_leading_zeros,
    Unary.EXPONENTIAL: elementwise(np.exp),
    Unary.EXPONENTIAL_MINUS_ONE: elementwise(np.expm1),
    Unary.FLOOR: elementwise(np.floor),
    Unary.IS_FINITE: predicate(np.isfinite),
    Unary.LOG: elementwise(np.log),
    Unary.LOG_PLUS_ONE: elementwise(np.log1p),
    Unary.LOGISTIC: elementwise(numerics.logistic),
    Unary.NEGATE: elementwise(np.negative),
    Unary.NOT: np.invert,
    Unary.POPCNT: numerics.population_count,
    Unary.ROUND_NEAREST_AFZ: elementwise(numerics.round_half_away),
    Unary.ROUND_NEAREST_EVEN: elementwise(np.rint),
    Unary.RSQRT: elementwise(numerics.rsqrt),
    Unary.SIGN: elementwise(numerics.sign),
    Unary.SINE: elementwise(np.sin),
    Unary.SQRT: elementwise(np.sqrt),
    Unary.TAN: elementwise(np.tan),
    Unary.TANH: elementwise(np.tanh),
}

BINARY: dict[Binary, Callable[[Array, Array], Array]] = {
    Binary.ADD: elementwise(np.add),
    Binary.SUBTRACT: elementwise(np.subtract),
    Binary.MULTIPLY: elementwise(np.multiply),
    Binary.DIVIDE: elementwise(numerics.divide),
    Binary.MAXIMUM: elementwise(numerics.maximum),
    Binary.MINIMUM: elementwise(numerics.minimum),
    Binary.POWER: elementwise(numerics.power),
    Binary.REMAINDER: elementwise(numerics.remainder),
    Binary.ATAN2: elementwise(np.arctan2),
    Binary.AND: np.bitwise_and,
    Binary.OR: np.bitwise_or,
    Binary.XOR: np.bitwise_xor,
    Binary.SHIFT_LEFT: numerics.shift_left,
    Binary.SHIFT_RIGHT_ARITHMETIC: numerics.shift_right_arithmetic,
    Binary.SHIFT_RIGHT_LOGICAL: numerics.shift_right_logical,
    Binary.COMPARE_EQ: predicate(np.equal),
    Binary.COMPARE_NE: predicate(np.not_equal),
    Binary.COMPARE_LT: predicate(np.less),
    Binary.COMPARE_LE: predicate(np.less_equal),
    Binary.COMPARE_GT: predicate(np.greater),
    Binary.COMPARE_GE: predicate(np.greater_equal),
}

TERNARY: dict[Ternary, Callable[[Array, Array, Array], Array]] = {
    Ternary.CLAMP: elementwise(numerics.clamp),
}

_REDUCTIONS: dict[Reduction, np.ufunc] = {
    Reduction.ADD: np.add,
    Reduction.MULTIPLY: np.multiply,
    Reduction.MAXIMUM: np.maximum,
    Reduction.MINIMUM: np.minimum,
    Reduction.AND: np.bitwise_and,
    Reduction.OR: np.bitwise_or,
}
_BOOLEAN_REDUCTIONS = {
    Reduction.ADD: np.logical_or,
    Reduction.MULTIPLY: np.logical_and,
    Reduction.MAXIMUM: np.logical_or,
    Reduction.MINIMUM: np.logical_and,
    Reduction.AND: np.logical_and,
    Reduction.OR: np.logical_or,
}


@tensor_op(pg.UnaryOp)
def unary(op: ir.OpView, src: Array, dst: Array) -> None:
    dst[...] = UNARY[op.function.value](src)


@tensor_op(pg.BinaryOp)
def binary(op: ir.OpView, lhs: Array, rhs: Array, dst: Array) -> None:
    dst[...] = BINARY[op.function.value](lhs, rhs)


@tensor_op(pg.TernaryOp)
def ternary(op: ir.OpView, a: Array, b: Array, c: Array, dst: Array) -> None:
    dst[...] = TERNARY[op.function.value](a, b, c)


@tensor_op(pg.SelectOp)
def select(op: ir.OpView, pred: Array, on_true: Array, on_false: Array, dst: Array) -> None:
    dst[...] = np.where(pred, on_true, on_false)


@tensor_op(pg.TensorContractOp)
def tensor_contract(op: ir.OpView, lhs: Array, rhs: Array, dst: Array) -> None:
    left, contracted = list(op.lhs_free_axes), list(op.lhs_contract_axes)
    right, other = list(op.rhs_free_axes), list(op.rhs_contract_axes)
    batch = list(op.lhs_batch_axes)
    a = _matrices(lhs, batch, left, contracted)
    b = _matrices(rhs, list(op.rhs_batch_axes), other, right)
    accumulator = numerics.F32 if numerics.is_float(dst.dtype) else dst.dtype
    product = numerics.contract(a, b, accumulator)
    dst[...] = product.reshape(dst.shape).astype(dst.dtype)


def _matrices(x: Array, batch: list[int], rows: list[int], columns: list[int]) -> Array:
    """[batch, rows, columns], each a product of axes."""
    extents = [int(np.prod([x.shape[a] for a in group])) for group in (batch, rows, columns)]
    return x.transpose(batch + rows + columns).reshape(extents)


@tensor_op(pg.ReduceOp)
def reduce(op: ir.OpView, src: Array, init: Array, dst: Array) -> None:
    function = op.function.value
    boolean = src.dtype == numerics.BOOL
    ufunc = (_BOOLEAN_REDUCTIONS if boolean else _REDUCTIONS)[function]
    x, start = numerics.widen(src), numerics.widen(init)[()]
    # Without a dtype, numpy would add small integers in 64 bits.
    dtype = x.dtype if ufunc in (np.add, np.multiply) else None
    dst[...] = ufunc.reduce(x, axis=tuple(op.axes), dtype=dtype, initial=start).astype(dst.dtype)


@tensor_op(pg.PadOp)
def pad(op: ir.OpView, src: Array, value: Array, dst: Array) -> None:
    dst[...] = value
    taken, put = [], []
    sides = zip(op.low, op.interior, src.shape, dst.shape, strict=True)
    for low, interior, extent, target in sides:
        step = interior + 1
        first = max(0, -(low // step))
        last = min(extent, -((low - target) // step))
        taken.append(slice(first, max(first, last)))
        put.append(slice(low + first * step, low + max(first, last) * step, step))
    if all(part.stop > part.start for part in taken):
        dst[tuple(put)] = src[tuple(taken)]


@tensor_op(pg.IotaOp)
def iota(op: ir.OpView, dst: Array) -> None:
    axis = op.axis.value
    numbers = numerics.convert(np.arange(dst.shape[axis], dtype=np.int64), dst.dtype)
    dst[...] = numbers.reshape([-1] + [1] * (dst.ndim - axis - 1))


@tensor_op(pg.ReverseOp)
def reverse(op: ir.OpView, src: Array, dst: Array) -> None:
    result = np.flip(src, tuple(op.axes))
    dst[...] = result.copy() if np.may_share_memory(src, dst) else result


@tensor_op(pg.GatherOp)
def gather(op: ir.OpView, src: Array, indices: Array, dst: Array) -> None:
    if not dst.size:
        return
    vector = op.index_vector_dim.value
    if vector == indices.ndim:
        indices = indices[..., np.newaxis]
    starts = np.moveaxis(indices.astype(np.int64), vector, 0)
    counting = [dim for dim in op.start_dims(dst.ndim) if dim is not None]
    around = [extent if dim in counting else 1 for dim, extent in enumerate(dst.shape)]
    place: list[Array] = []
    for coordinate in op.coordinates(src.shape, dst.ndim):
        index = np.zeros((1,) * dst.ndim, np.int64)
        if coordinate.dim is not None:
            along = np.arange(dst.shape[coordinate.dim])
            index = along.reshape([-1] + [1] * (dst.ndim - coordinate.dim - 1))
        if coordinate.component is not None:
            start = np.clip(starts[coordinate.component], 0, coordinate.limit)
            index = index + start.reshape(around)
        place.append(index)
    dst[...] = src[tuple(place)] if place else src
