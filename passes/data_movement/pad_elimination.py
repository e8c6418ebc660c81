"""Drop writes of padding that nobody reads, or that is there already.

Spec: document 000, "PadElimination": "A simplification pass that can eliminate padding writes.";
its methods are `find_and_eliminate_pad` and `single_value_array`. What they test is a guess.

Before                                            After
  affine.for %i = 0 to 10                           (gone)
    affine.store %zero, %p[%i]
  affine.for %i = 0 to 8                            affine.for %i = 0 to 8
    affine.store %x, %p[%i + 1]                       affine.store %x, %p[%i + 1]
  affine.for %i = 0 to 8                            affine.for %i = 0 to 8
    %y = affine.load %p[%i + 1]                       %y = affine.load %p[%i + 1]

A candidate is a nest that does nothing but store one constant into one tensor that is written
again, before or after: that is how a pad is lowered. The constant may come from a tensor that holds
one value everywhere.

Legality, one of
  (L1) never read: each later reader's range lies in the box that one nest between the two stores;
  (L2) there already: an earlier nest has stored the same value to a box that holds this one's, and
       nothing has written the tensor since;
and always
  (L3) no generic access and no opaque use of the tensor;
  (L4) addresses are affine, one loop and stride 1 per dimension for the nest that overwrites.
A kernel's output is read by the caller, after the last step.
Keeps: everything else. Leaves alone: constants stored to tensors that have one writer.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from penguin import dtypes
from penguin.analysis.affine_form import FloorDiv
from penguin.analysis.nest import FOR, LOAD, STORE
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Kind, Step, Tensor, Use
from penguin.dialects.penguin import MemsetOp
from penguin.mlir import ir
from penguin.passlib import FunctionPass, Reject, Statistic
from penguin.passlib.patterns import Limit

Box = tuple[tuple[int, int], ...]


class Why(enum.Enum):
    """Reasons for padding that is written."""

    READ = "the padding is read"  # L1, L2
    GENERIC = "used by a generic access or an opaque op"  # L3
    ADDRESS = "an address is not affine"  # L4


@dataclass(eq=False)
class Padding:
    """A nest that stores one value; `step` is its place."""

    step: Step
    store: Access
    value: ir.Attribute


@dataclass
class PadElimination(FunctionPass):
    name = "pad-elimination"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    eliminated = Statistic("Number of padding eliminated")

    def __post_init__(self) -> None:
        # Of the function that the pass is at: looked up for the books, used, and kept current.
        self._uses: TensorUses | None = None

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        uses = self._uses_of(root)
        return [] if uses is None else [padding.step.op for padding in find_paddings(uses)]

    def _uses_of(self, root: ir.OpView) -> TensorUses | None:
        """The uses of tensors in a function; None if no nest looks like padding at all."""
        if self._uses is None or self._uses.function != root.operation:
            self._uses = TensorUses(root.operation) if _may_have_padding(root) else None
        return self._uses

    def bytes_of(self, op: ir.Operation) -> int:
        size, inner = 1, op
        while inner.name == FOR:
            size *= _trip_count(inner)
            inner = next(
                view.operation
                for view in inner.regions[0].blocks[0].operations
                if view.operation.name in (FOR, STORE)
            )
        return size * dtypes.of(inner.operands[1].type.element_type).itemsize

    def run(self, root: ir.OpView) -> None:
        uses = self._uses_of(root)
        if uses is None:
            return
        left = []
        for padding in find_paddings(uses):
            if not self.find_and_eliminate_pad(uses, padding):
                left.append(padding)
        for padding in left:
            if not _is_written_elsewhere(padding):
                # The other writer is gone: a constant, no padding any more.
                self.vanished(padding.step.op)
                continue
            reject = self.legality(padding)
            self.decline(padding.step.op, reject or Reject(Limit.REWRITE_LIMIT))

    def find_and_eliminate_pad(self, uses: TensorUses, padding: Padding) -> bool:
        """Erases one nest, if that is legal."""
        if not self.may_rewrite() or not _is_written_elsewhere(padding):
            return False
        if self.legality(padding) is not None:
            return False
        self.done(padding.step.op, "EliminatedPadding", To=padding.store.tensor.name)
        self.eliminated += 1
        uses.erase(padding.step)
        return True

    def legality(self, padding: Padding) -> Reject | None:
        """The first clause that fails."""
        tensor = padding.store.tensor
        args = {"To": tensor.name}
        for use in tensor.uses:
            if use.is_opaque:
                return Reject(Why.GENERIC, at=use.op, args=args)
        if any(a.forms is None for a in (*tensor.stores, *tensor.loads)):
            return Reject(Why.ADDRESS, args=args)
        if is_there_already(padding):
            return None
        reader = find_reader(padding)
        if reader is None:
            return None
        return Reject(Why.READ, at=None if reader is tensor else reader.op, args=args)


def _may_have_padding(root: ir.OpView) -> bool:
    """A cheap test before the uses of all tensors are looked up: does a nest look like one?"""
    block = root.operation.regions[0].blocks[0]
    return any(_stores_as_it_is(view.operation) for view in block.operations)


def _stores_as_it_is(op: ir.Operation) -> bool:
    """Whether the last store of a nest, down its first loops, is of a constant or a load."""
    while op.name == FOR:
        inner = [view.operation for view in op.regions[0].blocks[0].operations]
        op = next((each for each in inner if each.name == FOR), None) or next(
            (each for each in reversed(inner) if each.name == STORE), inner[-1]
        )
    if op.name != STORE:
        return False
    owner = op.operands[0].owner
    return not isinstance(owner, ir.Block) and owner.name in ("arith.constant", LOAD)


def find_paddings(uses: TensorUses) -> list[Padding]:
    """The candidates, in program order."""
    found = []
    for step in uses.steps:
        padding = padding_of(step, uses)
        if padding is not None and _is_written_elsewhere(padding):
            found.append(padding)
    return found


def padding_of(step: Step, uses: TensorUses) -> Padding | None:
    """The step as a store of one value, if that is all it does."""
    stores = [access for access in step.accesses if access.is_store]
    if len(stores) != 1 or step.uses or step.has_scopes or step.op.name != FOR:
        return None
    (store,) = stores
    if len(step.loops) != len(store.path) or len(store.tensor.may) != 1:
        return None
    value = constant_of(store.value, uses, store.step.order)
    return None if value is None else Padding(step, store, value)


def constant_of(value: ir.Value, uses: TensorUses, order: float) -> ir.Attribute | None:
    """The constant that a scalar is, also by way of a tensor that holds one value."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    if op.name == "arith.constant":
        return op.attributes["value"]
    if op.name != LOAD or not uses.has(op.operands[0]):
        return None
    return single_value_array(uses.tensor(op.operands[0]), uses, order)


