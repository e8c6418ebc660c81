"""Programs with little or odd things in them, down to BIR and executed; answers by numpy."""

import struct

import numpy as np
import pytest

from penguin import bir, driver, execute, frontend, ports
from penguin.dtypes import TABLE, DType
from penguin.mlir import context

LEVELS = ("penguin", "loops", "tiled", "bir")
F32 = np.float32
X = np.arange(12, dtype=F32).reshape(4, 3)


def check(text: str, inputs: list[np.ndarray], expected: list[np.ndarray]) -> None:
    """Every level of `text`, and the oracles, compute `expected`; BIR survives its text form."""
    with context():
        for oracle in execute.Oracle:
            equal(execute.run(frontend.load(text), inputs, oracle), expected)
        for level in LEVELS:
            compiled = driver.compile(frontend.load(text), stop_after=level)
            equal(compiled.run(inputs), expected)
        again = bir.from_text(bir.to_text(compiled.bir))
        equal(execute.run_bir(again, inputs, ports.signature(frontend.load(text))), expected)


def equal(actual: list[np.ndarray], expected: list[np.ndarray]) -> None:
    assert len(actual) == len(expected)
    for here, there in zip(actual, expected, strict=True):
        assert (here.dtype, here.shape) == (there.dtype, there.shape)
        # numpy knows no NaN of bfloat16.
        kind = F32 if here.dtype.kind == "V" else here.dtype
        np.testing.assert_array_equal(here.astype(kind), there.astype(kind))


def main(signature: str, body: str = "", results: str = "", types: str = "") -> str:
    end = f"return {results} : {types}" if results else "return"
    arrow = f" -> ({types})" if results else ""
    return f"func.func @main({signature}){arrow} {{\n{body}\n{end}\n}}\n"


ADD = "%0 = stablehlo.add %x, %x : tensor<4x3xf32>"


@pytest.mark.parametrize(
    "text, inputs, expected",
    [
        (main(""), [], []),
        (main("%x: tensor<4x3xf32>"), [X], []),
        (main("%x: tensor<f32>", "", "%x", "tensor<f32>"), [F32(3)], [np.array(3, F32)]),
        (
            main(
                "%x: tensor<4x3xf32>, %unused: tensor<7xi8>, %b: tensor<2xi1>",
                ADD,
                "%0, %b, %0, %x",
                "tensor<4x3xf32>, tensor<2xi1>, tensor<4x3xf32>, tensor<4x3xf32>",
            ),
            [X, np.zeros(7, np.int8), np.array([True, False])],
            [X + X, np.array([True, False]), X + X, X],
        ),
        (
            main(
                "%x: tensor<0x3xf32>",
                "%0 = stablehlo.add %x, %x : tensor<0x3xf32>",
                "%0",
                "tensor<0x3xf32>",
            ),
            [np.zeros((0, 3), F32)],
            [np.zeros((0, 3), F32)],
        ),
        (
            main("", "%0 = stablehlo.constant dense<> : tensor<0xbf16>", "%0", "tensor<0xbf16>"),
            [],
            [np.zeros(0, next(t.numpy for t in TABLE if t.mlir == "bf16"))],
        ),
        (
            main(
                "%x: tensor<0x3xf32>",
                "%c = stablehlo.constant dense<2.0> : tensor<f32>\n"
                "%0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0]"
                " : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>",
                "%0",
                "tensor<3xf32>",
            ),
            [np.zeros((0, 3), F32)],
            [np.full(3, 2, F32)],
        ),
    ],
    ids=["nothing", "no-results", "scalar", "passed-on", "empty", "empty-constant", "empty-sum"],
)
def test_shapes_and_signatures(text: str, inputs: list, expected: list) -> None:
    check(text, [np.asarray(array) for array in inputs], expected)


def test_nested_calls() -> None:
    def function(name: str, body: str) -> str:
        return (
            f"func.func private @{name}(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {{\n{body}\n"
            f"return %0 : tensor<4x3xf32>\n}}\n"
        )

    def calls(name: str) -> str:
        type_ = "(tensor<4x3xf32>) -> tensor<4x3xf32>"
        return f"%1 = func.call @{name}(%x) : {type_}\n%0 = func.call @{name}(%1) : {type_}"

    text = function("a", calls("b")) + function("b", calls("c")) + function("c", ADD)
    text += main("%x: tensor<4x3xf32>", calls("a"), "%0", "tensor<4x3xf32>")
    check(text, [X], [X * 256])


@pytest.mark.parametrize("dtype", TABLE, ids=lambda dtype: dtype.mlir)
def test_resources(dtype: DType) -> None:
    """A large constant comes as bytes beside the module."""
    if dtype.is_float:
        values = np.array([1.5, -0.0, np.inf, np.nan])
    else:
        values = np.array([0, 1, 100, 1])
    array = values.astype(dtype.numpy)
    data = (struct.pack("<I", dtype.itemsize) + array.tobytes()).hex()
    type_ = f"tensor<4x{dtype.mlir}>"
    text = main("", f"%0 = stablehlo.constant dense_resource<r> : {type_}", "%0", type_)
    text += f'{{-# dialect_resources: {{ builtin: {{ r: "0x{data}" }} }} #-}}\n'
    check(text, [], [array])


def test_clamp_of_booleans() -> None:
    """False < true, so clamp is (x or low) and high."""
    low, x, high = (array.astype(bool).reshape(8) for array in np.indices((2, 2, 2)))
    body = "%0 = stablehlo.clamp %a, %x, %b : tensor<8xi1>"
    text = main("%a: tensor<8xi1>, %x: tensor<8xi1>, %b: tensor<8xi1>", body, "%0", "tensor<8xi1>")
    check(text, [low, x, high], [(x | low) & high])
