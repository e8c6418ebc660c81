"""The books of a pass, over whatever it does to its candidates."""

import functools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penguin import mlir
from penguin.passlib import registry as registries
from penguin.passlib import run_pipeline
from penguin.passlib.pass_ import Session
from penguin.passlib.remarks import Filter, Kind, Remarks
from penguin.passlib.runner import PassCrash
from penguin.passlib.statistics import Over, Row, Unit, merge_runs

_PLUGIN = Path(__file__).parents[1] / "passes" / "framework" / "Inputs" / "framework_passes.py"
# What happens to a copy: candidates, rewritten ones and survivors that come of it.
_FATES = {"done": (1, 1, 0), "missed": (1, 0, 1), "vanished": (0, 0, 0), "split": (2, 0, 2)}
_FAULTS = ("forgotten", "twice", "missed_and_gone", "wrong_size")


def _module(functions: list[list[tuple[str, int]]]) -> str:
    """Functions of copies with these fates, of tensors of so many elements."""
    text = ""
    for number, fates in enumerate(functions):
        text += f"func.func @f{number}() {{\n"
        for at, (fate, size) in enumerate(fates):
            type_ = f'memref<{size}xf32, "dram">'
            text += f"  %a{at} = memref.alloc() : {type_}\n  %b{at} = memref.alloc() : {type_}\n"
            text += f'  "penguin.memcpy"(%a{at}, %b{at}) {{test.fate = "{fate}"}}'
            text += f" : ({type_}, {type_}) -> ()\n"
        text += "  return\n}\n"
    return text


@functools.cache
def _registry() -> registries.Registry:
    found = registries.default()
    found.load_plugin(str(_PLUGIN))
    return found


def _run(functions: list[list[tuple[str, int]]]) -> tuple[dict[str, int | float], list[Kind]]:
    registry, session = _registry(), Session(remarks=Remarks(Filter(".*")))
    with mlir.context():
        module = mlir.parse(_module(functions))
        pipeline = "builtin.module(func.func(test-books))"
        result = run_pipeline(module, pipeline, session=session, registry=registry)
        return {row.name: row.value for row in result.statistics}, [r.kind for r in result.remarks]


_COPIES = st.lists(st.tuples(st.sampled_from(sorted(_FATES)), st.integers(1, 9)), max_size=6)


@settings(max_examples=30)
@given(st.lists(_COPIES, max_size=3))
def test_any_mixture_balances(functions: list[list[tuple[str, int]]]) -> None:
    rows, remarks = _run(functions)
    copies = [copy for function in functions for copy in function]
    for part, name, sizes in (
        (0, "candidates", "candidate-bytes"),
        (1, "rewritten", "rewritten-bytes"),
        (2, "surviving", "surviving-bytes"),
    ):
        assert rows[name] == sum(_FATES[fate][part] for fate, _ in copies)
        assert rows[sizes] == sum(4 * size * _FATES[fate][part] for fate, size in copies)
    reasons = {name for name in rows if name.startswith("missed-")}
    assert sum(rows[n] for n in reasons if not n.endswith("-bytes")) == rows["surviving"]
    assert sum(rows[n] for n in reasons if n.endswith("-bytes")) == rows["surviving-bytes"]
    # One remark for each survivor and for each rewrite.
    assert remarks.count(Kind.MISSED) == rows["surviving"]
    assert remarks.count(Kind.PASSED) == rows["rewritten"]


@settings(max_examples=30)
@given(_COPIES, st.sampled_from(_FAULTS), st.integers(2, 9), st.integers(0, 6))
def test_one_fault_among_any_others_is_found(
    copies: list[tuple[str, int]], fault: str, size: int, at: int
) -> None:
    copies.insert(at, (fault, size))
    with pytest.raises(PassCrash, match="the books of @f1 do not balance"):
        _run([[("done", 3), ("missed", 4)], copies])


def test_runs_of_a_pass_become_one() -> None:
    def rows(rewritten: int, **missed: int) -> list[Row]:
        surviving = sum(missed.values())
        values = [
            ("candidates", rewritten + surviving, Over.BALANCE),
            ("rewritten", rewritten, Over.SUM),
            ("surviving", surviving, Over.LAST),
            *((f"missed-{name}", value, Over.LAST) for name, value in missed.items()),
        ]
        return [Row("p", name, "", Unit.COUNT, value, over) for name, value, over in values]

    other = [Row("q", "seen", "", Unit.COUNT, 5)]
    # Twice in one step, as a part of another pass: two functions, not two runs.
    steps = [[*rows(4, a=3, b=3), *rows(1, a=1)], other, rows(2, b=4), other]
    found = {(row.pass_name, row.name): row.value for row in merge_runs(steps)}
    assert found == {
        ("p", "candidates"): 11,
        ("p", "rewritten"): 7,
        ("p", "surviving"): 4,
        ("p", "missed-a"): 0,
        ("p", "missed-b"): 4,
        ("q", "seen"): 10,
    }
