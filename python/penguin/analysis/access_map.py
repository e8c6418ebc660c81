"""Access maps: which iterations there are, and which element each of them touches.

    access = AccessMap.of(load)                   # { iteration -> element }
    mapping = one.reverse().compose(other)        # element of one tensor -> element of another
    load.compose(mapping)                         # the same load from the other tensor

The domain (`iteration_domain`) is the box of the loops around the access and conditions: those of
each `affine.if` around it, and bounds of loops that are no constants. Where something else decides
whether an iteration happens, the domain holds more iterations than there are.

Each question is asked of the forms first, which takes microseconds and answers most of what is
linear in a box: identity, permutation, offset, reshape along loop boundaries. The rest is asked of
the polyhedral library (`polyhedra`), which takes a hundred times as long, and is loaded for it. An
answer is None if it is unknown: too expensive, or more than the domain tells.
"""

from collections.abc import Sequence
from functools import cached_property
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING

from penguin.analysis.affine_form import Form, Space, to_expr
from penguin.analysis.form_range import Range, determines, is_independent, range_of
from penguin.analysis.iteration_domain import Condition, Domain, read
from penguin.analysis.nest import flatten
from penguin.analysis.tensors import Access
from penguin.mlir import ir

if TYPE_CHECKING:
    import islpy as isl

Forms = tuple[Form, ...]
# Deeper nests are not asked about (a guess).
MAX_DEPTH = 16


def _library() -> ModuleType:
    """The polyhedral library, loaded by the first question that needs it."""
    from penguin.analysis import polyhedra

    return polyhedra


