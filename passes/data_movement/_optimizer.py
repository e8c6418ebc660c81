"""The engine behind the elimination passes: an op is removed by redirecting one tensor's accesses.

Document 000, "The Common Fusion Shape": for `X = op(Y)`

* `fuse_dst` eliminates the destination: every load of X reads Y instead, at the index that the op
  takes the element from. What uses X as a whole uses a view of Y, if the op is a reshape.
* `fuse_src` eliminates the source: every store to Y writes X instead, at the index that the op
  takes the element to; loads of Y read X there. The same for whole uses.

Legality is a list of clauses per direction. Each is a method without side effects that returns a
`Reject` or None; the first that fails is the reason. A copy that can go in neither direction gets
one missed remark, with the reason of the direction that was wanted first and, as `Also`, that of
the other. The clauses, by the letters of document 000's `can_fold_memcpy`:

  (a) the rewritten address is quasi-affine without divisions by itself, in one source, perhaps
      after the nest was cut (`ADDRESS`, `SPANS`, `DEGRADED`);
  (b) no work is done again (`READ_MORE_THAN_ONCE`);
  (c) no generic access, no op that needs the whole tensor in another form (`GENERIC`, `WHOLE`);
  (d) who shares the buffer is known: the eliminated tensor is seen by nobody outside, is defined
      by one op, and no store to an aliased output comes between (`BOUNDARY`, `DEFINED_TWICE`,
      `ALIASED_STORE`);
  (e) the schedule stays: nothing overwrites or reads in between, no barrier is crossed
      (`OVERWRITTEN`, `READ_BEFORE`, `BARRIER`).

Order of work: copies last to first with fuse_dst, then first to last with fuse_src, and again for
those whose neighbours have changed, so that chains of any length collapse.
"""

import enum
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.movement import NOWHERE, Answer, Cut, Found, Movement, reshaped
from penguin.analysis.nest import flatten
from penguin.analysis.tensor_uses import Access, Kind, Loop, Step, Tensor, TensorUses, Use
from penguin.mlir import ir
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passlib import FunctionPass, Reject
from penguin.passlib.patterns import Limit

# Into how many pieces one nest may be cut (a guess).
MAX_PIECES = 16


class Reason(enum.Enum):
    """All reasons of the family; a pass's `Why` has those that it can give."""

    BOUNDARY = "both ends are seen from outside, or share a buffer with what is"
    SPACE = "the two ends are in different memories"
    DEFINED_TWICE = "the tensor is defined by more than one op"
    REMATERIALISED = "the tensor is rematerialised"
    GENERIC = "used by a generic access or an opaque op"
    WHOLE = "used as a whole by an op that cannot take the element order of the other tensor"
    ADDRESS = "failed access folding: the address is not affine without divisions"
    SPANS = "an access spans more than one source, and its nest cannot be cut"
    MATMUL = "a matmul load needs the slice as it is"
    DEGRADED = "the fusion would be degraded: it would make a worse loop nest"
    READ_MORE_THAN_ONCE = "read more than once, and would be computed each time"
    OVERWRITTEN = "the tensor that would be read is overwritten before the last read"
    ALIASED_STORE = "an aliased output is stored to before the last read of its input"
    READ_BEFORE = "the tensor that would be written is still used before the copy"
    BARRIER = "a barrier is between"
    DRAM_TO_DRAM = "sandwiched between DRAM copies: left to the DRAM-to-DRAM transpose"
    NOT_IO = "Either src/dst must be IO"
    OTHER_READERS = "the source has other readers, which need it in its dtype"
    OTHER_LOADS = "the source has other loads than the copy to the kernel's output"


@dataclass(eq=False)
class Copy:
    """A candidate: an offloaded op at the top of the function."""

    step: Step
    movement: Movement
    srcs: list[Tensor]
    dst: Tensor
    dirty: bool = True

    @property
    def op(self) -> ir.Operation:
        return self.step.op

    @property
    def order(self) -> float:
        return self.step.order

    # The op may see a tensor through a view, under another shape than its own.

    def source(self, forms: Sequence[Form], space: Space) -> Answer:
        """The element of a source that element `forms` of the destination comes from."""
        seen = reshaped(forms, self.dst.shape, self.movement.dst, space)
        answer = self.movement.source(seen, space)
        if not isinstance(answer, Found):
            return answer
        number = answer.operand
        shapes = self.movement.sources[number], self.srcs[number].shape
        return Found(number, reshaped(answer.forms, *shapes, space))

    def target(self, number: int, forms: Sequence[Form], space: Space) -> Answer:
        """The element of the destination that element `forms` of a source goes to."""
        shapes = self.srcs[number].shape, self.movement.sources[number]
        answer = self.movement.target(number, reshaped(forms, *shapes, space), space)
        if not isinstance(answer, Found):
            return answer
        forms = reshaped(answer.forms, self.movement.dst, self.dst.shape, space)
        return Found(answer.operand, forms)


