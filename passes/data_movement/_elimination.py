"""What the thin `*-op-elimination` passes share: candidates, bytes, and one run of the engine.

A pass names its op classes, its optimizer (a subclass of `OpOptimizer`), and its reasons.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from penguin.analysis.tensor_uses import TensorUses
from penguin.dialects.base import tensor
from penguin.mlir import ir
from penguin.passes.data_movement._optimizer import OpOptimizer
from penguin.passlib import FunctionPass, Statistic, option


@dataclass
class OpEliminationPass(FunctionPass):
    """Base of the passes; no pass itself."""

    requires = ("tensor-level",)
    produces = ("tensor-level",)
    kinds: ClassVar[tuple[type, ...]]
    optimizer: ClassVar[type[OpOptimizer]]
    why: ClassVar[type[enum.Enum]]

    disable_degraded_fusion: bool = option(
        False,
        "decline what would make a worse loop nest: accesses that repeat and lose their order",
    )
    big_tensor_threshold_one_d: int = option(
        0, "decline to merge the dimensions of more elements than this into one (0: no limit)"
    )

    cuts = Statistic("Number of loop nests cut")
    splits = Statistic("Number of loops split")

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        names = {kind.OPERATION_NAME for kind in self.kinds}
        for view in root.operation.regions[0].blocks[0].operations:
            if view.operation.name in names:
                yield view.operation

    def bytes_of(self, op: ir.Operation) -> int:
        operands = op.operands
        facts = tensor(operands[len(operands) - 1])
        return facts.count * facts.dtype.itemsize

    def run(self, root: ir.OpView) -> None:
        optimizer = self.optimizer(self, TensorUses(root.operation), self.kinds)
        optimizer.run()
        self.cuts += optimizer.rewriter.cuts
        self.splits += optimizer.rewriter.splits
        self.account(optimizer)

    def account(self, optimizer: OpOptimizer) -> None:
        """Puts what else the engine counted into the pass's statistics."""
