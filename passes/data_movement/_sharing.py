"""Whether several tensors could be one buffer, and what of the schedule is in the way.

`Sharing.clash` runs the schedule once, on numbers instead of elements: each tensor has a number for
its contents, and so has the buffer that would be all of them. A write gives a new number to what it
writes and to the buffer; a copy between two of the tensors gives the one the other's. Then the
tensors can be one buffer if all of these hold:
  (S1) whenever one of them is read, or written in part, the buffer has its contents: what was
       written last is what the separate tensors would hold;
  (S2) an op that reads some of them and writes one works in place: each element is written after
       the op's last read of it. That are element-wise ops and copies of one type, and loop nests
       whose accesses to the tensors are all at one and the same element per iteration, a different
       one in each, loads before the store;
  (S3) no op writes two of them;
  (S4) they are of one type, at most one of them is an input, and one an output, of one buffer,
       and nothing else may be it.
What touches a tensor in a way that is not known counts as a read of all and a write of a part of
it, which is never in place.
Linear in the number of accesses to the tensors, apart from sorting them.
"""

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from penguin.analysis.affine_form import Form
from penguin.analysis.aliases import faults
from penguin.analysis.nest import flatten
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Kind, Step, Tensor, Use
from penguin.dialects.penguin import BinaryOp, MemcpyOp, SelectOp, TernaryOp, UnaryOp
from penguin.dialects.penguin.attributes import ALIAS
from penguin.passes.data_movement._addresses import is_injective
from penguin.passlib import FunctionPass

# Element `i` of the destination depends on no other element of a source of the same shape.
POINTWISE = (UnaryOp, BinaryOp, TernaryOp, SelectOp)
# What a function's caller may look at, before or after.
_OUTSIDE_BEFORE = (Kind.INPUT, Kind.UNKNOWN)
_OUTSIDE_AFTER = (Kind.OUTPUT, Kind.UNKNOWN)

Group = Sequence[Tensor]


class Clause(enum.Enum):
    """What does not hold."""

    OVERWRITTEN = "a tensor is read after the buffer has been overwritten"  # S1
    NOT_IN_PLACE = "an op would overwrite elements that it reads later"  # S2
    WRITES_TWO = "an op writes two of the tensors"  # S3
    KINDS = "the tensors are of several types, or several inputs or outputs"  # S4


@dataclass(frozen=True)
class Clash:
    """A clause that fails at a step (None: at the end), for a tensor; `by` wrote the buffer."""

    clause: Clause
    step: Step | None
    tensor: Tensor
    by: Step | None = None


@dataclass(eq=False)
class _Touch:
    """What one step does to the tensors: numbers of groups that it reads, or writes in part."""

    step: Step
    reads: set[int]
    fills: set[int]
    parts: set[int]


class Sharing:
    """Asks about the tensors of one function."""

    def __init__(self, uses: TensorUses) -> None:
        self.uses = uses

    def clash(self, groups: Sequence[Group], *, strict: bool = False) -> Clash | None:
        """The first clause that forbids one buffer for all groups, each of which is one already.

        What was never written may be anything, unless `strict`: then reading it, or writing a part,
        is a clash.
        """
        problem = _kinds(groups)
        if problem is not None:
            return problem
        number = {tensor: k for k, group in enumerate(groups) for tensor in group}
        versions: list[int | None] = [None] * len(groups)
        buffer: int | None = None
        for k, group in enumerate(groups):
            if any(tensor.kind in _OUTSIDE_BEFORE for tensor in group):
                versions[k] = buffer = 0
        written_by: Step | None = None
        for count, touch in enumerate(self._touches(number), 1):
            step = touch.step
            for k in sorted(touch.reads | touch.parts):
                if versions[k] != buffer and (strict or versions[k] is not None):
                    return Clash(Clause.OVERWRITTEN, step, groups[k][0], written_by)
            written = touch.fills | touch.parts
            if not written:
                continue
            target = min(written)
            if len(written) > 1:
                return Clash(Clause.WRITES_TWO, step, groups[target][0])
            if touch.reads - written:
                source = min(touch.reads - written)
                if is_copy(step) and not touch.parts:
                    versions[target] = versions[source]
                    continue
                if not in_place(step, number):
                    return Clash(Clause.NOT_IN_PLACE, step, groups[source][0])
            versions[target] = buffer = count
            written_by = step
        for k, group in enumerate(groups):
            seen = any(tensor.kind in _OUTSIDE_AFTER for tensor in group)
            if seen and versions[k] is not None and versions[k] != buffer:
                return Clash(Clause.OVERWRITTEN, None, group[0], written_by)
        return None

    def _touches(self, number: dict[Tensor, int]) -> list[_Touch]:
        """The steps that touch the tensors, in order."""
        found: dict[Step, _Touch] = {}

        def touch(step: Step) -> _Touch:
            if step not in found:
                found[step] = _Touch(step, set(), set(), set())
            return found[step]

        for tensor, k in number.items():
            for load in tensor.loads:
                touch(load.step).reads.add(k)
            for store in tensor.stores:
                entry = touch(store.step)
                (entry.fills if fills(store) else entry.parts).add(k)
            for use in tensor.uses:
                entry = touch(use.step)
                if use.reads:
                    entry.reads.add(k)
                if use.writes:
                    (entry.parts if use.is_opaque else entry.fills).add(k)
        for entry in found.values():
            # A nest that writes a part before it writes all of it depends on what was there.
            entry.fills -= entry.parts
        return sorted(found.values(), key=lambda entry: entry.step.order)


