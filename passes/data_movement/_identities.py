"""Identities of tensor ops: an op, and what defines its sources, as one op on earlier sources.

`combinations(op, facts)` gives those that apply: `New` ops, or a `Miss` where the pattern is there
but the values would not be the same, or the ops not fewer. Nothing here asks whether the earlier
sources still hold what they held; that is `Editor.reject_through`'s.

Exactness, in short:
* a cast keeps every value if the other dtype has all of them (`survives`); of a pair of casts only
  the second is needed if the first keeps every value, but for an integer that went through a float
  to an integer, which saturates where a direct cast wraps;
* x + 0.0 is no x: -0.0 + 0.0 is 0.0; x + -0.0 and x - 0.0 are; x * 1 and x / 1 are.
"""

import enum
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from penguin.dialects import penguin as pg
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin.attributes import Binary, Kind, Unary, kind_of
from penguin.dtypes import DType
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._forms import Box, copy_of, shape_of
from penguin.passes.data_movement._tensor_ops import New, destination, is_buildable


class Miss(enum.Enum):
    """A pattern without an identity."""

    LOSSY = "the pair of casts does not keep every value"
    SIGNED_ZERO = "x + 0.0 is not x for x = -0.0"
    SPANS = "the slice spans several sources of the concat, and not as wholes"


@dataclass(frozen=True)
class Facts:
    """What is known around an op: who defines a source, and whether that is its only reader."""

    definition: Callable[[ir.Value], "ir.OpView | None"]
    is_only_reader: Callable[[ir.Value], bool]


Result = New | Miss | None
Rule = Callable[[ir.OpView, Facts], Result]


def combinations(op: ir.OpView, facts: Facts) -> "Iterator[New | Miss]":
    """What an op is the same as, or nearly."""
    for rule in _RULES.get(type(op), ()):
        found = rule(op, facts)
        if isinstance(found, Miss) or (found is not None and is_buildable(found)):
            yield found


def pair(outer: type, inner: type) -> Callable[[Callable], Callable]:
    """Marks a rule for an op whose only source is defined by an op of some kind."""

    def mark(rule: Callable[[ir.OpView, ir.OpView], Result]) -> Callable:
        def apply(op: ir.OpView, facts: Facts) -> Result:
            found = facts.definition(op.operands[0])
            return rule(op, found) if isinstance(found, inner) else None

        _RULES.setdefault(outer, []).append(apply)
        return rule

    return mark


def single(kind: type) -> Callable[[Rule], Rule]:
    """Marks a rule for an op that looks at its sources itself."""

    def mark(rule: Rule) -> Rule:
        _RULES.setdefault(kind, []).append(rule)
        return rule

    return mark


_RULES: dict[type, list[Rule]] = {}


def dtype_of(value: ir.Value) -> DType:
    dtype = tensor_of(value.type).dtype
    assert dtype is not None
    return dtype


# Fills ----------------------------------------------------------------------------------------


def _fill_of(op: ir.OpView, facts: Facts) -> Result:
    """Movement of one value is that value."""
    fill: ir.Attribute | None = None
    for source in list(op.operands)[:-1]:
        found = facts.definition(source)
        if not isinstance(found, pg.MemsetOp):
            return None
        if fill is not None and fill != found.attributes["value"]:
            return None
        fill = found.attributes["value"]
    return None if fill is None else New(pg.MemsetOp, (), {"value": fill})


for _kind in (
    pg.MemcpyOp,
    pg.SliceOp,
    pg.TransposeOp,
    pg.ReverseOp,
    pg.BroadcastOp,
    pg.ConcatOp,
    pg.PadOp,
):
    single(_kind)(_fill_of)


# Ops that are simpler than they look ------------------------------------------------------------


def _if_other(op: ir.OpView, new: New) -> New | None:
    return None if isinstance(op, new.kind) else new


@single(pg.TransposeOp)
def _transpose(op: ir.OpView, facts: Facts) -> Result:
    if not forms.is_plain(op):
        return None
    return _if_other(op, forms.transposed(op.src, list(op.permutation)))


@single(pg.BroadcastOp)
def _broadcast(op: ir.OpView, facts: Facts) -> Result:
    return _if_other(op, forms.repeated(op.src, shape_of(op.dst), list(op.dims)))


@single(pg.ReverseOp)
def _reverse(op: ir.OpView, facts: Facts) -> Result:
    new = forms.reversed_(op.src, list(op.axes))
    fewer = new.kind is pg.ReverseOp and len(new.attributes["axes"]) < len(list(op.axes))
    return new if fewer else _if_other(op, new)


@single(pg.SliceOp)
def _slice(op: ir.OpView, facts: Facts) -> Result:
    return _if_other(op, forms.slice_of(op.src, Box.of(op), forms.is_flat(op)))