def single_value_array(tensor: Tensor, uses: TensorUses, order: float) -> ir.Attribute | None:
    """The one value that a tensor holds everywhere: one memset defines it, before `order`."""
    writers = list(tensor.writers)
    if len(writers) != 1 or len(tensor.may) != 1 or tensor.kind is not Kind.INTERNAL:
        return None
    (writer,) = writers
    if not isinstance(writer, Use) or writer.is_opaque or writer.step.order >= order:
        return None
    is_memset = writer.op.name == MemsetOp.OPERATION_NAME
    return writer.op.attributes["value"] if is_memset else None


def _is_written_elsewhere(padding: Padding) -> bool:
    return any(w.step is not padding.step for w in padding.store.tensor.writers)


def is_there_already(padding: Padding) -> bool:
    """(L2)"""
    tensor, order = padding.store.tensor, padding.step.order
    before = [w for w in tensor.writers if w.step.order < order]
    last = max(before, key=lambda w: w.step.order, default=None)
    if last is None:
        return False
    if isinstance(last, Use):
        same = last.op.name == MemsetOp.OPERATION_NAME and last.op.attributes["value"]
        return same == padding.value
    box, here = stored_box(last), range_of(padding.store)
    if box is None or not _holds(box, here) or sum(a.is_store for a in last.step.accesses) != 1:
        return False
    owner = last.value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "arith.constant":
        return False
    return owner.operation.attributes["value"] == padding.value


def find_reader(padding: Padding) -> "Access | Use | Tensor | None":
    """(L1) Who reads what was written here and not overwritten; the tensor stands for a caller."""
    tensor, order = padding.store.tensor, padding.step.order
    later = [
        (store.step.order, box)
        for store in tensor.stores
        if store.step.order > order and (box := stored_box(store)) is not None
    ]
    whole = tuple((0, extent - 1) for extent in tensor.shape)
    later += [(u.step.order, whole) for u in tensor.uses if u.writes and u.step.order > order]
    for reader in tensor.readers:
        until = reader.step.order
        if until <= order:
            continue
        wanted = range_of(reader) if isinstance(reader, Access) else whole
        if not any(at < until and _holds(box, wanted) for at, box in later):
            return reader
    if tensor.kind is not Kind.INTERNAL and not any(_holds(box, whole) for _, box in later):
        return tensor
    return None


def stored_box(store: Access) -> Box | None:
    """The elements that a nest stores for sure, if they are a box."""
    if store.step.has_scopes or store.forms is None:
        return None
    seen: set[int] = set()
    box = []
    for form in store.forms:
        low = high = form.const
        for atom, coefficient in form.terms:
            if isinstance(atom, FloorDiv) or abs(coefficient) != 1 or atom in seen:
                return None
            if len(form.terms) > 1:
                return None
            seen.add(atom)
            low, high = store.step.space.bounds(form)
        box.append((low, high))
    # Another loop around would be run again, or never.
    return tuple(box) if all(loop.extent for loop in store.path) else None


def range_of(access: Access) -> Box:
    """What an access touches at most, per dimension."""
    space = access.step.space
    return tuple(space.bounds(form) for form in access.forms or ())


def _holds(box: Box, other: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(box, other, strict=True))


def _trip_count(loop: ir.Operation) -> int:
    low, high = (
        ir.AffineMapAttr(loop.attributes[key]).value.results[0].value
        for key in ("lowerBoundMap", "upperBoundMap")
    )
    return max(0, -(-(high - low) // ir.IntegerAttr(loop.attributes["step"]).value))
