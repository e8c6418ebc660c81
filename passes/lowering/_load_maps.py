"""Which operands of compute ops are read past the offloaded op that made them.

Pure decisions on `penguin.analysis.tensor_uses`; `lower-tensor-op` documents the clauses (M1) to
(M7) and carries the plan out.

An operand is followed from op to op as long as the clauses hold, `_FARTHEST` ops at most (a guess:
what bounds the work per operand). An op is *taken* if every reader of its tensor goes past it.
"""

import enum
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Kind, Step, Tensor, Use
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import (
    BinaryOp,
    BroadcastOp,
    MemcastOp,
    MemcpyOp,
    MemsetOp,
    PadOp,
    ReduceOp,
    ReverseOp,
    SelectOp,
    TensorContractOp,
    TensorOp,
    TernaryOp,
    TransposeOp,
    UnaryOp,
)
from penguin.mlir import ir
from penguin.nests.builder import Builder
from penguin.nests.origins import Hop, Origin, hop
from penguin.passlib.patterns import Limit

_FARTHEST = 32


# By the name that the option has for them.
_CLASSES: Mapping[str, type[TensorOp]] = {
    "broadcast": BroadcastOp,
    "memcast": MemcastOp,
    "memset": MemsetOp,
    "reshape": MemcpyOp,
    "transpose": TransposeOp,
}
_COMPUTE = frozenset(
    cls.OPERATION_NAME
    for cls in (
        BinaryOp,
        PadOp,
        ReduceOp,
        ReverseOp,
        SelectOp,
        TensorContractOp,
        TernaryOp,
        UnaryOp,
    )
)


class Why(enum.Enum):
    """Why an offloaded op is not taken into the loads of what reads it."""

    NESTED = "the op is not at the top level of the function"  # M1
    UNKNOWN_SOURCE = "the source is no tensor of which all writers are known"  # M1
    ARGUMENT = "the destination is an argument, or shares the memory of another tensor"  # M1
    SEVERAL_WRITERS = "the destination has other writers"  # M1
    NO_COMPUTE = "the destination is read by something other than a compute op"  # M2
    VIEWED = "the destination is read through a view"  # M2
    TOO_EARLY = "the destination is read before it is written"  # M3
    OVERWRITTEN = "the source is written before the destination is read"  # M4
    BARRIER = "the destination is read after a barrier"  # M5
    QUOTIENT = "the index in the source has a quotient"  # M7
    TOO_FAR = f"a load would have to go past more than {_FARTHEST} ops"  # M6


@dataclass(eq=False)
class Candidate:
    """An offloaded op of a kind that is asked for, whose destination somebody reads."""

    op: ir.Operation
    step: Step
    source: ir.Value | None
    dst: Tensor
    why: enum.Enum | None = None
    at: ir.Location | None = None
    """Of the op because of which `why` holds, if it is another one."""
    taken: int = 0
    """Operands that go past it."""
    _hop: Hop | None = None

    def hop(self, builder: Builder) -> Hop:
        """The way back past it."""
        if self._hop is None:
            self._hop = hop(self.op, builder.element)
        return self._hop

    def erase(self) -> None:
        """Erases the op and its tensor, which nobody reads any more."""
        self.op.erase()
        assert self.dst.alloc is not None
        for view in reversed(self.dst.views):
            view.erase()
        for use in list(self.dst.value.uses):
            # A dealloc, the only user that is no step.
            use.owner.operation.erase()
        self.dst.alloc.erase()

    def decline(self, why: enum.Enum, at: ir.Operation | None = None) -> None:
        """The first reason stays."""
        if self.why is None:
            self.why, self.at = why, None if at is None else at.location


@dataclass
class LoadMaps:
    """The plan for one function.

    `routes` are the candidates that an operand goes past, from the reader back, by the number of
    the reading op and that of its operand. Nobody needs a candidate without a `why` any more.
    """

    candidates: list[Candidate] = field(default_factory=list)
    routes: dict[tuple[int, int], tuple[Candidate, ...]] = field(default_factory=dict)


def plan(
    function: ir.Operation,
    kinds: Collection[str],
    readers: Sequence[ir.Operation],
    builder: Builder,
    limit: int | None = None,
) -> LoadMaps:
    """Decides for every operand of `readers`, in their order; at most `limit` ops are taken."""
    classes = tuple(_CLASSES[kind] for kind in kinds)
    if not classes or len(function.regions[0].blocks) != 1:
        return LoadMaps()
    planner = _Planner(TensorUses(function), classes, builder, limit)
    planner.route(readers)
    planner.settle()
    return LoadMaps(planner.candidates, planner.routes)


def origin_of(past: Sequence[Candidate], builder: Builder) -> Origin:
    """Where a load goes, past these candidates."""
    last = past[-1]
    if last.source is None:
        element = builder.tensor(last.dst.value).element
        hops, value = past[:-1], last.op.attributes["value"]
    else:
        element = builder.tensor(last.source).element
        hops, value = past, last.source
    return Origin(tuple(each.hop(builder) for each in hops), value, element)


