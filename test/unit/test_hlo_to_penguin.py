"""hlo-to-penguin on real models, on every elementwise op and dtype; the table of supported ops."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from penguin import frontend, interp, mlir, oracle
from penguin.dialects.penguin.attributes import Binary, Unary
from penguin.errors import UserError
from penguin.passes.lowering.hlo_to_penguin import HloToPenguin, supported_ops
from penguin.passlib import run_pipeline

MODELS = ("micro_norms", "attention_bf16", "hf_bert_layer", "tunix_llama_1b_layer")
ROWS = {row.name.removeprefix("stablehlo."): row for row in supported_ops()}
ELEMENTWISE = [
    (name, arity, dtype)
    for names, arity in ((Unary, 1), (Binary, 2))
    for name in names
    if name in ROWS
    for dtype in ROWS[name].dtypes
]


def convert(text: str) -> mlir.ir.Module:
    module = frontend.load(text.encode())
    run_pipeline(module, "builtin.module(hlo-to-penguin)")
    return module


def located_ops(module: mlir.ir.Module) -> list[mlir.ir.Operation]:
    return [op for op in mlir.walk(module.operation) if op.name.startswith("penguin.")]


@pytest.mark.parametrize("name", MODELS)
def test_models_convert(context: object, shared: Path, name: str) -> None:
    path = shared / "models" / f"{name}.mlir"
    module = frontend.load(path)
    run_pipeline(module, "builtin.module(penguin-to-tensor-pipeline)")
    assert module.operation.verify()
    ops = mlir.walk(module.operation)
    assert {op.name.partition(".")[0] for op in ops} == {"builtin", "func", "memref", "penguin"}
    # Every op says which line of the model it comes from.
    assert all(f'"{path}":' in str(op.location) for op in located_ops(module))


def elementwise(name: str, arity: int, dtype: str) -> str:
    type_ = f"tensor<2x3x{dtype}>"
    result = type_.replace(dtype, "i1") if name == Unary.IS_FINITE else type_
    operands = ", ".join(["%a", "%b"][:arity])
    types = ", ".join([type_] * arity)
    return f"""
      func.func @main(%a: {type_}, %b: {type_}) -> {result} {{
        %0 = "stablehlo.{name}"({operands}) : ({types}) -> {result}
        return %0 : {result}
      }}"""


def test_every_elementwise_op_and_dtype_converts(context: object) -> None:
    # f32, bf16 and f16 for the float functions, and more for the others.
    assert len(ELEMENTWISE) > 150
    for name, arity, dtype in ELEMENTWISE:
        module = convert(elementwise(name, arity, dtype))
        assert module.operation.verify()
        function = located_ops(module)[0].attributes["function"].value
        assert function == name


def test_every_other_dtype_is_refused(context: object) -> None:
    """What the table leaves out, StableHLO or the pass refuses."""
    taken = set(ELEMENTWISE)
    every = [t for row in ROWS.values() for t in row.dtypes]
    for (name, arity, _), dtype in itertools.product(sorted(taken), [*sorted(set(every)), "f64"]):
        if (name, arity, dtype) in taken:
            continue
        try:
            module = frontend.load(elementwise(name, arity, dtype).encode())
        except UserError:
            continue
        instance = HloToPenguin()
        instance.run(module)
        assert instance.failed, (name, dtype)


def test_table_of_supported_ops() -> None:
    names = [row.name for row in supported_ops()]
    assert names == sorted(set(names))
    assert ROWS["add"].dtypes == (
        *("f32", "bf16", "f16", "i1", "i8", "i16", "i32", "ui8", "ui16", "ui32"),
    )
    assert ROWS["tanh"].dtypes == ("f32", "bf16", "f16")
    assert ROWS["popcnt"].dtypes == ("i8", "i16", "i32", "ui8", "ui16", "ui32")
    assert ROWS["abs"].dtypes == ("f32", "bf16", "f16", "i8", "i16", "i32")
    assert ROWS["reduce"].limits and "sort" not in ROWS


def test_large_constants_stay_attributes(context: object) -> None:
    """Neither unpacked nor copied: the global holds the very attribute of the constant."""
    data = mlir.ir.DenseElementsAttr.get(np.arange(1 << 20, dtype=np.float32))
    module = frontend.load(b"func.func @main() {\n return\n}")
    function = module.body.operations[0]
    with mlir.ir.InsertionPoint.at_block_begin(function.body.blocks[0]):
        mlir.stablehlo_ops()[0].ConstantOp(data)
    run_pipeline(module, "builtin.module(hlo-to-penguin)")
    held = next(op for op in mlir.walk(module.operation) if op.name == "memref.global")
    assert held.attributes["initial_value"] == data


PROGRAM = """
  func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x2xbf16>, %i: tensor<2x3xi32>)
      -> (tensor<3x2xbf16>, tensor<3xi32>, tensor<3x4xf32>) {
    %0 = stablehlo.convert %x : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0]
        : (tensor<3x4xbf16>, tensor<4x2xbf16>) -> tensor<3x2xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%i init: %c) applies stablehlo.add across dimensions = [0]
        : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
    %d = stablehlo.constant dense<[5, 7, -1]> : tensor<3xi32>
    %3 = stablehlo.maximum %2, %d : tensor<3xi32>
    return %1, %3, %x : tensor<3x2xbf16>, tensor<3xi32>, tensor<3x4xf32>
  }"""


def test_the_kernel_computes_what_the_function_does(context: object) -> None:
    inputs = oracle.random_inputs(["3x4xf32", "4x2xbf16", "2x3xi32"], seed=1)
    expected = oracle.reference(PROGRAM, inputs)
    outputs = interp.run(convert(PROGRAM), inputs)
    assert outputs[0].dtype == expected[0].dtype
    np.testing.assert_allclose(
        outputs[0].astype(np.float32), expected[0].astype(np.float32), atol=2e-2
    )
    np.testing.assert_array_equal(outputs[1], expected[1])
    np.testing.assert_array_equal(outputs[2], inputs[0])
