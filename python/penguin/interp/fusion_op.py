"""The fusion op: its body runs on the operands themselves; see `dialects/penguin/fusion_op.py`."""

from dataclasses import dataclass
from typing import Any

from penguin.dialects import penguin as pg
from penguin.interp.program import Compiler, Machine, Node
from penguin.interp.registry import emitter


@dataclass(eq=False)
class FusionNode(Node):
    """The nodes of a body; `locals` are buffers that nothing needs after it."""

    body: list[Node]
    locals: list[int]

    def run(self, machine: Machine) -> None:
        machine.run(self.body)
        for buffer in self.locals:
            machine.buffers.pop(buffer, None)


@emitter(pg.FusionOp.OPERATION_NAME)
def fusion(compiler: Compiler, op: Any) -> FusionNode:
    compiler.opaque += 1
    block = op.operation.regions[0].blocks[0]
    # A formal argument is another name of the operand's buffer.
    for formal, actual in zip(block.arguments, op.operands, strict=True):
        compiler.numbers[formal] = compiler.number(actual)
    operations = list(block.operations)
    local = {compiler.number(result) for each in operations for result in each.results}
    return FusionNode(compiler.block(operations), sorted(local - compiler.shared))
