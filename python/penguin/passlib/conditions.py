"""Conditions on the statistics of passes, for `--fail-if`.

    condition  ::= all (`or` all)*
    all        ::= comparison (`and` comparison)*
    comparison ::= pass `.` statistic operator number | `(` condition `)`
    operator   ::= `>` | `>=` | `<` | `<=` | `==` | `!=`
    number     ::= digits, also with `_` and a fraction, then perhaps K, M or G (units of 1024)

In names `-` and `_` are the same. A statistic is a counter of the pass or a row of its books
(`penguin.passlib.books`); a reason that did not occur counts 0. The value is that of the whole run:
what `--mlir-pass-statistics-display=list` shows, added up over the parts of a split input.
"""

import enum
import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from penguin.errors import Diagnostic, UserError
from penguin.passlib import books, statistics
from penguin.passlib.grammar import Source
from penguin.passlib.options import did_you_mean, kebab
from penguin.passlib.registry import Registry
from penguin.passlib.result import Result
from penguin.passlib.upstream_table import PASSES as UPSTREAM

FLAG = "--fail-if"
_HOLDS, _MALFORMED, _UNKNOWN = "PGP019", "PGP020", "PGP021"

_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
_CODE = re.compile(r"[A-Z]+(?:_[A-Z]+)?\d{3}")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z][\w-]*(?:\.[\w-]*)*)|(?P<number>\d[\w.]*)"
    r"|(?P<operator>[<>=!&|]+)|(?P<bracket>[()])|(?P<other>\S))"
)
_NUMBER = re.compile(r"(\d+(?:_\d+)*(?:\.\d+)?)([KMG]?)", re.IGNORECASE)

# The rows of books, without those of reasons.
_BOOKS = ("candidates", "rewritten", "surviving", "created", "vanished")
_BOOKS_IN_BYTES = ("candidate-bytes", *(f"{name}-bytes" for name in _BOOKS[1:]))
_MISSED = "missed-"

Values = Mapping[tuple[str, str], int | float]


@dataclass(frozen=True)
class Comparison:
    """One statistic against a number; `position` is where it starts in the text."""

    pass_name: str
    statistic: str
    operator: str
    number: int | float
    position: int

    @property
    def key(self) -> tuple[str, str]:
        return self.pass_name, self.statistic

    def holds(self, values: Values) -> bool:
        return _OPERATORS[self.operator](values[self.key], self.number)

    def comparisons(self) -> "Iterator[Comparison]":
        yield self


@dataclass(frozen=True)
class Joined:
    """Several conditions of which any or every one has to hold."""

    parts: "tuple[Comparison | Joined, ...]"
    every: bool

    def holds(self, values: Values) -> bool:
        return (all if self.every else any)(part.holds(values) for part in self.parts)

    def comparisons(self) -> Iterator[Comparison]:
        for part in self.parts:
            yield from part.comparisons()


class Condition:
    """A parsed condition; raises `UserError` for what is no condition."""

    def __init__(self, text: str) -> None:
        self.source = Source(text, FLAG)
        self.tree = _Parser(self.source).parse()

    def check(self, registry: Registry) -> None:
        """Raises `UserError` for passes and statistics that there are not, as far as known yet."""
        for one in self.tree.comparisons():
            if one.pass_name not in registry.passes:
                self._no_pass(one, registry)
            known = statistics_of(registry.load(one.pass_name))
            if one.statistic not in known and not _is_book_row(one.statistic):
                self._no_statistic(one, known)

    def diagnose(self, values: Values, ran: Iterable[str], registry: Registry) -> Diagnostic | None:
        """The error if the condition holds for these values; `ran` are the passes that did."""
        found: dict[tuple[str, str], int | float] = {}
        passes = set(ran)
        for one in self.tree.comparisons():
            if one.pass_name not in passes:
                message = f"pass '{one.pass_name}' did not run"
                raise self.source.error(_UNKNOWN, message, one.position)
            known = statistics_of(registry.load(one.pass_name))
            if one.key not in values and one.statistic not in known:
                own = [name for pass_name, name in values if pass_name == one.pass_name]
                self._no_statistic(one, [*own, *known])
            found[one.key] = values.get(one.key, 0)
        if not self.tree.holds(found):
            return None
        facts = ", ".join(f"{a}.{b} is {value}" for (a, b), value in found.items())
        return Diagnostic(_HOLDS, f'{FLAG} "{self.source.text}" holds: {facts}')

    def _no_pass(self, one: Comparison, registry: Registry) -> NoReturn:
        name = one.pass_name
        if name in UPSTREAM:
            message = f"'{name}' is an upstream pass, which has no statistics"
        else:
            message = f"there is no pass '{name}'{did_you_mean(name, list(registry.passes))}"
        raise self.source.error(_UNKNOWN, message, one.position)

    def _no_statistic(self, one: Comparison, known: Iterable[str]) -> NoReturn:
        names = list(dict.fromkeys(known))
        hint = did_you_mean(one.statistic, names)
        if not hint:
            hint = f"; it has {', '.join(names)}" if names else "; it has none"
        message = f"pass '{one.pass_name}' has no statistic '{one.statistic}'{hint}"
        position = one.position + len(one.pass_name) + 1
        raise self.source.error(_UNKNOWN, message, position)


