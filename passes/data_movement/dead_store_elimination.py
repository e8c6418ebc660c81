"""Erase writes that are overwritten before anybody reads them, or never read.

Spec: document 000, "Pipeline Placement" (the name; the body is not public: a guess).

Before                                            After
  "penguin.memset"(%t) {value = 0}                  (gone)
  affine.for %i ... affine.store %v, %t[%i]         affine.for %i ... affine.store %v, %t[%i]

Steps are visited last to first. Of each buffer it is known which boxes of it will be overwritten
before they are read, and whether it is never read again, which only an internal tensor is at the
end. A write into these boxes is dead: an op goes as a whole, in a nest the store with what it alone
needs. What an op writes is the whole tensor. What a store certainly overwrites is a box if each of
its indices is a constant or a loop's variable of its own, and nothing but loops is around it; what
it overwrites at most is the box of its bounds. Several boxes may cover a write together, up to 16
pieces (a guess).

A candidate is a write that is never read, or overlaps such a box. Legality, all of:
  (L1) the boxes cover all that it may write;
  (L2) the step does not itself read the tensor in a nest: in which order is not asked;
  (L3) no barrier is between the write and what overwrites it, nor is the op one;
  (L4) an op that writes several tensors writes none that is needed.
Keeps: the order of the rest. Leaves alone: stores with computed indices.
"""

import enum
from dataclasses import dataclass, field

from penguin.analysis.affine_form import FloorDiv
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Step, Tensor, Use
from penguin.mlir import ir
from penguin.passes.data_movement._dead_code import Sweep
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passes.data_movement._tensor_ops import is_tensor_op
from penguin.passlib import FunctionPass, Reject, Statistic, Unit

# Into how many pieces what is not covered yet may fall (a guess).
MAX_PIECES = 16

Box = tuple[tuple[int, int], ...]


class Why(enum.Enum):
    """Reasons for a write that stays."""

    NOT_COVERED = "what overwrites the tensor does not cover the write"  # L1
    SELF_READ = "the nest reads the tensor itself"  # L2
    BARRIER = "a barrier is between"  # L3
    OTHER_NEEDED = "another tensor that the op writes is needed"  # L4


@dataclass
class _Later:
    """What happens to a buffer after the place that the sweep has reached."""

    never_read: bool
    # Boxes of one tensor of the group, and the step that overwrites each.
    boxes: list[tuple[Tensor, Box, float]] = field(default_factory=list)

    def forget(self) -> None:
        """Something reads the buffer."""
        self.never_read = False
        self.boxes.clear()


