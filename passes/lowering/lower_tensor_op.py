"""Lower compute ops into loop nests; leave the offloaded primitives alone.

Spec: source document 000, "Stage A - LowerTensorOp". Copy elimination runs between this pass and
`late-lower-tensor-op`, so memcpy, memcast, bitcast, concat, slice, transpose, broadcast and memset
stay as they are. (The document lowers broadcast here; this project counts it as movement, so that
it can be folded away like the others.)

Before                                          After
  "penguin.unary"(%a, %b) {function = "tanh"}     affine.for %i = 0 to 8 {
    : (memref<8xf32>, memref<8xf32>)                %0 = affine.load %a[%i]
                                                    %1 = math.tanh %0 : f32
                                                    affine.store %1, %b[%i]
                                                  }

* Parallel loops are outermost, in the order of the destination's dimensions, from 0 in steps of 1.
  Dimensions of extent 1 get no loop, so a 0-d op becomes scalar code without loops.
* reduce and tensor_contract add one inner loop per reduced dimension, in dimension order (of lhs,
  in the order of its contract axes), with one accumulator; a reduction over nothing gives the
  initial value. Sums and products of floats accumulate in f32 and are rounded once; all else
  accumulates in dst's element type. A contraction starts at zero and is acc + lhs * rhs.
* pad writes the padding value everywhere (unless nothing is padded), then copies the part of the
  source that lands inside: loop bounds and access maps say which, no conditions.
* gather loads the components of a slice's start, clamps each (signed ones to 0 .. limit, unsigned
  ones from above; narrow ones are widened to i32 first), casts it to an index and adds the loop
  that walks the slice: the source is read by a generic access, `memref.load`. A dimension that a
  slice takes whole starts at 0, so nothing is loaded for it.
* Scalar arithmetic is in the element type; functions of several steps compute in f32 for bf16 and
  f16 and round once. `penguin.nests.unary`, `binary`: what each function means.
* Every new op has the location of the tensor op.
* A load goes past the offloaded op that made its tensor, to the source of that op, at the index and
  with the conversion that the op stands for (document 000: emit_broadcast_load, emit_memcast_load,
  emit_reshape_load, emit_transpose_load); past a memset, it is the constant. Chains compose. What
  all its readers went past is erased. The option `load-maps` lists the ops to go past. A memcast,
  a reshape or a transpose has an elimination pass of its own, so these are not asked for by
  default; a broadcast has none.

  Before                                        After
    "penguin.broadcast"(%b, %t) {dims = [1]}      affine.for %i, %j
    "penguin.binary"(%a, %t, %o) {"add"}            %0 = affine.load %a[%i, %j]
                                                    %1 = affine.load %b[%j]
                                                    affine.store %0 + %1, %o[%i, %j]

* A fusion is expanded first ("transformFusionOp", `_fusions.py`): the ops of its body stand in its
  place, on its operands, and are lowered like all others; its locals become tensors of the kernel.

A load goes past an op if all of these hold (`_load_maps.py`):
  (M1) the op is at the top level of the function; its destination is allocated there, is not its
       source, has no other writer, and shares its memory with no other tensor; what writes its
       source is known;
  (M2) the reader is a compute op at the top level, and reads the destination itself, not a view;
  (M3) the op comes before the reader;
  (M4) nothing writes the buffer of the source between the op and the reader, nor does the reader
       itself; an output may share the buffer of an input (`penguin.alias`);
  (M5) no barrier stands between them;
  (M6) the load has not gone past too many ops already;
  (M7) the index in the source is linear in the index of the tensor: a quotient costs more than the
       copy (a guess).
Each op of a kind asked for whose destination is read is a candidate. It is erased, or it stays and
a missed remark has the first reason for which a reader still needs it: the books balance.

Refuses (PGL010): a destination that is, or shares memory with, a source, except element by element
(unary, binary, ternary, select); a destination of a fusion that is another of its operands;
(PGL011): a `memref.reinterpret_cast` that is no plain view.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from penguin.analysis.aliases import Aliases
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import (
    BinaryOp,
    GatherOp,
    IotaOp,
    PadOp,
    ReduceOp,
    ReverseOp,
    SelectOp,
    TensorContractOp,
    TernaryOp,
    UnaryOp,
)
from penguin.dialects.penguin.attributes import Binary, Kind, Reduction
from penguin.mlir import ir
from penguin.nests.binary import BINARY, TERNARY
from penguin.nests.builder import Builder, Nest, Tensor
from penguin.nests.convert import convert
from penguin.nests.elements import Element
from penguin.nests.indexing import ZERO, Index, constant, padded
from penguin.nests.rules import Rule
from penguin.nests.unary import UNARY
from penguin.passes.lowering import _views
from penguin.passes.lowering._driver import OVERLAP, Lowering, lower
from penguin.passes.lowering._fusions import expand, fusions, overlaps
from penguin.passes.lowering._load_maps import Candidate, LoadMaps, Why, origin_of, plan
from penguin.passlib import FunctionPass, Reject, Statistic, Unit, option

__all__ = ["LowerTensorOp", "Why"]


@dataclass
class LowerTensorOp(FunctionPass):
    """Lower tensor ops into loop nests, excluding the offloaded primitives."""

    name = "lower-tensor-op"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    load_maps: tuple[str, ...] = option(
        ("broadcast", "memset"),
        "offloaded ops that loads go past; empty for none",
        choices=("broadcast", "memcast", "memset", "reshape", "transpose"),
    )

    lowered = Statistic("Number of tensor ops lowered")
    nests = Statistic("Number of loop nests created")
    expanded = Statistic("Number of fusion ops expanded")
    mapped = Statistic("Number of loads that go past an offloaded op")
    wholly = Statistic("Number of offloaded ops consumed by all of their readers")
    partly = Statistic("Number of offloaded ops consumed by some of their readers")
    unconsumed = Statistic("Number of offloaded ops consumed by none of their readers")
    saved = Statistic("Number of bytes not written", Unit.BYTES)

    def __post_init__(self) -> None:
        self._stayed: tuple[ir.Operation | None, list[ir.Operation]] = (None, [])

    def candidates(self, root: Any) -> Iterable[Any]:
        """Those that were planned and stay: an op is one only until its readers are lowered."""
        function, stayed = self._stayed
        return stayed if function is not None and function == root.operation else ()

    def bytes_of(self, op: Any) -> int:
        """Of the destination."""
        facts = tensor_of(op.operands[len(op.operands) - 1].type)
        return facts.count * facts.dtype.itemsize

    def run(self, root: ir.OpView) -> None:
        _views.check(self, root.operation)
        found = fusions(root.operation)
        for op, message in overlaps(found, Aliases(root)) if found else ():
            self.error(op, OVERLAP, message)

        def expand_fusions() -> bool:
            expand(root.operation, found)
            self.expanded += len(found)
            return bool(found)

        maps = LoadMaps()

        def origins(readers: Sequence[ir.Operation], builder: Builder) -> dict:
            nonlocal maps
            limit = self.session.rewrites_left
            maps = plan(root.operation, self.load_maps, readers, builder, limit)
            return {key: origin_of(past, builder) for key, past in maps.routes.items()}

        work = lower(self, root, _LOWERINGS, _POINTWISE, expand_fusions, origins)
        self.lowered += work.ops
        self.nests += work.nests
        self.mapped += len(maps.routes)
        self._settle(maps.candidates)
        stayed = [each.op for each in maps.candidates if each.why is not None]
        self._stayed = (root.operation, stayed)

    def _settle(self, candidates: Sequence[Candidate]) -> None:
        """Explains every candidate; erases those that are needed no more, readers first."""
        for each in candidates:
            self.created(each.op)
            if each.why is None:
                self.wholly += 1
                self.saved += self.bytes_of(each.op)
                self.done(each.op, "Consumed", Loads=each.taken)
                continue
            self.partly += each.taken > 0
            self.unconsumed += each.taken == 0
            self.decline(each.op, Reject(each.why, at=each.at, args={"Loads": each.taken}))
        for each in reversed(candidates):
            if each.why is None:
                each.erase()


def _pointwise(op: ir.OpView, builder: Builder, rule: Rule, *tensors: Tensor) -> None:
    """One application of `rule` per element; sources of rank 0 serve all elements.

    The rule works in the element type of the last source: the first one may be a predicate.
    """
    *srcs, dst = tensors
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        values = [nest.load(src, at if src.shape else ()) for src in srcs]
        nest.store(rule(nest.scalars(srcs[-1].element), *values), dst, at)


def _unary(op: UnaryOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    _pointwise(op, builder, UNARY[op.function.value][src.element.kind], src, dst)


def _binary(op: BinaryOp, builder: Builder, lhs: Tensor, rhs: Tensor, dst: Tensor) -> None:
    _pointwise(op, builder, BINARY[op.function.value][lhs.element.kind], lhs, rhs, dst)


def _ternary(op: TernaryOp, builder: Builder, *tensors: Tensor) -> None:
    rule = TERNARY[op.function.value][tensors[-1].element.kind]
    _pointwise(op, builder, rule, *tensors)


def _select(op: SelectOp, builder: Builder, *tensors: Tensor) -> None:
    _pointwise(op, builder, lambda s, *operands: s.select(*operands), *tensors)


def _accumulator(builder: Builder, function: str, dst: Tensor) -> Element:
    """What a reduction into `dst` accumulates in."""
    sums = function in (Reduction.ADD, Reduction.MULTIPLY)
    return builder.element("f32") if sums and dst.element.kind is Kind.FLOAT else dst.element


def _reduce(op: ReduceOp, builder: Builder, src: Tensor, init: Tensor, dst: Tensor) -> None:
    function = op.function.value
    axes = sorted(op.axes)
    accumulator = _accumulator(builder, function, dst)
    combine = BINARY[function][accumulator.kind]
    with builder.nest(op) as nest:
        kept = nest.parallel(dst.shape)
        value = convert(nest.scalars(init.element), nest.load(init, ()), accumulator)
        if not src.empty:
            reduced, total = nest.reduce([src.shape[axis] for axis in axes], value)
            at = _merged(len(src.shape), axes, reduced, kept)
            element = convert(nest.scalars(src.element), nest.load(src, at), accumulator)
            value = nest.end_reduce(combine(nest.scalars(accumulator), total, element))
        nest.store(convert(nest.scalars(accumulator), value, dst.element), dst, kept)


def _merged(rank: int, axes: list[int], chosen: list[Index], others: list[Index]) -> list[Index]:
    """`chosen` at the positions `axes`, `others` in order at the rest."""
    at, rest = dict(zip(axes, chosen, strict=True)), iter(others)
    return [at[dim] if dim in at else next(rest) for dim in range(rank)]


def _contract(
    op: TensorContractOp, builder: Builder, lhs: Tensor, rhs: Tensor, dst: Tensor
) -> None:
    batch = list(op.lhs_batch_axes), list(op.rhs_batch_axes)
    contract = list(op.lhs_contract_axes), list(op.rhs_contract_axes)
    free = list(op.lhs_free_axes), list(op.rhs_free_axes)
    accumulator = _accumulator(builder, Reduction.ADD, dst)
    multiply = BINARY[Binary.MULTIPLY][accumulator.kind]
    add = BINARY[Binary.ADD][accumulator.kind]
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        batches, rows = at[: len(batch[0])], at[len(batch[0]) :]
        rows, columns = rows[: len(free[0])], rows[len(free[0]) :]
        value = nest.scalars(accumulator).constant(0)
        if not lhs.empty:
            extents = [lhs.shape[axis] for axis in contract[0]]
            summed, total = nest.reduce(extents, value)
            factors = []
            for side, (tensor, own) in enumerate(((lhs, rows), (rhs, columns))):
                axes = batch[side] + contract[side] + free[side]
                place = dict(zip(axes, batches + summed + own, strict=True))
                element = nest.load(tensor, [place[dim] for dim in range(len(axes))])
                factors.append(convert(nest.scalars(tensor.element), element, accumulator))
            s = nest.scalars(accumulator)
            value = nest.end_reduce(add(s, total, multiply(s, *factors)))
        nest.store(convert(nest.scalars(accumulator), value, dst.element), dst, at)


def _pad(op: PadOp, builder: Builder, src: Tensor, value: Tensor, dst: Tensor) -> None:
    interior = list(op.interior)
    spans = [padded(*dim) for dim in zip(src.shape, dst.shape, list(op.low), interior, strict=True)]
    counts = [span.count for span in spans]
    if counts != list(dst.shape):
        with builder.nest(op) as nest:
            at = nest.parallel(dst.shape)
            nest.store(nest.load(value, ()), dst, at)
    if 0 in counts:
        return
    with builder.nest(op) as nest:
        at = nest.parallel(counts)
        src_at = [i.times(1, span.src) for i, span in zip(at, spans, strict=True)]
        dst_at = [
            i.times(inner + 1, span.dst) for i, span, inner in zip(at, spans, interior, strict=True)
        ]
        nest.store(nest.load(src, src_at), dst, dst_at)


def _iota(op: IotaOp, builder: Builder, dst: Tensor) -> None:
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        index, s = at[op.axis.value], nest.scalars(dst.element)
        if index == ZERO:
            value = s.constant(0)
        elif dst.element.kind is Kind.FLOAT:
            number = s.on("i32").op("arith.index_cast", nest.variable(index))
            value = s.op("arith.sitofp", number)
        else:
            value = s.op("arith.index_cast", nest.variable(index))
        nest.store(value, dst, at)


def _reverse(op: ReverseOp, builder: Builder, src: Tensor, dst: Tensor) -> None:
    turned = set(op.axes)
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        src_at = [
            index.times(-1, extent - 1) if dim in turned else index
            for dim, (index, extent) in enumerate(zip(at, src.shape, strict=True))
        ]
        nest.store(nest.load(src, src_at), dst, at)


def _gather(op: GatherOp, builder: Builder, src: Tensor, indices: Tensor, dst: Tensor) -> None:
    rank = len(dst.shape)
    counting = op.start_dims(rank)
    with builder.nest(op) as nest:
        at = nest.parallel(dst.shape)
        place: list[Index | ir.Value] = []
        for coordinate in op.coordinates(src.shape, rank):
            index = ZERO if coordinate.dim is None else at[coordinate.dim]
            if coordinate.component is None or not coordinate.limit:
                place.append(index)
                continue
            component = constant(coordinate.component)
            start_at = [component if dim is None else at[dim] for dim in counting]
            start = _clamped(nest, nest.load(indices, start_at), indices, coordinate.limit)
            place.append(nest.computed(start, index))
        affine = [index for index in place if isinstance(index, Index)]
        if len(affine) == len(place):
            value = nest.load(src, affine)
        else:
            value = nest.generic_load(
                src, [nest.number(index) if isinstance(index, Index) else index for index in place]
            )
        nest.store(value, dst, at)


def _clamped(nest: Nest, value: ir.Value, indices: Tensor, limit: int) -> ir.Value:
    """An element of `indices` within 0 .. limit, which may be more than its type can hold."""
    element = indices.element
    s = nest.scalars(element)
    if element.width < 32:
        name = "arith.extui" if element.kind is Kind.UNSIGNED else "arith.extsi"
        s = s.on("i32")
        value = s.op(name, value)
    if element.kind is Kind.UNSIGNED:
        return s.op("arith.minui", value, s.constant(limit))
    return s.op("arith.minsi", s.op("arith.maxsi", value, s.constant(0)), s.constant(limit))


_LOWERINGS: dict[type, Lowering] = {
    BinaryOp: _binary,
    GatherOp: _gather,
    IotaOp: _iota,
    PadOp: _pad,
    ReduceOp: _reduce,
    ReverseOp: _reverse,
    SelectOp: _select,
    TensorContractOp: _contract,
    TernaryOp: _ternary,
    UnaryOp: _unary,
}
_POINTWISE = frozenset({BinaryOp, SelectOp, TernaryOp, UnaryOp})
