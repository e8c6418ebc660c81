"""Command-line flags as data: parsing, suggestions for misspelt ones, grouped help.

LLVM's conventions: `--flag`, `-flag`, `--flag=value`, `--flag value`; `-` is an input; a flag that
takes an optional value takes it only with `=`. Flags that name passes keep their order.
"""

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from penguin.errors import UserError
from penguin.passlib.options import did_you_mean

# Of the numbers that flags take: counts, sizes and seeds.
LARGEST = 2**63 - 1


class Takes(Enum):
    """What follows a flag."""

    NOTHING = auto()  # a switch; also `=true` and `=false`
    VALUE = auto()
    OPTIONAL = auto()
    LIST = auto()  # a value, comma-separated, and the flag may be repeated
    REPEATED = auto()  # a value as it is, and the flag may be repeated


@dataclass(frozen=True)
class Flag:
    """`name` without dashes; `implied` is the value of an OPTIONAL flag that stands alone."""

    name: str
    takes: Takes
    metavar: str
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    type: Callable[[str], Any] = str
    implied: str = ""
    group: str = ""

    @property
    def spelling(self) -> str:
        dashes = "-" if len(self.name) == 1 else "--"
        if self.takes is Takes.NOTHING:
            return dashes + self.name
        shown = "|".join(self.choices) if self.choices else f"<{self.metavar}>"
        if len(self.name) == 1:
            return f"{dashes}{self.name} {shown}"
        if self.takes is Takes.OPTIONAL:
            return f"{dashes}{self.name}[={shown}]"
        return f"{dashes}{self.name}={shown}"


def grouped(groups: Mapping[str, Iterable[Flag]]) -> tuple[Flag, ...]:
    """The flags of all groups, each with its group's name."""
    return tuple(replace(flag, group=group) for group, flags in groups.items() for flag in flags)


def switch(name: str, help: str, *, default: bool = False) -> Flag:
    return Flag(name, Takes.NOTHING, "", help, default)


def value(name: str, metavar: str, help: str, default: str | None = None) -> Flag:
    return Flag(name, Takes.VALUE, metavar, help, default)


def optional(
    name: str, metavar: str, implied: str, help: str, type: Callable[[str], Any] = str
) -> Flag:
    """`metavar` with `|` lists the choices; `implied` is what the bare flag means."""
    choices = tuple(metavar.split("|")) if "|" in metavar else ()
    return Flag(name, Takes.OPTIONAL, metavar, help, None, choices, type, implied)


def number(name: str, help: str) -> Flag:
    return Flag(name, Takes.VALUE, "n", help, type=int)


def choice(name: str, choices: str, help: str, default: str | None = None) -> Flag:
    """`choices` are separated by `|`."""
    return Flag(name, Takes.VALUE, "", help, default, tuple(choices.split("|")))


def several(name: str, metavar: str, help: str) -> Flag:
    return Flag(name, Takes.LIST, metavar, help)


def repeated(name: str, metavar: str, help: str) -> Flag:
    return Flag(name, Takes.REPEATED, metavar, help)


# Of the tools that run passes; the conditions are `penguin.passlib.conditions`.
FAIL_IF = repeated(
    "fail-if",
    "condition",
    "Exit with 1, after everything is written, if this holds: 'pass.statistic > number', joined by"
    " and, or; with >, >=, <, <=, ==, !=",
)


