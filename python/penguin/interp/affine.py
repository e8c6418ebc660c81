"""The affine dialect: its ops as nodes. How the loops of a nest run is in `nests`."""

import functools
import re
from typing import Any

import numpy as np

from penguin.analysis.affine_form import Form
from penguin.interp import reductions
from penguin.interp.access import LoadNode, StoreNode, address
from penguin.interp.dependence import independent
from penguin.interp.nests import If, Loop, Mode, Term
from penguin.interp.program import (
    Access,
    Compiler,
    Node,
    ScalarNode,
    drop_after_last_use,
    error,
)
from penguin.interp.registry import emitter
from penguin.mlir import ir


def map_forms(compiler: Compiler, op: Any, map_: ir.AffineMap, operands: list) -> list[Form]:
    """The results of an affine map on the operands of `op`."""
    given = [compiler.operand(value) for value in operands]
    forms = [form for form in given if isinstance(form, Form)]
    if len(forms) < len(given):
        raise error(op, "PGR001", "has an operand that is no affine form of loop counters")
    expressions = list(map_.results)
    if map_.n_symbols:
        expressions = [_symbols_after(expr, map_.n_dims) for expr in expressions]
    try:
        return [compiler.space.from_expr(expr, forms) for expr in expressions]
    except ValueError as reason:
        raise error(op, "PGR001", f"has a map that is {reason}") from None


def _symbols_after(expr: ir.AffineExpr, dims: int) -> ir.AffineExpr:
    """Symbol i as dimension `dims + i`: the operands are one list."""
    if isinstance(expr, ir.AffineSymbolExpr):
        return ir.AffineExpr.get_dim(dims + expr.position)
    if isinstance(expr, ir.AffineDimExpr | ir.AffineConstantExpr):
        return expr
    left, right = _symbols_after(expr.lhs, dims), _symbols_after(expr.rhs, dims)
    for kind, build in _BUILDERS:
        if isinstance(expr, kind):
            return build(left, right)
    raise AssertionError(f"unknown affine expression {expr}")


_BUILDERS = (
    (ir.AffineAddExpr, ir.AffineExpr.get_add),
    (ir.AffineMulExpr, ir.AffineExpr.get_mul),
    (ir.AffineModExpr, ir.AffineExpr.get_mod),
    (ir.AffineFloorDivExpr, ir.AffineExpr.get_floor_div),
    (ir.AffineCeilDivExpr, ir.AffineExpr.get_ceil_div),
)


