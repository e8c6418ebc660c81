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

Our choice: consumers know the kind DotSoftmax, but no producer of it is known. So this pass is off
in neuron-op-fusion unless asked for.

A candidate is a divide of an exponential by a broadcast sum of that exponential. Between the parts
may stand what JAX writes: a convert before or after a broadcast, a reshape that appends axes of
extent 1, several broadcasts, and a maximum of the row maxima with a constant. Legality, all of:
  (L1) both reduces are over the last axis only, of -inf with maximum and of 0 with add;
  (L2) the broadcasts bring the result of the reduce back along the axes that it kept;
  (L3) the exponent is the logits minus the maximum of the same logits;
  (L4) the logits come from a dot_general or dot by a path of at most 8 elementwise operations;
  (L5) no value but the quotient is used outside of the group, which also keeps what else the group
       reads from depending on it;
  (L6) all operations are in one block.
"""

import enum
from dataclasses import dataclass, field
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._fusion import FusionPass, Match, mnemonic, producer, reduction, users
from penguin.passlib import Reject, Statistic

_DOTS = ("dot_general", "dot")
_ON_THE_WAY = (
    "convert multiply divide add subtract negate tanh maximum minimum select clamp"
).split()
_LONGEST_WAY = 8


class Why(enum.Enum):
    OTHER_REDUCE = "a reduce is not over the last axis, of -inf with maximum or 0 with add"  # L1
    OTHER_BROADCAST = "a reduce is not broadcast back along the axes that it kept"  # L2
    NO_MAXIMUM = "the exponent is not the logits minus their maximum"  # L3
    NO_DOT = "the logits do not come from a dot by a few elementwise operations"  # L4
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
        if mnemonic_of(power) != "exponential" or not _is_sum(op.operands[1], power):
            return None
        group = Group()
        group.add(op)
        try:
            _softmax(op, power, group)
        except Mismatch as found:
            return Reject(found.why, at=found.at)
        return Match(Kind.DOT_SOFTMAX, list(group.members))


def mnemonic_of(op: Any) -> str:
    return mnemonic(op) if op is not None else ""


def _softmax(root: Any, power: Any, group: Group) -> None:
    """Collects the group below a candidate; raises `Mismatch`."""
    _through_converts(root.operands[0], group)
    group.add(power)
    total = _broadcast(root.operands[1], group)
    _check_reduce(group.add(total), "add", 0.0)
    if _through_converts(total.operands[0], group) != power:
        raise Mismatch(Why.OTHER_REDUCE, total)
    difference = producer(power.operands[0], "subtract")
    if difference is None:
        raise Mismatch(Why.NO_MAXIMUM, power)
    group.add(difference)
    logits = difference.operands[0]
    if _reduce_below(difference.operands[1]) is None:
        raise Mismatch(Why.NO_MAXIMUM, difference)
    largest = _broadcast(difference.operands[1], group)
    _check_reduce(group.add(largest), "maximum", float("-inf"))
    # The maximum may be taken of the logits in another precision.
    source = largest.operands[0]
    if source != logits and _converted(source) != _converted(logits):
        raise Mismatch(Why.NO_MAXIMUM, largest)
    for value in (source, logits):
        _through_converts(value, group)
    way = _way_to_dot(_converted(logits), 0)
    if way is None:
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
    while mnemonic_of(op) == "convert":
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
    while mnemonic_of(op) in ("convert", "broadcast_in_dim", "reshape", "maximum"):
        op = _row_operand(op) if mnemonic(op) == "maximum" else producer(op.operands[0])
    return op if mnemonic_of(op) == "reduce" else None


def _row_operand(maximum: Any) -> Any:
    """The operand of a maximum with a constant that is none: JAX guards rows of -inf that way."""
    others = [v for v in maximum.operands if _constant(v) is None]
    return producer(others[0]) if len(others) == 1 else None


def _is_sum(value: Any, power: Any) -> bool:
    """Whether a denominator is a reduce of the exponential with add, however it is spread."""
    op = _reduce_below(value)
    if op is None or reduction(op) != "add":
        return False
    return _through_converts(op.operands[0], None) == power


def _broadcast(value: Any, group: Group) -> Any:
    """The reduce below a value that spreads it along the axes it kept; what is on the way joins."""
    rank = len(value.type.shape)
    axes, op = list(range(rank)), producer(value)
    while mnemonic_of(op) in ("convert", "broadcast_in_dim", "reshape", "maximum"):
        group.add(op)
        name, following = mnemonic(op), producer(op.operands[0])
        if name == "broadcast_in_dim":
            axes = [axes[dim] for dim in op.attributes["broadcast_dimensions"]]
        elif name == "reshape":
            short, long = list(op.operands[0].type.shape), list(op.results[0].type.shape)
            if long != short + [1] * (len(long) - len(short)):
                raise Mismatch(Why.OTHER_BROADCAST, op)
            axes = axes[: len(short)]
        elif name == "maximum":
            following = _row_operand(op)
        op = following
    if mnemonic_of(op) != "reduce" or axes[: rank - 1] != list(range(rank - 1)):
        raise Mismatch(Why.OTHER_BROADCAST, op)
    return op


def _check_reduce(op: Any, function: str, init: float) -> None:
    last = len(op.operands[0].type.shape) - 1
    dimensions = list(op.attributes["dimensions"])
    if reduction(op) != function or dimensions != [last] or _constant(op.operands[1]) != init:
        raise Mismatch(Why.OTHER_REDUCE, op)


def _constant(value: Any) -> float | None:
    """The number that a constant, converted or broadcast, is full of."""
    op = producer(value)
    while mnemonic_of(op) in ("convert", "broadcast_in_dim", "reshape"):
        op = producer(op.operands[0])
    if mnemonic_of(op) != "constant" or not op.attributes["value"].is_splat:
        return None
    return op.attributes["value"].get_splat_value().value


def _way_to_dot(value: Any, length: int) -> list[Any] | None:
    """The shortest first operands lead: the ops from a value up to the dot that it comes from."""
    op = producer(value)
    if mnemonic_of(op) in _DOTS:
        return [op]
    if mnemonic_of(op) not in _ON_THE_WAY or length == _LONGEST_WAY:
        return None
    for operand in op.operands:
        # A value with other uses would leave the group.
        if (above := producer(operand)) is None or len(users(above)) != 1:
            continue
        way = _way_to_dot(operand, length + 1)
        if way is not None:
            return [op, *way]
    return None
