"""Loads that the systolic array takes: factors of a sum of products."""

from collections.abc import Iterator

from penguin.analysis.tensors import Access
from penguin.mlir import ir

_CONVERSIONS = frozenset(
    {
        "arith.extf",
        "arith.truncf",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "arith.sitofp",
        "arith.uitofp",
        "builtin.unrealized_conversion_cast",
    }
)
_PRODUCTS = frozenset({"arith.mulf", "arith.muli"})
_SUMS = frozenset({"arith.addf", "arith.addi"})


def feeds_contraction(load: Access) -> bool:
    """Whether a loaded scalar is a factor of a product that a carried loop adds up."""
    if not load.path or not load.path[-1].carries:
        return False
    values = [load.value]
    while values:
        for use in values.pop().uses:
            user = use.owner
            if user.name in _CONVERSIONS:
                values.append(user.operation.results[0])
            elif user.name in _PRODUCTS:
                product = user.operation.results[0]
                if any(u.owner.name in _SUMS for u in _converted_uses(product)):
                    return True
    return False


def _converted_uses(value: ir.Value) -> Iterator[ir.OpOperand]:
    for use in value.uses:
        if use.owner.name in _CONVERSIONS:
            yield from _converted_uses(use.owner.operation.results[0])
        else:
            yield use
