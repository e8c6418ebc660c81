"""The arith dialect on whole domains.

Integers are stored signed, whatever the op makes of their bits; i1 is a numpy bool and, for signed
ops, -1 or 0. Where arith leaves a result undefined, the entry does what `numerics` documents.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from penguin.analysis.affine_form import Form
from penguin.interp import numerics
from penguin.interp.numerics import BOOL, Array, Function, elementwise, widen
from penguin.interp.program import Compiler, Node, ScalarNode, error, numpy_type
from penguin.interp.registry import emitter, scalar_op
from penguin.mlir import ir


def _signed(function: Function) -> Function:
    """i1 as an 8-bit -1 or 0, and back."""

    def on_signed(*operands: Array) -> Array:
        if operands[0].dtype != BOOL:
            return function(*operands)
        return (function(*(-x.astype(np.int8) for x in operands)) & 1).astype(np.bool_)

    return on_signed


def _unsigned(function: Function) -> Function:
    """The operands' bits as unsigned integers; the result's bits in the operands' dtype."""

    def on_unsigned(*operands: Array) -> Array:
        dtype = operands[0].dtype
        result = function(*map(numerics.unsigned, operands))
        return result.view(dtype) if dtype != BOOL else result.astype(np.bool_)

    return on_unsigned


_SIMPLE: dict[str, Function] = {
    "arith.addf": elementwise(np.add),
    "arith.subf": elementwise(np.subtract),
    "arith.mulf": elementwise(np.multiply),
    "arith.divf": elementwise(np.divide),
    "arith.remf": elementwise(np.fmod),
    "arith.negf": elementwise(np.negative),
    "arith.maximumf": elementwise(numerics.maximum),
    "arith.minimumf": elementwise(numerics.minimum),
    "arith.maxnumf": elementwise(np.fmax),
    "arith.minnumf": elementwise(np.fmin),
    "arith.addi": _signed(np.add),
    "arith.subi": _signed(np.subtract),
    "arith.muli": _signed(np.multiply),
    "arith.divsi": _signed(numerics.divide),
    "arith.remsi": _signed(numerics.remainder),
    "arith.divui": _unsigned(numerics.divide),
    "arith.remui": _unsigned(numerics.remainder),
    "arith.maxsi": _signed(np.maximum),
    "arith.minsi": _signed(np.minimum),
    "arith.maxui": _unsigned(np.maximum),
    "arith.minui": _unsigned(np.minimum),
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.shli": _signed(numerics.shift_left),
    "arith.shrsi": _signed(numerics.shift_right_arithmetic),
    "arith.shrui": _unsigned(numerics.shift_right_logical),
    "arith.select": np.where,
}
for _name, _function in _SIMPLE.items():
    scalar_op(_name)(lambda op, function=_function: function)

_INTEGER_PREDICATES: tuple[tuple[np.ufunc, bool], ...] = (
    (np.equal, False),
    (np.not_equal, False),
    (np.less, False),
    (np.less_equal, False),
    (np.greater, False),
    (np.greater_equal, False),
    (np.less, True),
    (np.less_equal, True),
    (np.greater, True),
    (np.greater_equal, True),
)
_ORDERED = (None, np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal)


@scalar_op("arith.cmpi")
def cmpi(op: Any) -> Function:
    function, is_unsigned = _INTEGER_PREDICATES[ir.IntegerAttr(op.attributes["predicate"]).value]

    def compare(a: Array, b: Array) -> Array:
        if is_unsigned:
            return function(numerics.unsigned(a), numerics.unsigned(b))
        if a.dtype == BOOL:
            return function(-a.astype(np.int8), -b.astype(np.int8))
        return function(a, b)

    return compare


