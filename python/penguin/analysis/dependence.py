"""Whether a loop nest may be cut in two: iterations of one loop below a number, then the others.

For the outermost loop that is always so. For a loop further in, the order of iterations changes: an
iteration with a small count of the loop comes before all those with a larger one, whatever the
loops outside of it count. `may_reorder` tells whether memory ends up the same:

* two iterations that touch one element, at least one of them storing, do not change places; forms
  are asked first, then the polyhedral library;
* what is outside of the loop runs in both nests, and nobody notices: it is scalar code, and loads
  from what the nest does not store to;
* no loop down to the one that is cut carries a value.
"""

from collections.abc import Iterable, Iterator

from penguin.analysis.access_map import AccessMap
from penguin.analysis.iteration_domain import IF
from penguin.analysis.nest import FOR, LOAD
from penguin.analysis.tensors import Access, Loop, Step, Tensor
from penguin.mlir import ir

# Ops that may run twice: by dialect, or by name.
_SCALAR = frozenset({"arith", "math"})
_HARMLESS = frozenset(
    {"affine.apply", "affine.yield", "affine.min", "affine.max", "scf.yield", LOAD, "memref.load"}
)
# Ops that may be around the loop.
_SCOPES = frozenset({FOR, IF, "scf.if"})
# Pairs of accesses that are asked about (a guess).
MAX_PAIRS = 64


def may_reorder(step: Step, key: int, at: int | None = None) -> bool | None:
    """Whether iterations of loop `key` with small counts may come before those with larger ones.

    All small and large counts, or those below `at` and the others. None if it is unknown.
    """
    loop = next((loop for loop in step.loops.values() if loop.key == key), None)
    if loop is None or loop.extent is None or step.is_barrier:
        return None
    around = _around(step, loop)
    if around is None or any(outer.carries for outer in (*around, loop)):
        return None
    stored = [access.tensor for access in step.accesses if access.is_store]
    if any(tensor.perhaps is not None for tensor in stored):
        return None
    if any(use.writes or _shares(use.tensor, stored) for use in step.uses):
        return None
    inside = [access for access in step.accesses if loop in access.path]
    if any(loop not in a.path and _shares(a.tensor, stored) for a in step.accesses):
        return None
    if not around:
        return True
    pairs = list(_pairs(inside))
    if len(pairs) > MAX_PAIRS:
        return None
    maps = {access: AccessMap.of(access) for pair in pairs for access in pair}
    if any(one.tensor.dtype != other.tensor.dtype for one, other in pairs):
        return None
    answers = [_stays(maps[one], maps[other], len(around), at) for one, other in pairs]
    if False in answers:
        return False
    return None if None in answers else True


def _around(step: Step, loop: Loop) -> list[Loop] | None:
    """The loops outside of one, if all else in them is harmless."""
    loops, op = [], loop.op
    while op != step.op:
        parent = op.parent.operation
        if parent.name not in _SCOPES or not all(map(_is_harmless, _siblings(op, parent))):
            return None
        if parent.name == FOR:
            loops.append(step.loops[parent.regions[0].blocks[0].arguments[0]])
        op = parent
    return loops[::-1]


def _siblings(op: ir.Operation, parent: ir.Operation) -> Iterator[ir.Operation]:
    for region in parent.regions:
        for block in region.blocks:
            for view in block.operations:
                if view.operation != op:
                    yield view.operation


def _is_harmless(op: ir.Operation) -> bool:
    dialect = op.name.split(".")[0]
    return not len(op.regions) and (dialect in _SCALAR or op.name in _HARMLESS)


def _shares(tensor: Tensor, others: Iterable[Tensor]) -> bool:
    """Whether a tensor's buffer is that of one of some others."""
    return any(tensor.group is other.group for other in others)


def _pairs(accesses: list[Access]) -> Iterator[tuple[Access, Access]]:
    """Ordered pairs of accesses of one buffer, of which at least one stores."""
    for one in accesses:
        for other in accesses:
            if (one.is_store or other.is_store) and one.tensor.group is other.tensor.group:
                yield one, other


def _stays(
    one: AccessMap | None, other: AccessMap | None, level: int, at: int | None
) -> bool | None:
    """Whether no iteration of one access changes places with a later one of another."""
    if one is None or other is None:
        return None
    if one.shape != other.shape:
        # Two tensors in one buffer: elements have numbers.
        one, other = one.flattened(), other.flattened()
    return one.keeps_order(other, level, at)
