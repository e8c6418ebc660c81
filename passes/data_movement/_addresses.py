"""Clause (a): what an access of one tensor is as an access of another one, and what it takes.

A `Site` is an access in some of its iterations, with the question where its element goes. The
answer may ask for a cut: then the site falls into two, each with an answer of its own. And it may
be found, but with divisions in the address; then `splits` looks for loops to split so that they
vanish: with v = 64 * v1 + v0, `v floordiv 64` is v1 and `v mod 64` is v0. Nothing here changes the
IR; sites number their loops as `TensorUses` would after the cuts and splits.

Questions are asked of forms with the bounds of a box first. If the answer is not good, they are
asked again with exact bounds, which know about conditions and about variables that occur twice.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from penguin.analysis.access_map import ExactSpace
from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.analysis.dependence import may_reorder
from penguin.analysis.form_range import determines
from penguin.analysis.iteration_domain import Condition, Domain, read
from penguin.analysis.movement import Answer, Cut, Found, Nowhere
from penguin.analysis.nest import flatten
from penguin.analysis.tensors import Access, Loop, Step
from penguin.dialects.penguin import attributes as names

Forms = tuple[Form, ...]
Ask = Callable[[Sequence[Form], Space], Answer]
# How many loops of one nest may be split for one copy (a guess).
MAX_SPLITS = 6


class Split(NamedTuple):
    """Loop `key` should be two loops, the inner one over `factor` iterations."""

    key: int
    factor: int


@dataclass(frozen=True)
class Site:
    """An access in the iterations that `extents` and `conditions` leave.

    `ask` takes forms of its tensor to the element of another one, whose shape is `shapes[operand]`.
    Loops are as many as in the nest; `fixed` ones are not split, and `offsets` tells how many
    iterations of a loop come before those of the site.
    """

    access: Access
    ask: Ask
    shapes: tuple[tuple[int, ...], ...]
    forms: Forms
    extents: Mapping[int, int]
    path: tuple[int, ...]
    conditions: tuple[Condition, ...] = ()
    fixed: frozenset[int] = frozenset()
    offsets: Mapping[int, int] = field(default_factory=dict)

    @staticmethod
    def of(access: Access, ask: Ask, shapes: Sequence[tuple[int, ...]]) -> "Site | None":
        """The access in all of its iterations; None if its address is not known."""
        forms, step = access.forms, access.step
        if forms is None:
            return None
        extents = dict(step.extents)
        conditions: tuple[Condition, ...] = ()
        if step.has_scopes or any(loop.extent is None for loop in access.path):
            found = read(access)
            if found is not None:
                extents |= dict(found[0].loops)
                conditions = found[0].conditions
        path = tuple(loop.key for loop in access.path if loop.key in extents)
        return Site(access, ask, tuple(shapes), forms, extents, path, conditions)

    @property
    def space(self) -> Space:
        return Space(self.extents)

    @property
    def is_empty(self) -> bool:
        """Whether one of the loops around does not run."""
        return any(self.extents[key] == 0 for key in self.path)

    # What becomes of it -------------------------------------------------------------------------

    def resolve(self) -> Answer:
        """Where the element goes; by exact bounds if the others do not lead to a good answer."""
        answer = self.ask(self.forms, self.space)
        if isinstance(answer, Nowhere):
            return answer
        if isinstance(answer, Found) and not (self.conditions and self.excess(answer)):
            # Divisions in a box are what loops are split for.
            return answer
        loops = tuple((key, self.extents[key]) for key in self.path)
        space = ExactSpace(Domain(loops, self.conditions))
        exact = self.ask(space.simplified(self.forms), space)
        if isinstance(exact, Found) and isinstance(answer, Found):
            return min(answer, exact, key=lambda found: len(self.divisions(found)))
        return answer if exact is None else exact

    def divisions(self, answer: Found) -> list[FloorDiv]:
        """The divisions of the flat address, which are what counts in the end."""
        return flatten(self.shapes[answer.operand], answer.forms).divisions

    def excess(self, answer: Found) -> list[FloorDiv]:
        """All of the divisions, if they are more than the access has by itself."""
        divisions = self.divisions(answer)
        if not divisions:
            return divisions
        own = flatten(self.access.tensor.shape, self.forms).divisions
        return divisions if len(divisions) > len(own) else []

    # Sites from sites ---------------------------------------------------------------------------

    def halves(self, cut: Cut) -> "tuple[Site, Site]":
        """The site in the iterations before a cut, and in those from there on."""
        low, high = 0, self.extents[cut.key]
        return self._part(cut.key, low, cut.at), self._part(cut.key, cut.at, high)

    def _part(self, key: int, low: int, high: int) -> "Site":
        """Iterations low .. high-1 of one loop, counted from 0 again."""
        extents = {**self.extents, key: high - low}
        here = Form.variable(key) + low if high - low > 1 else Form(low)
        offsets = {**self.offsets, key: self.offsets.get(key, 0) + low}
        return self._replaced(extents, lambda v: here if v == key else Form.variable(v), offsets)

    def split(self, split: Split) -> "Site":
        """The site after a loop was split; loops after it have moved up by one number."""
        key, factor = split
        extents: dict[int, int] = {}
        for old, extent in self.extents.items():
            extents[old + (old > key)] = extent
        extents[key], extents[key + 1] = self.extents[key] // factor, factor
        whole = Form.variable(key) * factor + Form.variable(key + 1)

        def renumbered(variable: int) -> Form:
            return whole if variable == key else Form.variable(variable + (variable > key))

        path: list[int] = []
        for old in self.path:
            path += [key, key + 1] if old == key else [old + (old > key)]
        fixed = frozenset(old + (old > key) for old in self.fixed)
        site = replace(self, path=tuple(path), fixed=fixed)
        return site._replaced(extents, renumbered, {})

    def _replaced(
        self,
        extents: Mapping[int, int],
        variable: Callable[[int], Form],
        offsets: Mapping[int, int],
    ) -> "Site":
        space = Space(extents)

        def replaced(form: Form) -> Form:
            return space.substitute(form, variable)

        return replace(
            self,
            forms=tuple(map(replaced, self.forms)),
            extents=extents,
            conditions=tuple(c.substitute(replaced) for c in self.conditions),
            offsets=offsets,
        )


# What a nest needs -------------------------------------------------------------------------------


class Failure(NamedTuple):
    """An access that has no address; `spans` if it would need a cut that is not possible."""

    site: Site
    spans: bool


def need(sites: Iterable[Site]) -> Cut | list[Split] | Failure | None:
    """What has to be done to a nest first; None if all sites in it have good answers.

    Cuts come first. All sites of a nest go through them together, as the accesses will.
    """
    here = [site for site in sites if not site.is_empty]
    excess = []
    for site in here:
        answer = site.resolve()
        if isinstance(answer, Cut):
            return answer if can_cut(site, answer) else Failure(site, True)
        if answer is None or (isinstance(answer, Nowhere) and not site.access.is_store):
            return Failure(site, True)
        if isinstance(answer, Found) and site.excess(answer):
            excess.append((site, answer))
    if not excess:
        return None
    found = splits(here)
    if found:
        return found
    for site, answer in excess:
        cut = tail(site, answer)
        if cut is not None and can_cut(site, cut):
            return cut
    return Failure(excess[0][0], False)


def splits(sites: Iterable[Site]) -> list[Split] | None:
    """Splits, one after the other, after which no site of a nest has too many divisions.

    None if there are none that are enough. Each site has an answer, and keeps it.
    """
    here = [replace(site, fixed=_fixed(site.access.step)) for site in sites]
    found: list[Split] = []
    while True:
        wanted = None
        for site in here:
            answer = site.resolve()
            if isinstance(answer, Nowhere) and site.access.is_store:
                continue
            if not isinstance(answer, Found):
                return None
            excess = site.excess(answer)
            if excess:
                wanted = _split(site, excess)
                break
        else:
            return found
        if wanted is None or len(found) == MAX_SPLITS:
            return None
        found.append(wanted)
        here = [site.split(wanted) for site in here]


def _fixed(step: Step) -> frozenset[int]:
    """Loops that are not split."""
    return frozenset(
        loop.key
        for loop in step.loops.values()
        if loop.extent is None or names.AXIS in loop.op.attributes
    )


def _split(site: Site, divisions: Sequence[FloorDiv]) -> Split | None:
    """A split that takes a variable out of a division, but for a part inside of one period."""
    for atom in _innermost_first(divisions):
        for key, coefficient in atom.numerator.terms:
            if isinstance(key, FloorDiv) or key in site.fixed:
                continue
            period = _period(coefficient, atom.divisor)
            extent = site.extents[key]
            if 1 < period < extent and extent % period == 0:
                return Split(key, period)
    return None


def tail(site: Site, answer: Found) -> Cut | None:
    """Where to cut a loop so that what comes before is whole periods of a division."""
    for atom in _innermost_first(site.excess(answer)):
        for key, coefficient in atom.numerator.terms:
            if isinstance(key, FloorDiv):
                continue
            period, extent = _period(coefficient, atom.divisor), site.extents[key]
            if 1 < period < extent and extent % period:
                return Cut(key, extent - extent % period)
    return None


def _period(coefficient: int, divisor: int) -> int:
    """After so many steps of a variable, the quotient has grown by a whole number."""
    return divisor // math.gcd(coefficient, divisor)


def _innermost_first(divisions: Iterable[FloorDiv]) -> Iterator[FloorDiv]:
    for atom in divisions:
        yield from _innermost_first(atom.numerator.divisions)
        yield atom


# Cuts --------------------------------------------------------------------------------------------


def can_cut(site: Site, cut: Cut) -> bool:
    """Whether the nest around a site may run as two nests, cut at a loop."""
    access = site.access
    if can_cut_by_forms(access.step, access.path, cut.key):
        return True
    at = site.offsets.get(cut.key, 0) + cut.at
    return bool(may_reorder(access.step, cut.key, at))


def can_cut_by_forms(step: Step, path: tuple[Loop, ...], key: int) -> bool:
    """The same for any place of the cut, if it is easily seen.

    The outermost loop may always be cut. For one inside, the loops down to it must be perfectly
    nested and carry nothing, and iterations must not depend on each other through memory: what is
    stored to is loaded at the same element only, and every iteration stores to other elements.
    """
    if step.has_scopes:
        return False
    for loop in path:
        if loop.carries:
            return False
        if loop.key == key:
            break
        body = loop.op.regions[0].blocks[0].operations
        if sum(1 for _ in body) != 2:
            return False
    if path[0].key == key:
        return True
    for store in (a for a in step.accesses if a.is_store):
        if not is_injective(store):
            return False
        for other in step.accesses:
            shared = any(t is other.tensor for t in store.tensor.may)
            if shared and (other.tensor is not store.tensor or other.forms != store.forms):
                return False
    return all(not use.is_opaque for use in step.uses)


def is_injective(store: Access) -> bool:
    """Whether different iterations of the loops around a store touch different elements."""
    if store.forms is None:
        return False
    flat = flatten(store.tensor.shape, store.forms)
    if flat.divisions or any(loop.extent is None for loop in store.path):
        return False
    return determines(flat, [loop.key for loop in store.path], store.step.space)
