"""The rules of the hardware that every instruction obeys, numbered. Source: NEURON.md.

Form
  (C1)  a second scalar is there exactly when an operator takes it (other counts: IRDL);
  (C2)  `access` holds one well-formed `#bir.ap` per tensor operand;
  (C3)  axes are variables of enclosing `bir.loop`s, offsets are linear in them;
  (C4)  the engine can run the opcode with these attributes (section 4; DMA started by a compute
        engine: section 2);
  (C5)  attributes are those of the opcode, of their kind, complete.
Tensors
  (C6)  operands are memrefs that penguin knows, on chip partitions x free elements;
  (C7)  a tile has at most 128 partitions;
  (C8)  a tile fits: usable SBUF bytes and 64 Ki elements per partition, PSUM bytes;
  (C9)  a PSUM tile's bank is the one that holds its address.
Access patterns (section 3)
  (C10) the dtype is the target's, and as wide as the tensor's;
  (C11) a partition pair and at most three free pairs, four for DMA and Iota;
  (C12) num is 1 to 65535, on-chip free steps are signed 16 bit, the first step is not negative;
  (C13) elements and partitions lie inside the tensor in all iterations;
  (C14) the partition step is one partition, on chip; a DMA may skip partitions, or read one again
    and again (a guess);
  (C15) start partition: 0 for more than 64 partitions, 0 or 64 for more than 32, else 0 32 64 96;
        DMA engines address any partition (a guess);
  (C16) the free elements of a pattern stay inside their partition in all iterations;
  (C17) outputs and inputs agree in element count, on compute engines also in partitions.
Spaces (section 2)
  (C18) the engine reaches the space: PE reads sbuf and writes psum, Pool never touches psum,
        compute engines never touch dram, DMA never touches psum (a guess);
  (C19) TensorTensor does not read both inputs from psum.
Opcodes (section 4)
  (C20) Matmult: K and M at most 128, N at most 512 (trn3: 4096, 8192 for bfloat16);
  (C21) Matmult: output dtype float32 (trn3 also bfloat16); on trn1 and trn2 inside one PSUM bank;
  (C22) Matmult: inputs bfloat16, float16 or float32, and both float32 if one is;
  (C23) Matmult: accumulation_flag holds distinct positions into the axes;
  (C24) dtypes of special operands: predicate integer, bias float, Iota int32, index uint32;
  (C25) a scalar operand has one element per partition;
  (C26) TensorScalar(Ptr) operators are both arithmetic or both bitvec;
  (C27) bitvec operators take and give integers of one width;
  (C28) immediates: float32 for arithmetic, integers for bitvec operators and integer ALUs;
  (C29) TensorReduce: axis C on Pool with the operators it has, free axes on DVE; as many free pairs
        as the axis names; one output element per fold;
  (C30) GenericIndirectLoad: the source's first step is at least 1 and its first pair counts the
        indices, one per partition of the destination. (C13) holds for index 0; what the others
        reach is checked when they are known.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from penguin import dtypes
from penguin.dialects.bir.access_pattern import AccessPattern, cache, decode_list
from penguin.dialects.bir.builder import from_attribute
from penguin.dialects.bir.enums import BITVEC_OPS, UNARY_OPS, AluOp, AxisList, Engine, Opcode, Space
from penguin.dialects.bir.instructions import (
    ACCESS,
    ADDRESS,
    BANK,
    BASE,
    ENGINE,
    SEGMENTS,
    Instruction,
)
from penguin.dialects.bir.loops import LoopOp, Range
from penguin.dialects.bir.operand import Facts, Placement, examine
from penguin.dialects.bir.schema import Schema
from penguin.dialects.bir.target import DEFAULT_TARGET, PARTITIONS, TARGET, TARGETS, Target
from penguin.mlir import ir

_NO_PLACE = Placement()
_FORM = frozenset({ACCESS, ENGINE, SEGMENTS})
_INT32 = frozenset({"int32", "uint32"})
# Section 4.4, tensor_partition_reduce.
_PARTITION_REDUCE_OPS = (
    AluOp.ADD,
    AluOp.AVERAGE,
    AluOp.MAX,
    AluOp.BITWISE_OR,
    AluOp.BITWISE_AND,
    AluOp.BITWISE_XOR,
)


@dataclass(slots=True)
class View:
    """An instruction as the opcode's rules see it."""

    schema: Schema
    engine: str
    target: Target
    ins: list[Facts]
    outs: list[Facts]
    axes: int
    attributes: dict[str, Any]

    def value(self, key: str) -> Any:
        """An attribute or its default."""
        found = self.attributes.get(key)
        return self.schema.attributes[key].default if found is None else found

    @property
    def integer_alu(self) -> bool:
        """Whether all tensors are int32 or uint32."""
        return all(f.dtype in _INT32 for f in (*self.ins, *self.outs))


