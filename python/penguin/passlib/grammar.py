"""The textual grammar of pipelines: parsing and printing, without knowing any pass.

    pipeline ::= anchor `(` (element (`,` element)*)? `)`
    element  ::= pipeline | name options?          name: of a pass or of a named pipeline
    options  ::= `{` (key (`=` value)?)* `}`        separated by blanks
    value    ::= `"`...`"` | `'`...`'` | `{`...`}` | text without blanks outside brackets

The anchors are op names (`builtin.module`, `func.func`) or `any`. Every fault is a `UserError` with
the column and a caret. `str` of a `Nest` parses to an equal one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from penguin.errors import Diagnostic, UserError

_NAME = re.compile(r"[A-Za-z_][\w.\-]*")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Option:
    """`key=value` as written; `position` is its offset in the source text."""

    key: str
    value: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True)
class PassCall:
    """One element that names a pass; `raw` is the text between its braces."""

    name: str
    options: tuple[Option, ...] = ()
    raw: str = field(default="", compare=False)
    position: int = field(default=0, compare=False)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}{{{' '.join(map(_option_text, self.options))}}}"

    def mapping(self) -> dict[str, str]:
        return {o.key: o.value for o in self.options}


@dataclass(frozen=True)
class Nest:
    """`anchor(...)`: the elements run on the ops of this name directly below the enclosing ones."""

    anchor: str
    elements: tuple["Nest | PassCall", ...] = ()
    position: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.elements))})"


def _option_text(option: Option) -> str:
    value = option.value
    if value == "":
        return option.key
    if re.search(r"[\s\"'{}()\[\]]", value) is not None:
        if '"' not in value:
            value = f'"{value}"'
        elif "'" not in value:
            value = f"'{value}'"
        else:
            value = f"{{{value}}}"
    return f"{option.key}={value}"


class Source:
    """A pipeline's text, for messages; `origin` is the flag or file that it comes from."""

    def __init__(self, text: str, origin: str = "pipeline") -> None:
        self.text, self.origin = text, origin

    def error(self, code: str, message: str, position: int) -> UserError:
        before = self.text[:position]
        line = before.count("\n") + 1
        column = position - (before.rfind("\n") + 1)
        shown = self.text.split("\n")[line - 1]
        # A long pipeline is cut to the surroundings of the fault.
        cut = max(0, column - 40) if len(shown) > 100 else 0
        head = "..." if cut else ""
        tail = "..." if len(shown) > cut + 100 else ""
        caret = " " * (8 + len(head) + column - cut) + "^"
        note = f"{head}{shown[cut : cut + 100]}{tail}\n{caret}"
        place = f"{self.origin}:{line}:{column + 1}"
        return UserError([Diagnostic(code, message, place, notes=(note,))])


class Parser:
    """Syntax only."""

    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0

    def parse(self) -> Nest:
        self._blanks()
        start = self.at
        element = self._element()
        if not isinstance(element, Nest):
            raise self._error(
                "expected a pipeline wrapped in its anchor op, for example 'builtin.module(...)'",
                start,
            )
        self._blanks()
        if self.at < len(self.text):
            raise self._error(f"unexpected '{self.text[self.at]}' after the end of the pipeline")
        return element

    def parse_list(self) -> tuple[Nest | PassCall, ...]:
        """A comma-separated list to the end of the text, as in a named pipeline."""
        found = self._elements("")
        if self.at < len(self.text):
            raise self._error(f"unexpected '{self.text[self.at]}'")
        return found

    def _elements(self, closing: str) -> tuple[Nest | PassCall, ...]:
        found: list[Nest | PassCall] = []
        self._blanks()
        if self._peek() == closing:
            return ()
        while True:
            found.append(self._element())
            self._blanks()
            if self._peek() != ",":
                return tuple(found)
            self.at += 1
            self._blanks()

    def _element(self) -> Nest | PassCall:
        start = self.at
        match = _NAME.match(self.text, self.at)
        if match is None:
            got = f"'{self._peek()}'" if self._peek() else "the end of the pipeline"
            raise self._error(f"expected the name of a pass or of an anchor op, got {got}")
        self.at = match.end()
        self._blanks()
        if self._peek() == "(":
            opening = self.at
            self.at += 1
            elements = self._elements(")")
            if self._peek() != ")":
                got = f"got '{self._peek()}'" if self._peek() else "the pipeline ends"
                message = f"expected ',' or ')' to close '{match[0]}(', {got}"
                raise self._error(message, self.at if self._peek() else opening)
            self.at += 1
            return Nest(match[0], elements, start)
        if self._peek() != "{":
            return PassCall(match[0], (), "", start)
        raw, options = self._options()
        return PassCall(match[0], options, raw, start)

    def _options(self) -> tuple[str, tuple[Option, ...]]:
        opening = self.at
        end = self._matching(opening)
        inside = Source(self.text[:end], self.source.origin)
        found = tuple(parse_options(inside, opening + 1))
        self.at = end + 1
        return self.text[opening + 1 : end], found

    def _matching(self, opening: int) -> int:
        stack, at, quote = [_CLOSING[self.text[opening]]], opening + 1, ""
        while at < len(self.text):
            char = self.text[at]
            if quote:
                quote = "" if char == quote else quote
            elif char in "\"'":
                quote = char
            elif char in _CLOSING:
                stack.append(_CLOSING[char])
            elif char == stack[-1]:
                stack.pop()
                if not stack:
                    return at
            at += 1
        raise self._error("this '{' is not closed", opening)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _blanks(self) -> None:
        while self._peek().isspace():
            self.at += 1

    def _error(self, message: str, position: int | None = None) -> UserError:
        return self.source.error("PGP001", message, self.at if position is None else position)


def parse_options(source: Source, start: int = 0) -> Iterator[Option]:
    """The options from `start` to the end of the source text."""
    text, at = source.text, start
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text):
            return
        position = at
        match = _NAME.match(text, at)
        if match is None:
            raise source.error("PGP001", f"expected an option's name, got '{text[at]}'", at)
        at = match.end()
        if text[at : at + 1] != "=":
            if at < len(text) and not text[at].isspace():
                raise source.error("PGP001", f"expected '=' or a blank, got '{text[at]}'", at)
            yield Option(match[0], "", position)
            continue
        value, at = _value(source, at + 1)
        yield Option(match[0], value, position)


def _value(source: Source, start: int) -> tuple[str, int]:
    """The value that begins at `start`, without its quotes or braces, and where it ends."""
    text, at, depth, quote = source.text, start, 0, ""
    while at < len(text):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char.isspace() and depth == 0:
            break
        at += 1
    if quote:
        raise source.error("PGP001", f"this value lacks its closing {quote}", start)
    value = text[start:at]
    if len(value) > 1 and (value[0], value[-1]) in (('"', '"'), ("'", "'"), ("{", "}")):
        value = value[1:-1]
    return value, at
