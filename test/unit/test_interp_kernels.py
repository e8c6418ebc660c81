"""The interpreter's edges: constants, what it refuses, what it leaves alone."""

import ml_dtypes
import numpy as np
import pytest
from interp_kernels import kernel, randoms, run

from penguin import interp
from penguin.errors import UserError
from penguin.mlir import parse

BF16 = ml_dtypes.bfloat16

_BF16_BITS = "".join(np.arange(256, dtype=BF16).tobytes().hex())


@pytest.mark.parametrize(
    ("type_", "literal", "expected"),
    [
        ("3xbf16", "dense<[1.0, 0x7F80, -2.5]>", np.array([1, np.inf, -2.5], BF16)),
        ("2x2xbf16", "dense<1.5>", np.full((2, 2), 1.5, BF16)),
        ("256xbf16", f'dense<"0x{_BF16_BITS}">', np.arange(256, dtype=BF16)),
        ("2xf32", "dense_resource<blob>", np.array([1, 2], np.float32)),
        ("2xui8", "dense<[1, 255]>", np.array([1, 255], np.uint8)),
        ("9xi1", "dense<true>", np.ones(9, np.bool_)),
        ("3xi1", "dense<[true, false, true]>", np.array([True, False, True])),
        ("i16", "dense<-7>", np.array(-7, np.int16)),
    ],
)
def test_constants(context, type_, literal, expected):
    memref = f'memref<{type_}, "dram">'
    text = kernel(
        f"out o: {type_}",
        f"%c = memref.get_global @c : {memref}\n"
        f'"penguin.memcpy"(%c, %o) : ({memref}, {memref}) -> ()',
    )
    text += f'memref.global "private" constant @c : {memref} = {literal}\n'
    text += '{-# dialect_resources: {builtin: {blob: "0x040000000000803F00000040"}} #-}'
    (actual,) = interp.run(parse(text), [])
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)


_UNKNOWN = """
%c = arith.constant 0 : index
%d = memref.dim %x, %c : T(x)
"""
_OUTSIDE = """
affine.for %i = 0 to 4 {
  %a = affine.load %x[%i + 1] : T(x)
  affine.store %a, %o[%i] : T(o)
}
"""


@pytest.mark.parametrize(
    ("body", "inputs", "code", "message"),
    [
        (_UNKNOWN, [randoms(4)], "PGR001", "'memref.dim' op has no interpretation"),
        ("cf.br ^next\n^next:", [randoms(4)], "PGR001", "'func.func' op has 2 blocks"),
        (_OUTSIDE, [randoms(4)], "PGR004", "'affine.load' op index is 4, expected 0 to 3"),
        ("", [], "PGR003", "got 0 inputs, expected 1"),
        ("", [randoms(5)], "PGR003", 'input #0 is float32[5], expected memref<4xf32, "dram">'),
        ("", [randoms(4, dtype=np.int8)], "PGR003", "input #0 is int8[4], expected memref<4xf32"),
    ],
)
def test_user_errors_are_located(context, body, inputs, code, message):
    with pytest.raises(UserError) as caught:
        run("x: 4xf32, out o: 4xf32", body, *inputs)
    (found,) = caught.value.diagnostics
    assert found.code == code and message in found.message
    assert ":" in found.location


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main() { return }", "has 0 functions with penguin.kernel"),
        (
            'func.func @main(%x: memref<4xf32, "dram">) attributes {penguin.kernel} { return }',
            "argument #0 has no penguin.io",
        ),
    ],
)
def test_what_is_no_kernel(context, text, message):
    with pytest.raises(UserError, match=message) as caught:
        interp.run(parse(text), [])
    assert caught.value.diagnostics[0].code == "PGR002"


def test_inputs_stay_as_they_are(context):
    x = randoms(4)
    before = x.copy()
    run("x: 4xf32, out o: 4xf32", '"penguin.memset"(%x) {value = 0.0 : f32} : (T(x)) -> ()', x)
    np.testing.assert_array_equal(x, before)
