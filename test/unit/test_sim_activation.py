"""The Activation engine's functions against Python's math module in double precision."""

import math

import numpy as np
import pytest
from sim_programs import apply

from penguin.dialects.bir.enums import ActivationFunction
from penguin.errors import UserError
from penguin.sim.activation import FUNCTIONS

F32 = np.float32
X = np.linspace(-3.1, 3.1, 97, dtype=F32).reshape(1, -1)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def cdf(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


ANSWERS = {
    "Identity": lambda x: x,
    "Copy": lambda x: x,
    "Square": lambda x: x * x,
    "Relu": lambda x: max(x, 0),
    "Lrelu": lambda x: x if x > 0 else 0.25 * x,
    "Prelu": lambda x: x if x > 0 else 0.25 * x,
    "Sigmoid": sigmoid,
    "Tanh": math.tanh,
    "Exp": math.exp,
    "Softplus": lambda x: math.log1p(math.exp(x)),
    "Erf": math.erf,
    "Sin": math.sin,
    "Sign": lambda x: (x > 0) - (x < 0),
    "Gelu": lambda x: x * cdf(x),
    "Mish": lambda x: x * math.tanh(math.log1p(math.exp(x))),
    "Gelu_apprx_tanh": lambda x: (
        x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    ),
    "Gelu_apprx_sigmoid": lambda x: x * sigmoid(1.702 * x),
    "Abs": abs,
    "Silu": lambda x: x * sigmoid(x),
    "Is_finite": lambda x: 1,
}
POSITIVE = {
    "Sqrt": math.sqrt,
    "Rsqrt": lambda x: 1 / math.sqrt(x),
    "Ln": math.log,
    "Reciprocal": lambda x: 1 / x,
    "Abs_reciprocal_sqrt": lambda x: 1 / math.sqrt(abs(x)),
    "Arctan": math.atan,
}
# Derivatives by central differences of the functions above.
DERIVATIVES = {
    "Derivative_Gelu_apprx_sigmoid": ANSWERS["Gelu_apprx_sigmoid"],
    "Derivative_Gelu": ANSWERS["Gelu"],
    "Derivative_Erf": math.erf,
    "Derivative_silu": ANSWERS["Silu"],
}


def activate(name: str, x: np.ndarray, **attributes: object) -> np.ndarray:
    given = {"scale": 1.0, "alpha": 0.25, **attributes}
    strict = bool(given.pop("strict", False))
    return apply("Activation", [x], F32, engine="Activation", func=name, strict=strict, **given)


def test_every_function_of_the_enum_is_simulated_and_tested() -> None:
    names = {str(f) for f in ActivationFunction}
    assert set(FUNCTIONS) == names == {*ANSWERS, *POSITIVE, *DERIVATIVES}


@pytest.mark.parametrize("name", ANSWERS)
def test_function(name: str) -> None:
    expected = [ANSWERS[name](float(x)) for x in X[0]]
    np.testing.assert_allclose(activate(name, X)[0], expected, rtol=2e-6, atol=5e-7)


@pytest.mark.parametrize("name", POSITIVE)
def test_function_of_positive_numbers(name: str) -> None:
    x = np.linspace(0.1, 1.5, 50, dtype=F32).reshape(1, -1)
    expected = [POSITIVE[name](float(v)) for v in x[0]]
    np.testing.assert_allclose(activate(name, x)[0], expected, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivative(name: str) -> None:
    h, f = 1e-4, DERIVATIVES[name]
    expected = [(f(float(x) + h) - f(float(x) - h)) / (2 * h) for x in X[0]]
    np.testing.assert_allclose(activate(name, X)[0], expected, atol=2e-6)


def test_erf_over_its_whole_range() -> None:
    x = np.concatenate([np.linspace(-8, 8, 3999), [1e-30, -np.inf, np.inf]]).astype(F32)
    expected = [math.erf(float(v)) for v in x]
    np.testing.assert_allclose(activate("Erf", x[None])[0], expected, rtol=5e-7)
    assert np.isnan(activate("Erf", np.array([[np.nan]], F32)))


def test_saturating_functions_do_not_overflow() -> None:
    x = np.array([[-1e4, 1e4]], F32)
    assert activate("Sigmoid", x).tolist() == [[0, 1]]
    assert activate("Softplus", x).tolist() == [[0, 1e4]]
    assert activate("Silu", x).tolist() == [[0, 1e4]]


def test_scale_and_bias_come_before_the_function() -> None:
    x = np.array([[1, 2], [3, 4]], F32)
    bias = np.array([[0.5], [-1]], F32)
    result = apply(
        "Activation", [x, bias], F32, engine="Activation", func="Square", scale=2.0, alpha=0.0
    )
    assert result.tolist() == [[2.5**2, 4.5**2], [5**2, 7**2]]


@pytest.mark.parametrize(("name", "value"), [("Sin", 3.5), ("Sin", -3.2), ("Arctan", 1.7)])
def test_input_out_of_range_is_an_error_that_names_the_value(name: str, value: float) -> None:
    x = np.array([[0.25, value]], F32)
    with pytest.raises(UserError, match=rf"I-1 applies {name} to {value}.*\[PGR105\]"):
        activate(name, x)


def test_scale_counts_for_the_range() -> None:
    x = np.array([[6.0]], F32)
    np.testing.assert_allclose(activate("Sin", x, scale=0.5), np.sin(3.0), rtol=1e-6)


@pytest.mark.parametrize(("name", "value"), [("Ln", 0.0), ("Sqrt", 0.0), ("Reciprocal", 0.0)])
def test_everyday_zeros_are_an_error_only_when_strict(name: str, value: float) -> None:
    x = np.array([[value]], F32)
    answers = {"Ln": -np.inf, "Sqrt": 0, "Reciprocal": np.inf}
    assert activate(name, x).tolist() == [[answers[name]]]
    with pytest.raises(UserError, match=r"\[PGR105\]"):
        activate(name, x, strict=True)


def test_range_of_reciprocal_is_one_of_magnitudes() -> None:
    assert activate("Reciprocal", np.array([[-2.0]], F32), strict=True).tolist() == [[-0.5]]


def test_unknown_function_is_an_error() -> None:
    with pytest.raises(UserError, match=r"has function Unknown.*\[PGR104\]"):
        activate("Unknown", X)