def violation(op: Instruction) -> str | None:
    """The first rule that the instruction breaks, as the text after `'bir.X' op `."""
    schema, attributes = op.schema, op.attributes
    try:
        accesses = decode_list(attributes[ACCESS])
    except ValueError as error:
        return f"access {error} (C2)"
    operands = list(op.operands)
    tensors = _tensors(schema, attributes, len(operands))
    if len(accesses) != tensors:
        return f"access has {len(accesses)} patterns, expected {tensors} (C2)"
    ins, axes = tensors - len(schema.outs), len(operands) - tensors
    ranges: list[Range] = []
    for i, axis in enumerate(operands[tensors:]):
        loop = _loop(axis)
        if loop is None:
            return f"axes[{i}] is not the variable of a bir.loop (C3)"
        ranges.append(loop)
    engine = attributes[ENGINE].value
    values, problem = _attributes(schema, attributes)
    if problem is not None:
        return problem
    target, problem = _target(op)
    if problem is not None:
        return problem
    view = View(schema, engine, target, [], [], axes, values)
    problem = _engine(op.opcode, view)
    if problem is not None:
        return problem
    dma = schema.is_dma
    wide = dma or op.opcode is Opcode.IOTA
    bounds = tuple(ranges)
    for i, access in enumerate(accesses):
        name = f"ins[{i}]" if i < ins else f"outs[{i - ins}]"
        if len(access.coefficients) != axes:
            return (
                f"{name} has an offset over {len(access.coefficients)} axes, expected {axes} (C3)"
            )
        value = operands[i]
        place = _place(value)
        if i == 0 and schema.indirections:
            problem = _indirect(access)
            if problem is not None:
                return problem
            access = _at_index_zero(access)
        facts = examine(value.type, place, access, bounds, dma, wide, target)
        if facts.problem is not None:
            return f"{name} {facts.problem}"
        (view.ins if i < ins else view.outs).append(facts)
    return _spaces(op.opcode, view) or _RULES[op.opcode](view)


def _indirect(access: AccessPattern) -> str | None:
    step, num = access.pattern[0]
    if step < 1:
        return f"ins[0] has step {step} for the index, expected at least 1 (C30)"
    return None if num <= PARTITIONS else f"ins[0] has {num} indices, expected at most 128 (C30)"


def _at_index_zero(access: AccessPattern) -> AccessPattern:
    """The elements that an indirect access touches if all its indices are 0."""
    _, num = access.pattern[0]
    return replace(access, pattern=((0, num), *access.pattern[1:]))


def _tensors(schema: Schema, attributes: Any, operands: int) -> int:
    """How many operands are tensors; IRDL has checked the segments of optional ones."""
    if schema.optional:
        return operands - list(attributes[SEGMENTS])[-1]
    return len(schema.ins) + len(schema.outs)


def _loop(axis: ir.Value) -> Range | None:
    if not isinstance(axis, ir.BlockArgument):
        return None
    owner = axis.owner.owner
    return owner.range if isinstance(owner, LoopOp) else None


def _place(value: ir.Value) -> Placement:
    if isinstance(value, ir.BlockArgument):
        return _NO_PLACE
    attributes = value.owner.attributes
    place = [attributes.get(key) for key in (BASE, ADDRESS, BANK)]
    if all(part is None for part in place):
        return _NO_PLACE
    return Placement(*(None if a is None else a.value for a in place))


