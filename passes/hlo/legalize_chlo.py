"""Expand chlo operations into stablehlo operations.

Before                                         After
  %1 = chlo.square %0 : tensor<4xf32>            %1 = stablehlo.multiply %0, %0 : tensor<4xf32>

The expansions are those of the pass that ships with StableHLO (`chlo-legalize-to-stablehlo`), so
that they agree with what JAX and XLA compute. Every new operation has the location of the one that
it came from. Leaves alone: operations that the shipped pass does not know (`chlo.ragged_dot`);
`hlo-to-penguin` reports them.
"""

from dataclasses import dataclass

from penguin import mlir
from penguin.mlir import ir
from penguin.passlib import ModulePass, Statistic

_SHIPPED = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


@dataclass
class LegalizeChlo(ModulePass):
    name = "legalize-chlo"
    requires = ("hlo-level",)

    legalized = Statistic("Number of chlo operations expanded")

    def run(self, module: ir.Module) -> None:
        before = _count(module)
        if before == 0:
            return
        mlir.run_upstream(_SHIPPED, module.operation)
        self.legalized += before - _count(module)


def _count(module: ir.Module) -> int:
    return sum(op.name.startswith("chlo.") for op in mlir.walk(module.operation))
