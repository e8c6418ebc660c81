"""Fusion ops are expanded before tensor ops are lowered (document 000, "transformFusionOp").

The operands take the place of the formal arguments, the ops of the body stand where the fusion
stood, in its order, and its locals are allocations of the kernel, with names that nothing else has.
An op of a body keeps its location.

A dst that is also a src, or another dst, or shares its buffer, is refused: the body writes it while
it still reads the other.
"""

from collections.abc import Iterator, Sequence

from penguin.analysis.aliases import Aliases
from penguin.dialects.penguin import FusionOp
from penguin.dialects.penguin.attributes import NAME
from penguin.mlir import ir, walk


def fusions(root: ir.Operation) -> list[ir.Operation]:
    """All fusion ops below `root`."""
    return walk(root, FusionOp.OPERATION_NAME)


def overlaps(found: Sequence[ir.Operation], aliases: Aliases) -> Iterator[tuple[ir.Operation, str]]:
    """The fusions that write what they read, with the first such operand."""
    for op in found:
        given = list(op.operands)
        operands = [aliases.root(value) for value in given]
        first = len(operands) - len(op.opview.dsts)
        seen = {value: number for number, value in reversed(list(enumerate(operands[:first])))}
        for number, value in enumerate(operands[first:], first):
            other = seen.setdefault(value, number)
            if other != number:
                how = "is" if given[number] == given[other] else "shares memory with"
                yield (
                    op,
                    f"'{op.name}' op operand #{number} {how} operand #{other}, expected a"
                    " destination that is no other operand",
                )
                break


def expand(root: ir.Operation, found: Sequence[ir.Operation]) -> None:
    """Puts the body of each fusion in its place."""
    names = _Names(root) if found else None
    for op in found:
        block = op.regions[0].blocks[0]
        for formal, actual in zip(block.arguments, op.operands, strict=True):
            formal.replace_all_uses_with(actual)
        for each in [view.operation for view in block.operations]:
            if NAME in each.attributes:
                names.settle(each)
            each.move_before(op)
        op.erase()


class _Names:
    """The names of tensors in a kernel."""

    def __init__(self, root: ir.Operation) -> None:
        # Those in fusions are added one by one.
        ops = (op for op in walk(root) if NAME in op.attributes)
        self._taken = {
            op.attributes[NAME].value
            for op in ops
            if op.parent.operation.name != FusionOp.OPERATION_NAME
        }
        given = root.attributes["arg_attrs"] if "arg_attrs" in root.attributes else ()
        self._taken.update(each[NAME].value for each in given if NAME in each)
        self._counts: dict[str, int] = {}

    def settle(self, op: ir.Operation) -> None:
        """Gives the tensor that `op` allocates another name if its own is taken."""
        own = name = op.attributes[NAME].value
        while name in self._taken:
            count = self._counts[own] = self._counts.get(own, 0) + 1
            name = f"{own}_{count}"
        self._taken.add(name)
        if name != own:
            op.attributes[NAME] = ir.StringAttr.get(name)
