"""The affine dialect: loop nests evaluated a whole axis at a time.

A loop runs in one of three ways, chosen once per program:

* vector: no accumulators, and its iterations are independent: each memref that the body stores to
  is either only stored to, by one op, with every loop in between a vector loop too; or the
  iterations provably touch disjoint parts of it. The loop becomes a numpy axis.
* reduce: see `penguin.interp.reductions`.
* sequential: one iteration after the other, each still over the axes of the loops around it.

Bounds that depend on outer loops, and `affine.if`, become masks. A loop whose arrays would exceed
`LIMIT` elements runs in pieces.
"""

import enum
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from penguin.analysis.affine_form import FloorDiv, Form
from penguin.interp import reductions
from penguin.interp.access import LoadNode, StoreNode, address
from penguin.interp.numerics import Array
from penguin.interp.program import (
    Access,
    Compiler,
    Machine,
    Node,
    Range,
    ScalarNode,
    drop_after_last_use,
    error,
)
from penguin.interp.registry import emitter
from penguin.mlir import ir

# Elements per array: a handful of live 32-bit arrays stay below 256 MB.
LIMIT = 4 << 20


class Mode(enum.Enum):
    """How a loop runs."""

    VECTOR = enum.auto()
    REDUCE = enum.auto()
    SEQUENTIAL = enum.auto()


@dataclass(frozen=True)
class Term:
    """What an accumulator gathers: a value, or a product of two."""

    name: str
    value: "int | Form"
    factors: tuple[int, int] | None = None


