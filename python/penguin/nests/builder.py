"""Loop nests: parallel loops outermost, reductions with one accumulator inside, scalar code.

A `Builder` serves one run of a pass over a function; it caches what many nests share (types, maps,
loop bounds), so that an op costs a few microseconds. A `Nest` is written from the outside in:

    with builder.nest(op) as nest:
        rows = nest.parallel((8, 6))                 # affine.for 0 to 8, 0 to 6
        sums, total = nest.reduce((5,), zero)        # affine.for 0 to 5 iter_args(zero)
        value = nest.load(src, rows + sums)
        total = nest.end_reduce(nest.scalars(f32).op("arith.addf", total, value))
        nest.store(total, dst, rows)

* A dimension of extent 1 gets no loop; its index is the constant 0. The same holds for reductions.
* Without loops the code stands in the place of the op.
* Unsigned elements are cast to signless ones right after the load, and back before the store.
* Every op carries the location of the tensor op, and stands before it.

Ops are made by `ir.Operation.create`: the generated builders cost ten times as much.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from penguin.analysis.affine_form import Form, Space, to_expr
from penguin.dialects import base
from penguin.mlir import ir
from penguin.nests.convert import convert
from penguin.nests.elements import Element, element
from penguin.nests.indexing import ZERO, Index, loop
from penguin.nests.origins import Origin
from penguin.nests.scalars import Scalars

Lowering = Callable[..., None]
"""Writes the nests of one op; called with the op, a builder, and the op's operands as tensors."""

_create = ir.Operation.create


class Tensor(NamedTuple):
    """A memref value with what the nests need to know of it."""

    value: ir.Value
    shape: tuple[int, ...]
    element: Element
    size: int
    """In bytes."""
    origin: Origin | None = None
    """Where to load from instead."""

    @property
    def empty(self) -> bool:
        return self.size == 0


