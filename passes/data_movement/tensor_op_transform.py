"""Bring offloaded ops into the forms that the eliminations expect, and delete dead memcpys.

Spec: document 000, "TensorOpTransform" (names only: what they do here is a guess, but for what is
quoted).

| op | becomes | when |
|---|---|---|
| concat | memcpy | one source has elements (`canonicalizeOffloadedConcat`) |
| concat | concat of fewer | some sources have no elements |
| transpose | memcpy | the permutation is the identity, or moves dimensions of extent 1 only |
| slice | memcpy | it takes the whole source, in order |
| slice, flattened | slice, ndim | always: see below |
| memcpy | nothing | nobody reads its destination ("Delete dead offloadedMemCpy") |
| memcpy, a reshape of an IO tensor | a view | clauses below |

The identity rule, verbatim: "offloadedTranspose with identity permutation must be lowered to a
lower tensor op".

*Slices.* `canonicalizeFlattenedSubTensorAccess`: the elements of a flattened slice are a box of the
source, and the slice is the ndim slice of that box; the destination is seen as having the box's
shape. Else `linearizeOffloadedSlice`: source and destination are seen as having one dimension.
`canonicalizeNDimSubTensorAccess`: an ndim slice stays one, also a contiguous one, with limits and
strides that say no more than they must.

*IO tensors.* A memcpy between an IO tensor and an internal tensor of another shape is a reshape:
  "penguin.memcpy"(%in, %t) : 768 to 12x64          (gone)
  "penguin.unary"(%t, ...)                          %v = memref.reinterpret_cast %in : 768 to 12x64
                                                    "penguin.unary"(%v, ...)
The IO tensor is reshaped for its users inside, that is: they see it through a view. The option
"disable TensorOpTransform to perform reshape on IO tensors" forbids this, and views of IO tensors
for flattened slices. Legality, all of:
  (L1) the option is off;
  (L2) the other end is internal;
  (L3) both are in one memory, and the internal tensor is not rematerialised;
  (L4) nothing but the memcpy defines the destination of an input's reshape; everything that
       defines the source of an output's reshape comes before it;
  (L5) nothing overwrites in between what will be read, nor touches what will be written;
  (L6) no barrier is between;
  (L7) nothing accesses the internal tensor at computed indices, which would become those of the IO
       tensor: no generic access, and no gather unless only dimensions of extent 1 come and go.

Nothing is left of `splitAndTransformOffloadedMemCast`: a memcast has one shape by its verifier, so
its layout never changes. Of `replaceOpWithSubTensorOp` only the name is known.
Keeps: the order of the ops. Leaves alone: ops inside of loops.
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Kind, Step, Tensor
from penguin.dialects import penguin as pg
from penguin.mlir import ir
from penguin.passes.data_movement import _forms as forms
from penguin.passes.data_movement._dead_code import is_unread
from penguin.passes.data_movement._gathers import gather_through
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passes.data_movement._tensor_ops import Editor, New, Reason, destination, shape_of
from penguin.passlib import FunctionPass, Reject, Statistic, Unit, option

_IO = (Kind.INPUT, Kind.OUTPUT)


class Why(enum.Enum):
    """Reasons for an op that stays in a form that the eliminations do not expect."""

    IO_DISABLED = "disable TensorOpTransform to perform reshape on IO tensors"  # L1
    BOTH_IO = "both ends are seen from outside"  # L2
    SPACE = Reason.SPACE.value  # L3
    REMATERIALISED = Reason.REMATERIALISED.value  # L3
    DEFINED_TWICE = "the internal tensor is defined by more than the op"  # L4
    OVERWRITTEN = "the IO tensor is overwritten before the last read"  # L5
    USED_BEFORE = "the IO tensor is used between the first store and the op"  # L5
    BARRIER = Reason.BARRIER.value  # L6
    GENERIC = "used by a generic access, or by a gather, which becomes one"  # L7


@dataclass
class TensorOpTransform(FunctionPass):
    name = "tensor-op-transform"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    disable_tensor_op_io_reshape: bool = option(
        False, "disable TensorOpTransform to perform reshape on IO tensors"
    )

    canonical = Statistic("Number of offloaded ops canonicalized")
    reshaped = Statistic("Number of reshapes performed on IO tensors")
    reshaped_bytes = Statistic("Number of bytes of reshapes performed on IO tensors", Unit.BYTES)
    dead = Statistic("Delete dead offloadedMemCpy")

    def run(self, root: ir.OpView) -> None:
        _Transform(self, TensorUses(root.operation)).run()


class _Transform:
    """The work on one function."""

    def __init__(self, host: TensorOpTransform, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.editor, self.rewriter = Editor(host, uses), Rewriter(uses)
        self.by_kind: dict[type, Callable[[Step], None]] = {
            pg.ConcatOp: self.concat,
            pg.TransposeOp: self.transpose,
            pg.SliceOp: self.slice,
            pg.MemcpyOp: self.memcpy,
        }

    def run(self) -> None:
        for step in reversed(self.uses.steps):
            if type(step.op.opview) is pg.MemcpyOp:
                self.delete_dead_memcpy(step)
        for step in self.uses.steps:
            transform = self.by_kind.get(type(step.op.opview))
            if transform is not None and self.host.may_rewrite():
                transform(step)

    def delete_dead_memcpy(self, step: Step) -> None:
        dst = self.uses.tensor(destination(step.op))
        if step.is_barrier or not is_unread(dst, step) or not self.host.may_rewrite():
            return
        self.host.done(step.op, "DeadOffloadedMemCpy", Tensor=dst.name)
        self.host.dead += 1
        self.uses.erase(step)
        if not (dst.loads or dst.stores or dst.uses):
            self.uses.erase_tensor(dst)

    def replace(self, step: Step, new: New) -> None:
        self.host.done(step.op, "Canonicalized", To=new.kind.OPERATION_NAME)
        self.host.canonical += 1
        added = self.editor.replace(step, new)
        if new.kind is pg.MemcpyOp:
            self.memcpy(added)

    # One op each --------------------------------------------------------------------------------

    def concat(self, step: Step) -> None:
        view = step.op.opview
        new = forms.joined(view.srcs, view.axis.value)
        if len(new.sources) < len(view.srcs) or new.kind is not pg.ConcatOp:
            self.replace(step, new)

    def transpose(self, step: Step) -> None:
        view = step.op.opview
        if not forms.is_plain(view):
            return
        new = forms.transposed(view.src, list(view.permutation))
        if new.kind is not pg.TransposeOp:
            self.replace(step, new)

    def slice(self, step: Step) -> None:
        view = step.op.opview
        box = forms.Box.of(view)
        new = forms.slice_of(view.src, box, forms.is_flat(view))
        if new.kind is not pg.SliceOp:
            self.replace(step, new)
        elif forms.is_flat(view):
            self.flattened_slice(step, box)
        elif (box.limits, box.strides) != (tuple(view.limits), tuple(view.strides)):
            self.replace(step, new)

    def flattened_slice(self, step: Step, run: forms.Box) -> None:
        """As an ndim slice, with views where shapes do not fit."""
        view = step.op.opview
        src, dst = view.src, view.dst
        shape = shape_of(src)
        box = forms.box_of_run(shape, run.starts[0], run.strides[0], run.counts[0])
        if box is None:
            shape, box = (self.uses.tensor(src).count,), run
        wanted = [(src, shape), (dst, box.counts)]
        ends = [self.uses.tensor(v) for v, seen in wanted if shape_of(v) != seen]
        io = next((tensor for tensor in ends if tensor.kind in _IO), None)
        if io is not None and self.host.disable_tensor_op_io_reshape:
            self.host.decline(step.op, Reject(Why.IO_DISABLED, args={"Tensor": io.name}))
            return
        seen_src, seen_dst = (
            value if shape_of(value) == seen else self.rewriter.view(self.uses.tensor(value), seen)
            for value, seen in wanted
        )
        step.op.operands[1] = seen_dst
        self.replace(step, forms.slice_of(seen_src, box))

    def memcpy(self, step: Step) -> None:
        """A reshape of an IO tensor."""
        src, dst = (self.uses.tensor(value) for value in step.op.operands)
        if src.shape == dst.shape or not (src.kind is Kind.INPUT or dst.kind is Kind.OUTPUT):
            return
        if self.host.disable_tensor_op_io_reshape:
            self.host.decline(step.op, Reject(Why.IO_DISABLED))
            return
        if not (src.is_internal or dst.is_internal):
            self.host.decline(step.op, Reject(Why.BOTH_IO))
            return
        is_input = dst.is_internal
        reject = (self.reject_input if is_input else self.reject_output)(step, src, dst)
        io, internal = (src, dst) if is_input else (dst, src)
        reject = reject or self.reject_generic(internal, io)
        if reject is not None:
            self.host.decline(step.op, reject)
        elif self.host.may_rewrite():
            self.host.done(step.op, "ReshapedIO", Tensor=io.name, Internal=internal.name)
            self.host.reshaped += 1
            self.host.reshaped_bytes += io.nbytes
            self.see_through(step, io, internal)

    # Reshapes of IO tensors ---------------------------------------------------------------------

    def reject_common(self, src: Tensor, dst: Tensor) -> Reject | None:
        """(L3)"""
        if src.space != dst.space:
            return Reject(Why.SPACE)
        if src.is_rematerialised or dst.is_rematerialised:
            return Reject(Why.REMATERIALISED)
        return None

    def reject_generic(self, internal: Tensor, io: Tensor) -> Reject | None:
        """(L7)"""
        use = next(iter(internal.opaque), None) or gather_through(internal, io.shape)
        return None if use is None else Reject(Why.GENERIC, at=use.op)

    def reject_input(self, step: Step, src: Tensor, dst: Tensor) -> Reject | None:
        """Readers of `dst` would read the input."""
        reject = self.reject_common(src, dst)
        if reject is not None:
            return reject
        for writer in dst.writers:
            if writer.step is not step:
                return Reject(Why.DEFINED_TWICE, at=writer.op)
        last = dst.last_read
        writer = self.uses.written_between(src, step.order, last)
        if writer is not None:
            return Reject(Why.OVERWRITTEN, at=writer.op)
        first = min((r.step.order for r in dst.readers), default=last)
        if step.is_barrier or self.uses.crosses_barrier(min(first, step.order), last):
            return Reject(Why.BARRIER)
        return None

    def reject_output(self, step: Step, src: Tensor, dst: Tensor) -> Reject | None:
        """Whoever writes or reads `src` would do so to the output."""
        reject = self.reject_common(src, dst)
        if reject is not None:
            return reject
        for writer in src.writers:
            if writer.step.order >= step.order:
                return Reject(Why.DEFINED_TWICE, at=writer.op)
        first = min(src.first_write, min(r.step.order for r in src.readers))
        touch = next(self.uses.used_between(dst, first, step.order), None)
        if touch is not None:
            return Reject(Why.USED_BEFORE, at=touch.op)
        writer = self.uses.written_between(dst, step.order, src.last_read)
        if writer is not None:
            return Reject(Why.OVERWRITTEN, at=writer.op)
        if step.is_barrier or self.uses.crosses_barrier(first, max(step.order, src.last_read)):
            return Reject(Why.BARRIER)
        return None

    def see_through(self, step: Step, io: Tensor, internal: Tensor) -> None:
        """Everybody who used the internal tensor uses the IO tensor, under the same shapes."""
        self.uses.erase(step)
        for access in [*internal.loads, *internal.stores]:
            number = int(access.is_store)
            seen = shape_of(access.op.operands[number])
            access.op.operands[number] = self.rewriter.view(io, seen)
            self.uses.moved(access, access.op, io, None)
            access.view = seen
        for use in list(internal.uses):
            self.rewriter.replace_use(use, io)
        self.rewriter.forget_views(internal)
        self.uses.erase_tensor(internal)
