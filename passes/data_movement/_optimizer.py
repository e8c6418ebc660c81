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
      after the nest was cut or loops were split (`ADDRESS`, `SPANS`, `DEGRADED`; `_addresses.py`);
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

import math
from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.movement import NOWHERE, Answer, Cut, Found, Movement, Nowhere, reshaped
from penguin.analysis.nest import flatten
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Loop, Step, Tensor, Use
from penguin.mlir import ir
from penguin.passes.data_movement._addresses import Failure, Site, is_injective, need
from penguin.passes.data_movement._gathers import gather_through, is_gather
from penguin.passes.data_movement._reasons import BIG_TENSOR, Reason
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passlib import FunctionPass, Reject
from penguin.passlib.patterns import Limit

# Into how many pieces one nest may be cut (a guess).
MAX_PIECES = 16


@dataclass(eq=False)
class Copy:
    """A candidate: an offloaded op at the top of the function."""

    step: Step
    movement: Movement
    srcs: list[Tensor]
    dst: Tensor
    tried: int = -1
    """The optimizer's clock when it was tried last."""

    @cached_property
    def numbers(self) -> dict[Tensor, int]:
        """The number of each source; the first one of a source that occurs more than once."""
        return {src: number for number, src in reversed(list(enumerate(self.srcs)))}

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tensor.shape for tensor in (*self.srcs, self.dst))

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
        # Counts eliminations; each tensor's last one; tensors with one since copies were looked at.
        self.clock = 0
        self.touched: dict[Tensor, int] = {}
        self.news: dict[Tensor, None] = {}
        self.copies: dict[Step, Copy] = {}
        self.gathers = [step for step in uses.steps if is_gather(step)]
        for step in uses.steps:
            # What is in another block than the first is no candidate: its uses are opaque.
            opaque = any(use.is_opaque for use in step.uses)
            if isinstance(step.op.opview, kinds) and not opaque:
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
            if all(reject is not None for _, reject in rejects):
                break
        for copy, reject in rejects:
            assert reject is not None
            self.host.decline(copy.op, reject)

    def _round(self) -> None:
        """Until nothing is left that might have become possible."""
        todo = [copy for copy in self.copies.values() if self.is_worth_a_try(copy)]
        while todo:
            if not self.host.may_rewrite():
                for copy in todo:
                    copy.tried = self.clock
                return
            directions = [(todo[::-1], self.fuse_dst), (todo, self.fuse_src)]
            for copies, fuse in directions if self.prefers_dst else directions[::-1]:
                for copy in copies:
                    copy.tried = self.clock
                    if self.copies.get(copy.step) is copy and self.host.may_rewrite():
                        fuse(copy)
            todo = self._neighbours()

    def _neighbours(self) -> list[Copy]:
        """The copies around which something has changed, in order."""
        steps = {use.step: None for tensor in self.news for use in tensor.uses}
        self.news.clear()
        found = [self.copies[step] for step in steps if step in self.copies]
        return sorted(filter(self.is_worth_a_try, found), key=lambda copy: copy.order)

    def explain(self, copy: Copy) -> Reject | None:
        """Why a copy is still there; None, and it is to be tried again, if there is no reason."""
        first, second = self.reject_dst(copy), self.reject_src(copy)
        if not self._explains_dst(copy):
            first, second = second, first
        if first is None or second is None:
            if not self.host.may_rewrite():
                return Reject(Limit.REWRITE_LIMIT)
            copy.tried = -1
            return None
        args = dict(first.args)
        if second.reason is not first.reason:
            args["Also"] = second.reason.value
        return Reject(first.reason, at=first.at, args=args)

    def _explains_dst(self, copy: Copy) -> bool:
        """Whether fuse_dst has the better reason: that of the end that could go, if only one can,
        or of the end that was wanted first."""
        dst_stays = not copy.dst.is_internal
        src_stays = not all(src.is_internal for src in copy.srcs)
        return self.prefers_dst if dst_stays == src_stays else src_stays

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
            self.dst_is_read_by_known_accesses,
            self.dst_is_defined_once,
            self.dst_is_not_rematerialised,
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
        if copy.dst.is_internal and copy.dst not in copy.numbers:
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
        return self._no_opaque_use((copy.dst,), copy.srcs[0])

    def dst_is_not_needed_as_a_whole(self, copy: Copy) -> Reject | None:
        """(c)"""
        return self._no_whole_use(copy, copy.dst)

    def dst_is_read_after_the_copy(self, copy: Copy) -> Reject | None:
        """(e)"""
        for touches in (copy.dst.loads, copy.dst.reading):
            first = touches.by_place[0] if touches else None
            if first is not None and first.step.order <= copy.order:
                return self.reject(Reason.READ_BEFORE, first)
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
        if copy.step.is_barrier or self.uses.crosses_barrier(copy.order, copy.dst.last_read):
            return self.reject(Reason.BARRIER)
        return None

    def dst_addresses_are_expressible(self, copy: Copy) -> Reject | None:
        """(a)"""
        for load in copy.dst.loads:
            reject = self.reject_load(copy, load)
            if reject is not None:
                return reject
        return self._reject_addresses(copy, (copy.dst,))

    def reject_load(self, copy: Copy, load: Access) -> Reject | None:
        """Why one load must not be redirected, beside its address."""
        return None

    def fuse_dst(self, copy: Copy) -> bool:
        """Redirects the loads of the destination, and erases it with the op."""
        if self.reject_dst(copy) is not None:
            return False
        self.host.done(copy.op, "FusedDst", **self.ends(copy))
        self._touch(copy)
        for src in copy.srcs:
            self.uses.keep(src)
        while copy.dst.loads:
            load = next(iter(copy.dst.loads))
            answer = self._prepared(copy, load)
            if answer is None:
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
            if not src.is_internal or src is copy.dst or copy.numbers[src] != number:
                return self.reject(Reason.BOUNDARY, src)
        return None

    def srcs_are_not_rematerialised(self, copy: Copy) -> Reject | None:
        if any(src.is_rematerialised for src in copy.srcs):
            return self.reject(Reason.REMATERIALISED)
        return None

    def srcs_are_written_by_known_accesses(self, copy: Copy) -> Reject | None:
        """(c)"""
        return self._no_opaque_use(copy.srcs, copy.dst)

    def srcs_are_not_needed_as_a_whole(self, copy: Copy) -> Reject | None:
        """(c)"""
        rejects = (self._no_whole_use(copy, src) for src in copy.srcs)
        return next((reject for reject in rejects if reject is not None), None)

    def srcs_are_written_before_the_copy(self, copy: Copy) -> Reject | None:
        """(e)"""
        for src in copy.srcs:
            for touches in (src.stores, src.writing):
                writer = touches.since(copy.order) if touches else None
                if writer is not None:
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
        if touch.step.has_scopes or touch.tensor.may is not touch.tensor.group:
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
        return answer.forms == touch.forms and is_before(touch.op, store.op)

    def dst_is_not_overwritten(self, copy: Copy) -> Reject | None:
        """(e) for loads of the source after the copy: they will read the destination."""
        last = max(src.last_read for src in copy.srcs)
        writer = self.uses.written_between(copy.dst, copy.order, last)
        return None if writer is None else self.reject(Reason.OVERWRITTEN, writer)

    def no_barrier_after_the_stores(self, copy: Copy) -> Reject | None:
        """(e)"""
        first = min(src.first_write for src in copy.srcs)
        if copy.step.is_barrier or self.uses.crosses_barrier(first, copy.order):
            return self.reject(Reason.BARRIER)
        return None

    def src_addresses_are_expressible(self, copy: Copy) -> Reject | None:
        """(a)"""
        return self._reject_addresses(copy, copy.numbers)

    def fuse_src(self, copy: Copy) -> bool:
        """Redirects the stores and other loads of the sources, and erases them with the op."""
        if self.reject_src(copy) is not None:
            return False
        self.host.done(copy.op, "FusedSrc", **self.ends(copy))
        self._touch(copy)
        self.uses.keep(copy.dst)
        self.uses.hoist(copy.dst, copy.srcs)
        for src in copy.srcs:
            while src.stores or src.loads:
                access = next(iter(src.stores or src.loads))
                answer = self._prepared(copy, access)
                if answer is None:
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

    def _no_opaque_use(self, tensors: Sequence[Tensor], other: Tensor) -> Reject | None:
        for tensor in tensors:
            gather = gather_through(tensor, other.shape, self.gathers) if self.views else None
            use = next(iter(tensor.opaque), gather)
            if use is not None:
                return self.reject(Reason.GENERIC, use)
        return None

    def _no_whole_use(self, copy: Copy, tensor: Tensor) -> Reject | None:
        if self.views:
            return None
        other = next((use for use in tensor.uses if use.step is not copy.step), None)
        return None if other is None else self.reject(Reason.WHOLE, other)

    def _site(self, copy: Copy, access: Access) -> Site | None:
        """An access of the tensor that goes, and where its elements are in the other one."""
        if access.tensor is copy.dst:
            return Site.of(access, copy.source, copy.shapes)
        number = copy.numbers[access.tensor]
        return Site.of(access, lambda forms, space: copy.target(number, forms, space), copy.shapes)

    def _sites(self, copy: Copy, step: Step, gone: Container[Tensor]) -> list[Site | None]:
        """Every access of a nest to the tensors that go, in the order of the ops."""
        return [self._site(copy, a) for a in step.accesses if a.tensor in gone]

    def _reject_addresses(self, copy: Copy, gone: Collection[Tensor]) -> Reject | None:
        """(a) for the tensors that go; what they are accessed by in one nest is seen together."""
        accesses = [a for tensor in gone for a in (*tensor.stores, *tensor.loads)]
        for access in accesses:
            if access.forms is None:
                return self.reject(Reason.ADDRESS, access)
        for step in dict.fromkeys(access.step for access in accesses):
            sites = [site for site in self._sites(copy, step, gone) if site is not None]
            reject = self._reject_nest(copy, sites)
            if reject is not None:
                return reject
        return None

    def _reject_nest(self, copy: Copy, sites: list[Site]) -> Reject | None:
        pieces = 1
        stack = [sites]
        while stack:
            here = stack.pop()
            needed = need(here)
            if isinstance(needed, Failure):
                reason = Reason.SPANS if needed.spans else Reason.ADDRESS
                return self.reject(reason, needed.site.access)
            if isinstance(needed, Cut):
                pieces += 1
                if pieces > MAX_PIECES:
                    return self.reject(Reason.SPANS, here[0].access)
                halves = [site.halves(needed) for site in here]
                stack += [[first for first, _ in halves], [second for _, second in halves]]
                continue
            for site in here:
                refusal = self.is_degraded_fusion(copy, site)
                if refusal:
                    reject = self.reject(Reason.DEGRADED, site.access)
                    return replace(reject, args={**reject.args, "Refusal": refusal})
        return None

    def is_degraded_fusion(self, copy: Copy, site: Site) -> str:
        """Why a fusion is one that the options decline; empty if it is not.

        Document 000 has the name and one of the texts. A guess: a big tensor of one dimension in
        the place of one of several; or a load that runs more often than there are elements, so that
        the order of memory pays off again and again, and would take longer strides.
        """
        big = self.host.big_tensor_threshold_one_d
        if not (self.host.disable_degraded_fusion or big):
            return ""
        access, answer = site.access, site.resolve()
        if not isinstance(answer, Found):
            return ""
        other = (*copy.srcs, copy.dst)[answer.operand]
        if big and len(other.shape) == 1 < len(access.tensor.shape) and other.count > big:
            return BIG_TENSOR
        if not self.host.disable_degraded_fusion or access.forms is None:
            return ""
        runs = math.prod(loop.extent or 1 for loop in access.path)
        if access.is_store or runs <= access.tensor.count:
            return ""
        old = _stride(flatten(access.tensor.shape, access.forms), access.path)
        new = _stride(flatten(other.shape, answer.forms), access.path)
        return f"a repeated load would step by {new} elements, not {old}" if new > old else ""

    def _prepared(self, copy: Copy, access: Access) -> Found | Nowhere | None:
        """Where an access goes; None if its nest had to be changed first, and was."""
        step = access.step
        gone = (copy.dst,) if access.tensor is copy.dst else copy.numbers
        needed = need(site for site in self._sites(copy, step, gone) if site is not None)
        if isinstance(needed, Cut):
            self.rewriter.cut(step, needed.key, needed.at)
            return None
        if isinstance(needed, list):
            # The address that was seen on the way counts.
            self.rewriter.quasi_affine += 1
            for key, factor in needed:
                step = self.rewriter.split_loop(step, key, factor)
            return None
        site = self._site(copy, access)
        assert site is not None
        if site.is_empty:
            # It never happens.
            operand = 0 if access.tensor is copy.dst else len(copy.srcs)
            return Found(operand, (Form(),) * len(site.shapes[operand]))
        answer = site.resolve()
        assert isinstance(answer, Found | Nowhere)
        return answer

    def _touch(self, copy: Copy) -> None:
        """Copies around are worth another try."""
        self.clock += 1
        for tensor in (*copy.srcs, copy.dst):
            self.touched[tensor], self.news[tensor] = self.clock, None

    def is_worth_a_try(self, copy: Copy) -> bool:
        """Whether something has changed around a copy since it was tried."""
        touched, tried = self.touched, copy.tried
        if tried < 0 or touched.get(copy.dst, -1) > tried:
            return True
        return any(touched.get(src, -1) > tried for src in copy.numbers)

    def _refresh(self, step: Step) -> None:
        """The operands of an op have changed."""
        if step in self.copies:
            tried = self.copies[step].tried
            self.copies[step] = self._copy(step)
            self.copies[step].tried = tried

    def _remove(self, copy: Copy) -> None:
        del self.copies[copy.step]


def is_before(a: ir.Operation, b: ir.Operation) -> bool:
    """Whether an op comes first in a block that both are in."""
    for view in a.block.operations:
        if view.operation == a:
            return True
        if view.operation == b:
            return False
    return False


def _stride(flat: Form, path: tuple[Loop, ...]) -> int:
    """The step in memory of the innermost loop that the address depends on."""
    return next((abs(c) for loop in reversed(path) if (c := flat[loop.key])), 0)