@single(pg.ConcatOp)
def _concat(op: ir.OpView, facts: Facts) -> Result:
    return _if_other(op, forms.joined(op.srcs, op.axis.value))


@single(pg.PadOp)
def _pad(op: ir.OpView, facts: Facts) -> Result:
    """Without padding a copy; with less than nothing on the edges a slice."""
    low, high, shape = list(op.low), list(op.high), shape_of(op.src)
    if any(v > 0 for v in (*low, *high)) or 0 in shape:
        return None
    if any(v and extent > 1 for v, extent in zip(op.interior, shape, strict=True)):
        return None
    counts = shape_of(op.dst)
    return forms.slice_of(op.src, Box([-v for v in low], [1] * len(shape), counts))


@single(pg.SelectOp)
def _select(op: ir.OpView, facts: Facts) -> Result:
    if op.on_true == op.on_false:
        return copy_of(op.on_true)
    found = facts.definition(op.pred)
    if isinstance(found, pg.MemsetOp):
        return copy_of(op.on_true if found.attributes["value"].value else op.on_false)
    return None


# Pairs of movements -----------------------------------------------------------------------------


@pair(pg.MemcpyOp, pg.MemcpyOp)
def _reshape_reshape(op: ir.OpView, inner: ir.OpView) -> Result:
    return copy_of(inner.src)


@pair(pg.TransposeOp, pg.TransposeOp)
def _transpose_transpose(op: ir.OpView, inner: ir.OpView) -> Result:
    if not (forms.is_plain(op) and forms.is_plain(inner)):
        return None
    first = list(inner.permutation)
    return forms.transposed(inner.src, [first[dim] for dim in op.permutation])


@pair(pg.ReverseOp, pg.ReverseOp)
def _reverse_reverse(op: ir.OpView, inner: ir.OpView) -> Result:
    axes = sorted(set(op.axes) ^ set(inner.axes))
    return forms.reversed_(inner.src, axes)


@pair(pg.BroadcastOp, pg.BroadcastOp)
def _broadcast_broadcast(op: ir.OpView, inner: ir.OpView) -> Result:
    outer = list(op.dims)
    return forms.repeated(inner.src, shape_of(op.dst), [outer[dim] for dim in inner.dims])


@pair(pg.BroadcastOp, pg.MemcpyOp)
def _broadcast_reshape(op: ir.OpView, inner: ir.OpView) -> Result:
    """The reshape only adds dimensions of extent 1."""
    shape, seen = shape_of(inner.src), shape_of(inner.dst)
    dims, at = [], 0
    for dim, extent in zip(op.dims, seen, strict=True):
        if at < len(shape) and shape[at] == extent:
            dims.append(dim)
            at += 1
        elif extent != 1:
            return None
    if at < len(shape):
        return None
    return forms.repeated(inner.src, shape_of(op.dst), dims)


@pair(pg.SliceOp, pg.SliceOp)
def slice_of_slice(op: ir.OpView, inner: ir.OpView) -> Result:
    flat = forms.is_flat(op)
    if 0 in shape_of(op.dst):
        return None
    outer, first = Box.of(op), Box.of(inner)
    if not flat and not forms.is_flat(inner):
        return forms.slice_of(inner.src, outer.inside(first))
    # As runs of elements, if both are such.
    run = outer if flat else forms.run_of_box(shape_of(op.src), outer)
    if not forms.is_flat(inner):
        first = forms.run_of_box(shape_of(inner.src), first)
    if run is None or first is None:
        return None
    return forms.slice_of(inner.src, run.inside(first), flat=True)


@pair(pg.SliceOp, pg.MemcpyOp)
def _slice_reshape(op: ir.OpView, inner: ir.OpView) -> Result:
    if forms.is_flat(op) or shape_of(inner.src) == shape_of(inner.dst):
        return forms.slice_of(inner.src, Box.of(op), forms.is_flat(op))
    return None


@pair(pg.MemcpyOp, pg.SliceOp)
def _reshape_slice(op: ir.OpView, inner: ir.OpView) -> Result:
    """A flattened slice may have any shape."""
    return forms.slice_of(inner.src, Box.of(inner), flat=True) if forms.is_flat(inner) else None


@pair(pg.SliceOp, pg.BroadcastOp)
def _slice_broadcast(op: ir.OpView, inner: ir.OpView) -> Result:
    """Fewer repetitions, if nothing is cut off the source."""
    if forms.is_flat(op) or 0 in shape_of(op.dst):
        return None
    counts, dst = Box.of(op).counts, shape_of(inner.dst)
    for dim, extent in zip(inner.dims, shape_of(inner.src), strict=True):
        if extent != 1 and counts[dim] != dst[dim]:
            return None
    return forms.repeated(inner.src, shape_of(op.dst), list(inner.dims))


