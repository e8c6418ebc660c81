"""The report of a compilation: what the passes did, what stayed, what the instructions cost.

`summarize` collects plain data, `to_text` draws tables of it, `to_json` is for programs. Keys
that JAX's `cost_analysis` has are spelt as there. Time is `penguin.sim.estimate`'s: a model, not a
measurement.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from penguin import bir, sim
from penguin.dialects.bir import TARGETS, Space
from penguin.passlib import Result
from penguin.report.movement import Survivor
from penguin.report.tables import table


def summarize(
    name: str,
    level: str,
    result: Result,
    stayed: Sequence[Survivor],
    module: bir.Module | None = None,
) -> dict[str, Any]:
    """The report as plain data; what needs instructions is absent without `module`."""
    data: dict[str, Any] = {
        "model": name,
        "level": level,
        "seconds in passes": sum(record.seconds for record in result.steps),
        "passes": [
            {
                "name": record.step.name,
                "seconds": record.seconds,
                "statistics": [
                    {"name": r.name, "text": r.text, "unit": str(r.unit), "value": r.value}
                    for r in record.rows
                ],
            }
            for record in result.steps
        ],
        "stayed": [{"op": s.op, "count": s.count, "bytes": s.nbytes} for s in stayed],
    }
    if module is not None:
        data["cost"] = sim.estimate(module).to_dict()
        data["instructions"] = instructions(module)
        data["memory"] = memory(module)
    return data


def instructions(module: bir.Module) -> list[dict[str, Any]]:
    """Instructions in the text, by opcode and engine."""
    counts: Counter[tuple[str, str]] = Counter()
    for item, _ in module.main.walk():
        if isinstance(item, bir.Instruction):
            counts[str(item.opcode), str(item.engine)] += 1
    return [
        {"opcode": opcode, "engine": engine, "count": count}
        for (opcode, engine), count in sorted(counts.items())
    ]


def memory(module: bir.Module) -> dict[str, dict[str, int]]:
    """Peak bytes of one partition of SBUF and PSUM, and of DRAM, beside what the target has."""
    target = TARGETS[module.target]
    peaks = dict.fromkeys(Space, 0)
    for tensor in module.main.tensors.values():
        size = tensor.nbytes if tensor.space == Space.DRAM else _partition_bytes(tensor)
        if tensor.space == Space.DRAM and tensor.addr is None:
            peaks[Space.DRAM] += size
        else:
            end = (tensor.addr or 0) + size
            peaks[Space(tensor.space)] = max(peaks[Space(tensor.space)], end)
    limits = {
        Space.SBUF: target.sbuf_bytes,
        Space.PSUM: target.psum_bytes,
        Space.DRAM: target.hbm_bytes,
    }
    return {str(space): {"peak": peaks[space], "limit": limits[space]} for space in limits}


def _partition_bytes(tensor: bir.Tensor) -> int:
    return tensor.nbytes // tensor.shape[0]


def to_json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


def to_text(data: dict[str, Any]) -> str:
    """Tables, widest facts first."""
    parts = [
        f"{data['model']}: compiled to {data['level']} in {data['seconds in passes']:.2f} s",
        table("Passes", ("pass", "seconds", "statistic", ""), _pass_rows(data["passes"])),
        table(
            "Copies, casts and other data movement that stayed",
            ("op", "count", "bytes"),
            [(row["op"], row["count"], row["bytes"]) for row in data["stayed"]],
        ),
    ]
    if "cost" in data:
        parts += _cost_parts(data)
    return "\n".join(parts)


def _cost_parts(data: dict[str, Any]) -> list[str]:
    cost = data["cost"]
    executed = {name: entry["instructions"] for name, entry in cost["opcodes"].items()}
    seen: Counter[str] = Counter()
    rows = []
    for row in data["instructions"]:
        seen[row["opcode"]] += 1
        total = executed.get(row["opcode"], 0) if seen[row["opcode"]] == 1 else ""
        rows.append((row["opcode"], row["engine"], row["count"], total))
    engines = [
        (name, entry["instructions"], round(entry["cycles"]), round(entry["ns"]) / 1000)
        for name, entry in sorted(cost["engines"].items())
    ]
    memory_rows = [
        (space, entry["peak"], entry["limit"], 100 * entry["peak"] / entry["limit"])
        for space, entry in data["memory"].items()
    ]
    work = [
        ("DMA bytes", cost["dma bytes"]),
        ("DMA transfers", cost["dma transfers"]),
        ("DRAM bytes read and written", cost["bytes accessed"]),
        ("FLOPs", cost["flops"]),
        ("FLOPs in matrix products", cost["matmul flops"]),
        ("transcendentals", cost["transcendentals"]),
    ]
    busiest = cost["optimal_seconds"] * 1e6
    return [
        table("Instructions", ("opcode", "engine", "in the program", "executed"), rows),
        table("Estimate by engine", ("engine", "instructions", "cycles", "us"), engines)
        + f"  busiest: {cost['critical engine'] or 'none'}, {busiest:.1f} us; "
        f"one after another: {cost['serial ns'] / 1000:.1f} us ({cost['target']})\n",
        table("Work", ("what", "amount"), work),
        table("Memory", ("space", "peak bytes", "limit", "%"), memory_rows)
        + "  SBUF and PSUM: bytes of one partition\n",
    ]


def _pass_rows(passes: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for entry in passes:
        first = (entry["name"], f"{entry['seconds']:.3f}")
        statistics = [(s["value"], s["text"]) for s in entry["statistics"] if s["value"]]
        rows += [
            (*(first if number == 0 else ("", "")), value, text)
            for number, (value, text) in enumerate(statistics or [("", "")])
        ]
    return rows
