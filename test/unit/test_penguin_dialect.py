"""The penguin dialect: builders, accessors, memory effects, verification; `dialects/base.py`."""

import re
from pathlib import Path

import pytest

from penguin.dialects import base
from penguin.dialects import penguin as pg
from penguin.mlir import BOUNDARY, context, guard, ir, parse, run_upstream


def kernel(types, body=""):
    """A function whose arguments %a, %b, ... have these element types and shapes."""
    names = [f"%{chr(ord('a') + i)}" for i in range(len(types))]
    arguments = ", ".join(f'{n}: memref<{t}, "dram">' for n, t in zip(names, types, strict=True))
    return parse(f"func.func @main({arguments}) {{\n{body}\n  return\n}}")


def entry(module):
    return module.body.operations[0].regions[0].blocks[0]


def build(module, make):
    """Calls `make(*arguments)` before the return; the module must verify."""
    block = entry(module)
    with ir.InsertionPoint(list(block.operations)[-1]):
        op = make(*block.arguments)
    with guard():
        assert module.operation.verify()
    return op


def fusion(a, b):
    op = pg.FusionOp([a], [b], "ElementWiseFusionOp", "Elementwise", "Elementwise")
    block = op.regions[0].blocks.append(a.type, b.type)
    with ir.InsertionPoint(block):
        pg.UnaryOp(*block.arguments, "tanh")
    return op


_BUILDERS = [
    (["4xf32", "2x2xf32"], lambda a, b: pg.MemcpyOp(a, b)),
    (["4xf32", "4xi8"], lambda a, b: pg.MemcastOp(a, b)),
    (["4xf32", "4xi32"], lambda a, b: pg.BitcastOp(a, b)),
    (["4xf32", "2xf32", "10xf32"], lambda a, b, c: pg.ConcatOp([a, b, a], c, 0)),
    (["4xf32", "2xf32"], lambda a, b: pg.SliceOp(a, b, [1], [4], [2])),
    (["4xf32", "2xf32"], lambda a, b: pg.SliceOp(a, b, [0], [2], [1], access="flattened")),
    (["4x2xf32", "2x4xf32"], lambda a, b: pg.TransposeOp(a, b, [1, 0])),
    (["4xf32", "4x2xf32"], lambda a, b: pg.BroadcastOp(a, b, [0])),
    (["4xf32"], lambda a: pg.MemsetOp(a, ir.FloatAttr.get_f32(1.0))),
    (
        ["2x3xf32", "3x5xf32", "2x5xf32"],
        lambda a, b, c: pg.TensorContractOp(a, b, c, [], [], [1], [0], [0], [1]),
    ),
    (
        ["2x3xf32", "f32", "2xf32"],
        lambda a, b, c: pg.ReduceOp(a, b, c, pg.attributes.Reduction.ADD, [1]),
    ),
    (["4xf32", "4xf32"], lambda a, b: pg.UnaryOp(a, b, "tanh")),
    (["4xf32", "4xf32", "4xi1"], lambda a, b, c: pg.BinaryOp(a, b, c, "compare_lt")),
    (["f32", "4xf32", "f32", "4xf32"], lambda a, b, c, d: pg.TernaryOp(a, b, c, d, "clamp")),
    (["i1", "4xf32", "4xf32", "4xf32"], lambda a, b, c, d: pg.SelectOp(a, b, c, d)),
    (["4xf32", "f32", "9xf32"], lambda a, b, c: pg.PadOp(a, b, c, [1], [1], [1])),
    (["4xi32"], lambda a: pg.IotaOp(a, 0)),
    (["4xi32", "4xi32"], lambda a, b: pg.ReverseOp(a, b, [0])),
    (
        ["9x4xf32", "3x1xi32", "3x4xf32"],
        lambda a, b, c: pg.GatherOp(a, b, c, [1], [0], [], [], [0], 1, [1, 4]),
    ),
    (["4xf32", "4xf32"], fusion),
]


@pytest.mark.parametrize(("types", "make"), _BUILDERS)
def test_builders_make_valid_ops_that_round_trip(context, types, make):
    module = kernel(types)
    op = build(module, make)
    again = parse(str(module))
    assert str(again) == str(module)
    assert type(next(iter(entry(again).operations))) is type(op)


@pytest.mark.parametrize(("types", "make"), _BUILDERS)
def test_effects_read_sources_and_write_the_destination(context, types, make):
    module = kernel(types)
    op = build(module, make)
    reads, writes = op.effects()
    last = len(op.operands) - 1
    assert list(writes) == [last]
    assert list(reads) == list(range(last))


