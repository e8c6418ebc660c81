"""Expand exponential_minus_one into a fusion of constant, exponential and subtract.

Before                                          After (mhlo)
  %r = mhlo.exponential_minus_one %x                              %r = mhlo.fusion(%x) ({
                                                  ^bb0(%a):
                                                    %one = mhlo.constant dense<1.0>
                                                    %e = mhlo.exponential %a
                                                    %c = mhlo.subtract %e, %one
                                                    mhlo.return %c
                                                  }) {FusionKind = "Expm1"}
On stablehlo a composite with the same `CompositeKind` takes its place. An expander, no recogniser
of the expanded form. `result_accuracy` goes to the exponential.

Every exponential_minus_one outside a fusion is a candidate. Legality, all of:
  (L1) the op has one use;
  (L2) its elements are floats.
Numbers: near 0 the expansion loses what the op is there for, in f32 expm1(1e-8) is 0. That is the
original's; the default of neuron-op-fusion leaves the op as it is.
Source: document 002's family, "fuseExpm1".
"""

from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._expand import Expansion, Why, match
from penguin.passes.hlo._fusion import FusionPass, Match
from penguin.passlib import Reject, Statistic

__all__ = ["Expm1Fusion", "Why"]


@dataclass
class Expm1Fusion(FusionPass):
    name = "expm1-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of Expm1 fusions")

    anchors = frozenset({"exponential_minus_one"})

    def match(self, op: Any) -> Match | Reject | None:
        return match(op, Kind.EXPM1, _expand)


def _expand(op: Any) -> list[Any]:
    make = Expansion(op)
    one = make.one()
    power = make.transcendental("exponential", op.operands[0])
    return [one, power, make.op("subtract", power, one)]
