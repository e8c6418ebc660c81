"""TensorTensor, TensorScalar, TensorScalarPtr and Reciprocal, with numpy's answers."""

import ml_dtypes
import numpy as np
import pytest
from sim_programs import apply

from penguin.errors import UserError

BF16 = ml_dtypes.bfloat16
F32 = np.float32
RNG = np.random.default_rng(7)
X = RNG.standard_normal((5, 12)).astype(F32)
Y = RNG.standard_normal((5, 12)).astype(F32)
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)


def row(values: list, dtype: type) -> np.ndarray:
    return np.array([values], dtype)


FLOAT_ANSWERS = {
    "bypass": X,
    "add": X + Y,
    "subtract": X - Y,
    "mult": X * Y,
    "elemwise_mul": X * Y,
    "divide": X / Y,
    "max": np.where(X > Y, X, Y),
    "min": np.where(X < Y, X, Y),
    "average": (X + Y) / 2,
    "abs_max": np.where(np.abs(X) > np.abs(Y), np.abs(X), np.abs(Y)),
    "abs_min": np.where(np.abs(X) < np.abs(Y), np.abs(X), np.abs(Y)),
    "abs": np.abs(X),
    "mod": X - np.floor(X / Y) * Y,
    "is_gt": X > Y,
    "is_ge": X >= Y,
    "is_lt": X < Y,
    "is_le": X <= Y,
    "is_equal": X == Y,
    "not_equal": X != Y,
}


@pytest.mark.parametrize("op", FLOAT_ANSWERS)
def test_float_operators(op: str) -> None:
    result = apply("TensorTensor", [X, Y], F32, op=op)
    np.testing.assert_allclose(result, FLOAT_ANSWERS[op].astype(F32), rtol=1e-5, atol=1e-6)


def test_float_power_and_rsqrt() -> None:
    base = np.abs(X) + F32(0.5)
    result = apply("TensorTensor", [base, Y], F32, op="pow", engine="Pool")
    np.testing.assert_allclose(result, np.exp(Y * np.log(base)), rtol=1e-5)
    result = apply("TensorScalar", [base], F32, op0="rsqrt", engine="Pool")
    np.testing.assert_allclose(result, base**-0.5, rtol=1e-6)


def test_logical_operators_take_any_number_but_zero_as_true() -> None:
    x, y = row([0, 0, 2, -3], F32), row([0, 5, 0, 0.5], F32)
    for op, answer in (("and", [0, 0, 0, 1]), ("or", [0, 1, 1, 1]), ("xor", [0, 1, 1, 0])):
        assert apply("TensorTensor", [x, y], F32, op=f"logical_{op}").tolist() == [answer]


def test_mod_has_the_sign_of_the_divisor() -> None:
    x, y = row([5, -5, 5, -5], F32), row([3, 3, -3, -3], F32)
    assert apply("TensorTensor", [x, y], F32, op="mod").tolist() == [[2, 1, -1, -2]]


@pytest.mark.parametrize("op", ["max", "min"])
def test_extremes_propagate_nan(op: str) -> None:
    x, y = row([np.nan, 1, 2], F32), row([1, np.nan, 2], F32)
    assert np.isnan(apply("TensorTensor", [x, y], F32, op=op)).tolist() == [[True, True, False]]


def test_comparisons_with_nan_are_false() -> None:
    x, y = row([np.nan, 1], F32), row([np.nan, 1], F32)
    assert apply("TensorTensor", [x, y], np.uint8, op="is_equal").tolist() == [[0, 1]]
    assert apply("TensorTensor", [x, y], np.uint8, op="not_equal").tolist() == [[1, 0]]


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, BF16, F32])
def test_comparison_result_is_one_or_zero_in_any_dtype(dtype: type) -> None:
    result = apply("TensorTensor", [X, Y], dtype, op="is_gt")
    np.testing.assert_array_equal(result, (X > Y).astype(dtype))


def test_bf16_result_is_rounded_once() -> None:
    """1 + 2**-8 is a tie between 1 and 1 + 2**-7: to even. The sum below is above the tie."""
    x = row([1, 1, 1 + 2**-7], BF16)
    y = row([2**-8, 2**-8 + 2**-15, 2**-8], BF16)
    result = apply("TensorTensor", [x, y], BF16, op="add").astype(F32)
    assert result.tolist() == [[1, 1 + 2**-7, 1 + 2**-6]]