def test_every_op_has_a_builder_test():
    tested = {name for _, make in _BUILDERS for name in make.__code__.co_names}
    assert {op.__name__ for op in pg.Penguin.operations} <= tested


def test_mlir_sees_the_effects(context):
    """CSE merges two loads with nothing in between, and not those around a write."""
    module = kernel(
        ["4xf32"],
        """
        %zero = arith.constant 0 : index
        %x = memref.load %a[%zero] : memref<4xf32, "dram">
        %y = memref.load %a[%zero] : memref<4xf32, "dram">
        "penguin.memset"(%a) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
        %z = memref.load %a[%zero] : memref<4xf32, "dram">
        memref.store %y, %a[%zero] : memref<4xf32, "dram">
        memref.store %x, %a[%zero] : memref<4xf32, "dram">
        memref.store %z, %a[%zero] : memref<4xf32, "dram">
        """,
    )
    run_upstream("builtin.module(cse)", module.operation)
    assert str(module).count("memref.load") == 2


def test_accessors(context):
    module = kernel(["4xf32", "2xf32", "10xf32"])
    op = build(module, lambda a, b, c: pg.ConcatOp([a, b, a], c, 0))
    assert [str(value.type) for value in op.srcs] == [
        'memref<4xf32, "dram">',
        'memref<2xf32, "dram">',
        'memref<4xf32, "dram">',
    ]
    assert str(op.dst.type) == 'memref<10xf32, "dram">'
    assert op.axis.value == 0


def test_too_many_runs_of_types(context):
    module = kernel(["4xf32", "2xf32"])
    a, b = entry(module).arguments
    with pytest.raises(ValueError, match="operands change their type 16 times, at most 15 can"):
        base.Many.runs([a, b] * 8 + [a])


def test_equal_types_are_one_run(context):
    module = kernel(["4xf32", "2xf32"])
    a, b = entry(module).arguments
    assert [len(run) for run in base.Many.runs([a] * 40 + [b])[:3]] == [40, 1, 0]


def test_loading_again_is_fine(context):
    pg.Penguin.load()
    module = kernel(["4xf32", "4xf32"])
    build(module, lambda a, b: pg.MemcpyOp(a, b))


def test_contexts_take_turns():
    """Facts about types are kept per context."""
    with context():
        first = kernel(["4xf32", "2x2xf32"])
    with context():
        second = kernel(["4xf32", "2x2xf32"])
        build(second, lambda a, b: pg.MemcpyOp(a, b))
    with first.context, ir.Location.unknown():
        build(first, lambda a, b: pg.MemcpyOp(a, b))


def test_an_exception_in_a_verifier_surfaces(context, monkeypatch):
    def broken(self, src, dst):
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(pg.MemcpyOp, "check", broken)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        kernel(
            ["4xf32", "4xf32"],
            '"penguin.memcpy"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()',
        )
    assert BOUNDARY.exception is None


def test_facts_about_types(context):
    def facts(text):
        return base.tensor_of(ir.Type.parse(text))

    t = facts('memref<3x4xbf16, "sbuf">')
    assert (t.shape, t.dtype.mlir, t.space, t.count, t.problem) == (
        (3, 4),
        "bf16",
        "sbuf",
        12,
        None,
    )
    assert facts('memref<i1, "dram">').count == 1
    assert facts('memref<0x4xf32, "dram">').count == 0
    assert "expected row-major" in facts('memref<4xf32, strided<[2]>, "dram">').problem
    assert "expected a memref" in facts("tensor<4xf32>").problem
    assert 'memory space "hbm"' in facts('memref<4xf32, "hbm">').problem


_CLAUSE = re.compile(r"^ {4}\((C\d+)\)", re.MULTILINE)


@pytest.mark.parametrize("op", pg.Penguin.operations, ids=lambda op: op.OPERATION_NAME)
def test_every_clause_has_a_negative_case(root: Path, op):
    """Some case of the -invalid files names the op and the clause."""
    clauses = _CLAUSE.findall(op.__doc__)
    assert clauses == [f"C{i + 1}" for i in range(len(clauses))]
    file = op.__module__.rsplit(".", 1)[-1].replace("_", "-")
    text = (root / f"test/dialects/penguin/{file}-invalid.mlir").read_text()
    messages = re.findall(rf"\{{\{{'{op.OPERATION_NAME}' op (.*)\}}\}}", text)
    tested = {clause for message in messages for clause in re.findall(r"\((C\d+)\)", message)}
    functions = set(re.findall(r"@(?:(\w+?)_)?(c\d+)", text))
    short = op.OPERATION_NAME.split(".")[1].removeprefix("tensor_")
    tested |= {clause.upper() for prefix, clause in functions if prefix in (short, "")}
    assert set(clauses) <= tested
