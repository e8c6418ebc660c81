"""Turn functions on tensor values into kernels on buffers, one op to one op.

Before                                         After
  func.func @main(%a: tensor<4x8xf32>)           func.func @main(
      -> tensor<32xf32> {                            %a: memref<4x8xf32, "dram">
                                                         {penguin.io = "input", ...},
                                                     %o: memref<32xf32, "dram">
                                                         {penguin.io = "output", ...})
                                                     attributes {penguin.kernel} {
    %0 = stablehlo.tanh %a                         %t0 = memref.alloc() {penguin.name = "t0"}
                                                   "penguin.unary"(%a, %t0) {function = "tanh"}
    %1 = stablehlo.reshape %0                      %t1 = memref.alloc() {penguin.name = "t1"}
                                                   "penguin.memcpy"(%t0, %t1)
    return %1                                      "penguin.memcpy"(%t1, %o)
  }                                                return
                                                 }

No cleverness: a reshape is a memcpy, a convert a memcast (a memcpy if the dtype stays), results are
copied to output arguments even if they are arguments themselves. A splat constant is an alloc with
a memset; other constants become `memref.global`, whose data stays the attribute that it was (large
data is never unpacked); equal ones share a global. `supported_ops` lists what is converted.

Legality, for every op of every function with a body:
  (L1) the op has a rule;
  (L2) every type is a tensor of a dtype that penguin has and that the op is defined on;
  (L3) every shape is static;
  (L4) the op's form is one that the rule knows.
All that does not hold is reported, for the whole module at once, and then nothing is changed.
Keeps: locations; names of functions; attributes of the module.
Drops: attributes of functions, arguments and ops that are only for JAX or XLA. A donated argument
gets a remark: every output has a buffer of its own.
"""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from penguin import dtypes
from penguin.dialects import penguin as pg
from penguin.dialects.hlo.attributes import DONATIONS
from penguin.dialects.memory import Space
from penguin.dialects.penguin import attributes as names
from penguin.mlir import func as func_dialect
from penguin.mlir import ir, memref
from penguin.passes.lowering._hlo_ops import RULES, Emitter, Rule, Tensor, TensorType
from penguin.passlib import ModulePass, Statistic

# Names of arguments, with their numbers.
_INPUT, _OUTPUT = "arg", "out"


class Why(enum.Enum):
    """The codes of what can be wrong."""

    NO_RULE = "PGL001"  # L1
    DTYPE = "PGL002"  # L2
    DYNAMIC = "PGL003"  # L3
    FORM = "PGL004"  # L4


@dataclass(frozen=True)
class Finding:
    where: Any
    why: Why
    message: str


@dataclass(frozen=True)
class SupportedOp:
    """A row of the table of supported ops."""

    name: str
    dtypes: tuple[str, ...]
    limits: str


def supported_ops() -> list[SupportedOp]:
    """The StableHLO ops that can be converted, by name, with the dtypes they are defined on."""
    rows = []
    for cls, rule in RULES.items():
        taken = tuple(t.mlir for t in dtypes.TABLE if names.kind_of(t) in rule.kinds)
        rows.append(SupportedOp(cls.OPERATION_NAME, taken, rule.limits))
    return sorted(rows, key=lambda row: row.name)


@dataclass
class HloToPenguin(ModulePass):
    name = "hlo-to-penguin"
    requires = ("hlo-level", "inlined")
    produces = ("tensor-level",)

    converted = Statistic("Number of operations converted")
    constants = Statistic("Number of constants with data")
    copied = Statistic("Number of results copied to outputs")

    def run(self, module: ir.Module) -> None:
        types = Types()
        functions = [
            op
            for op in module.operation.regions[0].blocks[0].operations
            if isinstance(op, func_dialect.FuncOp) and not op.is_external
        ]
        plans = [plan(function, types) for function in functions]
        findings = [finding for each in plans for finding in each.findings]
        for finding in findings:
            self.error(finding.where, finding.why.value, finding.message)
        if findings:
            return
        globals_ = Globals(module.operation)
        for each in plans:
            for number in _donated(each.function):
                self.analysis(each.function, "DonationNotUsed", Argument=f"{_INPUT}{number}")
            emit(each, globals_)
            self.converted += len(each.steps)
            self.copied += len(each.results)
        self.constants += len(globals_.names)