def test_bf16_operands_are_not_rounded_between_two_operators() -> None:
    x = row([1], BF16)
    result = apply(
        "TensorScalar", [x], BF16, op0="add", const0=2.0**-12, op1="subtract", const1=1.0
    )
    assert result.astype(F32).tolist() == [[2**-12]]


def test_f16_overflow_is_infinite() -> None:
    x = row([60000, -60000], np.float16)
    assert apply("TensorTensor", [x, x], np.float16, op="add").tolist() == [[np.inf, -np.inf]]


def test_float_to_integer_rounds_to_even_and_saturates() -> None:
    x = row([0.5, 1.5, -2.5, 300, -300, np.inf, -np.inf], F32)
    one = np.ones_like(x)
    for dtype, answer in (
        (np.int8, [0, 2, -2, 127, -128, 127, -128]),
        (np.uint8, [0, 2, 0, 255, 0, 255, 0]),
        (np.int16, [0, 2, -2, 300, -300, 32767, -32768]),
        (np.int32, [0, 2, -2, 300, -300, INT_MAX, INT_MIN]),
        (np.uint32, [0, 2, 0, 300, 0, 2**32 - 1, 0]),
    ):
        assert apply("TensorTensor", [x, one], dtype, op="mult").tolist() == [answer]


def test_nan_to_integer_is_the_largest_or_with_a_sign_the_smallest() -> None:
    x = row([np.nan, np.copysign(np.nan, -1)], F32)
    assert apply("TensorCopy", [x], np.int8).tolist() == [[127, -128]]
    assert apply("TensorCopy", [x], np.uint8).tolist() == [[255, 0]]
    assert apply("TensorCopy", [x], np.int32).tolist() == [[INT_MAX, INT_MIN]]


def test_int32_add_subtract_and_mult_saturate() -> None:
    x = row([INT_MAX, INT_MIN, 65536, 65536, 7], np.int32)
    y = row([1, -1, 65536, -65536, -3], np.int32)

    def result(op: str) -> list:
        return apply("TensorTensor", [x, y], np.int32, op=op, engine="Pool").tolist()[0]

    assert result("add") == [INT_MAX, INT_MIN, 131072, 0, 4]
    assert result("subtract") == [INT_MAX - 1, INT_MIN + 1, 0, 131072, 10]
    assert result("mult") == [INT_MAX, INT_MAX, INT_MAX, INT_MIN, -21]


def test_uint32_arithmetic_saturates_at_both_ends() -> None:
    x, y = row([2**32 - 1, 0, 2**31], np.uint32), row([1, 1, 2], np.uint32)
    for op, answer in (
        ("add", [2**32 - 1, 1, 2**31 + 2]),
        ("subtract", [2**32 - 2, 0, 2**31 - 2]),
        ("mult", [2**32 - 1, 0, 2**32 - 1]),
    ):
        assert apply("TensorTensor", [x, y], np.uint32, op=op).tolist() == [answer]


def test_int32_saturates_after_each_operator() -> None:
    x = row([INT_MAX, 5], np.int32)
    result = apply("TensorScalar", [x], np.int32, op0="add", const0=9, op1="subtract", const1=9)
    assert result.tolist() == [[INT_MAX - 9, 5]]


def test_int32_is_exact_where_f32_is_not() -> None:
    x, y = row([2**24 + 1, 2**30 + 1], np.int32), row([2**24, 2**30], np.int32)
    assert apply("TensorTensor", [x, y], np.int32, op="is_equal").tolist() == [[0, 0]]
    assert apply("TensorTensor", [x, y], np.int32, op="max").tolist() == x.tolist()
    assert apply("TensorScalar", [x], np.int32, op0="add", const0=1).tolist() == [
        [2**24 + 2, 2**30 + 2]
    ]


def test_an_output_that_is_no_word_leaves_the_integer_datapath() -> None:
    """2**24 + 1 and 2**24 are the same f32."""
    x, y = row([2**24 + 1], np.int32), row([2**24], np.int32)
    assert apply("TensorTensor", [x, y], np.uint8, op="is_equal").tolist() == [[1]]


def test_int32_division_truncates_and_mod_int_is_floored() -> None:
    x, y = row([7, -7, 7, -7, 5], np.int32), row([2, 2, -2, -2, 0], np.int32)
    assert apply("TensorTensor", [x, y], np.int32, op="divide").tolist() == [[3, -3, -3, 3, -1]]
    assert apply("TensorTensor", [x, y], np.int32, op="mod_int").tolist() == [[1, 1, -1, -1, 5]]