@dataclass
class DeadStoreElimination(FunctionPass):
    name = "dead-store-elimination"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    stores = Statistic("Number of dead stores eliminated")
    ops = Statistic("Number of dead tensor ops eliminated")
    nbytes = Statistic("Number of bytes of tensors that are not written any more", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        work = _Sweep(self, uses)
        for step in reversed(uses.steps):
            work.visit(step)


class _Sweep:
    """One function, last step to first."""

    def __init__(self, host: DeadStoreElimination, uses: TensorUses) -> None:
        self.host, self.uses = host, uses
        self.rewriter = Rewriter(uses)
        self.later: dict[Tensor, _Later] = {}

    def of(self, tensor: Tensor) -> _Later:
        """What is known of the buffer that a tensor is in."""
        key = tensor.group[0]
        if key not in self.later:
            self.later[key] = _Later(never_read=tensor.is_internal)
        return self.later[key]

    def visit(self, step: Step) -> None:
        if is_tensor_op(step.op):
            gone = self.whole(step)
        else:
            step, gone = self.nest(step)
        if not gone:
            self.enter(step)

    def whole(self, step: Step) -> bool:
        """A tensor op; whether it went."""
        written = [use for use in step.uses if use.writes]
        verdicts = [self.verdict(use, whole(use.tensor)) for use in written]
        if all(verdict is None for verdict in verdicts) or not self.host.may_rewrite():
            return False
        reject = next((v for v in verdicts if isinstance(v, Why)), None)
        if reject is None and None in verdicts:
            reject = Why.OTHER_NEEDED
        if reject is not None:
            self.host.decline(step.op, Reject(reject, args={"Tensor": written[0].tensor.name}))
            return False
        self.host.done(step.op, "DeadStore", Tensor=written[0].tensor.name)
        self.host.ops += 1
        self.host.nbytes += sum(use.tensor.nbytes for use in written)
        self.uses.erase(step)
        return True

    def nest(self, step: Step) -> tuple[Step, bool]:
        """The stores of a nest; the step as it is then, and whether it went."""
        read = {access.tensor.group[0] for access in step.accesses if not access.is_store}
        read.update(use.tensor.group[0] for use in step.uses if use.reads)
        dead: list[Access] = []
        for access in [access for access in step.accesses if access.is_store]:
            verdict = self.verdict(access, bounds(access))
            if verdict is None or not self.host.may_rewrite():
                continue
            if access.tensor.group[0] in read:
                verdict = Why.SELF_READ
            if isinstance(verdict, Why):
                self.host.decline(access.op, Reject(verdict, args={"Tensor": access.tensor.name}))
                continue
            self.host.done(access.op, "DeadStore", Tensor=access.tensor.name)
            self.host.stores += 1
            self.host.nbytes += access.tensor.nbytes
            dead.append(access)
        if not dead:
            return step, False
        only = len(dead) == sum(access.is_store for access in step.accesses)
        for access in dead:
            self.rewriter.drop_store(access)
        if only and not step.accesses and not step.uses:
            # `drop_store` has erased a step that does nothing else.
            return step, True
        sweep = Sweep(lambda op: False)
        sweep.clean(step.op)
        if not sweep.erased:
            return step, False
        return self.uses.rescan(step), False

    def verdict(self, writer: "Access | Use", box: Box) -> "bool | Why | None":
        """True if a write is dead, None if it is needed, else why it stays."""
        tensor, order = writer.tensor, writer.step.order
        if tensor.perhaps is not None:
            return None
        later = self.of(tensor)
        if later.never_read:
            return Why.BARRIER if writer.step.is_barrier else True
        near = [
            (over, at)
            for owner, over, at in later.boxes
            if owner is tensor and overlap(over, box) is not None
        ]
        if not near:
            return None
        left: list[Box] | None = [box]
        for over, _ in near:
            left = without(left, over)
            if left is None:
                return Why.NOT_COVERED
        if left:
            return Why.NOT_COVERED
        last = max(at for _, at in near)
        if writer.step.is_barrier or self.uses.crosses_barrier(order, last):
            return Why.BARRIER
        return True

    def enter(self, step: Step) -> None:
        """What a step that stays means for the ones before it."""
        touches: list[Access | Use] = [*step.accesses, *step.uses]
        read: set[Tensor] = set()
        for touch in touches:
            reads = touch.reads if isinstance(touch, Use) else not touch.is_store
            if reads or (isinstance(touch, Use) and touch.is_opaque):
                read.add(touch.tensor.group[0])
        for touch in touches:
            later = self.of(touch.tensor)
            if touch.tensor.group[0] in read:
                later.forget()
                continue
            box = covered(touch)
            if box is None:
                continue
            if box == whole(touch.tensor):
                later.boxes.clear()
            if len(later.boxes) < MAX_PIECES:
                later.boxes.append((touch.tensor, box, step.order))


# Boxes: intervals with both ends included ---------------------------------------------------------


def whole(tensor: Tensor) -> Box:
    return tuple((0, extent - 1) for extent in tensor.shape)


def bounds(access: Access) -> Box:
    """All that an access may touch."""
    if access.forms is None or any(extent == 0 for extent in access.step.extents.values()):
        return whole(access.tensor)
    space = access.step.space
    return tuple(space.bounds(form) for form in access.forms)


def covered(touch: "Access | Use") -> Box | None:
    """What a step certainly overwrites; None if nothing is certain."""
    if isinstance(touch, Use):
        return whole(touch.tensor)
    if touch.forms is None or touch.step.has_scopes:
        return None
    if any(loop.extent is None or loop.extent == 0 for loop in touch.path):
        return None
    seen: set[int] = set()
    box: list[tuple[int, int]] = []
    for form in touch.forms:
        if len(form.terms) > 1:
            return None
        for atom, coefficient in form.terms:
            if isinstance(atom, FloorDiv) or abs(coefficient) != 1 or atom in seen:
                return None
            seen.add(atom)
        box.append(touch.step.space.bounds(form))
    return tuple(box)


def overlap(a: Box, b: Box) -> Box | None:
    found = tuple((max(x[0], y[0]), min(x[1], y[1])) for x, y in zip(a, b, strict=True))
    return found if all(low <= high for low, high in found) else None


def without(boxes: list[Box], cut: Box) -> list[Box] | None:
    """What is left of some boxes without another; None if that is too many pieces."""
    left: list[Box] = []
    for box in boxes:
        common = overlap(box, cut)
        if common is None:
            left.append(box)
            continue
        rest = list(box)
        for dim, (low, high) in enumerate(common):
            start, end = rest[dim]
            for piece in ((start, low - 1), (high + 1, end)):
                if piece[0] <= piece[1]:
                    left.append((*rest[:dim], piece, *rest[dim + 1 :]))
            rest[dim] = (low, high)
        if len(left) > MAX_PIECES:
            return None
    return left
