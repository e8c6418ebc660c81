"""Access maps against enumeration: forms alone, the polyhedral library, and both together."""

import itertools
import subprocess
import sys
from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from penguin import mlir
from penguin.analysis import polyhedra
from penguin.analysis.access_map import AccessMap, ExactSpace
from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.analysis.form_range import range_of
from penguin.analysis.iteration_domain import Condition, Domain
from penguin.analysis.tensor_uses import TensorUses
from penguin.mlir import ir

V = Form.variable
_CONTEXT = ir.Context()


def value(form: Form, point: dict[int, int]) -> int:
    total = form.const
    for atom, coefficient in form.terms:
        if isinstance(atom, FloorDiv):
            total += coefficient * (value(atom.numerator, point) // atom.divisor)
        else:
            total += coefficient * point[atom]
    return total


def holds(condition: Condition, point: dict[int, int]) -> bool:
    values = [(value(form, point), equality) for form, equality in condition.constraints]
    return all(v == 0 if equality else v >= 0 for v, equality in values) == condition.holds


def points(domain: Domain) -> list[tuple[int, ...]]:
    return [
        p
        for p in itertools.product(*map(range, domain.extents))
        if all(holds(c, dict(zip(domain.keys, p, strict=True))) for c in domain.conditions)
    ]


def touched(access: AccessMap) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The element of each iteration."""
    keys = access.domain.keys
    return {
        p: tuple(value(form, dict(zip(keys, p, strict=True))) for form in access.forms)
        for p in points(access.domain)
    }


@st.composite
def forms(draw, space: Space, depth: int = 2) -> Form:
    """A form as reading an expression would give it."""
    kinds = ["linear", "linear", "floordiv", "mod", "sum"]
    kind = draw(st.sampled_from(kinds)) if depth else "linear"
    if kind == "linear":
        found = Form(draw(st.integers(-3, 6)) if draw(st.booleans()) else 0)
        for key, extent in space.extents.items():
            if extent > 1 and draw(st.booleans()):
                found = found + V(key) * draw(st.sampled_from([1, 1, 1, 2, 3, 4, 6, -1, -2]))
        return found
    left = draw(forms(space, depth - 1))
    if kind == "sum":
        return left + draw(forms(space, depth - 1)) * draw(st.sampled_from([1, 1, 2, -1, 4]))
    divisor = draw(st.integers(2, 6))
    return getattr(space, kind)(left, divisor)


@st.composite
def domains(draw, conditions: bool = True) -> Domain:
    extents = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    domain = Domain(tuple((2 * k + 1, extent) for k, extent in enumerate(extents)))
    found = []
    for _ in range(draw(st.integers(0, 2)) if conditions else 0):
        pairs = st.tuples(forms(domain.space, 1), st.sampled_from([False, False, True]))
        constraints = tuple(draw(st.lists(pairs, min_size=1, max_size=2)))
        found.append(Condition(constraints, draw(st.booleans())))
    return domain.where(found)


@st.composite
def maps(draw, conditions: bool = True, inside: bool = True) -> AccessMap:
    domain = draw(domains(conditions))
    rank = draw(st.integers(1, 3))
    # Mostly the maps that occur: an element number in a shape, or a loop per dimension.
    if draw(st.booleans()):
        flat, space = draw(forms(domain.space, 0)), domain.space
        shape = draw(st.lists(st.integers(1, 6), min_size=rank, max_size=rank))
        found, rest = [], flat
        for extent in shape[:0:-1]:
            found.append(space.mod(rest, extent))
            rest = space.floordiv(rest, extent)
        chosen = [rest, *found[::-1]]
    else:
        chosen = [draw(forms(domain.space)) for _ in range(rank)]
    ranges = [range_of(form, domain.space) for form in chosen]
    if inside:
        # In bounds, as an access must be; the first index is moved there.
        chosen = [form + -r.low for form, r in zip(chosen, ranges, strict=True)]
        sizes = [max(1, r.size) for r in ranges]
    else:
        sizes = [draw(st.integers(1, 6)) for _ in ranges]
    assume(np.prod(sizes) <= 3000)
    return AccessMap(domain, chosen, sizes)


def exactly(question, *args):
    answer = polyhedra.guarded(question, *args)
    assert answer is not None
    return answer


def agree(known: object, by_forms: object, by_library: object, together: object) -> None:
    assert by_forms is None or by_forms == known
    assert by_library == known
    assert together == known


@given(st.data())
def test_ranges_of_forms(data):
    domain = data.draw(domains(conditions=False))
    form = data.draw(forms(domain.space, 3))
    values = set(touched(AccessMap(domain, (form,), (1,))).values())
    found = range_of(form, domain.space)
    low, high = min(values)[0], max(values)[0]
    assert found.low <= low and high <= found.high
    if found.is_tight:
        assert (found.low, found.high) == (low, high)
    if found.is_dense:
        assert len(values) == found.size


@given(maps())
def test_iterations(access):
    known = len(points(access.domain))
    agree(
        known == 0,
        access._is_empty_by_forms(),
        exactly(lambda: polyhedra.is_empty(access.iterations)),
        access.is_empty(),
    )
    assert access.count() == exactly(lambda: polyhedra.count(access.iterations)) == known


@given(maps(inside=False))
def test_footprint(access):
    known = len(set(touched(access).values()))
    assert exactly(lambda: polyhedra.count(access.relation.range())) == known
    assert access.footprint() == known


@given(maps(inside=False))
def test_is_injective(access):
    elements = Counter(touched(access).values())
    agree(
        all(n == 1 for n in elements.values()),
        access._is_injective_by_forms(),
        exactly(lambda: polyhedra.is_injective(access.relation)),
        access.is_injective(),
    )


@given(st.booleans().flatmap(lambda inside: maps(inside=inside)))
def test_covers(access):
    wanted = set(itertools.product(*map(range, access.shape)))
    agree(
        wanted.issubset(touched(access).values()),
        access._covers_by_forms(),
        exactly(lambda: polyhedra.covers(access.relation, access.shape)),
        access.covers(),
    )


@given(maps(inside=False))
def test_ranges_of_dimensions(access):
    elements = list(touched(access).values())
    for dim, form in enumerate(access.forms):
        known = [element[dim] for element in elements]
        exact = exactly(
            lambda form=form: polyhedra.bounds(access.domain.keys, access.iterations, form)
        )
        assert exact == ((min(known), max(known)) if known else ())
        assert access.range_of(dim) == (exact or None)


@given(st.data())
def test_overlaps(data):
    one, other = data.draw(maps(inside=False)), data.draw(maps(inside=False))
    known = [set(touched(m).values()) for m in (one, other)]
    if len(one.shape) != len(other.shape):
        return
    other.shape = one.shape
    agree(
        not known[0].isdisjoint(known[1]),
        one._overlaps_by_forms(other),
        exactly(lambda: polyhedra.overlap(one.relation, other.relation)),
        one.overlaps(other),
    )


@given(maps())
def test_reverse(access):
    elements = touched(access)
    found, by_forms = access.reverse(), access._reverse_by_forms()
    if len(set(elements.values())) < len(elements):
        assert found is None and by_forms is None
    for back in (found, by_forms):
        if back is not None:
            assert touched(back) == {element: p for p, element in elements.items()}
            assert back.shape == access.domain.extents


@given(maps(conditions=False))
def test_reverse_of_linear_maps_needs_no_library(access):
    if not any(form.divisions for form in access.forms) and access.is_injective():
        assert access._reverse_by_forms() is not None or access._is_injective_by_forms() is None


@given(st.data())
def test_compose(data):
    access, mapping = data.draw(maps(inside=False)), data.draw(maps(inside=False))
    if len(access.shape) != len(mapping.domain.keys):
        return
    then = touched(mapping)
    known = {p: then[e] for p, e in touched(access).items() if e in then}
    found = access.compose(mapping)
    assert touched(found) == known
    relation = exactly(lambda: access.relation.apply_range(mapping.relation))
    assert relation.is_equal(found.relation)


@given(maps())
def test_gist(access):
    simple = access.gist()
    assert touched(simple) == touched(access)
    assert simple.relation.is_equal(access.relation)
    for old, new in zip(access.forms, simple.forms, strict=True):
        assert len(list(new.variables())) <= len(list(old.variables())) or new == old


@given(st.data())
def test_exact_space(data):
    domain = data.draw(domains())
    space = ExactSpace(domain)
    form = data.draw(forms(domain.space))
    (simple,) = space.simplified((form,))
    known = touched(AccessMap(domain, (form,), (1,)))
    assert touched(AccessMap(domain, (simple,), (1,))) == known
    if known:
        assert space.bounds(form) == (min(known.values())[0], max(known.values())[0])


@given(maps(conditions=False))
def test_affine_maps_both_ways(access):
    with _CONTEXT:
        map_ = access.to_affine_map()
        again = AccessMap.from_affine_map(map_, access.domain.extents, access.shape)
        assert again.to_affine_map() == map_ or touched(again) == touched(access)
    assert list(touched(again).items()) == list(touched(access).items())


def test_gist_removes_what_a_condition_decides():
    domain = Domain.box((8,)).where([Condition(((V(0) + -4, False),))])
    access = AccessMap(domain, (Space({0: 8}).floordiv(V(0), 4),), (2,))
    assert access.gist().forms == (Form(1),)


def test_a_condition_that_a_box_implies_is_dropped():
    assert Domain.box((4, 4)).where([Condition(((V(0) + V(1), False),))]).is_box


def test_reverse_drops_loops_without_a_use():
    access = AccessMap(Domain.box((3, 4)), (V(1),), (4,))
    assert access.is_injective() is False and access.reverse() is None
    back = access.without_unused().reverse()
    assert back.forms == (V(0),) and back.domain.is_box


def test_questions_that_are_too_expensive_are_unknown(monkeypatch):
    monkeypatch.setattr(polyhedra, "MAX_OPERATIONS", 10)
    space = Space({0: 7, 1: 11})
    flat = V(0) * 11 + V(1) * 3
    access = AccessMap(Domain.box((7, 11)), (space.floordiv(flat, 5), space.mod(flat, 5)), (40, 5))
    assert access.is_injective() is None
    assert access.reverse() is None
    assert access.gist().forms == access.forms
    monkeypatch.undo()
    assert access.is_injective() is True and access.reverse() is not None


def test_the_library_is_loaded_when_it_is_needed():
    code = """
import sys
from penguin.analysis.access_map import AccessMap
from penguin.analysis.affine_form import Form
from penguin.analysis.iteration_domain import Domain
V = Form.variable
access = AccessMap(Domain.box((12, 64)), (V(1), V(0) + 3), (64, 15))
assert access.is_injective() and access.covers() is False and access.range_of(1) == (3, 14)
assert access.overlaps(access) and access.reverse() and access.gist() is access
assert access.compose(access.reverse()).forms == (V(0), V(1)) and access.footprint() == 768
print("islpy" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("False", "")


# Reading from the IR ------------------------------------------------------------------------------

_NEST = """
func.func @main(%m: memref<{size}xf32>) {{
  {nest}
  return
}}
"""


def read(nest: str, size: int = 64) -> list[AccessMap | None]:
    """The maps of the loads and stores of a function."""
    with mlir.context(), ir.Location.unknown():
        module = ir.Module.parse(_NEST.format(size=size, nest=nest))
        uses = TensorUses(module.body.operations[0].operation)
        accesses = [access for step in uses.steps for access in step.accesses]
        return [AccessMap.of(access) for access in accesses]


def run(nest: str) -> list[tuple[int, ...]]:
    """The elements by the nest's meaning, written as Python with `touch`."""
    found: list[tuple[int, ...]] = []
    exec(nest, {"touch": lambda *index: found.append(index)})
    return found


def check_nest(nest: str, meaning: str) -> AccessMap:
    (access,) = read(nest)
    assert list(touched(access).values()) == run(meaning)
    return access


def test_triangular_nest():
    access = check_nest(
        """affine.for %i = 0 to 6 { affine.for %j = affine_map<(d0) -> (d0)>(%i) to 6 step 2 {
             %v = affine.load %m[%i * 8 + %j] : memref<64xf32> } }""",
        "for i in range(6):\n  for j in range(i, 6, 2): touch(i * 8 + j)",
    )
    assert access.is_injective() and access.count() == 12 and access.range_of(0) == (0, 45)


def test_bounds_that_are_minima_and_maxima():
    check_nest(
        """affine.for %i = 2 to 9 {
             affine.for %j = max affine_map<(d0) -> (d0 - 3, 2)>(%i)
                          to min affine_map<(d0) -> (d0 + 2, 8)>(%i) {
               %v = affine.load %m[%i + %j * 4] : memref<64xf32> } }""",
        "for i in range(2, 9):\n  for j in range(max(i - 3, 2), min(i + 2, 8)): touch(i + j * 4)",
    )


def test_condition_and_its_other_branch():
    accesses = read(
        """affine.for %i = 0 to 8 { affine.for %j = 0 to 8 step 2 {
             affine.if affine_set<(d0, d1) : (d0 - d1 - 1 >= 0, d0 mod 2 == 0)>(%i, %j) {
               %v = affine.load %m[%i] : memref<64xf32>
             } else {
               %v = affine.load %m[%j] : memref<64xf32>
             } } }""",
    )
    pairs = [(i, j) for i in range(8) for j in range(0, 8, 2)]
    yes = [(i,) for i, j in pairs if i - j - 1 >= 0 and i % 2 == 0]
    no = [(j,) for i, j in pairs if not (i - j - 1 >= 0 and i % 2 == 0)]
    assert [list(touched(access).values()) for access in accesses] == [yes, no]


def test_condition_that_is_a_value():
    access = check_nest(
        """%c = arith.constant true
           affine.for %i = 0 to 64 { scf.if %c { %v = affine.load %m[%i] : memref<64xf32> } }""",
        "for i in range(64): touch(i)",
    )
    assert not access.domain.is_exact
    assert access.covers() is None and access.is_empty() is None and access.count() is None
    assert access.is_injective() is True


def test_a_loop_that_is_not_affine_hides_how_often():
    nest = """%0 = arith.constant 0 : index  %1 = arith.constant 1 : index
        scf.for %k = %0 to %1 step %1 {
          affine.for %i = 0 to 64 { %v = affine.load %m[%i] : memref<64xf32> } }"""
    assert read(nest) == [None]
