"""Forms as integer sets and maps, and questions on those: the only module that knows islpy.

Everything is built from coefficients, never from text. Loops and dimensions are told apart by
position. All objects live in one context with a limit on operations, so that no question takes
more than a fraction of a second; `guarded` turns that limit, and every other failure of the
library, into None, which means "unknown".

Importing this module imports islpy, which takes longer than most passes: `access_map` and
`dependence` import it when a cheaper way has not led to an answer, and nobody else does.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import islpy as isl

from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.analysis.iteration_domain import Condition, Constraint

# Of one question: some 0.2 s. A guess, as is the next one.
MAX_OPERATIONS = 200_000
# A union of more pieces is not worth working with.
MAX_PIECES = 64
# Points of a set are counted one by one but for one dimension.
MAX_COUNT = 1 << 20

_DIM = isl.dim_type
_CONTEXT = isl.Context()


class Unknown(Exception):
    """The question is too expensive, or the answer is no single piece."""


def guarded(question: Callable[..., Any], *args: Any) -> Any:
    """The answer; None if it is unknown."""
    _CONTEXT.reset_operations()
    _CONTEXT.set_max_operations(MAX_OPERATIONS)
    try:
        return question(*args)
    except (isl.Error, Unknown):
        return None
    finally:
        # Objects are made and freed outside of questions, too.
        _CONTEXT.set_max_operations(0)


# From forms to the library ------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _number(value: int) -> isl.Val:
    return isl.Val.int_from_si(_CONTEXT, value)


@functools.cache
def _local(rank: int) -> isl.LocalSpace:
    return isl.LocalSpace.from_space(isl.Space.set_alloc(_CONTEXT, 0, rank))


@functools.cache
def _zero(rank: int) -> isl.Aff:
    return isl.Aff.zero_on_domain(_local(rank))


def affine(form: Form, places: dict[int, int]) -> isl.Aff:
    """The form as a function of the variables at their places."""
    aff = _zero(len(places))
    if form.const:
        aff = aff.set_constant_val(_number(form.const))
    for atom, coefficient in form.terms:
        if isinstance(atom, FloorDiv):
            quotient = affine(atom.numerator, places).scale_down_val(_number(atom.divisor)).floor()
            aff = aff.add(quotient.scale_val(_number(coefficient)))
        else:
            aff = aff.set_coefficient_val(_DIM.in_, places[atom], _number(coefficient))
    return aff


@functools.lru_cache(maxsize=1024)
def box(extents: tuple[int, ...]) -> isl.Set:
    """0 <= v < extent in each dimension."""
    found = isl.Set.universe(isl.Space.set_alloc(_CONTEXT, 0, len(extents)))
    for place, extent in enumerate(extents):
        found = found.lower_bound_val(_DIM.set, place, _number(0))
        found = found.upper_bound_val(_DIM.set, place, _number(extent - 1))
    return found


def _places(keys: Iterable[int]) -> dict[int, int]:
    return {key: place for place, key in enumerate(keys)}


def domain(
    keys: Sequence[int], extents: Sequence[int], conditions: Iterable[Condition] = ()
) -> isl.Set:
    """The iterations of loops with these extents in which all conditions hold."""
    found = box(tuple(extents))
    places = _places(keys)
    for condition in conditions:
        part = isl.Set.universe(found.get_space())
        for form, is_equality in condition.constraints:
            aff = affine(form, places)
            zero = _zero(len(places))
            fits = aff.eq_basic_set(zero) if is_equality else aff.ge_basic_set(zero)
            part = part.intersect(isl.Set.from_basic_set(fits))
        found = found.intersect(part) if condition.holds else found.subtract(part)
    return _few(found)


def relation(keys: Sequence[int], iterations: isl.Set, forms: Sequence[Form]) -> isl.Map:
    """{ iteration -> forms }"""
    places = _places(keys)
    space = isl.Space.alloc(_CONTEXT, 0, len(places), len(forms))
    all_ = isl.MultiAff.zero(space)
    for number, form in enumerate(forms):
        all_ = all_.set_aff(number, affine(form, places))
    return isl.Map.from_multi_aff(all_).intersect_domain(iterations)


def _few(found: Any) -> Any:
    """The set or map, in few pieces."""
    pieces = found.n_basic_set() if isinstance(found, isl.Set) else found.n_basic_map()
    if pieces > 1:
        found = found.coalesce()
        pieces = found.n_basic_set() if isinstance(found, isl.Set) else found.n_basic_map()
    if pieces > MAX_PIECES:
        raise Unknown
    return found


# Questions ----------------------------------------------------------------------------------------


def is_empty(iterations: isl.Set) -> bool:
    return iterations.is_empty()


def count(points: isl.Set) -> int:
    """How many points a set has."""
    cost = 1
    for place in range(points.dim(_DIM.set) - 1):
        bounds = _range(points, place)
        if bounds is None:
            return 0
        cost *= bounds[1] - bounds[0] + 1
    if cost > MAX_COUNT:
        raise Unknown
    return points.count_val().to_python()


def is_injective(access: isl.Map) -> bool:
    return access.is_injective()


def covers(access: isl.Map, shape: tuple[int, ...]) -> bool:
    """Whether every element of a shape is touched."""
    return box(shape).is_subset(_few(access.range()))


def swaps(one: isl.Map, other: isl.Map, level: int, at: int | None) -> bool:
    """Whether iterations of two accesses, in this order, meet in one element and would swap.

    The loops down to `level` are common to both. Swapped are an iteration of `one` and a later one
    of `other`, as the loops above `level` tell, in which the loop at `level` counts less; with
    `at`, only if that number is between the counts.
    """
    meet = one.apply_range(other.reverse())
    return not _few(meet.intersect(_swapped(meet.get_space(), level, at))).is_empty()


def _swapped(space: isl.Space, level: int, at: int | None) -> isl.Map:
    found = isl.Map.empty(space)
    for depth in range(level):
        part = isl.Map.universe(space)
        for place in range(depth):
            part = part.equate(_DIM.in_, place, _DIM.out, place)
        found = found.union(part.order_lt(_DIM.in_, depth, _DIM.out, depth))
    if at is None:
        return found.order_gt(_DIM.in_, level, _DIM.out, level)
    found = found.lower_bound_val(_DIM.in_, level, _number(at))
    return found.upper_bound_val(_DIM.out, level, _number(at - 1))


def overlap(one: isl.Map, other: isl.Map) -> bool:
    """Whether there is an element that both touch."""
    return not one.range().is_disjoint(other.range())


def bounds(keys: Sequence[int], iterations: isl.Set, form: Form) -> tuple[int, int] | tuple[()]:
    """The least and the largest value of a form; nothing if there is no iteration."""
    values = relation(keys, iterations, (form,)).range()
    return _range(values, 0) or ()


def _range(points: isl.Set, place: int) -> tuple[int, int] | None:
    if points.is_empty():
        return None
    low, high = (
        values.max_val() for values in (points.dim_min(place).neg(), points.dim_max(place))
    )
    if not (low.is_int() and high.is_int()):
        raise Unknown
    return -low.to_python(), high.to_python()


# Back to forms ------------------------------------------------------------------------------------


def form_of(aff: isl.Aff, keys: Sequence[int], space: Space) -> Form:
    """The form of a function that has integer values."""
    numerator, scale = _fraction(aff, keys, space)
    return space.floordiv(numerator, scale)


def _fraction(aff: isl.Aff, keys: Sequence[int], space: Space) -> tuple[Form, int]:
    """A function as a form by a number."""
    if aff.is_nan():
        raise Unknown
    scale = aff.get_denominator_val()
    total = Form(aff.get_constant_val().mul(scale).to_python())
    for place, key in enumerate(keys):
        coefficient = aff.get_coefficient_val(_DIM.in_, place)
        if not coefficient.is_zero() and space.extents[key] > 1:
            total = total + Form.variable(key) * coefficient.mul(scale).to_python()
    for number in range(aff.dim(_DIM.div)):
        coefficient = aff.get_coefficient_val(_DIM.div, number)
        if not coefficient.is_zero():
            quotient = space.floordiv(*_fraction(aff.get_div(number), keys, space))
            total = total + quotient * coefficient.mul(scale).to_python()
    return total, scale.to_python()


def gist(form: Form, keys: Sequence[int], iterations: isl.Set, space: Space) -> Form:
    """The form as simple as the library can make it where the iterations are."""
    return form_of(affine(form, _places(keys)).gist(iterations), keys, space)


def conditions_of(
    iterations: isl.Set, keys: Sequence[int], extents: Sequence[int]
) -> tuple[Constraint, ...]:
    """What holds in a set beside the extents, as one conjunction."""
    found = iterations.compute_divs().coalesce().gist(box(tuple(extents)))
    if found.n_basic_set() != 1:
        raise Unknown
    space = Space(dict(zip(keys, extents, strict=True)))
    parts: list[isl.Constraint] = []
    found.foreach_basic_set(lambda part: part.foreach_constraint(parts.append))
    constraints = []
    for part in parts:
        form, _ = _fraction(part.get_aff(), keys, space)
        if not form.is_constant:
            constraints.append((form, part.is_equality()))
        elif form.const < 0 or (part.is_equality() and form.const):
            raise Unknown
    return tuple(constraints)


def reverse(
    access: isl.Map, shape: tuple[int, ...]
) -> tuple[tuple[Form, ...], tuple[Constraint, ...]]:
    """The iteration that touches an element, and which elements are touched.

    Both over the dimensions of the shape, numbered from 0.
    """
    keys = range(len(shape))
    back = _few(access.intersect_range(box(shape))).reverse()
    if not back.is_single_valued():
        raise Unknown
    pieces: list[tuple[isl.Set, isl.MultiAff]] = []
    isl.PwMultiAff.from_map(back).foreach_piece(lambda where, value: pieces.append((where, value)))
    if len(pieces) != 1:
        raise Unknown
    ((where, value),) = pieces
    space = Space(dict(enumerate(shape)))
    forms = tuple(
        form_of(value.get_aff(place), keys, space) for place in range(value.dim(_DIM.out))
    )
    return forms, conditions_of(where, keys, shape)
