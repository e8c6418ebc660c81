"""Reading the indices of a memory access as forms, and writing it anew with other ones.

    loops = Loops()
    forms = loops.indices(load)                          # one form per dimension
    at = delinearize(flatten(shape, forms), base_shape, loops.space)
    load = loops.retarget(load, base, at)                # the old op is erased

The atoms of the forms are the counters (0, 1, ...) of the loops around the accesses, whatever the
bounds and the step in the IR; one `Loops` serves any number of accesses of a function. An index
that is no quasi-affine form of loop counters raises `ValueError`; such accesses, and those of
`memref.load` and `memref.store`, take `respell`, which only changes the shape.
"""

import functools
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from penguin.analysis.affine_form import Form, Space, to_expr
from penguin.analysis.nest import FOR, LOAD, STORE, strides_of
from penguin.mlir import arith, ir

GENERIC_LOAD, GENERIC_STORE = "memref.load", "memref.store"
# The number of the operand that is the memref.
MEMREF = {LOAD: 0, STORE: 1, GENERIC_LOAD: 0, GENERIC_STORE: 1}


class _Counter(NamedTuple):
    """The values of an index are `first`, `first + step`, ..."""

    value: ir.Value
    first: int
    step: int


class Loops:
    """The loops around accesses; `space` knows how often each runs at most."""

    def __init__(self) -> None:
        self._extents: dict[int, int] = {}
        self.space = Space(self._extents)
        self._counters: list[_Counter] = []
        self._forms: dict[ir.Value, Form] = {}

    def indices(self, op: ir.Operation) -> list[Form]:
        """The indices of an `affine.load` or `affine.store`."""
        return self._results(op, "map", list(op.operands)[MEMREF[op.name] + 1 :])

    def retarget(self, op: ir.Operation, memref: ir.Value, indices: Sequence[Form]) -> ir.Operation:
        """The same access to other memory, in the place of `op`, which is erased."""
        used = dict.fromkeys(atom for index in indices for atom in index.variables())
        places = {atom: place for place, atom in enumerate(sorted(used))}
        results = [to_expr(index, places.__getitem__, self._walk) for index in indices]
        map_ = ir.AffineMapAttr.get(ir.AffineMap.get(len(places), 0, results))
        operands = [self._counters[atom].value for atom in places]
        return _replace(op, memref, operands, map_)

    def _walk(self, atom: int) -> tuple[int, int]:
        counter = self._counters[atom]
        return counter.first, counter.step

    def _results(self, op: ir.Operation, key: str, operands: Sequence[ir.Value]) -> list[Form]:
        """The results of one of the maps of `op` on `operands`."""
        map_ = ir.AffineMapAttr(op.attributes[key]).value
        forms = [self._form(value) for value in operands]
        dims, symbols = forms[: map_.n_dims], forms[map_.n_dims :]
        return [self.space.from_expr(expr, dims, symbols) for expr in map_.results]

    def _form(self, value: ir.Value) -> Form:
        found = self._forms.get(value)
        if found is None:
            found = self._forms[value] = self._look(value)
        return found

    def _look(self, value: ir.Value) -> Form:
        owner = value.owner
        if not isinstance(owner, ir.Block):
            if owner.name == "affine.apply":
                return self._results(owner.operation, "map", list(owner.operands))[0]
            if owner.name == "arith.constant":
                return Form(ir.IntegerAttr(owner.attributes["value"]).value)
        elif owner.owner.name == FOR and value == owner.arguments[0]:
            return self._counter(owner.owner.operation, value)
        raise ValueError("an index does not come from a loop variable")

    def _counter(self, loop: ir.Operation, value: ir.Value) -> Form:
        n_lower, n_upper, _ = ir.DenseI32ArrayAttr(loop.attributes["operandSegmentSizes"])
        operands = list(loop.operands)
        lowers = self._results(loop, "lowerBoundMap", operands[:n_lower])
        uppers = self._results(loop, "upperBoundMap", operands[n_lower : n_lower + n_upper])
        first = max(self.space.bounds(form)[0] for form in lowers)
        end = min(self.space.bounds(form)[1] for form in uppers)
        fixed = all(form.is_constant for form in lowers)
        step = ir.IntegerAttr(loop.attributes["step"]).value if fixed else 1
        extent = -(-(end - first) // step)
        if extent <= 1 and fixed:
            return Form(first)
        atom = len(self._counters)
        self._counters.append(_Counter(value, first, step))
        self._extents[atom] = max(extent, 1)
        return Form.variable(atom) * step + first


def _replace(
    op: ir.Operation, memref: ir.Value, indices: Sequence[ir.Value], map_: ir.Attribute | None
) -> ir.Operation:
    attributes = {named: op.attributes[named] for named in op.attributes}
    if map_ is not None:
        attributes["map"] = map_
    operands = [*list(op.operands)[: MEMREF[op.name]], memref, *indices]
    types = [result.type for result in op.results]
    new = ir.Operation.create(
        op.name, types, operands, attributes, loc=op.location, ip=ir.InsertionPoint(op)
    )
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()
    return new


def respell(op: ir.Operation, memref: ir.Value) -> ir.Operation:
    """The same element of `memref`, which has the elements of the op's own under another shape.

    Takes any index; the quotients are all kept. The old op is erased.
    """
    old, *indices = list(op.operands)[MEMREF[op.name] :]
    shapes = tuple(old.type.shape), tuple(memref.type.shape)
    if op.name in (LOAD, STORE):
        map_ = ir.AffineMapAttr(op.attributes["map"]).value
        results = _respelt(*shapes, list(map_.results), _Expressions())
        new = ir.AffineMap.get(map_.n_dims, map_.n_symbols, results)
        return _replace(op, memref, indices, ir.AffineMapAttr.get(new))
    with op.location, ir.InsertionPoint(op):
        values = _respelt(*shapes, indices, _Values())
    return _replace(op, memref, values, None)


def _respelt(old: tuple[int, ...], new: tuple[int, ...], indices: list, on: Any) -> list:
    """The indices into `new`; `on` does arithmetic on what they are."""
    if 0 in old:
        return [on.constant(0) for _ in new]
    found: list = []
    for mine, theirs in _groups(old, new):
        if [old[dim] for dim in mine] == [new[dim] for dim in theirs]:
            found += [indices[dim] for dim in mine]
            continue
        parts = [
            on.scaled(indices[dim], stride)
            for dim, stride in zip(mine, strides_of([old[dim] for dim in mine]), strict=True)
            if old[dim] != 1
        ]
        flat = functools.reduce(on.sum, parts) if parts else on.constant(0)
        whole = True
        for dim, stride in zip(theirs, strides_of([new[dim] for dim in theirs]), strict=True):
            if new[dim] == 1:
                found.append(on.constant(0))
                continue
            found.append(on.part(flat, stride, 0 if whole else new[dim]))
            whole = False
    return found


def _groups(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[range, range]]:
    """The shortest runs of dimensions of both shapes that hold as many elements."""
    # The first dimension of all with so many elements below: a run begins with its unit extents.
    first, second = (
        {prod(shape[dim:]): dim for dim in range(len(shape), -1, -1)} for shape in (old, new)
    )
    cuts = [(first[n], second[n]) for n in sorted(first.keys() & second.keys(), reverse=True)]
    # Unit extents at the end have no elements below.
    cuts = [*(cuts[:-1] or cuts), (len(old), len(new))]
    for (a, b), (c, d) in pairwise(cuts):
        yield range(a, c), range(b, d)


class _Expressions:
    """Indices that are affine expressions."""

    def constant(self, value: int) -> ir.AffineExpr:
        return ir.AffineExpr.get_constant(value)

    def scaled(self, index: ir.AffineExpr, factor: int) -> ir.AffineExpr:
        return index * factor

    def sum(self, one: ir.AffineExpr, other: ir.AffineExpr) -> ir.AffineExpr:
        return one + other

    def part(self, flat: ir.AffineExpr, stride: int, extent: int) -> ir.AffineExpr:
        quotient = ir.AffineExpr.get_floor_div(flat, stride)
        return ir.AffineExpr.get_mod(quotient, extent) if extent else quotient


class _Values:
    """Indices that are values; ops are written at the current insertion point."""

    def constant(self, value: int) -> ir.Value:
        return arith.constant(ir.IndexType.get(), value)

    def scaled(self, index: ir.Value, factor: int) -> ir.Value:
        return index if factor == 1 else arith.muli(index, self.constant(factor))

    def sum(self, one: ir.Value, other: ir.Value) -> ir.Value:
        return arith.addi(one, other)

    def part(self, flat: ir.Value, stride: int, extent: int) -> ir.Value:
        quotient = flat if stride == 1 else arith.divui(flat, self.constant(stride))
        return arith.remui(quotient, self.constant(extent)) if extent else quotient
