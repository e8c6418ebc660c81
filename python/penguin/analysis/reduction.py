"""Reductions of a nest: chains of loops that carry one accumulator.

A chain is a carried loop whose body is only the next carried loop, down to one with scalar code.
It is *recognised* when the code stores nothing and ends in `accumulator' = combine(accumulator,
value)`, for a combine that may be reordered and a `value` that does not depend on the accumulator.
A recognised float sum of products is a *contraction* and has `factors`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from penguin.analysis.nest import Leaf, Loop
from penguin.mlir import ir

COMBINES = frozenset(
    f"arith.{name}"
    for name in ("addf addi andi maximumf maxsi maxui minimumf minsi minui mulf ori xori".split())
)


@dataclass(frozen=True, eq=False)
class Reduction:
    """`loops` from outermost to innermost; `leaves` is the innermost loop's code.

    `combine` is the op name, None for a chain that is not recognised; `value` is what is combined
    each time; `factors` are the operands of the product, for a contraction.
    """

    loops: tuple[Loop, ...]
    leaves: tuple[Leaf, ...]
    init: ir.Value
    argument: ir.Value
    result: ir.Value
    combine: str | None = None
    value: ir.Value | None = None
    factors: tuple[ir.Value, ir.Value] | None = None


def match_reduction(loop: Loop) -> Reduction | None:
    """The chain that starts at `loop`; None unless each loop carries exactly one value."""
    loops = [loop]
    while True:
        inner = loops[-1]
        if len(inner.carried) != 1:
            return None
        carried = inner.carried[0]
        if not inner.loops:
            break
        (child, *rest) = inner.body
        if rest or not isinstance(child, Loop) or len(child.carried) != 1:
            return None
        below = child.carried[0]
        if below.init != carried.argument or carried.yielded != below.result:
            return None
        loops.append(child)
    leaves = tuple(loops[-1].leaves)
    found = Reduction(
        tuple(loops), leaves, loop.carried[0].init, carried.argument, loop.carried[0].result
    )
    return _recognise(found, carried.yielded) or found


def _recognise(found: Reduction, yielded: ir.Value) -> Reduction | None:
    producers = {leaf.result: leaf for leaf in found.leaves if leaf.result is not None}
    last = producers.get(yielded)
    if last is None or last.name not in COMBINES or found.argument not in last.operands:
        return None
    left, right = last.operands
    value = right if left == found.argument else left
    if any(leaf.result is None for leaf in found.leaves):
        return None
    readers = [v for leaf in found.leaves for v in leaf.operands if v == found.argument]
    if len(readers) != 1:
        return None
    factors = None
    product = producers.get(value)
    if last.name == "arith.addf" and product is not None and product.name == "arith.mulf":
        factors = (product.operands[0], product.operands[1])
    return Reduction(
        found.loops,
        found.leaves,
        found.init,
        found.argument,
        found.result,
        last.name,
        value,
        factors,
    )


def slice_of(value: ir.Value, leaves: Iterable[Leaf]) -> list[Leaf]:
    """The leaves that `value` is computed from, in program order."""
    needed = {value}
    chosen = []
    for leaf in reversed(list(leaves)):
        if leaf.result is not None and leaf.result in needed:
            needed.update(leaf.operands)
            chosen.append(leaf)
    return chosen[::-1]
