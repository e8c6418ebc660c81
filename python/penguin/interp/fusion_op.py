"""The fusion op: its body runs on the operands themselves; see `dialects/penguin/fusion_op.py`.

A source that shares its buffer with a destination is read as it was before the op.
"""

from dataclasses import dataclass
from typing import Any

from penguin.dialects import penguin as pg
from penguin.interp.program import Buffer, Compiler, Machine, Node
from penguin.interp.registry import emitter


@dataclass(eq=False)
class FusionNode(Node):
    """The nodes of a body; `locals` are buffers that nothing needs after it, `saved` copies of
    sources that a destination overwrites, by their buffers."""

    body: list[Node]
    locals: list[int]
    saved: dict[int, int]

    def run(self, machine: Machine) -> None:
        for copy, source in self.saved.items():
            machine.buffers[copy] = Buffer(machine.buffers[source].array.copy())
        machine.run(self.body)
        for buffer in (*self.locals, *self.saved):
            machine.buffers.pop(buffer, None)


@emitter(pg.FusionOp.OPERATION_NAME)
def fusion(compiler: Compiler, op: Any) -> FusionNode:
    compiler.opaque += 1
    block = op.operation.regions[0].blocks[0]
    actuals = [compiler.number(actual) for actual in op.operands]
    first = len(actuals) - len(op.dsts)
    overwritten, saved = set(actuals[first:]), {}
    # A formal argument is another name of the operand's buffer.
    for number, (formal, actual) in enumerate(zip(block.arguments, actuals, strict=True)):
        if number < first and actual in overwritten:
            saved[compiler.number(formal)] = actual
        else:
            compiler.numbers[formal] = actual
    operations = list(block.operations)
    local = {compiler.number(result) for each in operations for result in each.results}
    return FusionNode(compiler.block(operations), sorted(local - compiler.shared), saved)