def _target(op: Instruction) -> tuple[Target, str | None]:
    # The parser verifies with a module of its own around ours: the innermost target counts.
    name, parent = None, op.operation.parent
    while parent is not None and name is None:
        parent = parent.operation
        if parent.name == "builtin.module":
            name = parent.attributes.get(TARGET)
        parent = parent.parent
    if name is None:
        return TARGETS[DEFAULT_TARGET], None
    target = TARGETS.get(name.value) if isinstance(name, ir.StringAttr) else None
    if target is None:
        expected = " ".join(TARGETS)
        return TARGETS[DEFAULT_TARGET], f"has {TARGET} {name}, expected one of {expected} (C4)"
    return target, None


def _attributes(schema: Schema, attributes: Any) -> tuple[dict[str, Any], str | None]:
    """Values by key; discardable attributes (with a dot) belong to others."""
    values: dict[str, Any] = {}
    for named in attributes:
        key = named if isinstance(named, str) else named.name
        if key in _FORM or "." in key:
            continue
        spec = schema.attributes.get(key)
        if spec is None:
            expected = ", ".join(schema.attributes) or "none"
            return values, f"has attribute '{key}', expected {expected} (C5)"
        try:
            values[key] = value = _value(attributes[key])
        except ValueError as error:
            return values, f"attribute '{key}' {error} (C5)"
        if not spec.accepts(value):
            return values, f"has {key} = {attributes[key]}, expected {spec.expected} (C5)"
    for key, spec in schema.attributes.items():
        if spec.default is None and key not in values:
            return values, f"has no attribute '{key}', expected {spec.expected} (C5)"
    return values, None


def _value(attribute: ir.Attribute) -> Any:
    store = cache().python
    found = store.get(attribute)
    if found is None:
        found = store[attribute] = from_attribute(attribute)
    return found


def _engine(opcode: Opcode, view: View) -> str | None:
    legal = _legal_engines(opcode, view)
    if view.engine in legal:
        return None
    names = " ".join(e for e in Engine if e in legal) or "another target"
    what = " ".join([opcode, *_deciding(opcode, view)])
    return f"{what} runs on {view.engine}, expected {names} ({view.target.name}) (C4)"


def _deciding(opcode: Opcode, view: View) -> list[str]:
    """The attribute values that take part in the choice of engine."""
    keys = ("dge_type", "op", "op0", "op1")
    return [str(view.attributes[k]) for k in keys if k in view.attributes]


def _legal_engines(opcode: Opcode, view: View) -> frozenset[Engine]:
    if view.schema.is_dma:
        return _DGE_ENGINES[view.value("dge_type")](view.target)
    engines = view.schema.engines
    ops = {view.value(key) for key in ("op", "op0", "op1") if key in view.schema.attributes}
    if opcode is Opcode.TENSOR_TENSOR and AluOp.POW in ops:
        return frozenset({Engine.POOL})
    if opcode in (Opcode.TENSOR_SCALAR, Opcode.TENSOR_SCALAR_PTR):
        if not _on_activation(view):
            engines -= {Engine.ACTIVATION}
        if AluOp.RSQRT in ops:
            engines &= {Engine.POOL}
        if AluOp.ABS in ops:
            engines = engines & {Engine.DVE} if view.target.level > 20 else frozenset()
    return engines


def _on_activation(view: View) -> bool:
    """Activation does (mult, add), (mult, -) and (add, -), from trn2 on."""
    pair = (view.value("op0"), view.value("op1"))
    legal = {(AluOp.MULT, AluOp.ADD), (AluOp.MULT, AluOp.BYPASS), (AluOp.ADD, AluOp.BYPASS)}
    return view.target.level > 20 and pair in legal


_DGE_ENGINES: dict[str, Callable[[Target], frozenset[Engine]]] = {
    "None": lambda target: frozenset({Engine.DMA}),
    "SWDGE": lambda target: frozenset({Engine.POOL}),
    "HWDGE": lambda target: (
        frozenset({Engine.ACTIVATION, Engine.DVE, Engine.SP}) if target.level > 20 else frozenset()
    ),
}