class Types:
    """Tensor types by MLIR type: each is looked into once."""

    def __init__(self) -> None:
        self._known: dict[ir.Type, TensorType] = {}
        self._space = ir.StringAttr.get(Space.DRAM)

    def of(self, type_: ir.Type) -> TensorType:
        known = self._known.get(type_)
        if known is None:
            known = self._known[type_] = self._look(type_)
        return known

    def _look(self, type_: ir.Type) -> TensorType:
        if not isinstance(type_, ir.ShapedType):
            return TensorType(type_, None, (), None, f"type {type_}, expected a tensor")
        dtype = dtypes.of(type_.element_type)
        if not (type_.has_rank and type_.has_static_shape):
            return TensorType(type_, dtype, (), None, f"type {type_}, expected a static shape")
        shape = tuple(type_.shape)
        if dtype is None:
            expected = ", ".join(dtypes.BY_MLIR)
            problem = f"dtype {type_.element_type}, expected one of {expected}"
            return TensorType(type_, None, shape, None, problem)
        buffer = ir.MemRefType.get(shape, type_.element_type, memory_space=self._space)
        return TensorType(type_, dtype, shape, buffer)


@dataclass(frozen=True, slots=True)
class Step:
    """One op to convert."""

    op: Any
    rule: Rule
    sources: list[Tensor]
    result: Tensor


@dataclass
class Plan:
    """What becomes of a function, or why nothing can."""

    function: Any
    arguments: list[Tensor] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    results: list[Tensor] = field(default_factory=list)
    terminator: Any = None
    findings: list[Finding] = field(default_factory=list)


def plan(function: Any, types: Types) -> Plan:
    """Reads a function; changes nothing."""
    found = Plan(function)
    blocks = list(function.body.blocks)
    if len(blocks) != 1:
        message = f"function has {len(blocks)} blocks, expected 1 (L4)"
        found.findings.append(Finding(function, Why.FORM, message))
        return found
    tensors: dict[ir.Value, Tensor] = {}
    for number, argument in enumerate(blocks[0].arguments):
        tensor = tensors[argument] = Tensor(types.of(argument.type))
        found.arguments.append(tensor)
        if tensor.type.problem:
            message = f"argument #{number} has {tensor.type.problem}"
            found.findings.append(_type_finding(argument.location, message, tensor.type))
    for view in blocks[0].operations:
        op = view.operation
        sources = [tensors[value] for value in op.operands]
        if isinstance(view, func_dialect.ReturnOp):
            found.results, found.terminator = sources, op
            continue
        results = [Tensor(types.of(value.type)) for value in op.results]
        tensors.update(zip(op.results, results, strict=True))
        rule = RULES.get(type(view))
        finding = legality(view, rule, sources, results)
        if finding is not None:
            found.findings.append(finding)
        elif rule is not None:
            found.steps.append(Step(view, rule, sources, results[0]))
    return found


def legality(
    op: Any, rule: Rule | None, sources: list[Tensor], results: list[Tensor]
) -> Finding | None:
    """The first clause that does not hold for an op."""
    name = op.operation.name
    if rule is None:
        hint = _HINTS.get(name.partition(".")[0], "") or _HINTS.get(name, "")
        return Finding(op, Why.NO_RULE, f"'{name}' op is not supported{hint} (L1)")
    for kind, tensors in (("operand", sources), ("result", results)):
        for number, tensor in enumerate(tensors):
            if tensor.type.problem:
                message = f"'{name}' op {kind} #{number} has {tensor.type.problem}"
                return _type_finding(op, message, tensor.type)
    problem = rule.check(op, sources, results[0])
    if problem:
        return Finding(op, Why.FORM, f"'{name}' op {problem} (L4)")
    decides = results[0] if rule.decides < 0 else sources[rule.decides]
    dtype = decides.type.dtype
    if names.kind_of(dtype) not in rule.kinds:
        taken = ", ".join(t.mlir for t in dtypes.TABLE if names.kind_of(t) in rule.kinds)
        message = f"'{name}' op has dtype {dtype.mlir}, expected one of {taken} (L2)"
        return Finding(op, Why.DTYPE, message)
    return None


# What to do about an op without a rule, by dialect or by name.
_HINTS = {
    "chlo": "; legalize-chlo expands what it can",
    "func.call": " here; inline-calls removes it",
    "stablehlo.composite": " here; simplify-hlo replaces it by its decomposition",
    "stablehlo.dynamic_slice": " with starts that are not constants",
    "stablehlo.dynamic_update_slice": " with starts that are not constants",
    "stablehlo.optimization_barrier": " here; simplify-hlo removes it",
}


