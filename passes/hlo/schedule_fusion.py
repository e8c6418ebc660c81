"""Bring an all_gather and the reduce_scatter that uses it together, and group the two.

Before                                          After (mhlo)
  %g = mhlo.all_gather %x                         %e = mhlo.exponential %y
  %e = mhlo.exponential %y                        %f:2 = mhlo.fusion(%x) ({
  %n = mhlo.negate %g                             ^bb0(%a):
  %s = mhlo.reduce_scatter %g                       %g = mhlo.all_gather %a
                                                    %s = mhlo.reduce_scatter %g
                                                    mhlo.return %s, %g
                                                  }) {FusionKind = "ScheduleFusion"}
                                                  %n = mhlo.negate %f#1
On stablehlo a composite with the same `CompositeKind` takes its place.

Source: document 002, "ScheduleFusion". The fusion has no parameters: it says that the two may be
issued together, and the order around it is the schedule.

Every reduce_scatter outside a fusion is a candidate. Legality, all of:
  (L1) a search through its producers, breadth first, meets an all_gather; the first one counts;
  (L2) the search ends at all_gather, reduce_scatter, all_reduce and all_to_all;
  (L3) it looks at no more than `max-ops` operations, nor do the users of the all_gather that are in
       the way number more;
  (L4) nothing that communicates or has side effects stands between the two, in regions, called
       functions and composites included: the order of communication is the program's;
  (L5) the reduce_scatter uses the all_gather's result itself.

The reschedule. The document moves the all_gather behind its transitive consumer and repairs
dominance afterwards, and it groups the two collectives without the compute between them. Where the
reduce_scatter needs the all_gather through compute, no order of the block is that and SSA at once,
and a group of the two alone would use its own result. So the window between the two is arranged as

  [what does not need the all_gather]  all_gather  [what leads from it to the reduce_scatter]
  reduce_scatter  [what else needs the all_gather]

each part in its old order. The collectives end up as near to each other as SSA permits, and all
compute that can leaves the window, which is the overlap that the document is after. Without compute
on the way (L5) they are adjacent and become the fusion, the all_gather first, since its result is
used; with it, the arrangement is made and a missed remark tells how many operations are between.
Every part keeps its operands, so the values do not change; collectives keep their order, so ranks
meet in the same sequence.

The tuple form of reduce_scatter that the document collects with its get_tuple_elements does not
exist: the verifiers of both dialects demand a ranked tensor as result.
"""

from dataclasses import dataclass
from typing import Any

from penguin.passes.hlo._schedule import Why, schedule
from penguin.passlib import ModulePass, Statistic, option

__all__ = ["ScheduleFusion", "Why"]


@dataclass
class ScheduleFusion(ModulePass):
    name = "schedule-fusion"
    requires = ("one-hlo-dialect",)

    max_ops: int = option(100, "operations that a search may look at")

    fused = Statistic("Number of ScheduleFusion clusters")
    moved = Statistic("Number of operations moved")

    def run(self, module: Any) -> None:
        fused, moved = schedule(self, module, self.max_ops)
        self.fused += fused
        self.moved += moved
