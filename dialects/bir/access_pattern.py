"""Access patterns: which elements of a tensor an instruction reads or writes, and in what order.

A tensor is a flat row-major array; on chip it is a tile [partitions, free elements]. The elements
of a pattern are, in order, for every index tuple with the last pair fastest

    const + sum(coefficients[k] * axes[k]) + sum(step_j * index_j),   0 <= index_j < num_j

where `axes` are induction variables of the enclosing `bir.loop`s. The first pair is the partition
pair. On chip, partition = element div free elements and free element = element mod free elements
(NEURON.md section 3). `dtype` is the BIR name under which the bytes are read; it may differ from
the tensor's own at equal width.

    #bir.ap<"float32", affine_map<(d0) -> (d0 * 512)>, [[512, 128], [1, 512]]>

`AccessPattern` is the pure form. `encode` and `decode` go to the attribute and back; both remember
what they made for the current context, because a program has few distinct patterns.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from penguin.dialects.bir.dialect import Bir
from penguin.mlir import ir

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class AccessPattern:
    """`coefficients[k]` multiplies the instruction's k-th loop axis; pairs are (step, num)."""

    dtype: str
    const: int
    coefficients: tuple[int, ...]
    pattern: Pairs

    @property
    def count(self) -> int:
        """Number of elements."""
        return prod(num for _, num in self.pattern)


class AccessPatternAttr(Bir.Attribute, name="ap"):
    """The attribute `#bir.ap<dtype, offset, pattern>`; use `encode` and `decode`."""

    dtype: ir.StringAttr
    offset: ir.AffineMapAttr
    pattern: ir.ArrayAttr


@dataclass(slots=True)
class Cache:
    """Attributes made and decoded for one context; its attributes keep the context alive.

    `decoded` holds access patterns, `python` the values of other attributes, `facts` what the
    verifier found out about operands.
    """

    context: ir.Context | None = None
    encoded: dict[tuple[Any, ...], ir.Attribute] = field(default_factory=dict)
    decoded: dict[ir.Attribute, Any] = field(default_factory=dict)
    python: dict[ir.Attribute, Any] = field(default_factory=dict)
    values: dict[tuple[type, Any], ir.Attribute] = field(default_factory=dict)
    facts: dict[tuple[Any, ...], Any] = field(default_factory=dict)


_cache = Cache()


def cache() -> Cache:
    """The cache of the current context; entering another context starts a new one."""
    global _cache
    context = ir.Context.current
    if _cache.context is not context:
        _cache = Cache(context)
    return _cache


def encode(dtype: str, const: int, coefficients: tuple[int, ...], pattern: Pairs) -> ir.Attribute:
    """The attribute of a pattern, in the current context."""
    store = cache()
    key = (dtype, const, coefficients, pattern)
    found = store.encoded.get(key)
    if found is None:
        found = store.encoded[key] = _encode(*key)
        store.decoded[found] = AccessPattern(*key)
    return found


def encode_list(patterns: Sequence[ir.Attribute]) -> ir.Attribute:
    """The `access` attribute of an instruction."""
    store = cache()
    key = tuple(patterns)
    found = store.encoded.get(key)
    if found is None:
        found = store.encoded[key] = ir.ArrayAttr.get(list(key))
    return found


def decode(attribute: ir.Attribute) -> AccessPattern:
    """The pattern of an attribute; raises `ValueError` if it is no linear access pattern."""
    return _decode(attribute, _decode_ap)


def decode_list(attribute: ir.Attribute) -> tuple[AccessPattern, ...]:
    """The patterns of an `access` attribute; raises `ValueError` like `decode`."""
    return _decode(attribute, _decode_array)


def _decode(attribute: ir.Attribute, function: Callable[[ir.Attribute], Any]) -> Any:
    store = cache()
    found = store.decoded.get(attribute)
    if found is None:
        found = store.decoded[attribute] = function(attribute)
    return found


def _encode(dtype: str, const: int, coefficients: tuple[int, ...], pattern: Pairs) -> ir.Attribute:
    expression = ir.AffineExpr.get_constant(const)
    for i, coefficient in reversed(list(enumerate(coefficients))):
        if coefficient:
            term = ir.AffineExpr.get_mul(ir.AffineExpr.get_dim(i), coefficient)
            expression = ir.AffineExpr.get_add(term, expression)
    offset = ir.AffineMap.get(len(coefficients), 0, [expression])
    i64 = ir.IntegerType.get_signless(64)
    pairs = [
        ir.ArrayAttr.get([ir.IntegerAttr.get(i64, step), ir.IntegerAttr.get(i64, num)])
        for step, num in pattern
    ]
    return AccessPatternAttr.get(
        ir.StringAttr.get(dtype), ir.AffineMapAttr.get(offset), ir.ArrayAttr.get(pairs)
    )


def _decode_array(attribute: ir.Attribute) -> tuple[AccessPattern, ...]:
    if not isinstance(attribute, ir.ArrayAttr):
        raise ValueError(f"is {attribute}, expected an array of #bir.ap")
    return tuple(decode(element) for element in attribute)


def _decode_ap(attribute: ir.Attribute) -> AccessPattern:
    if not isinstance(attribute, AccessPatternAttr):
        raise ValueError(f"holds {attribute}, expected #bir.ap")
    dtype, offset, pattern = (p.maybe_downcast() for p in attribute.params)
    const, coefficients = _linear(str(offset))
    pairs = tuple(_pair(pair) for pair in pattern)
    if not pairs:
        raise ValueError("holds a pattern without pairs, expected at least the partition pair")
    return AccessPattern(dtype.value, const, coefficients, pairs)


def _pair(attribute: ir.Attribute) -> tuple[int, int]:
    integers = list(attribute) if isinstance(attribute, ir.ArrayAttr) else []
    if len(integers) != 2 or not all(isinstance(i, ir.IntegerAttr) for i in integers):
        raise ValueError(f"holds pair {attribute}, expected [step, num]")
    return integers[0].value, integers[1].value


_MAP = re.compile(r"affine_map<\(([^)]*)\) -> \(([^,\[\]]*)\)>")
_TERM = re.compile(r"([+-]?)d(\d+)(?:\*(-?\d+))?|([+-]?\d+)")


def _linear(text: str) -> tuple[int, tuple[int, ...]]:
    """Constant and coefficients of a one-result linear map, from its text: quicker than walking."""
    match = _MAP.fullmatch(text)
    if match is None:
        raise ValueError(f"has offset {text}, expected one result and no symbols")
    coefficients = [0] * (match[1].count("d"))
    const = 0
    body = match[2].replace(" ", "")
    position = 0
    while position < len(body):
        term = _TERM.match(body, position)
        if term is None:
            raise ValueError(f"has offset {text}, expected a linear expression")
        if term[4] is not None:
            const += int(term[4])
        else:
            coefficients[int(term[2])] += int(f"{term[1]}1") * int(term[3] or 1)
        position = term.end()
    return const, tuple(coefficients)
