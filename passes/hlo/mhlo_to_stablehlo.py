"""Hand a module over from mhlo to stablehlo, and from jaxlib's bindings to torch_mlir's.

Before (jaxlib)                                 After (torch_mlir)
  %0 = mhlo.add %a, %b                            %0 = stablehlo.add %a, %b
  %1 = mhlo.copy %0                               uses of %1 become uses of %0
  %2 = mhlo.erf %1                                %2 = chlo.erf %0

jaxlib's own pass converts the most, bytecode carries the module across with its locations. A module
that is on the other side already is left alone.

Legality, for every op:
  (L1) a `mhlo.fusion` has one of the seven kinds;
  (L2) there is no `mhlo.fusion`: `fusion-to-composite` has turned it into a composite;
  (L3) it has a counterpart in stablehlo or chlo; for mhlo.copy, and mhlo.bitcast between equal
       types, that is their operand.
All violations are reported, and then nothing is handed over.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from penguin import mlir
from penguin.dialects.hlo.attributes import FUSION_KIND, Kind
from penguin.mlir import TORCH, bindings_of, ir, walk
from penguin.passlib import ModulePass, Statistic

_FUSION = "mhlo.fusion"
_COPIES = ("mhlo.copy", "mhlo.bitcast")
_PREFIX = "mhlo."
# Ops that are in chlo instead of stablehlo, with the same operand and result.
_IN_CHLO = ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh")


class Why(enum.Enum):
    UNKNOWN_KIND = "NCC_PYP053"  # L1
    FUSION = "PGH002"  # L2
    NO_COUNTERPART = "PGH003"  # L3


@dataclass
class MhloToStablehlo(ModulePass):
    name = "mhlo-to-stablehlo"
    produces = ("hlo-level",)

    converted = Statistic("Number of mhlo ops converted")
    copies = Statistic("Number of mhlo copies that became their operand")

    def run(self, module: Any) -> Any:
        if bindings_of(module) is TORCH:
            return None
        ops = [op for op in walk(module) if op.name.startswith(_PREFIX)]
        fusions = list(_fusions(ops))
        for op, why, message in fusions:
            self.error(op, why.value, message)
        if fusions:
            return None
        for op in ops:
            if op.name in _COPIES and op.operands[0].type == op.results[0].type:
                _replace(op, op.operands[0])
                self.copies += 1
            elif op.name.removeprefix(_PREFIX) in _IN_CHLO:
                _replace(op, _as_chlo(op))
        self.converted += len(ops) - self.copies
        return self._hand_over(module)

    def _hand_over(self, module: Any) -> ir.Module | None:
        try:
            mlir.mhlo.legalize(module)
        except ValueError as error:
            self.error(module, Why.NO_COUNTERPART.value, f"{str(error).splitlines()[0]} (L3)")
            return None
        left = [op for op in walk(module) if op.name.startswith(_PREFIX)]
        for op in left:
            message = f"'{op.name}' op has no counterpart in stablehlo (L3)"
            self.error(op, Why.NO_COUNTERPART.value, message)
        return None if left else mlir.parse(mlir.to_bytecode(module.operation))


def _as_chlo(op: Any) -> Any:
    ir = bindings_of(op).ir
    name = f"chlo.{op.name.removeprefix(_PREFIX)}"
    types = [result.type for result in op.results]
    made = ir.Operation.create(
        name, types, list(op.operands), ip=ir.InsertionPoint(op), loc=op.location
    )
    return made.results[0]


def _replace(op: Any, value: Any) -> None:
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _fusions(ops: list[Any]) -> Iterator[tuple[Any, Why, str]]:
    for op in ops:
        if op.name != _FUSION:
            continue
        kind = op.attributes[FUSION_KIND].value if FUSION_KIND in op.attributes else ""
        if kind in tuple(Kind):
            message = "'mhlo.fusion' op is left; fusion-to-composite turns it into a composite (L2)"
            yield op, Why.FUSION, message
        else:
            message = (
                f"Unexpected FusionOp type '{kind}'. Supported fusion types are: "
                f"{', '.join(Kind)}. (L1)"
            )
            yield op, Why.UNKNOWN_KIND, message