class Conditions:
    """All conditions of a run of a tool; raises `UserError` for faults that are known before it."""

    def __init__(self, texts: Sequence[str], registry: Registry) -> None:
        self.registry = registry
        self.all = [Condition(text) for text in texts]
        for condition in self.all:
            condition.check(registry)

    def enforce(self, results: Sequence[Result]) -> None:
        """Raises `UserError` with every condition that holds, or that cannot be answered."""
        if not self.all:
            return
        values: dict[tuple[str, str], int | float] = {}
        ran: dict[str, None] = {}
        for result in results:
            ran.update(dict.fromkeys(record.step.name for record in result.steps))
            for row in result.statistics:
                key = (row.pass_name, row.name)
                values[key] = values.get(key, 0) + row.value
                ran[row.pass_name] = None
        errors: list[Diagnostic] = []
        for condition in self.all:
            try:
                found = condition.diagnose(values, ran, self.registry)
            except UserError as error:
                errors += error.diagnostics
            else:
                errors += [] if found is None else [found]
        if errors:
            raise UserError(errors)


def statistics_of(cls: type[Any]) -> list[str]:
    """The statistics that a pass of this class always has, also where they are 0 and not shown.

    Of a pass that declines and does not list its candidates, the books have what it declined.
    """
    from penguin.passlib.pass_ import Pass
    from penguin.passlib.patterns import Limit

    found = [kebab(counter.name) for counter in statistics.declared(cls)]
    reasons = [why for base in cls.__mro__ for why in _reasons(base)]
    in_bytes = cls.bytes_of is not Pass.bytes_of
    if in_bytes or cls.candidates is not Pass.candidates:
        found += _BOOKS + (_BOOKS_IN_BYTES if in_bytes else ())
    elif reasons:
        found.append("surviving")
    else:
        return found
    for reason in (*reasons, Limit.REWRITE_LIMIT):
        name = f"{_MISSED}{books.kebab(reason.name)}"
        found += [name, f"{name}-bytes"] if in_bytes else [name]
    return list(dict.fromkeys(found))


def _is_book_row(name: str) -> bool:
    """Whether a pass may turn out to have this row, although its class does not say so."""
    return name.startswith(_MISSED) or name in _BOOKS


def _reasons(cls: type[Any]) -> list[enum.Enum]:
    """The members of `Why` in the file of a class; codes are the reasons of errors."""
    why = getattr(sys.modules.get(cls.__module__), "Why", None)
    if not (isinstance(why, type) and issubclass(why, enum.Enum)):
        return []
    return [reason for reason in why if _CODE.fullmatch(str(reason.value)) is None]


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = [
            (match.lastgroup or "", match[match.lastgroup or 0], match.start(match.lastgroup or 0))
            for match in _TOKEN.finditer(source.text)
        ]
        self.at = 0

    def parse(self) -> Comparison | Joined:
        found = self._any()
        kind, word, position = self._peek()
        if kind:
            hint = {"&&": ", did you mean 'and'?", "||": ", did you mean 'or'?"}.get(word, "")
            self._fail(f"expected 'and', 'or' or the end, got '{word}'{hint}", position)
        return found

    def _any(self) -> Comparison | Joined:
        parts = [self._every()]
        while self._take_word("or"):
            parts.append(self._every())
        return parts[0] if len(parts) == 1 else Joined(tuple(parts), False)

    def _every(self) -> Comparison | Joined:
        parts = [self._one()]
        while self._take_word("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Joined(tuple(parts), True)

    def _one(self) -> Comparison | Joined:
        kind, word, position = self._peek()
        if word == "(":
            self.at += 1
            inner = self._any()
            kind, word, position = self._next()
            if word != ")":
                self._fail(f"expected ')', got {_shown(word)}", position)
            return inner
        if kind != "name" or word in ("and", "or"):
            self._fail(
                f"expected a statistic, for example memcpy-elimination.surviving-bytes,"
                f" got {_shown(word)}",
                position,
            )
        pass_name, dot, statistic = word.partition(".")
        if not dot or not statistic or "." in statistic:
            self._fail(f"expected 'pass.statistic', got '{word}'", position)
        self.at += 1
        return Comparison(
            kebab(pass_name), kebab(statistic), self._operator(), self._number(), position
        )

    def _operator(self) -> str:
        _, word, position = self._next()
        if word not in _OPERATORS:
            hint = ", did you mean '=='?" if word == "=" else ""
            expected = ", ".join(_OPERATORS)
            self._fail(f"expected one of {expected}, got {_shown(word)}{hint}", position)
        return word

    def _number(self) -> int | float:
        kind, word, position = self._next()
        found = _NUMBER.fullmatch(word) if kind == "number" else None
        if found is None:
            self._fail(f"expected a number such as 0, 1_000 or 4K, got {_shown(word)}", position)
        digits, unit = found.groups()
        value = float(digits) if "." in digits else int(digits)
        return value * _UNITS[unit.upper()]

    def _peek(self) -> tuple[str, str, int]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("", "", self._end)

    def _next(self) -> tuple[str, str, int]:
        token = self._peek()
        self.at += 1
        return token

    def _take_word(self, word: str) -> bool:
        if self._peek()[:2] != ("name", word):
            return False
        self.at += 1
        return True

    @property
    def _end(self) -> int:
        return len(self.source.text.rstrip())

    def _fail(self, message: str, position: int) -> NoReturn:
        raise self.source.error(_MALFORMED, message, position)


def _shown(word: str) -> str:
    return f"'{word}'" if word else "the end"
