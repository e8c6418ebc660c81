"""Print when every value lives, and the most bytes that live at once.

    live-range-analysis: @main
      %arg0 Liverange = [0, 2] 128 bytes
      %0 Liverange = [0, 1] 128 bytes
      ...
      peak 384 bytes at 1 'stablehlo.add' model.mlir:4:8

Source: document 002, "AnalyzeSchedule": an analysis of its own, not the producer of ScheduleFusion.
Only the marker ` Liverange =` is known of its text; the rest of the format is ours. The text goes
where messages go, so that what is written to stdout stays a module; the peak is a remark, too.

What a range is, and what counts: `penguin.analysis.live_range`. Every function with a body is
printed, in order, on either HLO dialect. Nothing is changed.
"""

from dataclasses import dataclass
from typing import Any

from penguin.analysis.live_range import liveness
from penguin.mlir import bindings_of
from penguin.passlib import ModulePass, Statistic
from penguin.passlib.diagnostics import describe
from penguin.passlib.statistics import Unit


@dataclass
class LiveRangeAnalysis(ModulePass):
    name = "live-range-analysis"
    requires = ("one-hlo-dialect",)
    produces = ("one-hlo-dialect",)

    values = Statistic("Number of values")
    peak = Statistic("Largest peak of live bytes", unit=Unit.BYTES)

    def run(self, module: Any) -> None:
        for view in module.operation.regions[0].blocks[0].operations:
            op = view.operation
            if op.name == "func.func" and len(op.regions[0].blocks):
                self._print(op)

    def _print(self, function: Any) -> None:
        found = liveness(function)
        # One for all names: asking a value by itself numbers the whole function each time.
        names = bindings_of(function).ir.AsmState(function)
        lines = [f"{self.name}: @{function.attributes['sym_name'].value}\n"]
        for each in found.ranges:
            name = each.value.get_name(names)
            size = f"{each.size} bytes" if each.size is not None else "0 bytes, no static tensor"
            lines.append(f"  {name} Liverange = [{each.first}, {each.last}] {size}\n")
        most, at = found.peak()
        op = found.ops[at]
        place = self.session.diagnostics.shown(describe(op))
        lines.append(f"  peak {most} bytes at {at} '{op.name}' {place}\n")
        self.session.output("".join(lines))
        self.analysis(op, "Peak", Bytes=most, Values=len(found.ranges))
        self.values += len(found.ranges)
        self.peak = max(self.peak, most)
