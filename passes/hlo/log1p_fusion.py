"""Expand log_plus_one into a fusion of constant, add and log.

Before                                          After (mhlo)
  %r = mhlo.log_plus_one %x                              %r = mhlo.fusion(%x) ({
                                                  ^bb0(%a):
                                                    %one = mhlo.constant dense<1.0>
                                                    %s = mhlo.add %a, %one
                                                    %c = mhlo.log %s
                                                    mhlo.return %c
                                                  }) {FusionKind = "Log1p"}
On stablehlo a composite with the same `CompositeKind` takes its place. An expander, no recogniser
of the expanded form. `result_accuracy` goes to the log.

Every log_plus_one outside a fusion is a candidate. Legality, all of:
  (L1) the op has one use;
  (L2) its elements are floats.
Numbers: near 0 the expansion loses what the op is there for, in f32 log1p(1e-8) is 0. That is the
original's; the default of neuron-op-fusion leaves the op as it is.
Source: document 002's family, "fuseLog1p".
"""

from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._expand import Expansion, Why, match
from penguin.passes.hlo._fusion import FusionPass, Match
from penguin.passlib import Reject, Statistic

__all__ = ["Log1pFusion", "Why"]


@dataclass
class Log1pFusion(FusionPass):
    name = "log1p-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of Log1p fusions")

    anchors = frozenset({"log_plus_one"})

    def match(self, op: Any) -> Match | Reject | None:
        return match(op, Kind.LOG1P, _expand)


def _expand(op: Any) -> list[Any]:
    make = Expansion(op)
    one = make.one()
    total = make.op("add", op.operands[0], one)
    return [one, total, make.transcendental("log", total)]