def _kinds(groups: Sequence[Group]) -> Clash | None:
    first = groups[0][0]
    befores, afters = 0, 0
    for group in groups:
        befores += any(tensor.kind in _OUTSIDE_BEFORE for tensor in group)
        afters += any(tensor.kind in _OUTSIDE_AFTER for tensor in group)
        for tensor in group:
            other = tensor.value.type != first.value.type or tensor.kind is Kind.CONSTANT
            if other or tensor.perhaps is not None:
                return Clash(Clause.KINDS, None, tensor)
        if befores > 1 or afters > 1:
            return Clash(Clause.KINDS, None, group[0])
    return None


def is_copy(step: Step) -> bool:
    """Whether all that a step does is to copy a whole tensor, element by element, to another."""
    if step.op.name == MemcpyOp.OPERATION_NAME:
        return True
    if len(step.accesses) != 2 or step.uses or step.has_scopes:
        return False
    load, store = step.accesses
    if load.is_store or not store.is_store or store.value != load.value:
        return False
    flat = flat_of(load)
    return flat is not None and flat == flat_of(store) and fills(store)


def in_place(step: Step, members: Collection[Tensor]) -> bool:
    """(S2) for a step that reads some of the tensors and writes one of them."""
    if any(use.tensor in members for use in step.uses):
        return isinstance(step.op.opview, (*POINTWISE, MemcpyOp))
    accesses = [access for access in step.accesses if access.tensor in members]
    stores = [access for access in accesses if access.is_store]
    # In the order of the program; a store comes after all loads.
    if step.has_scopes or accesses[len(accesses) - len(stores) :] != stores:
        return False
    flats = {flat_of(access) for access in accesses}
    return len(flats) == 1 and None not in flats and all(is_injective(store) for store in stores)


def flat_of(access: Access) -> Form | None:
    """The row-major number of the element that is touched."""
    forms = access.forms
    return None if forms is None else flatten(access.tensor.shape, forms)


def fills(store: Access) -> bool:
    """Whether a store writes every element of its tensor."""
    if store.step.has_scopes or not is_injective(store):
        return False
    total = 1
    for loop in store.path:
        assert loop.extent is not None
        total *= loop.extent
    return total == store.tensor.count


def reads_of(step: Step) -> list[Access | Use]:
    """What a step reads, each tensor once, in its order."""
    found: dict[Tensor, Access | Use] = {}
    for touch in (*step.accesses, *step.uses):
        if not touch.is_store if isinstance(touch, Access) else touch.reads:
            found.setdefault(touch.tensor, touch)
    return list(found.values())


def writes_of(step: Step) -> list[Tensor]:
    """The tensors that a step writes."""
    found = dict.fromkeys(access.tensor for access in step.accesses if access.is_store)
    found |= dict.fromkeys(use.tensor for use in step.uses if use.writes)
    return list(found)


def has_aliased_outputs(func: Any) -> bool:
    """Whether an output is declared to be in the buffer of an input."""
    attributes = func.operation.attributes
    return "arg_attrs" in attributes and any(ALIAS in each for each in attributes["arg_attrs"])


def report_faults(host: FunctionPass, func: Any) -> bool:
    """Reports the declarations of a function that do not hold; whether there are any."""
    for fault in faults(func):
        host.error(fault.where, fault.code, fault.message, at=fault.notes)
    return host.failed
