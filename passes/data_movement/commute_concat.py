"""Move ops through concats, one way or the other, where that exposes an elimination.

Spec: document 000, "Pipeline Placement" (the name; the body and the condition are not public: a
guess).

| before | after | what it exposes |
|---|---|---|
| f(concat(a, b)) | concat(f(a), f(b)) | a or b is made by an op that f undoes, or joins with |
| f(concat(a, b)) | concat(f(a), f(b)) | every reader slices one piece, or concatenates again |
| concat(f(a), f(b)) | f(concat(a, b)) | a and b are adjacent slices of one tensor |

f is a cast, a function per element, a transpose, a reverse along another axis, or a reshape that
keeps the elements before the axis together; the axis moves with it.

A candidate is an op of these on a concat, or a concat of ops that are all the same. Legality:
  (L1) what would be moved through has no other reader, and is internal: no work is done twice;
  (L2) something is exposed;
  (L3) the clauses of `_tensor_ops.py`.
New tensors are internal, in the memory of the op's result. Keeps: the order of the rest.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Step, Tensor
from penguin.dialects import penguin as pg
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._identities import (
    beside,
    dtype_of,
    is_one_cast,
)
from penguin.passes.data_movement._tensor_ops import (
    Editor,
    New,
    Reason,
    destination,
    is_buildable,
    shape_of,
)
from penguin.passlib import FunctionPass, Reject, Statistic

Shape = tuple[int, ...]
_FUNCTIONS = (pg.MemcastOp, pg.UnaryOp, pg.TransposeOp, pg.ReverseOp, pg.MemcpyOp)


class Why(enum.Enum):
    """Reasons for an op that stays on its side of a concat."""

    OTHER_READERS = "the tensor in between has other readers"  # L1
    NOTHING_EXPOSED = "no elimination would be exposed"  # L2
    OVERWRITTEN = Reason.OVERWRITTEN.value  # L3
    SHARED = Reason.SHARED.value  # L3
    BARRIER = Reason.BARRIER.value  # L3
    SPACE = Reason.SPACE.value  # L3
    REMATERIALISED = Reason.REMATERIALISED.value  # L3


@dataclass(frozen=True)
class Moved:
    """An op that was on a concat, for its pieces."""

    kind: type
    attributes: dict[str, ir.Attribute]
    axis: int
    shapes: tuple[Shape, ...]
    """Of the results for each source."""


def moved(op: ir.OpView, concat: ir.OpView) -> Moved | None:
    """The op for each source of a concat, and along what their results are joined."""
    axis, shapes = concat.axis.value, [shape_of(source) for source in concat.srcs]
    kind = type(op)
    if kind in (pg.MemcastOp, pg.UnaryOp):
        kept = {"function": op.attributes["function"]} if kind is pg.UnaryOp else {}
        return Moved(kind, kept, axis, tuple(shapes))
    if kind is pg.TransposeOp:
        if not forms.is_plain(op):
            return None
        order = list(op.permutation)
        turned = tuple(tuple(shape[dim] for dim in order) for shape in shapes)
        kept = {"permutation": op.attributes["permutation"]}
        return Moved(kind, kept, order.index(axis), turned)
    if kind is pg.ReverseOp:
        if axis in list(op.axes):
            return None
        return Moved(kind, {"axes": op.attributes["axes"]}, axis, tuple(shapes))
    return _reshaped(op, axis, shapes)


def _reshaped(op: ir.OpView, axis: int, shapes: Sequence[Shape]) -> Moved | None:
    """A reshape after which the pieces still lie side by side along one dimension."""
    old, new = shape_of(op.src), shape_of(op.dst)
    if 0 in old or old == new:
        return None
    outer = prod(old[:axis])
    for at in range(len(new)):
        if prod(new[:at]) != outer:
            continue
        unit = outer * prod(new[at + 1 :])
        if all(prod(shape) % unit == 0 for shape in shapes):
            pieces = [(*new[:at], prod(shape) // unit, *new[at + 1 :]) for shape in shapes]
            return Moved(pg.MemcpyOp, {}, at, tuple(pieces))
    return None


@dataclass
class CommuteConcat(FunctionPass):
    name = "commute-concat"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    above = Statistic("Number of ops moved before a concat")
    below = Statistic("Number of ops moved behind a concat")

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Commuter(self, Editor(self, uses))
        for step in uses.steps:
            if not self.may_rewrite():
                break
            view = step.op.opview
            if type(view) is pg.ConcatOp:
                work.behind(step)
            elif isinstance(view, _FUNCTIONS):
                work.before(step)
        work.editor.prune(list(work.passed)[::-1])


class _Commuter:
    """One function."""

    def __init__(self, host: CommuteConcat, editor: Editor) -> None:
        self.host, self.editor, self.uses = host, editor, editor.uses
        self.passed: dict[Tensor, None] = {}

    def is_only_reader(self, step: Step, tensor: Tensor) -> bool:
        return tensor.is_internal and {reader.step for reader in tensor.readers} == {step}

    # f(concat) to concat(f) ---------------------------------------------------------------------

    def before(self, step: Step) -> None:
        op = step.op.opview
        via = self.editor.definition(op.src, step)
        if via is None or type(via.op.opview) is not pg.ConcatOp:
            return
        concat = via.op.opview
        plan = moved(op, concat)
        if plan is None:
            return
        reject = self.reject_before(step, via, plan)
        if reject is not None:
            self.host.decline(step.op, reject)
            return
        self.host.done(step.op, "MovedBefore", Pieces=str(len(plan.shapes)))
        self.host.above += 1
        self.passed[self.uses.tensor(op.src)] = None
        pieces: list[ir.Value] = []
        for source, shape in zip(concat.srcs, plan.shapes, strict=True):
            piece = self.editor.temporary(shape, op.dst, step)
            self.editor.insert(New(plan.kind, (source,), plan.attributes), piece, step)
            pieces.append(piece)
        self.editor.replace(step, New(pg.ConcatOp, tuple(pieces), {"axis": plan.axis}))

    def reject_before(self, step: Step, via: Step, plan: Moved) -> Reject | None:
        op, concat = step.op.opview, via.op.opview
        if not self.is_only_reader(step, self.uses.tensor(op.src)):
            return Reject(Why.OTHER_READERS)
        exposed = any(self.joins(op, source, via) for source in concat.srcs)
        if not exposed and not self.is_taken_apart(step, plan):
            return Reject(Why.NOTHING_EXPOSED)
        return self.editor.reject_through(step, via, concat.srcs, self.uses.tensor(op.src))

    def joins(self, op: ir.OpView, source: ir.Value, concat: Step) -> bool:
        """Whether the op and what defines a source of the concat are one op, or none."""
        via = self.editor.definition(source, concat)
        if via is None or type(via.op.opview) is not type(op):
            return False
        inner = via.op.opview
        if isinstance(op, pg.MemcastOp):
            return is_one_cast(*(dtype_of(value) for value in (inner.src, inner.dst, op.dst)))
        if isinstance(op, pg.UnaryOp):
            function = op.function.value
            return function == inner.function.value and function in ("negate", "not")
        return True

    def is_taken_apart(self, step: Step, plan: Moved) -> bool:
        """Whether the readers take single pieces, or join the whole with more."""
        op = step.op.opview
        tensor = self.uses.tensor(op.dst)
        readers = list(tensor.reading)
        if not tensor.is_internal or tensor.loads or not readers:
            return False
        slabs = [shape[plan.axis] for shape in plan.shapes]
        for reader in readers:
            view = reader.op.opview
            if type(view) is pg.ConcatOp and view.axis.value == plan.axis:
                continue
            if type(view) is not pg.SliceOp or forms.is_flat(view) or reader.is_opaque:
                return False
            box, at = forms.Box.of(view), 0
            first, last = box.starts[plan.axis], box.limits[plan.axis]
            inside = False
            for slab in slabs:
                inside |= at <= first and last <= at + slab
                at += slab
            if not inside:
                return False
        return True

    # concat(f) to f(concat) ---------------------------------------------------------------------

    def behind(self, step: Step) -> None:
        concat = step.op.opview
        steps = [self.editor.definition(source, step) for source in concat.srcs]
        found = [via for via in steps if via is not None]
        if len(found) < 2 or len(found) < len(steps):
            return
        ops = [via.op.opview for via in found]
        axis = self.common_axis(concat, ops)
        if axis is None:
            return
        reject = self.reject_behind(step, found, axis)
        if reject is not None:
            self.host.decline(step.op, reject)
            return
        first = ops[0]
        self.host.done(step.op, "MovedBehind", Op=first.OPERATION_NAME)
        self.host.below += 1
        self.passed.update((self.uses.tensor(source), None) for source in concat.srcs)
        inner = [op.src for op in ops]
        shape = list(shape_of(inner[0]))
        shape[axis] = sum(shape_of(source)[axis] for source in inner)
        whole = self.editor.temporary(shape, inner[0], step)
        self.editor.insert(New(pg.ConcatOp, tuple(inner), {"axis": axis}), whole, step)
        kept = {name: first.attributes[name] for name in _ATTRIBUTES[type(first)]}
        self.editor.replace(step, New(type(first), (whole,), kept))

    def common_axis(self, concat: ir.OpView, ops: list[ir.OpView]) -> int | None:
        """The axis of the concat before the op, if it is one op on all sources."""
        first, axis = ops[0], concat.axis.value
        if type(first) not in _ATTRIBUTES:
            return None
        for op in ops:
            if type(op) is not type(first) or dtype_of(op.src) is not dtype_of(first.src):
                return None
            if any(op.attributes[n] != first.attributes[n] for n in _ATTRIBUTES[type(first)]):
                return None
        if isinstance(first, pg.TransposeOp):
            plain = all(forms.is_plain(op) for op in ops)
            return list(first.permutation)[axis] if plain else None
        return None if isinstance(first, pg.ReverseOp) and axis in list(first.axes) else axis

    def reject_behind(self, step: Step, found: list[Step], axis: int) -> Reject | None:
        tensors = [self.uses.tensor(destination(via.op)) for via in found]
        if not all(self.is_only_reader(step, tensor) for tensor in tensors):
            return Reject(Why.OTHER_READERS)
        sources = [via.op.opview.src for via in found]
        if not self.are_adjacent(found, sources, axis):
            return Reject(Why.NOTHING_EXPOSED)
        new = New(pg.ConcatOp, tuple(sources), {"axis": axis})
        if not is_buildable(new):
            return Reject(Why.NOTHING_EXPOSED)
        for via, source, tensor in zip(found, sources, tensors, strict=True):
            reject = self.editor.reject_through(step, via, (source,), tensor)
            if reject is not None:
                return reject
        return None

    def are_adjacent(self, found: list[Step], sources: list[ir.Value], axis: int) -> bool:
        """Whether the sources are slices of one tensor, side by side."""
        box, src = None, None
        for via, source in zip(found, sources, strict=True):
            made = self.editor.definition(source, via)
            if made is None or type(made.op.opview) is not pg.SliceOp:
                return False
            view = made.op.opview
            if forms.is_flat(view) or 0 in shape_of(source):
                return False
            if box is None:
                box, src = forms.Box.of(view), view.src
                continue
            box = beside(box, forms.Box.of(view), axis) if view.src == src else None
            if box is None:
                return False
        return True


_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    pg.MemcastOp: (),
    pg.UnaryOp: ("function",),
    pg.TransposeOp: ("permutation",),
    pg.ReverseOp: ("axes",),
}
