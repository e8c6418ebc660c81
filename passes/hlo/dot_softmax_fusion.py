"""Fuse a dot with the softmax of its result over the last axis.

Before                                          After (mhlo)
  %d = "mhlo.dot_general"(%q, %k)                 %r = mhlo.fusion(%k, %q, ...) ({
  %l = mhlo.multiply %d, %scale                     all that is on the left
  %m = mhlo.reduce(%l init: -inf) maximum         }) {FusionKind = "DotSoftmax"}
  %x = mhlo.subtract %l, broadcast(%m)
  %e = mhlo.exponential %x
  %s = mhlo.reduce(%e init: 0) add
  %r = mhlo.divide %e, broadcast(%s)
On stablehlo a composite with the same `CompositeKind` takes its place.

Our choice; no known producer: consumers know the kind DotSoftmax, but what makes it is not known.
So this pass is off in neuron-op-fusion unless asked for.

A candidate is a divide of an exponential by a broadcast sum of that exponential. Between the parts
may stand what JAX writes: a convert before or after a broadcast, a reshape that appends or drops
last axes of extent 1, several broadcasts, and a maximum of the row maxima with -inf, which changes
nothing. Legality, all of, asked from the divide upwards:
  (L1) both reduces are over the last axis only, of -inf with maximum and of 0 with add;
  (L2) the broadcasts bring the result of the reduce back along the axes that it kept;
  (L3) the exponent is the logits minus the maximum of the same logits, in whatever precision;
  (L4) the logits come from a dot_general or dot by at most 8 operations: elementwise ones (scale,
       bias, mask, cap), reshape, transpose. They join; their other operands are read from outside.
       Converts right before the softmax are not counted;
  (L5) no value but the quotient is used outside of the group, which also keeps what else the group
       reads from depending on it;
  (L6) all operations are in one block.
If several dots qualify, the nearest one is taken, the first operand's among equals. A softmax that
divides by multiplying with a reciprocal, or that subtracts no maximum, is none here.
"""

import enum
from dataclasses import dataclass, field
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.mlir import bindings_of
from penguin.passes.hlo._fusion import FusionPass, Match, mnemonic, producer, reduction, users
from penguin.passlib import Reject, Statistic

_DOTS = ("dot_general", "dot")
_ON_THE_WAY = frozenset(
    "add clamp convert divide maximum minimum multiply negate reshape select subtract tanh "
    "transpose".split()
)
_LONGEST_WAY = 8
# Ops looked at in search of the dot: a bound for programs whose values have many uses.
_MOST_VISITED = 64
_MINUS_INFINITY = float("-inf")


class Why(enum.Enum):
    OTHER_REDUCE = "a reduce is not over the last axis, of -inf with maximum or 0 with add"  # L1
    OTHER_BROADCAST = "a reduce is not broadcast back along the axes that it kept"  # L2
    NO_MAXIMUM = "the exponent is not the logits minus their maximum"  # L3
    NO_DOT = "the logits do not come from a dot by a few operations"  # L4
    ESCAPES = "a value of the group is used outside of it"  # L5
    OTHER_BLOCK = "the operations are not in one block"  # L6


class Mismatch(Exception):
    """A clause does not hold."""

    def __init__(self, why: Why, at: Any = None) -> None:
        super().__init__(why.value)
        self.why, self.at = why, at


@dataclass
class Group:
    """The ops found so far, from the root up."""

    members: dict[Any, None] = field(default_factory=dict)

    def add(self, op: Any) -> Any:
        self.members[op] = None
        return op


@dataclass
class DotSoftmaxFusion(FusionPass):
    name = "dot-softmax-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of DotSoftmax fusions")

    anchors = frozenset({"divide"})

    def match(self, op: Any) -> Match | Reject | None:
        power = _through_converts(op.operands[0], None)
        if _name(power) != "exponential" or not _is_sum(op.operands[1], power):
            return None
        group = Group()
        group.add(op)
        try:
            _softmax(op, power, group)
        except Mismatch as found:
            return Reject(found.why, at=found.at)
        return Match(Kind.DOT_SOFTMAX, list(group.members))


def _name(op: Any) -> str:
    return mnemonic(op) if op is not None else ""


def _same(one: Any, other: Any) -> bool:
    """Equality for ops that may be None, with which an op cannot be compared."""
    return one is not None and one == other


def _softmax(root: Any, power: Any, group: Group) -> None:
    """Collects the group below a candidate; raises `Mismatch`."""
    _through_converts(root.operands[0], group)
    group.add(power)
    total = _reduced(root.operands[1], "add", 0.0, group)
    if not _same(_through_converts(total.operands[0], group), power):
        raise Mismatch(Why.OTHER_REDUCE, total)
    difference = producer(power.operands[0], "subtract")
    if difference is None:
        raise Mismatch(Why.NO_MAXIMUM, power)
    group.add(difference)
    logits = difference.operands[0]
    if _reduce_below(difference.operands[1]) is None:
        raise Mismatch(Why.NO_MAXIMUM, difference)
    largest = _reduced(difference.operands[1], "maximum", _MINUS_INFINITY, group)
    # The maximum may be taken of the logits in another precision.
    source = largest.operands[0]
    if source != logits and _converted(source) != _converted(logits):
        raise Mismatch(Why.NO_MAXIMUM, largest)
    for value in (source, logits):
        _through_converts(value, group)
    start = producer(_converted(logits))
    # One that escapes is only looked for to say so.
    way = _way_to_dot(start, escaping=False) or _way_to_dot(start, escaping=True)
    if not way:
        raise Mismatch(Why.NO_DOT)
    for op in way:
        group.add(op)
    if any(op.block != root.block for op in group.members):
        raise Mismatch(Why.OTHER_BLOCK)
    for op in group.members:
        if op != root and any(user not in group.members for user in users(op)):
            raise Mismatch(Why.ESCAPES, op)


