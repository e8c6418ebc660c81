"""The textual pipeline grammar: parsing, checking and printing.

    pipeline ::= anchor `(` (element (`,` element)*)? `)`
    element  ::= pipeline | name options?          name: of a pass or of a named pipeline
    options  ::= `{` (key (`=` value)?)* `}`        separated by blanks
    value    ::= `"`...`"` | `'`...`'` | `{`...`}` | text without blanks outside brackets

The anchors are op names (`builtin.module`, `func.func`) or `any`. A function pass directly below
`builtin.module` is nested implicitly. Passes that are not ours are upstream's; their existence and
options are checked by the bindings before anything runs. Every fault is a `UserError` with the
column and a caret. `str` gives the canonical form, in which named pipelines are expanded and
neighbouring nests on the same op are one: it parses to an equal pipeline.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from penguin.errors import Diagnostic, UserError
from penguin.passlib import options as opt
from penguin.passlib.registry import Registry

MODULE, FUNCTION, ANY = "builtin.module", "func.func", "any"
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
        cut = max(0, column - 40)
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


@dataclass(frozen=True)
class Step:
    """One pass of a checked pipeline; `cls` is None for an upstream pass.

    `path` are the anchors from the root op to the ops that the pass runs on.
    """

    call: PassCall
    path: tuple[str, ...]
    category: str
    cls: type[Any] | None = None

    @property
    def name(self) -> str:
        return self.call.name

    def build(self) -> Any:
        """A fresh instance of one of our passes."""
        assert self.cls is not None
        return opt.build(self.cls, self.call.mapping())

    def pipeline(self, root: str) -> str:
        """A pipeline of this step only."""
        text = f"{self.call.name}{{{self.call.raw}}}" if self.call.raw else self.call.name
        for anchor in reversed((root, *self.path[1:])):
            text = f"{anchor}({text})"
        return text


@dataclass(frozen=True)
class Pipeline:
    """A pipeline whose passes exist and whose options have their types."""

    root: Nest
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return str(self.root)

    @property
    def anchor(self) -> str:
        return self.root.anchor

    @classmethod
    def parse(
        cls, text: str, registry: Registry | None = None, origin: str = "pipeline"
    ) -> "Pipeline":
        """Parses and checks; raises `UserError` with a caret under the fault."""
        from penguin.passlib import registry as registries

        source = Source(text, origin)
        return cls.check(Parser(source).parse(), registry or registries.default(), source)

    @classmethod
    def check(cls, nest: Nest, registry: Registry, source: Source) -> "Pipeline":
        checker = _Checker(registry, source)
        checker.nest(nest.elements, (nest.anchor,))
        return cls.of_steps(nest.anchor, tuple(checker.steps))

    @classmethod
    def of_steps(cls, anchor: str, steps: "tuple[Step, ...]") -> "Pipeline":
        """The pipeline of some steps of a checked pipeline."""
        return cls(_tree(anchor, steps, 1), steps)


def _tree(anchor: str, steps: tuple[Step, ...], depth: int) -> Nest:
    elements: list[Nest | PassCall] = []
    at = 0
    while at < len(steps):
        step = steps[at]
        if len(step.path) == depth:
            elements.append(step.call)
            at += 1
            continue
        inner = step.path[depth]
        end = at
        while end < len(steps) and steps[end].path[depth : depth + 1] == (inner,):
            end += 1
        elements.append(_tree(inner, steps[at:end], depth + 1))
        at = end
    return Nest(anchor, tuple(elements))


class _Checker:
    """Resolves names, expands named pipelines, nests function passes, checks options."""

    def __init__(self, registry: Registry, source: Source) -> None:
        self.registry, self.source = registry, source
        self.steps: list[Step] = []
        self.expanding: list[str] = []

    def nest(self, elements: tuple[Nest | PassCall, ...], path: tuple[str, ...]) -> None:
        for element in elements:
            if isinstance(element, Nest):
                self.nest(element.elements, (*path, element.anchor))
            elif element.name in self.registry.pipelines:
                self.named(element, path)
            else:
                self.call(element, path)

    def named(self, call: PassCall, path: tuple[str, ...]) -> None:
        if call.options:
            message = f"the pipeline '{call.name}' has no options"
            raise self.error("PGP003", message, call.options[0].position)
        if call.name in self.expanding:
            raise AssertionError(f"the pipeline '{call.name}' contains itself")
        inner = Source(self.registry.pipelines[call.name].text, call.name)
        outer, self.source = self.source, inner
        self.expanding.append(call.name)
        try:
            self.nest(Parser(inner).parse_list(), path)
        finally:
            self.expanding.pop()
            self.source = outer

    def call(self, call: PassCall, path: tuple[str, ...]) -> None:
        if call.name not in self.registry.passes:
            self.upstream(call, path)
            return
        cls = self.registry.load(call.name)
        for option in call.options:
            try:
                opt.parse(cls, option.key, option.value)
            except opt.UnknownOption as error:
                message = f"pass '{call.name}': {error}"
                raise self.error("PGP003", message, option.position) from None
            except opt.BadValue as error:
                message = f"pass '{call.name}', option '{option.key}': {error}"
                raise self.error("PGP004", message, option.position) from None
        category = self.registry.category(call.name)
        if cls.anchor == FUNCTION and path[-1] == MODULE:
            path = (*path, FUNCTION)
        if cls.anchor != path[-1]:
            message = f"pass '{call.name}' runs on '{cls.anchor}', but is nested in '{path[-1]}'"
            raise self.error("PGP005", message, call.position)
        self.steps.append(Step(call, path, category, cls))

    def upstream(self, call: PassCall, path: tuple[str, ...]) -> None:
        from penguin.passlib import upstream, upstream_table

        step = Step(call, path, f"upstream:{call.name}")
        fault = upstream.check(step.pipeline(path[0]))
        if fault is not None and f"restricted to '{FUNCTION}'" in fault and path[-1] == MODULE:
            self.upstream(call, (*path, FUNCTION))
            return
        if fault is None:
            self.steps.append(step)
            return
        if upstream.exists(call.name):
            message = f"upstream pass '{call.name}': {fault}"
            places = [o.position for o in call.options if re.search(rf"\b{o.key}\b", fault)]
            raise self.error("PGP008", message, [*places, call.position][0])
        known = [*self.registry.passes, *self.registry.pipelines, *upstream_table.PASSES]
        hint = opt.did_you_mean(call.name, known)
        raise self.error("PGP002", f"unknown pass '{call.name}'{hint}", call.position)

    def error(self, code: str, message: str, position: int) -> UserError:
        return self.source.error(code, message, position)
