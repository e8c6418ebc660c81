"""The stablehlo twin of schedule-fusion: the same on stablehlo alone.

Before                                          After
  %g = stablehlo.all_gather %x                    %s = stablehlo.composite "composite.Fused" %x
  %s = stablehlo.reduce_scatter %g                       {CompositeKind = "ScheduleFusion",
                                                          decomposition = @hilo.genComposite0}

Source: document 002, "MHLO vs StableHLO divergence": members are cloned into a private function,
and the counter of the pass, `scheduleFusionCount` there, starts at 0 for each module and goes on
over all its functions. `schedule-fusion` takes both dialects and does the same here; legality,
reasons and the arrangement are described there. This name is for pipelines written for the
original; on mhlo it is an error.
"""

from dataclasses import dataclass
from typing import Any

from penguin.passes.hlo._schedule import Why, schedule
from penguin.passlib import ModulePass, Statistic, option

__all__ = ["StablehloScheduleFusion", "Why"]


@dataclass
class StablehloScheduleFusion(ModulePass):
    name = "stablehlo-schedule-fusion"
    requires = ("hlo-level",)

    max_ops: int = option(100, "operations that a search may look at")

    fused = Statistic("Number of ScheduleFusion clusters")
    moved = Statistic("Number of operations moved")

    def run(self, module: Any) -> None:
        fused, moved = schedule(self, module, self.max_ops)
        self.fused += fused
        self.moved += moved
