"""Making instructions and loops: `build` and `loop`, for pass authors.

    nest = bir.loop(0, 8, 1)
    with ir.InsertionPoint(nest.block):
        bir.build(
            Opcode.LOAD,
            ins=[(argument, "float32", 0, {nest.axis: 128 * 512}, [(512, 128), (1, 512)])],
            outs=[(tile, "float32", 0, {}, [(512, 128), (1, 512)])],
            engine=Engine.DMA,
            loc=location,
        )

This is on the compile hot path: attributes are remembered per context (`access_pattern.Cache`) and
nothing is checked here; the verifier does that.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from penguin.dialects.bir.access_pattern import cache, encode, encode_list
from penguin.dialects.bir.instructions import ACCESS, ENGINE, SCHEMAS, SEGMENTS
from penguin.dialects.bir.loops import LOWER, STEP, UPPER, LoopOp
from penguin.mlir import ir

# Tensor, BIR dtype, constant offset, coefficient of each loop axis, (step, num) pairs.
OperandSpec = tuple[ir.Value, str, int, Mapping[ir.Value, int], Sequence[tuple[int, int]]]

# Opcodes with an optional input, and how many inputs they have with it.
_OPTIONAL = {str(op): len(schema.ins) for op, schema in SCHEMAS.items() if schema.optional}

_create = ir.Operation.create


def build(
    opcode: str,
    *,
    ins: Sequence[OperandSpec] = (),
    outs: Sequence[OperandSpec] = (),
    engine: str,
    attributes: Mapping[str, Any] | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpView:
    """One instruction. `attributes` holds Python values under the keys of the opcode's schema;
    values of `accumulation_flag` are loop axes (`ir.Value`), which need not occur in an offset.
    """
    flag_axes = attributes.get("accumulation_flag") if attributes else None
    axes: dict[ir.Value, int] = {}
    for operand in (*ins, *outs):
        for axis in operand[3]:
            if axis not in axes:
                axes[axis] = len(axes)
    if flag_axes:
        for axis in flag_axes:
            if axis not in axes:
                axes[axis] = len(axes)
    order = list(axes)
    values, patterns = [], []
    for value, dtype, const, coefficients, pattern in (*ins, *outs):
        values.append(value)
        row = tuple([coefficients.get(axis, 0) for axis in order]) if order else ()
        patterns.append(encode(str(dtype), const, row, tuple(map(tuple, pattern))))
    values += order
    encoded = {
        ACCESS: encode_list(patterns),
        ENGINE: to_attribute(str(engine)),
    }
    if opcode in _OPTIONAL:
        encoded[SEGMENTS] = _segments(opcode, len(ins), len(order))
    if attributes:
        for key, value in attributes.items():
            if key == "accumulation_flag":
                value = tuple([axes[axis] for axis in value])
            encoded[key] = to_attribute(value)
    return _create(f"bir.{opcode}", operands=values, attributes=encoded, loc=loc, ip=ip).opview


def loop(
    lower: int,
    upper: int,
    step: int = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> LoopOp:
    """A loop with an empty body; its `.block` is where the body goes, `.axis` its variable."""
    attributes = {k: to_attribute(v) for k, v in ((LOWER, lower), (UPPER, upper), (STEP, step))}
    op = _create("bir.loop", attributes=attributes, regions=1, loc=loc, ip=ip)
    op.regions[0].blocks.append(ir.IndexType.get())
    return op.opview


def to_attribute(value: Any) -> ir.Attribute:
    """The MLIR attribute of a Python value: bool, int (i64), float (f32), str, nested sequences."""
    if isinstance(value, list):
        value = tuple(map(tuple, value)) if value and isinstance(value[0], list) else tuple(value)
    store = cache().values
    # -0.0 == 0.0 == 0: the key tells them apart.
    key = (type(value), repr(value) if type(value) is float else value)
    found = store.get(key)
    if found is None:
        found = store[key] = _attribute(value)
    return found


def from_attribute(attribute: ir.Attribute) -> Any:
    """The Python value of an attribute; raises `ValueError` for one that has none."""
    match attribute:
        case ir.BoolAttr() | ir.IntegerAttr() | ir.FloatAttr() | ir.StringAttr():
            return attribute.value
        case ir.ArrayAttr():
            return tuple(from_attribute(element) for element in attribute)
    raise ValueError(f"is {attribute}, expected a boolean, a number, a string or an array")


def _attribute(value: Any) -> ir.Attribute:
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    if isinstance(value, float):
        return ir.FloatAttr.get(ir.F32Type.get(), value)
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    return ir.ArrayAttr.get([_attribute(element) for element in value])


def _segments(opcode: str, ins: int, axes: int) -> ir.Attribute:
    """One entry per operand field: inputs (the last one optional), output, axes."""
    store = cache().values
    key = (ir.DenseI32ArrayAttr, (opcode, ins, axes))
    found = store.get(key)
    if found is None:
        given = [int(i < ins) for i in range(_OPTIONAL[opcode])]
        found = store[key] = ir.DenseI32ArrayAttr.get([*given, 1, axes])
    return found
