"""Values of a tile program, and the instructions that make them.

Each scalar of a nest becomes a value over the *tile axes* that are open where it is computed: one
partition axis and some free axes, all loops that `layout-tiling` marked. A `Tile` spans the
partition axis and those free axes that it depends on; an instruction reads it over more axes with
step 0. So per-row scalars cost one column, and work that does not depend on an axis is not
repeated along it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from penguin import dtypes
from penguin.analysis.affine_form import Form
from penguin.dialects import bir
from penguin.dialects.bir import AluOp, Engine, Opcode
from penguin.dialects.bir.enums import BITVEC_OPS
from penguin.dialects.penguin import attributes as keys
from penguin.mlir import ir

Pairs = list[tuple[int, int]]

# Most trips of one pair, on every target (NEURON.md section 3: 16 bits).
_MAX_NUM = 65535
INT32 = frozenset({"int32", "uint32"})
COMMUTATIVE = frozenset(
    {
        AluOp.ADD,
        AluOp.MULT,
        AluOp.MAX,
        AluOp.MIN,
        AluOp.BITWISE_AND,
        AluOp.BITWISE_OR,
        AluOp.BITWISE_XOR,
        AluOp.IS_EQUAL,
        AluOp.NOT_EQUAL,
    }
)


class Unselectable(Exception):
    """No instruction does this; the message says what and the pass knows where."""


@dataclass(frozen=True)
class Const:
    """A number that all iterations share; integers are in the range of their (signed) type."""

    value: int | float


@dataclass(frozen=True)
class Index:
    """A number that is affine in the loops; its int32 value does not overflow."""

    form: Form


@dataclass(frozen=True, eq=False)
class Tile:
    """`memref` holds [partitions, extents of `axes`...] of `dtype`, the free axes row-major.

    `dtype` may name another type of equal width than the memref's: a view of the same bytes.
    """

    memref: ir.Value
    dtype: str
    partition: int | None
    partitions: int
    axes: tuple[int, ...]
    extents: tuple[int, ...]
    space: str = "sbuf"

    @property
    def free(self) -> int:
        return prod(self.extents)

    def stride(self, axis: int) -> int:
        """Elements between neighbours along a free axis, 0 if the tile does not depend on it."""
        if axis not in self.axes:
            return 0
        return prod(self.extents[self.axes.index(axis) + 1 :])

    def view(self, dtype: str) -> "Tile":
        """The same bytes read as another dtype of equal width."""
        return self if dtype == self.dtype else replace(self, dtype=dtype)


Value = Tile | Const | Index


def merge(pairs: Iterable[tuple[int, int]]) -> Pairs:
    """The same walk in fewer pairs: drops single trips, joins pairs of one stride."""
    merged: Pairs = []
    for step, num in pairs:
        if num == 1:
            continue
        if merged and merged[-1][0] == step * num and merged[-1][1] * num <= _MAX_NUM:
            merged[-1] = (step, merged[-1][1] * num)
        else:
            merged.append((step, num))
    return merged or [(1, 1)]


@dataclass(frozen=True)
class Scope:
    """The axes that are open: their extents, and the variables of sequential loops."""

    extents: dict[int, int]
    partition: int | None = None
    frees: tuple[int, ...] = ()
    loops: dict[int, ir.Value] = field(default_factory=dict)

    @property
    def lanes(self) -> int:
        return 1 if self.partition is None else self.extents[self.partition]

    def split(self, form: Form) -> tuple[int, dict[ir.Value, int]]:
        """Constant and loop coefficients of a linear form: an instruction's offset."""
        if form.divisions:
            raise Unselectable("a division is left in an access after layout-tiling")
        return form.const, {self.loops[k]: c for k, c in form.terms if k in self.loops}


