"""Rebuilds a nest with the loops that `_tiling` decided on; computes the same values.

The new loops stand where the old ones did, in this order: sequential levels, the partition level,
free levels; reductions the same inside, each piece continuing the accumulator of the one before.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from penguin.analysis.affine_form import FloorDiv, Form, Space, to_expr
from penguin.analysis.nest import FOR, GENERIC_LOAD, LOAD, STORE, YIELD, Access, Leaf, Loop, Nest
from penguin.analysis.reduction import Reduction
from penguin.dialects.penguin import attributes as keys
from penguin.dialects.penguin.attributes import AxisKind
from penguin.mlir import ir
from penguin.passes.backend import _tiling
from penguin.passes.backend._tiling import Axis, Level, Piece, Pieces, Variant

# Reductions of a band by the key of their outermost loop.
InnerPlan = dict[int, tuple[Reduction, Pieces]]

_MARK_ORDER = (None, AxisKind.PARTITION, AxisKind.CONTRACT, AxisKind.FREE)


@dataclass(frozen=True, eq=False)
class Band:
    """Perfectly nested parallel loops and the statements of the innermost one."""

    keys: tuple[int, ...]
    body: list[Loop | Leaf]

    @property
    def is_simple(self) -> bool:
        """Only scalar code and reductions inside: what one tile can do."""
        return all(isinstance(node, Leaf) or node.carried for node in self.body)

    @property
    def is_copy(self) -> bool:
        if len(self.body) != 2:
            return False
        load, store = self.body
        return (
            isinstance(load, Leaf)
            and isinstance(store, Leaf)
            and (load.name, store.name) == (LOAD, STORE)
            and store.operands[0] == load.result
        )


def band_of(loop: Loop) -> Band:
    """The band that starts at a loop that carries nothing."""
    chain = [loop]
    while True:
        body = chain[-1].body
        if len(body) != 1 or isinstance(body[0], Leaf) or body[0].carried:
            return Band(tuple(loop.key for loop in chain), body)
        chain.append(body[0])


def leaves_of(body: Sequence[Loop | Leaf]) -> Iterator[Leaf]:
    for node in body:
        if isinstance(node, Leaf):
            yield node
        else:
            yield from leaves_of(node.body)


def forms_of(leaves: Sequence[Leaf]) -> list[Form]:
    """What the loops walk: flat addresses, and loop variables used as numbers."""
    found = [leaf.access.flat for leaf in leaves if leaf.access is not None]
    return found + [leaf.index for leaf in leaves if leaf.index is not None]


def loops_of(body: Sequence[Loop | Leaf]) -> Iterator[Loop]:
    for node in body:
        if isinstance(node, Loop):
            yield node
            yield from loops_of(node.body)


def _divisions_of(form: Form, key: int) -> Iterator[FloorDiv]:
    """The divisions whose numerator has the variable as a term of its own."""
    for atom in form.divisions:
        yield from _divisions_of(atom.numerator, key)
        if atom.numerator[key]:
            yield atom


def _levels_of(pieces: Pieces) -> Iterator[Level]:
    return (level for found in pieces.values() for piece in found for level in piece.levels)


class Retiler:
    """Emits new loops for `nest` at the insertion point of the caller; tiles have up to `lanes`."""

    def __init__(self, nest: Nest, lanes: int) -> None:
        self.nest = nest
        self.lanes = lanes
        self.values: dict[ir.Value, ir.Value] = {}
        self.extents: dict[int, int] = {}
        self.space = Space(self.extents)
        self.variables: dict[int, ir.Value] = {}
        # Each loop of the source, and of the variant in work, over the loops that are open now.
        self.current: dict[int, Form] = {}
        self.opened: dict[int, Form] = {}
        self.parts_made = 0

    # -- structure ---------------------------------------------------------------------------

    def sequential(self, node: Loop | Leaf, mark: AxisKind | None = None) -> None:
        """The node in its order, loops counting from zero; `mark` is for the outermost ones."""
        if isinstance(node, Leaf):
            self.leaf(node)
            return

        def body(arguments: Sequence[ir.Value]) -> Sequence[ir.Value]:
            for carried, argument in zip(node.carried, arguments, strict=True):
                self.values[carried.argument] = argument
            for child in node.body:
                self.sequential(child)
            return [self.value(c.yielded) for c in node.carried]

        inits = [self.value(c.init) for c in node.carried]
        results = self.ordered(node, mark, Form(), node.extent, inits, body)
        for carried, result in zip(node.carried, results, strict=True):
            self.values[carried.result] = result

    def nested(self, band: Band, visit: Callable[[Loop | Leaf], None]) -> None:
        """The band as sequential loops around whatever `visit` emits for each statement."""

        def open_next(depth: int) -> None:
            if depth == len(band.keys):
                for node in band.body:
                    visit(node)
                return

            def body(arguments: Sequence[ir.Value]) -> Sequence[ir.Value]:
                open_next(depth + 1)
                return arguments

            loop = self.nest.loops[band.keys[depth]]
            self.ordered(loop, None, Form(), loop.extent, [], body)

        open_next(0)

    def ordered(
        self,
        loop: Loop,
        mark: AxisKind | None,
        start: Form,
        extent: int,
        inits: Sequence[ir.Value],
        body: Callable[[Sequence[ir.Value]], Sequence[ir.Value]],
    ) -> Sequence[ir.Value]:
        """Iterations start .. start + extent - 1 one after the other; returns the carried values.

        Cut into consecutive parts wherever that removes a division from what the loop walks.
        """
        parts = self.parts(loop, start, extent)
        location = loop.op.location
        if parts is not None:
            for offset, trips, size in parts:
                if trips == 1:
                    inits = self.ordered(loop, mark, start + offset, size, inits, body)
                    continue
                op, block, key = self.loop(trips, mark, location, inits)
                inner = start + offset + Form.variable(key) * size
                with ir.InsertionPoint(block):
                    arguments = list(block.arguments)[1:]
                    yielded = self.ordered(loop, None, inner, size, arguments, body)
                    ir.Operation.create(YIELD, operands=list(yielded), loc=location)
                inits = list(op.results)
            return inits
        if extent == 1 and mark is None:
            self.current[loop.key] = self.opened[loop.key] = start
            return body(inits)
        op, block, key = self.loop(extent, mark, location, inits)
        variable = Form.variable(key) if extent > 1 else Form()
        self.current[loop.key] = self.opened[loop.key] = start + variable
        with ir.InsertionPoint(block):
            yielded = body(list(block.arguments)[1:])
            ir.Operation.create(YIELD, operands=list(yielded), loc=location)
        return list(op.results)

    def parts(self, loop: Loop, start: Form, extent: int) -> list[tuple[int, int, int]] | None:
        """(offset, trips, size) of the parts of a range; None if it may stay whole."""
        inside = list(leaves_of(loop.body))
        divided = [form for form in forms_of(inside) if form.divisions]
        if extent <= 1 or not divided:
            return None
        own = self.stand_in(extent)
        walk = start + Form.variable(own)
        below = {inner.key: self.stand_in(inner.extent) for inner in loops_of(loop.body)}

        def over_open_loops(key: int) -> Form:
            if key == loop.key:
                return walk
            return Form.variable(below[key]) if key in below else self.current[key]

        over = [self.space.substitute(form, over_open_loops) for form in divided]
        atoms = [atom for form in over for atom in _divisions_of(form, own)]
        if not atoms:
            return None
        found = _tiling.cut_range(atoms, own, extent)
        self.parts_made += len(found)
        return found if self.parts_made <= _tiling.MAX_PARTS else None

    def stand_in(self, extent: int) -> int:
        """A variable for a loop that is not open yet."""
        key = len(self.extents)
        self.extents[key] = extent
        return key

    def parallel(self, band: Band, variant: Variant, pieces: Pieces, inner: InnerPlan) -> None:
        """All combinations of the axes' pieces, each a nest of its own."""
        keys_or_body = [self.nest.loops[k].op for k in band.keys] or [n.op for n in band.body]
        location = keys_or_body[0].location

        def body(accumulators: Sequence[ir.Value]) -> Sequence[ir.Value]:
            self.bind(band.keys, variant)
            for node in band.body:
                if isinstance(node, Loop) and node.key in inner:
                    self.reduction(*inner[node.key], variant)
                else:
                    self.sequential(node)
            return accumulators

        plans = [pieces, *(plan for _, plan in inner.values())]
        across = any(
            level.mark is AxisKind.CONTRACT for plan in plans for level in _levels_of(plan)
        )
        for combination in itertools.product(*pieces.values()):
            if not across and not band.is_copy:
                combination = _tiling.with_lanes(combination, self.lanes)
            self.levels(list(zip(pieces, combination, strict=True)), variant, location, [], body)

    def reduction(self, reduction: Reduction, pieces: Pieces, variant: Variant) -> None:
        """The chain piece by piece, each continuing the accumulator of the one before."""
        location = reduction.loops[0].op.location
        accumulator = self.value(reduction.init)

        def body(accumulators: Sequence[ir.Value]) -> Sequence[ir.Value]:
            self.values[reduction.argument] = accumulators[0]
            self.bind([loop.key for loop in reduction.loops], variant)
            for leaf in reduction.leaves:
                self.leaf(leaf)
            return [self.value(reduction.loops[-1].carried[0].yielded)]

        for combination in itertools.product(*pieces.values()):
            chosen = list(zip(pieces, combination, strict=True))
            (accumulator,) = self.levels(chosen, variant, location, [accumulator], body)
        self.values[reduction.result] = accumulator

    def bind(self, loops: Sequence[int], variant: Variant) -> None:
        """Expresses loops of the source over the loops that are open now."""
        for key in loops:
            form = variant.substitution[key]
            self.current[key] = self.space.substitute(form, self.opened.__getitem__)

    def levels(
        self,
        chosen: Sequence[tuple[Axis, Piece]],
        variant: Variant,
        location: ir.Location,
        inits: Sequence[ir.Value],
        body: Callable[[Sequence[ir.Value]], Sequence[ir.Value]],
    ) -> Sequence[ir.Value]:
        """Opens the loops of the chosen pieces around `body`; returns the carried results."""
        walks = {axis: Form(piece.offset) for axis, piece in chosen}
        todo = []
        for axis, piece in chosen:
            stride = 1
            for level in reversed(piece.levels):
                todo.append((_MARK_ORDER.index(level.mark), axis, level, stride))
                stride *= level.extent
        # Stable: axes of one mark keep their order; levels of one axis differ in mark.
        todo.sort(key=lambda item: item[0])

        def open_next(depth: int, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            if depth == len(todo):
                self.bind_members(walks, variant)
                return body(carried)
            _, axis, level, stride = todo[depth]
            op, block, key = self.loop(level.extent, level.mark, location, carried)
            walks[axis] = walks[axis] + Form.variable(key) * stride
            with ir.InsertionPoint(block):
                yielded = open_next(depth + 1, list(block.arguments)[1:])
                ir.Operation.create(YIELD, operands=list(yielded), loc=location)
            return list(op.results)

        return open_next(0, inits)

    def bind_members(self, walks: dict[Axis, Form], variant: Variant) -> None:
        """The variant's loops from the axes that walk several of them at once."""
        for axis, walk in walks.items():
            inner = axis.extent
            for key in axis.members:
                extent = variant.extents[key]
                inner //= extent
                self.opened[key] = self.space.mod(self.space.floordiv(walk, inner), extent)

    # -- ops ---------------------------------------------------------------------------------

    def loop(
        self, extent: int, mark: AxisKind | None, location: ir.Location, inits: Sequence[ir.Value]
    ) -> tuple[ir.Operation, ir.Block, int]:
        attributes = {
            "lowerBoundMap": ir.AffineMapAttr.get(ir.AffineMap.get_constant(0)),
            "upperBoundMap": ir.AffineMapAttr.get(ir.AffineMap.get_constant(extent)),
            "step": ir.IntegerAttr.get(ir.IndexType.get(), 1),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0, len(inits)]),
        }
        if mark is not None:
            attributes[keys.AXIS] = ir.StringAttr.get(mark)
        types = [v.type for v in inits]
        op = ir.Operation.create(
            FOR,
            results=types,
            operands=list(inits),
            attributes=attributes,
            regions=1,
            loc=location,
        )
        block = op.regions[0].blocks.append(ir.IndexType.get(), *types)
        key = len(self.extents)
        self.extents[key] = extent
        self.variables[key] = block.arguments[0]
        return op, block, key

    def value(self, value: ir.Value) -> ir.Value:
        return self.values.get(value, value)

    def leaf(self, leaf: Leaf) -> None:
        """A copy of the op over the new loops."""
        op = leaf.op
        if leaf.access is not None and leaf.access.computed:
            new = self.generic_load(op, leaf.access)
        elif leaf.access is not None:
            access = leaf.access
            forms = [self.space.substitute(f, self.current.__getitem__) for f in access.indices]
            operands, attribute = self.affine(forms)
            stored = [self.value(leaf.operands[0])] if leaf.name == STORE else []
            new = ir.Operation.create(
                leaf.name,
                results=[r.type for r in op.results],
                operands=[*stored, self.value(access.memref), *operands],
                attributes={"map": attribute},
                loc=op.location,
            )
        elif leaf.index is not None:
            form = self.space.substitute(leaf.index, self.current.__getitem__)
            index = self.applied(form, op)
            new = op.clone()
            new.operands[0] = index
        else:
            new = op.clone()
            for i, operand in enumerate(leaf.operands):
                if operand in self.values:
                    new.operands[i] = self.values[operand]
        if leaf.result is not None:
            self.values[leaf.result] = new.results[0]

    def generic_load(self, op: ir.Operation, access: Access) -> ir.Operation:
        """A load at the sums of affine indices and computed ones."""
        made: list[ir.Value] = []
        for dim, index in enumerate(access.indices):
            form = self.space.substitute(index, self.current.__getitem__)
            values = [self.value(v) for d, v in access.computed if d == dim]
            terms = [self.index("arith.index_cast", op, [v]) for v in values]
            if form.terms or form.const or not terms:
                terms.append(self.applied(form, op))
            total, *rest = terms
            for term in rest:
                total = self.index("arith.addi", op, [total, term])
            made.append(total)
        return ir.Operation.create(
            GENERIC_LOAD,
            results=[r.type for r in op.results],
            operands=[self.value(access.memref), *made],
            loc=op.location,
        )

    def index(
        self, name: str, op: ir.Operation, operands: list[ir.Value], **attributes
    ) -> ir.Value:
        return ir.Operation.create(
            name,
            results=[ir.IndexType.get()],
            operands=operands,
            attributes=attributes,
            loc=op.location,
        ).results[0]

    def applied(self, form: Form, op: ir.Operation) -> ir.Value:
        """The value of a form over the loops that are open."""
        if form.is_constant:
            number = ir.IntegerAttr.get(ir.IndexType.get(), form.const)
            return self.index("arith.constant", op, [], value=number)
        operands, attribute = self.affine([form])
        return self.index("affine.apply", op, operands, map=attribute)

    def affine(self, forms: Sequence[Form]) -> tuple[list[ir.Value], ir.Attribute]:
        """The map of the forms and its operands, loops in order of opening."""
        used = sorted({v for form in forms for v in form.variables()})
        position = {v: i for i, v in enumerate(used)}
        results = [to_expr(form, position.__getitem__) for form in forms]
        attribute = ir.AffineMapAttr.get(ir.AffineMap.get(len(used), 0, results))
        return [self.variables[v] for v in used], attribute
