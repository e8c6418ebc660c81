"""The functions behind `stablehlo.composite` ops: which they are, and whether they can be used."""

from typing import Any

from penguin.dialects.hlo.attributes import COMPOSITE_KIND, GEN_COMPOSITE
from penguin.mlir import func, ir, stablehlo_ops, walk

COMPOSITE = stablehlo_ops()[0].CompositeOp.OPERATION_NAME
_PUBLIC = "public"


def is_ours(composite: ir.Operation) -> bool:
    """Whether penguin made the composite; its name says nothing."""
    return COMPOSITE_KIND in composite.attributes


def symbol_of(composite: ir.Operation) -> str:
    """The symbol of its decomposition."""
    return composite.attributes["decomposition"].value


def name_of(composite: ir.Operation) -> str:
    """The name under which it was written."""
    return composite.attributes["name"].value


class Decompositions:
    """The functions of a module by symbol, for composites to find theirs.

    Legality of putting a decomposition in the place of a composite: (D1) there is such a function;
    (D2) with a body (D3) of one block (D4) that ends with `func.return`; (D5) it has the
    composite's operand and result types. That it does not contain the composite is up to the user.
    """

    def __init__(self, module: ir.Operation) -> None:
        self.functions: dict[str, ir.Operation] = {
            view.sym_name.value: view.operation
            for view in module.regions[0].blocks[0].operations
            if isinstance(view, func.FuncOp)
        }
        self._faults: dict[str, str] = {}

    def body(self, composite: ir.Operation) -> ir.Block:
        """The block of the decomposition; only if there is no `fault`."""
        return self.functions[symbol_of(composite)].regions[0].blocks[0]

    def fault(self, composite: ir.Operation) -> str:
        """The first clause that does not hold, or nothing."""
        symbol = symbol_of(composite)
        found = self._faults.get(symbol)
        if found is None:
            found = self._faults[symbol] = self._look(symbol)
        return found or self._mismatch(composite, self.functions[symbol])

    def _look(self, symbol: str) -> str:
        function = self.functions.get(symbol)
        if function is None:
            return f"decomposition @{symbol} is not a function of the module (D1)"
        blocks = list(function.regions[0].blocks)
        if not blocks:
            return f"decomposition @{symbol} has no body (D2)"
        if len(blocks) > 1:
            return f"decomposition @{symbol} has {len(blocks)} blocks, expected 1 (D3)"
        operations = list(blocks[0].operations)
        last = operations[-1].operation.name if operations else "nothing"
        if last != func.ReturnOp.OPERATION_NAME:
            return f"decomposition @{symbol} ends with '{last}', expected 'func.return' (D4)"
        return ""

    def _mismatch(self, composite: ir.Operation, function: ir.Operation) -> str:
        signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        for kind, own, theirs in (
            ("operand", composite.operands, signature.inputs),
            ("result", composite.results, signature.results),
        ):
            mine = [value.type for value in own]
            if mine != theirs:
                listed = [", ".join(map(str, types)) for types in (theirs, mine)]
                symbol = symbol_of(composite)
                return (
                    f"decomposition @{symbol} has {kind} types ({listed[0]}), expected "
                    f"({listed[1]}) (D5)"
                )
        return ""

    def private(self, composites: list[ir.Operation]) -> list[str]:
        """Symbols of private functions that are there for composites only."""
        referenced = {symbol_of(composite) for composite in composites}
        return [
            symbol
            for symbol, function in self.functions.items()
            if not _is_public(function)
            and (symbol in referenced or GEN_COMPOSITE in function.attributes)
        ]


def composites(root: ir.Operation) -> list[ir.Operation]:
    """All composites below `root`."""
    return walk(root, COMPOSITE)


def _is_public(function: Any) -> bool:
    given = function.attributes
    return "sym_visibility" not in given or given["sym_visibility"].value == _PUBLIC
