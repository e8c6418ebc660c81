"""What reports call tensors."""

import time

import pytest

from penguin import mlir
from penguin.analysis.tensor_names import described, name_of
from penguin.mlir import ir, walk

pytestmark = pytest.mark.usefixtures("context")

_T = 'memref<4xf32, "dram">'
_V = 'memref<2x2xf32, "dram">'
_XY = f'%x: {_T} {{penguin.name = "x"}}, %y: {_T}'


def _ops(body: str, arguments: str = "", name: str = "test.look") -> list[ir.Operation]:
    """The ops of one name of a function with this body."""
    module = mlir.parse(
        f'memref.global "private" constant @c3 : {_T} = dense<1.0>\n'
        f"func.func @f({arguments}) {{\n{body}\n  return\n}}\n"
    )
    _KEPT.append(module)
    return walk(module.operation, name)


# A module must outlive its ops.
_KEPT: list[ir.Module] = []


def _look(value: str, type_: str = _T) -> str:
    return f'"penguin.memset"({value}) {{value = 0.0 : f32}} : ({type_}) -> ()'


def _name(body: str, arguments: str = "") -> str:
    (op,) = _ops(body, arguments, "penguin.memset")
    return name_of(op.operands[0])


def test_the_attribute_of_an_alloc_and_of_an_argument_name_a_tensor() -> None:
    alloc = f'%a = memref.alloc() {{penguin.name = "t7"}} : {_T}\n'
    assert _name(alloc + _look("%a")) == "t7"
    assert _name(_look("%x"), f'%y: {_T}, %x: {_T} {{penguin.name = "weights"}}') == "weights"


def test_tensors_without_a_name() -> None:
    assert _name(_look("%x"), f"%y: {_T}, %x: {_T}") == "arg1"
    assert _name(_look("%x"), f'%y: {_T} {{penguin.name = "y"}}, %x: {_T}') == "arg1"
    assert _name(f"  %a = memref.alloc() : {_T}\n" + _look("%a")) == "memref.alloc@3:8"
    assert _name(f"%a = memref.get_global @c3 : {_T}\n" + _look("%a")) == "c3"
    nowhere = f"%a = memref.alloc() : {_T} loc(unknown)\n"
    assert _name(nowhere + _look("%a")) == "memref.alloc"


def test_a_view_has_the_name_of_its_base() -> None:
    text = f"""
  %a = memref.alloc() {{penguin.name = "t7"}} : {_T}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1]
    : {_T} to {_V}
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [4], strides: [1] : {_V} to {_T}
"""
    assert _name(text + _look("%w")) == "t7"


def test_an_argument_of_a_loop_has_a_number() -> None:
    text = f"""
  %i = arith.constant 0 : index
  %r = scf.for %k = %i to %i step %i iter_args(%t = %x) -> ({_T}) {{
    {_look("%t")}
    scf.yield %t : {_T}
  }}
"""
    assert _name(text, f"%x: {_T}") == "arg1"


def test_both_ends_of_an_op() -> None:
    (copy,) = _ops(f'"penguin.memcpy"(%x, %y) : ({_T}, {_T}) -> ()', _XY, "penguin.memcpy")
    assert dict(described(copy)) == {"Op": "penguin.memcpy", "From": "x", "To": "arg1"}
    segments = ", ".join(map(str, [2, *[0] * 15, 1]))
    (concat,) = _ops(
        f'%z = memref.alloc() {{penguin.name = "z"}} : memref<8xf32, "dram">\n'
        f'"penguin.concat"(%x, %y, %z) {{axis = 0, operandSegmentSizes = array<i32: {segments}>}}'
        f' : ({_T}, {_T}, memref<8xf32, "dram">) -> ()',
        _XY,
        "penguin.concat",
    )
    assert dict(described(concat)) == {"Op": "penguin.concat", "From": "x, arg1", "To": "z"}
    (memset,) = _ops(_look("%x"), _XY, "penguin.memset")
    assert dict(described(memset)) == {"Op": "penguin.memset", "To": "x"}
    (constant,) = _ops("%i = arith.constant 0 : index", "", "arith.constant")
    assert dict(described(constant)) == {"Op": "arith.constant"}


def test_names_take_no_longer_in_a_long_function() -> None:
    """SSA names, which MLIR prints the function for, take milliseconds each here."""
    count = 5_000
    lines = [f'%a{n} = memref.alloc() {{penguin.name = "t{n}"}} : {_T}' for n in range(count)]
    looks = [_look(f"%a{n}") for n in range(count)]
    ops = _ops("\n".join([*lines, *looks]), "", "penguin.memset")
    start = time.perf_counter()
    names = [name_of(op.operands[0]) for op in ops]
    assert time.perf_counter() - start < 1.0
    assert names == [f"t{n}" for n in range(count)]
