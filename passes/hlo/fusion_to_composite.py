"""Turn every mhlo.fusion into a stablehlo.composite with a private decomposition function.

Before                                          After
  %0 = mhlo.fusion(%x) ({                         %0 = stablehlo.composite "composite.Fused" %x
  ^bb0(%a):                                            {CompositeKind = "Elementwise",
    %1 = mhlo.exponential %a                            composite_attributes = {},
    mhlo.return %1                                      decomposition = @hilo.FusedComposite.0,
  }) {FusionKind = "Elementwise"}                       version = 0}

                                                  func.func private @hilo.FusedComposite.0(%a)
                                                      attributes {genComposite = true,
                                                                  noDelete = true} {
                                                    %1 = mhlo.exponential %a
                                                    return %1
                                                  }

Source: document 002, "FusionToComposite".

* `CompositeKind` is copied from `FusionKind`, whatever it says; a fusion without one gets
  `FusedComposite`, which no consumer knows (NCC_ISPP054 there). The composite's name is
  `composite.Fused` for every kind, its attributes are empty, its version is 0.
* Operands verbatim. The body is cloned; `mhlo.return` becomes `func.return`.
* Decompositions are numbered from 0 per run, skipping names that are taken.
* Functions with `genComposite` are not looked into: their bodies have been converted. A fusion in a
  region of a fusion is converted first, so that the clone has its composite.
* Only uses outside the fusion's region are rewired; then the fusion is erased. There is no way
  back.
Legality: (L1) a fusion uses nothing from outside its region but its operands. A violation is an
error, and nothing is changed.
Leaves alone: everything else, hence modules without mhlo.fusion, such as those of stablehlo.
"""

import enum
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import FUSION_KIND, NO_KIND
from penguin.dialects.hlo.composite import Symbols, captures, outline
from penguin.mlir import bindings_of, walk
from penguin.passes.hlo._fusion import functions
from penguin.passlib import ModulePass, Statistic

_FUSION = "mhlo.fusion"
_PREFIX = "hilo.FusedComposite."


class Why(enum.Enum):
    CAPTURE = "PGH004"  # L1


@dataclass
class FusionToComposite(ModulePass):
    name = "fusion-to-composite"
    requires = ("one-hlo-dialect",)

    converted = Statistic("Number of fusions converted into composites")

    def run(self, module: Any) -> None:
        # Post-order: a nested fusion comes before the one around it.
        fusions = [op for function in functions(module) for op in walk(function, _FUSION)]
        for fusion in fusions:
            if captures(fusion):
                message = "'mhlo.fusion' op uses a value from outside its region (L1)"
                self.error(fusion, Why.CAPTURE.value, message)
        if self.failed:
            return
        symbols = Symbols(module, _PREFIX)
        for fusion in fusions:
            _convert(fusion, symbols.next())
        self.converted += len(fusions)


def _convert(fusion: Any, symbol: str) -> None:
    ir = bindings_of(fusion).ir
    block = fusion.regions[0].blocks[0]
    *body, terminator = [view.operation for view in block.operations]
    attributes = fusion.attributes
    kind = attributes[FUSION_KIND] if FUSION_KIND in attributes else ir.StringAttr.get(NO_KIND)
    composite = outline(
        fusion,
        symbol,
        kind,
        list(zip(fusion.operands, block.arguments, strict=True)),
        body,
        list(terminator.operands),
        fusion.location,
    )
    for result, new in zip(fusion.results, composite.results, strict=True):
        result.replace_all_uses_with(new)
    fusion.erase()
