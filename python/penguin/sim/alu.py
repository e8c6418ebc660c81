"""The ALU operators (AluOpType, NEURON.md section 5) as data, one entry per operator.

Three datapaths:

* float: operands widened to f32, an f32 result (`f32`), predicates as 1 and 0 (`predicate`);
* integer (every tensor operand int32 or uint32): int64 arithmetic (`i64`), saturated on write;
* bits (`bitvec` operators): the operands' integer bits (`word`), truncated on write.

Guesses, because no public source says: float `mod` is floored like numpy's; integer `divide`
truncates and by 0 gives -1; `mod_int` is floored and by 0 gives the dividend; `max` and `min`
propagate NaN; a bitvec shift by the width or more leaves 0 (or the sign); `average` of two is half
their sum. `logical_*` are arithmetic (S-SDK's operator table lists them so).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray
# f32 operators write to `out`, like a ufunc.
FloatOp = Callable[..., Any]
IntOp = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Operator:
    """`f32(x, y, out=)`, `i64(x, y)`, `word(x, y)`; `reduce` is the ufunc of a reduction.

    `exact` is the integer operator where no result leaves the operands' dtype. A unary operator
    takes and ignores `y`.
    """

    f32: FloatOp | None = None
    i64: IntOp | None = None
    word: IntOp | None = None
    predicate: np.ufunc | None = None
    reduce: np.ufunc | None = None
    exact: np.ufunc | None = None
    unary: bool = False

    @property
    def bitvec(self) -> bool:
        return self.word is not None


def _bypass(x: Array, _y: Array, out: Array) -> None:
    np.copyto(out, x)


def _rsqrt(x: Array, _y: Array, out: Array) -> None:
    np.divide(np.float32(1), np.sqrt(x), out=out)


def _absolute(x: Array, _y: Array, out: Array) -> None:
    np.abs(x, out=out)


def _abs_max(x: Array, y: Array, out: Array) -> None:
    np.maximum(np.abs(x), np.abs(y), out=out)


def _abs_min(x: Array, y: Array, out: Array) -> None:
    np.minimum(np.abs(x), np.abs(y), out=out)


def _average(x: Array, y: Array, out: Array) -> None:
    np.multiply(np.add(x, y), np.float32(0.5), out=out)


def _mod_int(x: Array, y: Array, out: Array) -> None:
    np.mod(np.trunc(x), np.trunc(y), out=out)


def _predicate(ufunc: np.ufunc) -> Operator:
    def f32(x: Array, y: Array, out: Array) -> None:
        np.copyto(out, ufunc(x, y))

    def i64(x: Array, y: Array) -> Array:
        return ufunc(x, y).astype(np.int64)

    return Operator(f32=f32, i64=i64, predicate=ufunc, exact=ufunc)


def _multiply_int(x: Array, y: Array) -> Array:
    """Exact below 2**63 in magnitude; two uint32 need the unsigned product."""
    if x.size and y.size and x.min() >= 0 and y.min() >= 0:
        return np.multiply(x.astype(np.uint64), y.astype(np.uint64))
    return np.multiply(x, y)


def _divide_int(x: Array, y: Array) -> Array:
    x, y = np.broadcast_arrays(x, y)
    safe = np.where(y == 0, 1, y)
    quotient = np.sign(x) * np.sign(safe) * (np.abs(x) // np.abs(safe))
    return np.where(y == 0, -1, quotient)


def _modulo_int(x: Array, y: Array) -> Array:
    x, y = np.broadcast_arrays(x, y)
    return np.where(y == 0, x, np.mod(x, np.where(y == 0, 1, y)))


def _shift_left(x: Array, y: Array) -> Array:
    width = x.dtype.itemsize * 8
    amount = _unsigned(y)
    return np.where(amount < width, np.left_shift(x, (amount % width).astype(x.dtype)), 0)


def _shift_right_logical(x: Array, y: Array) -> Array:
    bits = _unsigned(x)
    width = bits.dtype.itemsize * 8
    amount = _unsigned(y)
    shifted = np.right_shift(bits, (amount % width).astype(bits.dtype))
    return np.where(amount < width, shifted, 0).astype(bits.dtype).view(x.dtype)


def _shift_right_arithmetic(x: Array, y: Array) -> Array:
    signed = np.ascontiguousarray(x).view(f"i{x.dtype.itemsize}")
    width = signed.dtype.itemsize * 8
    amount = np.minimum(_unsigned(y), width - 1).astype(signed.dtype)
    return np.right_shift(signed, amount).view(x.dtype)


def _unsigned(x: Array) -> Array:
    return np.ascontiguousarray(x).reshape(x.shape).view(f"u{x.dtype.itemsize}")


OPERATORS: dict[str, Operator] = {
    "bypass": Operator(f32=_bypass, i64=lambda x, _: x, unary=True),
    "bitwise_not": Operator(word=lambda x, _: np.invert(x), unary=True),
    "arith_shift_left": Operator(word=_shift_left),
    "arith_shift_right": Operator(word=_shift_right_arithmetic),
    "add": Operator(f32=np.add, i64=np.add, reduce=np.add),
    "subtract": Operator(f32=np.subtract, i64=np.subtract),
    "mult": Operator(f32=np.multiply, i64=_multiply_int, reduce=np.multiply),
    "divide": Operator(f32=np.divide, i64=_divide_int),
    "max": Operator(f32=np.maximum, i64=np.maximum, reduce=np.maximum, exact=np.maximum),
    "min": Operator(f32=np.minimum, i64=np.minimum, reduce=np.minimum, exact=np.minimum),
    "bitwise_and": Operator(word=np.bitwise_and, reduce=np.bitwise_and),
    "bitwise_or": Operator(word=np.bitwise_or, reduce=np.bitwise_or),
    "bitwise_xor": Operator(word=np.bitwise_xor, reduce=np.bitwise_xor),
    "logical_and": _predicate(np.logical_and),
    "logical_or": _predicate(np.logical_or),
    "logical_xor": _predicate(np.logical_xor),
    "logical_shift_left": Operator(word=_shift_left),
    "logical_shift_right": Operator(word=_shift_right_logical),
    "is_equal": _predicate(np.equal),
    "not_equal": _predicate(np.not_equal),
    "is_gt": _predicate(np.greater),
    "is_ge": _predicate(np.greater_equal),
    "is_lt": _predicate(np.less),
    "is_le": _predicate(np.less_equal),
    "average": Operator(f32=_average),
    "elemwise_mul": Operator(f32=np.multiply, i64=_multiply_int, reduce=np.multiply),
    "pow": Operator(f32=np.power),
    "mod": Operator(f32=np.mod, i64=_modulo_int),
    "rsqrt": Operator(f32=_rsqrt, unary=True),
    "abs": Operator(f32=_absolute, i64=lambda x, _: np.abs(x), unary=True),
    "abs_max": Operator(f32=_abs_max, i64=lambda x, y: np.maximum(np.abs(x), np.abs(y))),
    "abs_min": Operator(f32=_abs_min, i64=lambda x, y: np.minimum(np.abs(x), np.abs(y))),
    "mod_int": Operator(f32=_mod_int, i64=_modulo_int),
}
