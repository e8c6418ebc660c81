"""The plan of `hlo-to-penguin`: what becomes of each op of a function, or why nothing can.

Reads only. Composites are followed into their decompositions, which may be shared, so every use of
one gets tensors and steps of its own. The walk keeps its own stack: composites may be nested as
deeply as they like.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from penguin import dtypes
from penguin.analysis.decompositions import (
    COMPOSITE,
    Decompositions,
    is_ours,
    symbol_of,
)
from penguin.dialects.hlo.attributes import Kind
from penguin.dialects.memory import Space
from penguin.dialects.penguin import attributes as names
from penguin.mlir import func, ir
from penguin.passes.lowering._composites import FORMS, IN_PLACE, Emittable, Fusion, Step, kind_of
from penguin.passes.lowering._hlo_ops import RULES, Rule, Tensor, TensorType


class Why(enum.Enum):
    """The codes of what can be wrong."""

    NO_RULE = "PGL001"  # L1
    DTYPE = "PGL002"  # L2
    DYNAMIC = "PGL003"  # L3
    FORM = "PGL004"  # L4
    DECOMPOSITION = "PGL005"  # L5
    MALFORMED_SCHEDULE = "NCC_PYP052"  # L5
    UNKNOWN_KIND = "NCC_ISPP054"  # L6


@dataclass(frozen=True)
class Finding:
    """A clause that does not hold, and for what."""

    where: Any
    why: Why
    message: str


class Types:
    """Tensor types by MLIR type: each is looked into once."""

    def __init__(self) -> None:
        self._known: dict[ir.Type, TensorType] = {}
        self._space = ir.StringAttr.get(Space.DRAM)

    def of(self, type_: ir.Type) -> TensorType:
        """What is known of a type."""
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


@dataclass
class Plan:
    """What becomes of a function, or why nothing can."""

    function: Any
    arguments: list[Tensor] = field(default_factory=list)
    steps: list[Emittable] = field(default_factory=list)
    results: list[Tensor] = field(default_factory=list)
    terminator: Any = None
    inlined: list[ir.Operation] = field(default_factory=list)
    """Ordinary composites whose body stands in their place."""
    unfused: list[ir.Operation] = field(default_factory=list)
    """Composites whose body stands in their place because a fusion op cannot be made of them."""
    converted: int = 0
    fused: int = 0


@dataclass
class _Body:
    """A block that is being read. `fusion` is the one that its steps belong to."""

    symbol: str
    operations: Iterator[Any]
    tensors: dict[ir.Value, Tensor]
    fusion: Fusion | None = None
    composite: ir.Operation | None = None
    ends_fusion: bool = False
    caller: ir.Location | None = None


class Planner:
    """Plans the functions of a module; `findings` are those of all of them, one per op."""

    def __init__(self, decompositions: Decompositions) -> None:
        self._types = Types()
        self._decompositions = decompositions
        self._seen: set[tuple[ir.Operation, Why]] = set()
        self.findings: list[Finding] = []

    def plan(self, function: Any) -> Plan:
        """Reads a function; changes nothing."""
        found = Plan(function)
        blocks = list(function.body.blocks)
        if len(blocks) != 1:
            message = f"function has {len(blocks)} blocks, expected 1 (L4)"
            self.findings.append(Finding(function, Why.FORM, message))
            return found
        tensors: dict[ir.Value, Tensor] = {}
        for number, argument in enumerate(blocks[0].arguments):
            tensor = tensors[argument] = Tensor(self._types.of(argument.type))
            found.arguments.append(tensor)
            if tensor.type.problem:
                message = f"argument #{number} has {tensor.type.problem}"
                self.findings.append(type_finding(argument.location, message, tensor.type))
        stack = [_Body(function.sym_name.value, iter(blocks[0].operations), tensors)]
        while stack:
            view = next(stack[-1].operations, None)
            if view is None:
                stack.pop()
            elif isinstance(view, func.ReturnOp):
                self._end(found, stack, view.operation)
            elif view.operation.name == COMPOSITE:
                self._composite(found, stack, view.operation)
            else:
                self._op(found, stack[-1], view)
        return found

    def _op(self, found: Plan, body: _Body, view: Any) -> None:
        op = view.operation
        sources = [body.tensors[value] for value in op.operands]
        results = self._results(op)
        body.tensors.update(zip(op.results, results, strict=True))
        rule = RULES.get(type(view))
        finding = legality(view, rule, sources, results)
        if finding is not None:
            self._report(finding)
        elif rule is not None:
            steps = found.steps if body.fusion is None else body.fusion.steps
            steps.append(Step(view, rule, sources, results[0], _location(body, op)))
            found.converted += 1

    def _composite(self, found: Plan, stack: list[_Body], op: ir.Operation) -> None:
        body = stack[-1]
        sources = [body.tensors[value] for value in op.operands]
        results = self._results(op)
        # Replaced when the decomposition has been read.
        body.tensors.update(zip(op.results, results, strict=True))
        finding = _type_legality(op, sources, results)
        if finding is not None:
            self._report(finding)
        kind: Kind | None = None
        if is_ours(op):
            kind, message = kind_of(op)
            if kind is None:
                self._report(Finding(op, Why.UNKNOWN_KIND, f"{message} (L6)"))
                return
        problem = self._decompositions.fault(op) or _recursion(stack, op)
        if problem:
            schedule = kind is Kind.SCHEDULE_FUSION
            why = Why.MALFORMED_SCHEDULE if schedule else Why.DECOMPOSITION
            what = "ScheduleFusion" if schedule else f"'{COMPOSITE}' op"
            self._report(Finding(op, why, f"{what} {problem} (L5)"))
            return
        form = IN_PLACE if kind is None else FORMS[kind]
        location, fusion = _location(body, op), None
        if kind is not None and form is not IN_PLACE and body.fusion is None and finding is None:
            formals = [Tensor(source.type) for source in sources]
            fusion = Fusion(kind, form, sources, results, formals, location)
            if not fusion.fits:
                fusion = None
                found.unfused.append(op)
        if kind is None:
            found.inlined.append(op)
        block = self._decompositions.body(op)
        given = sources if fusion is None else fusion.formals
        stack.append(
            _Body(
                symbol_of(op),
                iter(block.operations),
                dict(zip(block.arguments, given, strict=True)),
                fusion=fusion or body.fusion,
                composite=op,
                ends_fusion=fusion is not None,
                caller=location if kind is None else body.caller,
            )
        )

    def _end(self, found: Plan, stack: list[_Body], op: ir.Operation) -> None:
        body = stack[-1]
        values = [body.tensors[value] for value in op.operands]
        if body.composite is None:
            found.results, found.terminator = values, op
            return
        outer = stack[-2]
        if not body.ends_fusion:
            outer.tensors.update(zip(body.composite.results, values, strict=True))
            return
        assert body.fusion is not None
        body.fusion.results = values
        found.steps.append(body.fusion)
        found.fused += 1

    def _results(self, op: ir.Operation) -> list[Tensor]:
        return [Tensor(self._types.of(value.type)) for value in op.results]

    def _report(self, finding: Finding) -> None:
        """A decomposition may be read many times; what is wrong in it is said once."""
        key = (finding.where.operation, finding.why)
        if key not in self._seen:
            self._seen.add(key)
            self.findings.append(finding)


def _recursion(stack: list[_Body], op: ir.Operation) -> str:
    symbol = symbol_of(op)
    symbols = [body.symbol for body in stack]
    if symbol not in symbols:
        return ""
    chain = " -> ".join(f"@{name}" for name in [*symbols[symbols.index(symbol) :], symbol])
    return f"contains itself: {chain}"


def _location(body: _Body, op: ir.Operation) -> ir.Location:
    """Where an op stands, and, in an ordinary composite, where that stands."""
    return op.location if body.caller is None else ir.Location.callsite(op.location, [body.caller])


def legality(
    op: Any, rule: Rule | None, sources: list[Tensor], results: list[Tensor]
) -> Finding | None:
    """The first clause that does not hold for an op."""
    name = op.operation.name
    if rule is None:
        hint = _HINTS.get(name.partition(".")[0], "") or _HINTS.get(name, "")
        return Finding(op, Why.NO_RULE, f"'{name}' op is not supported{hint} (L1)")
    finding = _type_legality(op, sources, results)
    if finding is not None:
        return finding
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


def _type_legality(op: Any, sources: list[Tensor], results: list[Tensor]) -> Finding | None:
    for kind, tensors in (("operand", sources), ("result", results)):
        for number, tensor in enumerate(tensors):
            if tensor.type.problem:
                name = op.operation.name
                message = f"'{name}' op {kind} #{number} has {tensor.type.problem}"
                return type_finding(op, message, tensor.type)
    return None


# What to do about an op without a rule, by dialect or by name.
_HINTS = {
    "chlo": "; legalize-chlo expands what it can",
    "func.call": " here; inline-calls removes it",
    "stablehlo.dynamic_slice": " with starts that are not constants",
    "stablehlo.dynamic_update_slice": " with starts that are not constants",
    "stablehlo.optimization_barrier": " here; simplify-hlo removes it",
}


def type_finding(where: Any, message: str, type_: TensorType) -> Finding:
    """The finding about a type with a problem."""
    is_tensor = isinstance(type_.hlo, ir.ShapedType)
    dynamic = is_tensor and not (type_.hlo.has_rank and type_.hlo.has_static_shape)
    why, clause = (Why.DYNAMIC, "L3") if dynamic else (Why.DTYPE, "L2")
    return Finding(where, why, f"{message} ({clause})")