_DMA_SPACES: dict[Opcode, tuple[tuple[Space, ...], tuple[Space, ...]]] = {
    Opcode.LOAD: ((Space.DRAM,), (Space.SBUF,)),
    Opcode.SAVE: ((Space.SBUF,), (Space.DRAM,)),
    Opcode.DMA_COPY: ((Space.DRAM, Space.SBUF), (Space.DRAM, Space.SBUF)),
    Opcode.GENERIC_INDIRECT_LOAD: ((Space.DRAM,), (Space.SBUF,)),
}
_ON_CHIP = (Space.SBUF, Space.PSUM)


def _reach(opcode: Opcode, engine: str) -> tuple[tuple[Space, ...], tuple[Space, ...]]:
    """The spaces that inputs and outputs may be in."""
    if opcode in _DMA_SPACES:
        return _DMA_SPACES[opcode]
    if engine == Engine.PE:
        return (Space.SBUF,), (Space.PSUM,)
    if engine == Engine.POOL:
        return (Space.SBUF,), (Space.SBUF,)
    return _ON_CHIP, _ON_CHIP


def _spaces(opcode: Opcode, view: View) -> str | None:
    reach = _reach(opcode, view.engine)
    ins = view.ins[: len(view.ins) - view.schema.indirections]
    for group, operands, spaces in (("ins", ins, reach[0]), ("outs", view.outs, reach[1])):
        for i, facts in enumerate(operands):
            if facts.space not in spaces:
                expected = " or ".join(spaces)
                return (
                    f"{group}[{i}] is in {facts.space}, expected {expected} on {view.engine} (C18)"
                )
    return None


def _agree(view: View, operands: list[Facts]) -> str | None:
    """(C17) between the first output and the given inputs, partition by partition on engines."""
    out = view.outs[0]
    for i, facts in enumerate(operands):
        if facts.count != out.count:
            return f"ins[{i}] has {facts.count} elements, expected {out.count} as outs[0] (C17)"
        if not view.schema.is_dma and facts.partitions != out.partitions:
            return (
                f"ins[{i}] has {facts.partitions} partitions, "
                f"expected {out.partitions} as outs[0] (C17)"
            )
    return None


def _elementwise(view: View) -> str | None:
    return _agree(view, view.ins)


def _indirect_load(view: View) -> str | None:
    """(C17) for the source, (C24), (C25) and (C30) for the index; (C18) was not asked of it."""
    source, index = view.ins
    out = view.outs[0]
    if index.space != Space.SBUF:
        return f"ins[1] (index) is in {index.space}, expected sbuf (C18)"
    if index.dtype != "uint32":
        return f"ins[1] (index) is {index.dtype}, expected uint32 (C24)"
    if index.free != 1:
        return f"ins[1] (index) is {index.partitions} x {index.free}, expected one column (C25)"
    counts = (source.pattern[0][1], index.partitions, out.partitions)
    if len(set(counts)) > 1:
        return (
            f"has {counts[1]} indices for {counts[0]} rows and {counts[2]} partitions, "
            "expected as many of each (C30)"
        )
    return _agree(view, view.ins[:1])


def _scalars(view: View, names: tuple[str, ...]) -> str | None:
    """(C25) for all inputs but the first, and (C17) for the first."""
    partitions = view.outs[0].partitions
    for i, facts in enumerate(view.ins[1:], start=1):
        if facts.free != 1 or facts.partitions != partitions:
            return (
                f"ins[{i}] ({names[i]}) is {facts.partitions} x {facts.free}, "
                f"expected {partitions} x 1 (C25)"
            )
    return _agree(view, view.ins[:1])


