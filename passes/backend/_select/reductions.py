"""Recognised reductions: folds along free axes, folds across partitions, contractions.

A chain's sequential loops keep an accumulator tile; its marked loops become one fold per tile:

* free axes: a `TensorReduce` over the innermost pairs;
* a contract axis under a sum of products: a `Matmult` that accumulates in PSUM over the sequential
  loops, K on the partitions;
* a contract axis otherwise: the value is computed with that axis on the partitions, folded along
  its free axes, then across lanes: a sum by a `Matmult` with a column of ones, a maximum by Pool
  (PASSES.md 11, LegalizePartitionReduce), a minimum as the negated maximum of the negated.

Integer sums must wrap around: 32-bit ones are folded in 16-bit halves, which cannot saturate for
tiles of up to 2^15 elements per lane.
"""

from collections import ChainMap
from collections.abc import Callable, Sequence
from dataclasses import replace

from penguin.analysis.nest import Loop
from penguin.analysis.reduction import Reduction, slice_of
from penguin.dialects import bir
from penguin.dialects.bir import AluOp, Engine, Opcode
from penguin.dialects.penguin.attributes import AxisKind
from penguin.mlir import ir
from penguin.passes.backend._select import floats, integers
from penguin.passes.backend._select.nests import NestSelector, scalar_kind
from penguin.passes.backend._select.tiles import (
    Const,
    Index,
    Scope,
    Tile,
    Unselectable,
    Value,
    merge,
)

_FOLDS = {
    "arith.addf": AluOp.ADD,
    "arith.addi": AluOp.ADD,
    "arith.mulf": AluOp.MULT,
    "arith.maximumf": AluOp.MAX,
    "arith.minimumf": AluOp.MIN,
    "arith.maxsi": AluOp.MAX,
    "arith.maxui": AluOp.MAX,
    "arith.minsi": AluOp.MIN,
    "arith.minui": AluOp.MIN,
    "arith.andi": AluOp.BITWISE_AND,
    "arith.ori": AluOp.BITWISE_OR,
    "arith.xori": AluOp.BITWISE_XOR,
}
_AXIS_NAMES = ("X", "XY", "XYZ")
_IDENTITIES = {
    "arith.addf": 0.0,
    "arith.addi": 0,
    "arith.mulf": 1.0,
    "arith.maximumf": float("-inf"),
    "arith.minimumf": float("inf"),
}


def select(s: NestSelector, reduction: Reduction) -> None:
    """Emits the chain and binds its result."""
    chain = _Chain(s, reduction)
    s.values[reduction.result] = chain.emit()


