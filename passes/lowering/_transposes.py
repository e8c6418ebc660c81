"""Transposes that one loop nest cannot do: in place, or between reshapes without a common basis.

Document 000: should_split_offloaded_transpose, split_offloaded_transpose. A copy to a tensor of its
own goes before the transpose, or behind it, or both.
"""

from collections.abc import Iterator
from typing import NamedTuple

from penguin.analysis.aliases import Aliases
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import MemcpyOp, TransposeOp
from penguin.dialects.penguin.attributes import SRC_SHAPE
from penguin.mlir import ir, memref, walk
from penguin.nests.transposes import Split, split

IN_PLACE = "Only IO buffer could transpose with same src/dst"


class Plan(NamedTuple):
    """What a transpose needs. `copied` if its source would be overwritten while it is read."""

    op: ir.Operation
    split: Split
    copied: bool


def plans(root: ir.Operation) -> Iterator[Plan | ir.Operation]:
    """The transposes that need more than a nest; one that is wrong stands for itself."""
    found = walk(root, TransposeOp.OPERATION_NAME)
    aliases = Aliases(root) if found else None
    for op in found:
        src, dst = op.operands
        shapes = tensor_of(src.type).shape, tensor_of(dst.type).shape
        if 0 in shapes[1]:
            continue
        copied = aliases.may(src, dst)
        if copied and aliases.root(src) not in aliases.io:
            yield op
            continue
        view = op.opview
        needed = split(shapes[0], view.permuted, tuple(view.permutation), shapes[1])
        if copied or any(needed):
            yield Plan(op, needed, copied)


def rewrite(plan: Plan) -> None:
    """Puts copies around the transpose; what is left of it has a common basis."""
    op, view = plan.op, plan.op.opview
    src, dst = op.operands
    before, permutation = view.permuted, tuple(view.permutation)
    if plan.split.src:
        src = _copied(op, src, before)
    elif plan.copied:
        src = _copied(op, src, tensor_of(src.type).shape)
    ip = ir.InsertionPoint(op)
    after = _alloc(op, dst, [before[dim] for dim in permutation]) if plan.split.dst else dst
    attributes = {"permutation": op.attributes["permutation"]}
    if tensor_of(src.type).shape != before or SRC_SHAPE in op.attributes:
        attributes[SRC_SHAPE] = ir.DenseI64ArrayAttr.get(before)
    ir.Operation.create(op.name, [], [src, after], attributes, ip=ip, loc=op.location)
    if plan.split.dst:
        _copy(op, after, dst)
    op.erase()


def _copied(op: ir.Operation, value: ir.Value, shape: tuple[int, ...]) -> ir.Value:
    """A new tensor of `shape` with the elements of `value`."""
    new = _alloc(op, value, shape)
    _copy(op, value, new)
    return new


def _copy(op: ir.Operation, src: ir.Value, dst: ir.Value) -> None:
    ip = ir.InsertionPoint(op)
    ir.Operation.create(MemcpyOp.OPERATION_NAME, [], [src, dst], ip=ip, loc=op.location)


def _alloc(op: ir.Operation, like: ir.Value, shape: "list[int] | tuple[int, ...]") -> ir.Value:
    type_ = like.type
    new = ir.MemRefType.get(shape, type_.element_type, memory_space=type_.memory_space)
    attributes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
    return ir.Operation.create(
        memref.AllocOp.OPERATION_NAME,
        [new],
        attributes=attributes,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    ).result
