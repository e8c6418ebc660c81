"""Element functions of both levels, on whole arrays: StableHLO's semantics in numpy.

* bf16 and f16 are computed in f32 and rounded once, to nearest even.
* Integers wrap. x / 0 is all ones, x rem 0 is x, the smallest number / -1 is itself.
* A shift by the width or more gives 0, or the sign.
* Conversion of floats to integers truncates, saturates, and takes NaN to 0; to i1 it is `!= 0`.
* Booleans are numpy bools: add and max are or, multiply and min are and.
* -0 is below +0 for maximum and minimum of two arrays, as IEEE 754-2019 and XLA have it; numpy's
  own functions, which reductions use, leave open which zero they give.
"""

import functools
import math
from collections.abc import Callable

import ml_dtypes
import numpy as np

Array = np.ndarray
Function = Callable[..., Array]

BOOL = np.dtype(np.bool_)
F32 = np.dtype(np.float32)
HALVES = (np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16))


def is_float(dtype: np.dtype) -> bool:
    """Whether numpy calls it so or not: bfloat16 has kind V."""
    return dtype.kind == "f" or dtype in HALVES


def widen(x: Array) -> Array:
    """bf16 and f16 as f32; anything else as it is."""
    return x.astype(np.float32) if x.dtype in HALVES else x


def elementwise(function: Function) -> Function:
    """`function` computed in f32 for halves; the result has the dtype of the first operand."""

    @functools.wraps(function)
    def rounded(*operands: Array) -> Array:
        dtype = operands[0].dtype
        if dtype in HALVES:
            return function(*map(widen, operands)).astype(dtype)
        result = function(*operands)
        return result if result.dtype == dtype else result.astype(dtype)

    return rounded


def predicate(function: Function) -> Function:
    """A function to i1."""

    @functools.wraps(function)
    def widened(*operands: Array) -> Array:
        return function(*map(widen, operands))

    return widened


def unsigned(x: Array) -> Array:
    """The same bits as an unsigned integer (booleans as 0 and 1)."""
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


def bits_of(dtype: np.dtype) -> int:
    """The width of an integer dtype; a boolean has one bit."""
    return 1 if dtype == BOOL else 8 * dtype.itemsize


def convert(x: Array, dtype: np.dtype) -> Array:
    """`stablehlo.convert`."""
    if dtype == BOOL:
        return widen(x) != 0
    if not is_float(x.dtype):
        half = dtype in HALVES and x.dtype != BOOL
        return (x.astype(np.float32) if half else x).astype(dtype)
    if is_float(dtype):
        return widen(x).astype(dtype)
    info = np.iinfo(dtype)
    whole = np.trunc(x.astype(np.float64))
    bounded = np.where(np.isnan(whole), 0, np.clip(whole, float(info.min), float(info.max)))
    return bounded.astype(np.int64).astype(dtype)


@functools.cache
def _erf_table() -> tuple[float, Array, Array]:
    """Step, values and slopes of erf on [0, 4]; erf(4) is 1 in f32."""
    points = np.linspace(0.0, 4.0, 4097)
    values = np.array([math.erf(p) for p in points])
    return points[1], values, np.exp(-points * points) * (2 / math.sqrt(math.pi))


def erf(x: Array) -> Array:
    """Cubic Hermite interpolation of a table: exact to f32's last place or so."""
    step, values, slopes = _erf_table()
    at = np.minimum(np.abs(x).astype(np.float64), 4.0) / step
    left = np.minimum(np.nan_to_num(at).astype(np.int64), len(values) - 2)
    t = at - left
    a, b = values[left], values[left + 1]
    da, db = slopes[left] * step, slopes[left + 1] * step
    y = a + t * (da + t * (3 * (b - a) - 2 * da - db + t * (2 * (a - b) + da + db)))
    return np.copysign(y, x).astype(x.dtype)


def round_half_away(x: Array) -> Array:
    """To the nearest integer, halves away from zero; exact because f64 holds x + 0.5."""
    wide = x.astype(np.float64)
    return np.trunc(wide + np.copysign(0.5, wide)).astype(x.dtype)


def sign(x: Array) -> Array:
    """-1, 0 or 1; keeps NaN and the sign of zero."""
    return np.where(x == 0, x, np.sign(x))


