"""Quasi-affine forms over bounded variables, kept simplified.

A `Form` is `const + sum(coefficient * atom)`; an atom is a variable (an integer key) or a
`FloorDiv` of a form. `mod` never occurs: `e mod d` is `e - d * (e floordiv d)`, so a delinearised
index that is linearised again cancels term by term. With the variables' extents known, `floordiv`
drops whatever part of its numerator is a multiple of the divisor and vanishes when the rest lies
inside one period. `Form`s are immutable, hashable and cheap (microseconds); the polyhedral library
is for questions they cannot answer.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from penguin.mlir import ir

Atom = "int | FloorDiv"


class FloorDiv(NamedTuple):
    """`numerator floordiv divisor`, `divisor` > 1, not simplifiable when it was made."""

    numerator: "Form"
    divisor: int


class Form:
    """`const + sum(coefficient * atom)`: no zero terms, and in one order, so equal means equal."""

    # No dataclass: this is the inner loop of tiling.
    __slots__ = ("_hash", "const", "terms")

    def __init__(self, const: int = 0, terms: tuple[tuple[Atom, int], ...] = ()) -> None:
        self.const = const
        self.terms = terms
        self._hash: int | None = None

    @staticmethod
    def variable(key: Atom) -> "Form":
        return Form(0, ((key, 1),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.const == other.const and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.const, self.terms))
        return self._hash

    def __repr__(self) -> str:
        return f"Form({self.const}, {self.terms})"

    def __add__(self, other: "Form | int") -> "Form":
        if isinstance(other, int):
            return Form(self.const + other, self.terms)
        if not other.terms:
            return Form(self.const + other.const, self.terms)
        if not self.terms:
            return Form(self.const + other.const, other.terms)
        merged = dict(self.terms)
        for atom, coefficient in other.terms:
            merged[atom] = merged.get(atom, 0) + coefficient
        terms = [(a, c) for a, c in merged.items() if c]
        if len(terms) > 1:
            terms.sort(key=_order)
        return Form(self.const + other.const, tuple(terms))

    def __mul__(self, factor: int) -> "Form":
        if factor == 1:
            return self
        if factor == 0:
            return Form()
        return Form(self.const * factor, tuple([(a, c * factor) for a, c in self.terms]))

    def __sub__(self, other: "Form") -> "Form":
        return self + other * -1

    def __getitem__(self, atom: Atom) -> int:
        """The coefficient of an atom."""
        for known, coefficient in self.terms:
            if known == atom:
                return coefficient
        return 0

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def divisions(self) -> list[FloorDiv]:
        """The floordiv atoms of the outermost level."""
        return [a for a, _ in self.terms if isinstance(a, FloorDiv)]

    def variables(self) -> Iterator[Atom]:
        """Every variable, also inside divisions; may repeat."""
        for atom, _ in self.terms:
            if isinstance(atom, FloorDiv):
                yield from atom.numerator.variables()
            else:
                yield atom


def _order(term: tuple[Atom, int]) -> tuple:
    """Variables by key, then divisions by divisor and numerator."""
    atom = term[0]
    if not isinstance(atom, FloorDiv):
        return (0, atom)
    inner = atom.numerator
    return (1, atom.divisor, inner.const, tuple((_order(t), t[1]) for t in inner.terms))


class Space:
    """The extents of the variables: key `v` takes the values 0 .. extents[v] - 1."""

    def __init__(self, extents: Mapping[Atom, int]) -> None:
        self.extents = extents

    def bounds(self, form: Form) -> tuple[int, int]:
        """An interval (both ends included) that holds every value of the form."""
        low = high = form.const
        for atom, coefficient in form.terms:
            if isinstance(atom, FloorDiv):
                inner = self.bounds(atom.numerator)
                a, b = inner[0] // atom.divisor, inner[1] // atom.divisor
            else:
                a, b = 0, self.extents[atom] - 1
            low += coefficient * (a if coefficient > 0 else b)
            high += coefficient * (b if coefficient > 0 else a)
        return low, high

    def floordiv(self, form: Form, divisor: int) -> Form:
        if divisor == 1:
            return form
        outside = Form(
            form.const // divisor,
            tuple((a, c // divisor) for a, c in form.terms if c % divisor == 0),
        )
        rest = Form(form.const % divisor, tuple((a, c) for a, c in form.terms if c % divisor))
        low, high = self.bounds(rest)
        if low // divisor == high // divisor:
            return outside + low // divisor
        for atom, coefficient in rest.terms:
            if isinstance(atom, FloorDiv) and coefficient == 1:
                # (x floordiv a + y) floordiv b = (x + a * y) floordiv (a * b) for integer y.
                joined = atom.numerator + (rest - Form.variable(atom)) * atom.divisor
                return outside + self.floordiv(joined, atom.divisor * divisor)
        coarse = self._drop_fine_terms(rest, divisor)
        if coarse is not None:
            return outside + coarse
        return outside + Form.variable(FloorDiv(rest, divisor))

    def _drop_fine_terms(self, form: Form, divisor: int) -> Form | None:
        """(g * x + y) floordiv (g * d) = x floordiv d if y stays within 0 .. g - 1."""
        for unit in sorted({math.gcd(c, divisor) for _, c in form.terms} - {1}, reverse=True):
            fine = Form(form.const % unit, tuple((a, c) for a, c in form.terms if c % unit))
            low, high = self.bounds(fine)
            if 0 <= low and high < unit and len(fine.terms) < len(form.terms):
                kept = tuple((a, c // unit) for a, c in form.terms if c % unit == 0)
                return self.floordiv(Form(form.const // unit, kept), divisor // unit)
        return None

    def mod(self, form: Form, divisor: int) -> Form:
        return form - self.floordiv(form, divisor) * divisor

    def substitute(self, form: Form, replacement: Callable[[Atom], Form]) -> Form:
        """The form with each variable replaced, simplified in this (the new) space."""
        result = Form(form.const)
        for atom, coefficient in form.terms:
            if isinstance(atom, FloorDiv):
                inner = self.substitute(atom.numerator, replacement)
                value = self.floordiv(inner, atom.divisor)
            else:
                value = replacement(atom)
            result = result + value * coefficient
        return result

    def from_expr(
        self, expr: ir.AffineExpr, dims: Sequence[Form], symbols: Sequence[Form] = ()
    ) -> Form:
        """The form of an affine expression over the values of its dimensions and symbols.

        Raises `ValueError` for what is not quasi-affine with constant divisors.
        """
        if isinstance(expr, ir.AffineDimExpr):
            return dims[expr.position]
        if isinstance(expr, ir.AffineSymbolExpr):
            return symbols[expr.position]
        if isinstance(expr, ir.AffineConstantExpr):
            return Form(expr.value)
        left = self.from_expr(expr.lhs, dims, symbols)
        right = self.from_expr(expr.rhs, dims, symbols)
        if isinstance(expr, ir.AffineAddExpr):
            return left + right
        if isinstance(expr, ir.AffineMulExpr):
            if left.is_constant:
                return right * left.const
            if right.is_constant:
                return left * right.const
        elif right.is_constant and right.const > 0:
            if isinstance(expr, ir.AffineModExpr):
                return self.mod(left, right.const)
            if isinstance(expr, ir.AffineFloorDivExpr):
                return self.floordiv(left, right.const)
            if isinstance(expr, ir.AffineCeilDivExpr):
                return self.floordiv(left + (right.const - 1), right.const)
        raise ValueError(f"not a quasi-affine expression with constant divisors: {expr}")


def remainders(form: Form) -> tuple[Form, list[tuple[Form, int, int]]]:
    """`form` as a rest and terms `coefficient * (inner mod divisor)`, which is how people read it.

    `c * x - c * d * (x floordiv d)` is `c * (x mod d)`.
    """
    found = []
    for atom in form.divisions:
        coefficient, over = divmod(-form[atom], atom.divisor)
        inner = atom.numerator
        if over or any(form[a] != coefficient * c for a, c in inner.terms):
            continue
        form = form - inner * coefficient + Form.variable(atom) * (coefficient * atom.divisor)
        found.append((inner, atom.divisor, coefficient))
    return form, found


def to_expr(
    form: Form,
    position: Callable[[Atom], int],
    walk: Callable[[Atom], tuple[int, int]] | None = None,
) -> ir.AffineExpr:
    """The form as an affine expression; variable `v` becomes dimension `position(v)`.

    With `walk`, the dimension is not the variable itself but `first + step * variable`, where
    `walk(v)` is `(first, step)`: the induction variable of a loop that the variable counts.
    """
    form, parts = remainders(form)
    const, expr = form.const, None
    for inner, divisor, coefficient in parts:
        term = ir.AffineExpr.get_mod(to_expr(inner, position, walk), divisor) * coefficient
        expr = term if expr is None else expr + term
    for atom, coefficient in form.terms:
        if isinstance(atom, FloorDiv):
            inner = to_expr(atom.numerator, position, walk)
            term = ir.AffineExpr.get_floor_div(inner, atom.divisor)
        else:
            term = ir.AffineExpr.get_dim(position(atom))
            first, step = walk(atom) if walk is not None else (0, 1)
            if coefficient % step == 0:
                coefficient //= step
                const -= coefficient * first
            else:
                term = ir.AffineExpr.get_floor_div(term + -first, step)
        term = term if coefficient == 1 else term * coefficient
        expr = term if expr is None else expr + term
    if expr is None:
        return ir.AffineExpr.get_constant(const)
    return expr + const if const else expr
