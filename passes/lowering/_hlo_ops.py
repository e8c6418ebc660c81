"""How each StableHLO operation becomes one penguin operation: the table behind `hlo-to-penguin`.

`RULES` maps an op class to a `Rule`: the kinds of dtypes it takes, what else must hold (`check`, a
pure function that returns what is wrong), and how it is built (`emit`). An op without a rule is
not supported. The kinds of dtypes are StableHLO's own, minus those that penguin has no dtype for.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from penguin.dialects import penguin as pg
from penguin.dialects.base import Many
from penguin.dialects.penguin import attributes as names
from penguin.dialects.penguin.attributes import Binary, Kind, Reduction, Ternary, Unary
from penguin.dtypes import DType
from penguin.mlir import ir, memref, stablehlo_bindings, stablehlo_ops

_hlo, _ = stablehlo_ops()
_OPS: dict[str, type] = {
    cls.OPERATION_NAME.removeprefix("stablehlo."): cls
    for cls in vars(_hlo).values()
    if isinstance(cls, type) and issubclass(cls, ir.OpView)
}


@dataclass(frozen=True, slots=True)
class TensorType:
    """A tensor type of the hlo level, and the buffer type it becomes; or the reason it cannot."""

    hlo: ir.Type
    dtype: DType | None
    shape: tuple[int, ...]
    memref: ir.Type | None
    problem: str = ""


@dataclass(slots=True)
class Tensor:
    """A value: its type, and its buffer once that is created."""

    type: TensorType
    buffer: ir.Value | None = None


class Emitter:
    """Creates ops at the end of a kernel's block, `ip`, all at `location`.

    Ops of the classes in `unrolled` are handed over to `unroll`, which puts loop nests in their
    place, unless they are inside of another op.
    """

    def __init__(
        self,
        block: ir.Block,
        constants: Callable[[Any, TensorType], str],
        unrolled: Collection[type] = (),
        unroll: Callable[[ir.Operation], None] | None = None,
    ) -> None:
        self.ip = ir.InsertionPoint(block)
        self._constants = constants
        self._unrolled, self._unroll = unrolled, unroll
        self._allocs = 0
        self._no_segments = ir.DenseI32ArrayAttr.get([0, 0])
        self.location = ir.Location.unknown()

    @contextlib.contextmanager
    def inside(self, block: ir.Block) -> Iterator[None]:
        """Creates ops at the end of another block meanwhile."""
        outer, self.ip = self.ip, ir.InsertionPoint(block)
        unrolled, self._unrolled = self._unrolled, ()
        yield
        self.ip, self._unrolled = outer, unrolled

    def alloc(self, tensor: Tensor) -> ir.Value:
        """A buffer for the tensor, unless it has been given one."""
        if tensor.buffer is not None:
            return tensor.buffer
        attributes = {
            "operandSegmentSizes": self._no_segments,
            names.NAME: ir.StringAttr.get(f"t{self._allocs}"),
        }
        self._allocs += 1
        op = ir.Operation.create(
            memref.AllocOp.OPERATION_NAME,
            [tensor.type.memref],
            attributes=attributes,
            ip=self.ip,
            loc=self.location,
        )
        tensor.buffer = op.result
        return tensor.buffer

    def op(self, cls: type, tensors: Sequence[Tensor], attributes: dict[str, Any]) -> None:
        """A penguin op on sources that exist and a destination that is allocated here."""
        self.alloc(tensors[-1])
        self.raw(cls, [t.buffer for t in tensors], attributes)

    def raw(self, cls: type, buffers: list[Any], attributes: dict[str, Any]) -> None:
        op = ir.Operation.create(
            cls.OPERATION_NAME, [], buffers, attributes, ip=self.ip, loc=self.location
        )
        self._made(cls, op)

    def _made(self, cls: type, op: ir.Operation) -> None:
        if cls in self._unrolled:
            self._unroll(op)

    def concat(self, sources: list[Tensor], dst: Tensor, axis: int) -> None:
        """A concatenation; by way of partial ones if the sources are of too many types for one."""
        while len(groups := _groups(sources)) > 1:
            sources = [g[0] if len(g) == 1 else self._partial(g, axis) for g in groups]
        self.alloc(dst)
        buffers = [t.buffer for t in sources]
        op = pg.ConcatOp(buffers, dst.buffer, axis, ip=self.ip, loc=self.location)
        self._made(pg.ConcatOp, op.operation)

    def _partial(self, sources: list[Tensor], axis: int) -> Tensor:
        first = sources[0].type
        shape = list(first.shape)
        shape[axis] = sum(source.type.shape[axis] for source in sources)
        buffer = ir.MemRefType.get(
            shape, first.memref.element_type, memory_space=first.memref.memory_space
        )
        whole = Tensor(replace(first, shape=tuple(shape), memref=buffer))
        self.concat(sources, whole, axis)
        return whole

    def constant(self, value: Any, dst: Tensor) -> None:
        """A buffer with data; large data stays the attribute that it is."""
        symbol = ir.FlatSymbolRefAttr.get(self._constants(value, dst.type))
        op = ir.Operation.create(
            memref.GetGlobalOp.OPERATION_NAME,
            [dst.type.memref],
            attributes={"name": symbol},
            ip=self.ip,
            loc=self.location,
        )
        dst.buffer = op.result


def _groups(sources: list[Tensor]) -> list[list[Tensor]]:
    """Consecutive sources, in each group as many as one `penguin.concat` can take."""
    groups: list[list[Tensor]] = [[]]
    runs = 0
    for number, source in enumerate(sources):
        new_run = number == 0 or source.type.memref != sources[number - 1].type.memref
        if new_run and runs == Many.RUNS:
            groups.append([])
            runs = 0
        runs += new_run
        groups[-1].append(source)
    return groups


Check = Callable[[Any, list[Tensor], Tensor], str]
Emit = Callable[[Emitter, Any, list[Tensor], Tensor], None]


def _always(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Rule:
    """`kinds` are those of the dtype of operand `decides` (-1: the result's)."""

    kinds: frozenset[Kind]
    emit: Emit
    check: Check = _always
    decides: int = 0
    limits: str = ""


def _ints(values: Sequence[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get(values)


def _i64(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def _pure(cls: type, function: str) -> Emit:
    """An op whose only attribute is the name of its function."""

    def emit(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
        b.op(cls, [*srcs, dst], {names.FUNCTION: ir.StringAttr.get(function)})

    return emit


def _plain(cls: type, **copied: str) -> Emit:
    """An op whose attributes are those of the hlo op, under other names."""

    def emit(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
        given = op.operation.attributes
        b.op(cls, [*srcs, dst], {new: given[old] for new, old in copied.items()})

    return emit


def _emit_convert(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    same = srcs[0].type.dtype is dst.type.dtype
    b.op(pg.MemcpyOp if same else pg.MemcastOp, [*srcs, dst], {})


def _emit_slice(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    given = op.operation.attributes
    attributes = {
        "starts": given["start_indices"],
        "limits": given["limit_indices"],
        "strides": given["strides"],
        "access": ir.StringAttr.get(names.AccessKind.NDIM),
    }
    b.op(pg.SliceOp, [*srcs, dst], attributes)


def _emit_concatenate(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    b.concat(srcs, dst, op.dimension.value)


def _emit_constant(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    value = op.value
    if isinstance(value, ir.DenseElementsAttr) and value.is_splat:
        b.op(pg.MemsetOp, [dst], {"value": value.get_splat_value()})
    else:
        b.constant(value, dst)


def _check_constant(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    if isinstance(op.value, ir.DenseElementsAttr):
        return ""
    try:
        # The bindings do not downcast to this class by themselves.
        ir.DenseResourceElementsAttr(op.value)
    except ValueError:
        return "has a value that is neither dense elements nor a resource"
    return ""


def _emit_compare(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    direction = stablehlo_bindings().ComparisonDirectionAttr(op.comparison_direction).value
    function = Binary(f"compare_{direction.lower()}")
    b.op(pg.BinaryOp, [*srcs, dst], {names.FUNCTION: ir.StringAttr.get(function)})


def _check_compare(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    kind = op.compare_type
    if kind is None or stablehlo_bindings().ComparisonTypeAttr(kind).value != "TOTALORDER":
        return ""
    return "compares by TOTALORDER, expected FLOAT"


def _check_bitcast(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    a, b = srcs[0].type.dtype, dst.type.dtype
    if a is b or "i1" not in (a.mlir, b.mlir):
        return ""
    return f"casts {a.mlir} to {b.mlir}: i1 is a byte in memory"


def _emit_bitcast(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    same = srcs[0].type.dtype is dst.type.dtype
    b.op(pg.MemcpyOp if same else pg.BitcastOp, [*srcs, dst], {})


def _emit_dot_general(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    numbers = stablehlo_bindings().DotDimensionNumbers(op.dot_dimension_numbers)
    _emit_contract(
        b,
        (
            ("lhs", numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions),
            ("rhs", numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions),
        ),
        srcs,
        dst,
    )


def _emit_dot(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    """The older form: the last dimension of lhs with the first of rhs."""
    last = len(srcs[0].type.shape) - 1
    _emit_contract(b, (("lhs", [], [last]), ("rhs", [], [0])), srcs, dst)


def _emit_contract(
    b: Emitter,
    sides: tuple[tuple[str, list[int], list[int]], ...],
    srcs: list[Tensor],
    dst: Tensor,
) -> None:
    attributes = {}
    for (side, batch, contract), source in zip(sides, srcs, strict=True):
        taken = {*batch, *contract}
        free = [d for d in range(len(source.type.shape)) if d not in taken]
        attributes[f"{side}_batch_axes"] = _ints(batch)
        attributes[f"{side}_contract_axes"] = _ints(contract)
        attributes[f"{side}_free_axes"] = _ints(free)
    b.op(pg.TensorContractOp, [*srcs, dst], attributes)


def _check_dot(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    lhs, rhs, out = (t.type.dtype for t in (*srcs, dst))
    if lhs is rhs and lhs.is_float is out.is_float and out.mlir != "i1":
        return ""
    if lhs.is_float and rhs.is_float and out.is_float:
        return ""
    return (
        f"makes {out.mlir} of {lhs.mlir} and {rhs.mlir}, "
        "expected floats, or integers of which the operands have one dtype"
    )


def _reducer(op: Any) -> Reduction | None:
    """The function of a body that is one op on both arguments; None for any other body."""
    block = op.body.blocks[0]
    body = [o.operation for o in block.operations]
    if len(body) != 2 or len(block.arguments) != 2:
        return None
    function, result = body[0], body[1].operands[0]
    if set(function.operands) != set(block.arguments) or result != function.results[0]:
        return None
    return _REDUCERS.get(function.name)


def _emit_reduce(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    attributes = {
        names.FUNCTION: ir.StringAttr.get(_reducer(op)),
        "axes": op.operation.attributes["dimensions"],
    }
    b.op(pg.ReduceOp, [*srcs, dst], attributes)


def _check_reduce(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    if len(srcs) != 2:
        return f"reduces {len(srcs) // 2} operands at once, expected 1"
    function = _reducer(op)
    if function is None:
        return f"has a body that is not one of {', '.join(Reduction)} of its arguments"
    source, init, out = (t.type.dtype for t in (*srcs, dst))
    if not source is init is out:
        return f"reduces {source.mlir} in {out.mlir}, expected one dtype"
    if names.kind_of(source) not in names.REDUCTION_KINDS[function]:
        return f"reduces {source.mlir} by {function}"
    return ""


def _emit_iota(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    b.op(pg.IotaOp, [dst], {"axis": _i64(op.iota_dimension.value)})


def _gather_numbers(op: Any) -> Any:
    return stablehlo_bindings().GatherDimensionNumbers(op.dimension_numbers)


def _emit_gather(b: Emitter, op: Any, srcs: list[Tensor], dst: Tensor) -> None:
    numbers = _gather_numbers(op)
    attributes = {key: _ints(getattr(numbers, key)) for key in _GATHER_LISTS}
    attributes["index_vector_dim"] = _i64(numbers.index_vector_dim)
    attributes["slice_sizes"] = op.operation.attributes["slice_sizes"]
    b.op(pg.GatherOp, [*srcs, dst], attributes)


def _check_gather(op: Any, srcs: list[Tensor], dst: Tensor) -> str:
    numbers, sizes = _gather_numbers(op), list(op.slice_sizes)
    for d in numbers.collapsed_slice_dims + numbers.operand_batching_dims:
        if sizes[d] != 1:
            return f"has slices of size {sizes[d]} in the dropped dim {d}, expected size 1"
    return ""


_GATHER_LISTS = (
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
)
_REDUCERS = {f"stablehlo.{function}": function for function in Reduction}

RULES: dict[type, Rule] = {
    **{_OPS[f]: Rule(names.UNARY_KINDS[f], _pure(pg.UnaryOp, f)) for f in Unary},
    **{
        _OPS[f]: Rule(names.BINARY_KINDS[f], _pure(pg.BinaryOp, f))
        for f in Binary
        if not f.is_comparison
    },
    _hlo.BitcastConvertOp: Rule(names.ANY, _emit_bitcast, _check_bitcast, limits="i1 to i1 only"),
    _hlo.BroadcastInDimOp: Rule(names.ANY, _plain(pg.BroadcastOp, dims="broadcast_dimensions")),
    _hlo.ClampOp: Rule(names.ANY, _pure(pg.TernaryOp, Ternary.CLAMP), decides=1),
    _hlo.CompareOp: Rule(names.ANY, _emit_compare, _check_compare, limits="not by total order"),
    _hlo.ConcatenateOp: Rule(names.ANY, _emit_concatenate),
    _hlo.ConstantOp: Rule(names.ANY, _emit_constant, _check_constant, decides=-1),
    _hlo.ConvertOp: Rule(names.ANY, _emit_convert),
    _hlo.DotGeneralOp: Rule(names.NUMBERS, _emit_dot_general, _check_dot),
    _hlo.DotOp: Rule(names.NUMBERS, _emit_dot, _check_dot),
    _hlo.GatherOp: Rule(
        names.ANY, _emit_gather, _check_gather, limits="slices of size 1 in collapsed dimensions"
    ),
    _hlo.IotaOp: Rule(names.NUMBERS, _emit_iota, decides=-1),
    _hlo.PadOp: Rule(
        names.ANY,
        _plain(
            pg.PadOp, low="edge_padding_low", high="edge_padding_high", interior="interior_padding"
        ),
    ),
    _hlo.ReduceOp: Rule(
        names.ANY,
        _emit_reduce,
        _check_reduce,
        limits=f"one operand, by {', '.join(Reduction)}",
    ),
    _hlo.ReshapeOp: Rule(names.ANY, _plain(pg.MemcpyOp)),
    _hlo.ReverseOp: Rule(names.ANY, _plain(pg.ReverseOp, axes="dimensions")),
    _hlo.SelectOp: Rule(names.ANY, _plain(pg.SelectOp), decides=1),
    _hlo.SliceOp: Rule(names.ANY, _emit_slice),
    _hlo.TransposeOp: Rule(names.ANY, _plain(pg.TransposeOp, permutation="permutation")),
}
