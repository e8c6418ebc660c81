"""Fuse multiply, reduce and sqrt: the denominator of a norm.

Before (mhlo)                                   After
  %m = mhlo.multiply %x, %x                       %r = mhlo.fusion(%zero, %x) ({
  %s = mhlo.reduce(%m init: %zero) ...            ^bb0(%i, %a):
  %r = mhlo.sqrt %s                                 %m = mhlo.multiply %a, %a
                                                    %s = mhlo.reduce(%m init: %i) ...
                                                    %q = mhlo.sqrt %s
                                                    mhlo.return %q
                                                  }) {FusionKind = "MulRedSqrt"}
On stablehlo a composite with the same `CompositeKind` takes its place.

Anchor: every reduce that stands directly in a function and in no fusion. A candidate is a reduce
whose input is a multiply or whose result goes to a sqrt. Legality, all of (P0 to P4 of the
original; rsqrt does not count):
  (L1) the reduce has one input;
  (L2) its input is the result of a multiply in the same block;
  (L3) the reduce has one use;
  (L4) that use is a sqrt in the same block;
  (L5) the multiply has one use.
Not asked, as in the original: that the multiply squares, what the reduce computes, dtypes, ranks.
Epsilon, reciprocal and weights stay outside.
Source: document 002's family, "fuseMulRedSqrt".
"""

import enum
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._fusion import FusionPass, Match, mnemonic, producer, users
from penguin.passlib import Reject, Statistic


class Why(enum.Enum):
    SEVERAL_INPUTS = "the reduce has several inputs"  # L1
    NO_MULTIPLY = "the input of the reduce is no multiply of this block"  # L2
    REDUCE_USES = "the reduce has not exactly one use"  # L3
    NO_SQRT = "the user of the reduce is no sqrt of this block"  # L4
    MULTIPLY_USES = "the multiply has more than one use"  # L5


@dataclass
class MulRedSqrtFusion(FusionPass):
    name = "mul-red-sqrt-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of MulRedSqrt fusions")

    anchors = frozenset({"reduce"})

    def match(self, op: Any) -> Match | Reject | None:
        if op.parent.operation.name != "func.func":
            return None
        multiply = producer(op.operands[0], "multiply")
        used = users(op)
        roots = [user for user in used if mnemonic(user) == "sqrt"]
        if multiply is None and not roots:
            return None
        if len(op.results) > 1:
            return Reject(Why.SEVERAL_INPUTS)
        if multiply is None or multiply.block != op.block:
            return Reject(Why.NO_MULTIPLY)
        if len(used) != 1:
            return Reject(Why.REDUCE_USES, args={"Uses": len(used)})
        if not roots or roots[0].block != op.block:
            return Reject(Why.NO_SQRT, args={"User": used[0].name})
        if len(users(multiply)) > 1:
            return Reject(Why.MULTIPLY_USES, at=multiply)
        return Match(Kind.MUL_RED_SQRT, [multiply, op, roots[0]])
