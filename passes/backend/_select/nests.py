"""The walk over one tiled nest: loops, loads, stores, scalars; reductions are in `reductions`."""

from collections import ChainMap, Counter
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import replace

from penguin import dtypes
from penguin.analysis.aliases import Aliases
from penguin.analysis.nest import GENERIC_LOAD, LOAD, STORE, Access, Leaf, Loop, Nest
from penguin.analysis.reduction import match_reduction
from penguin.dialects import bir
from penguin.dialects.bir import AluOp, Engine, Opcode
from penguin.dialects.penguin.attributes import AxisKind
from penguin.mlir import ir
from penguin.passes.backend._select import floats, integers
from penguin.passes.backend._select.folding import fold
from penguin.passes.backend._select.tiles import (
    Builder,
    Const,
    Index,
    Scope,
    Tile,
    Unselectable,
    Value,
    merge,
)

# Marks of loops that lie on the partitions.
_LANE_MARKS = (AxisKind.PARTITION, AxisKind.CONTRACT)


class Failed(Exception):
    """An op of the nest that no instruction sequence covers."""

    def __init__(self, op: ir.Operation, reason: str) -> None:
        super().__init__(reason)
        self.op = op


def memref_dtype(value: ir.Value) -> str:
    """The BIR dtype of a tensor's elements."""
    kind = value.type
    if not isinstance(kind, ir.MemRefType):
        kind = ir.MemRefType(kind)
    found = dtypes.of(kind.element_type)
    if found is None:
        raise Unselectable(f"no instruction handles elements of type {kind.element_type}")
    return found.bir


def scalar_kind(value: ir.Value) -> str:
    return str(value.type)


