"""Forms against brute force: every simplification keeps every value."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from penguin import mlir
from penguin.analysis.affine_form import FloorDiv, Form, Space, to_expr
from penguin.mlir import ir

EXTENTS = {0: 3, 1: 4, 2: 5}


def value(form: Form, point: dict[int, int]) -> int:
    total = form.const
    for atom, coefficient in form.terms:
        if isinstance(atom, FloorDiv):
            total += coefficient * (value(atom.numerator, point) // atom.divisor)
        else:
            total += coefficient * point[atom]
    return total


def points():
    for values in itertools.product(*(range(n) for n in EXTENTS.values())):
        yield dict(zip(EXTENTS, values, strict=True))


@st.composite
def expressions(draw, depth=3):
    """An affine expression over d0..d2, and its value as a function of the point."""
    kinds = ["dim", "const"] + (["add", "mul", "mod", "floordiv", "ceildiv"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "dim":
        i = draw(st.integers(0, 2))
        return f"d{i}", lambda p: p[i]
    if kind == "const":
        c = draw(st.integers(-7, 7))
        return str(c), lambda p: c
    left, f = draw(expressions(depth - 1))
    if kind == "add":
        right, g = draw(expressions(depth - 1))
        return f"({left} + {right})", lambda p: f(p) + g(p)
    c = draw(st.integers(1, 6))
    if kind == "mul":
        return f"({left} * {c})", lambda p: f(p) * c
    function = {
        "mod": lambda p: f(p) % c,
        "floordiv": lambda p: f(p) // c,
        "ceildiv": lambda p: -(-f(p) // c),
    }[kind]
    return f"({left} {kind} {c})", function


@given(expressions())
def test_reading_and_writing_an_expression_keeps_its_values(case):
    text, function = case
    space = Space(EXTENTS)
    with ir.Context():
        attribute = ir.Attribute.parse(f"affine_map<(d0, d1, d2) -> ({text})>")
        expr = ir.AffineMapAttr(attribute).value.results[0]
        variables = [Form.variable(k) for k in EXTENTS]
        form = space.from_expr(expr, variables)
        # Through a map: the class of an expression made by arithmetic is that of the operator,
        # also when MLIR has simplified it to something else.
        written = ir.AffineMap.get(3, 0, [to_expr(form, lambda k: k)]).results[0]
        again = space.from_expr(written, variables)
    low, high = space.bounds(form)
    for point in points():
        expected = function(point)
        assert value(form, point) == expected
        assert value(again, point) == expected
        assert low <= expected <= high


def test_a_delinearised_index_cancels_when_it_is_linearised():
    space = Space({0: 6 * 64})
    i = Form.variable(0)
    assert space.floordiv(i, 64) * 64 + space.mod(i, 64) == i


def test_division_of_a_sum_drops_the_fine_part():
    # (2048 p + f) floordiv 65536 with f below 2048 does not depend on f.
    space = Space({0: 128, 1: 2048})
    form = space.floordiv(Form.variable(0) * 2048 + Form.variable(1), 65536)
    assert form == space.floordiv(Form.variable(0), 32)


def test_nested_divisions_join():
    space = Space({0: 1000})
    i = Form.variable(0)
    assert space.floordiv(space.floordiv(i, 4), 5) == space.floordiv(i, 20)


def test_equal_forms_compare_equal_whatever_the_order():
    x, y = Form.variable(0), Form.variable(1)
    assert x + y == y + x


def test_what_is_not_quasi_affine_is_refused():
    with mlir.context():
        d0, d1 = ir.AffineExpr.get_dim(0), ir.AffineExpr.get_dim(1)
        space = Space(EXTENTS)
        product = ir.AffineExpr.get_mul(d0, d1)
        try:
            space.from_expr(product, [Form.variable(0), Form.variable(1)])
        except ValueError as error:
            assert "quasi-affine" in str(error)
        else:
            raise AssertionError("a product of variables was accepted")
