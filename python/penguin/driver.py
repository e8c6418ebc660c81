"""Compiles a module: the default pipeline, cut at the level where the caller wants to stop.

    with mlir.context():
        compiled = driver.compile(frontend.load("model.mlir"), target="trn2")
        compiled.run(inputs)          # simulated
        print(bir.to_text(compiled.bir))

The way down has five levels, each reached by a named pipeline that extends the one before
(`penguin.passes.PIPELINES`); a module that is at one of them already goes on from there:

    stablehlo   inlined, no CHLO                    loops   affine nests
    penguin     tensor ops on buffers               tiled   loops marked with their axes
                                                    bir     allocated instructions

`after_stage(level, module)` is called when a level is reached; the module may be printed or
executed, not changed. The module is lowered in place. Faults of the program are `UserError`s, ours
`InternalError`s; both come from the pass framework.
"""

import enum
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penguin import bir, execute, ports
from penguin.dialects.bir import DEFAULT_TARGET, TARGET, TARGETS
from penguin.dialects.penguin.attributes import AXIS, PREFIX
from penguin.errors import UserError
from penguin.mlir import ir, walk
from penguin.passlib import Pipeline, Result, Runner, RunOptions, registry
from penguin.passlib.irprint import IrPrinter
from penguin.passlib.pass_ import Session
from penguin.passlib.remarks import Filter, Kind, Remark, Remarks
from penguin.passlib.statistics import Row
from penguin.passlib.timing import Entry
from penguin.report.movement import Moved, Survivor, moved, survivors


class Level(enum.StrEnum):
    """Where a module can stop, from the top."""

    STABLEHLO = "stablehlo"
    PENGUIN = "penguin"
    LOOPS = "loops"
    TILED = "tiled"
    BIR = "bir"


_ORDER = tuple(Level)
_PIPELINES: Mapping[Level, str] = {
    Level.STABLEHLO: "penguin-hlo-pipeline",
    Level.PENGUIN: "penguin-to-tensor-pipeline",
    Level.LOOPS: "penguin-to-loops-pipeline",
    Level.TILED: "penguin-to-tiled-pipeline",
    Level.BIR: "penguin-default-pipeline",
}
# Copies and casts are counted where the passes that could remove them are through.
_COUNT_BEFORE = "late-lower-tensor-op"
# What is kept by itself: the reasons for what the passes below the hlo level leave.
_REASONS = Filter(per_kind={Kind.MISSED: "^(?!hlo:)"})

AfterStage = Callable[[Level, ir.Module], None]


@dataclass(frozen=True)
class Compiled:
    """A module at `level`, and what happened on the way. Its context must stay entered."""

    module: ir.Module
    level: Level
    signature: ports.Signature
    result: Result
    survivors: tuple[Survivor, ...] = ()
    # The data movement that was left; None if the module was never at the tensor level.
    moved: tuple[Moved, ...] | None = None

    @functools.cached_property
    def bir(self) -> bir.Module:
        """The instructions as plain data."""
        if self.level is not Level.BIR:
            raise AssertionError(f"the module stopped at '{self.level}', not at 'bir'")
        return bir.from_mlir(self.module)

    @property
    def statistics(self) -> list[Row]:
        return self.result.statistics

    @property
    def remarks(self) -> list[Remark]:
        return self.result.remarks

    @property
    def timings(self) -> list[Entry]:
        return self.result.timing_entries()

    @property
    def seconds(self) -> float:
        """Time in passes."""
        return sum(record.seconds for record in self.result.steps)

    def run(
        self, inputs: Sequence[np.ndarray], progress: execute.Progress | None = None
    ) -> list[np.ndarray]:
        """Executes the module at its level; `progress` as for `execute.run`."""
        if self.level is Level.BIR:
            return execute.run_bir(self.bir, inputs, self.signature, progress)
        return execute.run(self.module, inputs)


@dataclass
class _Watcher(IrPrinter):
    """Follows the runner from pass to pass; `ends` are numbers of steps with the level reached."""

    ends: dict[int, list[Level]] = field(default_factory=dict)
    module: Any = None
    after_stage: AfterStage | None = None
    session: Session | None = None
    survivors: tuple[Survivor, ...] = ()
    moved: tuple[Moved, ...] | None = None
    steps: int = 0

    def enter(self, name: str, number: str, root: Any, targets: Any) -> None:
        if name == _COUNT_BEFORE:
            self.survivors = survivors(root)
            self.count(root)

    def count(self, root: ir.Operation) -> None:
        assert self.session is not None
        self.moved = moved(root, self.session.diagnostics.shown)

    def leave(self, name: str, number: str, root: Any, targets: Any, failed: bool) -> None:
        self.steps += 1
        if not failed and self.after_stage is not None:
            for level in self.ends.get(self.steps, ()):
                self.after_stage(level, self.module)


