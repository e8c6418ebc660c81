"""Generic loads: what data decides where to read becomes gathers by DMA.

The address of a generic load is an affine form plus computed integers times the strides of their
dimensions. The instruction multiplies one index per partition with one step: so the step is the
greatest common divisor of those strides, and the index is made of all of them on Pool, with what
the address owes to the partition itself. An index that differs along free axes takes a DMA per
element of those, in `bir.loop`s; the other free axes are walked by each DMA.

The sums do not overflow: an index times its step is the number of an element of the source.
"""

from math import gcd, prod

from penguin.analysis.affine_form import Form
from penguin.analysis.nest import Access, strides_of
from penguin.dialects import bir
from penguin.dialects.bir import AluOp, Engine, Opcode
from penguin.mlir import ir
from penguin.passes.backend._select import integers
from penguin.passes.backend._select.nests import NestSelector, memref_dtype, scalar_kind
from penguin.passes.backend._select.tiles import Const, Index, Tile, Unselectable, merge

_LARGEST = 1 << 31


def select(s: NestSelector, access: Access) -> Tile:
    """The loaded values, over the axes that the address depends on."""
    form, terms = _split(s, access)
    if not terms:
        return s.load(Access(access.memref, access.shape, (), form))
    lane = 0 if s.scope.partition is None else form[s.scope.partition]
    step = gcd(*(stride for stride, _ in terms), lane)
    if prod(access.shape) > step * _LARGEST:
        raise Unselectable("a computed index goes beyond 2^31")
    if lane < 0:
        # Counted from the last lane, the partition's part is not negative either.
        form = form + lane * (s.scope.lanes - 1)
    index = _index(s, [(stride // step, tile) for stride, tile in terms], lane // step)
    return _load(s, access.memref, form, index, step)


def _split(s: NestSelector, access: Access) -> tuple[Form, list[tuple[int, Tile]]]:
    """The affine part of an address, and the tiles that are added with their strides."""
    form, terms = access.flat, []
    strides = strides_of(access.shape)
    for dim, number in access.computed:
        width = integers.WIDTHS[scalar_kind(number)]
        match integers.signed(s.operand_value(number), width):
            case Const() as value:
                form = form + int(value.value) * strides[dim]
            case Index() as value:
                form = form + value.form * strides[dim]
            case Tile() as tile:
                terms.append((strides[dim], tile))
    return form, terms


def _index(s: NestSelector, terms: list[tuple[int, Tile]], lane: int) -> Tile:
    """sum(factor * tile) + lane * partition (counted from the last one if negative), as uint32."""
    total: Tile | None = None
    for factor, tile in terms:
        part = integers.as_int32(s, tile)
        assert isinstance(part, Tile)
        if factor != 1:
            part = s.scalar(AluOp.MULT, part, factor, "int32")
        total = part if total is None else s.binary(AluOp.ADD, total, part, "int32")
    assert total is not None
    if lane:
        assert s.scope.partition is not None
        start = -lane * (s.scope.lanes - 1) if lane < 0 else 0
        own = s.iota(Form.variable(s.scope.partition) * lane + start, "int32")
        total = s.binary(AluOp.ADD, total, own, "int32")
    return s.sbuf(total).view("uint32")


def _load(s: NestSelector, memref: ir.Value, form: Form, index: Tile, step: int) -> Tile:
    scope = s.scope
    out = s.new(
        memref_dtype(memref), [a for a in scope.frees if form[a] or a in index.axes], hint="gather"
    )
    walked = [a for a in out.axes if a not in index.axes]
    const, offsets = scope.split(form)
    rows = [(step, scope.lanes), *merge((form[a], scope.extents[a]) for a in walked)]
    target = [(out.free, scope.lanes), *merge((out.stride(a), scope.extents[a]) for a in walked)]

    def emit(ivs: dict[int, ir.Value]) -> None:
        own = {ivs[a]: form[a] for a in index.axes if form[a]}
        column = {ivs[a]: index.stride(a) for a in index.axes}
        place = {ivs[a]: out.stride(a) for a in index.axes}
        bir.build(
            Opcode.GENERIC_INDIRECT_LOAD,
            ins=[
                (memref, out.dtype, const, offsets | own, rows),
                (index.memref, index.dtype, 0, column, [(index.free, scope.lanes), (1, 1)]),
            ],
            outs=[(out.memref, out.dtype, 0, place, target)],
            engine=Engine.POOL,
            attributes={"dge_type": bir.DgeType.SWDGE, "indirect_dims": ("W",)},
            loc=s.location,
        )

    def open_loops(axes: tuple[int, ...], ivs: dict[int, ir.Value]) -> None:
        if not axes:
            emit(ivs)
            return
        op = bir.loop(0, scope.extents[axes[0]], 1, loc=s.location)
        with ir.InsertionPoint(op.block):
            open_loops(axes[1:], ivs | {axes[0]: op.axis})

    open_loops(index.axes, {})
    return out