@scalar_op("arith.cmpf")
def cmpf(op: Any) -> Function:
    """false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""
    predicate = ir.IntegerAttr(op.attributes["predicate"]).value

    def compare(a: Array, b: Array) -> Array:
        a, b = widen(a), widen(b)
        unordered = np.isnan(a) | np.isnan(b)
        if predicate in (0, 15):
            return np.full_like(unordered, predicate == 15)
        if predicate in (7, 14):
            return ~unordered if predicate == 7 else unordered
        is_ordered = predicate < 7
        holds = _ORDERED[predicate if is_ordered else predicate - 7](a, b)
        return holds & ~unordered if is_ordered else holds | unordered

    return compare


def _cast(name: str, function: Callable[[Array, np.dtype], Array]) -> None:
    def make(op: Any) -> Function:
        dtype = numpy_type(op.results[0].type)
        return lambda x: function(np.asarray(x), dtype)

    scalar_op(name)(make)


def _extend_signed(x: Array, dtype: np.dtype) -> Array:
    return (-x.astype(dtype)) if x.dtype == BOOL else x.astype(dtype)


def _truncate(x: Array, dtype: np.dtype) -> Array:
    return (x & 1).astype(np.bool_) if dtype == BOOL else x.astype(dtype)


def _from_unsigned(x: Array, dtype: np.dtype) -> Array:
    return numerics.convert(x if x.dtype == BOOL else numerics.unsigned(x), dtype)


def _from_signed(x: Array, dtype: np.dtype) -> Array:
    return numerics.convert(-x.astype(np.int8) if x.dtype == BOOL else x, dtype)


def _to_signed(x: Array, dtype: np.dtype) -> Array:
    return (
        -numerics.convert(x, np.dtype(np.int8)) != 0
        if dtype == BOOL
        else numerics.convert(x, dtype)
    )


def _to_unsigned(x: Array, dtype: np.dtype) -> Array:
    if dtype == BOOL:
        return np.clip(numerics.convert(x, np.dtype(np.uint8)), 0, 1).astype(np.bool_)
    return numerics.convert(x, np.dtype(f"u{dtype.itemsize}")).view(dtype)


_cast("arith.extf", lambda x, dtype: x.astype(dtype))
_cast("arith.truncf", lambda x, dtype: widen(x).astype(dtype))
_cast("arith.extsi", _extend_signed)
_cast("arith.extui", lambda x, dtype: numerics.unsigned(x).astype(dtype))
_cast("arith.trunci", _truncate)
_cast("arith.sitofp", _from_signed)
_cast("arith.uitofp", _from_unsigned)
_cast("arith.fptosi", _to_signed)
_cast("arith.fptoui", _to_unsigned)
_cast("arith.bitcast", lambda x, dtype: x.view(dtype))
_cast("arith.index_cast", lambda x, dtype: _extend_signed(x, dtype))
_cast("arith.index_castui", lambda x, dtype: numerics.unsigned(x).astype(dtype))


@emitter("arith.constant")
def constant(compiler: Compiler, op: Any) -> Node | None:
    result = op.results[0]
    attribute = op.attributes["value"]
    if not isinstance(attribute, ir.IntegerAttr | ir.FloatAttr | ir.BoolAttr):
        raise error(op, "PGR001", f"has the value {attribute}, expected a number")
    if isinstance(result.type, ir.IndexType):
        compiler.forms[compiler.number(result)] = Form(attribute.value)
        return None
    value = np.array(attribute.value).astype(numpy_type(result.type))
    return ScalarNode(lambda: value, [], compiler.define(result, frozenset()))


def _index_arithmetic(name: str) -> None:
    """Sums, differences and multiples of affine forms are affine forms."""
    function = _SIMPLE[name]

    @emitter(name)
    def emit(compiler: Compiler, op: Any) -> Node | None:
        a, b = (compiler.operand(value) for value in op.operands)
        form = _combined(name, a, b) if isinstance(a, Form) and isinstance(b, Form) else None
        if form is not None:
            compiler.forms[compiler.number(op.results[0])] = form
            return None
        result = compiler.define(op.results[0], compiler.varies_over([a, b]))
        return ScalarNode(function, [a, b], result)


def _combined(name: str, a: Form, b: Form) -> Form | None:
    if name == "arith.addi":
        return a + b
    if name == "arith.subi":
        return a - b
    if a.is_constant or b.is_constant:
        return b * a.const if a.is_constant else a * b.const
    return None


for _name in ("arith.addi", "arith.subi", "arith.muli"):
    _index_arithmetic(_name)