def _through_converts(value: Any, group: Group | None) -> Any:
    """The op that makes a value, behind converts, which join the group."""
    op = producer(value)
    while _name(op) == "convert":
        if group is not None:
            group.add(op)
        op = producer(op.operands[0])
    return op


def _converted(value: Any) -> Any:
    """A value before converts."""
    while (op := producer(value, "convert")) is not None:
        value = op.operands[0]
    return value


def _reduce_below(value: Any) -> Any:
    """The reduce whose result a value spreads, if it is such a value; nothing is checked."""
    op = producer(value)
    while _name(op) in ("convert", "broadcast_in_dim", "reshape", "maximum"):
        op = _row_operand(op) if mnemonic(op) == "maximum" else producer(op.operands[0])
    return op if _name(op) == "reduce" else None


def _row_operand(maximum: Any) -> Any:
    """What makes the operand of a maximum whose other operand is -inf, JAX's guard of the row."""
    others = [v for v in maximum.operands if _constant(v) != _MINUS_INFINITY]
    return producer(others[0]) if len(others) == 1 else None


def _is_sum(value: Any, power: Any) -> bool:
    """Whether a denominator is a reduce of the exponential with add, however it is spread."""
    op = _reduce_below(value)
    if op is None or reduction(op) != "add":
        return False
    return _same(_through_converts(op.operands[0], None), power)


def _reduced(value: Any, function: str, init: float, group: Group) -> Any:
    """The reduce whose result a value spreads; clauses (L1) and (L2)."""
    op = _reduce_below(value)
    last = len(op.operands[0].type.shape) - 1
    dimensions = list(op.attributes["dimensions"])
    if reduction(op) != function or dimensions != [last] or _constant(op.operands[1]) != init:
        raise Mismatch(Why.OTHER_REDUCE, op)
    _check_broadcast(value, group)
    return group.add(op)


def _check_broadcast(value: Any, group: Group) -> None:
    """Clause (L2): what is between a reduce and a value joins, and keeps the axes in place."""
    rank = len(value.type.shape)
    # Which axis of `value` each axis of the op's result is; None for one of extent 1.
    axes: list[int | None] = list(range(rank))
    op = producer(value)
    while _name(op) in ("convert", "broadcast_in_dim", "reshape", "maximum"):
        group.add(op)
        name, following = mnemonic(op), producer(op.operands[0])
        if name == "broadcast_in_dim":
            axes = [axes[dim] for dim in op.attributes["broadcast_dimensions"]]
        elif name == "reshape":
            before, after = list(op.operands[0].type.shape), list(op.results[0].type.shape)
            common = min(len(before), len(after))
            if before[:common] != after[:common] or any(n != 1 for n in before[common:]):
                raise Mismatch(Why.OTHER_BROADCAST, op)
            axes = axes[:common] + [None] * (len(before) - common)
        elif name == "maximum":
            following = _row_operand(op)
        op = following
    if axes != list(range(rank - 1)):
        raise Mismatch(Why.OTHER_BROADCAST, op)


def _constant(value: Any) -> float | None:
    """The number that a float constant, converted or broadcast, is full of."""
    op = producer(value)
    while _name(op) in ("convert", "broadcast_in_dim", "reshape"):
        op = producer(op.operands[0])
    if _name(op) != "constant":
        return None
    ir = bindings_of(op).ir
    # The bindings cannot even wrap the attribute of a complex constant.
    if not isinstance(op.results[0].type.element_type, ir.FloatType):
        return None
    elements = op.attributes["value"]
    if not isinstance(elements, ir.DenseElementsAttr) or not elements.is_splat:
        return None
    return elements.get_splat_value().value


def _way_to_dot(start: Any, *, escaping: bool) -> list[Any]:
    """The ops from the maker of the logits up to the nearest dot; empty if there is none near.

    Unless `escaping`, no value on the way but the logits has a user beside the next op: it would
    be outside of the group.
    """
    ways = [[start]] if start is not None else []
    visited: set[Any] = set()
    for way in ways:
        op = way[-1]
        if op in visited or len(visited) == _MOST_VISITED:
            continue
        visited.add(op)
        if mnemonic(op) in _DOTS:
            return way
        if mnemonic(op) not in _ON_THE_WAY or len(way) > _LONGEST_WAY:
            continue
        above = [producer(operand) for operand in op.operands]
        ways += [
            [*way, each]
            for each in above
            if each is not None and (escaping or all(user == op for user in users(each)))
        ]
    return []
