"""The bir dialect: builders, attributes, schemas, effects, locations."""

import math

import pytest

from penguin.bir import locations
from penguin.dialects import bir
from penguin.dialects.base import ext
from penguin.mlir import ir, memref, parse


@pytest.fixture
def module():
    with ir.Context(), ir.Location.unknown():
        bir.Bir.load()
        found = ir.Module.create()
        with ir.InsertionPoint(found.body):
            yield found


def tile(space="sbuf", shape=(128, 512)):
    type_ = ir.MemRefType.get(shape, ir.F32Type.get(), memory_space=ir.StringAttr.get(space))
    return memref.AllocOp(type_, [], []).result


ALL = [(512, 128), (1, 512)]


def test_build(module):
    source, destination = tile("dram", (1024, 512)), tile()
    outer = bir.loop(0, 8)
    with ir.InsertionPoint(outer.block):
        inner = bir.loop(2, 8, 3)
    with ir.InsertionPoint(inner.block):
        load = bir.build(
            bir.Opcode.LOAD,
            ins=[(source, "float32", 5, {inner.axis: -4, outer.axis: 65536}, ALL)],
            outs=[(destination, "float32", 0, {}, ALL)],
            engine=bir.Engine.DMA,
            attributes={"queue": "q", "can_read_uninit": True},
        )
    assert isinstance(load, bir.Load)
    assert str(load.attributes["access"]) == (
        '[#bir.ap<"float32", affine_map<(d0, d1) -> (d0 * -4 + d1 * 65536 + 5)>, '
        '[[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<(d0, d1) -> (0)>, '
        "[[512, 128], [1, 512]]>]"
    )
    assert load.ins == [source]
    assert load.outs == [destination]
    assert list(load.axes) == [inner.axis, outer.axis]
    assert (load.source, load.destination) == (source, destination)
    assert inner.range == (2, 8, 3)
    assert (inner.range.trips, inner.range.last) == (2, 5)


def test_accumulation_axes(module):
    a, p = tile(shape=(128, 128)), tile("psum", (128, 128))
    everything = [(128, 128), (1, 128)]
    outer = bir.loop(0, 2)
    with ir.InsertionPoint(outer.block):
        inner = bir.loop(0, 2)
    with ir.InsertionPoint(inner.block):
        matmult = bir.build(
            bir.Opcode.MATMULT,
            ins=[(a, "float32", 0, {}, everything)] * 2,
            outs=[(p, "float32", 0, {}, everything)],
            engine=bir.Engine.PE,
            attributes={"accumulation_flag": [inner.axis, outer.axis]},
        )
    assert list(matmult.axes) == [inner.axis, outer.axis]
    assert bir.from_attribute(matmult.attributes["accumulation_flag"]) == (0, 1)
    assert module.operation.verify()


def test_optional_input(module):
    a, s = tile(), tile(shape=(128, 1))
    data = (a, "float32", 0, {}, ALL)
    bias = (s, "float32", 0, {}, [(1, 128), (1, 1)])
    for ins in ([data], [data, bias]):
        op = bir.build(
            bir.Opcode.ACTIVATION,
            ins=ins,
            outs=[data],
            engine=bir.Engine.ACTIVATION,
            attributes={"func": bir.ActivationFunction.EXP, "scale": 1.0, "alpha": 0.0},
        )
        assert op.ins == [operand[0] for operand in ins]
        assert op.outs == [a]
        assert op.bias == (s if len(ins) == 2 else None)
    assert module.operation.verify()


def test_parsed_ops_are_the_same(module):
    a = tile()
    for _ in range(2):
        bir.build(
            bir.Opcode.RECIPROCAL,
            ins=[(a, "float32", 0, {}, ALL)],
            outs=[(a, "float32", 0, {}, ALL)],
            engine=bir.Engine.DVE,
        )
    again = parse(str(module))
    assert str(again) == str(module)
    assert isinstance(list(again.body.operations)[-1], bir.Reciprocal)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (3, "3 : i64"),
        (0.0, "0.000000e+00 : f32"),
        (-0.0, "-0.000000e+00 : f32"),
        (math.inf, "0x7F800000 : f32"),
        ("add", '"add"'),
        (bir.AluOp.ADD, '"add"'),
        ([[1, 2], [3, 4]], "[[1, 2], [3, 4]]"),
        ([], "[]"),
    ],
)
def test_attribute_values(module, value, text):
    attribute = bir.to_attribute(value)
    assert str(attribute) == text
    back = bir.from_attribute(attribute)
    assert repr(back) == repr(_tuples(value)) or back == value


