"""Source locations as one line of text, as BIR text and JSON carry them.

    "jit(f)/mul" model.py:12:5          a name and a position
    "jit(f)/mul"                        a name
    model.py:12:5, "b" g.py:3:1         several (a fused location)

A location of MLIR keeps its outermost name and its innermost position: of a call chain the callee,
of a range the start; the parts of a fused location follow each other. That text is what comes back.
A file name that has one of the characters ` "(),:` is quoted.
"""

import json
import re
from collections.abc import Callable

from penguin.mlir import ir

_TOKEN = re.compile(
    r'\s*(?:"(?P<string>(?:[^"\\]|\\.)*)"|(?P<number>\d+)|(?P<word>\w+)|(?P<punct>[\[\]():,<>]))'
)
_BARE = re.compile(r'[^\s"(),:]+')
_STRING = r'"(?:[^"\\]|\\.)*"'
_ENTRY = re.compile(
    rf"(?P<name>{_STRING}(?!:\d))?(?P<gap> )?"
    rf"(?:(?P<file>{_STRING}|{_BARE.pattern}):(?P<line>\d+):(?P<col>\d+))?"
)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")

# Name and position (file, line, column) of one part.
Part = tuple[str, tuple[str, int, int] | None]


def text_of(location: ir.Location) -> str:
    """The text of an MLIR location; empty if it says nothing."""
    parts = dict.fromkeys(_Reader(str(location)).parts())
    return ", ".join(_show(part) for part in parts)


def parse(text: str) -> list[Part]:
    """The parts of a text; raises `ValueError` with (message, position)."""
    parts: list[Part] = []
    position = 0
    while position < len(text) or parts:
        entry = _ENTRY.match(text, position)
        assert entry is not None
        complete = entry["gap"] is None or (entry["name"] and entry["file"])
        if not entry[0] or not complete:
            raise ValueError('expected "name", file:line:col or both', position)
        place = None
        if entry["file"]:
            file = entry["file"]
            file = json.loads(file) if file.startswith('"') else file
            place = (file, int(entry["line"]), int(entry["col"]))
        parts.append((json.loads(entry["name"]) if entry["name"] else "", place))
        position = entry.end()
        if position == len(text):
            break
        if not text.startswith(", ", position):
            raise ValueError('expected ", " between locations', position)
        position += 2
    return parts


def location_of(text: str) -> ir.Location:
    """The MLIR location of a text, in the current context."""
    made = [_make(part) for part in parse(text)]
    if not made:
        return ir.Location.unknown()
    return made[0] if len(made) == 1 else ir.Location.fused(made)


def _make(part: Part) -> ir.Location:
    name, place = part
    if place is None:
        return ir.Location.name(name)
    file = ir.Location.file(*place)
    return ir.Location.name(name, file) if name else file


def _show(part: Part) -> str:
    name, place = part
    shown = [json.dumps(name, ensure_ascii=False)] if name or place is None else []
    if place is not None:
        file, line, column = place
        quoted = file if _BARE.fullmatch(file) else json.dumps(file, ensure_ascii=False)
        shown.append(f"{quoted}:{line}:{column}")
    return " ".join(shown)


class _Reader:
    """Reads MLIR's syntax of locations, the only access that the bindings give to their parts."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while match := _TOKEN.match(text, position):
            kind = match.lastgroup or ""
            self.tokens.append((kind, match[kind]))
            position = match.end()
        self.position = 0

    def parts(self) -> list[Part]:
        self.take()  # loc
        self.take()  # (
        return self.location()

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        self.position += 1
        return self.tokens[self.position - 1]

    def location(self) -> list[Part]:
        kind, text = self.take()
        if kind == "string":
            return self.named_or_file(_unescape(text))
        reader: dict[str, Callable[[], list[Part]]] = {
            "callsite": self.call,
            "fused": self.fused,
        }
        return reader[text]() if text in reader else []

    def named_or_file(self, text: str) -> list[Part]:
        if self.peek() == ":":
            self.take()
            line = int(self.take()[1])
            self.take()
            column = int(self.take()[1])
            if self.peek() == "to":
                self.skip_range()
            return [("", (text, line, column))]
        place = None
        if self.peek() == "(":
            self.take()
            place = next((p for _, p in self.location() if p is not None), None)
            self.take()
        return [(text, place)]

    def skip_range(self) -> None:
        self.take()
        while self.peek() == ":":
            self.take()
            self.take()

    def call(self) -> list[Part]:
        self.take()
        callee = self.location()
        self.take()  # at
        self.location()
        self.take()
        return callee

    def fused(self) -> list[Part]:
        if self.peek() == "<":
            depth = 0
            while True:
                text = self.take()[1]
                depth += (text == "<") - (text == ">")
                if depth == 0:
                    break
        parts: list[Part] = []
        while self.take()[1] in ("[", ","):
            parts += self.location()
        return parts


def _unescape(text: str) -> str:
    """MLIR escapes bytes, not characters."""

    def one(match: re.Match[bytes]) -> bytes:
        escaped = match[1]
        if len(escaped) == 2:
            return bytes([int(escaped, 16)])
        return {b"n": b"\n", b"t": b"\t"}.get(escaped, escaped)

    if "\\" not in text:
        return text
    return _ESCAPE.sub(one, text.encode()).decode(errors="replace")
