"""Which values a form takes over a box of variables: bounds, whether they are tight, any gaps.

More exact than `Space.bounds`, which takes each term for itself: `c * x - c * d * (x floordiv d)`
is `c` times a remainder here. A range says what it knows: `is_tight` if both ends are values,
`is_dense` if everything between them is one, too.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from penguin.analysis.affine_form import FloorDiv, Form, Space, remainders


class Range(NamedTuple):
    """`low` to `high`, both included."""

    low: int
    high: int
    is_tight: bool = True
    is_dense: bool = True

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def holds(self, other: "Range") -> bool:
        return self.low <= other.low and other.high <= self.high

    def meets(self, other: "Range") -> bool:
        return self.low <= other.high and other.low <= self.high


def range_of(form: Form, space: Space) -> Range:
    """The values of a form."""
    rest, remains = remainders(form)
    parts = [
        (coefficient, _remainder(inner, divisor, space), set(inner.variables()))
        for inner, divisor, coefficient in remains
    ]
    for atom, coefficient in rest.terms:
        if isinstance(atom, FloorDiv):
            low, high, tight, dense = range_of(atom.numerator, space)
            values = Range(low // atom.divisor, high // atom.divisor, tight, dense)
            parts.append((coefficient, values, set(atom.numerator.variables())))
        else:
            parts.append((coefficient, Range(0, space.extents[atom] - 1), {atom}))
    return _sum(rest.const, parts)


def _remainder(form: Form, divisor: int, space: Space) -> Range:
    values = range_of(form, space)
    if values.is_dense and values.size >= divisor:
        return Range(0, divisor - 1)
    if len(form.terms) == 1:
        ((atom, coefficient),) = form.terms
        unit = math.gcd(coefficient, divisor)
        if not isinstance(atom, FloorDiv) and space.extents[atom] * unit >= divisor:
            first = form.const % unit
            return Range(first, first + divisor - unit, True, unit == 1)
    return Range(0, divisor - 1, False, False)


def _sum(const: int, parts: list[tuple[int, Range, set[int]]]) -> Range:
    """The values of a constant and independent terms; dependent ones make it loose."""
    low = high = const
    tight, steps = True, True
    seen: set[int] = set()
    reach = 0
    for coefficient, values, variables in sorted(parts, key=lambda part: abs(part[0])):
        ends = coefficient * values.low, coefficient * values.high
        low, high = low + min(ends), high + max(ends)
        tight = tight and values.is_tight and seen.isdisjoint(variables)
        steps = steps and values.is_dense and abs(coefficient) <= reach + 1
        seen |= variables
        reach += abs(coefficient) * (values.size - 1)
    return Range(low, high, tight, tight and steps)


def determines(form: Form, keys: Iterable[int], space: Space) -> bool:
    """Whether the value of a form tells the values of some of its variables, the others known.

    True is certain: the variables' strides exceed what smaller ones reach, as digits of a number.
    """
    reach = 0
    strides = [(abs(form[key]), space.extents[key]) for key in keys if space.extents[key] > 1]
    for stride, extent in sorted(strides):
        if stride <= reach:
            return False
        reach += stride * (extent - 1)
    return True


def is_independent(forms: Iterable[Form]) -> bool:
    """Whether no variable occurs in two of the forms."""
    seen: set[int] = set()
    for form in forms:
        variables = set(form.variables())
        if not seen.isdisjoint(variables):
            return False
        seen |= variables
    return True
