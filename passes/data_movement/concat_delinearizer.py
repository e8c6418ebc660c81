"""Concats along an axis that was flattened become concats along an outer axis.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

Before                                            After
  "penguin.memcpy"(%a, %t) : 3x64 to 192            (gone, if nobody else reads %t)
  "penguin.memcpy"(%b, %u) : 5x64 to 320            (gone)
  "penguin.concat"(%t, %u, %c) {axis = 0}           "penguin.concat"(%a, %b, %v) {axis = 0}
    : 192 + 320 -> 512                                : 3x64 + 5x64 -> 8x64

`%v` is `%c` seen as 8x64, a view: the bytes are the same ones. The shape comes from the first of
  1. a source that is a reshape: the shape before it;
  2. a reader that is a reshape: the shape after it;
  3. for a concat of tensors of one dimension: the greatest common divisor of their extents as the
     inner extent, if it is at least `min-inner` (64, a guess).
Sources that do not come from such a shape are seen through views.

A candidate is a concat with one of these. Legality, all of:
  (L1) the extents of all sources are multiples of the inner extent (`UNALIGNED`, and for 3.
       `TOO_SMALL`);
  (L2) for a source that is read before its reshape, the clauses of `_tensor_ops.py`; where one
       fails the source is seen through a view, and where none is left to gain that is the reason.
Keeps: the order of the ops, and of the sources. Leaves alone: concats of the other kinds.
"""

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Step, Tensor
from penguin.dialects import penguin as pg
from penguin.mlir import ir
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passes.data_movement._tensor_ops import Editor, New, Reason, shape_of
from penguin.passlib import FunctionPass, Reject, Statistic, option

Shape = tuple[int, ...]


class Why(enum.Enum):
    """Reasons for a concat that stays along a flattened axis."""

    UNALIGNED = "the extents of the sources are no multiples of one inner extent"  # L1
    TOO_SMALL = "the common inner extent is too small"  # L1
    OVERWRITTEN = Reason.OVERWRITTEN.value  # L2
    SHARED = Reason.SHARED.value  # L2
    BARRIER = Reason.BARRIER.value  # L2
    SPACE = Reason.SPACE.value  # L2
    REMATERIALISED = Reason.REMATERIALISED.value  # L2


@dataclass(frozen=True)
class Layout:
    """Dimensions before and after the new axis."""

    outer: Shape
    tail: Shape

    def shape(self, count: int) -> Shape | None:
        """The shape for so many elements."""
        extent, rest = divmod(count, prod(self.outer) * prod(self.tail))
        return None if rest else (*self.outer, extent, *self.tail)


@dataclass
class ConcatDelinearizer(FunctionPass):
    name = "concat-delinearizer"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    min_inner: int = option(64, "least inner extent that is made without a reshape to follow")

    delinearized = Statistic("Number of concats delinearized")
    reshapes = Statistic("Number of sources read before their reshape")

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Delinearizer(self, uses)
        for step in uses.steps:
            if type(step.op.opview) is pg.ConcatOp and self.may_rewrite():
                work.visit(step)
        work.editor.prune(list(work.passed)[::-1])