def _tuples(value):
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def test_contexts_do_not_share_attributes():
    for _ in range(3):
        with ir.Context() as context, ir.Location.unknown():
            bir.Bir.load()
            bir.Bir.load()
            attribute = bir.encode("float32", 1, (2,), ((1, 4),))
            assert attribute.context == context
            assert bir.decode(attribute) == bir.AccessPattern("float32", 1, (2,), ((1, 4),))


@pytest.mark.parametrize("coefficients", [(), (0,), (1,), (-1,), (512, -3), (0, 7, 0), (-1, 1)])
@pytest.mark.parametrize("const", [0, 5, -9])
def test_decode_reads_the_text_of_a_map(module, coefficients, const):
    attribute = bir.encode("uint8", const, coefficients, ((0, 1), (-3, 7)))
    # A second context has decoded nothing yet.
    text = str(attribute)
    with ir.Context(), ir.Location.unknown():
        bir.Bir.load()
        pattern = bir.decode(ir.Attribute.parse(text))
    assert pattern == bir.AccessPattern("uint8", const, coefficients, ((0, 1), (-3, 7)))


def test_fields_and_schemas_agree():
    for opcode, cls in bir.BY_OPCODE.items():
        operands = [f for f in cls._fields if isinstance(f, ext.OperandDef)]
        assert [f.name for f in operands] == [*cls.schema.ins, *cls.schema.outs, "axes"]
        optional = [f.name for f in operands if f.variadicity == ext.Variadicity.optional]
        assert len(optional) == cls.schema.optional
        assert cls.OPERATION_NAME == f"bir.{opcode}"
        assert cls.__doc__


def test_every_opcode_has_a_class():
    assert set(bir.BY_OPCODE) == set(bir.Opcode)


def test_effects(module):
    a, b, mask = tile(), tile(), tile()
    copy = bir.build(
        bir.Opcode.COPY_PREDICATED,
        ins=[(mask, "int32", 0, {}, ALL), (a, "float32", 0, {}, ALL)],
        outs=[(b, "float32", 0, {}, ALL)],
        engine=bir.Engine.DVE,
    )
    assert [list(group) for group in copy.effects()] == [[0, 1, 2], [2]]
    reciprocal = bir.build(
        bir.Opcode.RECIPROCAL,
        ins=[(a, "float32", 0, {}, ALL)],
        outs=[(b, "float32", 0, {}, ALL)],
        engine=bir.Engine.DVE,
    )
    assert [list(group) for group in reciprocal.effects()] == [[0], [1]]


@pytest.mark.parametrize(
    ("location", "text"),
    [
        ('loc("jit(f)/mul"("model.py":12:5))', '"jit(f)/mul" model.py:12:5'),
        ("loc(unknown)", ""),
        ('loc("m.py":1:2)', "m.py:1:2"),
        ('loc("a")', '"a"'),
        ('loc("my file.py":1:2)', '"my file.py":1:2'),
        ('loc("a"("b"("m.py":1:2)))', '"a" m.py:1:2'),
        ('loc(callsite("f"("m.py":1:2) at "g.py":3:4))', '"f" m.py:1:2'),
        ('loc("x"(callsite("m.py":1:2 at callsite("g.py":3:4 at "h.py":5:6))))', '"x" m.py:1:2'),
        ('loc(fused["a"("m.py":1:2), "n.py":3:4])', '"a" m.py:1:2, n.py:3:4'),
        ('loc(fused<"x">["m.py":1:2, "m.py":1:3])', "m.py:1:2, m.py:1:3"),
        (r'loc("q\22b"("m.py":1:2))', r'"q\"b" m.py:1:2'),
        (r'loc("\C3\A9"("m.py":1:2))', '"é" m.py:1:2'),
    ],
)
def test_locations(module, location, text):
    # Attributes have no locations to parse; ops do.
    op = parse(f"module {{}} {location}").operation
    assert locations.text_of(op.location) == text
    assert locations.text_of(locations.location_of(text)) == text