def test_bitwise_operators() -> None:
    x = row([0b1100, -1, INT_MIN], np.int32)
    y = row([0b1010, 0xFF, -1], np.int32)
    for op, answer in (
        ("bitwise_and", [0b1000, 0xFF, INT_MIN]),
        ("bitwise_or", [0b1110, -1, -1]),
        ("bitwise_xor", [0b0110, ~0xFF, INT_MAX]),
        ("bitwise_not", [~0b1100, 0, INT_MAX]),
    ):
        assert apply("TensorTensor", [x, y], np.int32, op=op).tolist() == [answer]


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        ("logical_shift_left", [8, -128, 0, -64]),
        ("arith_shift_left", [8, -128, 0, -64]),
        ("logical_shift_right", [0, 0b00011111, 0, 127]),
        ("arith_shift_right", [0, -1, -1, -1]),
    ],
)
def test_shifts_of_int8(op: str, answer: list[int]) -> None:
    """The third amount is the width, the last shifts -32 and -2 by 1."""
    x = row([1, -1 if "right" in op else -16, -1, -32 if "left" in op else -2], np.int8)
    y = row([3, 3, 8, 1], np.int8)
    assert apply("TensorTensor", [x, y], np.int8, op=op).tolist() == [answer]


def test_bits_of_a_float_read_as_integer() -> None:
    x = row([1.0, -2.0], F32).view(np.uint32)
    result = apply("TensorScalar", [x], np.uint32, op0="bitwise_and", const0=0x7FFFFFFF)
    assert result.view(F32).tolist() == [[1.0, 2.0]]


def test_bitvec_immediate_and_second_operator() -> None:
    x = row([0x1234], np.int32)
    result = apply(
        "TensorScalar",
        [x],
        np.int32,
        op0="logical_shift_right",
        const0=8,
        op1="bitwise_and",
        const1=0xF,
    )
    assert result.tolist() == [[2]]


def test_tensor_scalar_applies_both_operators() -> None:
    result = apply(
        "TensorScalar", [X], F32, op0="mult", const0=3.0, op1="subtract", const1=1.0, reverse1=True
    )
    np.testing.assert_array_equal(result, F32(1) - X * F32(3))


def test_reverse_swaps_the_operands() -> None:
    result = apply("TensorScalar", [X], F32, op0="divide", const0=2.0, reverse0=True)
    np.testing.assert_array_equal(result, F32(2) / X)
    scalar = Y[:, :1].copy()
    result = apply("TensorScalarPtr", [X, scalar], F32, op0="subtract", reverse0=True)
    np.testing.assert_array_equal(result, scalar - X)


def test_tensor_scalar_ptr_takes_a_scalar_per_partition() -> None:
    first, second = Y[:, :1].copy(), X[:, 1:2].copy()
    result = apply("TensorScalarPtr", [X, first, second], F32, op0="mult", op1="add")
    np.testing.assert_array_equal(result, X * first + second)
    result = apply("TensorScalarPtr", [X, first], np.uint8, op0="is_ge")
    np.testing.assert_array_equal(result, X >= first)


def test_second_scalar_of_another_dtype() -> None:
    first, second = Y[:, :1].astype(BF16), Y[:, 1:2].copy()
    result = apply("TensorScalarPtr", [X, first, second], F32, op0="mult", op1="is_lt")
    np.testing.assert_array_equal(result, X * first.astype(F32) < second)


def test_reciprocal() -> None:
    x = row([4, -0.5, 0, np.inf], F32)
    assert apply("Reciprocal", [x], F32).tolist() == [[0.25, -2, np.inf, 0]]
    assert apply("Reciprocal", [row([3], BF16)], BF16)[0, 0] == BF16(1 / 3)


def test_mixing_bitvec_and_arithmetic_is_an_error() -> None:
    x = row([1], np.int32)
    with pytest.raises(UserError, match=r"mixes bitwise_and and add.*\[PGR103\]"):
        apply("TensorScalar", [x], np.int32, op0="bitwise_and", const0=1, op1="add", const1=1)


def test_unknown_operator_is_an_error() -> None:
    with pytest.raises(UserError, match=r"has op cosh, which is not simulated \[PGR104\]"):
        apply("TensorTensor", [X, Y], F32, op="cosh")


def test_operands_of_different_sizes_are_an_error() -> None:
    with pytest.raises(UserError, match=r"has 10 elements, expected 60 or one for each of 5"):
        apply("TensorTensor", [X, Y[:, :2].copy()], F32, op="add")
