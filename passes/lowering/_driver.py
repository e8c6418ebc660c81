"""What both lowering passes do around their tables of ops: collect, refuse, rewrite.

A lowering writes the nests of one op in front of it; the op is then erased. Nothing is changed
unless every op can be lowered.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.mlir import ir, walk
from penguin.nests.builder import Builder, Lowering, Tensor
from penguin.nests.origins import Origin
from penguin.passlib import FunctionPass

Origins = Callable[[Sequence[ir.Operation], Builder], Mapping[tuple[int, int], Origin]]
"""Where the ops to be lowered load from instead, by number of the op and of its operand."""

OVERLAP = "PGL010"


@dataclass(frozen=True)
class Work:
    """What was done: ops lowered, loop nests written, bytes of all the destinations."""

    ops: int = 0
    nests: int = 0
    bytes: int = 0


def lower(
    host: FunctionPass,
    root: ir.OpView,
    lowerings: Mapping[type, Lowering],
    pointwise: Collection[type],
    expand: Callable[[], bool] = lambda: False,
    origins: Origins = lambda ops, builder: {},
) -> Work:
    """Lowers each op below `root` whose class has an entry, in one pass over the ops.

    Element `i` of the destination of a `pointwise` op depends on no other element of a source of
    the same shape, so these may work in place; any other op whose destination is one of its sources
    is reported through `host`, for a nest would read what it has overwritten.

    `expand` is called when nothing has been reported: it may put ops into the places of others, and
    then says so. Then `origins` is asked.
    """
    by_name = {cls.OPERATION_NAME: (emit, cls in pointwise) for cls, emit in lowerings.items()}
    builder = Builder()
    found = _collect(host, root, by_name, builder)
    if host.failed:
        return Work()
    if expand():
        found = _collect(host, root, by_name, builder)
    size = 0
    for (number, operand), origin in origins([op for op, _, _ in found], builder).items():
        tensors = found[number][2]
        tensors[operand] = tensors[operand]._replace(origin=origin)
    for op, emit, tensors in found:
        replace(op, emit, builder, tensors)
        size += tensors[-1].size
    return Work(len(found), builder.nests, size)


def replace(
    op: ir.Operation, emit: Lowering, builder: Builder, tensors: list[Tensor] | None = None
) -> None:
    """Puts the nests of one op in its place."""
    if tensors is None:
        tensors = [builder.tensor(value) for value in op.operands]
    # A tensor without elements needs no code.
    if not tensors[-1].empty:
        emit(op.opview, builder, *tensors)
    op.erase()


def _collect(
    host: FunctionPass,
    root: ir.OpView,
    by_name: Mapping[str, tuple[Lowering, bool]],
    builder: Builder,
) -> list[tuple[ir.Operation, Lowering, list[Tensor]]]:
    """The ops to lower; those that cannot be are reported."""
    found = []
    aliases = Aliases(root)
    for op in walk(root.operation):
        entry = by_name.get(op.name)
        if entry is None:
            continue
        operands = list(op.operands)
        emit, in_place = entry
        clash = _clash(operands, in_place, aliases)
        if clash:
            host.error(
                op,
                OVERLAP,
                f"'{op.name}' op operand #{len(operands) - 1} {clash}, expected a destination that"
                " is not read",
            )
            continue
        found.append((op, emit, [builder.tensor(value) for value in operands]))
    return found


def _clash(operands: list[ir.Value], in_place: bool, aliases: Aliases) -> str:
    """What forbids the destination, the last operand: a source that it overwrites too early."""
    *srcs, dst = operands
    for number, src in enumerate(srcs):
        if aliases.no(src, dst) or (in_place and aliases.must(src, dst)):
            continue
        return f"is operand #{number}" if src == dst else f"shares memory with operand #{number}"
    return ""