def compile(
    module: ir.Module,
    *,
    target: str = DEFAULT_TARGET,
    stop_after: Level | str = Level.BIR,
    pass_options: Mapping[str, str] | None = None,
    run_options: RunOptions | None = None,
    remarks: Remarks | None = None,
    after_stage: AfterStage | None = None,
) -> Compiled:
    """Lowers `module` to the level `stop_after`.

    `pass_options` maps a pass name to the text of its options, `a=1 b=2`. `run_options.printer` is
    not used. Without `remarks`, what passes on buffers declined is kept, for the report of copies.
    """
    stop, start = _level(stop_after), level_of(module)
    if target not in TARGETS:
        expected = ", ".join(TARGETS)
        raise UserError.at("PGR207", f"unknown target '{target}', expected one of {expected}")
    if start is not None and _ORDER.index(start) > _ORDER.index(stop):
        raise UserError.at(
            "PGR208", f"the module is at level '{start}', which is below '{stop}' already"
        )
    module.operation.attributes[TARGET] = ir.StringAttr.get(target)
    known = registry.default()
    pipeline, ends = _pipeline(start, stop, pass_options or {}, known)
    session = Session(remarks=remarks or Remarks(_REASONS), target=target)
    watcher = _Watcher(print, ends=ends, module=module, after_stage=after_stage, session=session)
    options = run_options or RunOptions()
    options.printer = watcher
    runner = Runner(known, options, session)
    result = runner.run(module, pipeline)
    if stop is Level.PENGUIN:
        watcher.count(module.operation)
    signature = ports.signature(module)
    return Compiled(module, stop, signature, result, watcher.survivors, watcher.moved)


def level_of(module: ir.Module) -> Level | None:
    """The level that a module is at; None for StableHLO as it comes in."""
    kind = execute.level_of(module)
    if kind is execute.Level.HLO:
        return None
    if kind is execute.Level.INST:
        return Level.BIR
    ops = walk(module.operation)
    if any(op.name.startswith(PREFIX) for op in ops):
        return Level.PENGUIN
    marked = any(op.name == "affine.for" and AXIS in op.attributes for op in ops)
    return Level.TILED if marked else Level.LOOPS


def pipeline_text(stop_after: Level | str = Level.BIR) -> str:
    """The passes on the way to a level, as text for `penguin-opt --pass-pipeline`."""
    return str(_pipeline(None, _level(stop_after), {}, registry.default())[0])


def _level(name: Level | str) -> Level:
    if name not in _ORDER:
        expected = ", ".join(_ORDER)
        raise UserError.at("PGR209", f"unknown level '{name}', expected one of {expected}")
    return Level(name)


def _pipeline(
    start: Level | None,
    stop: Level,
    pass_options: Mapping[str, str],
    known: registry.Registry,
) -> tuple[Pipeline, dict[int, list[Level]]]:
    """The passes between two levels, and after how many of them each level is reached."""
    levels = _ORDER[: _ORDER.index(stop) + 1]
    lengths = {
        level: len(Pipeline.parse(f"builtin.module({_PIPELINES[level]})", known).steps)
        for level in levels
    }
    whole = Pipeline.parse(f"builtin.module({_PIPELINES[stop]})", known).steps
    first = 0 if start is None else lengths[start]
    unknown = set(pass_options) - {step.name for step in whole[first:]}
    if unknown:
        raise UserError.at("PGR209", f"the pipeline has no pass '{min(unknown)}'")
    ends: dict[int, list[Level]] = {}
    for level, length in lengths.items():
        if length > first:
            ends.setdefault(length - first, []).append(level)
    nests = ",".join(_element(step, pass_options) for step in whole[first:])
    return Pipeline.parse(f"builtin.module({nests})", known), ends


def _element(step: Any, pass_options: Mapping[str, str]) -> str:
    text = str(step.call)
    if step.name in pass_options:
        text = f"{step.name}{{{pass_options[step.name]}}}"
    for anchor in reversed(step.path[1:]):
        text = f"{anchor}({text})"
    return text
