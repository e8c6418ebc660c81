"""The report of copies: every op that still moves data, its bytes, and who left it there and why.

The ops are those that are left just before `late-lower-tensor-op` makes loops of them, or at the
end if the compilation stops above. Each is matched with the last missed remark about it: several
passes may have declined it in turn, and the last of them is its owner. A remark is about an op if
function, kind and destination agree; if there are several such, also source and place. What no
remark is about has the owner `-` and is listed apart, so that the sum is that of all data movement.

`summarize` collects plain data, `to_text` draws tables of it, `to_json` is for programs. The keys
are described in docs/copies.md.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from penguin.passlib import Result
from penguin.passlib.remarks import Kind, Remark
from penguin.passlib.statistics import Row
from penguin.report.movement import End, Moved
from penguin.report.tables import table

NOBODY = "-"
# Longer lists of sources are cut in the text.
_SHOWN_SOURCES = 3
_AMOUNTS = ("candidates", "rewritten", "surviving")


def summarize(
    name: str, level: str, result: Result, found: Sequence[Moved] | None
) -> dict[str, Any]:
    """The report as plain data; `found` is None if the module was never at the tensor level."""
    owned, unowned = [], []
    for op, remark in _owners(found or (), result.remarks):
        (unowned if remark is None else owned).append(_entry(op, remark, result))
    every = [*owned, *unowned]
    return {
        "model": name,
        "level": level,
        "tensor level": found is not None,
        "total": _sum(every),
        "copies": _by_bytes(owned),
        "unclaimed": _by_bytes(unowned),
        "passes": list(_passes(result)),
    }


def to_json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


def to_text(data: dict[str, Any]) -> str:
    """Tables, the most bytes first."""
    head = f"{data['model']}: compiled to {data['level']}, "
    if not data["tensor level"]:
        return f"{head}never at the tensor level: no copies to report\n"
    rows, others = data["copies"], data["unclaimed"]
    several = len({row["function"] for row in rows}) > 1
    parts = [
        f"{head}{_amount(data['total'])} of data movement left",
        table(
            _title("Copies that stayed", rows),
            (*_HEAD, "function") if several else _HEAD,
            [(*_cells(row), row["function"]) if several else _cells(row) for row in rows],
        ),
        table(
            _title("Other data movement, which no pass answers for", others),
            ("bytes", "ops", "op", "owner", "reason"),
            _by_kind(others),
        ),
    ]
    lines = [line for entry in data["passes"] for line in _pass_lines(entry)]
    parts.append(table("Passes", ("pass", "", "ops", "bytes"), lines))
    return "\n".join(parts)


_HEAD = ("bytes", "op", "from -> to", "location", "owner", "reason")


# Who left what ----------------------------------------------------------------------------------


def _owners(
    found: Sequence[Moved], remarks: Iterable[Remark]
) -> Iterator[tuple[Moved, Remark | None]]:
    """Each op with the last remark about it. Ops that nothing tells apart take turns."""
    last: dict[tuple[str, ...], list[Remark]] = {}
    for remark in remarks:
        if remark.kind is not Kind.MISSED or not {"Op", "To"} <= remark.args.keys():
            continue
        args = remark.args
        source = args.get("From", "")
        for key in _keys(remark.function, args["Op"], args["To"], source, remark.location):
            same = last.setdefault(key, [])
            if same and (same[-1].category, same[-1].run) != (remark.category, remark.run):
                same.clear()
            same.append(remark)
    taken: Counter[tuple[str, ...]] = Counter()
    for op in found:
        source = ", ".join(end.name for end in op.sources)
        keys = _keys(op.function, op.op, op.destination.name, source, op.location)
        key = next((key for key in keys if key in last), None)
        if key is None:
            yield op, None
            continue
        yield op, last[key][min(taken[key], len(last[key]) - 1)]
        taken[key] += 1


def _keys(function: str, op: str, to: str, source: str, place: str) -> list[tuple[str, ...]]:
    """What tells ops apart, the most particular first."""
    known = (function, op, to)
    return [
        (*known, "both", source, place),
        (*known, "source", source),
        (*known, "place", place),
        known,
    ]


def _entry(op: Moved, remark: Remark | None, result: Result) -> dict[str, Any]:
    args = {} if remark is None else remark.args
    return {
        "bytes": op.nbytes,
        "op": op.op,
        "function": op.function,
        "from": [_tensor(end) for end in op.sources],
        "to": _tensor(op.destination),
        "location": op.location,
        "owner": NOBODY if remark is None else remark.category.rpartition(":")[2],
        "reason": _nobody(op, result) if remark is None else str(args["Reason"]),
        "remark": None if remark is None else remark.name,
        "args": {key: value for key, value in args.items() if key not in _TOLD},
    }


# Arguments of a remark that are told elsewhere.
_TOLD = frozenset({"Reason", "Bytes", "Op", "From", "To"})


def _nobody(op: Moved, result: Result) -> str:
    passes = result.session.claims.get(op.op, ())
    if not passes:
        return f"no pass eliminates {op.op}"
    return f"made after {' and '.join(passes)} had run"


def _tensor(end: End) -> dict[str, Any]:
    return {"name": end.name, "shape": list(end.shape), "dtype": end.dtype}


def _by_bytes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stable: equal ones stay in the order of the program."""
    return sorted(rows, key=lambda row: -row["bytes"])