def _type_finding(where: Any, message: str, type_: TensorType) -> Finding:
    is_tensor = isinstance(type_.hlo, ir.ShapedType)
    dynamic = is_tensor and not (type_.hlo.has_rank and type_.hlo.has_static_shape)
    why, clause = (Why.DYNAMIC, "L3") if dynamic else (Why.DTYPE, "L2")
    return Finding(where, why, f"{message} ({clause})")


class Globals:
    """Constants with data, as `memref.global` ops at the head of the module."""

    def __init__(self, module: ir.Operation) -> None:
        self._block = module.regions[0].blocks[0]
        self._taken = {
            op.operation.attributes["sym_name"].value
            for op in self._block.operations
            if "sym_name" in op.operation.attributes
        }
        self._last: ir.Operation | None = None
        self._count = 0
        self.names: dict[ir.Attribute, str] = {}

    def name(self, value: ir.Attribute, type_: TensorType, location: ir.Location) -> str:
        """The symbol of the global that holds `value`."""
        if value in self.names:
            return self.names[value]
        while (name := f"cst_{self._count}") in self._taken:
            self._count += 1
        self._count += 1
        attributes = {
            "sym_name": ir.StringAttr.get(name),
            "sym_visibility": ir.StringAttr.get("private"),
            "type": ir.TypeAttr.get(type_.memref),
            "initial_value": value,
            "constant": ir.UnitAttr.get(),
        }
        # Made anew each time: what it refers to may be a function that is replaced meanwhile.
        if self._last is None:
            ip = ir.InsertionPoint.at_block_begin(self._block)
        else:
            ip = ir.InsertionPoint.after(self._last)
        self._last = ir.Operation.create(
            memref.GlobalOp.OPERATION_NAME, attributes=attributes, ip=ip, loc=location
        )
        self.names[value] = name
        return name


def _donated(function: Any) -> list[int]:
    """Numbers of the arguments that the caller gives away."""
    if "arg_attrs" not in function.attributes:
        return []
    given = enumerate(function.arg_attrs)
    return [number for number, keys in given if any(key in keys for key in DONATIONS)]


def emit(found: Plan, globals_: Globals) -> None:
    """Puts the kernel in the place of the function."""
    outputs = [Tensor(tensor.type) for tensor in found.results]
    block = _kernel(found, outputs)
    for tensor, argument in zip([*found.arguments, *outputs], block.arguments, strict=True):
        tensor.buffer = argument
    emitter = Emitter(block, lambda value, type_: globals_.name(value, type_, emitter.location))
    for step in found.steps:
        emitter.location = step.op.location
        step.rule.emit(emitter, step.op, step.sources, step.result)
    emitter.location = found.terminator.location
    for result, output in zip(found.results, outputs, strict=True):
        emitter.raw(pg.MemcpyOp, [result.buffer, output.buffer], {})
    emitter.raw(func_dialect.ReturnOp, [], {})
    found.function.erase()


def _kernel(found: Plan, outputs: Sequence[Tensor]) -> ir.Block:
    """An empty kernel before the function; the function keeps its name until it is erased."""
    function = found.function
    types = [tensor.type.memref for tensor in (*found.arguments, *outputs)]
    attributes = {
        "sym_name": function.sym_name,
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
        "arg_attrs": ir.ArrayAttr.get(list(_argument_attributes(found, outputs))),
        names.KERNEL: ir.UnitAttr.get(),
    }
    op = ir.Operation.create(
        func_dialect.FuncOp.OPERATION_NAME,
        attributes=attributes,
        regions=1,
        ip=ir.InsertionPoint(function),
        loc=function.location,
    )
    locations = [argument.location for argument in function.arguments]
    locations += [found.terminator.location] * len(outputs)
    return op.regions[0].blocks.append(*types, arg_locs=locations)


def _argument_attributes(found: Plan, outputs: Sequence[Tensor]) -> Iterator[ir.Attribute]:
    for kind, prefix, tensors in (
        (names.IoKind.INPUT, _INPUT, found.arguments),
        (names.IoKind.OUTPUT, _OUTPUT, outputs),
    ):
        for number in range(len(tensors)):
            yield ir.DictAttr.get(
                {
                    names.IO: ir.StringAttr.get(kind),
                    names.NAME: ir.StringAttr.get(f"{prefix}{number}"),
                }
            )