@pair(pg.SliceOp, pg.ConcatOp)
def slice_of_concat(op: ir.OpView, inner: ir.OpView) -> Result:
    if forms.is_flat(op) or 0 in shape_of(op.dst):
        return None
    axis, box = inner.axis.value, Box.of(op)
    first, last = box.starts[axis], box.limits[axis] - 1
    at, taken, is_whole = 0, [], True
    for source in inner.srcs:
        extent = shape_of(source)[axis]
        if at <= first and last < at + extent:
            return forms.slice_of(source, box.moved(axis, -at))
        if first < at + extent and at <= last and extent:
            taken.append(source)
            is_whole &= first <= at and at + extent <= last + 1
        at += extent
    others = all(
        dim == axis or count == extent
        for dim, (count, extent) in enumerate(zip(box.counts, shape_of(op.src), strict=True))
    )
    if not is_whole or box.strides[axis] != 1 or not others:
        return Miss.SPANS
    return forms.joined(taken, axis)


@single(pg.ConcatOp)
def _concat_slices(op: ir.OpView, facts: Facts) -> Result:
    """Slices of one tensor that lie side by side."""
    axis = op.axis.value
    src, box = None, None
    for source in op.srcs:
        found = facts.definition(source)
        if not isinstance(found, pg.SliceOp) or forms.is_flat(found) or 0 in shape_of(source):
            return None
        part = Box.of(found)
        if src is None or box is None:
            src, box = found.src, part
            continue
        box = beside(box, part, axis) if found.src == src else None
        if box is None:
            return None
    return None if src is None or box is None else forms.slice_of(src, box)


def beside(a: Box, b: Box, axis: int) -> Box | None:
    """The box of both, the elements of `b` after those of `a` along an axis."""
    for dim in range(len(a.starts)):
        one = (a.starts[dim], a.counts[dim], a.strides[dim])
        if dim != axis and one != (b.starts[dim], b.counts[dim], b.strides[dim]):
            return None
    last = a.starts[axis] + (a.counts[axis] - 1) * a.strides[axis]
    step = b.starts[axis] - last
    for part in (a, b):
        if step < 1 or (part.counts[axis] > 1 and part.strides[axis] != step):
            return None
    strides, counts = list(a.strides), list(a.counts)
    strides[axis] = step
    counts[axis] += b.counts[axis]
    return Box(a.starts, strides, counts)


@single(pg.ConcatOp)
def _concat_concat(op: ir.OpView, facts: Facts) -> Result:
    """A source that is a concat along the same axis, and that nobody else reads."""
    axis = op.axis.value
    sources: list[ir.Value] = []
    for source in op.srcs:
        found = facts.definition(source)
        inner = isinstance(found, pg.ConcatOp) and found.axis.value == axis
        sources += found.srcs if inner and facts.is_only_reader(source) else [source]
    if len(sources) == len(op.srcs):
        return None
    return New(pg.ConcatOp, tuple(sources), {"axis": axis})


# What can be said again with another destination.
_MOVEMENTS = (pg.SliceOp, pg.TransposeOp, pg.BroadcastOp, pg.ReverseOp, pg.ConcatOp, pg.IotaOp)


@single(pg.MemcpyOp)
def _copy_of_movement(op: ir.OpView, facts: Facts) -> Result:
    """A plain copy of what is made for it alone."""
    src = op.src
    found = facts.definition(src)
    if not isinstance(found, _MOVEMENTS) or not facts.is_only_reader(src):
        return None
    if shape_of(src) != shape_of(op.dst):
        return None
    if isinstance(found, pg.TransposeOp) and not forms.is_plain(found):
        return None
    sources = tuple(found.operands)[:-1]
    names = {
        pg.SliceOp: ("starts", "limits", "strides", "access"),
        pg.TransposeOp: ("permutation",),
        pg.BroadcastOp: ("dims",),
        pg.ReverseOp: ("axes",),
        pg.ConcatOp: ("axis",),
        pg.IotaOp: ("axis",),
    }[type(found)]
    return New(type(found), sources, {name: found.attributes[name] for name in names})


# Casts ----------------------------------------------------------------------------------------

# Bits of the significand, and exponents of the largest and the smallest normal number.
_FLOATS = {"f32": (24, 127, -126), "bf16": (8, 127, -126), "f16": (11, 15, -14)}


def _integer(dtype: DType) -> tuple[int, int]:
    """The least and the greatest value."""
    kind = kind_of(dtype)
    if kind is Kind.BOOLEAN:
        return 0, 1
    bits = dtype.itemsize * 8
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind is Kind.SIGNED else (0, 2**bits - 1)


