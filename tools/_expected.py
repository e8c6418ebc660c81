"""`--verify-diagnostics`: expectations in comments against what was reported.

    // expected-error@+1 {{text}}        also -warning, -note, -remark
    // expected-error-re@below {{a {{[0-9]+}} b}}      with regular expressions in inner braces
    // expected-remark@above {{text}}    the nearest line above without an expectation
    // expected-error@unknown {{text}}   no place in this file

The text is a part of the message. Every expectation must be met by one diagnostic of its kind on
its line, and every error, warning, remark and note with a place of its own must be expected.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from penguin.errors import Diagnostic
from penguin.passlib.diagnostics import Message

_EXPECTED = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *"
    r"(?:@([+-]\d+|above|below|unknown))? *\{\{(.*)\}\}$"
)
_PLACE = re.compile(r"(.*):(\d+):(\d+)")


@dataclass
class Expectation:
    """One comment; `line` is None for `@unknown`."""

    kind: str
    pattern: re.Pattern[str]
    text: str
    line: int | None
    written: str
    met: bool = False


def read(lines: Sequence[str], file: str) -> list[Expectation]:
    """The expectations in the lines of an input part."""
    matches = [_EXPECTED.search(line.rstrip()) for line in lines]
    found = []
    for at, match in enumerate(matches):
        if match is None:
            continue
        kind, is_regex, where, text = match.groups()
        line: int | None = at + 1
        if where == "unknown":
            line = None
        elif where == "above":
            line = next((i + 1 for i in range(at - 1, -1, -1) if matches[i] is None), 1)
        elif where == "below":
            below = range(at + 1, len(lines))
            line = next((i + 1 for i in below if matches[i] is None), len(lines))
        elif where is not None:
            line = at + 1 + int(where)
        written = f"{file}:{at + 1}:{match.start() + 1}"
        found.append(Expectation(kind, _pattern(text, is_regex is not None), text, line, written))
    return found


def _pattern(text: str, is_regex: bool) -> re.Pattern[str]:
    if not is_regex:
        return re.compile(re.escape(text))
    parts = re.split(r"\{\{(.*?)\}\}", text)
    # Odd parts are the regular expressions.
    return re.compile("".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts)))


def unmet(
    expected: Sequence[Expectation], found: Sequence[Diagnostic], *, only_expected: bool
) -> list[Diagnostic]:
    """What is wrong: diagnostics that nobody expected, expectations that nothing met."""
    faults = []
    for diagnostic in _flat(found):
        place = _PLACE.fullmatch(diagnostic.location)
        file = expected[0].written.rsplit(":", 2)[0] if expected else None
        line = int(place[2]) if place is not None and file in (None, place[1]) else None
        match = next(
            (
                e
                for e in expected
                if not e.met
                and e.kind == diagnostic.severity
                and e.line == line
                and e.pattern.search(diagnostic.message) is not None
            ),
            None,
        )
        if match is not None:
            match.met = True
        elif not only_expected:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            faults.append(Diagnostic("", message, diagnostic.location))
    for e in expected:
        if not e.met:
            message = f'expected {e.kind} "{e.text}" was not produced'
            faults.append(Diagnostic("", message, e.written))
    return faults


def _flat(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics and their located notes; MLIR's "see current operation" is not for matching."""
    flat: list[Diagnostic] = []
    for diagnostic in found:
        # Which upstream pass failed is said after its errors, without a place.
        if diagnostic.code != "PGP009":
            flat.append(diagnostic)
        if isinstance(diagnostic, Message):
            flat += [
                n
                for n in diagnostic.located_notes
                if not n.message.startswith("see current operation")
            ]
    return flat
