"""TensorReduce and Matmult, with numpy's answers."""

import ml_dtypes
import numpy as np
import pytest
from sim_programs import apply, dram, inst, load, part, program, psum, save, sbuf, whole

from penguin.bir.model import Loop
from penguin.errors import UserError
from penguin.sim import run

BF16 = ml_dtypes.bfloat16
F32 = np.float32
RNG = np.random.default_rng(3)
X = RNG.standard_normal((6, 10)).astype(F32)


@pytest.mark.parametrize(
    ("op", "fold"),
    [("add", np.sum), ("max", np.max), ("min", np.min), ("mult", np.prod), ("average", np.mean)],
)
def test_free_axis_and_partitions(op: str, fold: object) -> None:
    result = apply("TensorReduce", [X], F32, (6, 1), op=op, axis="X")
    np.testing.assert_allclose(result, fold(X, axis=1, keepdims=True), rtol=1e-5)
    result = apply("TensorReduce", [X], F32, (1, 10), engine="Pool", op=op, axis="C")
    np.testing.assert_allclose(result, fold(X, axis=0, keepdims=True), rtol=1e-5)


def reduce_pattern(pattern: list, out_free: int, axis: str) -> np.ndarray:
    source, tile = (
        dram("arg0", "float32", (6, 10), "ExternalInput"),
        sbuf("t", "float32", (6, 10), 0),
    )
    result, out = (
        sbuf("r", "float32", (6, out_free), 64),
        dram("out0", "float32", (6, out_free), "ExternalOutput"),
    )
    body = [
        load(whole(source), whole(tile)),
        inst("TensorReduce", [part(tile, pattern)], [whole(result)], op="add", axis=axis),
        save(whole(result), whole(out)),
    ]
    return run(program([source, tile, result, out], body), [X])[0]


def test_number_of_letters_is_number_of_innermost_pairs() -> None:
    """[10, 6] partitions, free [5, 2]: X folds pairs, XY all ten."""
    pattern = [(10, 6), (2, 5), (1, 2)]
    np.testing.assert_allclose(
        reduce_pattern(pattern, 5, "X"), X.reshape(6, 5, 2).sum(2), rtol=1e-5
    )
    for axis in ("XY", "XYZ", "XYZW"):
        np.testing.assert_allclose(
            reduce_pattern(pattern, 1, axis), X.sum(1, keepdims=True), rtol=1e-5, atol=1e-6
        )


def test_strided_pattern_swaps_kept_and_folded() -> None:
    pattern = [(10, 6), (1, 2), (2, 5)]
    np.testing.assert_allclose(
        reduce_pattern(pattern, 2, "X"), X.reshape(6, 5, 2).sum(1), rtol=1e-5, atol=1e-6
    )


def test_negate() -> None:
    result = apply("TensorReduce", [X], F32, (6, 1), op="max", axis="X", negate=True)
    np.testing.assert_array_equal(result, -X.max(axis=1, keepdims=True))


def test_bf16_is_summed_in_f32() -> None:
    """256 + 1 is 256 in bf16; f32 sums the ones first to last without loss."""
    x = np.ones((1, 300), BF16)
    x[0, 0] = 256
    assert apply("TensorReduce", [x], F32, (1, 1), op="add", axis="X").tolist() == [[555]]
    assert apply("TensorReduce", [x], BF16, (1, 1), op="add", axis="X").astype(F32) == 556


def test_integers_reduce_exactly_and_saturate() -> None:
    x = np.array([[2**24 + 1, 2, -1], [2**31 - 1, 5, 0], [-(2**31), -1, 1]], np.int32)

    def result(op: str) -> list:
        return apply("TensorReduce", [x], np.int32, (3, 1), op=op, axis="X").ravel().tolist()

    assert result("add") == [2**24 + 2, 2**31 - 1, -(2**31)]
    assert result("max") == [2**24 + 1, 2**31 - 1, 1]
    assert result("mult") == [-(2**25 + 2), 0, 2**31 - 1]


def test_integer_product_saturates_at_every_factor() -> None:
    x = np.array([[2**31 - 1] * 3, [-(2**31), 2**31 - 1, 2**31 - 1]], np.int32)
    result = apply("TensorReduce", [x], np.int32, (2, 1), op="mult", axis="X")
    assert result.ravel().tolist() == [2**31 - 1, -(2**31)]


def test_bitwise_reduction() -> None:
    x = np.array([[0b1100, 0b0110], [-1, 0b1]], np.int32)
    for op, answer in (("and", [0b0100, 1]), ("or", [0b1110, -1]), ("xor", [0b1010, -2])):
        result = apply("TensorReduce", [x], np.int32, (2, 1), op=f"bitwise_{op}", axis="X")
        assert result.ravel().tolist() == answer


def test_operator_that_cannot_reduce_is_an_error() -> None:
    with pytest.raises(UserError, match=r"has op is_gt, which cannot reduce \[PGR104\]"):
        apply("TensorReduce", [X], F32, (6, 1), op="is_gt", axis="X")


def test_output_of_another_size_is_an_error() -> None:
    with pytest.raises(UserError, match=r"'r' has 12 elements, expected 6 \[PGR103\]"):
        apply("TensorReduce", [X], F32, (6, 2), op="add", axis="X")


