"""Counters of a pass: declared on the class, stored on the instance.

    eliminated = Statistic("Number of memcopy eliminated")
    eliminated_bytes = Statistic("Number of bytes eliminated", Unit.BYTES)

Inside the pass they are integers (or floats): `self.eliminated += 1`. Reports print one row
`(S) value name - text` per counter, as MLIR does.
"""

import enum
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload


class Unit(enum.StrEnum):
    """What a counter counts."""

    COUNT = "count"
    BYTES = "bytes"


class Over(enum.Enum):
    """What a row says of several runs of its pass."""

    # The values of all runs.
    SUM = enum.auto()
    # The value of the last run, 0 if it has none: a state.
    LAST = enum.auto()
    # What was rewritten in all runs and what the last one left.
    BALANCE = enum.auto()


class Statistic:
    """A counter of a pass; zero at first."""

    def __init__(self, text: str, unit: Unit = Unit.COUNT) -> None:
        self.text, self.unit = text, unit
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, obj: None, owner: type) -> "Statistic": ...
    @overload
    def __get__(self, obj: Any, owner: type) -> Any: ...
    def __get__(self, obj: Any, owner: type) -> Any:
        return self if obj is None else obj.counters.get(self.name, 0)

    def __set__(self, obj: Any, value: int | float) -> None:
        obj.counters[self.name] = value


@dataclass(frozen=True)
class Row:
    """One value of one counter of one pass in a pipeline."""

    pass_name: str
    name: str
    text: str
    unit: Unit
    value: int | float
    over: Over = Over.SUM


def declared(cls: type) -> list[Statistic]:
    """The counters of a pass class, base classes first, in order of declaration."""
    found = {
        name: value
        for base in reversed(cls.__mro__)
        for name, value in vars(base).items()
        if isinstance(value, Statistic)
    }
    return list(found.values())


def rows(instance: Any) -> list[Row]:
    """The values of a pass after it has run."""
    return [
        Row(instance.name, s.name.replace("_", "-"), s.text, s.unit, getattr(instance, s.name))
        for s in declared(type(instance))
    ] + list(instance.extra_rows())


def merge(all_rows: Iterable[Row]) -> list[Row]:
    """Rows of the same counter added up, sorted by pass name."""
    total: dict[tuple[str, str], Row] = {}
    for row in all_rows:
        key = (row.pass_name, row.name)
        total[key] = _plus(total[key], row.value) if key in total else row
    return sorted(total.values(), key=lambda row: row.pass_name)


def merge_runs(runs: Iterable[Iterable[Row]]) -> list[Row]:
    """The rows of the steps of a pipeline as one of each name, sorted by pass name."""
    total: dict[tuple[str, str], Row] = {}
    for run in runs:
        found = merge(run)
        again = {row.pass_name for row in found}
        for key, row in total.items():
            if row.over is Over.LAST and row.pass_name in again:
                total[key] = replace(row, value=0)
        for row in found:
            key = (row.pass_name, row.name)
            total[key] = _plus(total[key], row.value) if key in total else row
    for (pass_name, name), row in total.items():
        if row.over is Over.BALANCE:
            suffix = "-bytes" if name.endswith("-bytes") else ""
            parts = (total[pass_name, part + suffix] for part in ("rewritten", "surviving"))
            total[pass_name, name] = replace(row, value=sum(part.value for part in parts))
    return sorted(total.values(), key=lambda row: row.pass_name)


def _plus(row: Row, value: int | float) -> Row:
    return replace(row, value=row.value + value)


_RULE = f"==={'-' * 73}==="


def frame(title: str) -> str:
    """The heading of a report, as MLIR draws it."""
    return f"{_RULE}\n{f'... {title} ...':^79}".rstrip() + f"\n{_RULE}\n"


def to_text(passes: Sequence[tuple[int, str, Sequence[Row]]]) -> str:
    """The report over `(depth, heading, rows)`; an entry without rows is a heading only."""
    lines = [frame("Pass statistics report")]
    for depth, heading, entries in passes:
        indent = "  " * depth
        lines.append(f"{indent}{heading}\n")
        width = max((len(_number(row.value)) for row in entries), default=0)
        for row in entries:
            unit = "" if row.unit is Unit.COUNT else f" ({row.unit})"
            value = _number(row.value).rjust(width)
            lines.append(f"{indent}  (S) {value} {row.name} - {row.text}{unit}\n")
    return "".join(lines)


def _number(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def to_json(passes: Sequence[tuple[int, str, Sequence[Row]]]) -> str:
    """A list of objects with the keys pass, name, text, unit and value, in pipeline order."""
    data = [
        {"pass": r.pass_name, "name": r.name, "text": r.text, "unit": str(r.unit), "value": r.value}
        for _, _, entries in passes
        for r in entries
    ]
    return json.dumps(data, indent=2) + "\n"
