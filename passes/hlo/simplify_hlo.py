"""Bring StableHLO into the static forms that the way down knows.

Before                                         After
  %i = stablehlo.constant dense<9>               %1 = stablehlo.slice %0 [4:8]
  %1 = stablehlo.dynamic_slice %0, %i,
         sizes = [4] : tensor<8xf32>

  %1 = stablehlo.dynamic_update_slice            %a = stablehlo.slice %0 [0:2]
         %0, %u, %two                            %b = stablehlo.slice %0 [3:8]
                                                 %1 = stablehlo.concatenate %a, %u, %b, dim = 0

  %1 = stablehlo.optimization_barrier %0         uses of %1 become uses of %0

  %1 = stablehlo.composite "f" %0                the ops of @g, in place
         {decomposition = @g}

Start indices are clamped as StableHLO says: to 0 from below and to extent - size from above. An
update that is smaller in several dimensions becomes nested concatenations, the outermost along the
first of them; only what surrounds the update is sliced from the operand.

Legality of a dynamic slice or update: (L1) every start index is a constant, possibly converted.
Leaves alone: all others; `hlo-to-penguin` reports them.

Legality of an ordinary composite, i.e. one without `CompositeKind`: (L2) its decomposition can be
put in its place (`penguin.analysis.decompositions`), and does not contain the composite itself. A
violation is an error, and nothing is changed. Each composite gets a remark with its name.
Leaves alone: composites with `CompositeKind`, which penguin made, and functions with `noDelete`.
The bodies of those composites are treated like all others.
"""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from penguin import mlir
from penguin.analysis.decompositions import (
    Decompositions,
    composites,
    is_ours,
    name_of,
    symbol_of,
)
from penguin.mlir import ir
from penguin.passes.hlo._calls import cycle, inline_all
from penguin.passlib import ModulePass, Statistic

_hlo, _ = mlir.stablehlo_ops()


class Why(enum.Enum):
    START_NOT_CONSTANT = "a start index is not a constant"  # L1
    DECOMPOSITION = "PGL005"  # L2


@dataclass
class SimplifyHlo(ModulePass):
    name = "simplify-hlo"
    requires = ("hlo-level", "inlined")

    barriers = Statistic("Number of optimization barriers removed")
    composites = Statistic("Number of composites replaced by their decomposition")
    slices = Statistic("Number of dynamic slices made static")
    updates = Statistic("Number of dynamic updates made static")

    def run(self, module: ir.Module) -> None:
        self._inline_composites(module)
        if self.failed:
            return
        # A walk must not see what it creates. What is erased besides the op itself are definitions
        # of its operands, which the list has before it.
        for op in mlir.walk(module.operation):
            if op.name == _hlo.OptimizationBarrierOp.OPERATION_NAME:
                _replace(op, list(op.operands))
                self.barriers += 1
            elif op.name == _hlo.DynamicSliceOp.OPERATION_NAME:
                self.slices += self._make_static(op, first_index=1, rewrite=_static_slice)
            elif op.name == _hlo.DynamicUpdateSliceOp.OPERATION_NAME:
                self.updates += self._make_static(op, first_index=2, rewrite=_static_update)

    def _inline_composites(self, module: ir.Module) -> None:
        known = Decompositions(module.operation)
        found = {
            name: [(op, symbol_of(op)) for op in composites(function) if not is_ours(op)]
            for name, function in known.functions.items()
        }
        ordinary = [op for each in found.values() for op, _ in each]
        if not ordinary:
            return
        for op in ordinary:
            problem = known.fault(op)
            if problem:
                self.error(op, Why.DECOMPOSITION.value, f"'{op.name}' op {problem} (L2)")
        closed = cycle(found)
        if closed is not None:
            op, names = closed
            chain = " -> ".join(f"@{name}" for name in names)
            message = f"'{op.name}' op contains itself: {chain} (L2)"
            self.error(op, Why.DECOMPOSITION.value, message)
        if self.failed:
            return
        self.composites += len(ordinary)
        for op in ordinary:
            self.passed(op, "InlinedComposite", Name=name_of(op), Decomposition=symbol_of(op))
            _make_call(op)
        inline_all(module)

    def _make_static(self, op: ir.Operation, first_index: int, rewrite: Any) -> bool:
        indices = list(op.operands)[first_index:]
        starts = [_constant(value) for value in indices]
        if None in starts:
            self.missed(op, Why.START_NOT_CONSTANT)
            return False
        with op.location, ir.InsertionPoint(op):
            new = rewrite(op, starts)
        _replace(op, [new])
        _erase_unused(indices)
        return True


