"""A loop nest as plain Python: read once from the IR, reasoned about, never kept across a rewrite.

`read_nest` turns an `affine.for` (or a run of scalar ops outside loops) into a tree of `Loop` and
`Leaf`. Induction variables are normalised: loop `k` counts 0 .. extent-1 and its variable in every
`Form` is `k`, whatever the bounds and the step in the IR. Each memory access carries one form per
dimension and `flat`, the form of its row-major element number. An index of a generic access
(`memref.load`) may be the sum of such a form and numbers that the nest computes: `computed`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from penguin.analysis.affine_form import Form, Space
from penguin.dialects.penguin import attributes as keys
from penguin.mlir import ir

YIELD = "affine.yield"
LOAD = "affine.load"
STORE = "affine.store"
GENERIC_LOAD = "memref.load"
GENERIC_STORE = "memref.store"
FOR = "affine.for"
# What makes indices beside `affine.apply` and constants.
_INDEX_OPS = frozenset({"arith.index_cast", "arith.addi"})


class NotANest(Exception):
    """The op is outside what a nest can hold; `op` is the culprit and the text says why."""

    def __init__(self, op: ir.Operation, reason: str) -> None:
        super().__init__(reason)
        self.op = op


@dataclass(frozen=True)
class Access:
    """`memref[indices]`; `flat` counts elements in row-major order.

    `computed` holds (dimension, signed integer value) pairs, whose values are added to the indices;
    `indices` and `flat` are what is left without them.
    """

    memref: ir.Value
    shape: tuple[int, ...]
    indices: tuple[Form, ...]
    flat: Form
    computed: tuple[tuple[int, ir.Value], ...] = ()


@dataclass(eq=False)
class Leaf:
    """One op without regions. `access` for loads and stores, `index` for casts of index values.

    The operands of a generic load are its memref and the computed values.
    """

    op: ir.Operation
    name: str
    operands: tuple[ir.Value, ...]
    result: ir.Value | None
    access: Access | None = None
    index: Form | None = None


@dataclass(frozen=True)
class Carried:
    """One `iter_args` entry: `argument` starts as `init` and becomes `yielded` after each trip."""

    init: ir.Value
    argument: ir.Value
    yielded: ir.Value
    result: ir.Value


@dataclass(eq=False)
class Loop:
    """`for key in range(extent)`; `mark` is the tile axis that the loop is marked as, if any."""

    op: ir.Operation
    key: int
    extent: int
    mark: str | None
    carried: tuple[Carried, ...] = ()
    body: "list[Loop | Leaf]" = field(default_factory=list)

    @property
    def loops(self) -> "list[Loop]":
        return [node for node in self.body if isinstance(node, Loop)]

    @property
    def leaves(self) -> list[Leaf]:
        return [node for node in self.body if isinstance(node, Leaf)]


@dataclass(eq=False)
class Nest:
    """A tree of loops; `space` knows the extent of every loop key."""

    body: list[Loop | Leaf]
    space: Space
    loops: dict[int, Loop]

    def leaves(self) -> Iterator[Leaf]:
        yield from _leaves(self.body)

    def accesses(self) -> Iterator[tuple[Leaf, Access]]:
        for leaf in self.leaves():
            if leaf.access is not None:
                yield leaf, leaf.access


def _leaves(body: Sequence[Loop | Leaf]) -> Iterator[Leaf]:
    for node in body:
        if isinstance(node, Leaf):
            yield node
        else:
            yield from _leaves(node.body)


def strides_of(shape: Sequence[int]) -> list[int]:
    """Row-major strides in elements."""
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def flatten(shape: Sequence[int], indices: Sequence[Form]) -> Form:
    """The row-major element number of an index tuple."""
    flat = Form()
    for index, stride in zip(indices, strides_of(shape), strict=True):
        flat = flat + index * stride
    return flat


def _shape(memref: ir.Value) -> tuple[int, ...]:
    kind = memref.type
    return tuple((kind if isinstance(kind, ir.MemRefType) else ir.MemRefType(kind)).shape)


def delinearize(flat: Form, shape: Sequence[int], space: Space) -> tuple[Form, ...]:
    """The indices into a row-major `shape` of element number `flat`, which is inside of it."""
    forms = []
    rest = flat
    for extent, stride in zip(shape, strides_of(shape), strict=True):
        if extent == 1:
            forms.append(Form())
            continue
        quotient = space.floordiv(rest, stride)
        forms.append(quotient)
        rest = rest - quotient * stride
    return tuple(forms)


def _mark(op: ir.Operation) -> str | None:
    attribute = op.attributes.get(keys.AXIS)
    mark = None if attribute is None else ir.StringAttr(attribute).value
    return None if mark == keys.AxisKind.SEQUENTIAL else mark


def read_nest(ops: Sequence[ir.Operation]) -> Nest:
    """Reads an `affine.for`, or loose scalar ops, that run one after another.

    Raises `NotANest` for bounds that are not constant and for ops with regions other than loops.
    """
    reader = _Reader()
    body = [node for op in ops if (node := reader.read(op)) is not None]
    return Nest(body, reader.space, reader.loops)


class _Reader:
    def __init__(self) -> None:
        self.extents: dict[int, int] = {}
        self.space = Space(self.extents)
        self.loops: dict[int, Loop] = {}
        self.forms: dict[ir.Value, Form] = {}
        # Index values that are not affine: a form, and integers that are added to it.
        self.computed: dict[ir.Value, tuple[Form, tuple[ir.Value, ...]]] = {}

    def read(self, op: ir.Operation) -> Loop | Leaf | None:
        name = op.name
        if name == FOR:
            return self.loop(op)
        if name == YIELD:
            return None
        if len(op.regions):
            raise NotANest(op, f"'{name}' is neither an affine.for nor a scalar op")
        operands = tuple(op.operands)
        results = op.results
        leaf = Leaf(op, name, operands, results[0] if len(results) else None)
        if name == LOAD:
            leaf.access = self.access(op, operands[0], operands[1:])
        elif name == STORE:
            leaf.access = self.access(op, operands[1], operands[2:])
        elif name == "affine.apply":
            assert leaf.result is not None
            (self.forms[leaf.result],) = self.map_forms(op, operands)
            return None
        elif name in (GENERIC_LOAD, GENERIC_STORE):
            self.generic(leaf)
        elif name in _INDEX_OPS and isinstance(results[0].type, ir.IndexType):
            self.index(op, results[0], operands)
            return None
        elif name in ("arith.index_cast", "arith.index_castui"):
            leaf.index = self.value(op, operands[0])
        elif name == "arith.constant" and isinstance(leaf.result.type, ir.IndexType):
            return None
        return leaf

    def loop(self, op: ir.Operation) -> Loop:
        lower = self.bound(op, "lowerBoundMap")
        upper = self.bound(op, "upperBoundMap")
        step = ir.IntegerAttr(op.attributes["step"]).value
        extent = max(0, -(-(upper - lower) // step))
        key = len(self.loops)
        loop = Loop(op, key, extent, _mark(op))
        self.loops[key] = loop
        self.extents[key] = extent
        block = op.regions[0].blocks[0]
        arguments = list(block.arguments)
        # A variable that takes one value only is a constant.
        variable = Form.variable(key) * step if extent > 1 else Form()
        self.forms[arguments[0]] = variable + lower
        children = list(block.operations)
        loop.body = [n for child in children if (n := self.read(child.operation)) is not None]
        if len(arguments) > 1:
            inits = list(op.operands)[-(len(arguments) - 1) :]
            yields = list(children[-1].operands)
            loop.carried = tuple(
                Carried(*values)
                for values in zip(inits, arguments[1:], yields, op.results, strict=True)
            )
        return loop

    def bound(self, op: ir.Operation, name: str) -> int:
        results = ir.AffineMapAttr(op.attributes[name]).value.results
        if len(results) != 1 or not isinstance(results[0], ir.AffineConstantExpr):
            raise NotANest(op, "the loop's bounds are not constant")
        return results[0].value

    def value(self, op: ir.Operation, value: ir.Value) -> Form:
        form = self.forms.get(value)
        if form is not None:
            return form
        owner = value.owner
        if isinstance(owner, ir.Block) or owner.name != "arith.constant":
            raise NotANest(op, "an index does not come from a loop variable")
        return Form(ir.IntegerAttr(owner.attributes["value"]).value)

    def index(self, op: ir.Operation, result: ir.Value, operands: Sequence[ir.Value]) -> None:
        """An index that is a computed integer, or a sum."""
        if op.name == "arith.index_cast":
            self.computed[result] = (Form(), tuple(operands))
            return
        terms = [self.split(op, value) for value in operands]
        form = terms[0][0] + terms[1][0]
        values = terms[0][1] + terms[1][1]
        if values:
            self.computed[result] = (form, values)
        else:
            self.forms[result] = form

    def split(self, op: ir.Operation, value: ir.Value) -> tuple[Form, tuple[ir.Value, ...]]:
        """The affine and the computed part of an index."""
        if value not in self.computed and value not in self.forms:
            owner = value.owner
            if not isinstance(owner, ir.Block) and owner.name in _INDEX_OPS:
                # Made outside of the nest, by code without loops.
                self.index(owner, value, tuple(owner.operands))
        found = self.computed.get(value)
        return (self.value(op, value), ()) if found is None else found

    def generic(self, leaf: Leaf) -> None:
        """A `memref.load` or `memref.store`; one with affine indices becomes what affine has."""
        stores = leaf.name == GENERIC_STORE
        memref, *indices = leaf.operands[stores:]
        parts = [self.split(leaf.op, value) for value in indices]
        forms = tuple(form for form, _ in parts)
        computed = tuple((dim, v) for dim, (_, values) in enumerate(parts) for v in values)
        if stores and computed:
            raise NotANest(leaf.op, "a store has an index that the nest computes")
        shape = _shape(memref)
        leaf.access = Access(memref, shape, forms, flatten(shape, forms), computed)
        if computed:
            leaf.operands = (memref, *(v for _, v in computed))
        else:
            leaf.name = STORE if stores else LOAD

    def map_forms(self, op: ir.Operation, operands: Sequence[ir.Value]) -> tuple[Form, ...]:
        """One form per result of the op's map; dimensions come first among its operands."""
        found = ir.AffineMapAttr(op.attributes["map"]).value
        values = [self.value(op, v) for v in operands]
        dims, symbols = values[: found.n_dims], values[found.n_dims :]
        try:
            return tuple(self.space.from_expr(e, dims, symbols) for e in found.results)
        except ValueError as error:
            raise NotANest(op, str(error)) from None

    def access(self, op: ir.Operation, memref: ir.Value, indices: Sequence[ir.Value]) -> Access:
        forms = self.map_forms(op, indices)
        shape = _shape(memref)
        return Access(memref, shape, forms, flatten(shape, forms))
