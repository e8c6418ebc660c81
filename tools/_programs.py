"""What penguin-compile and penguin-run share: flags, reading programs of any kind, tables."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from penguin.errors import UserError
from penguin.tools import _cli, _flags
from penguin.tools._cli import Streams
from penguin.tools._flags import Flag, optional, switch, value

if TYPE_CHECKING:
    import numpy as np

    from penguin import bir
    from penguin.execute import Row
    from penguin.mlir import ir
    from penguin.ports import Port

DEBUGGING: tuple[Flag, ...] = (
    switch("debug", "Print tracebacks"),
    optional(
        "color",
        "true|false",
        "true",
        "Colour messages; the default is to do so on a terminal unless NO_COLOR is set",
    ),
)
INFORMATION: tuple[Flag, ...] = (
    value("explain", "code", "Print the page of a diagnostic code, for example PGR204"),
    switch("version", "Print versions"),
    switch("help", "Print this text"),
    switch("h", "Print this text"),
)

_PYTHON = re.compile(r".+\.py:[A-Za-z_]\w*")
# MLIR text may start with a brace, too: `{-#`.
_JSON = re.compile(rb"\s*\{\s*[\"}]")
_BIR_TEXT = re.compile(rb"(?:\s|//[^\n]*\n)*module\s+trn\d")
_RANDOM = re.compile(r"random(?::(?P<seed>\d+))?")


def load(source: str, streams: Streams) -> "ir.Module | bir.Module":
    """A program from a file of any level, from stdin for `-`, or from `file.py:function`."""
    from penguin import frontend

    if _PYTHON.fullmatch(source) and not Path(source).exists():
        return frontend.load(source)
    if source.endswith(".py"):
        message = "no function named, expected file.py:function"
        raise UserError.at("PGI008", message, source)
    name = _cli.shown_name(source)
    content = _cli.read_input(source, streams)
    reader = None
    if _JSON.match(content) is not None:
        from penguin.bir import from_json as reader
    elif _BIR_TEXT.match(content) is not None:
        from penguin.bir import from_text as reader
    if reader is not None:
        return reader(_decoded(content, name), name)
    return frontend.load(content, name=name) if source == "-" else frontend.load(Path(source))


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UserError.at("PGR210", f"not UTF-8 text (byte {error.start})", name) from None


def inputs(how: str, ports: "Sequence[Port]") -> "list[np.ndarray]":
    """The arrays that `--inputs` asks for: `random:SEED` or an `.npz` file."""
    from penguin import ports as ports_module

    found = _RANDOM.fullmatch(how)
    if found is not None:
        return ports_module.random_inputs(ports, int(found["seed"] or 0))
    return ports_module.load_inputs(Path(how), ports)


def counter(line: _cli.Progress) -> Callable[[int, int], None]:
    """Shows how many instructions have been simulated."""

    def show(done: int, total: int) -> None:
        line(f"{done} of {total} instructions")

    return show


def comparison(rows: "Sequence[Row]", against: str) -> str:
    """Largest errors per output against what is tolerated."""
    lines = [f"compared with {against}"]
    names = [(row.port.name, row.port.type) for row in rows]
    widths = [max((len(pair[i]) for pair in names), default=0) for i in (0, 1)]
    for (name, type_), row in zip(names, rows, strict=True):
        result = row.comparison
        verdict = "ok" if result.ok else "OVER"
        tolerance = f"{result.tolerance:g}" if result.tolerance else "exact"
        lines.append(
            f"  {name:<{widths[0]}}  {type_:<{widths[1]}}  abs {result.max_abs:.3g}  "
            f"rel {result.max_rel:.3g}  tolerance {tolerance}  {verdict}"
        )
    return "\n".join(lines) + "\n"


def help_text(overview: str, usage: str, flags: "Sequence[Flag]") -> str:
    """The text of `--help`: flags by group."""
    parts = [f"OVERVIEW: {overview}\n", f"USAGE: {usage}\n"]
    groups = _flags.help_of(flag for flag in flags if flag.name != "h")
    parts += [f"{group}:\n{body}" for group, body in groups.items()]
    parts.append("Exit status: 0 fine, 1 input or flags at fault, 70 internal error.\n")
    return "\n".join(parts)