class Builder:
    """Emits instructions at the current insertion point, over the axes of `scope`."""

    def __init__(self) -> None:
        self.scope = Scope({})
        self.location = ir.Location.current
        self._names: dict[str, int] = {}
        self._types: dict[tuple[int, int, str, str], ir.Type] = {}
        self._segments = ir.DenseI32ArrayAttr.get([0, 0])

    # -- tiles -------------------------------------------------------------------------------

    def new(
        self, dtype: str, axes: Iterable[int] = (), *, space: str = "sbuf", hint: str = "tile"
    ) -> Tile:
        """A fresh tile over the partition axis and `axes`, in the order in which they are open."""
        chosen = set(axes)
        ordered = tuple(a for a in self.scope.frees if a in chosen)
        extents = tuple(self.scope.extents[a] for a in ordered)
        lanes = self.scope.lanes
        memref = self._alloc(lanes, prod(extents), dtype, space, hint)
        return Tile(memref, dtype, self.scope.partition, lanes, ordered, extents, space)

    def _alloc(self, lanes: int, free: int, dtype: str, space: str, hint: str) -> ir.Value:
        key = (lanes, free, dtype, space)
        if key not in self._types:
            element = ir.Type.parse(dtypes.BY_BIR[dtype].mlir)
            self._types[key] = ir.MemRefType.get(
                [lanes, free], element, None, ir.StringAttr.get(space)
            )
        number = self._names[hint] = self._names.get(hint, -1) + 1
        attributes = {
            keys.NAME: ir.StringAttr.get(f"{hint}{number}"),
            "operandSegmentSizes": self._segments,
        }
        op = ir.Operation.create(
            "memref.alloc",
            results=[self._types[key]],
            attributes=attributes,
            loc=self.location,
        )
        return op.results[0]

    def axes_of(self, *values: Value) -> tuple[int, ...]:
        """The free axes that any of the values depends on."""
        used = {a for v in values if isinstance(v, Tile) for a in v.axes}
        return tuple(a for a in self.scope.frees if a in used)

    def pattern(self, tile: Tile, axes: Sequence[int]) -> Pairs:
        """The walk over `axes` in order; step 0 along those the tile does not depend on."""
        pairs = merge((tile.stride(a), self.scope.extents[a]) for a in axes)
        return [(tile.free, tile.partitions), *pairs]

    def operand(self, tile: Tile, axes: Sequence[int]) -> tuple:
        return (tile.memref, tile.dtype, 0, {}, self.pattern(tile, axes))

    def emit(
        self,
        opcode: Opcode,
        ins: Sequence[Tile],
        out: Tile,
        engine: Engine,
        axes: Sequence[int] | None = None,
        **attributes: object,
    ) -> Tile:
        """One element-wise instruction over the output's axes."""
        walked = out.axes if axes is None else axes
        bir.build(
            opcode,
            ins=[self.operand(t, () if t.free == 1 and not t.axes else walked) for t in ins]
            if opcode in (Opcode.TENSOR_SCALAR_PTR, Opcode.ACTIVATION)
            else [self.operand(t, walked) for t in ins],
            outs=[self.operand(out, walked)],
            engine=engine,
            attributes=attributes,
            loc=self.location,
        )
        return out

    def sbuf(self, tile: Tile) -> Tile:
        """The tile itself, or a copy if it lies in PSUM."""
        if tile.space == "sbuf":
            return tile
        return self.copy(tile, tile.dtype)

    def tile(self, value: Value, dtype: str) -> Tile:
        """The value as a tile; a constant becomes one column."""
        match value:
            case Tile():
                return value
            case Const():
                return self.memset(value.value, self.new(dtype, hint="const"))
        return self.iota(value.form, dtype)

    # -- instructions ------------------------------------------------------------------------

    def memset(self, value: int | float, out: Tile) -> Tile:
        is_float = dtypes.BY_BIR[out.dtype].is_float
        constant = float(value) if is_float else _in_range(int(value), out.dtype)
        return self.emit(Opcode.MEMSET, [], out, Engine.DVE, constant=constant, mode="Const")

    def copy(self, value: Value, dtype: str, out: Tile | None = None) -> Tile:
        """The value in another tile, converted to `dtype` if it has another."""
        if out is None and isinstance(value, Index):
            return self.iota(value.form, dtype)
        if out is None:
            out = self.new(dtype, self.axes_of(value), hint="copy")
        if isinstance(value, Const):
            return self.memset(value.value, out)
        source = self.tile(value, "int32")
        return self.emit(Opcode.TENSOR_COPY, [source], out, Engine.DVE)

    def iota(self, form: Form, dtype: str) -> Tile:
        """An affine function of the loops, as int32 first: what the hardware writes."""
        scope = self.scope
        if form.divisions:
            raise Unselectable("a loop variable is divided; layout-tiling did not split its loop")
        walked = [a for a in scope.frees if form[a]]
        out = self.new("int32", walked, hint="iota")
        lanes = 0 if scope.partition is None else form[scope.partition]
        pairs = merge((form[a], scope.extents[a]) for a in walked)
        self.emit(
            Opcode.IOTA,
            [],
            out,
            Engine.POOL,
            base=form.const,
            pattern=tuple(pairs) if walked else ((0, 1),),
            channel_multiplier=lanes,
        )
        value: Tile = out
        for key, coefficient in form.terms:
            if key in scope.loops:
                value = self.add_axis(value, key, coefficient)
        return value if dtype == "int32" else self.copy(value, dtype)

    def add_axis(self, value: Tile, key: int, coefficient: int) -> Tile:
        """Adds `coefficient` times a sequential loop's variable; see `counter`."""
        column = self.counter(key, coefficient)
        return self.binary(AluOp.ADD, value, column, "int32")

    def counter(self, key: int, coefficient: int) -> Tile:
        raise Unselectable("a sequential loop's variable is used as a number")

    def activation(
        self,
        func: bir.ActivationFunction,
        x: Value,
        dtype: str,
        *,
        scale: float = 1.0,
        hint: str = "act",
    ) -> Tile:
        data = self.tile(x, "float32")
        out = self.new(dtype, data.axes, hint=hint)
        return self.emit(
            Opcode.ACTIVATION,
            [data],
            out,
            Engine.ACTIVATION,
            func=func,
            scale=scale,
            alpha=0.0,
        )

    def scalar(
        self,
        op0: AluOp,
        x: Tile,
        const0: int | float,
        dtype: str,
        op1: AluOp = AluOp.BYPASS,
        const1: int | float = 0.0,
        *,
        reverse0: bool = False,
        reverse1: bool = False,
        out: Tile | None = None,
    ) -> Tile:
        """(x op0 const0) op1 const1, in one TensorScalar."""
        if out is None:
            out = self.new(dtype, x.axes, hint=op0)
        integer = x.dtype in INT32 and dtype in INT32
        engine = Engine.POOL if integer and op0 not in BITVEC_OPS else Engine.DVE
        if op0 is AluOp.POW:
            engine = Engine.POOL
        x = self.sbuf(x) if engine is Engine.POOL else x
        attributes: dict[str, object] = {"op0": op0, "const0": self._immediate(op0, const0, x, out)}
        if reverse0:
            attributes["reverse0"] = True
        if op1 is not AluOp.BYPASS:
            attributes |= {"op1": op1, "const1": self._immediate(op1, const1, x, out)}
            if reverse1:
                attributes["reverse1"] = True
        return self.emit(Opcode.TENSOR_SCALAR, [x], out, engine, **attributes)

    def _immediate(self, op: AluOp, value: int | float, x: Tile, out: Tile) -> int | float:
        if op in BITVEC_OPS:
            return _in_range(int(value), x.dtype)
        if x.dtype in INT32 and out.dtype in INT32:
            return _in_range(int(value), x.dtype)
        return float(value)

    def binary(self, op: AluOp, a: Value, b: Value, dtype: str, out: Tile | None = None) -> Tile:
        """a op b, in the cheapest form that takes these operands."""
        if isinstance(b, Index):
            b = self.iota(b.form, "int32")
        if isinstance(a, Index):
            a = self.iota(a.form, "int32")
        if isinstance(a, Const) and isinstance(b, Const):
            a = self.tile(a, dtype if dtype != "uint8" else "float32")
        if isinstance(b, Const):
            assert isinstance(a, Tile)
            return self.scalar(op, a, b.value, dtype, out=out)
        if isinstance(a, Const):
            return self.scalar(op, b, a.value, dtype, reverse0=op not in COMMUTATIVE, out=out)
        if out is None:
            out = self.new(dtype, self.axes_of(a, b), hint=op)
        integer = {a.dtype, b.dtype, out.dtype} <= INT32
        bitvec = op in BITVEC_OPS
        engine = Engine.POOL if (integer and not bitvec) or op is AluOp.POW else Engine.DVE
        if engine is Engine.POOL:
            a, b = self.sbuf(a), self.sbuf(b)
        elif a.space == b.space == "psum":
            b = self.sbuf(b)
        if out.axes and not bitvec:
            scalars_ok = integer or a.dtype not in INT32
            if scalars_ok and not b.axes and b.dtype in ("float32", a.dtype):
                return self.emit(Opcode.TENSOR_SCALAR_PTR, [a, b], out, engine, op0=op)
            if scalars_ok and not a.axes and a.dtype in ("float32", b.dtype):
                return self.emit(
                    Opcode.TENSOR_SCALAR_PTR, [b, a], out, engine, op0=op, reverse0=True
                )
        return self.emit(Opcode.TENSOR_TENSOR, [a, b], out, engine, op=op)

    def choose(self, predicate: Value, a: Value, b: Value, dtype: str) -> Value:
        """a where the predicate holds, else b."""
        if isinstance(predicate, Const):
            return a if predicate.value else b
        assert isinstance(predicate, Tile)
        out = self.new(dtype, self.axes_of(predicate, a, b), hint="select")
        self.copy(b, dtype, out)
        return self.where(predicate, a, out)

    def where(self, predicate: Tile, a: Value, out: Tile) -> Tile:
        """Overwrites `out` with a where the predicate holds."""
        data = self.tile(a, out.dtype)
        return self.emit(Opcode.COPY_PREDICATED, [predicate, data], out, Engine.DVE)


def _in_range(value: int, dtype: str) -> int:
    """The integer with the same bits in `dtype`."""
    bits = 8 * dtypes.BY_BIR[dtype].itemsize
    value &= (1 << bits) - 1
    if not dtype.startswith("uint") and value >> (bits - 1):
        value -= 1 << bits
    return value
