"""The iterations of an access: a box of loops, and conditions that cut it.

    domain, forms = read(access)

Conditions come from each `affine.if` around the access and from loops with bounds that are no
constants. A loop with one lower bound counts from there; one with several, and the step 1, counts
from the least value that they can have.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.form_range import range_of
from penguin.analysis.nest import FOR, delinearize, flatten
from penguin.analysis.tensors import Access, Loop, Step
from penguin.mlir import ir

IF = "affine.if"
# Whether its regions run is decided by a value; they run once at most.
_CHOICES = frozenset({"scf.if"})
_SET = re.compile(r"affine_set<(\(.*?\)(?:\[.*?\])?) : \((.*)\)>")

# form >= 0, or form == 0 if the flag is set.
Constraint = tuple[Form, bool]


@dataclass(frozen=True)
class Condition:
    """All of the constraints hold, or, if `holds` is False, not all of them do."""

    constraints: tuple[Constraint, ...]
    holds: bool = True

    def substitute(self, replaced: Callable[[Form], Form]) -> "Condition":
        """The condition with other forms."""
        return Condition(tuple((replaced(f), e) for f, e in self.constraints), self.holds)

    def decide(self, space: Space) -> bool | None:
        """Whether it is true, or false, in a whole box."""
        outcomes = [_decide(form, equality, space) for form, equality in self.constraints]
        if any(outcome is False for outcome in outcomes):
            return not self.holds
        return self.holds if all(outcomes) else None


def _decide(form: Form, is_equality: bool, space: Space) -> bool | None:
    low, high = space.bounds(form)
    if is_equality:
        if low > 0 or high < 0:
            return False
        return True if low == high == 0 else None
    if high < 0:
        return False
    values = range_of(form, space) if low < 0 else None
    return True if values is None or values.low >= 0 else None


@dataclass(frozen=True)
class Domain:
    """Loops by key, outermost first; not all iterations happen unless `is_exact`."""

    loops: tuple[tuple[int, int], ...]
    conditions: tuple[Condition, ...] = ()
    is_exact: bool = True

    @staticmethod
    def box(extents: Sequence[int]) -> "Domain":
        """A box whose variables are numbered from 0."""
        return Domain(tuple(enumerate(extents)))

    @cached_property
    def keys(self) -> tuple[int, ...]:
        return tuple(key for key, _ in self.loops)

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return tuple(extent for _, extent in self.loops)

    @cached_property
    def space(self) -> Space:
        return Space(dict(self.loops))

    @property
    def is_box(self) -> bool:
        """Whether its iterations are all those of the loops."""
        return self.is_exact and not self.conditions

    @property
    def volume(self) -> int:
        """The number of iterations, conditions aside."""
        return prod(self.extents)

    def where(self, conditions: Sequence[Condition]) -> "Domain":
        """The domain under more conditions; those that always hold are left out."""
        kept = [c for c in conditions if c.decide(self.space) is not True]
        return Domain(self.loops, (*self.conditions, *kept), self.is_exact)


class _NotADomain(Exception):
    """Something around the access runs it in a way that is not known."""


def read(access: Access) -> tuple[Domain, tuple[Form, ...]] | None:
    """The iterations of an access, and its element in each; None if they are not known."""
    step, path = access.step, access.path
    if not step.has_scopes and all(loop.extent is not None for loop in path):
        if access.forms is None:
            return None
        loops = tuple((loop.key, loop.extent) for loop in path)
        return Domain(loops), access.forms
    try:
        return _Reader(step, path).read(access)
    except _NotADomain:
        return None


class _Reader:
    def __init__(self, step: Step, path: Sequence[Loop]) -> None:
        self.step = step
        self.extents: dict[int, int] = {}
        self.space = Space(self.extents)
        self.conditions: list[Condition] = []
        self.ivs: dict[ir.Value, Form] = {}
        self.is_exact = True
        for loop in path:
            self.loop(loop)

    def read(self, access: Access) -> tuple[Domain, tuple[Form, ...]]:
        self.scopes(access.op)
        operands = list(access.op.operands)[2 if access.is_store else 1 :]
        forms = self.results(access.op.attributes["map"], operands)
        shape = access.tensor.shape
        if access.view is not None and access.view != shape:
            forms = delinearize(flatten(access.view, forms), shape, self.space)
        domain = Domain(tuple(self.extents.items()), (), self.is_exact)
        return domain.where(self.conditions), forms

    def loop(self, loop: Loop) -> None:
        key = loop.key
        if loop.extent is not None:
            self.extents[key] = loop.extent
            counter = Form.variable(key) * loop.step if loop.extent > 1 else Form()
            self.ivs[loop.iv] = counter + loop.lower
            return
        op = loop.op
        n_lower, n_upper, _ = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
        operands = list(op.operands)
        lowers = self.results(op.attributes["lowerBoundMap"], operands[:n_lower])
        uppers = self.results(op.attributes["upperBoundMap"], operands[n_lower:][:n_upper])
        if len(lowers) == 1:
            (first,) = lowers
        elif loop.step == 1:
            first = Form(max(range_of(form, self.space).low for form in lowers))
        else:
            raise _NotADomain
        sizes = [range_of(upper - first, self.space).high for upper in uppers]
        extent = max(0, -(-min(sizes) // loop.step))
        self.extents[key] = extent
        value = first + (Form.variable(key) * loop.step if extent > 1 else Form())
        self.ivs[loop.iv] = value
        bounds = [(upper - value + -1, False) for upper in uppers]
        if len(lowers) > 1:
            bounds += [(value - lower, False) for lower in lowers]
        self.conditions.append(Condition(tuple(bounds)))

    def scopes(self, op: ir.Operation) -> None:
        """Conditions of what is between the access and the body of the function."""
        top = self.step.op
        while op != top:
            parent = op.parent.operation
            if parent.name == IF:
                self.condition(parent, op.block == parent.regions[0].blocks[0])
            elif parent.name in _CHOICES:
                self.is_exact = False
            elif parent.name != FOR:
                raise _NotADomain
            op = parent

    def condition(self, op: ir.Operation, holds: bool) -> None:
        maps, equalities = _constraints(op.attributes["condition"])
        try:
            forms = self.results(maps, list(op.operands))
        except _NotADomain:
            # It depends on something else than loops.
            self.is_exact = False
            return
        self.conditions.append(Condition(tuple(zip(forms, equalities, strict=True)), holds))

    def results(self, attribute: ir.Attribute, operands: Sequence[ir.Value]) -> tuple[Form, ...]:
        """The results of a map on index values."""
        map_ = ir.AffineMapAttr(attribute).value
        forms = [self.index(value) for value in operands]
        dims, symbols = forms[: map_.n_dims], forms[map_.n_dims :]
        try:
            return tuple(self.space.from_expr(expr, dims, symbols) for expr in map_.results)
        except ValueError:
            raise _NotADomain from None

    def index(self, value: ir.Value) -> Form:
        found = self.ivs.get(value)
        if found is not None:
            return found
        owner = value.owner
        if not isinstance(owner, ir.Block):
            if owner.name == "arith.constant":
                return Form(ir.IntegerAttr(owner.attributes["value"]).value)
            if owner.name == "affine.apply":
                operands = list(owner.operands)
                return self.results(owner.attributes["map"], operands)[0]
        raise _NotADomain


def _constraints(attribute: ir.Attribute) -> tuple[ir.Attribute, tuple[bool, ...]]:
    """An integer set as a map, whose results are its constraints, and which are equalities."""
    # The bindings give no access to the set in an attribute.
    found = _SET.fullmatch(str(attribute))
    assert found is not None, attribute
    inputs, texts = found.groups()
    parts = [text.rsplit(" ", 2) for text in texts.split(", ")]
    expressions = ", ".join(expression for expression, _, _ in parts)
    map_ = ir.Attribute.parse(f"affine_map<{inputs} -> ({expressions})>")
    return map_, tuple(sign == "==" for _, sign, _ in parts)
