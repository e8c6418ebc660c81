"""Options, statistics and remarks: the small parts of the pass framework."""

import dataclasses
import enum
import json

import pytest

from penguin.passlib import Statistic, Unit, option
from penguin.passlib import options as opt
from penguin.passlib import statistics as st
from penguin.passlib.remarks import Filter, Kind, Policy, Remark, Remarks, camel


class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@dataclasses.dataclass
class Options:
    flag: bool = option(False, "a switch")
    max_size: int = option(4, "a number")
    factor: float = option(0.5, "a fraction")
    text: str = option("", "text")
    mode: Mode = option(Mode.FAST, "one of two")
    level: str = option("low", "one of two", choices=("low", "high"))
    sizes: tuple[int, ...] = option((), "numbers")
    kinds: tuple[str, ...] = option(("a",), "some of three", choices=("a", "b", "c"))
    cap: int | None = option(None, "a number or none")
    internal: int = 3


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("flag", "", "flag", True),
        ("flag", "true", "flag", True),
        ("flag", "0", "flag", False),
        ("max-size", "-7", "max_size", -7),
        ("factor", "1e-3", "factor", 1e-3),
        ("text", "a b", "text", "a b"),
        ("mode", "slow", "mode", Mode.SLOW),
        ("level", "high", "level", "high"),
        ("sizes", "1,2, 3", "sizes", (1, 2, 3)),
        ("sizes", "", "sizes", ()),
        ("kinds", "c,a", "kinds", ("c", "a")),
        ("kinds", "", "kinds", ()),
        ("cap", "none", "cap", None),
        ("cap", "12", "cap", 12),
    ],
)
def test_text_becomes_typed_value(name: str, text: str, field: str, value: object) -> None:
    assert opt.parse(Options, name, text) == (field, value)
    assert type(opt.parse(Options, name, text)[1]) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("flag", "maybe", "expected true or false"),
        ("max-size", "1.5", "not of type int"),
        ("factor", "x", "not of type float"),
        ("kinds", "a,d", "'d' is not one of a, b, c"),
        ("mode", "medium", "not one of fast, slow"),
        ("level", "mid", "not one of low, high"),
        ("sizes", "1,x", "not of type int"),
        ("cap", "some", "not of type int"),
    ],
)
def test_bad_value_says_what_was_expected(name: str, text: str, expected: str) -> None:
    with pytest.raises(opt.BadValue, match=expected):
        opt.parse(Options, name, text)


def test_only_declared_options_are_options() -> None:
    with pytest.raises(opt.UnknownOption, match="no option 'internal'"):
        opt.parse(Options, "internal", "1")
    with pytest.raises(opt.UnknownOption, match="did you mean 'max-size'"):
        opt.parse(Options, "max_size", "1")


def test_defaults_print_as_they_parse() -> None:
    for info in opt.describe(Options):
        name, value = opt.parse(Options, info.name, info.default)
        if info.type != "bool" or info.default:
            assert value == getattr(Options(), name), info.name


def test_two_passes_do_not_share_counters() -> None:
    class Counted:
        name = "counted"
        seen = Statistic("Number of things seen")
        size = Statistic("Bytes of things", Unit.BYTES)

        def __init__(self) -> None:
            self.counters: dict[str, float] = {}

        def extra_rows(self) -> list[st.Row]:
            return []

    one, two = Counted(), Counted()
    one.seen += 2
    one.size = 8
    assert (one.seen, two.seen) == (2, 0)
    both = st.merge([*st.rows(one), *st.rows(one), *st.rows(two)])
    assert [(row.name, row.value) for row in both] == [("seen", 4), ("size", 16)]
    report = st.to_text([(0, "Counted", st.rows(one))])
    assert "  (S) 2 seen - Number of things seen\n" in report
    assert "  (S) 8 size - Bytes of things (bytes)\n" in report
    assert json.loads(st.to_json([(0, "Counted", st.rows(one))]))[1] == {
        "pass": "counted",
        "name": "size",
        "text": "Bytes of things",
        "unit": "bytes",
        "value": 8,
    }


def _missed(name: str, run: int, category: str = "g:a") -> Remark:
    return Remark(Kind.MISSED, category, name, "f.py:1:2", "main", {}, run)


def test_final_policy_keeps_missed_of_the_last_run_only() -> None:
    passed = Remark(Kind.PASSED, "g:a", "Done", "f.py:1:2", "main", {}, 0)
    found = [_missed("X", 0), passed, _missed("Y", 2), _missed("Z", 1, "g:b")]
    remarks = Remarks(Filter(".*"), Policy.FINAL, list(found))
    assert remarks.results({"g:a": 2, "g:b": 1}) == [passed, found[2], found[3]]
    assert Remarks(Filter(".*"), Policy.ALL, list(found)).results({"g:a": 2}) == found


def test_filters_select_by_kind_and_category() -> None:
    chosen = Filter("copies", {Kind.MISSED: "a$"})
    assert chosen.wants(Kind.PASSED, "copies:x") and not chosen.wants(Kind.PASSED, "casts:x")
    assert chosen.wants(Kind.MISSED, "casts:a") and not chosen.wants(Kind.MISSED, "copies:x")
    assert not any(Filter().wants(kind, "copies:x") for kind in Kind)


def test_yaml_quotes_what_yaml_would_misread() -> None:
    args = {"Reason": "it's: here", "Bytes": 12}
    text = Remark(Kind.MISSED, "g:a", "X", "dir/f.py:3:4", "main", args).yaml()
    assert text == (
        "--- !Missed\n"
        "Pass:            'g:a'\n"
        "Name:            X\n"
        "DebugLoc:        { File: 'dir/f.py', Line: 3, Column: 4 }\n"
        "Function:        main\n"
        "Args:\n"
        "  - Reason:          'it''s: here'\n"
        "  - Bytes:           '12'\n"
        "...\n"
    )
    assert "DebugLoc" not in Remark(Kind.MISSED, "g:a", "X", "jit(f)", "main").yaml()


def test_names_become_camel_case() -> None:
    assert camel("READ_TWICE") == "ReadTwice"
    assert camel("lower-tensor-op") == "LowerTensorOp"
