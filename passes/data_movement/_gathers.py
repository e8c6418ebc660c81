"""Gathers, which become generic accesses: a view of what they take from must keep its indices."""

from collections.abc import Iterable, Sequence

from penguin.analysis.tensors import Tensor, Use
from penguin.analysis.views import keeps_indices
from penguin.dialects.penguin import GatherOp
from penguin.mlir import ir


def gather_through(tensor: Tensor, shape: Sequence[int]) -> Use | None:
    """A gather that could not take from a tensor of `shape` by way of a view.

    It is lowered to loads at computed indices; the back end has no quotients of those.
    """
    return next((use for use in _gathers(tensor) if not keeps_indices(_taken(use), shape)), None)


def _gathers(tensor: Tensor) -> Iterable[Use]:
    return (use for use in tensor.reading if use.op.name == GatherOp.OPERATION_NAME)


def _taken(use: Use) -> tuple[int, ...]:
    return tuple(ir.MemRefType(use.op.operands[0].type).shape)