@dataclass
class Plan:
    """What a direction would do; `cuts` say that a nest has to be cut first."""

    accesses: list[tuple[Access, int, tuple[Form, ...]]] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    cuts: bool = False


Clause = Callable[[Copy], Reject | None]


class OpOptimizer:
    """Eliminates ops of some kinds from one function; subclasses say which and how."""

    # Whether destinations are tried before sources.
    prefers_dst = True
    # Whether whole uses may become views; right for reshapes only.
    views = False

    def __init__(self, host: FunctionPass, uses: TensorUses, kinds: tuple[type, ...]) -> None:
        self.host, self.uses, self.kinds = host, uses, kinds
        self.rewriter = Rewriter(uses)
        self.copies: dict[Step, Copy] = {}
        for step in uses.steps:
            if isinstance(step.op.opview, kinds):
                self.copies[step] = self._copy(step)

    def _copy(self, step: Step) -> Copy:
        *srcs, dst = [self.uses.tensor(value) for value in step.op.operands]
        return Copy(step, Movement(step.op), srcs, dst)

    # The order of work --------------------------------------------------------------------------

    def run(self) -> None:
        """Eliminates what it can, and explains the rest."""
        while True:
            self._round()
            # What became possible in a way that nobody was told of.
            rejects = [(copy, self.explain(copy)) for copy in self.copies.values()]
            if not any(copy.dirty for copy in self.copies.values()):
                break
        for copy, reject in rejects:
            assert reject is not None
            self.host.decline(copy.op, reject)

    def _round(self) -> None:
        """Until nothing is left that might have become possible."""
        while todo := [copy for copy in self.copies.values() if copy.dirty]:
            if not self.host.may_rewrite():
                for copy in todo:
                    copy.dirty = False
                return
            directions = [(todo[::-1], self.fuse_dst), (todo, self.fuse_src)]
            for copies, fuse in directions if self.prefers_dst else directions[::-1]:
                for copy in copies:
                    copy.dirty = False
                    if self.copies.get(copy.step) is copy and self.host.may_rewrite():
                        fuse(copy)

    def explain(self, copy: Copy) -> Reject | None:
        """Why a copy is still there; None, and it is to be tried again, if there is no reason."""
        first, second = self.reject_dst(copy), self.reject_src(copy)
        if not self.prefers_dst or (copy.dst.kind is not Kind.INTERNAL and second is not None):
            first, second = second, first
        if first is None or second is None:
            if not self.host.may_rewrite():
                return Reject(Limit.REWRITE_LIMIT)
            copy.dirty = True
            return None
        args = dict(first.args)
        if second.reason is not first.reason:
            args["Also"] = second.reason.value
        return Reject(first.reason, at=first.at, args=args)

    def reject(self, reason: Reason, at: "Access | Use | Tensor | None" = None) -> Reject:
        """A reject with the pass's own member for a reason, and the culprit's place."""
        member = self.host.why[reason.name]
        if at is None:
            return Reject(member)
        if isinstance(at, Tensor):
            return Reject(member, args={"Tensor": at.name})
        return Reject(member, at=at.op, args={"Tensor": at.tensor.name})

    # fuse_dst -----------------------------------------------------------------------------------

    @property
    def dst_clauses(self) -> Sequence[Clause]:
        return (
            self.both_are_in_one_memory,
            self.dst_is_private,
            self.dst_is_defined_once,
            self.dst_is_not_rematerialised,
            self.dst_is_read_by_known_accesses,
            self.dst_is_not_needed_as_a_whole,
            self.dst_is_read_after_the_copy,
            self.srcs_are_not_overwritten,
            self.no_barrier_before_the_loads,
            self.dst_addresses_are_expressible,
        )

    def reject_dst(self, copy: Copy) -> Reject | None:
        """The first clause of fuse_dst that fails."""
        return next((r for c in self.dst_clauses if (r := c(copy)) is not None), None)

    def dst_is_private(self, copy: Copy) -> Reject | None:
        """(d)"""
        if copy.dst.is_internal and copy.dst not in copy.srcs:
            return None
        return self.reject(Reason.BOUNDARY, copy.dst)

    def dst_is_defined_once(self, copy: Copy) -> Reject | None:
        """(d)"""
        for writer in copy.dst.writers:
            if writer.step is not copy.step:
                return self.reject(Reason.DEFINED_TWICE, writer)
        return None

    def dst_is_not_rematerialised(self, copy: Copy) -> Reject | None:
        return self.reject(Reason.REMATERIALISED) if copy.dst.is_rematerialised else None

    def dst_is_read_by_known_accesses(self, copy: Copy) -> Reject | None:
        """(c)"""
        return self._no_opaque_use((copy.dst,))

    def dst_is_not_needed_as_a_whole(self, copy: Copy) -> Reject | None:
        """(c)"""
        for use in copy.dst.uses:
            if use.step is not copy.step and not self.views:
                return self.reject(Reason.WHOLE, use)
        return None

    def dst_is_read_after_the_copy(self, copy: Copy) -> Reject | None:
        """(e)"""
        for reader in copy.dst.readers:
            if reader.step.order <= copy.order:
                return self.reject(Reason.READ_BEFORE, reader)
        return None

    def both_are_in_one_memory(self, copy: Copy) -> Reject | None:
        """(d)"""
        if all(src.space == copy.dst.space for src in copy.srcs):
            return None
        return self.reject(Reason.SPACE)

    def srcs_are_not_overwritten(self, copy: Copy) -> Reject | None:
        """(e), and (d) for a store to an output that shares the source's buffer."""
        last = copy.dst.last_read
        for src in copy.srcs:
            writer = self.uses.written_between(src, copy.order, last)
            if writer is not None:
                aliased = writer.tensor is not src
                return self.reject(Reason.ALIASED_STORE if aliased else Reason.OVERWRITTEN, writer)
        return None

    def no_barrier_before_the_loads(self, copy: Copy) -> Reject | None:
        """(e)"""
        if self.uses.crosses_barrier(copy.order, copy.dst.last_read):
            return self.reject(Reason.BARRIER)
        return None

    def dst_addresses_are_expressible(self, copy: Copy) -> Reject | None:
        """(a)"""
        for load in copy.dst.loads:
            reject = self.reject_load(copy, load)
            if reject is not None:
                return reject
        return None

    def reject_load(self, copy: Copy, load: Access) -> Reject | None:
        """(a) for one load."""
        return self._reject_address(copy, load, copy.source)

    def fuse_dst(self, copy: Copy) -> bool:
        """Redirects the loads of the destination, and erases it with the op."""
        if self.reject_dst(copy) is not None:
            return False
        self.host.done(copy.op, "FusedDst", **self.ends(copy))
        self._touch(copy)
        while copy.dst.loads:
            load = next(iter(copy.dst.loads))
            answer = copy.source(load.forms, load.step.space)
            if isinstance(answer, Cut):
                self.cut(load.step, answer)
                continue
            assert isinstance(answer, Found)
            self.redirect_load(copy, load, copy.srcs[answer.operand], answer.forms)
        for use in list(copy.dst.uses):
            if use.step is not copy.step:
                self.rewriter.replace_use(use, copy.srcs[0])
                self._refresh(use.step)
        self._remove(copy)
        self.rewriter.forget_views(copy.dst)
        self.rewriter.replace_op_dst_tensor_and_erase(copy.step, copy.dst)
        return True

    def redirect_load(self, copy: Copy, load: Access, src: Tensor, forms: tuple[Form, ...]) -> None:
        self.rewriter.replace_load_src(load, src, forms)

    # fuse_src -----------------------------------------------------------------------------------

    @property
    def src_clauses(self) -> Sequence[Clause]:
        return (
            self.both_are_in_one_memory,
            self.srcs_are_private,
            self.srcs_are_not_rematerialised,
            self.srcs_are_written_by_known_accesses,
            self.srcs_are_not_needed_as_a_whole,
            self.srcs_are_written_before_the_copy,
            self.dst_is_not_used_before_the_copy,
            self.dst_is_not_overwritten,
            self.no_barrier_after_the_stores,
            self.src_addresses_are_expressible,
        )

    def reject_src(self, copy: Copy) -> Reject | None:
        """The first clause of fuse_src that fails."""
        return next((r for c in self.src_clauses if (r := c(copy)) is not None), None)

    def srcs_are_private(self, copy: Copy) -> Reject | None:
        """(d)"""
        for number, src in enumerate(copy.srcs):
            if not src.is_internal or src is copy.dst or src in copy.srcs[:number]:
                return self.reject(Reason.BOUNDARY, src)
        return None

    def srcs_are_not_rematerialised(self, copy: Copy) -> Reject | None:
        if any(src.is_rematerialised for src in copy.srcs):
            return self.reject(Reason.REMATERIALISED)
        return None

    def srcs_are_written_by_known_accesses(self, copy: Copy) -> Reject | None:
        """(c)"""
        return self._no_opaque_use(copy.srcs)

    def srcs_are_not_needed_as_a_whole(self, copy: Copy) -> Reject | None:
        """(c)"""
        for src in copy.srcs:
            for use in src.uses:
                if use.step is not copy.step and not self.views:
                    return self.reject(Reason.WHOLE, use)
        return None

    def srcs_are_written_before_the_copy(self, copy: Copy) -> Reject | None:
        """(e)"""
        for src in copy.srcs:
            for writer in src.writers:
                if writer.step.order >= copy.order:
                    return self.reject(Reason.OVERWRITTEN, writer)
        return None

    def dst_is_not_used_before_the_copy(self, copy: Copy) -> Reject | None:
        """(e)"""
        first = min(src.first_write for src in copy.srcs)
        for touch in self.uses.used_between(copy.dst, first, copy.order):
            if not self.is_in_place(copy, touch):
                return self.reject(Reason.READ_BEFORE, touch)
        return None

    def is_in_place(self, copy: Copy, touch: "Access | Use") -> bool:
        """Whether a load of the destination's buffer reads just what its iteration overwrites.

        That is so if the nest that alone defines the source loads the element, in the same
        iteration and before it stores the new one, and no iteration touches the element of another.
        """
        if len(copy.srcs) != 1 or not isinstance(touch, Access) or touch.is_store:
            return False
        if touch.step.has_scopes:
            return False
        (store, *others) = copy.srcs[0].writers
        if others or not isinstance(store, Access):
            return False
        if store.step is not touch.step or store.path != touch.path:
            return False
        if store.forms is None or touch.forms is None or not is_injective(store):
            return False
        answer = copy.target(0, store.forms, store.step.space)
        if not isinstance(answer, Found) or touch.tensor.shape != copy.dst.shape:
            return False
        return answer.forms == touch.forms and _is_before(touch.op, store.op)

    def dst_is_not_overwritten(self, copy: Copy) -> Reject | None:
        """(e) for loads of the source after the copy: they will read the destination."""
        last = max(src.last_read for src in copy.srcs)
        writer = self.uses.written_between(copy.dst, copy.order, last)
        return None if writer is None else self.reject(Reason.OVERWRITTEN, writer)

    def no_barrier_after_the_stores(self, copy: Copy) -> Reject | None:
        """(e)"""
        first = min(src.first_write for src in copy.srcs)
        if self.uses.crosses_barrier(first, copy.order):
            return self.reject(Reason.BARRIER)
        return None

    def src_addresses_are_expressible(self, copy: Copy) -> Reject | None:
        """(a)"""
        for number, src in enumerate(copy.srcs):
            for access in (*src.stores, *src.loads):
                reject = self.reject_target(copy, access, number)
                if reject is not None:
                    return reject
        return None

    def reject_target(self, copy: Copy, access: Access, number: int) -> Reject | None:
        """(a) for one access of a source."""
        return self._reject_address(
            copy, access, lambda forms, space: copy.target(number, forms, space)
        )

    def fuse_src(self, copy: Copy) -> bool:
        """Redirects the stores and other loads of the sources, and erases them with the op."""
        if self.reject_src(copy) is not None:
            return False
        self.host.done(copy.op, "FusedSrc", **self.ends(copy))
        self._touch(copy)
        self.uses.hoist(copy.dst, copy.srcs)
        for number, src in enumerate(copy.srcs):
            while src.stores or src.loads:
                access = next(iter(src.stores or src.loads))
                answer = copy.target(number, access.forms, access.step.space)
                if isinstance(answer, Cut):
                    self.cut(access.step, answer)
                    continue
                if answer is NOWHERE:
                    self.rewriter.drop_store(access)
                    continue
                assert isinstance(answer, Found)
                if access.is_store:
                    self.redirect_store(copy, access, copy.dst, answer.forms)
                else:
                    self.rewriter.replace_load_src(access, copy.dst, answer.forms)
            for use in list(src.uses):
                if use.step is not copy.step:
                    self.rewriter.replace_use(use, copy.dst)
                    self._refresh(use.step)
        self._remove(copy)
        for src in copy.srcs:
            self.rewriter.forget_views(src)
        self.rewriter.replace_op_src_tensor_and_erase(copy.step, copy.srcs)
        return True

    def redirect_store(
        self, copy: Copy, store: Access, dst: Tensor, forms: tuple[Form, ...]
    ) -> None:
        self.rewriter.replace_store_dst(store, dst, forms)

    # Shared by both directions ------------------------------------------------------------------

    def ends(self, copy: Copy) -> dict[str, str]:
        """Both ends by name, for remarks."""
        return {"From": ", ".join(src.name for src in copy.srcs), "To": copy.dst.name}

    def _no_opaque_use(self, tensors: Sequence[Tensor]) -> Reject | None:
        for tensor in tensors:
            for use in tensor.uses:
                if use.is_opaque:
                    return self.reject(Reason.GENERIC, use)
        return None

    def _reject_address(
        self, copy: Copy, access: Access, ask: Callable[[Sequence[Form], Space], Answer]
    ) -> Reject | None:
        forms, step = access.forms, access.step
        if forms is None:
            return self.reject(Reason.ADDRESS, access)
        divisions = len(flatten(access.tensor.shape, forms).divisions)
        pieces = 0
        stack = [(dict(step.extents), tuple(forms))]
        while stack:
            extents, at = stack.pop()
            if any(extents.get(loop.key) == 0 for loop in access.path):
                continue
            space = Space(extents)
            answer = ask(at, space)
            if isinstance(answer, Found):
                if self._divides(copy, answer) > divisions:
                    return self.reject(Reason.ADDRESS, access)
                if self.is_degraded_fusion(copy, access, answer):
                    return self.reject(Reason.DEGRADED, access)
                pieces += 1
                continue
            if answer is NOWHERE and access.is_store:
                continue
            if not isinstance(answer, Cut):
                return self.reject(Reason.SPANS, access)
            reject = self.reject_cut(access, answer)
            if reject is not None or pieces + len(stack) + 2 > MAX_PIECES:
                return reject or self.reject(Reason.SPANS, access)
            for low, high in ((0, answer.at), (answer.at, extents[answer.key])):
                stack.append(_restricted(extents, at, answer.key, low, high))
        return None

    def is_degraded_fusion(self, copy: Copy, access: Access, answer: Found) -> bool:
        """Whether a fusion is one that the options decline (document 000 has the name only).

        A guess: a load that runs more often than there are elements, so that the order of memory
        pays off again and again, and whose innermost moving loop would take longer strides; or a
        big tensor of one dimension in the place of one of several.
        """
        other = (*copy.srcs, copy.dst)[answer.operand]
        big = self.host.big_tensor_threshold
        if big and len(other.shape) == 1 < len(access.tensor.shape) and other.count > big:
            return True
        if not self.host.disable_degraded_fusion or access.forms is None:
            return False
        runs = math.prod(loop.extent or 1 for loop in access.path)
        if access.is_store or runs <= access.tensor.count:
            return False
        old = flatten(access.tensor.shape, access.forms)
        new = flatten(other.shape, answer.forms)
        return _stride(new, access.path) > _stride(old, access.path)

    def _divides(self, copy: Copy, answer: Found) -> int:
        """How many divisions the flat address has, which is what counts in the end."""
        tensor = (*copy.srcs, copy.dst)[answer.operand]
        return len(flatten(tensor.shape, answer.forms).divisions)

    def reject_cut(self, access: Access, cut: Cut) -> Reject | None:
        """Whether the nest around an access can be two nests, cut at a loop."""
        if can_cut(access.step, access.path, cut.key):
            return None
        return self.reject(Reason.SPANS, access)

    def cut(self, step: Step, cut: Cut) -> None:
        """Cuts a nest; copies that its tensors take part in are to be tried again."""
        self.rewriter.cut(step, cut.key, cut.at)

    def _touch(self, copy: Copy) -> None:
        """Copies around are worth another try."""
        for tensor in (*copy.srcs, copy.dst):
            for use in tensor.uses:
                other = self.copies.get(use.step)
                if other is not None:
                    other.dirty = True

    def _refresh(self, step: Step) -> None:
        """The operands of an op have changed."""
        if step in self.copies:
            dirty = self.copies[step].dirty
            self.copies[step] = self._copy(step)
            self.copies[step].dirty = dirty

    def _remove(self, copy: Copy) -> None:
        del self.copies[copy.step]