class NestSelector(Builder):
    """Emits the instructions of nests at the current insertion point."""

    def __init__(self, aliases: Aliases) -> None:
        super().__init__()
        self._aliases = aliases
        # Scalars; those outside loops are seen by every nest after them.
        self.values: MutableMapping[ir.Value, Value] = {}
        self.nest: Nest
        self._counters: dict[int, ir.Value] = {}
        self._counted: set[int] = set()
        # Tiles loaded in the current block, dropped when their buffer is stored to.
        self._loaded: dict[tuple, Tile] = {}

    def select(self, nest: Nest) -> None:
        """The whole nest; raises `Failed`."""
        self.nest = nest
        self.scope = Scope(nest.space.extents)
        self._loaded = {}
        self._counted = {
            key
            for leaf in nest.leaves()
            if leaf.index is not None
            for key in leaf.index.variables()
            if nest.loops[key].mark is None
        }
        outside = self.values
        if nest.loops:
            self.values = ChainMap({}, outside)
        self.body(nest.body)
        for node in nest.body:
            for carried in node.carried if isinstance(node, Loop) else ():
                outside[carried.result] = self.values[carried.result]
        self.values = outside

    def select_copy(self, nest: Nest, loops: Sequence[Loop], load: Leaf, store: Leaf) -> None:
        """A nest of one load and one store of it, as DMA from DRAM to DRAM."""
        self.nest = nest
        self.scope = Scope(nest.space.extents)
        self._counted = set()
        self.location = load.op.location
        marked = [lp for lp in loops if lp.mark is not None]

        def open_next(rest: Sequence[Loop]) -> None:
            if rest:
                self.sequential(rest[0], lambda: open_next(rest[1:]))
            else:
                self.guarded(load.op, self.dma, marked, load, store)

        if all(lp.extent for lp in loops):
            open_next([lp for lp in loops if lp.mark is None])

    # -- loops -------------------------------------------------------------------------------

    def body(self, nodes: "Sequence[Loop | Leaf]") -> None:
        leaves = [node for node in nodes if isinstance(node, Leaf)]
        sigmoids, covered = find_sigmoids(leaves)
        for node in nodes:
            self.location = node.op.location
            if isinstance(node, Loop):
                self.guarded(node.op, self.loop, node)
            elif node in sigmoids:
                self.guarded(node.op, self.sigmoid, node, sigmoids[node])
            elif node not in covered:
                self.guarded(node.op, self.leaf, node)

    def guarded(self, op: ir.Operation, function: Callable, *args: object) -> None:
        try:
            function(*args)
        except Unselectable as reason:
            raise Failed(op, str(reason)) from None

    def loop(self, loop: Loop) -> None:
        if loop.carried:
            from penguin.passes.backend._select import reductions

            reduction = match_reduction(loop)
            if reduction is not None and any(inner.mark for inner in reduction.loops):
                reductions.select(self, reduction)
            else:
                self.carried(loop)
        elif loop.mark is None:
            if loop.extent:
                self.sequential(loop, lambda: self.body(loop.body))
        else:
            self.open_axis(loop, lambda: self.body(loop.body))

    def sigmoid(self, leaf: Leaf, x: ir.Value) -> None:
        value = floats.sigmoid(self, self.operand_value(x), scalar_kind(leaf.result))
        self.values[leaf.result] = value

    def open_axis(self, loop: Loop, body: Callable[[], None]) -> None:
        """Runs `body` with a marked loop as a tile axis."""
        outer = self.scope
        self.scope = self.with_axis(outer, loop)
        body()
        self.scope = outer

    def with_axis(self, scope: Scope, loop: Loop) -> Scope:
        if loop.mark == AxisKind.PARTITION:
            if scope.partition is not None:
                raise Unselectable("two nested loops are marked as partitions")
            return replace(scope, partition=loop.key)
        if loop.mark == AxisKind.FREE:
            return replace(scope, frees=(*scope.frees, loop.key))
        raise Unselectable("a contract loop carries no accumulator")

    def sequential(self, loop: Loop, body: Callable[[], None]) -> None:
        """A `bir.loop`; if its variable is used as a number, a tile counts along."""
        counter = None
        if loop.key in self._counted:
            counter = self.counter_tile(loop)
        outer = self.scope
        op = bir.loop(0, loop.extent, 1, loc=loop.op.location)
        # The body runs again after it has stored to what was loaded before.
        self._loaded = {}
        with ir.InsertionPoint(op.block):
            self.scope = replace(outer, loops=outer.loops | {loop.key: op.axis})
            body()
            if counter is not None:
                self.scope = replace(outer, partition=None, frees=())
                self.scalar(AluOp.ADD, counter, 1, "int32", out=counter)
        self.scope = outer
        self._loaded = {}

    def counter_tile(self, loop: Loop) -> Tile:
        lanes = max(
            [lp.extent for lp in self.nest.loops.values() if lp.mark in _LANE_MARKS],
            default=1,
        )
        memref = self._alloc(lanes, 1, "int32", "sbuf", "counter")
        counter = Tile(memref, "int32", None, lanes, (), ())
        self._counters[loop.key] = memref
        return self.memset(0, counter)

    def counter(self, key: int, coefficient: int) -> Tile:
        tile = Tile(self._counters[key], "int32", self.scope.partition, self.scope.lanes, (), ())
        if coefficient == 1:
            return tile
        return self.scalar(AluOp.MULT, tile, coefficient, "int32")

    def carried(self, loop: Loop) -> None:
        """Any carried loop, one iteration after the other; accumulators are tiles."""
        accumulators = []
        for carried in loop.carried:
            start = self.operand_value(carried.init)
            kind = scalar_kind(carried.init)
            dtype = self.dtype_of(kind)
            tile = self.new(dtype, self.scope.frees, hint="acc")
            self.copy(start, dtype, tile)
            self.values[carried.argument] = tile
            accumulators.append(tile)

        def body() -> None:
            self.body(loop.body)
            results = [self.operand_value(carried.yielded) for carried in loop.carried]
            if len(results) > 1:
                # An accumulator may be another's next value.
                pairs = zip(results, accumulators, strict=True)
                results = [self.copy(value, tile.dtype) for value, tile in pairs]
            for value, tile in zip(results, accumulators, strict=True):
                if value is not tile:
                    self.copy(value, tile.dtype, tile)

        if loop.extent:
            self.sequential(loop, body)
        for carried, tile in zip(loop.carried, accumulators, strict=True):
            self.values[carried.result] = tile

    def dtype_of(self, kind: str) -> str:
        return floats.dtype_of(kind) if floats.is_float(kind) else integers.dtype_of(kind)

    # -- statements --------------------------------------------------------------------------

    def leaf(self, leaf: Leaf) -> None:
        if leaf.name == LOAD:
            assert leaf.access is not None and leaf.result is not None
            self.values[leaf.result] = self.load(leaf.access)
        elif leaf.name == STORE:
            assert leaf.access is not None
            self.store(leaf.operands[0], leaf.access)
        elif leaf.name == GENERIC_LOAD:
            from penguin.passes.backend._select import gathers

            self.values[leaf.result] = gathers.select(self, leaf.access)
        elif leaf.result is not None:
            self.values[leaf.result] = self.scalar_op(leaf)
        else:
            raise Unselectable(f"'{leaf.name}' has no instruction")

    def scalar_op(self, leaf: Leaf) -> Value:
        name, op = leaf.name, leaf.op
        if name == "arith.constant":
            return constant(op)
        result = scalar_kind(leaf.result)
        if leaf.index is not None:
            form = leaf.index
            value = Const(form.const) if form.is_constant else Index(form)
            width = integers.WIDTHS[result]
            if width == 32:
                return value
            return integers.narrow(self, integers.as_int32(self, value), width)
        args = [self.operand_value(v) for v in leaf.operands]
        folded = fold(op, args)
        if folded is not None:
            return folded
        kind = scalar_kind(leaf.operands[0])
        if name == "arith.select":
            return self.select_value(args, result)
        if name in ("arith.cmpf", "arith.cmpi"):
            predicate = ir.IntegerAttr(op.attributes["predicate"]).value
            compare = floats.compare if name == "arith.cmpf" else integers.compare
            return compare(self, args, kind, predicate)
        if name in ("arith.sitofp", "arith.uitofp"):
            fix = integers.unsigned if name == "arith.uitofp" or kind == "i1" else integers.signed
            return floats.convert(self, [fix(args[0], integers.WIDTHS[kind])], kind, result)
        if name == "arith.bitcast":
            return self.bitcast(args[0], kind, result)
        if name == "builtin.unrealized_conversion_cast":
            return integers.unrealized_cast(args, kind, result)
        table = floats.TABLE if name in floats.TABLE else integers.TABLE
        if name not in table:
            raise Unselectable(f"'{name}' has no instruction sequence")
        return table[name](self, args, kind, result)

    def operand_value(self, value: ir.Value) -> Value:
        found = self.values.get(value)
        if found is None:
            raise Unselectable("an operand is computed outside the nest")
        if isinstance(found, Tile) and found.partition != self.scope.partition:
            if found.partition is not None:
                raise Unselectable("an operand lies on other partitions than the result")
            return self.spread(found)
        return found

    def spread(self, tile: Tile) -> Tile:
        """A value of one partition, on all of the scope's: DMA can read a partition repeatedly."""
        inner = self.scope
        self.scope = replace(inner, partition=None)
        tile = self.sbuf(tile)
        self.scope = inner
        out = self.new(tile.dtype, tile.axes, hint="spread")
        memref, dtype, const, offsets, (_, *pairs) = self.operand(tile, tile.axes)
        bir.build(
            Opcode.DMA_COPY,
            ins=[(memref, dtype, const, offsets, [(0, self.scope.lanes), *pairs])],
            outs=[self.operand(out, out.axes)],
            engine=Engine.DMA,
            attributes={"mode": "Copy"},
            loc=self.location,
        )
        return out

    def select_value(self, args: Sequence[Value], result: str) -> Value:
        predicate, a, b = args
        dtype = self.dtype_of(result)
        if not floats.is_float(result):
            a, b = (integers.signed(v, integers.WIDTHS[result]) for v in (a, b))
            if result == "i1":
                a, b = (integers.unsigned(v, 8) for v in (a, b))
        return self.choose(predicate, a, b, dtype)

    def bitcast(self, value: Value, kind: str, result: str) -> Value:
        dtype = self.dtype_of(result)
        if isinstance(value, Tile):
            return self.sbuf(value).view(dtype)
        return self.tile(value, self.dtype_of(kind)).view(dtype)

    # -- memory ------------------------------------------------------------------------------

    def address(self, access: Access, walked: Sequence[int]) -> tuple:
        """The DRAM side of a DMA over the partition axis and the `walked` free axes."""
        scope, form = self.scope, access.flat
        const, offsets = scope.split(form)
        lane_step = 0 if scope.partition is None else form[scope.partition]
        pairs = [(lane_step, scope.lanes), *merge((form[a], scope.extents[a]) for a in walked)]
        if pairs[0][0] < 0:
            # Only the first pair's step must not be negative.
            pairs = [(0, 1), *pairs]
        return (access.memref, memref_dtype(access.memref), const, offsets, pairs)

    def load(self, access: Access) -> Tile:
        """A tile over the partitions and those free axes that the address depends on."""
        scope = self.scope
        walked = tuple(a for a in scope.frees if access.flat[a])
        key = (self._aliases.root(access.memref), access.flat, scope.partition, walked)
        if key in self._loaded:
            return self._loaded[key]
        dtype = memref_dtype(access.memref)
        tile = self.new(dtype, walked, hint="load")
        bir.build(
            Opcode.LOAD,
            ins=[self.address(access, walked)],
            outs=[self.operand(tile, walked)],
            engine=Engine.DMA,
            loc=self.location,
        )
        self._loaded[key] = tile
        return tile

    def store(self, stored: ir.Value, access: Access) -> None:
        scope, form = self.scope, access.flat
        open_axes = [*scope.frees, *([] if scope.partition is None else [scope.partition])]
        if any(not form[a] and scope.extents[a] > 1 for a in open_axes):
            raise Unselectable("a store does not depend on a tile axis")
        dtype = memref_dtype(access.memref)
        value = self.operand_value(stored)
        tile = self.sbuf(self.tile(value, dtype))
        bir.build(
            Opcode.SAVE,
            ins=[self.operand(tile.view(dtype), scope.frees)],
            outs=[self.address(access, scope.frees)],
            engine=Engine.DMA,
            loc=self.location,
        )
        written = self._aliases.root(access.memref)
        self._loaded = {k: t for k, t in self._loaded.items() if k[0] != written}

    def dma(self, loops: Sequence[Loop], load: Leaf, store: Leaf) -> None:
        """One descriptor that walks the marked loops on both sides."""
        sides = []
        for leaf in (load, store):
            assert leaf.access is not None
            form = leaf.access.flat
            const, offsets = self.scope.split(form)
            pairs = merge((form[lp.key], lp.extent) for lp in loops)
            if len(pairs) == 1 or pairs[0][0] < 0:
                # The first pair is the partition pair, whose step must not be negative.
                pairs = [(0, 1), *pairs]
            memref = leaf.access.memref
            sides.append((memref, memref_dtype(memref), const, offsets, pairs))
        bir.build(
            Opcode.DMA_COPY,
            ins=sides[:1],
            outs=sides[1:],
            engine=Engine.DMA,
            attributes={"mode": "Copy"},
            loc=self.location,
        )


