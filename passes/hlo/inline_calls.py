"""Replace every call by the body of the function it calls.

Before                                         After
  func.func @main(%a) {                          func.func @main(%a) {
    %0 = call @relu(%a)                            %c = stablehlo.constant dense<0.0>
    return %0                                      %0 = stablehlo.maximum %a, %c
  }                                                return %0
  func.func private @relu(%x) { ... }            }

Calls inside regions (loops, reductions) and calls inside called functions are inlined too. Each
operation gets a `callsite` location: where it stands in the callee, and who called. Private
functions that nobody refers to any more are erased.

Legality, all of:
  (L1) no function calls itself, directly or through others;
  (L2) the callee has a body;
  (L3) the callee's body is one block.
A violation is an error, and nothing is changed.
Keeps: public functions, the decompositions of composites, and functions with `noDelete`.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from penguin import mlir
from penguin.mlir import ir
from penguin.passes.hlo._calls import cycle, functions_of, inline_all
from penguin.passlib import ModulePass, Statistic


class Why(enum.Enum):
    RECURSIVE = "PGI011"  # L1
    NO_BODY = "PGI012"  # L2
    SEVERAL_BLOCKS = "PGI013"  # L3


@dataclass
class InlineCalls(ModulePass):
    name = "inline-calls"
    requires = ("hlo-level",)
    produces = ("inlined",)

    inlined = Statistic("Number of calls inlined")
    erased = Statistic("Number of private functions erased")

    def run(self, module: ir.Module) -> None:
        functions = functions_of(module)
        calls = {name: _calls(op) for name, op in functions.items()}
        findings = list(_illegal(functions, calls))
        for call, why, message in findings:
            self.error(call, why.value, message)
        if findings:
            return
        self.inlined += sum(map(len, calls.values()))
        before = len(functions)
        functions.clear()
        inline_all(module)
        self.erased += before - len(functions_of(module))


def _calls(function: ir.Operation) -> list[tuple[ir.Operation, str]]:
    """The calls in a function, each with the name of its callee."""
    found = mlir.walk(function, mlir.func.CallOp.OPERATION_NAME)
    return [(call, call.attributes["callee"].value) for call in found]


def _illegal(
    functions: dict[str, ir.Operation], calls: dict[str, list[tuple[ir.Operation, str]]]
) -> Iterator[tuple[ir.Operation, Why, str]]:
    for found in calls.values():
        for call, callee in found:
            blocks = len(functions[callee].regions[0].blocks)
            if blocks == 0:
                yield call, Why.NO_BODY, f"call of @{callee}, which has no body (L2)"
            elif blocks > 1:
                message = f"call of @{callee}, whose body has {blocks} blocks, expected 1 (L3)"
                yield call, Why.SEVERAL_BLOCKS, message
    found_cycle = cycle(calls)
    if found_cycle is not None:
        call, names = found_cycle
        chain = " -> ".join(f"@{name}" for name in names)
        yield call, Why.RECURSIVE, f"recursive call: {chain} (L1)"