@dataclass(eq=False)
class Loop(Node):
    """One `affine.for`; in forms, `key` stands for its counter 0, 1, ..."""

    op: Any
    key: int
    others: list["Loop"]
    """Every loop, by key."""
    trip: int = 0
    mode: Mode = Mode.SEQUENTIAL
    guards: list[Form] = field(default_factory=list)
    """Iterations where one of these is negative do not exist."""
    body: list[Node] = field(default_factory=list)
    inits: list["int | Form"] = field(default_factory=list)
    arguments: list[int] = field(default_factory=list)
    yields: list["int | Form"] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    inner: "Loop | None" = None
    domains: set[frozenset[int]] = field(default_factory=set)
    ordered: bool = False
    """Some store below relies on the order of iterations."""

    def run(self, machine: Machine) -> None:
        match self.mode:
            case Mode.VECTOR:
                for start, count in self._pieces(machine):
                    self._at(machine, start, count, lambda: machine.run(self.body))
            case Mode.SEQUENTIAL:
                self._run_sequential(machine)
            case Mode.REDUCE:
                self._run_reduction(machine)

    def reads(self) -> Iterable[int]:
        for node in self.body:
            yield from node.reads()
        if self.inner is not None:
            yield from self.inner.reads()
        yield from (i for i in self.inits + self.yields if not isinstance(i, Form))
        for term in self.terms:
            yield from term.factors or [term.value]

    def defines(self) -> Iterable[int]:
        return self.results

    def _at(self, machine: Machine, start: int, count: int, action: Callable[[], None]) -> None:
        """Performs `action` with the loop at these iterations, if any of them exist."""
        depth, mask = machine.depth, machine.mask
        axis = None
        if count > 1:
            axis, machine.depth = depth, depth + 1
        machine.ranges[self.key] = Range(start, count, axis)
        if self._restrict(machine):
            action()
        machine.depth, machine.mask = depth, mask
        del machine.ranges[self.key]

    def _restrict(self, machine: Machine) -> bool:
        for guard in self.guards:
            if not restrict(machine, machine.form(guard) >= 0):
                return False
        return True

    def _pieces(self, machine: Machine) -> Iterator[tuple[int, int]]:
        """(start, count) of the parts to run one after the other."""
        others = mine = 0
        for domain in self.domains:
            size = prod(self._span(machine, key) for key in domain)
            if self.key in domain:
                mine = max(mine, size)
            else:
                others = max(others, size)
        step = self.trip
        if others > LIMIT and self.ordered:
            # An inner loop will run in pieces: this iteration's must come before the next one's.
            step = 1
        elif mine > LIMIT:
            step = max(1, self.trip * LIMIT // mine)
        for start in range(0, self.trip, max(step, 1)):
            yield start, min(step, self.trip - start)

    def _span(self, machine: Machine, key: int) -> int:
        if key in machine.ranges:
            return machine.ranges[key].count
        loop = self.others[key]
        return 1 if loop.mode is Mode.SEQUENTIAL else max(loop.trip, 1)

    def _run_sequential(self, machine: Machine) -> None:
        state = [read(machine, value) for value in self.inits]

        def iteration() -> None:
            nonlocal state
            machine.values.update(zip(self.arguments, state, strict=True))
            machine.run(self.body)
            after = [read(machine, value) for value in self.yields]
            mask = machine.mask
            if mask is not None:
                after = [np.where(mask, a, b) for a, b in zip(after, state, strict=True)]
            state = after

        for number in range(self.trip):
            self._at(machine, number, 1, iteration)
        machine.values.update(zip(self.results, state, strict=True))

    def _run_reduction(self, machine: Machine) -> None:
        base = machine.depth
        totals = [read(machine, value) for value in self.inits]

        def consume(terms: list[Term]) -> None:
            for number, term in enumerate(terms):
                part = gather(machine, term, base)
                totals[number] = reductions.combine(term.name, totals[number], part)

        self._each(machine, consume)
        machine.values.update(zip(self.results, totals, strict=True))

    def _each(self, machine: Machine, consume: Callable[[list[Term]], None]) -> None:
        """Evaluates the body over the whole domain and hands over what is to be accumulated."""

        def piece() -> None:
            machine.run(self.body)
            if self.inner is None:
                consume(self.terms)
            else:
                self.inner._each(machine, consume)

        for start, count in self._pieces(machine):
            self._at(machine, start, count, piece)


def read(machine: Machine, value: "int | Form") -> Array:
    """The array of an operand."""
    return machine.form(value) if isinstance(value, Form) else machine.values[value]


def restrict(machine: Machine, condition: Array) -> bool:
    """Adds a condition to the mask; False if it holds nowhere."""
    if np.all(condition):
        return True
    if not np.any(condition):
        return False
    machine.mask = condition if machine.mask is None else machine.mask & condition
    return True


def gather(machine: Machine, term: Term, base: int) -> Array:
    """`term` reduced over the axes opened since depth `base`."""
    axes = machine.depth - base
    counts = machine.counts()[:axes]
    mask = machine.mask
    if term.factors is not None and mask is None:
        a, b = (_padded(machine.values[f], machine.depth) for f in term.factors)
        return reductions.contraction(a, b, counts)
    if term.factors is not None:
        value = machine.values[term.factors[0]] * machine.values[term.factors[1]]
    else:
        value = read(machine, term.value)
    value = _padded(value, machine.depth)
    value = np.broadcast_to(value, counts + value.shape[axes:])
    return reductions.reduce(term.name, value, axes, mask)


def _padded(value: Array, depth: int) -> Array:
    value = np.asarray(value)
    return value.reshape((1,) * (depth - value.ndim) + value.shape)


@dataclass(eq=False)
class If(Node):
    """`affine.if`; a condition is a form and whether it must be 0 or just not negative."""

    conditions: list[tuple[Form, bool]]
    branches: tuple[list[Node], list[Node]]
    yields: tuple[list["int | Form"], list["int | Form"]]
    results: list[int]

    def run(self, machine: Machine) -> None:
        holds: Any = np.True_
        for form, is_equality in self.conditions:
            value = machine.form(form)
            holds = holds & (value == 0 if is_equality else value >= 0)
        outcomes = []
        mask = machine.mask
        for side, condition in enumerate((holds, ~holds)):
            if restrict(machine, condition):
                machine.run(self.branches[side])
                outcomes.append([read(machine, value) for value in self.yields[side]])
            else:
                outcomes.append(None)
            machine.mask = mask
        yes, no = outcomes
        if yes is None or no is None:
            merged = no if yes is None else yes
        else:
            merged = [np.where(holds, a, b) for a, b in zip(yes, no, strict=True)]
        machine.values.update(zip(self.results, merged or [], strict=True))

    def reads(self) -> Iterable[int]:
        for branch, values in zip(self.branches, self.yields, strict=True):
            for node in branch:
                yield from node.reads()
            yield from (value for value in values if not isinstance(value, Form))

    def defines(self) -> Iterable[int]:
        return self.results


def map_forms(compiler: Compiler, op: Any, map_: ir.AffineMap, operands: list) -> list[Form]:
    """The results of an affine map on the operands of `op`."""
    forms = [compiler.operand(value) for value in operands]
    if not all(isinstance(form, Form) for form in forms):
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
        legal, loop.ordered = _independent(compiler, loop, below)
        loop.mode = Mode.VECTOR if legal else Mode.SEQUENTIAL
    if loop.guards:
        compiler.domains.add(compiler.varies_over(loop.guards))
    loop.domains = compiler.domains
    compiler.path = compiler.path[:-1]
    compiler.domains = around | loop.domains


def _finish(
    compiler: Compiler, loop: Loop, yield_: Any, matches: list[reductions.Match] | None
) -> None:
    kept: set[Any] = set()
    around = frozenset(compiler.path)
    if matches is None:
        loop.yields = [compiler.operand(value) for value in yield_.operands]
        kept.update(loop.yields)
        loop.results = [compiler.define(result, around) for result in loop.op.results]
    else:
        loop.terms = [
            Term(
                match.op.name,
                compiler.operand(match.value),
                tuple(map(compiler.number, match.factors)) if match.factors else None,
            )
            for match in matches
            if match.value is not None
        ]
        for term in loop.terms:
            kept.update(term.factors or (term.value,))
        if loop.inner is not None:
            kept.update(loop.inner.reads())
        read_ = kept | {value for value in loop.inits if not isinstance(value, Form)}
        varies = compiler.varies_over(read_) & around
        loop.results = [compiler.define(result, varies) for result in loop.op.results]
    drop_after_last_use(loop.body, kept)


def _independent(compiler: Compiler, loop: Loop, below: list[Access]) -> tuple[bool, bool]:
    """(the iterations may run as one axis, some store then relies on their order)."""
    ordered = False
    for buffer in {access.buffer for access in below if access.is_store}:
        group = [access for access in below if access.buffer == buffer]
        if _disjoint(compiler, loop, group):
            continue
        inner = group[0].path[group[0].path.index(loop.key) + 1 :]
        if len(group) > 1 or any(loop.others[k].mode is not Mode.VECTOR for k in inner):
            return False, False
        ordered = True
    return True, ordered


def _disjoint(compiler: Compiler, loop: Loop, group: list[Access]) -> bool:
    """Whether different iterations of `loop` touch different elements, seen in some dimension."""
    if any(access.forms is None for access in group):
        return False
    return any(
        _separated(compiler, loop.key, group, [access.forms[dim] for access in group])
        for dim in range(len(group[0].forms))
    )


def _separated(compiler: Compiler, loop: int, group: list[Access], forms: list[Form]) -> bool:
    outer = set(group[0].path[: group[0].path.index(loop)])
    coefficient = forms[0][loop]
    fixed, low, high = None, None, None
    for form in forms:
        if form[loop] != coefficient:
            return False
        outside, inside = [], []
        for atom, factor in form.terms:
            if atom == loop:
                continue
            variables = set(atom.numerator.variables()) if isinstance(atom, FloorDiv) else {atom}
            if loop in variables:
                return False
            (outside if variables <= outer else inside).append((atom, factor))
        if fixed is None:
            fixed = set(outside)
        elif fixed != set(outside):
            return False
        bounds = compiler.space.bounds(Form(form.const, tuple(inside)))
        low = bounds[0] if low is None else min(low, bounds[0])
        high = bounds[1] if high is None else max(high, bounds[1])
    return high - low < abs(coefficient)


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
        drop_after_last_use(nodes, values)
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
    return ScalarNode(lambda *values: functools.reduce(function, values), forms, result)


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
    compiler.accesses.append(Access(buffer, is_store, forms, compiler.path))
    if where.flat is None or where.flat.divisions:
        compiler.domains.add(compiler.varies_over(indices))
    return where