def _is_before(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether an op comes first in a block that both are in."""
    for view in a.block.operations:
        if view.operation == a:
            return True
        if view.operation == b:
            return False
    return False


def _restricted(
    extents: dict[int, int], forms: tuple[Form, ...], key: int, low: int, high: int
) -> tuple[dict[int, int], tuple[Form, ...]]:
    """The iterations low .. high-1 of one loop, counted from 0 again."""
    inside = {**extents, key: high - low}
    space = Space(inside)

    def replaced(atom: int) -> Form:
        variable = Form.variable(atom) if inside[atom] > 1 else Form()
        return variable + low if atom == key else variable

    return inside, tuple(space.substitute(form, replaced) for form in forms)


def can_cut(step: Step, path: tuple[Loop, ...], key: int) -> bool:
    """Whether a nest may run as two nests, the iterations of a loop below some number first.

    The outermost loop may always be cut. For one inside, the loops down to it must be perfectly
    nested and carry nothing, and iterations must not depend on each other through memory: what is
    stored to is loaded at the same element only, and every iteration stores to other elements.
    """
    if step.has_scopes:
        return False
    for loop in path:
        if loop.carries:
            return False
        if loop.key == key:
            break
        body = loop.op.regions[0].blocks[0].operations
        if sum(1 for _ in body) != 2:
            return False
    if path[0].key == key:
        return True
    for store in (a for a in step.accesses if a.is_store):
        if store.forms is None or not is_injective(store):
            return False
        for other in step.accesses:
            shared = any(t is other.tensor for t in store.tensor.group)
            if shared and (other.tensor is not store.tensor or other.forms != store.forms):
                return False
    return all(not use.is_opaque for use in step.uses)


def is_injective(store: Access) -> bool:
    """Whether different iterations of the loops around a store touch different elements."""
    assert store.forms is not None
    flat = flatten(store.tensor.shape, store.forms)
    if flat.divisions or any(loop.extent is None for loop in store.path):
        return False
    reach = 0
    strides = [(abs(flat[loop.key]), loop.extent or 0) for loop in store.path]
    for stride, extent in sorted((s, e) for s, e in strides if e > 1):
        if stride <= reach:
            return False
        reach += stride * (extent - 1)
    return True


def _stride(flat: Form, path: tuple[Loop, ...]) -> int:
    """The step in memory of the innermost loop that the address depends on."""
    return next((abs(c) for loop in reversed(path) if (c := flat[loop.key])), 0)


_CONVERSIONS = frozenset(
    {
        "arith.extf",
        "arith.truncf",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "arith.sitofp",
        "arith.uitofp",
        "builtin.unrealized_conversion_cast",
    }
)
_PRODUCTS = frozenset({"arith.mulf", "arith.muli"})
_SUMS = frozenset({"arith.addf", "arith.addi"})


def feeds_contraction(load: Access) -> bool:
    """Whether a loaded scalar is a factor of a product that a carried loop adds up."""
    if not load.path or not load.path[-1].carries:
        return False
    values = [load.value]
    while values:
        for use in values.pop().uses:
            user = use.owner
            if user.name in _CONVERSIONS:
                values.append(user.operation.results[0])
            elif user.name in _PRODUCTS:
                product = user.operation.results[0]
                if any(u.owner.name in _SUMS for u in _converted_uses(product)):
                    return True
    return False


def _converted_uses(value: ir.Value) -> Iterator[ir.OpOperand]:
    for use in value.uses:
        if use.owner.name in _CONVERSIONS:
            yield from _converted_uses(use.owner.operation.results[0])
        else:
            yield use
