"""The functions of the Activation engine (ActivationFunctionType, NEURON.md section 5), in f32.

`FUNCTIONS[name](x, out, alpha)` writes f(x); `x` is f32 and may be the same array as `out`.
`RANGES` are the valid inputs of S-SDK's activation table, outside of which the engine's results are
invalid. `Sin` and `Arctan` are checked always, because a program that leaves their range relies on
a periodic or saturating function that the engine has not got; the others (square roots, logarithm,
reciprocal) only when strict, because zeros and infinities are everyday inputs for them and the IEEE
result is the best guess.

erf is x P(x*x)/Q(x*x) on |x| <= 3.93, fitted for the least relative error (2e-8 before rounding).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
Function = Callable[[Array, Array, float], None]

_ONE = np.float32(1)
_HALF = np.float32(0.5)
_SQRT_HALF = np.float32(np.sqrt(0.5))
_SQRT_2_OVER_PI = np.float32(np.sqrt(2 / np.pi))
_TWO_OVER_SQRT_PI = np.float32(2 / np.sqrt(np.pi))
_INV_SQRT_2PI = np.float32(1 / np.sqrt(2 * np.pi))
_GELU_CUBIC = np.float32(0.044715)
_GELU_SIGMOID = np.float32(1.702)

_ERF_LIMIT = np.float32(3.93)
_ERF_P = (
    1.1283791065216064,
    0.19078175723552704,
    0.052789900451898575,
    0.0037794841919094324,
    0.0002847996656782925,
    2.0419097381818574e-06,
)
_ERF_Q = (
    1.0,
    0.5024086236953735,
    0.11425656080245972,
    0.014997199177742004,
    0.0011651705717667937,
    3.800297054112889e-05,
)


def _horner(t: Array, coefficients: tuple[float, ...]) -> Array:
    result = np.full_like(t, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        np.multiply(result, t, out=result)
        np.add(result, np.float32(c), out=result)
    return result


def erf(x: Array) -> Array:
    x = np.clip(x, -_ERF_LIMIT, _ERF_LIMIT)
    t = x * x
    x *= _horner(t, _ERF_P)
    x /= _horner(t, _ERF_Q)
    return x


def sigmoid(x: Array) -> Array:
    e = np.exp(np.negative(x))
    e += _ONE
    return np.divide(_ONE, e, out=e)


def softplus(x: Array) -> Array:
    t = np.log1p(np.exp(np.negative(np.abs(x))))
    t += np.maximum(x, np.float32(0))
    return t


def _normal_cdf(x: Array) -> Array:
    t = erf(x * _SQRT_HALF)
    t += _ONE
    t *= _HALF
    return t


def _ufunc(function: np.ufunc) -> Function:
    def apply(x: Array, out: Array, _alpha: float) -> None:
        function(x, out=out)

    return apply


def _of(function: Callable[[Array], Array]) -> Function:
    def apply(x: Array, out: Array, _alpha: float) -> None:
        np.copyto(out, function(x))

    return apply


def _identity(x: Array, out: Array, _alpha: float) -> None:
    np.copyto(out, x)


def _relu(x: Array, out: Array, _alpha: float) -> None:
    np.maximum(x, np.float32(0), out=out)


def _leaky(x: Array, out: Array, alpha: float) -> None:
    np.copyto(out, np.where(x > 0, x, x * np.float32(alpha)))


def _reciprocal(x: Array, out: Array, _alpha: float) -> None:
    np.divide(_ONE, x, out=out)


def _rsqrt(x: Array, out: Array, _alpha: float) -> None:
    np.divide(_ONE, np.sqrt(x), out=out)


def _abs_rsqrt(x: Array, out: Array, _alpha: float) -> None:
    np.divide(_ONE, np.sqrt(np.abs(x)), out=out)


def _gelu(x: Array, out: Array, _alpha: float) -> None:
    np.multiply(x, _normal_cdf(x), out=out)


def _gelu_tanh(x: Array, out: Array, _alpha: float) -> None:
    t = x * x
    t *= x
    t *= _GELU_CUBIC
    t += x
    t *= _SQRT_2_OVER_PI
    np.tanh(t, out=t)
    t += _ONE
    t *= _HALF
    np.multiply(x, t, out=out)


def _gelu_sigmoid(x: Array, out: Array, _alpha: float) -> None:
    np.multiply(x, sigmoid(x * _GELU_SIGMOID), out=out)


def _silu(x: Array, out: Array, _alpha: float) -> None:
    np.multiply(x, sigmoid(x), out=out)


def _mish(x: Array, out: Array, _alpha: float) -> None:
    np.multiply(x, np.tanh(softplus(x)), out=out)


def _derivative_gelu(x: Array) -> Array:
    return _normal_cdf(x) + x * np.exp(x * x * -_HALF) * _INV_SQRT_2PI


def _derivative_silu(x: Array) -> Array:
    s = sigmoid(x)
    return s * (_ONE + x * (_ONE - s))


def _derivative_gelu_sigmoid(x: Array) -> Array:
    scaled = x * _GELU_SIGMOID
    s = sigmoid(scaled)
    return s * (_ONE + scaled * (_ONE - s))


def _derivative_erf(x: Array) -> Array:
    return np.exp(np.negative(x * x)) * _TWO_OVER_SQRT_PI


FUNCTIONS: dict[str, Function] = {
    "Identity": _identity,
    "Square": _ufunc(np.square),
    "Relu": _relu,
    "Lrelu": _leaky,
    "Prelu": _leaky,
    "Sigmoid": _of(sigmoid),
    "Tanh": _ufunc(np.tanh),
    "Exp": _ufunc(np.exp),
    "Softplus": _of(softplus),
    "Sqrt": _ufunc(np.sqrt),
    "Rsqrt": _rsqrt,
    "Ln": _ufunc(np.log),
    "Erf": _of(erf),
    "Sin": _ufunc(np.sin),
    "Arctan": _ufunc(np.arctan),
    "Sign": _ufunc(np.sign),
    "Gelu": _gelu,
    "Mish": _mish,
    "Gelu_apprx_tanh": _gelu_tanh,
    "Gelu_apprx_sigmoid": _gelu_sigmoid,
    "Derivative_Gelu_apprx_sigmoid": _of(_derivative_gelu_sigmoid),
    "Derivative_Gelu": _of(_derivative_gelu),
    "Derivative_Erf": _of(_derivative_erf),
    "Copy": _identity,
    "Abs": _ufunc(np.abs),
    "Reciprocal": _reciprocal,
    "Abs_reciprocal_sqrt": _abs_rsqrt,
    "Silu": _silu,
    "Derivative_silu": _of(_derivative_silu),
    "Is_finite": _of(np.isfinite),
}

# Functions that read a table of the engine; the rest are hard-wired (NEURON.md section 5).
HARD_WIRED = frozenset(
    {"Identity", "Square", "Relu", "Lrelu", "Prelu", "Sign", "Copy", "Abs", "Is_finite"}
)


@dataclass(frozen=True)
class Range:
    """Valid inputs; with `magnitude` the limits hold for |x|. `always` = checked by default."""

    low: float
    high: float
    magnitude: bool = False
    always: bool = False

    def offender(self, x: Array) -> float | None:
        """Some value of `x` that is not valid; a NaN is, since NaN results in NaN."""
        y = np.abs(x) if self.magnitude else x
        bad = (y < np.float32(self.low)) | (y > np.float32(self.high))
        return float(x[bad][0]) if bad.any() else None

    def __str__(self) -> str:
        return f"{'|x| in ' if self.magnitude else ''}[{self.low:g}, {self.high:g}]"


RANGES: dict[str, Range] = {
    "Sin": Range(-np.pi, np.pi, always=True),
    "Arctan": Range(-np.pi / 2, np.pi / 2, always=True),
    "Ln": Range(2.0**-64, 2.0**64),
    "Sqrt": Range(2.0**-116, 2.0**118),
    "Rsqrt": Range(2.0**-87, 2.0**97),
    "Reciprocal": Range(2.0**-42, 2.0**42, magnitude=True),
}