def logistic(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def population_count(x: Array) -> Array:
    return np.bitwise_count(unsigned(x)).astype(x.dtype)


def count_leading_zeros(x: Array) -> Array:
    """f64 holds every value exactly, and its exponent is the bit length."""
    length = np.frexp(unsigned(x).astype(np.float64))[1]
    return (bits_of(x.dtype) - length).astype(x.dtype)


def divide(a: Array, b: Array) -> Array:
    if is_float(a.dtype):
        return a / b
    wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
    quotient = np.abs(wide_a) // np.abs(np.where(wide_b == 0, 1, wide_b))
    signed = np.where((wide_a < 0) != (wide_b < 0), -quotient, quotient)
    return np.where(wide_b == 0, -1, signed).astype(a.dtype)


def remainder(a: Array, b: Array) -> Array:
    """The sign of the result is that of the dividend."""
    if is_float(a.dtype):
        return np.fmod(a, b)
    wide = b.astype(np.int64)
    rest = np.fmod(a.astype(np.int64), np.where(wide == 0, 1, wide))
    return np.where(wide == 0, a, rest).astype(a.dtype)


def power(a: Array, b: Array) -> Array:
    """Integers by squaring, wrapping; a negative exponent gives 1 / a**-b, truncated."""
    if is_float(a.dtype):
        return np.power(a, b)
    result, base, exponent = np.ones_like(a | b), a | (b & 0), unsigned(b)
    for bit in range(bits_of(a.dtype)):
        result = np.where((exponent >> bit) & 1, result * base, result)
        base = base * base
    if a.dtype.kind != "i":
        return result
    odd = (b & 1) == 1
    inverse = np.where(a == 1, 1, np.where(a == -1, np.where(odd, -1, 1), 0)).astype(a.dtype)
    return np.where(b < 0, inverse, result)


def _shift(shifted: Array, amount: Array, beyond: Array, dtype: np.dtype) -> Array:
    within = unsigned(amount) < bits_of(dtype)
    return np.where(within, shifted, beyond).astype(dtype)


def _amount(b: Array) -> Array:
    """Numpy's own shifts are undefined from the width on."""
    return np.minimum(unsigned(b), bits_of(b.dtype) - 1).astype(b.dtype)


def shift_left(a: Array, b: Array) -> Array:
    return _shift(np.left_shift(a, _amount(b)), b, np.zeros_like(a), a.dtype)


def shift_right_logical(a: Array, b: Array) -> Array:
    shifted = np.right_shift(unsigned(a), unsigned(_amount(b))).astype(a.dtype)
    return _shift(shifted, b, np.zeros_like(a), a.dtype)


def shift_right_arithmetic(a: Array, b: Array) -> Array:
    signed = a.view(np.dtype(f"i{a.dtype.itemsize}"))
    return np.right_shift(signed, _amount(b).astype(signed.dtype)).astype(a.dtype)


def maximum(a: Array, b: Array) -> Array:
    """The larger one; NaN if either is."""
    found = np.maximum(a, b)
    if found.dtype.kind != "f":
        return found
    # The sum of two zeros is -0 only if both are.
    return np.where((a == 0) & (b == 0), a + b, found)


def minimum(a: Array, b: Array) -> Array:
    """The smaller one; NaN if either is."""
    return np.minimum(a, b) if a.dtype.kind != "f" else -maximum(-a, -b)


def clamp(low: Array, x: Array, high: Array) -> Array:
    """`x`, or the bound that it passes; `high` wins if the bounds cross."""
    return minimum(maximum(x, low), high)


def contract(lhs: Array, rhs: Array, dtype: np.dtype) -> Array:
    """[B, M, K] times [B, K, N] in `dtype`: f32, or an integer that wraps.

    Integer products go through f64, and BLAS, while f64 holds every partial sum exactly.
    """
    if is_float(dtype):
        return np.matmul(lhs.astype(np.float32, copy=False), rhs.astype(np.float32, copy=False))
    a, b = lhs.astype(np.int64), rhs.astype(np.int64)
    largest = int(np.abs(a).max(initial=0)) * int(np.abs(b).max(initial=0)) * max(a.shape[-1], 1)
    if largest < 1 << 53:
        return np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(dtype)
    return np.matmul(a, b).astype(dtype)
