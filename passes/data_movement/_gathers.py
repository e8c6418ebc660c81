"""Gathers, which become generic accesses: a view of what they take from must keep its indices."""

from collections.abc import Iterable, Sequence

from penguin.analysis.tensors import Step, Tensor, Use
from penguin.analysis.views import keeps_indices
from penguin.dialects.penguin import GatherOp
from penguin.mlir import ir


def gather_through(
    tensor: Tensor, shape: Sequence[int], gathers: Iterable[Step] | None = None
) -> Use | None:
    """A gather that could not take from a tensor of `shape` by way of a view.

    It is lowered to loads at computed indices; the back end has no quotients of those. Who asks
    about many tensors knows all `gathers` of the function.
    """
    if gathers is None:
        found = [use for use in tensor.reading if is_gather(use.step)]
    else:
        uses = (step.whole.get(tensor) for step in gathers)
        found = [use for use in uses if use is not None and use.reads]
    return next((use for use in found if not keeps_indices(_taken(use), shape)), None)


def is_gather(step: Step) -> bool:
    return step.op.name == GatherOp.OPERATION_NAME


def _taken(use: Use) -> tuple[int, ...]:
    return tuple(ir.MemRefType(use.op.operands[0].type).shape)