@dataclass
class Parsed:
    """The values by flag name, the positional arguments, and the pass flags in order."""

    values: dict[str, Any]
    given: set[str] = field(default_factory=set)
    positional: list[str] = field(default_factory=list)
    passes: list[tuple[str, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


class Parser:
    """`is_pass(name)` says whether an unknown flag names a pass; `suggestions` are other names."""

    def __init__(
        self,
        flags: Sequence[Flag],
        is_pass: Callable[[str], bool] = lambda name: False,
        suggestions: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self.flags = {flag.name: flag for flag in flags}
        self.is_pass, self.suggestions = is_pass, suggestions

    def parse(self, argv: Sequence[str]) -> Parsed:
        defaults = {name: self._default(flag) for name, flag in self.flags.items()}
        parsed = Parsed(defaults)
        rest = list(argv)
        while rest:
            argument = rest.pop(0)
            if argument == "--":
                parsed.positional += rest
                break
            if argument == "-" or not argument.startswith("-"):
                parsed.positional.append(argument)
                continue
            name, equals, value = argument.lstrip("-").partition("=")
            if name in self.flags:
                self._set(parsed, self.flags[name], value if equals else None, rest)
            elif self.is_pass(name):
                parsed.passes.append((name, value))
            else:
                known = [*self.flags, *self.suggestions()]
                spelled = argument.partition("=")[0]
                hint = did_you_mean(name, known).replace("'", "'--", 1)
                help = hint or "; see --help"
                raise UserError.at("PGP010", f"unknown flag '{spelled}'{help}")
        return parsed

    def _default(self, flag: Flag) -> Any:
        if flag.takes in (Takes.LIST, Takes.REPEATED):
            return []
        return bool(flag.default) if flag.takes is Takes.NOTHING else flag.default

    def _set(self, parsed: Parsed, flag: Flag, value: str | None, rest: list[str]) -> None:
        parsed.given.add(flag.name)
        if flag.takes is Takes.NOTHING:
            if value not in (None, "true", "false", "1", "0"):
                raise self._bad(flag, f"takes no value, got '{value}'")
            parsed.values[flag.name] = value not in ("false", "0")
            return
        if flag.takes is Takes.OPTIONAL:
            parsed.values[flag.name] = self._value(flag, flag.implied if value is None else value)
            return
        if value is None:
            if not rest:
                raise self._bad(flag, f"needs a value: {flag.spelling}")
            value = rest.pop(0)
        if flag.takes is Takes.REPEATED:
            parsed.values[flag.name].append(value)
            return
        if flag.takes is Takes.LIST:
            parts = [part for part in value.split(",") if part]
            if not parts:
                raise self._bad(flag, f"needs a value: {flag.spelling}")
            parsed.values[flag.name] += parts
            return
        parsed.values[flag.name] = self._value(flag, value)

    def _value(self, flag: Flag, text: str) -> Any:
        if flag.choices and text not in flag.choices:
            expected = ", ".join(flag.choices)
            raise self._bad(flag, f"expects one of {expected}, got '{text}'")
        if flag.type is str:
            return text
        try:
            found = flag.type(text)
        except ValueError:
            raise self._bad(
                flag, f"expects a value of type {_name(flag.type)}, got '{text}'"
            ) from None
        if flag.type is int and not 0 <= found <= LARGEST:
            raise self._bad(flag, f"expects a number from 0 to {LARGEST}, got '{text}'")
        return found

    def _bad(self, flag: Flag, message: str) -> UserError:
        dashes = "-" if len(flag.name) == 1 else "--"
        return UserError.at("PGP011", f"{dashes}{flag.name} {message}")


def rows(entries: Iterable[tuple[str, str]], *, indent: int = 2, column: int = 44) -> str:
    """Two columns, the second one wrapped."""
    lines = []
    for left, right in entries:
        start = " " * indent + left
        wrapped = textwrap.wrap(right, 120 - column) or [""]
        if len(start) >= column - 1:
            lines.append(start)
            lines += [" " * column + part for part in wrapped]
        else:
            lines.append(start.ljust(column) + wrapped[0])
            lines += [" " * column + part for part in wrapped[1:]]
    return "".join(line.rstrip() + "\n" for line in lines)


def help_of(flags: Iterable[Flag]) -> dict[str, str]:
    """The flags' help by group, in order of declaration."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for flag in flags:
        text = flag.help
        if flag.default not in (None, False):
            default = "on" if flag.default is True else flag.default
            text = f"{text} (default: {default})"
        groups.setdefault(flag.group, []).append((flag.spelling, text))
    return {group: rows(entries) for group, entries in groups.items()}


def conflict(parsed: Parsed, groups: Mapping[str, bool]) -> None:
    """Raises if more than one of the named things is there."""
    present = [name for name, there in groups.items() if there]
    if len(present) > 1:
        raise UserError.at("PGP011", f"{present[0]} cannot be used together with {present[1]}")


def _name(type: Callable[[str], Any]) -> str:
    return getattr(type, "__name__", "value")