class _Planner:
    def __init__(
        self,
        uses: TensorUses,
        classes: tuple[type, ...],
        builder: Builder,
        limit: int | None,
    ) -> None:
        self.uses, self.builder = uses, builder
        # Where the buffer of a tensor is written, sorted, by the first tensor of its group.
        self._writes: dict[Tensor, list[tuple[float, ir.Operation]]] = {}
        self._made: dict[Tensor, Candidate] = {}
        self.routes: dict[tuple[int, int], tuple[Candidate, ...]] = {}
        self.candidates = list(self._find(classes, limit))

    def _find(self, classes: tuple[type, ...], limit: int | None) -> Iterator[Candidate]:
        """The candidates in order, those that fail (M1) with the reason."""
        count = 0
        for step in self.uses.steps:
            for use in list(step.uses):
                if not use.writes or not isinstance(use.op.opview, classes):
                    continue
                dst = use.tensor
                if not any(reader.op != use.op for reader in dst.readers):
                    continue
                operands = list(use.op.operands)
                source = operands[0] if len(operands) > 1 else None
                candidate = Candidate(use.op, step, source, dst)
                self._check(candidate, use)
                if candidate.why is None and limit is not None and count >= limit:
                    candidate.decline(Limit.REWRITE_LIMIT)
                if candidate.why is None:
                    self._made[dst] = candidate
                    count += 1
                yield candidate

    def _is_unknown(self, source: ir.Value) -> bool:
        """Whether a tensor comes from an op that may have made it of others."""
        if not self.uses.has(source):
            return True
        tensor = self.uses.tensor(source)
        return tensor.kind is Kind.UNKNOWN and not isinstance(tensor.value.owner, ir.Block)

    def _check(self, candidate: Candidate, use: Use) -> None:
        dst, source = candidate.dst, candidate.source
        if use.is_opaque:
            candidate.decline(Why.NESTED)
        elif source is not None and self._is_unknown(source):
            candidate.decline(Why.UNKNOWN_SOURCE)
        elif source is not None and self.uses.tensor(source).may is dst.may:
            candidate.decline(Why.OVERWRITTEN, candidate.op)
        elif not dst.is_internal:
            candidate.decline(Why.ARGUMENT)
        elif candidate.op.operands[len(candidate.op.operands) - 1] != dst.value:
            candidate.decline(Why.VIEWED)
        else:
            other = next((writer for writer in dst.writers if writer is not use), None)
            if other is not None:
                candidate.decline(Why.SEVERAL_WRITERS, other.op)

    def route(self, readers: Sequence[ir.Operation]) -> None:
        """Follows the operands of the compute ops."""
        steps = {step.op: step for step in self.uses.steps}
        for number, op in enumerate(readers):
            step = steps.get(op)
            if op.name not in _COMPUTE or step is None:
                continue
            for operand, value in enumerate(list(op.operands)[:-1]):
                past = self._follow(value, step)
                if past:
                    self.routes[number, operand] = past
                    for each in past:
                        each.taken += 1

    def _follow(self, value: ir.Value, reader: Step) -> tuple[Candidate, ...]:
        """The candidates to go past for an operand that `reader` reads."""
        past: list[Candidate] = []
        place, tensor = reader, value
        while (made := self._maker(value)) is not None:
            why, at = self._obstacle(made, place, reader)
            if why is None and len(past) == _FARTHEST:
                why, at = Why.TOO_FAR, reader.op
            if why is not None:
                made.decline(why, at)
                break
            past.append(made)
            place = made.step
            if made.source is None:
                break
            value = made.source
        return self._without_quotients(past, tensor)

    def _without_quotients(self, past: list[Candidate], value: ir.Value) -> tuple[Candidate, ...]:
        """As many of them as leave the index in the source linear in that of the tensor."""
        if not any(isinstance(each.op.opview, MemcpyOp | TransposeOp) for each in past):
            return tuple(past)
        shape = tensor_of(value.type).shape
        space = Space(dict(enumerate(shape)))
        forms = tuple(Form.variable(dim) if n != 1 else Form() for dim, n in enumerate(shape))
        linear = 0
        for number, each in enumerate(past, 1):
            if each.source is not None:
                forms = each.hop(self.builder).source(forms, space)
            if not any(form.divisions for form in forms):
                linear = number
        if linear < len(past):
            past[linear].decline(Why.QUOTIENT)
        return tuple(past[:linear])

    def _maker(self, value: ir.Value) -> Candidate | None:
        """The candidate that writes the tensor, if it is read as it is."""
        if not self.uses.has(value):
            return None
        tensor = self.uses.tensor(value)
        made = self._made.get(tensor)
        if made is not None and tensor.value != value:
            made.decline(Why.VIEWED)
            return None
        return made

    def _obstacle(
        self, made: Candidate, place: Step, reader: Step
    ) -> tuple[Why | None, ir.Operation | None]:
        """The first clause that does not hold for a load in `reader` past `made`.

        `place` is where its destination would be read otherwise.
        """
        if place.order <= made.step.order:
            return Why.TOO_EARLY, place.op
        if made.source is None:
            return None, None
        writer = self._writer_after(made.source, made.step.order)
        if writer is not None and writer[0] <= reader.order:
            return Why.OVERWRITTEN, writer[1]
        if self.uses.crosses_barrier(made.step.order, reader.order):
            return Why.BARRIER, reader.op
        return None, None

    def _writer_after(self, value: ir.Value, order: float) -> tuple[float, ir.Operation] | None:
        """The first step after `order` that writes the buffer of a tensor."""
        group = self.uses.tensor(value).may
        writes = self._writes.get(group[0])
        if writes is None:
            writes = [(w.step.order, w.op) for each in group for w in each.writers]
            writes.sort(key=lambda write: write[0])
            self._writes[group[0]] = writes
        place = bisect_right(writes, order, key=lambda write: write[0])
        return writes[place] if place < len(writes) else None

    def settle(self) -> None:
        """Says of each candidate whether it is still needed, readers first (M2)."""
        by_op = {each.op: each for each in self.candidates}
        for each in reversed(self.candidates):
            if each.why is not None:
                continue
            for reader in each.dst.readers:
                other = by_op.get(reader.op)
                if other is not None and other.why is None:
                    continue
                if isinstance(reader, Use) and not reader.is_opaque and reader.op.name in _COMPUTE:
                    # Its operand was followed, and this candidate did not decline.
                    continue
                each.decline(Why.NO_COMPUTE, reader.op)
                break
