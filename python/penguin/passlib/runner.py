"""Runs a pipeline over a module, one pass at a time.

Our passes are called directly; upstream's go to the bindings' pass manager, each on its own. A pass
nested in `func.func` runs on all functions before the next pass starts, with one instance.

Around each pass: its required properties are checked, IR printing and timing happen, errors that it
reported (in any way) end the run with a `UserError` that holds all of them, the result is verified,
promised properties are checked, and results are compared if semantics are watched. Everything that
is the pass's own fault is a `PassCrash`: it names the pass, the reproducer and the replay command.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from penguin.errors import Diagnostic, InternalError, UserError
from penguin.mlir import TORCH, bindings_of, guard, ir, run_upstream
from penguin.passlib import contracts, reproducer, statistics, timing
from penguin.passlib.diagnostics import describe
from penguin.passlib.irprint import IrPrinter
from penguin.passlib.pass_ import Pass, Session
from penguin.passlib.pipeline import Pipeline, Step
from penguin.passlib.registry import Registry, default
from penguin.passlib.result import Result, StepRecord
from penguin.passlib.semantics import Semantics


@dataclass
class PassCrash(InternalError):
    """An internal error with its code, and the command that replays the reproducer."""

    code: str = ""
    command: str = ""
    findings: list[Diagnostic] = field(default_factory=list)


@dataclass
class RunOptions:
    """`reproducer` is None for a file in the temporary folder; `count_ops` also measures memory.

    `crash_reproducer` writes the file before every pass, so that it survives a crash of the process
    and user errors leave one, too; `local_reproducer` reduces it to the failing pass.
    """

    verify_each: bool = True
    check_contracts: bool = True
    write_reproducers: bool = True
    reproducer: str | None = None
    crash_reproducer: bool = False
    local_reproducer: bool = True
    count_ops: bool = False
    printer: IrPrinter | None = None
    semantics: Semantics | None = None
    semantics_flags: tuple[str, ...] = ()
    progress: Callable[[str], object] | None = None


def run_pipeline(
    module: Any,
    pipeline: str | Pipeline,
    *,
    options: RunOptions | None = None,
    session: Session | None = None,
    registry: Registry | None = None,
) -> Result:
    """Runs a pipeline over a module; raises `UserError` or `InternalError`."""
    registry = registry or default()
    if isinstance(pipeline, str):
        pipeline = Pipeline.parse(pipeline, registry)
    return Runner(registry, options or RunOptions(), session or Session()).run(module, pipeline)


class Runner:
    """One run; `result` is there to be read whatever happens."""

    def __init__(self, registry: Registry, options: RunOptions, session: Session) -> None:
        self.registry, self.options, self.session = registry, options, session
        self.result = Result(session=session)
        self.known: set[str] = set()
        self.snapshot: Any = None

    def run(self, module: Any, pipeline: Pipeline) -> Result:
        root = module.operation
        if pipeline.steps and pipeline.anchor not in (root.name, "any"):
            message = (
                f"the pipeline is anchored on '{pipeline.anchor}', the input is a '{root.name}'"
            )
            raise UserError.at("PGP007", message, self._place(root))
        self.pipeline = pipeline
        self._take(module)
        numbers = _numbers(pipeline.steps)
        with contextlib.ExitStack() as captures:
            captures.enter_context(self.session.diagnostics.capture())
            if self.bindings is not TORCH:
                captures.enter_context(self.session.diagnostics.capture(root.context))
            if self.options.semantics is not None and pipeline.steps:
                self._start_semantics()
            for index, step in enumerate(pipeline.steps):
                if self.options.progress is not None:
                    self.options.progress(f"[{index + 1}/{len(pipeline.steps)}] {step.name}")
                self._step(index, step, numbers[index])
        self.snapshot = None
        if self.options.crash_reproducer and self.options.reproducer is not None:
            Path(self.options.reproducer).unlink(missing_ok=True)
        return self.result

    def _take(self, module: Any) -> None:
        """Makes `module` the one that is compiled."""
        self.result.module = self.module = module
        self.root = module.operation
        self.bindings = bindings_of(self.root)

    def _step(self, index: int, step: Step, number: str) -> None:
        instance = step.build() if step.cls is not None else None
        if instance is not None:
            instance.session, instance.category = self.session, step.category
            instance.run_index = index
            self._check_required(instance, index)
        self._take_snapshot(step, index)
        targets = _targets(self.root, step.path) if self._needs_targets(step) else []
        if self.options.printer is not None:
            self.options.printer.enter(step.name, number, self.root, targets)
        before = timing.count_ops(self.root) if self.options.count_ops else None
        errors = len(self.session.diagnostics.errors)
        root = self.root
        start = time.perf_counter()
        try:
            self._call(step, instance, targets)
        except UserError:
            failed = True
        except Exception as error:
            raise self._crash("PGX001", step, index, f"{type(error).__name__}: {error}") from error
        else:
            failed = instance.failed if instance is not None else False
        if self.root is not root:
            targets = [self.root]
        seconds = time.perf_counter() - start
        failed = failed or len(self.session.diagnostics.errors) > errors
        rows = tuple(statistics.rows(instance)) if instance is not None else ()
        record = StepRecord(step, seconds, rows, before, start=start)
        if failed:
            self.result.steps.append(record)
            self._fail(step, index, number, targets, errors)
        if before is not None:
            record = replace(record, ops_after=timing.count_ops(self.root), rss=timing.peak_rss())
        self.result.steps.append(record)
        start = time.perf_counter()
        self._check(step, instance, index)
        self.result.check_seconds += time.perf_counter() - start
        if self.options.printer is not None:
            self.options.printer.leave(step.name, number, self.root, targets, False)

    def _check(self, step: Step, instance: Pass | None, index: int) -> None:
        """What must hold after a pass that succeeded."""
        if self.options.verify_each:
            self._verify(step, index)
        self._settle_properties(step, instance, index)
        if self.options.semantics is not None:
            self._check_semantics(step, index)

    def _call(self, step: Step, instance: Pass | None, targets: Sequence[ir.Operation]) -> None:
        if instance is not None:
            successor = None
            with self.bindings.ir.Location.unknown(self.root.context):
                for op in targets:
                    try:
                        successor = instance.execute(op.opview)
                    except UserError as error:
                        instance.fail()
                        for finding in error.diagnostics:
                            self.session.diagnostics.add(finding)
            if successor is not None:
                self._take(successor)
            return
        try:
            run_upstream(step.pipeline(self.root.name), self.root)
        except self.bindings.ir.MLIRError as error:
            self.session.diagnostics.extend_mlir(error)
            raise UserError() from None

    def _fail(
        self, step: Step, index: int, number: str, targets: Sequence[ir.Operation], errors: int
    ) -> None:
        """Ends the run because of errors that were reported, or should have been."""
        if self.options.printer is not None:
            self.options.printer.leave(step.name, number, self.root, targets, True)
        if len(self.session.diagnostics.errors) == errors:
            raise self._crash("PGX002", step, index, "failed without a message")
        if step.cls is None:
            note = Diagnostic("PGP009", f"upstream pass '{step.name}' failed", "", "note")
            self.session.diagnostics.add(note)
        if self.options.crash_reproducer:
            path = self._write_reproducer(step, index, f"pass '{step.name}' failed")
            note = Diagnostic("PGP009", f"reproducer written to {path}", "", "note")
            self.session.diagnostics.add(note)
        raise UserError(list(self.session.diagnostics.found))

    # Contracts ----------------------------------------------------------------------------------

    def _check_required(self, instance: Pass, index: int) -> None:
        if not self.options.check_contracts:
            return
        for wanted in sorted(set(instance.requires) - self.known):
            op = contracts.offender(self.root, wanted)
            if op is None:
                continue
            makers = [n for n in self.registry.producers(wanted) if n != instance.name]
            hint = f"; '{wanted}' is produced by {', '.join(makers)}" if makers else ""
            message = f"pass '{instance.name}' requires '{wanted}', found '{op.name}'{hint}"
            self.session.diagnostics.add(Diagnostic("PGP006", message, self._place(op)))
            raise UserError(list(self.session.diagnostics.found))

    def _settle_properties(self, step: Step, instance: Pass | None, index: int) -> None:
        if instance is None:
            self.known = set()
            return
        if self.options.check_contracts and self.options.verify_each:
            for promised in sorted(instance.produces):
                op = contracts.offender(self.root, promised)
                if op is not None:
                    message = f"promised '{promised}', but left '{op.name}' at {self._place(op)}"
                    raise self._crash("PGX005", step, index, message)
        self.known = set(instance.produces) | (self.known & set(instance.preserves))

    # Faults of passes ---------------------------------------------------------------------------

    def _verify(self, step: Step, index: int) -> None:
        try:
            with guard():
                self.root.verify()
        except self.bindings.ir.MLIRError as error:
            text = str(error)
            if error.error_diagnostics:
                first = error.error_diagnostics[0]
                text = f"{self._place(first.location)}: {first.message}".strip()
            raise self._crash("PGX003", step, index, f"left invalid IR: {text}") from error
        except Exception as error:
            text = f"a verifier raised {type(error).__name__}: {error}"
            raise self._crash("PGX003", step, index, text) from error

    def _take_snapshot(self, step: Step, index: int) -> None:
        """A copy of the module before the pass: a crash may leave what cannot be printed."""
        if not self.options.write_reproducers:
            return
        self.snapshot = None
        with self.bindings.ir.Location.unknown(self.root.context):
            self.snapshot = self.root.clone()
        if index == 0 and not self.options.local_reproducer:
            self.first = self.snapshot
        if self.options.crash_reproducer:
            self._write_reproducer(step, index, f"pass '{step.name}' crashed the process")

    def _crash(
        self, code: str, step: Step, index: int, message: str, flags: tuple[str, ...] = ()
    ) -> PassCrash:
        path = self._write_reproducer(step, index, f"pass '{step.name}' {message}", flags)
        command = reproducer.command(path, self.registry.plugins, flags) if path else ""
        findings = list(self.session.diagnostics.found)
        return PassCrash(f"pass '{step.name}'", message, path, code, command, findings)

    def _write_reproducer(
        self, step: Step, index: int, headline: str, flags: tuple[str, ...] = ()
    ) -> str:
        """Writes the reproducer; the empty string if that is off or impossible."""
        if self.snapshot is None:
            return ""
        local = self.options.local_reproducer
        root = self.snapshot.operation if local else self.first.operation
        steps = (step,) if local else self.pipeline.steps
        path = self.options.reproducer or reproducer.default_path(step.name, root)
        pipeline = str(Pipeline.of_steps(self.pipeline.anchor, steps))
        command = reproducer.command(path, self.registry.plugins, flags)
        text = reproducer.to_text(root, pipeline, headline, command, self.options.verify_each)
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError:
            return ""
        return path

    # Semantics ----------------------------------------------------------------------------------

    def _start_semantics(self) -> None:
        assert self.options.semantics is not None
        try:
            self.options.semantics.start(self.module)
        except UserError:
            raise
        except ValueError as error:
            message = f"cannot execute the module: {error}"
            raise UserError.at("PGP016", message, self._place(self.root)) from error

    def _check_semantics(self, step: Step, index: int) -> None:
        assert self.options.semantics is not None
        try:
            found = self.options.semantics.check(self.module)
        except UserError as error:
            reason = error.diagnostics[0].message if error.diagnostics else "not executable"
            message = f"semantics not checked after pass '{step.name}': {reason}"
            self.session.diagnostics.add(Diagnostic("PGP016", message, "", "warning"))
            return
        except Exception as error:
            message = f"left a module whose execution fails: {type(error).__name__}: {error}"
            flags = self.options.semantics_flags
            raise self._crash("PGX004", step, index, message, flags) from error
        if found is not None:
            message = f"changed a result: {found}"
            raise self._crash("PGX004", step, index, message, self.options.semantics_flags)

    def _place(self, where: Any) -> str:
        return self.session.diagnostics.shown(describe(where))

    def _needs_targets(self, step: Step) -> bool:
        return step.cls is not None or self.options.printer is not None


def _targets(root: ir.Operation, path: tuple[str, ...]) -> list[ir.Operation]:
    """The ops that a nested pass runs on; functions without a body are left out."""
    found = [root]
    for anchor in path[1:]:
        found = [
            op.operation
            for parent in found
            for region in parent.regions
            for block in region.blocks
            for op in block.operations
            if anchor in (op.operation.name, "any")
        ]
    return [op for op in found if op.name != "func.func" or len(op.regions[0].blocks) > 0]


def _numbers(steps: Sequence[Step]) -> list[str]:
    """Upstream's numbers for dump files: `2`, or `1_0` inside the nested pipeline number 1."""
    numbers: list[str] = []
    outer, inner, path = -1, -1, ()
    for step in steps:
        nested = step.path[1:]
        if not nested:
            outer, inner = outer + 1, -1
            numbers.append(str(outer))
        else:
            if nested != path or inner < 0:
                outer, inner = outer + 1, -1
            inner += 1
            numbers.append(f"{outer}_{inner}")
        path = nested
    return numbers
