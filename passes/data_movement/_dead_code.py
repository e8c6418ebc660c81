"""What in a loop nest nobody needs: dead stores, values without uses, loops that do nothing."""

from collections.abc import Callable

from penguin.analysis.nest import FOR, LOAD, STORE
from penguin.analysis.tensor_uses import VIEWS
from penguin.analysis.tensors import Step, Tensor
from penguin.mlir import ir
from penguin.passes.data_movement._tensor_ops import is_tensor_op

GENERIC_STORE = "memref.store"
# Ops that only run their bodies.
_CONTAINERS = frozenset({FOR, "affine.if", "affine.parallel", "scf.for", "scf.if"})
_TERMINATORS = frozenset({"affine.yield", "scf.yield"})
_PURE = frozenset({LOAD, "memref.load", "affine.apply", "affine.min", "affine.max"}) | VIEWS
_PURE_DIALECTS = ("arith.", "math.")
_CASTS = "builtin.unrealized_conversion_cast"


def is_pure(op: ir.Operation) -> bool:
    """Whether an op without uses may go."""
    name = op.name
    return name in _PURE or name.startswith(_PURE_DIALECTS) or name == _CASTS


def is_unused(op: ir.Operation) -> bool:
    return all(next(iter(result.uses), None) is None for result in op.results)


def is_known(op: ir.Operation) -> bool:
    """Whether an op does nothing but read and write tensors, and so do the ops inside of it."""
    name = op.name
    if name in (STORE, GENERIC_STORE) or name in _TERMINATORS or is_pure(op) or is_tensor_op(op):
        return True
    if name not in _CONTAINERS:
        return False
    return all(
        is_known(inner.operation)
        for region in op.regions
        for block in region.blocks
        for inner in block.operations
    )


def is_unread(tensor: Tensor, step: Step) -> bool:
    """Whether nobody can see what a step writes to a tensor, unless the step itself does."""
    if not tensor.is_internal:
        return False
    order = step.order
    return not any(access.step.order > order for access in tensor.loads) and not any(
        use.step.order > order for use in tensor.reading
    )


class Sweep:
    """Cleans the inside of one step; `stores` and `scalars` count what it has erased."""

    def __init__(self, is_dead: Callable[[ir.Operation], bool]) -> None:
        self.is_dead = is_dead
        self.stores = self.scalars = 0

    @property
    def erased(self) -> int:
        return self.stores + self.scalars

    def clean(self, op: ir.Operation) -> bool:
        """Erases what is dead in the regions of an op; whether something with effects stays."""
        effects = False
        for region in op.regions:
            for block in region.blocks:
                for view in reversed(list(block.operations)):
                    effects |= self._op(view.operation)
        return effects

    def _op(self, op: ir.Operation) -> bool:
        name = op.name
        if name in _TERMINATORS:
            return False
        if name in (STORE, GENERIC_STORE):
            if not self.is_dead(op):
                return True
            op.erase()
            self.stores += 1
            return False
        is_container = name in _CONTAINERS
        if not is_container and not is_pure(op):
            return True
        effects = is_container and self.clean(op)
        if not effects and is_unused(op):
            op.erase()
            self.scalars += 1
        return effects
