"""The two kinds of pass.

A pass is a dataclass with the class attributes `name` (kebab case), `requires` and `produces`
(properties, see `contracts`), fields made by `option`, counters made by `Statistic`, and either

    def run(self, func: func.FuncOp) -> None       # FunctionPass: once per function with a body
    def run(self, module: ir.Module) -> None       # ModulePass: once

or patterns (see `patterns`), which the inherited `run` applies and explains. A pass that has
`candidates` and `bytes_of` keeps books (see `books`), which must balance after each run. A fault of
the user's program is reported with `error`, after which the pass returns; an exception is a bug of
the pass. One instance serves all functions of a module, so counters are totals.
"""

import contextlib
import enum
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from penguin.analysis.tensor_names import described as described_movement
from penguin.dialects.bir import DEFAULT_TARGET
from penguin.errors import Diagnostic
from penguin.mlir import ir
from penguin.passlib import remarks as rk
from penguin.passlib import statistics
from penguin.passlib.books import Amount, Balance, sum_of
from penguin.passlib.diagnostics import Diagnostics, Message, describe, name_of
from penguin.passlib.patterns import Driver, Limit, Reject, registered
from penguin.passlib.statistics import Over, Row


@dataclass
class Session:
    """What the passes of one compilation share."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    remarks: rk.Remarks = field(default_factory=rk.Remarks)
    target: str = DEFAULT_TARGET
    rewrites_left: int | None = None
    # Kinds of ops that passes with books have had among their candidates, with those passes.
    claims: dict[str, dict[str, None]] = field(default_factory=dict)
    # Where a pass that prints writes; never stdout, which has the module.
    output: Callable[[str], object] = lambda text: print(text, end="", file=sys.stderr)


class Pass:
    """Common to both kinds; not a base class for pass files."""

    name: ClassVar[str] = ""
    anchor: ClassVar[str] = ""
    requires: ClassVar[Collection[str]] = ()
    produces: ClassVar[Collection[str]] = ()
    preserves: ClassVar[Collection[str]] = ()
    # "greedy": a worklist; "walk": sweeps in program order, cheaper if one or two are enough.
    driver: ClassVar[str] = "greedy"

    counters: dict[str, int | float]
    session: Session
    category: str
    run_index: int
    failed: bool
    balance: Balance
    nested: "list[Pass]"
    _pending: tuple[str, str, str, dict[str, Any]] | None
    _remarked: bool
    _open: bool

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # Not in `__init__`: that is the dataclass's, and subclasses own `__post_init__`.
        self = super().__new__(cls)
        self.counters = {}
        self.session = Session()
        self.category = cls.name
        self.run_index = 0
        self.failed = False
        self.balance = Balance()
        self.nested = []
        self._pending = None
        self._remarked = self._open = False
        return self

    # To be overridden -----------------------------------------------------------------------

    def run(self, root: Any) -> None:
        """Applies the patterns, then explains what they left."""
        self.apply_patterns(root)
        self.explain(root)

    def legality(self, op: Any) -> Reject | None:
        """Pure: the first failing clause, in (L) order, or None."""
        return None

    def candidates(self, root: Any) -> Iterable[Any]:
        """The ops under `root` that the pass would like to rewrite, for the explain sweep."""
        return ()

    def bytes_of(self, op: Any) -> int | None:
        """The bytes that the books count for a candidate; None if the pass keeps none."""
        return None

    # For pass authors -------------------------------------------------------------------------

    @property
    def target(self) -> str:
        """`trn1`, `trn2` or `trn3`."""
        return self.session.target

    def apply_patterns(self, root: Any) -> None:
        """Applies the class's patterns with the class's driver."""
        Driver(self).apply(root.operation, greedy=self.driver == "greedy")

    def run_pass(self, name: str, root: Any) -> None:
        """Runs another pass as a part of this one; its counters and remarks keep its own name."""
        # The registry knows passes by name, so that no pass imports another.
        from penguin.passlib import registry

        known = registry.default()
        instance = known.load(name)()
        instance.session, instance.run_index = self.session, self.run_index
        instance.category = known.category(name)
        instance.execute(root)
        self.failed = self.failed or instance.failed
        self.nested.append(instance)

    def explain(self, root: Any) -> None:
        """One missed remark per surviving candidate, at its location."""
        by_op = {name: legality for _, name, _, legality in reversed(registered(type(self)))}
        for op in list(self.candidates(root)):
            reject = getattr(self, by_op.get(op.operation.name, "legality"))(op)
            if reject is None:
                if self.may_rewrite():
                    raise AssertionError(
                        f"{op.operation.name} at {describe(op)} is legal but was not rewritten"
                    )
                reject = Reject(Limit.REWRITE_LIMIT)
            self.decline(op, reject)

    def error(
        self,
        where: "ir.Location | ir.Operation | ir.OpView | None",
        code: str,
        message: str,
        notes: Iterable[str] = (),
        *,
        at: "Iterable[tuple[ir.Location | ir.Operation | ir.OpView, str]]" = (),
    ) -> None:
        """Reports a fault of the program and fails the pass; `at` are notes with places."""
        self.failed = True
        self._report("error", where, code, message, notes, at)

    def warning(
        self,
        where: "ir.Location | ir.Operation | ir.OpView | None",
        code: str,
        message: str,
        notes: Iterable[str] = (),
    ) -> None:
        """Reports something suspicious in the program; the pass goes on."""
        self._report("warning", where, code, message, notes, ())

    def fail(self) -> None:
        """Fails the pass after something else has reported why."""
        self.failed = True

    def passed(self, op: Any, name: str, **args: Any) -> None:
        """Remark: a change was made."""
        self._remarked = True
        self._remark(rk.Kind.PASSED, op, name, args)

    def done(self, op: Any, name: str, **args: Any) -> None:
        """As `passed`, before the op is rewritten; counted. For rewrites that are no patterns."""
        size = self.bytes_of(op)
        self.balance.done += 1
        if self.session.rewrites_left is not None:
            self.session.rewrites_left -= 1
        self.balance.done_bytes += size or 0
        self._remarked = True
        if self.session.remarks.wants(rk.Kind.PASSED, self.category):
            self._remark(rk.Kind.PASSED, op, name, {**self._movement(op, size), **args})

    def missed(self, op: Any, reason: enum.Enum, **args: Any) -> None:
        """Remark: a candidate was left alone, for one of the pass's reasons; counted."""
        size = self.bytes_of(op)
        self.balance.missed[reason.name] += 1
        self.balance.missed_bytes[reason.name] += size or 0
        if self.session.remarks.wants(rk.Kind.MISSED, self.category):
            args = {"Reason": reason.value, **self._movement(op, size), **args}
            self._remark(rk.Kind.MISSED, op, rk.camel(reason.name), args)

    def decline(self, op: Any, reject: Reject) -> None:
        """As `missed`, for a reason with its particulars."""
        args = dict(reject.args)
        if reject.at is not None:
            args["At"] = self._place(reject.at)
        if reject.suggest:
            args["Suggestion"] = reject.suggest
        self.missed(op, reject.reason, **args)

    def analysis(self, op: Any, name: str, **args: Any) -> None:
        """Remark: a fact was found."""
        self._remark(rk.Kind.ANALYSIS, op, name, args)

    def failure(self, op: Any, name: str, **args: Any) -> None:
        """Remark: a transformation that was asked for could not be done."""
        self._remark(rk.Kind.FAILURE, op, name, args)

    @contextlib.contextmanager
    def books(self, root: Any) -> Iterator[None]:
        """Around the work on `root`: afterwards each candidate must be done or missed, in ops and
        in bytes; see `penguin.passlib.books`. Not asked of a pass that has failed."""
        if self._open:
            yield
            return
        found, start = self._count(root), self.balance.totals()
        self._open = True
        try:
            yield
        finally:
            self._open = False
        if not self.failed:
            function = function_of(root)
            where = f" of @{function}" if function else ""
            self.balance.totals().since(start).check(found, self._count(root), where)

    def created(self, op: Any) -> None:
        """Enters a candidate that the pass has made since its books were opened."""
        self._claim([op])
        self.balance.created = self.balance.created.plus(Amount(1, self.bytes_of(op) or 0))

    def vanished(self, op: Any) -> None:
        """Enters a candidate, before it is erased or ceases to be one other than by `done`."""
        self.balance.vanished = self.balance.vanished.plus(Amount(1, self.bytes_of(op) or 0))

    # For the framework ------------------------------------------------------------------------

    @property
    def keeps_books(self) -> bool:
        """Whether the pass counts bytes, and so says all there is to say about its candidates."""
        return type(self).bytes_of is not Pass.bytes_of

    def execute(self, root: Any) -> Any:
        """Runs the pass; with open books if it keeps any.

        A pass of patterns opens them itself, if it can: a greedy driver erases dead candidates.
        """
        if not self.keeps_books or registered(type(self)):
            return self.run(root)
        with self.books(root):
            return self.run(root)

    def may_rewrite(self) -> bool:
        return self.session.rewrites_left is None or self.session.rewrites_left > 0

    def about_to_rewrite(self, op: Any, method: str) -> None:
        """Keeps what a remark needs: the op is gone afterwards."""
        size = self.bytes_of(op)
        self.balance.done_bytes += size or 0
        self._remarked = False
        self._pending = None
        if self.session.remarks.wants(rk.Kind.PASSED, self.category):
            args = self._movement(op, size)
            self._pending = (rk.camel(method), self._place(op), function_of(op), args)

    def has_rewritten(self) -> None:
        """Counts the change; says so unless the rewrite said it better."""
        self.balance.done += 1
        if self.session.rewrites_left is not None:
            self.session.rewrites_left -= 1
        if self._pending is None or self._remarked:
            return
        name, location, function, args = self._pending
        self.session.remarks.add(
            rk.Remark(rk.Kind.PASSED, self.category, name, location, function, args, self.run_index)
        )

    def extra_rows(self) -> list[Row]:
        """The books as statistics; of a pass that counts nothing done, what it missed."""
        rows = list(self.balance.rows(self.name, in_bytes=self.keeps_books))
        if not self.balance.done and type(self).candidates is Pass.candidates:
            rows = [row for row in rows if row.over is Over.LAST and self.balance.candidates]
        return rows + [row for each in self.nested for row in statistics.rows(each)]

    def _count(self, root: Any) -> Amount:
        ops = list(self.candidates(root))
        self._claim(ops)
        return sum_of(map(self.bytes_of, ops))

    def _claim(self, ops: Iterable[Any]) -> None:
        for kind in dict.fromkeys(op.operation.name for op in ops):
            self.session.claims.setdefault(kind, {})[self.name] = None

    def _place(self, where: Any) -> str:
        return self.session.diagnostics.shown(describe(where))

    def _movement(self, op: Any, size: int | None) -> dict[str, Any]:
        """What a remark about a candidate with a size says of it: what is moved from where to
        where."""
        return {} if size is None else {"Bytes": size, **dict(described_movement(op))}

    def _remark(self, kind: rk.Kind, op: Any, name: str, args: dict[str, Any]) -> None:
        if not self.session.remarks.wants(kind, self.category):
            return
        remark = rk.Remark(
            kind, self.category, name, self._place(op), function_of(op), args, self.run_index
        )
        self.session.remarks.add(remark)

    def _report(
        self,
        severity: str,
        where: Any,
        code: str,
        message: str,
        notes: Iterable[str],
        at: Iterable[tuple[Any, str]],
    ) -> None:
        location = describe(where)
        located = [Diagnostic("", text, describe(place), "note") for place, text in at]
        if where is not None:
            loc = where.operation.location if hasattr(where, "operation") else where
            name = name_of(loc)
            if name and name != location:
                notes = [*notes, f"the op comes from {name}"]
        self.session.diagnostics.add(
            Message(code, message, location, severity, tuple(notes), tuple(located))
        )


class FunctionPass(Pass):
    """Runs on each `func.func` that has a body; must not touch other functions."""

    anchor = "func.func"


class ModulePass(Pass):
    """Runs on the `builtin.module`; a pass that goes to other bindings returns the new module."""

    anchor = "builtin.module"


def function_of(op: Any) -> str:
    """The symbol of the function around an op (or of the op itself); empty if there is none."""
    if not hasattr(op, "operation"):  # a location
        return ""
    current = op.operation
    while current is not None:
        if current.name == "func.func":
            return current.attributes["sym_name"].value
        current = current.parent
        if current is not None:
            current = current.operation
    return ""