class _Delinearizer:
    """One function."""

    def __init__(self, host: ConcatDelinearizer, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.editor, self.rewriter = Editor(host, uses), Rewriter(uses)
        self.passed: dict[Tensor, None] = {}

    def visit(self, step: Step) -> None:
        view = step.op.opview
        srcs, dst = view.srcs, view.dst
        if 0 in shape_of(dst):
            return
        before = [self.before(source, step) for source in srcs]
        reject: Reject | None = None
        for layout, is_hint in self.layouts(step, before):
            shapes = [layout.shape(prod(shape_of(source))) for source in srcs]
            if None in shapes:
                reject = reject or Reject(Why.UNALIGNED)
                continue
            if not is_hint and prod(layout.tail) < self.host.min_inner:
                too_small = {"Inner": str(prod(layout.tail)), "Least": str(self.host.min_inner)}
                reject = reject or Reject(Why.TOO_SMALL, args=too_small)
                continue
            direct: list[ir.Value | None] = []
            for source, origin, shape in zip(srcs, before, shapes, strict=True):
                found, failed = self.direct(step, source, origin, shape)
                direct.append(found)
                reject = reject or failed
            whole = layout.shape(prod(shape_of(dst)))
            gains = any(value is not None for value in direct) or self.is_read_as(dst, whole)
            if is_hint and not gains:
                continue
            self.rewrite(step, len(layout.outer), shapes, direct, whole)
            return
        if reject is not None:
            self.host.decline(step.op, reject)

    def before(self, source: ir.Value, step: Step) -> Step | None:
        """The reshape that defines a source."""
        via = self.editor.definition(source, step)
        if via is None or type(via.op.opview) is not pg.MemcpyOp:
            return None
        return via if shape_of(via.op.operands[0]) != shape_of(source) else None

    def layouts(self, step: Step, before: list[Step | None]) -> Iterator[tuple[Layout, bool]]:
        """What the concat could be along, and whether a reshape asks for it."""
        view = step.op.opview
        axis, dst = view.axis.value, shape_of(view.dst)
        outer, inner = prod(dst[:axis]), prod(dst[axis + 1 :])
        shapes = [shape_of(via.op.operands[0]) for via in before if via is not None]
        for use in self.uses.tensor(view.dst).reading:
            if type(use.op.opview) is pg.MemcpyOp and not use.is_opaque:
                shapes.append(shape_of(use.op.operands[1]))
        for shape in dict.fromkeys(shapes):
            for at in range(len(shape)):
                if prod(shape[:at]) == outer and prod(shape[at + 1 :]) > inner:
                    yield Layout(shape[:at], shape[at + 1 :]), True
                    break
        if len(dst) == 1:
            size = math.gcd(*(shape_of(source)[0] for source in view.srcs))
            if 1 < size < dst[0]:
                yield Layout((), (size,)), False

    def direct(
        self, step: Step, source: ir.Value, origin: Step | None, shape: Shape | None
    ) -> tuple[ir.Value | None, Reject | None]:
        """What a source is a reshape of, if that can be read in its place."""
        if origin is None:
            return None, None
        value = origin.op.operands[0]
        if shape_of(value) != shape:
            return None, None
        reject = self.editor.reject_through(step, origin, (value,), self.uses.tensor(source))
        return (value, None) if reject is None else (None, reject)

    def is_read_as(self, dst: ir.Value, shape: Shape | None) -> bool:
        return any(
            type(use.op.opview) is pg.MemcpyOp and shape_of(use.op.operands[1]) == shape
            for use in self.uses.tensor(dst).reading
        )

    def rewrite(
        self,
        step: Step,
        axis: int,
        shapes: "list[Shape | None]",
        direct: "list[ir.Value | None]",
        whole: Shape | None,
    ) -> None:
        view = step.op.opview
        assert whole is not None
        sources: list[ir.Value] = []
        for source, value, shape in zip(view.srcs, direct, shapes, strict=True):
            tensor = self.uses.tensor(source)
            if value is not None:
                self.passed[tensor] = None
                self.host.reshapes += 1
                sources.append(value)
                continue
            assert shape is not None
            seen = source if shape_of(source) == shape else self.rewriter.view(tensor, shape)
            sources.append(seen)
        dst = view.dst
        if shape_of(dst) != whole:
            operands = len(step.op.operands)
            step.op.operands[operands - 1] = self.rewriter.view(self.uses.tensor(dst), whole)
        text = "x".join(map(str, whole))
        self.host.done(step.op, "Delinearized", Axis=str(axis), Shape=text)
        self.host.delinearized += 1
        self.editor.replace(step, New(pg.ConcatOp, tuple(sources), {"axis": axis}))
