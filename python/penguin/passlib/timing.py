"""Time, op counts and memory per pass; reports as a tree, as a list, or as JSON."""

import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from penguin.mlir import ir, visit
from penguin.passlib.statistics import frame


def count_ops(root: ir.Operation) -> int:
    """All ops below and including `root`."""
    total = 0

    def see(op: ir.Operation) -> None:
        nonlocal total
        total += 1

    visit(root, see)
    return total


def peak_rss() -> int:
    """Bytes of memory at the peak, of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@dataclass(frozen=True)
class Entry:
    """One row; `depth` is the nesting in the pipeline, op counts and memory belong to passes."""

    name: str
    seconds: float
    depth: int = 0
    ops_before: int | None = None
    ops_after: int | None = None
    rss: int | None = None
    # On the clock of `time.perf_counter`.
    start: float | None = None


def to_text(entries: Sequence[Entry], total: float, *, display: str = "tree") -> str:
    """The framed report; `display` is `tree` (pipeline order) or `list` (slowest first)."""
    rows = list(entries)
    if display == "list":
        rows = sorted((r for r in rows if r.name[:1] != "'"), key=lambda r: -r.seconds)
    lines = [
        frame("Execution time report"),
        f"  Total Execution Time: {total:.4f} seconds\n\n",
        "  ----Wall Time----  -------Ops-------  --RSS--  ----Name----\n",
    ]
    for row in rows:
        ops = "" if row.ops_before is None else f"{row.ops_before} -> {row.ops_after}"
        rss = "" if row.rss is None else f"{row.rss // (1 << 20)} MB"
        indent = "  " * row.depth if display == "tree" else ""
        lines.append(f"  {_time(row.seconds, total)}  {ops:>17}  {rss:>7}  {indent}{row.name}\n")
    lines.append(f"  {_time(total, total)}  {'':>17}  {'':>7}  Total\n")
    return "".join(lines)


def _time(seconds: float, total: float) -> str:
    share = 100 * seconds / total if total else 0.0
    return f"{seconds:8.4f} ({share:5.1f}%)"


def to_trace(entries: Sequence[Entry]) -> str:
    """The rows that have a start as events of Chrome's trace format (also Perfetto's)."""
    timed = [(e, e.start) for e in entries if e.start is not None]
    origin = min((start for _, start in timed), default=0.0)
    events = []
    for entry, start in timed:
        event: dict[str, object] = {
            "name": entry.name,
            "ph": "X",
            "pid": 1,
            "tid": 1,
            "ts": round((start - origin) * 1e6, 3),
            "dur": round(entry.seconds * 1e6, 3),
        }
        if entry.ops_before is not None:
            event["args"] = {"ops before": entry.ops_before, "ops after": entry.ops_after}
        events.append(event)
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}, indent=1) + "\n"


def to_json(entries: Sequence[Entry], total: float) -> str:
    """A list of objects: name, wall {duration, percentage}, depth, ops, peak memory."""
    rows = [*entries, Entry("Total", total)]
    data = []
    for row in rows:
        share = round(100 * row.seconds / total, 1) if total else 0.0
        item: dict[str, object] = {
            "wall": {"duration": round(row.seconds, 6), "percentage": share},
            "name": row.name,
            "depth": row.depth,
        }
        if row.ops_before is not None:
            item["ops"] = {"before": row.ops_before, "after": row.ops_after}
        if row.rss is not None:
            item["peak_rss_bytes"] = row.rss
        data.append(item)
    return json.dumps(data, indent=2) + "\n"