def constant(op: ir.Operation) -> Const:
    """The number of an arith.constant; i1 is 0 or 1."""
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.FloatAttr | ir.BoolAttr):
        value = attribute.value
        return Const(int(value) if isinstance(value, bool) else value)
    value = ir.IntegerAttr(attribute).value
    return Const(value & 1 if str(attribute.type) == "i1" else value)


def find_sigmoids(leaves: Sequence[Leaf]) -> tuple[dict[Leaf, ir.Value], set[Leaf]]:
    """f32 divisions 1 / (1 + exp(-x)) with their x, and the leaves that only serve them."""
    made = {leaf.result: leaf for leaf in leaves if leaf.result is not None}
    uses = Counter(v for leaf in leaves for v in leaf.operands)

    def is_one(value: ir.Value) -> bool:
        owner = value.owner
        if not isinstance(owner, ir.Operation | ir.OpView) or owner.name != "arith.constant":
            return False
        return constant(owner.operation).value == 1

    found: dict[Leaf, ir.Value] = {}
    covered: set[Leaf] = set()
    for leaf in leaves:
        if leaf.name != "arith.divf" or scalar_kind(leaf.result) != "f32":
            continue
        if not is_one(leaf.operands[0]):
            continue
        chain = [made.get(leaf.operands[1])]
        if chain[0] is None or chain[0].name != "arith.addf":
            continue
        terms = [v for v in chain[0].operands if not is_one(v)]
        if len(terms) != 1:
            continue
        for name in ("math.exp", "arith.negf"):
            chain.append(made.get(terms[0]))
            if chain[-1] is None or chain[-1].name != name:
                break
            terms = [chain[-1].operands[0]]
        else:
            if all(uses[link.result] == 1 for link in chain):
                found[leaf] = terms[0]
                covered.update(chain)
    return found, covered