def survives(a: DType, b: DType) -> bool:
    """Whether a cast from `a` to `b` keeps every value: both zeros, infinities and NaN, too."""
    if a.is_float:
        if not b.is_float:
            return False
        (bits_a, high_a, low_a), (bits_b, high_b, low_b) = _FLOATS[a.mlir], _FLOATS[b.mlir]
        # Numbers below the normal ones have the place of the smallest one's last bit.
        tiny = low_b - bits_b <= low_a - bits_a
        return bits_a <= bits_b and high_a <= high_b and tiny
    low, high = _integer(a)
    if b.is_float:
        return max(-low, high).bit_length() <= _FLOATS[b.mlir][0]
    if kind_of(b) is Kind.BOOLEAN:
        return (low, high) == (0, 1)
    least, greatest = _integer(b)
    return least <= low and high <= greatest


def is_one_cast(a: DType, b: DType, c: DType) -> bool:
    """Whether a cast from `a` to `b` to `c` is the one from `a` to `c`, or none if they are one."""
    if survives(a, b):
        saturates = b.is_float and not a.is_float and not c.is_float
        return not saturates or survives(a, c) or kind_of(c) is Kind.BOOLEAN
    integers = not (a.is_float or b.is_float or c.is_float)
    if not integers or Kind.BOOLEAN in (kind_of(b), kind_of(c)):
        return False
    # Both wrap.
    return c.itemsize <= b.itemsize


@pair(pg.MemcastOp, pg.MemcastOp)
def _cast_cast(op: ir.OpView, inner: ir.OpView) -> Result:
    a, b, c = (dtype_of(value) for value in (inner.src, inner.dst, op.dst))
    if not is_one_cast(a, b, c):
        return Miss.LOSSY
    return copy_of(inner.src) if a is c else New(pg.MemcastOp, (inner.src,))


# Functions per element ---------------------------------------------------------------------------

_INVOLUTIONS = frozenset({Unary.NEGATE, Unary.NOT})
_IDEMPOTENT = frozenset(
    {Unary.ABS, Unary.CEIL, Unary.FLOOR, Unary.ROUND_NEAREST_AFZ, Unary.ROUND_NEAREST_EVEN}
)


@pair(pg.UnaryOp, pg.UnaryOp)
def _unary_unary(op: ir.OpView, inner: ir.OpView) -> Result:
    function = op.function.value
    if function != inner.function.value:
        return None
    if function in _INVOLUTIONS:
        return copy_of(inner.src)
    return copy_of(op.src) if function in _IDEMPOTENT else None


@single(pg.BinaryOp)
def _same_operands(op: ir.OpView, facts: Facts) -> Result:
    functions = (Binary.MAXIMUM, Binary.MINIMUM, Binary.AND, Binary.OR)
    return copy_of(op.lhs) if op.lhs == op.rhs and op.function.value in functions else None


@single(pg.BinaryOp)
def _neutral_operand(op: ir.OpView, facts: Facts) -> Result:
    """x + 0, x * 1 and their like: the other operand, where that is exact."""
    function = Binary(op.function.value)
    missed: Result = None
    for x, other, is_left in ((op.lhs, op.rhs, False), (op.rhs, op.lhs, True)):
        found = facts.definition(other)
        if not isinstance(found, pg.MemsetOp):
            continue
        neutral = _is_neutral(function, found.attributes["value"].value, dtype_of(x), is_left)
        if isinstance(neutral, Miss):
            missed = neutral
        elif neutral:
            return copy_of(x)
    return missed


def _is_neutral(
    function: Binary, value: "float | int | bool", dtype: DType, is_left: bool
) -> "bool | Miss":
    """Whether `f(x, value)`, or `f(value, x)` if `is_left`, is x for every x."""
    number = float(value)
    if dtype.is_float:
        zero = number == 0.0
        negative = math.copysign(1.0, number) < 0
        if function is Binary.ADD and zero:
            return negative or Miss.SIGNED_ZERO
        if function is Binary.SUBTRACT and zero and not is_left:
            return not negative or Miss.SIGNED_ZERO
        if function is Binary.MAXIMUM:
            return number == -math.inf
        if function is Binary.MINIMUM:
            return number == math.inf
    else:
        if kind_of(dtype) is Kind.BOOLEAN:
            value = int(bool(value))
        if function in (Binary.ADD, Binary.OR, Binary.XOR):
            return value == 0
        shifts = (Binary.SHIFT_LEFT, Binary.SHIFT_RIGHT_ARITHMETIC, Binary.SHIFT_RIGHT_LOGICAL)
        if function in (Binary.SUBTRACT, *shifts):
            return value == 0 and not is_left
        if function is Binary.AND and kind_of(dtype) is Kind.BOOLEAN:
            return value == 1
    if function is Binary.MULTIPLY:
        return number == 1.0
    return function is Binary.DIVIDE and number == 1.0 and not is_left


def bytes_of(op: ir.OpView) -> int:
    """The bytes that an op writes."""
    facts = tensor_of(destination(op).type)
    return prod(facts.shape) * (facts.dtype.itemsize if facts.dtype is not None else 1)