def _operators(view: View, keys: tuple[str, ...]) -> str | None:
    """(C26) and (C27)."""
    ops = [view.value(key) for key in keys]
    bitvec = [op in BITVEC_OPS for op in ops]
    mixed = [op for op in ops if op != AluOp.BYPASS]
    if len({op in BITVEC_OPS for op in mixed}) > 1:
        return f"mixes {' and '.join(ops)}, expected both arithmetic or both bitvec (C26)"
    if not any(bitvec):
        return None
    width = dtypes.BY_BIR[view.outs[0].dtype].itemsize
    for group, operands in (("ins", view.ins), ("outs", view.outs)):
        for i, facts in enumerate(operands):
            dtype = dtypes.BY_BIR[facts.dtype]
            if dtype.is_float or dtype.itemsize != width:
                return (
                    f"{group}[{i}] is {facts.dtype}, "
                    f"expected integers of one width for {ops[bitvec.index(True)]} (C27)"
                )
    return None


def _tensor_tensor(view: View) -> str | None:
    if all(facts.space == Space.PSUM for facts in view.ins):
        return "ins[0] and ins[1] are in psum, expected at most one (C19)"
    return _agree(view, view.ins) or _operators(view, ("op",))


def _tensor_scalar(view: View) -> str | None:
    problem = _agree(view, view.ins) or _operators(view, ("op0", "op1"))
    if problem is not None:
        return problem
    for op_key, key in (("op0", "const0"), ("op1", "const1")):
        op, value = view.value(op_key), view.value(key)
        if op in UNARY_OPS:
            continue
        if op in BITVEC_OPS and isinstance(value, float):
            return f"has {key} {value}, expected an integer for {op} (C28)"
        if op not in BITVEC_OPS and isinstance(value, int) and not view.integer_alu:
            return f"has integer {key} {value}, expected a float32 for {op} (C28)"
    return None


def _tensor_scalar_ptr(view: View) -> str | None:
    op1 = view.value("op1")
    scalars, expected = len(view.ins) - 1, 1 if op1 in UNARY_OPS else 2
    if scalars != expected:
        return f"has {scalars} scalars, expected {expected} for op1 {op1} (C1)"
    return _scalars(view, view.schema.ins) or _operators(view, ("op0", "op1"))


def _activation(view: View) -> str | None:
    problem = _scalars(view, view.schema.ins)
    if problem is None and len(view.ins) == 2 and not dtypes.BY_BIR[view.ins[1].dtype].is_float:
        return f"ins[1] (bias) is {view.ins[1].dtype}, expected a float dtype (C24)"
    return problem


def _memset(view: View) -> str | None:
    value = view.value("constant")
    out = view.outs[0].dtype
    dtype = dtypes.BY_BIR[out]
    if isinstance(value, float):
        return None
    if dtype.is_float:
        return f"has integer constant {value}, expected a float32 for {out} (C28)"
    low, high = _limits(out)
    if not low <= value <= high:
        return f"has constant {value}, expected {low} to {high} for {out} (C28)"
    return None


def _limits(dtype: str) -> tuple[int, int]:
    bits = 8 * dtypes.BY_BIR[dtype].itemsize
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _tensor_reduce(view: View) -> str | None:
    axis = AxisList(view.value("axis"))
    source, out = view.ins[0], view.outs[0]
    expected = Engine.POOL if axis is AxisList.C else Engine.DVE
    if view.engine != expected:
        return f"reduces axis {axis} on {view.engine}, expected {expected} (C29)"
    if len(source.pattern) - 1 < axis.pairs:
        pairs = len(source.pattern) - 1
        return f"ins[0] has {pairs} free pairs, expected at least {axis.pairs} for {axis} (C29)"
    op = view.value("op")
    if axis is AxisList.C and op not in _PARTITION_REDUCE_OPS:
        names = " ".join(_PARTITION_REDUCE_OPS)
        return f"reduces partitions with {op}, expected one of {names} (C29)"
    if op in UNARY_OPS:
        return f"reduces with {op}, expected an operator of two operands (C29)"
    if axis is AxisList.C:
        partitions, free = 1, source.free
    else:
        kept = source.pattern[1 : len(source.pattern) - axis.pairs]
        partitions, free = source.partitions, prod(num for _, num in kept)
    if (out.partitions, out.free) != (partitions, free):
        return (
            f"outs[0] is {out.partitions} x {out.free}, "
            f"expected {partitions} x {free} for axis {axis} (C29)"
        )
    return _operators(view, ("op",))


