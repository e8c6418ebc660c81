"""The two executors of StableHLO agree with numpy, and refuse in a way that can be caught."""

import ml_dtypes
import numpy as np
import pytest

from penguin import dtypes, frontend, mlir, oracle
from penguin.errors import UserError

EXECUTORS = pytest.mark.parametrize("run", [oracle.reference, oracle.jax_cpu])


def text(dtype: str, op: str, shape: str = "2x3x") -> str:
    type_ = f"tensor<{shape}{dtype}>"
    return f"""
      func.func @main(%a: {type_}, %b: {type_}) -> ({type_}, {type_}) {{
        %0 = stablehlo.{op} %a, %b : {type_}
        return %0, %b : {type_}, {type_}
      }}"""


@EXECUTORS
@pytest.mark.parametrize("entry", dtypes.TABLE, ids=lambda entry: entry.mlir)
def test_every_dtype_goes_in_and_comes_out(run: object, entry: dtypes.DType) -> None:
    a = np.array([[0, 1, 3], [1, 0, 2]]).astype(entry.numpy)
    b = np.array([[1, 1, 2], [0, 0, 0]]).astype(entry.numpy)
    first, second = run(text(entry.mlir, "maximum"), [a, b])
    assert first.dtype == second.dtype == entry.numpy
    np.testing.assert_array_equal(first, np.maximum(a, b))
    np.testing.assert_array_equal(second, b)


@EXECUTORS
def test_rank_zero_and_no_elements(run: object) -> None:
    a, b = np.array(2.5, ml_dtypes.bfloat16), np.array(-1, ml_dtypes.bfloat16)
    result = run(text("bf16", "add", ""), [a, b])[0]
    assert (result.shape, result.dtype, float(result)) == ((), ml_dtypes.bfloat16, 1.5)
    empty = np.zeros((0, 4), np.float32)
    assert run(text("f32", "add", "0x4x"), [empty, empty])[0].shape == (0, 4)


@EXECUTORS
def test_bits_survive(run: object) -> None:
    a = np.array([0x0001, 0x7FC1, 0x8000, 0xFF80, 0x7F7F], np.uint16).view(ml_dtypes.bfloat16)
    second = run(text("bf16", "add", "5x"), [a, a])[1]
    assert second.view(np.uint16).tolist() == a.view(np.uint16).tolist()


@EXECUTORS
def test_views_of_arrays(run: object) -> None:
    a = np.arange(12, dtype=np.int32).reshape(3, 4).T[:2]
    np.testing.assert_array_equal(run(text("i32", "add"), [a, a])[0], 2 * a)


@EXECUTORS
def test_chlo(run: object) -> None:
    program = """
      func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %0 = chlo.square %a : tensor<3xf32> -> tensor<3xf32>
        return %0 : tensor<3xf32>
      }"""
    assert run(program, [np.array([1, -2, 3], np.float32)])[0].tolist() == [1, 4, 9]


@EXECUTORS
def test_modules_and_other_names(run: object) -> None:
    program = text("f32", "multiply").replace("@main", "@f")
    a = np.full((2, 3), 3, np.float32)
    with mlir.context():
        module = frontend.load(program)
        before = str(module)
        assert run(module, [a, a])[0].tolist() == (a * a).tolist()
        assert str(module) == before


@EXECUTORS
def test_no_entry_function(run: object) -> None:
    two = text("f32", "add").replace("@main", "@f") + text("f32", "add").replace("@main", "@g")
    with pytest.raises(UserError) as found:
        run(two, [])
    assert found.value.diagnostics[0].code == "PGR220"


CUSTOM = """
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.custom_call @nobody(%a) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }"""


def test_what_the_interpreter_does_not_know() -> None:
    with pytest.raises(UserError) as found:
        oracle.reference(CUSTOM, [np.zeros(2, np.float32)])
    (diagnostic,) = found.value.diagnostics
    assert diagnostic.code == "PGR221"
    assert "Unsupported op: %0 = stablehlo.custom_call @nobody" in diagnostic.message


def test_what_xla_does_not_know() -> None:
    with pytest.raises(UserError) as found:
        oracle.jax_cpu(CUSTOM, [np.zeros(2, np.float32)])
    (diagnostic,) = found.value.diagnostics
    assert diagnostic.code == "PGR222" and "nobody" in diagnostic.message


@pytest.mark.parametrize(
    ("run", "code"), [(oracle.reference, "PGR221"), (oracle.jax_cpu, "PGR222")]
)
def test_inputs_that_do_not_fit(run: object, code: str) -> None:
    a = np.zeros((2, 3), np.float32)
    for inputs in ([a], [a, a, a], [a, np.zeros((3, 3), np.float32)]):
        with pytest.raises(UserError) as found:
            run(text("f32", "add"), inputs)
        assert found.value.diagnostics[0].code == code


def test_programs_that_do_not_parse() -> None:
    for run in (oracle.reference, oracle.jax_cpu):
        with pytest.raises(UserError) as found:
            run("func.func {", [])
        assert found.value.diagnostics[0].code == "PGI003"


def test_random_inputs(context: object) -> None:
    types = ["64x64xbf16", "100xi1", "1000xi8", "1000xui32", "f32", "0x2xf16"]
    arrays = oracle.random_inputs(types, seed=3)
    assert [(a.shape, dtypes.BY_NUMPY[a.dtype].mlir) for a in arrays] == [
        ((64, 64), "bf16"),
        ((100,), "i1"),
        ((1000,), "i8"),
        ((1000,), "ui32"),
        ((), "f32"),
        ((0, 2), "f16"),
    ]
    floats, flags, signed, unsigned = (a.astype(np.float64) for a in arrays[:4])
    assert abs(floats.mean()) < 0.1 and abs(floats.std() - 1) < 0.1
    assert set(flags) == {0, 1}
    assert signed.min() < 0 < signed.max() < 10 and 0 <= unsigned.min() < unsigned.max() < 10
    again = oracle.random_inputs(types, seed=3)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, again, strict=True))
    assert not np.array_equal(arrays[0], oracle.random_inputs(types, seed=4)[0])
    parsed = [mlir.ir.Type.parse(f"tensor<{t}>") for t in types]
    as_types = oracle.random_inputs(parsed, seed=3)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, as_types, strict=True))
