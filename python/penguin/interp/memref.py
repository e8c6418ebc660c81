"""The memref dialect: allocation, constants, and accesses with computed indices.

Fresh memory is NaN (all bits set), or 0xAA bytes in integers, so that a read before a write shows.
A view (`penguin.analysis.views`) is another name of its base's buffer.
An allocation that shares the buffer of another tensor makes one only if it comes first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from penguin.analysis import views
from penguin.interp import numerics
from penguin.interp.access import LoadNode, StoreNode
from penguin.interp.affine import make_load, make_store
from penguin.interp.constants import elements
from penguin.interp.program import Buffer, Compiler, Machine, Node, error, numpy_type
from penguin.interp.registry import emitter
from penguin.mlir import ir


def fresh(type_: ir.Type) -> Buffer:
    """Memory that nobody has written to."""
    memref = ir.MemRefType(type_)
    dtype = numpy_type(memref.element_type)
    buffer = Buffer(np.empty(tuple(memref.shape), dtype))
    if dtype == numerics.BOOL:
        buffer.raw.fill(1)
    else:
        buffer.raw.fill(0xFF if numerics.is_float(dtype) else 0xAA)
    return buffer


@dataclass(eq=False)
class AllocNode(Node):
    type: ir.Type
    buffer: int
    shared: bool

    def run(self, machine: Machine) -> None:
        if not self.shared or self.buffer not in machine.buffers:
            machine.buffers[self.buffer] = fresh(self.type)


@dataclass(eq=False)
class ConstantNode(Node):
    attribute: ir.Attribute
    buffer: int

    def run(self, machine: Machine) -> None:
        machine.buffers[self.buffer] = Buffer(np.ascontiguousarray(elements(self.attribute)))


@dataclass(eq=False)
class CopyNode(Node):
    source: int
    target: int

    def run(self, machine: Machine) -> None:
        target = machine.buffers[self.target].array
        # One of them may be under another shape than its buffer.
        target[...] = machine.buffers[self.source].array.reshape(target.shape)


@emitter("memref.alloc")
def alloc(compiler: Compiler, op: Any) -> AllocNode:
    compiler.opaque += 1
    (value,) = op.results
    number = compiler.number(value)
    return AllocNode(value.type, number, number in compiler.shared)


@emitter("memref.dealloc")
def dealloc(compiler: Compiler, op: Any) -> None:
    compiler.opaque += 1


@emitter("memref.copy")
def copy(compiler: Compiler, op: Any) -> CopyNode:
    compiler.opaque += 1
    source, target = op.operands
    return CopyNode(compiler.number(source), compiler.number(target))


@emitter("memref.get_global")
def get_global(compiler: Compiler, op: Any) -> ConstantNode:
    name = ir.FlatSymbolRefAttr(op.attributes["name"]).value
    compiler.opaque += 1
    declaration = compiler.globals.get(name)
    if declaration is None or "initial_value" not in declaration.attributes:
        raise error(op, "PGR001", f"refers to @{name}, expected a memref.global with a value")
    return ConstantNode(declaration.attributes["initial_value"], compiler.number(op.results[0]))


@emitter(views.VIEW)
def view(compiler: Compiler, op: Any) -> None:
    problem = views.problem(op)
    if problem is not None:
        raise error(op, "PGR001", problem)
    compiler.numbers[op.results[0]] = compiler.number(op.operands[0])


@emitter("memref.load")
def load(compiler: Compiler, op: Any) -> LoadNode:
    memref, *indices = op.operands
    return make_load(compiler, op, memref, [compiler.operand(index) for index in indices])


@emitter("memref.store")
def store(compiler: Compiler, op: Any) -> StoreNode:
    value, memref, *indices = op.operands
    operands = [compiler.operand(index) for index in indices]
    return make_store(compiler, op, value, memref, operands)