def _matmult(view: View) -> str | None:
    moving, stationary = view.ins
    out, target = view.outs[0], view.target
    most = target.matmul_max_n(out.dtype)
    if moving.partitions != stationary.partitions:
        return (
            f"has K {moving.partitions} (moving) and {stationary.partitions} (stationary), "
            "expected one K (C20)"
        )
    if stationary.free > target.matmul_max_m:
        return f"has M {stationary.free}, expected at most {target.matmul_max_m} (C20)"
    if moving.free > most:
        return f"has N {moving.free}, expected at most {most} ({target.name}) (C20)"
    if (out.partitions, out.free) != (stationary.free, moving.free):
        return (
            f"outs[0] is {out.partitions} x {out.free}, "
            f"expected M x N = {stationary.free} x {moving.free} (C20)"
        )
    if out.dtype not in target.psum_dtypes:
        expected = " or ".join(sorted(target.psum_dtypes))
        return f"outs[0] is {out.dtype}, expected {expected} ({target.name}) (C21)"
    if len(out.banks) > 1 and most * 4 <= target.psum_bank_bytes:
        return f"outs[0] lies in PSUM banks {sorted(out.banks)}, expected one bank (C21)"
    return _matmult_inputs(view)


def _matmult_inputs(view: View) -> str | None:
    for i, facts in enumerate(view.ins):
        if facts.dtype not in view.target.matmul_dtypes:
            expected = " ".join(sorted(view.target.matmul_dtypes))
            return f"ins[{i}] is {facts.dtype}, expected one of {expected} (C22)"
    found = [facts.dtype for facts in view.ins]
    if "float32" in found and found != ["float32", "float32"]:
        return f"multiplies {found[0]} with {found[1]}, expected both float32 if one is (C22)"
    flag = view.value("accumulation_flag")
    legal = range(view.axes)
    if len(set(flag)) != len(flag) or any(type(i) is not int or i not in legal for i in flag):
        return (
            f"has accumulation_flag {list(flag)}, "
            f"expected distinct positions below {view.axes} (C23)"
        )
    return None


def _iota(view: View) -> str | None:
    out = view.outs[0]
    if out.dtype != "int32":
        return f"outs[0] is {out.dtype}, expected int32 (C24)"
    pattern = view.value("pattern")
    if len(pattern) > view.target.max_free_pairs_dma:
        return f"has {len(pattern)} pattern pairs, expected at most 4 (C11)"
    count = prod(num for _, num in pattern)
    if count != out.free:
        return f"has a pattern of {count} elements, expected {out.free} as outs[0] (C17)"
    return None


def _copy_predicated(view: View) -> str | None:
    if dtypes.BY_BIR[view.ins[0].dtype].is_float:
        return f"ins[0] (predicate) is {view.ins[0].dtype}, expected an integer dtype (C24)"
    return _agree(view, view.ins)


_RULES: dict[Opcode, Callable[[View], str | None]] = {
    Opcode.LOAD: _elementwise,
    Opcode.SAVE: _elementwise,
    Opcode.DMA_COPY: _elementwise,
    Opcode.MEMSET: _memset,
    Opcode.TENSOR_COPY: _elementwise,
    Opcode.TENSOR_TENSOR: _tensor_tensor,
    Opcode.TENSOR_SCALAR: _tensor_scalar,
    Opcode.TENSOR_SCALAR_PTR: _tensor_scalar_ptr,
    Opcode.TENSOR_REDUCE: _tensor_reduce,
    Opcode.ACTIVATION: _activation,
    Opcode.RECIPROCAL: _elementwise,
    Opcode.MATMULT: _matmult,
    Opcode.IOTA: _iota,
    Opcode.COPY_PREDICATED: _copy_predicated,
    Opcode.GENERIC_INDIRECT_LOAD: _indirect_load,
}