def matmul_program(dtype: str, trips: int, flag: tuple[str, ...], free: list) -> object:
    """out[4, 6] from `trips` blocks of K = 5; `free` is the free part of moving and output."""
    moving = dram("arg0", dtype, (trips * 5, 6), "ExternalInput")
    stationary = dram("arg1", dtype, (trips * 5, 4), "ExternalInput")
    out = dram("out0", "float32", (4, 6), "ExternalOutput")
    left, right = sbuf("l", dtype, (5, 4), 0), sbuf("m", dtype, (5, 6), 64)
    accumulator, result = psum("p", (4, 6), 2048), sbuf("r", "float32", (4, 6), 128)
    product = inst(
        "Matmult",
        [part(right, [(6, 5), *free]), whole(left)],
        [part(accumulator, [(6, 4), *free])],
        "PE",
        accumulation_flag=flag,
    )
    body = [
        load(part(moving, [(6, 5), (1, 6)], k=30), whole(right)),
        load(part(stationary, [(4, 5), (1, 4)], k=20), whole(left)),
        product,
    ]
    tail = [
        inst("TensorCopy", [whole(accumulator)], [whole(result)]),
        save(whole(result), whole(out)),
    ]
    tensors = [moving, stationary, out, left, right, accumulator, result]
    return program(tensors, [Loop("k", 0, trips, 1, body), *tail])


def blocks(trips: int, dtype: type = F32) -> tuple[np.ndarray, np.ndarray]:
    return (
        RNG.integers(-4, 5, (trips * 5, 6)).astype(dtype),
        RNG.integers(-4, 5, (trips * 5, 4)).astype(dtype),
    )


@pytest.mark.parametrize("dtype", [F32, BF16, np.float16])
def test_matmult_accumulates_over_the_flagged_loop(dtype: type) -> None:
    moving, stationary = blocks(3, dtype)
    name = {F32: "float32", BF16: "bfloat16"}.get(dtype, "float16")
    module = matmul_program(name, 3, ("k",), [(1, 6)])
    expected = stationary.astype(F32).T @ moving.astype(F32)
    np.testing.assert_array_equal(run(module, [moving, stationary])[0], expected)


def test_matmult_without_flag_overwrites() -> None:
    moving, stationary = blocks(3)
    result = run(matmul_program("float32", 3, (), [(1, 6)]), [moving, stationary])[0]
    np.testing.assert_array_equal(result, stationary[10:].T @ moving[10:])


def test_matmult_with_a_free_part_that_is_no_row() -> None:
    """Columns in the order 0 2 4 1 3 5 on both sides, so the product is the same."""
    moving, stationary = blocks(2)
    result = run(matmul_program("float32", 2, ("k",), [(1, 2), (2, 3)]), [moving, stationary])[0]
    np.testing.assert_array_equal(result, stationary.T @ moving)


def test_accumulation_group_starts_when_all_flagged_axes_are_first() -> None:
    """Two axes: only the first of four executions overwrites."""
    ones = dram("arg0", "float32", (1, 1), "ExternalInput")
    out = dram("out0", "float32", (1, 1), "ExternalOutput")
    tile, total, result = (
        sbuf("t", "float32", (1, 1), 0),
        psum("p", (1, 1), 0),
        sbuf("r", "float32", (1, 1), 64),
    )
    for flag, answer in ((("i", "j"), 4), (("j",), 2), ((), 1)):
        product = inst(
            "Matmult", [whole(tile), whole(tile)], [whole(total)], "PE", accumulation_flag=flag
        )
        body = [
            load(whole(ones), whole(tile)),
            Loop("i", 0, 2, 1, [Loop("j", 5, 9, 2, [product])]),
            inst("TensorCopy", [whole(total)], [whole(result)]),
            save(whole(result), whole(out)),
        ]
        module = program([ones, out, tile, total, result], body)
        assert run(module, [np.ones((1, 1), F32)])[0].tolist() == [[answer]]


def test_accumulation_group_of_two_axes_into_no_matrix() -> None:
    """The output's columns go 0 2 1 3; four executions add up."""
    ones = dram("arg0", "float32", (1, 4), "ExternalInput")
    out = dram("out0", "float32", (1, 4), "ExternalOutput")
    tile, total = sbuf("t", "float32", (1, 4), 0), psum("p", (1, 4), 0)
    result = sbuf("r", "float32", (1, 4), 64)
    product = inst(
        "Matmult",
        [whole(tile), part(tile, [(4, 1), (1, 1)])],
        [part(total, [(4, 1), (1, 2), (2, 2)])],
        "PE",
        accumulation_flag=("i", "j"),
    )
    body = [
        load(whole(ones), whole(tile)),
        Loop("i", 0, 2, 1, [Loop("j", 0, 2, 1, [product])]),
        inst("TensorCopy", [whole(total)], [whole(result)]),
        save(whole(result), whole(out)),
    ]
    x = np.array([[1, 2, 3, 4]], F32)
    answer = run(program([ones, out, tile, total, result], body), [x])[0]
    assert answer.tolist() == [[4, 12, 8, 16]]


def test_accumulating_into_unwritten_psum_is_an_error() -> None:
    """The group's first iteration writes another bank than the second adds to."""
    tile, total = sbuf("t", "float32", (1, 1), 0), psum("p", (1, 2), 0)
    product = inst(
        "Matmult",
        [whole(tile), whole(tile)],
        [part(total, [(2, 1), (1, 1)], k=1)],
        "PE",
        accumulation_flag=("k",),
    )
    body = [inst("Memset", [], [whole(tile)], constant=1.0), Loop("k", 0, 2, 1, [product])]
    with pytest.raises(UserError, match=r"'p' reads partition 0, element 1.*\[PGR101\]"):
        run(program([tile, total], body), [])


def test_matmult_with_different_k_is_an_error() -> None:
    x, y = np.ones((3, 2), F32), np.ones((4, 2), F32)
    with pytest.raises(UserError, match=r"has a stationary K of 4, expected 3 \[PGR103\]"):
        apply("Matmult", [x, y], F32, (2, 2), engine="PE")
