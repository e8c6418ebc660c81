"""Expand chlo operations into stablehlo operations.

Before                                         After
  %1 = chlo.square %0 : tensor<4xf32>            %1 = stablehlo.multiply %0, %0 : tensor<4xf32>

The expansions are those of the pass that ships with StableHLO (`chlo-legalize-to-stablehlo`), so
that they agree with what JAX and XLA compute. Every new operation has the location of the one that
it came from.

Legality: (L1) the shipped pass has an expansion for the operation on its types. A violation is an
error; of each function the first is reported.
"""

import enum
import re
from dataclasses import dataclass

from penguin import mlir
from penguin.mlir import ir
from penguin.passlib import ModulePass, Statistic

_SHIPPED = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
_REFUSED = re.compile(r"failed to legalize operation '(?P<op>[\w.]+)'")


class Why(enum.Enum):
    NO_EXPANSION = "PGI014"  # L1


@dataclass
class LegalizeChlo(ModulePass):
    name = "legalize-chlo"
    requires = ("hlo-level",)

    legalized = Statistic("Number of chlo operations expanded")

    def run(self, module: ir.Module) -> None:
        found = sum(op.name.startswith("chlo.") for op in mlir.walk(module.operation))
        if found == 0:
            return
        try:
            mlir.run_upstream(_SHIPPED, module.operation)
        except ir.MLIRError as error:
            for diagnostic in error.error_diagnostics:
                refused = _REFUSED.match(diagnostic.message)
                what = f"'{refused['op']}' op" if refused is not None else "a chlo operation"
                message = f"{what} has no expansion for its types (L1)"
                self.error(diagnostic.location, Why.NO_EXPANSION.value, message)
            return
        self.legalized += found
