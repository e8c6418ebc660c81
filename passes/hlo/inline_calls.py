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
Keeps: public functions, and the decompositions of composites.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from penguin import mlir
from penguin.mlir import ir
from penguin.passlib import ModulePass, Statistic

# An empty default pipeline: upstream would canonicalise each function on the way.
_UPSTREAM = "builtin.module(inline{default-pipeline=},symbol-dce)"


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
        functions = _functions(module)
        calls = {name: _calls(op) for name, op in functions.items()}
        findings = list(_illegal(functions, calls))
        for call, why, message in findings:
            self.error(call, why.value, message)
        if findings:
            return
        self.inlined += sum(map(len, calls.values()))
        mlir.run_upstream(_UPSTREAM, module.operation)
        self.erased += len(functions) - len(_functions(module))


def _functions(module: ir.Module) -> dict[str, ir.Operation]:
    return {
        op.sym_name.value: op.operation
        for op in module.body.operations
        if isinstance(op, mlir.func.FuncOp)
    }


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
    cycle = _cycle(calls)
    if cycle is not None:
        call, names = cycle
        chain = " -> ".join(f"@{name}" for name in names)
        yield call, Why.RECURSIVE, f"recursive call: {chain} (L1)"


def _cycle(
    calls: dict[str, list[tuple[ir.Operation, str]]],
) -> tuple[ir.Operation, list[str]] | None:
    """A call that closes a cycle, with the names along it; depth-first without recursion."""
    done: set[str] = set()
    for root in calls:
        path, pending = [root], [iter(calls[root])]
        while pending:
            step = next(pending[-1], None)
            if step is None:
                done.add(path.pop())
                pending.pop()
                continue
            call, callee = step
            if callee in path:
                return call, [*path[path.index(callee) :], callee]
            if callee not in done:
                path.append(callee)
                pending.append(iter(calls[callee]))
    return None