def _make_call(composite: ir.Operation) -> None:
    """Calls the decomposition instead."""
    call = ir.Operation.create(
        mlir.func.CallOp.OPERATION_NAME,
        results=[result.type for result in composite.results],
        operands=list(composite.operands),
        attributes={"callee": ir.FlatSymbolRefAttr.get(symbol_of(composite))},
        ip=ir.InsertionPoint(composite),
        loc=composite.location,
    )
    _replace(composite, list(call.results))


def _static_slice(op: ir.Operation, starts: Sequence[int]) -> ir.Value:
    operand = op.operands[0]
    sizes = list(op.attributes["slice_sizes"])
    begin = _clamped(starts, operand, sizes)
    return _slice(operand, begin, [b + s for b, s in zip(begin, sizes, strict=True)])


def _static_update(op: ir.Operation, starts: Sequence[int]) -> ir.Value:
    operand, update = op.operands[0], op.operands[1]
    sizes = list(update.type.shape)
    if 0 in sizes:
        return operand
    begin = _clamped(starts, operand, sizes)
    low, high = [0] * len(sizes), list(operand.type.shape)
    return _surround(operand, update, low, high, begin, sizes)


def _surround(
    operand: ir.Value,
    update: ir.Value,
    low: list[int],
    high: list[int],
    begin: list[int],
    sizes: list[int],
) -> ir.Value:
    """The box [low, high) of `operand` with `update` at `begin` in it."""
    dim = next((d for d, size in enumerate(sizes) if size < high[d] - low[d]), None)
    if dim is None:
        return update
    inner_low, inner_high = list(low), list(high)
    inner_low[dim], inner_high[dim] = begin[dim], begin[dim] + sizes[dim]
    parts = [_surround(operand, update, inner_low, inner_high, begin, sizes)]
    if low[dim] < begin[dim]:
        parts.insert(0, _slice(operand, low, _with(high, dim, begin[dim])))
    if begin[dim] + sizes[dim] < high[dim]:
        parts.append(_slice(operand, _with(low, dim, begin[dim] + sizes[dim]), high))
    shape = [h - b for b, h in zip(low, high, strict=True)]
    result = ir.RankedTensorType.get(shape, operand.type.element_type)
    return _hlo.ConcatenateOp(parts, dim, results=[result]).result


def _with(values: Sequence[int], position: int, value: int) -> list[int]:
    return [value if i == position else v for i, v in enumerate(values)]


def _slice(operand: ir.Value, starts: Sequence[int], limits: Sequence[int]) -> ir.Value:
    return _hlo.SliceOp(operand, list(starts), list(limits), [1] * len(starts)).result


def _clamped(starts: Sequence[int], operand: ir.Value, sizes: Sequence[int]) -> list[int]:
    extents = operand.type.shape
    return [
        max(0, min(start, extent - size))
        for start, extent, size in zip(starts, extents, sizes, strict=True)
    ]


def _constant(value: ir.Value) -> int | None:
    """The number that a 0-d integer tensor holds, if it is known."""
    op = value.owner
    if isinstance(op, ir.Block):
        return None
    if op.name == _hlo.ConvertOp.OPERATION_NAME:
        # Only conversions that cannot change the number: from an integer to one at least as wide.
        source, target = op.operands[0].type.element_type, value.type.element_type
        if not (isinstance(source, ir.IntegerType) and isinstance(target, ir.IntegerType)):
            return None
        if source.is_unsigned != target.is_unsigned or source.width > target.width:
            return None
        return _constant(op.operands[0])
    if op.name != _hlo.ConstantOp.OPERATION_NAME:
        return None
    attribute = op.attributes["value"]
    return int(attribute.get_splat_value().value) if attribute.is_splat else None


def _replace(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()


def _erase_unused(values: Iterable[ir.Value]) -> None:
    """Erases the definitions of start indices that nothing else reads."""
    pending = list(values)
    # Values, not operations, tell apart what is gone: an erased one must not even be looked at.
    erased: set[ir.Value] = set()
    while pending:
        value = pending.pop()
        if value in erased or any(True for _ in value.uses):
            continue
        owner = value.owner
        if isinstance(owner, ir.Block):
            continue
        pending += owner.operands
        erased.add(value)
        owner.erase()