class AccessMap:
    """`forms`, one for each dimension of `shape`, over the iterations of `domain`."""

    def __init__(self, domain: Domain, forms: Sequence[Form], shape: Sequence[int]) -> None:
        self.domain = domain
        self.forms = tuple(forms)
        self.shape = tuple(shape)

    def __repr__(self) -> str:
        return f"AccessMap({self.domain}, {self.forms}, {self.shape})"

    # Making and converting ----------------------------------------------------------------------

    @staticmethod
    def of(access: Access) -> "AccessMap | None":
        """The map of an `affine.load` or `affine.store`; None if its address is not known."""
        found = read(access)
        return None if found is None else AccessMap(*found, access.tensor.shape)

    @staticmethod
    def from_affine_map(
        map_: ir.AffineMap, extents: Sequence[int], shape: Sequence[int]
    ) -> "AccessMap":
        """A map whose dimensions run over a box. Raises `ValueError` if it is not quasi-affine."""
        domain = Domain.box(extents)
        dims = [Form.variable(k) if extent > 1 else Form() for k, extent in domain.loops]
        forms = [domain.space.from_expr(expr, dims) for expr in map_.results]
        return AccessMap(domain, forms, shape)

    def to_affine_map(self) -> ir.AffineMap:
        """The forms as a map of the domain's loops."""
        exprs = [to_expr(form, self.domain.keys.index) for form in self.forms]
        return ir.AffineMap.get(len(self.domain.keys), 0, exprs)

    @cached_property
    def iterations(self) -> "isl.Set":
        """The domain for the polyhedral library; only for use inside of `guarded`."""
        domain = self.domain
        if len(domain.keys) > MAX_DEPTH:
            raise _library().Unknown
        return _library().domain(domain.keys, domain.extents, domain.conditions)

    @cached_property
    def relation(self) -> "isl.Map":
        """{ iteration -> element }; only for use inside of `guarded`."""
        return _library().relation(self.domain.keys, self.iterations, self.forms)

    @property
    def space(self) -> Space:
        """The extents of the loops, by key."""
        return self.domain.space

    @property
    def flat(self) -> Form:
        """The row-major number of the element."""
        return flatten(self.shape, self.forms)

    def flattened(self) -> "AccessMap":
        """The map to row-major numbers of elements."""
        return AccessMap(self.domain, (self.flat,), (prod(self.shape),))

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """What the forms alone tell of the indices, for a domain that has iterations."""
        return tuple(range_of(form, self.space) for form in self.forms)

    @property
    def is_inside(self) -> bool:
        """Whether the forms alone tell that every index is inside of the shape."""
        pairs = zip(self.ranges, self.shape, strict=True)
        return all(0 <= r.low and r.high < extent for r, extent in pairs)

    # Questions about iterations -----------------------------------------------------------------

    def is_empty(self) -> bool | None:
        """Whether there is no iteration."""
        answer = self._is_empty_by_forms()
        if answer is not None:
            return answer
        polyhedra = _library()
        answer = polyhedra.guarded(lambda: polyhedra.is_empty(self.iterations))
        return answer if answer or self.domain.is_exact else None

    def _is_empty_by_forms(self) -> bool | None:
        if 0 in self.domain.extents:
            return True
        if any(c.decide(self.space) is False for c in self.domain.conditions):
            return True
        return False if self.domain.is_box else None

    def count(self) -> int | None:
        """The number of iterations."""
        if self._is_empty_by_forms():
            return 0
        if self.domain.is_box:
            return self.domain.volume
        if not self.domain.is_exact:
            return None
        polyhedra = _library()
        return polyhedra.guarded(lambda: polyhedra.count(self.iterations))

    def footprint(self) -> int | None:
        """The number of elements that are touched."""
        if self._is_empty_by_forms():
            return 0
        if self.domain.is_box:
            if is_independent(self.forms) and all(r.is_dense for r in self.ranges):
                return prod(r.size for r in self.ranges)
            if self._is_injective_by_forms():
                return self.domain.volume
        if not self.domain.is_exact:
            return None
        polyhedra = _library()
        return polyhedra.guarded(lambda: polyhedra.count(self.relation.range()))

    def is_injective(self) -> bool | None:
        """Whether different iterations touch different elements."""
        answer = self._is_injective_by_forms()
        if answer is not None:
            return answer
        polyhedra = _library()
        answer = polyhedra.guarded(lambda: polyhedra.is_injective(self.relation))
        return answer if answer or self.domain.is_exact else None

    def _is_injective_by_forms(self) -> bool | None:
        if self._is_empty_by_forms():
            return True
        unknown = {key for key, extent in self.domain.loops if extent > 1}
        used = {v for form in self.forms for v in form.variables()}
        if self.domain.is_box and not unknown <= used:
            return False
        told = self._told_by(self.forms, unknown)
        if told < unknown and self.is_inside:
            # Then different numbers are different elements, and the reverse.
            told |= self._told_by((self.flat,), unknown - told)
        return True if told == unknown else None

    def _told_by(self, forms: Forms, unknown: set[int]) -> set[int]:
        """Variables among the unknown ones whose values the forms tell."""
        rest = set(unknown)
        open_ = list(forms)
        while open_:
            for form in open_:
                here = rest.intersection(form.variables())
                inner = {v for atom in form.divisions for v in atom.numerator.variables()}
                if here.isdisjoint(inner) and determines(form, here, self.space):
                    rest -= here
                    open_.remove(form)
                    break
            else:
                break
        return unknown - rest

    # Questions about elements -------------------------------------------------------------------

    def covers(self) -> bool | None:
        """Whether every element of the shape is touched."""
        answer = self._covers_by_forms()
        if answer is not None:
            return answer
        polyhedra = _library()
        answer = polyhedra.guarded(lambda: polyhedra.covers(self.relation, self.shape))
        return answer if self.domain.is_exact or answer is False else None

    def _covers_by_forms(self) -> bool | None:
        count = prod(self.shape)
        if self._is_empty_by_forms() or self.domain.volume < count:
            return count == 0
        wanted = [Range(0, extent - 1) for extent in self.shape]
        if not all(r.holds(w) for r, w in zip(self.ranges, wanted, strict=True)):
            return count == 0
        if not self.domain.is_box:
            return None
        if is_independent(self.forms) and all(r.is_dense for r in self.ranges):
            return True
        if not self.is_inside:
            return None
        flat = self.flat
        values = range_of(flat, self.space)
        if values.is_dense:
            return values.holds(Range(0, count - 1))
        # The terms of a linear form leave a gap unless they are dense.
        return None if flat.divisions else False

    def range_of(self, dim: int) -> tuple[int, int] | None:
        """The least and the largest index of a dimension; None if there is no iteration.

        Where the exact answer is unknown, the bounds are not tight.
        """
        return self.bounds(self.forms[dim])

    def bounds(self, form: Form) -> tuple[int, int] | None:
        """The least and the largest value of a form of the loops; None if there is no iteration."""
        if self._is_empty_by_forms():
            return None
        values = range_of(form, self.space)
        if values.is_tight and self.domain.is_box:
            return values.low, values.high
        polyhedra = _library()
        exact = polyhedra.guarded(lambda: polyhedra.bounds(self.domain.keys, self.iterations, form))
        if exact is None:
            return values.low, values.high
        return exact or None

    def overlaps(self, other: "AccessMap") -> bool | None:
        """Whether there is an element that both touch; tensors of two shapes share a buffer."""
        if self.shape != other.shape:
            return self.flattened().overlaps(other.flattened())
        answer = self._overlaps_by_forms(other)
        if answer is not None:
            return answer
        polyhedra = _library()
        answer = polyhedra.guarded(lambda: polyhedra.overlap(self.relation, other.relation))
        exact = self.domain.is_exact and other.domain.is_exact
        return answer if exact or answer is False else None

    def _overlaps_by_forms(self, other: "AccessMap") -> bool | None:
        if self._is_empty_by_forms() or other._is_empty_by_forms():
            return False
        if not all(a.meets(b) for a, b in zip(self.ranges, other.ranges, strict=True)):
            return False
        if not (self.domain.is_box and other.domain.is_box):
            return None
        if self.domain == other.domain and self.forms == other.forms:
            return True
        blocks = all(
            is_independent(m.forms) and all(r.is_dense for r in m.ranges) for m in (self, other)
        )
        return True if blocks else None

    def keeps_order(self, other: "AccessMap", level: int, at: int | None = None) -> bool | None:
        """Whether no iteration swaps with a later one of `other` that touches the same element.

        The loops down to number `level` are common to both, and the one at `level` is cut: see
        `dependence`.
        """
        answer = self._keeps_order_by_forms(other)
        if answer is not None:
            return answer
        polyhedra = _library()
        swaps = polyhedra.guarded(lambda: polyhedra.swaps(self.relation, other.relation, level, at))
        exact = self.domain.is_exact and other.domain.is_exact
        return (not swaps) if swaps is False or (swaps and exact) else None

    def _keeps_order_by_forms(self, other: "AccessMap") -> bool | None:
        if self._overlaps_by_forms(other) is False:
            return True
        same = self.domain.loops == other.domain.loops and self.forms == other.forms
        # Then they meet in the same iteration only.
        return True if same and self._is_injective_by_forms() else None

    # Maps from maps -----------------------------------------------------------------------------

    def compose(self, mapping: "AccessMap") -> "AccessMap":
        """This access, then a map from its elements: iterations that the map does not know go."""
        inner = dict(zip(mapping.domain.keys, self.forms, strict=True))
        space = self.space

        def replaced(form: Form) -> Form:
            return space.substitute(form, inner.__getitem__)

        conditions = [c.substitute(replaced) for c in mapping.domain.conditions]
        for form, extent in zip(self.forms, mapping.domain.extents, strict=True):
            conditions.append(Condition(((form, False), (form * -1 + (extent - 1), False))))
        domain = self.domain.where(conditions)
        if not mapping.domain.is_exact:
            domain = Domain(domain.loops, domain.conditions, False)
        return AccessMap(domain, [replaced(form) for form in mapping.forms], mapping.shape)

    def reverse(self) -> "AccessMap | None":
        """{ element -> iteration }; None if two iterations touch one element, or it is unknown."""
        answer = self._reverse_by_forms()
        if answer is None and self._is_injective_by_forms() is not False:
            polyhedra = _library()
            found = polyhedra.guarded(lambda: polyhedra.reverse(self.relation, self.shape))
            if found is None:
                return None
            forms, constraints = found
            domain = Domain.box(self.shape).where([Condition((c,)) for c in constraints])
            answer = AccessMap(domain, forms, self.domain.extents)
        if answer is not None and not self.domain.is_exact:
            domain = answer.domain
            answer.domain = Domain(domain.loops, domain.conditions, False)
        return answer

    def _reverse_by_forms(self) -> "AccessMap | None":
        if self._is_empty_by_forms() or 0 in self.shape:
            return None
        domain = Domain.box(self.shape)
        dims = [Form.variable(k) if extent > 1 else Form() for k, extent in domain.loops]
        forms = self.forms
        if not is_independent(forms) or any(form.divisions for form in forms):
            forms, dims = (self.flat,), [flatten(self.shape, dims)]
            if not self.is_inside or forms[0].divisions:
                return None
        found: dict[int, Form] = {key: Form() for key, n in self.domain.loops if n == 1}
        conditions: list[Condition] = []
        for form, value in zip(forms, dims, strict=True):
            if not determines(form, (v for v, _ in form.terms), self.space):
                return None
            # A negative stride counts down from the last iteration.
            least, _ = self.space.bounds(form)
            rest = value + -least
            for key, stride in sorted(form.terms, key=lambda term: -abs(term[1])):
                last = self.space.extents[key] - 1
                digit = domain.space.floordiv(rest, abs(stride))
                rest = rest - digit * abs(stride)
                conditions.append(Condition(((digit, False), (digit * -1 + last, False))))
                found[key] = digit if stride > 0 else digit * -1 + last
            conditions.append(Condition(((rest, True),)))
        if len(found) < len(self.domain.loops):
            return None
        inner = domain.space

        def replaced(form: Form) -> Form:
            return inner.substitute(form, found.__getitem__)

        conditions += [c.substitute(replaced) for c in self.domain.conditions]
        back = [found[key] for key in self.domain.keys]
        return AccessMap(domain.where(conditions), back, self.domain.extents)

    def without_unused(self) -> "AccessMap | None":
        """The map without loops that neither an index nor a condition uses; None if one has none.

        It touches the same elements, each as often as the loops that are left say.
        """
        used = {v for form in self.forms for v in form.variables()}
        for condition in self.domain.conditions:
            used.update(v for form, _ in condition.constraints for v in form.variables())
        if 0 in self.domain.extents:
            return None
        loops = tuple(loop for loop in self.domain.loops if loop[0] in used)
        domain = Domain(loops, self.domain.conditions, self.domain.is_exact)
        return AccessMap(domain, self.forms, self.shape)

    def gist(self) -> "AccessMap":
        """The map with forms and conditions simplified by what holds in the domain."""
        if self.domain.is_box and not any(form.divisions for form in self.forms):
            return self
        polyhedra = _library()
        domain = self.domain
        found = polyhedra.guarded(
            lambda: [
                polyhedra.gist(form, domain.keys, self.iterations, self.space)
                for form in self.forms
            ]
        )
        forms = self.forms
        if found is not None:
            forms = tuple(min(pair, key=_cost) for pair in zip(self.forms, found, strict=True))
        constraints = None
        if domain.conditions:
            constraints = polyhedra.guarded(
                lambda: polyhedra.conditions_of(self.iterations, domain.keys, domain.extents)
            )
        if constraints is not None:
            simple = tuple(Condition((c,)) for c in constraints)
            simple_domain = Domain(domain.loops, (), domain.is_exact).where(simple)
            if len(simple_domain.conditions) <= len(domain.conditions):
                domain = simple_domain
        return AccessMap(domain, forms, self.shape)


def _cost(form: Form) -> tuple[int, int]:
    """Divisions at any depth, then terms."""
    divisions, terms = 0, len(form.terms)
    for atom in form.divisions:
        inner = _cost(atom.numerator)
        divisions, terms = divisions + 1 + inner[0], terms + inner[1]
    return divisions, terms


class ExactSpace(Space):
    """A space in which bounds are exact, as far as the polyhedral library can tell.

    The forms that it simplifies are right where the iterations of the domain are, and only there.
    """

    def __init__(self, domain: Domain) -> None:
        super().__init__(dict(domain.loops))
        self._map = AccessMap(domain, (), ())
        self._known: dict[Form, tuple[int, int]] = {}

    def bounds(self, form: Form) -> tuple[int, int]:
        if form.is_constant:
            return form.const, form.const
        found = self._known.get(form)
        if found is None:
            found = self._map.bounds(form) or super().bounds(form)
            self._known[form] = found
        return found

    def simplified(self, forms: Sequence[Form]) -> Forms:
        """The forms again, with exact bounds."""
        return tuple(self.substitute(form, Form.variable) for form in forms)
