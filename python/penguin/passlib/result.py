"""What a run did: per pass its time, its counters and its size; as reports."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from penguin.passlib import statistics, timing
from penguin.passlib.pass_ import Session
from penguin.passlib.pipeline import Step
from penguin.passlib.remarks import Remark, camel


@dataclass(frozen=True)
class StepRecord:
    """What one pass of the pipeline did."""

    step: Step
    seconds: float
    rows: tuple[statistics.Row, ...]
    ops_before: int | None = None
    ops_after: int | None = None
    rss: int | None = None
    start: float | None = None


@dataclass
class Result:
    """What a run did; also filled, up to the fault, when the run ends with an exception."""

    steps: list[StepRecord] = field(default_factory=list)
    session: Session = field(default_factory=Session)
    # The module as it is now; a pass may have put another in the place of the given one.
    module: Any = None
    # Verification, contracts and semantics, around the passes.
    check_seconds: float = 0.0

    @property
    def remarks(self) -> list[Remark]:
        last = {record.step.category: at for at, record in enumerate(self.steps)}
        return self.session.remarks.results(last)

    @property
    def statistics(self) -> list[statistics.Row]:
        """All counters, those of several runs of a pass as one."""
        return statistics.merge_runs(record.rows for record in self.steps)

    def statistics_report(self, *, display: str = "pipeline", json: bool = False) -> str:
        """Upstream's report: one entry per pass of the pipeline, or one merged list."""
        entries: list[tuple[int, str, Sequence[statistics.Row]]] = []
        if display == "list":
            rows = self.statistics
            for name in dict.fromkeys(row.pass_name for row in rows):
                entries.append((0, camel(name), [r for r in rows if r.pass_name == name]))
        else:
            path: tuple[str, ...] = ()
            for record in self.steps:
                for depth in range(_common(path, record.step.path), len(record.step.path)):
                    entries.append((depth, f"'{record.step.path[depth]}' Pipeline", ()))
                path = record.step.path
                entries.append((len(path), camel(record.step.name), record.rows))
        return statistics.to_json(entries) if json else statistics.to_text(entries)

    def timing_entries(self) -> list[timing.Entry]:
        """One row per pass, below rows for the nested pipelines."""
        found: list[timing.Entry] = []
        path: tuple[str, ...] = ()
        for at, record in enumerate(self.steps):
            step_path = record.step.path
            for depth in range(max(1, _common(path, step_path)), len(step_path)):
                inside = _run_length(self.steps[at:], step_path[: depth + 1])
                name = f"'{step_path[depth]}' Pipeline"
                found.append(timing.Entry(name, sum(r.seconds for r in inside), depth - 1))
            path = step_path
            found.append(
                timing.Entry(
                    camel(record.step.name),
                    record.seconds,
                    len(path) - 1,
                    record.ops_before,
                    record.ops_after,
                    record.rss,
                    record.start,
                )
            )
        return found


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _run_length(records: Sequence[StepRecord], path: tuple[str, ...]) -> list[StepRecord]:
    end = next((i for i, r in enumerate(records) if r.step.path[: len(path)] != path), len(records))
    return list(records[:end])
