"""Fuse the stable sum of two exponentials: max(a, b) + log(exp(a - max) + exp(b - max)).

Before                                          After (mhlo)
  %m = mhlo.maximum %a, %b                        %r = mhlo.fusion(%b, %a) ({
  %s = mhlo.subtract %a, %m                       ^bb0(%y, %x):
  %e = mhlo.exponential %s                          the same eight operations
  %t = mhlo.subtract %b, %m                       }) {FusionKind = "Elementwise"}
  %f = mhlo.exponential %t
  %u = mhlo.add %e, %f
  %l = mhlo.log %u
  %r = mhlo.add %m, %l
On stablehlo a composite with the same `CompositeKind` takes its place.

A candidate is an add with an operand that is the log of an add with an exponential as an operand.
Operand positions are fixed, as in the original; no commuted form is tried. Legality, all of:
  (L1) the candidate adds a maximum and that log, in this order;
  (L2) the log's operand adds two exponentials of subtracts;
  (L3) the first subtract takes the maximum's operand 0, the second its operand 1;
  (L4) both subtract the maximum;
  (L5) each exponential has one use;
  (L6) all eight operations are in one block.
Other values of the group may have uses outside; they become results of the fusion.
Source: document 002's family, "fuseSubExp". How the original reaches the log is ambiguous there;
the root's operand 1 is taken as the intent.
"""

import enum
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._fusion import FusionPass, Match, producer, users
from penguin.passlib import Reject, Statistic


class Why(enum.Enum):
    OPERAND_ORDER = "the operands of the add are not a maximum and the log, in this order"  # L1
    NO_EXPONENTIALS = "the log is not of two exponentials of subtracts"  # L2
    OTHER_OPERANDS = "the subtracts do not take the operands of the maximum in order"  # L3
    OTHER_MAXIMUM = "the subtracts do not both subtract the maximum"  # L4
    EXPONENTIAL_USES = "an exponential has more than one use"  # L5
    OTHER_BLOCK = "the operations are not in one block"  # L6


@dataclass
class SubExpFusion(FusionPass):
    name = "sub-exp-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of SubExp fusions")

    anchors = frozenset({"add"})

    def match(self, op: Any) -> Match | Reject | None:
        operands = list(op.operands)
        log, inner = _log_of_exponentials(operands[1])
        if log is None:
            log, inner = _log_of_exponentials(operands[0])
            return None if log is None else Reject(Why.OPERAND_ORDER)
        maximum = producer(operands[0], "maximum")
        if maximum is None:
            return Reject(Why.OPERAND_ORDER)
        powers = [producer(value, "exponential") for value in inner.operands]
        if any(power is None for power in powers):
            return Reject(Why.NO_EXPONENTIALS)
        differences = [producer(power.operands[0], "subtract") for power in powers]
        if any(difference is None for difference in differences):
            return Reject(Why.NO_EXPONENTIALS)
        for taken, difference in zip(maximum.operands, differences, strict=True):
            if difference.operands[0] != taken:
                return Reject(Why.OTHER_OPERANDS, at=difference)
        for difference in differences:
            if difference.operands[1] != maximum.results[0]:
                return Reject(Why.OTHER_MAXIMUM, at=difference)
        for power in powers:
            if len(users(power)) != 1:
                return Reject(Why.EXPONENTIAL_USES, at=power)
        (first, second), (one, other) = powers, differences
        members = [op, log, inner, maximum, other, second, one, first]
        if any(member.block != op.block for member in members):
            return Reject(Why.OTHER_BLOCK)
        return Match(Kind.ELEMENTWISE, members)


def _log_of_exponentials(value: Any) -> tuple[Any, Any]:
    """The log that makes a value and the add that it is taken of; (None, None) if it is no such."""
    log = producer(value, "log")
    inner = producer(log.operands[0], "add") if log is not None else None
    if inner is None or not any(producer(v, "exponential") is not None for v in inner.operands):
        return None, None
    return log, inner