@emitter("affine.for")
def for_(compiler: Compiler, op: Any) -> Loop:
    lowers, uppers = _bounds(compiler, op)
    step = ir.IntegerAttr(op.attributes["step"]).value
    loop = Loop(op, len(compiler.loops), compiler.loops)
    compiler.loops.append(loop)
    start = _start(compiler, op, lowers, step)
    spans = [compiler.space.bounds(upper - start)[1] for upper in uppers]
    loop.trip = max(0, -(-min(spans) // step))
    compiler.extents[loop.key] = loop.trip
    counter = start + Form.variable(loop.key) * step
    guards = [upper - counter + Form(-1) for upper in uppers]
    guards += [counter - lower for lower in lowers if lower != start]
    loop.guards = [g for g in guards if compiler.space.bounds(g)[0] < 0]
    block = op.regions[0].blocks[0]
    operations = list(block.operations)
    matches = reductions.match(op) if len(op.results) else None
    _absorb(compiler, matches)
    loop.inits = [compiler.operand(value) for value in reductions.inits(op)]
    compiler.forms[compiler.number(block.arguments[0])] = counter
    loop.arguments = [
        compiler.define(argument, frozenset(compiler.path))
        for argument in list(block.arguments)[1:]
    ]
    _compile_body(compiler, loop, operations, matches)
    _finish(compiler, loop, operations[-1], matches)
    return loop


def _bounds(compiler: Compiler, op: Any) -> tuple[list[Form], list[Form]]:
    n_lower, n_upper, _ = op.attributes["operandSegmentSizes"]
    operands = list(op.operands)
    lower_map = ir.AffineMapAttr(op.attributes["lowerBoundMap"]).value
    upper_map = ir.AffineMapAttr(op.attributes["upperBoundMap"]).value
    lowers = map_forms(compiler, op, lower_map, operands[:n_lower])
    uppers = map_forms(compiler, op, upper_map, operands[n_lower : n_lower + n_upper])
    return lowers, uppers


def _start(compiler: Compiler, op: Any, lowers: list[Form], step: int) -> Form:
    """Where the counter starts; the largest of several lower bounds is only known at run time."""
    if len(lowers) == 1:
        return lowers[0]
    if step != 1:
        raise error(op, "PGR001", "has several lower bounds and a step, expected a step of 1")
    return Form(min(compiler.space.bounds(lower)[0] for lower in lowers))


def _absorb(compiler: Compiler, matches: list[reductions.Match] | None) -> None:
    for match in matches or []:
        compiler.absorbed.add(match.op)
        if match.product is not None:
            compiler.absorbed.add(match.product)


def _compile_body(
    compiler: Compiler, loop: Loop, operations: list, matches: list[reductions.Match] | None
) -> None:
    around = compiler.domains
    compiler.domains = set()
    compiler.path += (loop.key,)
    first_access, opaque = len(compiler.accesses), compiler.opaque
    loop.body = compiler.block(operations[:-1])
    if matches and matches[0].value is None:
        compiler.absorbed.discard(matches[0].op)
        loop.inner = compiler.node(matches[0].op.opview)
    if matches is not None:
        loop.mode = Mode.REDUCE
    elif not loop.arguments and compiler.opaque == opaque:
        below = compiler.accesses[first_access:]
        legal, loop.ordered = independent(compiler, loop, below)
        loop.mode = Mode.VECTOR if legal else Mode.SEQUENTIAL
    if loop.guards:
        compiler.domains.add(compiler.varies_over(loop.guards))
    loop.domains = compiler.domains
    compiler.path = compiler.path[:-1]
    compiler.domains = around | loop.domains


def _finish(
    compiler: Compiler, loop: Loop, yield_: Any, matches: list[reductions.Match] | None
) -> None:
    kept: set[int] = set()
    around = frozenset(compiler.path)
    if matches is None:
        loop.yields = [compiler.operand(value) for value in yield_.operands]
        kept.update(value for value in loop.yields if not isinstance(value, Form))
        loop.results = [compiler.define(result, around) for result in loop.op.results]
    else:
        loop.terms = [
            Term(
                match.op.name,
                compiler.operand(match.value),
                _numbers(compiler, match.factors),
            )
            for match in matches
            if match.value is not None
        ]
        for term in loop.terms:
            kept.update(term.values())
        if loop.inner is not None:
            kept.update(loop.inner.reads())
        read_ = kept | {value for value in loop.inits if not isinstance(value, Form)}
        varies = compiler.varies_over(read_) & around
        loop.results = [compiler.define(result, varies) for result in loop.op.results]
    drop_after_last_use(loop.body, kept)


def _numbers(compiler: Compiler, factors: Any) -> tuple[int, int] | None:
    return (compiler.number(factors[0]), compiler.number(factors[1])) if factors else None


@emitter("affine.if")
def if_(compiler: Compiler, op: Any) -> If:
    set_ = str(op.attributes["condition"])
    found = re.fullmatch(r"affine_set<(\(.*?\)(?:\[.*?\])?) : \((.*)\)>", set_)
    assert found is not None, set_
    constraints = [text.rsplit(" ", 2) for text in found[2].split(", ")]
    expressions = ", ".join(text for text, _, _ in constraints)
    map_ = ir.AffineMapAttr(ir.Attribute.parse(f"affine_map<{found[1]} -> ({expressions})>")).value
    forms = map_forms(compiler, op, map_, list(op.operands))
    conditions = [
        (form, sign == "==") for form, (_, sign, _) in zip(forms, constraints, strict=True)
    ]
    compiler.domains.add(compiler.varies_over(forms))
    branches: list[list[Node]] = []
    yields: list[list[int | Form]] = []
    varies = compiler.varies_over(forms)
    for region in op.regions:
        operations = list(region.blocks[0].operations) if len(region.blocks) else []
        nodes = compiler.block(operations[:-1])
        values = [compiler.operand(v) for v in operations[-1].operands] if operations else []
        drop_after_last_use(nodes, [value for value in values if not isinstance(value, Form)])
        varies |= compiler.varies_over(values)
        branches.append(nodes)
        yields.append(values)
    results = [compiler.define(result, varies) for result in op.results]
    return If(conditions, (branches[0], branches[1]), (yields[0], yields[1]), results)


@emitter("affine.apply")
def apply(compiler: Compiler, op: Any) -> None:
    map_ = ir.AffineMapAttr(op.attributes["map"]).value
    (form,) = map_forms(compiler, op, map_, list(op.operands))
    compiler.forms[compiler.number(op.results[0])] = form


@emitter("affine.min")
def min_(compiler: Compiler, op: Any) -> Node:
    return _extreme(compiler, op, np.minimum)


@emitter("affine.max")
def max_(compiler: Compiler, op: Any) -> Node:
    return _extreme(compiler, op, np.maximum)


def _extreme(compiler: Compiler, op: Any, function: np.ufunc) -> Node:
    map_ = ir.AffineMapAttr(op.attributes["map"]).value
    forms = map_forms(compiler, op, map_, list(op.operands))
    result = compiler.define(op.results[0], compiler.varies_over(forms))
    return ScalarNode(lambda *values: functools.reduce(function, values), list(forms), result)


@emitter("affine.load")
def load(compiler: Compiler, op: Any) -> LoadNode:
    memref, *operands = op.operands
    map_ = ir.AffineMapAttr(op.attributes["map"]).value
    return make_load(compiler, op, memref, map_forms(compiler, op, map_, operands))


@emitter("affine.store")
def store(compiler: Compiler, op: Any) -> StoreNode:
    value, memref, *operands = op.operands
    map_ = ir.AffineMapAttr(op.attributes["map"]).value
    return make_store(compiler, op, value, memref, map_forms(compiler, op, map_, operands))


def make_load(compiler: Compiler, op: Any, memref: ir.Value, indices: list) -> LoadNode:
    """A load whose indices are forms or value numbers."""
    where = _access(compiler, op, memref, indices, is_store=False)
    result = compiler.define(op.results[0], compiler.varies_over(indices))
    node = LoadNode(where, result, outlives_nest=not compiler.path)
    compiler.loads.append((where.buffer, node))
    return node


def make_store(
    compiler: Compiler, op: Any, value: ir.Value, memref: ir.Value, indices: list
) -> StoreNode:
    """A store whose indices are forms or value numbers."""
    where = _access(compiler, op, memref, indices, is_store=True)
    number = compiler.number(value)
    if number in compiler.forms:
        raise error(op, "PGR001", "stores an index, expected a number")
    compiler.domains.add(compiler.varies_over([number, *indices]))
    return StoreNode(where, number)


def _access(compiler: Compiler, op: Any, memref: ir.Value, indices: list, is_store: bool) -> Any:
    buffer = compiler.number(memref)
    shape = tuple(ir.MemRefType(memref.type).shape)
    where = address(op, buffer, shape, indices, compiler.space)
    forms = tuple(indices) if where.flat is not None else None
    compiler.accesses.append(Access(buffer, is_store, shape, forms, where.flat, compiler.path))
    if where.flat is None or where.flat.divisions:
        compiler.domains.add(compiler.varies_over(indices))
    return where
