"""Pass options: dataclass fields made by `option`, converted from the text of a pipeline.

A field `max_size: int = option(128, "largest tile")` is the option `max-size` with the type of its
annotation: bool, int, float, str, an enum, a tuple of these (`1,2,3`), or any of them with
`| None` (the text `none`). A wrong name or value is a `ValueError` whose text says what was
expected; the pipeline parser adds the place.
"""

import dataclasses
import difflib
import enum
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

_TRUE, _FALSE = ("true", "1", ""), ("false", "0")


def option(default: Any, help: str, *, choices: Sequence[str] = ()) -> Any:
    """A dataclass field that is settable as `kebab-case-name=value`; `help` is one phrase.

    `choices` are the values that it may have, or the elements of a tuple.
    """
    metadata = {"help": help, "choices": tuple(choices)}
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class OptionInfo:
    """What `--help` and the documentation say about an option."""

    name: str
    type: str
    default: str
    help: str
    choices: tuple[str, ...] = ()


class UnknownOption(ValueError):
    """The pass has no option of this name."""


class BadValue(ValueError):
    """The value does not have the option's type."""


def did_you_mean(word: str, candidates: Sequence[str]) -> str:
    """`, did you mean 'x'?` for the nearest candidate, or nothing."""
    near = difflib.get_close_matches(word, candidates, n=1, cutoff=0.6)
    return f", did you mean '{near[0]}'?" if near else ""


def kebab(name: str) -> str:
    return name.replace("_", "-")


def fields(cls: type) -> dict[str, dataclasses.Field[Any]]:
    """Option name to field, in order of declaration."""
    return {kebab(f.name): f for f in dataclasses.fields(cls) if "help" in f.metadata}


def describe(cls: type) -> list[OptionInfo]:
    """The options of a pass class."""
    hints = typing.get_type_hints(cls)
    return [
        OptionInfo(
            name,
            type_name(hints[f.name]),
            to_text(f.default),
            f.metadata["help"],
            choices_of(hints[f.name], f.metadata["choices"]),
        )
        for name, f in fields(cls).items()
    ]


def choices_of(hint: Any, declared: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return tuple(str(member.value) for member in hint)
    return declared


def type_name(hint: Any) -> str:
    """`int`, `tuple of str`, `int or none`..., as shown to users."""
    if typing.get_origin(hint) is tuple:
        return f"list of {type_name(typing.get_args(hint)[0])}"
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        inner = [a for a in typing.get_args(hint) if a is not type(None)]
        return f"{type_name(inner[0])} or none"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return "choice"
    return hint.__name__


def to_text(value: Any) -> str:
    """The text that `convert` turns back into `value`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ",".join(to_text(v) for v in value)
    return str(value)


def convert(text: str, hint: Any) -> Any:
    """`text` as a value of the annotated type; raises `BadValue` with what was expected."""
    if typing.get_origin(hint) is tuple:
        element = typing.get_args(hint)[0]
        return tuple(convert(part.strip(), element) for part in text.split(",") if part.strip())
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        if text == "none":
            return None
        return convert(text, next(a for a in typing.get_args(hint) if a is not type(None)))
    if hint is bool:
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise BadValue(f"'{text}' is not a bool, expected true or false")
    if hint is str:
        return text
    if issubclass(hint, enum.Enum):
        for member in hint:
            if str(member.value) == text:
                return member
        expected = ", ".join(str(member.value) for member in hint)
        raise BadValue(f"'{text}' is not one of {expected}")
    try:
        return hint(text)
    except ValueError:
        raise BadValue(f"'{text}' is not of type {type_name(hint)}") from None


def parse(cls: type, name: str, text: str) -> tuple[str, Any]:
    """Field name and value for the option `name=text` of a pass class."""
    known = fields(cls)
    if name not in known:
        hint = did_you_mean(name, list(known))
        available = f"; it has {', '.join(known)}" if known and not hint else ""
        raise UnknownOption(f"no option '{name}'{hint}{available}")
    field = known[name]
    value = convert(text, typing.get_type_hints(cls)[field.name])
    choices = field.metadata["choices"]
    for each in value if isinstance(value, tuple) else (value,):
        if choices and each not in choices:
            raise BadValue(f"'{each}' is not one of {', '.join(choices)}")
    return field.name, value


def build(cls: type, options: Mapping[str, str]) -> Any:
    """An instance of the pass class with these options."""
    return cls(**dict(parse(cls, name, text) for name, text in options.items()))