class Builder:
    """Makes nests, and tensors of memref values; bound to the current context."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}
        self._maps: dict[tuple[Index, ...], tuple[dict[str, ir.Attribute], tuple[int, ...]]] = {}
        self._form_maps: dict[
            tuple[Form, ...], tuple[dict[str, ir.Attribute], tuple[int, ...]]
        ] = {}
        self._bounds: dict[tuple[int, int], dict[str, ir.Attribute]] = {}
        self.nests = 0
        self.index = ir.IndexType.get()
        self.constants: dict[tuple[str, object], ir.Attribute] = {}
        self.predicates: dict[int, ir.Attribute] = {}

    def tensor(self, value: ir.Value) -> Tensor:
        facts = base.tensor(value)
        assert facts.dtype is not None, f"verified tensor of unknown element type: {value.type}"
        size = facts.count * facts.dtype.itemsize
        return Tensor(value, facts.shape, self.element(facts.dtype.mlir), size)

    def element(self, name: str) -> Element:
        """The element type by its text, e.g. `f32` or `ui8`."""
        found = self._elements.get(name)
        if found is None:
            found = self._elements[name] = element(name)
        return found

    def nest(self, op: ir.OpView) -> "Nest":
        """A nest in front of `op`."""
        self.nests += 1
        return Nest(self, op)

    def access(self, indices: Sequence[Index]) -> tuple[dict[str, ir.Attribute], tuple[int, ...]]:
        """The map attribute of a load or store, and the loops that are its operands in order."""
        key = tuple(indices)
        found = self._maps.get(key)
        if found is None:
            used = sorted({position for index in key for position, _ in index.terms})
            dims = {position: ir.AffineExpr.get_dim(i) for i, position in enumerate(used)}
            affine_map = ir.AffineMap.get(len(used), 0, [_expression(i, dims) for i in key])
            found = self._maps[key] = {"map": ir.AffineMapAttr.get(affine_map)}, tuple(used)
        return found

    def access_forms(
        self, forms: tuple[Form, ...]
    ) -> tuple[dict[str, ir.Attribute], tuple[int, ...]]:
        """As `access`, for forms over the loops."""
        found = self._form_maps.get(forms)
        if found is None:
            used = sorted({position for form in forms for position in form.variables()})
            dims = {position: number for number, position in enumerate(used)}
            expressions = [to_expr(form, dims.__getitem__) for form in forms]
            affine_map = ir.AffineMap.get(len(used), 0, expressions)
            found = self._form_maps[forms] = {"map": ir.AffineMapAttr.get(affine_map)}, tuple(used)
        return found

    def bounds(self, extent: int, carried: int) -> dict[str, ir.Attribute]:
        """The attributes of `affine.for 0 to extent` with `carried` accumulators."""
        key = (extent, carried)
        found = self._bounds.get(key)
        if found is None:
            low, high = (ir.AffineMap.get_constant(v) for v in (0, extent))
            found = self._bounds[key] = {
                "lowerBoundMap": ir.AffineMapAttr.get(low),
                "upperBoundMap": ir.AffineMapAttr.get(high),
                "step": ir.IntegerAttr.get(self.index, 1),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0, carried]),
            }
        return found


def _expression(index: Index, dims: dict[int, ir.AffineExpr]) -> ir.AffineExpr:
    result: ir.AffineExpr | None = None
    for position, coefficient in index.terms:
        term = dims[position] if coefficient == 1 else dims[position] * coefficient
        result = term if result is None else result + term
    if result is None:
        result = ir.AffineExpr.get_constant(index.offset)
    elif index.offset:
        result = result + index.offset
    if index.divisor != 1:
        result = ir.AffineExpr.get_floor_div(result, index.divisor)
    if index.modulus:
        result = ir.AffineExpr.get_mod(result, index.modulus)
    return result


def _form(index: Index) -> Form:
    """A plain index as a form over the loops."""
    assert index.divisor == 1 and index.modulus == 0, "a compute op reads through a quotient"
    terms = Form(index.offset)
    for position, coefficient in index.terms:
        terms = terms + Form.variable(position) * coefficient
    return terms


class _Frame(NamedTuple):
    """A place to write to: the end of a block, and the constants already there."""

    ip: ir.InsertionPoint
    constants: dict[tuple[str, object], ir.Value]


class Nest:
    """One loop nest being written; a context manager that closes the loops."""

    def __init__(self, builder: Builder, op: ir.OpView) -> None:
        self.builder = builder
        self.loc = op.location
        self._frames = [_Frame(ir.InsertionPoint(op), {})]
        self._ivs: list[ir.Value] = []
        self._extents: dict[int, int] = {}
        self._reductions: list[list[ir.Operation]] = []

    def __enter__(self) -> "Nest":
        return self

    def __exit__(self, kind: type | None, error: object, trace: object) -> None:
        if kind is not None:
            return
        assert not self._reductions, "a reduction was not ended"
        for frame in self._frames[:0:-1]:
            _create("affine.yield", loc=self.loc, ip=frame.ip)

    @property
    def ip(self) -> ir.InsertionPoint:
        return self._frames[-1].ip

    def parallel(self, extents: Sequence[int]) -> list[Index]:
        """Opens one loop per extent other than 1; the indices that run over them."""
        return [ZERO if extent == 1 else self._open(extent, ())[0] for extent in extents]

    def reduce(self, extents: Sequence[int], init: ir.Value) -> tuple[list[Index], ir.Value]:
        """Opens reduction loops with one accumulator; their indices, and its current value.

        `end_reduce` closes them. A reduction over nothing must be left out by the caller.
        """
        indices, loops = [], []
        for extent in extents:
            if extent == 1:
                indices.append(ZERO)
                continue
            index, op = self._open(extent, (init,))
            init = op.regions[0].blocks[0].arguments[1]
            indices.append(index)
            loops.append(op)
        self._reductions.append(loops)
        return indices, init

    def end_reduce(self, value: ir.Value) -> ir.Value:
        """Yields the accumulator's next value, closes the reduction; the value after it."""
        for op in reversed(self._reductions.pop()):
            _create("affine.yield", operands=[value], loc=self.loc, ip=self._frames.pop().ip)
            value = op.result
        return value

    def _open(self, extent: int, carried: Sequence[ir.Value]) -> tuple[Index, ir.Operation]:
        types = [value.type for value in carried]
        op = _create(
            "affine.for",
            results=types,
            operands=list(carried),
            attributes=self.builder.bounds(extent, len(types)),
            regions=1,
            loc=self.loc,
            ip=self.ip,
        )
        arguments = [self.builder.index, *types]
        block = op.regions[0].blocks.append(*arguments, arg_locs=[self.loc] * len(arguments))
        self._frames.append(_Frame(ir.InsertionPoint(block), {}))
        position = len(self._ivs)
        self._ivs.append(block.arguments[0])
        self._extents[position] = extent
        return loop(position), op

    def variable(self, index: Index) -> ir.Value:
        """The induction variable behind a plain index."""
        ((position, coefficient),) = index.terms
        assert coefficient == 1 and index == loop(position)
        return self._ivs[position]

    def scalars(self, element: Element) -> Scalars:
        """Emits scalar code on `element` at the innermost place of the nest."""
        frame = self._frames[-1]
        return Scalars(self.builder, element, frame.ip, self.loc, frame.constants)

    def number(self, index: Index) -> ir.Value:
        """A loop's variable or a constant, as an index value."""
        if index.terms:
            return self.variable(index)
        frame, key = self._frames[-1], ("index", index.offset)
        if key not in frame.constants:
            value = ir.IntegerAttr.get(self.builder.index, index.offset)
            frame.constants[key] = self._index("arith.constant", attributes={"value": value})
        return frame.constants[key]

    def computed(self, number: ir.Value, plus: Index) -> ir.Value:
        """An index value that data decides: a signless integer, plus a loop's variable."""
        value = self._index("arith.index_cast", [number])
        return value if plus == ZERO else self._index("arith.addi", [value, self.number(plus)])

    def _index(
        self,
        name: str,
        operands: Sequence[ir.Value] = (),
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Value:
        return _create(
            name,
            results=[self.builder.index],
            operands=operands,
            attributes=attributes,
            loc=self.loc,
            ip=self.ip,
        ).result

    def generic_load(self, tensor: Tensor, indices: Sequence[ir.Value]) -> ir.Value:
        """A load from index values, of which any may be computed."""
        stored = tensor.element.stored
        value = _create(
            "memref.load",
            results=[stored],
            operands=[tensor.value, *indices],
            loc=self.loc,
            ip=self.ip,
        ).result
        return self._reinterpret(value, stored, tensor.element.type)

    def load(self, tensor: Tensor, indices: Sequence[Index]) -> ir.Value:
        if tensor.origin is not None:
            return self._load_origin(tensor.origin, indices)
        return self._load(tensor.value, tensor.element, *self.builder.access(indices))

    def _load_origin(self, origin: Origin, indices: Sequence[Index]) -> ir.Value:
        """A load past offloaded ops, with the conversions that these would have made."""
        if isinstance(origin.value, ir.Attribute):
            value = self.scalars(origin.element).constant(origin.value.value)
        else:
            at = tuple(_form(index) for index in indices)
            at = origin.indices(at, Space(self._extents))
            value = self._load(origin.value, origin.element, *self.builder.access_forms(at))
        element = origin.element
        for target in origin.conversions:
            value, element = convert(self.scalars(element), value, target), target
        return value

    def _load(
        self,
        memref: ir.Value,
        element: Element,
        attributes: dict[str, ir.Attribute],
        used: Sequence[int],
    ) -> ir.Value:
        operands = [memref, *(self._ivs[position] for position in used)]
        stored = element.stored
        value = _create(
            "affine.load",
            results=[stored],
            operands=operands,
            attributes=attributes,
            loc=self.loc,
            ip=self.ip,
        ).result
        return self._reinterpret(value, stored, element.type)

    def store(self, value: ir.Value, tensor: Tensor, indices: Sequence[Index]) -> None:
        attributes, used = self.builder.access(indices)
        value = self._reinterpret(value, tensor.element.type, tensor.element.stored)
        operands = [value, tensor.value, *(self._ivs[position] for position in used)]
        _create("affine.store", operands=operands, attributes=attributes, loc=self.loc, ip=self.ip)

    def _reinterpret(self, value: ir.Value, source: ir.Type, target: ir.Type) -> ir.Value:
        return value if source == target else reinterpreted(value, target, self.ip, self.loc)


def reinterpreted(
    value: ir.Value, target: ir.Type, ip: ir.InsertionPoint, loc: ir.Location
) -> ir.Value:
    """Signless to unsigned and back; arith takes signless integers only."""
    return _create(
        "builtin.unrealized_conversion_cast", results=[target], operands=[value], loc=loc, ip=ip
    ).result


def convert_before(
    op: ir.Operation,
    value: ir.Value,
    source: Element,
    target: Element,
    builder: Builder,
    loc: ir.Location,
) -> ir.Value:
    """An element of one tensor as one of a tensor of another dtype, computed in front of `op`."""
    ip = ir.InsertionPoint(op)
    if source.stored != source.type:
        value = reinterpreted(value, source.type, ip, loc)
    value = convert(Scalars(builder, source, ip, loc, {}), value, target)
    return value if target.stored == target.type else reinterpreted(value, target.stored, ip, loc)
