"""Remarks: what a pass did, what it declined and why, what it failed at, what it measured.

Console, as upstream's `emitRemark`, one line each:
    model.py:12:9: remark: [Missed] ReadTwice | Category:data-movement:memcpy-elimination |
        Function=main | Reason="source is read more than once", Bytes=1048576
YAML has LLVM's capital keys, so that opt-viewer tools read it.

The reason of a missed remark is an enum member of the pass: a closed set. Filters are regular
expressions on the category. Policy `all` reports everything; under `final` the missed remarks of
a pass's last run replace those of its earlier runs, since the last explain sweep is complete.
"""

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from penguin.errors import Diagnostic


class Kind(enum.StrEnum):
    PASSED = "Passed"
    MISSED = "Missed"
    FAILURE = "Failure"
    ANALYSIS = "Analysis"


class Policy(enum.StrEnum):
    ALL = "all"
    FINAL = "final"


@dataclass(frozen=True)
class Remark:
    """`run` numbers the pass's place in the pipeline; `location` is `file:line:col` or a name."""

    kind: Kind
    category: str
    name: str
    location: str
    function: str
    args: Mapping[str, Any] = field(default_factory=dict)
    run: int = 0

    def message(self) -> str:
        args = ", ".join(f"{key}={_console(value)}" for key, value in self.args.items())
        parts = [f"[{self.kind}] {self.name}", f"Category:{self.category}"]
        if self.function:
            parts.append(f"Function={self.function}")
        if args:
            parts.append(args)
        return " | ".join(parts)

    def diagnostic(self) -> Diagnostic:
        return Diagnostic("", self.message(), self.location, "remark")

    def yaml(self) -> str:
        lines = [
            f"--- !{self.kind}",
            f"Pass:            {_quote(self.category)}",
            f"Name:            {self.name}",
        ]
        place = re.fullmatch(r"(.*):(\d+):(\d+)", self.location)
        if place is not None:
            file, line, column = place.groups()
            lines.append(
                f"DebugLoc:        {{ File: {_quote(file)}, Line: {line}, Column: {column} }}"
            )
        lines.append(f"Function:        {self.function or _quote('')}")
        if self.args:
            lines.append("Args:")
            for key, value in self.args.items():
                lines.append(f"  - {key + ':':<16} {_quote(str(value))}")
        return "\n".join([*lines, "...", ""])


def _console(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else f'"{value}"'


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def camel(name: str) -> str:
    """`READ_TWICE` or `read-twice` as `ReadTwice`."""
    return "".join(word.capitalize() for word in re.split(r"[_\-]", name))


@dataclass
class Filter:
    """Which remarks are wanted: per kind a regular expression on the category, or one for all."""

    every: str | None = None
    per_kind: Mapping[Kind, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = re.compile(self.every) if self.every is not None else None
        self._patterns = {
            kind: re.compile(self.per_kind[kind]) if kind in self.per_kind else every
            for kind in Kind
        }

    def wants(self, kind: Kind, category: str) -> bool:
        pattern = self._patterns[kind]
        return pattern is not None and pattern.search(category) is not None


@dataclass
class Remarks:
    """Collects the wanted remarks of a compilation."""

    filter: Filter = field(default_factory=Filter)
    policy: Policy = Policy.FINAL
    found: list[Remark] = field(default_factory=list)

    def wants(self, kind: Kind, category: str) -> bool:
        return self.filter.wants(kind, category)

    def add(self, remark: Remark) -> None:
        if self.wants(remark.kind, remark.category):
            self.found.append(remark)

    def results(self, last_runs: Mapping[str, int]) -> list[Remark]:
        """The remarks to report; `last_runs` has each category's last place in the pipeline."""
        if self.policy is Policy.ALL:
            return list(self.found)
        return [
            r
            for r in self.found
            if r.kind is not Kind.MISSED or r.run >= last_runs.get(r.category, r.run)
        ]
