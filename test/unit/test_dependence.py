"""Cutting nests, against enumeration of what each iteration touches."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_access_map import touched

from penguin.analysis.access_map import AccessMap
from penguin.analysis.dependence import may_reorder
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Step
from penguin.mlir import ir

CONTEXT = ir.Context()


@contextmanager
def parsed(nest: str) -> Iterator[Step]:
    """The last step of a function with this body; its module lives as long as it is needed."""
    text = f"func.func @main(%m: memref<512xf32>, %n: memref<512xf32>) {{ {nest} return }}"
    with CONTEXT, ir.Location.unknown():
        module = ir.Module.parse(text)
        yield TensorUses(module.body.operations[0].operation).steps[-1]


@st.composite
def nests(draw) -> str:
    """A perfect nest of three loops; indices are offset so that none is negative."""
    bounds = [f"0 to {draw(st.integers(1, 5))}"]
    for above in ("i", "j"):
        n = draw(st.integers(1, 5))
        kinds = [f"0 to {n}"] * 3 + [
            f"affine_map<(d0) -> (d0)>(%{above}) to 5",
            f"0 to min affine_map<(d0) -> (d0 + 1, {n})>(%{above})",
            f"1 to {n + 1} step 2",
        ]
        bounds.append(draw(st.sampled_from(kinds)))
    body = []
    for number in range(draw(st.integers(1, 3))):
        coefficients = [draw(st.sampled_from([0, 1, 1, 2, 5, -1])) for _ in range(3)]
        index = " + ".join(f"%{v} * {c}" for v, c in zip("ijk", coefficients, strict=True))
        index = f"{index} + {draw(st.integers(20, 24))}"
        if draw(st.integers(0, 3)) == 0:
            index = f"({index}) mod {draw(st.integers(2, 7))}"
        memref = "%m[" + index + "] : memref<512xf32>"
        load = f"%v{number} = affine.load {memref}"
        store = f"%c{number} = arith.constant 1.0 : f32 affine.store %c{number}, {memref}"
        op = draw(st.sampled_from([load, store, store]))
        if draw(st.integers(0, 2)) == 0:
            sign, c = draw(st.sampled_from([">=", "=="])), draw(st.integers(-2, 2))
            a, b = draw(st.sampled_from(list(itertools.permutations("ijk", 2))))
            op = f"affine.if affine_set<(d0, d1) : (d0 - d1 + {c} {sign} 0)>(%{a}, %{b}) {{ {op} }}"
        body.append(op)
    text = "\n".join(body)
    for name, bound in zip("kji", reversed(bounds), strict=True):
        text = f"affine.for %{name} = {bound} {{ {text} }}"
    return text


def swaps(step: Step, level: int, at: int | None) -> bool:
    """Whether two touches of one element change places."""
    events = []
    for number, access in enumerate(step.accesses):
        for point, element in touched(AccessMap.of(access)).items():
            events.append(((*point, number), element, access.is_store))
    events.sort()
    for (p, element, store), (q, other, stores) in itertools.combinations(events, 2):
        if element == other and (store or stores):
            if q[level] < p[level] if at is None else q[level] < at <= p[level]:
                return True
    return False


@given(nests(), st.integers(0, 2), st.none() | st.integers(1, 4))
def test_perfect_nests(nest, level, at):
    with parsed(nest) as step:
        answer = may_reorder(step, level, at)
        loop = next(loop for loop in step.loops.values() if loop.key == level)
        if loop.extent is None:
            assert answer is None
        else:
            assert answer is not swaps(step, level, at)
            assert answer is not None


_IN_PLACE = """affine.for %i = 0 to 8 {{ {outside}
  affine.for %j = 0 to 8 {{
    %v = affine.load %m[%i * 8 + %j] : memref<512xf32>
    affine.store %v, %m[%i * 8 + %j] : memref<512xf32>
  }} }}"""


@pytest.mark.parametrize(
    ("outside", "answer"),
    [
        ("", True),
        ("%c = arith.constant 1.0 : f32", True),
        ("%w = affine.load %n[%i] : memref<512xf32>", True),
        ("%k = arith.constant 0 : index %w = memref.load %n[%k] : memref<512xf32>", True),
        ("%w = affine.load %m[%i] : memref<512xf32>", None),
        ("%c = arith.constant 1.0 : f32 affine.store %c, %n[%i] : memref<512xf32>", None),
        ("%a = memref.alloc() : memref<4xf32>", None),
        ("affine.for %k = 0 to 4 { }", None),
    ],
)
def test_what_is_outside_runs_twice(outside: str, answer: bool | None) -> None:
    with parsed(_IN_PLACE.format(outside=outside)) as step:
        assert may_reorder(step, 0) is True
        assert may_reorder(step, 1) is answer


@pytest.mark.parametrize("key", [0, 1])
def test_loops_that_carry_are_not_cut(key: int) -> None:
    nest = """%c = arith.constant 1.0 : f32
      affine.for %i = 0 to 8 { %s = affine.for %j = 0 to 8 iter_args(%a = %c) -> f32 {
        %v = affine.load %n[%j] : memref<512xf32>
        affine.yield %v : f32 } }"""
    with parsed(nest) as step:
        assert may_reorder(step, key) is (True if key == 0 else None)


def test_stores_at_computed_addresses_are_unknown():
    nest = """affine.for %i = 0 to 8 { affine.for %j = 0 to 8 {
        %v = affine.load %n[%j] : memref<512xf32>
        memref.store %v, %m[%i] : memref<512xf32> } }"""
    with parsed(nest) as step:
        assert may_reorder(step, 1) is None


def test_a_condition_keeps_iterations_apart():
    """Without it, later rows read what earlier ones have stored."""
    nest = """affine.for %i = 0 to 8 { affine.for %j = 0 to 8 {
        affine.if affine_set<(d0, d1) : (d1 - d0 == 0)>(%i, %j) {
          %v = affine.load %m[%i + %j + 1] : memref<512xf32>
          affine.store %v, %m[%i + %j] : memref<512xf32> } } }"""
    free = nest.replace("d1 - d0 == 0", "d1 + d0 >= 0")
    with parsed(nest) as step:
        assert may_reorder(step, 1) is True
    with parsed(free) as step:
        assert may_reorder(step, 1) is False