class _Chain:
    def __init__(self, s: NestSelector, reduction: Reduction) -> None:
        if reduction.combine is None:
            raise Unselectable("a marked loop carries an accumulator in an unknown way")
        self.s = s
        self.reduction = reduction
        self.combine = reduction.combine
        self.kind = scalar_kind(reduction.result)
        self.sequential = [lp for lp in reduction.loops if lp.mark is None]
        self.free = [lp for lp in reduction.loops if lp.mark == AxisKind.FREE]
        contract = [lp for lp in reduction.loops if lp.mark == AxisKind.CONTRACT]
        if len(contract) > 1:
            raise Unselectable("two loops of one reduction are marked as contract")
        self.contract = contract[0] if contract else None

    def emit(self) -> Value:
        roles = self.roles()
        if roles is not None and self.contract is not None:
            return self.contraction(self.contract, *roles)
        init = self.s.operand_value(self.reduction.init)
        if not self.sequential:
            partial = self.partial()
            if self.is_identity(init):
                return partial
            return self.combined(init, partial)
        s = self.s
        dtype = s.dtype_of(self.kind)
        accumulator = s.copy(init, dtype, s.new(dtype, s.scope.frees, hint="acc"))

        def innermost() -> None:
            value = self.combined(accumulator, self.partial(), accumulator)
            if value is not accumulator:
                s.copy(value, dtype, accumulator)

        self.nest(self.sequential, innermost)
        return accumulator

    def nest(self, loops: Sequence[Loop], innermost: Callable[[], None]) -> None:
        if loops:
            self.s.sequential(loops[0], lambda: self.nest(loops[1:], innermost))
        else:
            innermost()

    def is_identity(self, init: Value) -> bool:
        return isinstance(init, Const) and init.value == _IDENTITIES.get(self.combine)

    def combined(self, a: Value, b: Value, out: Tile | None = None) -> Value:
        """a combine b; floats write to `out` directly."""
        if floats.is_float(self.kind):
            fold = _FOLDS[self.combine]
            return self.s.binary(fold, a, b, floats.dtype_of(self.kind), out)
        return integers.TABLE[self.combine](self.s, [a, b], self.kind, self.kind)

    # -- folds -------------------------------------------------------------------------------

    def partial(self) -> Tile:
        """One tile's fold, over the axes that are open outside the chain."""
        s = self.s
        outer = s.scope
        reduced = tuple(lp.key for lp in self.free)
        inner = replace(outer, frees=(*outer.frees, *reduced))
        if self.contract is not None:
            if outer.partition is not None:
                raise Unselectable("a contract loop inside a partition loop")
            inner = replace(inner, partition=self.contract.key)
        value = self.evaluate(self.reduction.value, inner)
        s.scope = replace(inner, frees=outer.frees)
        if isinstance(value, Const):
            value = s.tile(value, s.dtype_of(self.kind))
        assert isinstance(value, Tile)
        result = self.fold_free(value, reduced) if reduced else value
        s.scope = outer
        if self.contract is not None:
            result = self.fold_lanes(result, inner)
        return result

    def evaluate(self, value: ir.Value | None, scope: Scope) -> Value:
        """The value's computation in `scope`; tiles of another partition axis are not reused."""
        s = self.s
        assert value is not None
        outer, known, loaded = s.scope, s.values, s._loaded
        s.scope, s.values, s._loaded = scope, ChainMap({}, known), {}
        s.body(slice_of(value, self.reduction.leaves))
        result = s.operand_value(value)
        s.scope, s.values, s._loaded = outer, known, loaded
        if not isinstance(result, Const | Tile):
            s.scope = scope
            result = s.tile(result, "int32")
            s.scope = outer
        return result

    def fold_free(self, value: Tile, reduced: Sequence[int]) -> Tile:
        fold = _FOLDS[self.combine]
        if floats.is_float(self.kind):
            return self.tensor_reduce(fold, value, reduced, floats.dtype_of(self.kind))
        width = integers.WIDTHS[self.kind]
        if fold is not AluOp.ADD or self.kind == "i1":
            if self.kind == "i1" and fold is AluOp.ADD:
                fold = AluOp.BITWISE_XOR
            is_unsigned = self.combine.endswith("ui") or self.kind == "i1"
            fix = integers.unsigned if is_unsigned else integers.signed
            view = fix(value, width)
            assert isinstance(view, Tile)
            result = self.tensor_reduce(fold, view, reduced, view.dtype)
            return result if self.kind == "i1" else result.view(f"int{width}")
        s = self.s
        # Elements are made int32 first: the fold is then exact.
        wide_scope = s.scope
        s.scope = replace(wide_scope, frees=(*wide_scope.frees, *reduced))
        wide = integers.as_int32(s, integers.signed(value, width))
        assert isinstance(wide, Tile)
        if width < 32:
            s.scope = wide_scope
            total = self.tensor_reduce(fold, wide, reduced, "int32")
            narrow = integers.narrow(s, total, width)
            assert isinstance(narrow, Tile)
            return narrow
        halves = integers._halves(s, wide)
        s.scope = wide_scope
        low, high = (self.tensor_reduce(fold, half, reduced, "int32") for half in halves)
        return integers.join_halves(s, low, high)

    def tensor_reduce(self, fold: AluOp, value: Value, reduced: Sequence[int], dtype: str) -> Tile:
        """Folds the reduced axes, innermost in the walk; axes without dependence repeat."""
        s = self.s
        assert isinstance(value, Tile)
        out = s.new(dtype, [a for a in value.axes if a not in reduced], hint="reduce")
        kept = merge((value.stride(a), s.scope.extents[a]) for a in out.axes)
        folded = merge((value.stride(a), s.scope.extents[a]) for a in reduced)
        lanes = (value.free, value.partitions)
        pairs = [lanes, *kept, *folded] if out.axes else [lanes, *folded]
        bir.build(
            Opcode.TENSOR_REDUCE,
            ins=[(value.memref, value.dtype, 0, {}, pairs)],
            outs=[s.operand(out, out.axes)],
            engine=Engine.DVE,
            attributes={"op": fold, "axis": _AXIS_NAMES[len(folded) - 1]},
            loc=s.location,
        )
        return out

    def fold_lanes(self, value: Tile, inner: Scope) -> Tile:
        """Folds the partitions of a column block [lanes, N] to one partition."""
        s = self.s
        if self.combine == "arith.addf":
            s.scope = replace(inner, frees=s.scope.frees)
            outer = replace(s.scope, partition=None)
            ones = s.memset(1.0, s.new("float32", hint="ones"))
            moving = s.sbuf(value)
            s.scope = outer
            out = s.new("float32", value.axes, space="psum", hint="psum")
            self.matmult(moving, ones, out, value.axes, ())
            return out
        negate = self.combine == "arith.minimumf"
        dtype = value.dtype
        outer = s.scope
        if negate:
            s.scope = replace(inner, frees=outer.frees)
            value = s.scalar(AluOp.MULT, value, -1.0, dtype)
            s.scope = outer
        out = s.new(dtype, value.axes, hint="lanes")
        bir.build(
            Opcode.TENSOR_REDUCE,
            ins=[s.operand(value, value.axes)],
            outs=[s.operand(out, out.axes)],
            engine=Engine.POOL,
            attributes={"op": AluOp.MAX, "axis": "C"},
            loc=s.location,
        )
        return s.scalar(AluOp.MULT, out, -1.0, dtype) if negate else out

    # -- contractions ------------------------------------------------------------------------

    def contraction(self, contract: Loop, stationary: ir.Value, moving: ir.Value) -> Value:
        """[M, N] in PSUM, accumulated over the sequential loops."""
        s = self.s
        outer = s.scope
        result = s.new("float32", outer.frees, space="psum", hint="psum")
        flag: list[ir.Value] = []

        def innermost() -> None:
            loops = s.scope.loops
            flag.extend(loops[lp.key] for lp in self.sequential)
            rows = () if outer.partition is None else (outer.partition,)
            base = replace(s.scope, partition=contract.key)
            operands = []
            for value, frees in ((moving, outer.frees), (stationary, rows)):
                scope = replace(base, frees=frees)
                tile = self.evaluate(value, scope)
                s.scope = scope
                operands.append(s.sbuf(s.tile(tile, "float32")))
                s.scope = replace(outer, loops=loops)
            same = {t.dtype for t in operands}
            if len(same) > 1 and "float32" in same:
                for i, frees in enumerate((outer.frees, rows)):
                    s.scope = replace(base, frees=frees)
                    if operands[i].dtype != "float32":
                        operands[i] = s.copy(operands[i], "float32")
                s.scope = replace(outer, loops=loops)
            self.matmult(operands[0], operands[1], result, outer.frees, flag, rows)

        self.nest(self.sequential, innermost)
        init = s.operand_value(self.reduction.init)
        if self.is_identity(init):
            return result
        return s.binary(AluOp.ADD, init, result, "float32")

    def roles(self) -> tuple[ir.Value, ir.Value] | None:
        """(stationary, moving), without float extensions: the array widens by itself.

        None if the chain is no contraction: a factor may follow the partitions of the output or
        its free axes, not both.
        """
        factors = self.reduction.factors
        if factors is None or self.contract is None or self.free:
            return None
        scope = self.s.scope
        walks = [self.walked(factor) for factor in factors]
        lanes, frees = {scope.partition} - {None}, set(scope.frees)
        swap = bool(walks[1] & lanes) or (not lanes and bool(walks[0] & frees))
        if swap:
            factors, walks = factors[::-1], walks[::-1]
        if walks[0] & frees or walks[1] & lanes:
            return None
        return self.narrowest(factors[0]), self.narrowest(factors[1])

    def walked(self, value: ir.Value) -> set[int]:
        """The axes that a factor follows, also through what was computed outside the chain."""
        leaves = slice_of(value, self.reduction.leaves)
        made = {leaf.result for leaf in leaves}
        found: set[int] = set()
        for read in {value, *(v for leaf in leaves for v in leaf.operands)} - made:
            known = self.s.values.get(read)
            if isinstance(known, Tile):
                found.update(known.axes)
            elif isinstance(known, Index):
                found.update(known.form.variables())
        for leaf in leaves:
            forms = [leaf.access.flat] if leaf.access is not None else []
            forms += [leaf.index] if leaf.index is not None else []
            found.update(k for form in forms for k in form.variables())
        return found

    def narrowest(self, value: ir.Value) -> ir.Value:
        producer = next((lf for lf in self.reduction.leaves if lf.result == value), None)
        if producer is not None and producer.name == "arith.extf":
            return producer.operands[0]
        return value

    def matmult(
        self,
        moving: Tile,
        stationary: Tile,
        out: Tile,
        frees: Sequence[int],
        flag: Sequence[ir.Value],
        rows: Sequence[int] = (),
    ) -> None:
        s = self.s
        bir.build(
            Opcode.MATMULT,
            ins=[s.operand(moving, frees), s.operand(stationary, rows)],
            outs=[s.operand(out, frees)],
            engine=Engine.PE,
            attributes={"accumulation_flag": list(flag)},
            loc=s.location,
        )