def _sum(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    return {"ops": len(rows), "bytes": sum(row["bytes"] for row in rows)}


# Totals per pass --------------------------------------------------------------------------------


def _passes(result: Result) -> Iterator[dict[str, Any]]:
    """The books of the passes that keep them, in the order of the pipeline."""
    rows: dict[str, dict[str, Row]] = {}
    for row in result.statistics:
        rows.setdefault(row.pass_name, {})[row.name] = row
    order = dict.fromkeys(row.pass_name for record in result.steps for row in record.rows)
    for name in order:
        own = rows[name]
        if "candidate-bytes" not in own:
            continue
        candidates, eliminated, surviving = (_pair(own, key) for key in _AMOUNTS)
        yield {
            "pass": name,
            "candidates": candidates,
            "eliminated": eliminated,
            "surviving": surviving,
            "missed": [
                {"reason": key.removeprefix("missed-"), **_pair(own, key)}
                for key in own
                if key.startswith("missed-") and f"{key}-bytes" in own
            ],
        }


def _pair(rows: dict[str, Row], key: str) -> dict[str, int | float]:
    sizes = "candidate-bytes" if key == "candidates" else f"{key}-bytes"
    return {"ops": rows[key].value, "bytes": rows[sizes].value}


def _pass_lines(entry: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    # A pass that had nothing to do needs no more than one line.
    keys = ("candidates", "eliminated", "surviving")[: 3 if entry["candidates"]["ops"] else 1]
    for number, key in enumerate(keys):
        amount = entry[key]
        yield "" if number else entry["pass"], key, amount["ops"], amount["bytes"]
    for missed in entry["missed"]:
        yield "", f"  missed: {missed['reason']}", missed["ops"], missed["bytes"]


# Text -------------------------------------------------------------------------------------------


def _cells(row: dict[str, Any]) -> tuple[Any, ...]:
    sources = [_shown(source) for source in row["from"]]
    if len(sources) > _SHOWN_SOURCES:
        more = len(sources) - _SHOWN_SOURCES
        sources = [*sources[:_SHOWN_SOURCES], f"{more} more"]
    return (
        row["bytes"],
        row["op"],
        f"{', '.join(sources)} -> {_shown(row['to'])}".lstrip(),
        row["location"] or "unknown",
        row["owner"],
        row["reason"],
    )


def _title(text: str, rows: Sequence[dict[str, Any]]) -> str:
    return f"{text}: {_amount(_sum(rows))}" if rows else text


def _by_kind(rows: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Those that nobody owns, one line per kind and reason."""
    kinds: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault((row["op"], row["reason"]), []).append(row)
    lines = [
        (_sum(same)["bytes"], len(same), op, NOBODY, reason) for (op, reason), same in kinds.items()
    ]
    return sorted(lines, key=lambda line: (-line[0], line[2:]))


def _shown(end: dict[str, Any]) -> str:
    return str(End(end["name"], tuple(end["shape"]), end["dtype"]))


def _amount(amount: dict[str, int]) -> str:
    ops = "1 op" if amount["ops"] == 1 else f"{amount['ops']:,} ops"
    return f"{ops}, {amount['bytes']:,} bytes"
