"""Which function compiles which opcode; every opcode of the dialect is here."""

from collections.abc import Callable

from penguin.bir.model import Instruction
from penguin.dialects.bir.enums import Opcode
from penguin.sim import copies, elementwise, indirect, matmul, reductions
from penguin.sim.compiler import Compiler, Run

OPCODES: dict[str, Callable[[Compiler, Instruction], Run]] = {
    Opcode.LOAD: copies.compile_dma,
    Opcode.SAVE: copies.compile_dma,
    Opcode.DMA_COPY: copies.compile_dma,
    Opcode.GENERIC_INDIRECT_LOAD: indirect.compile_indirect_load,
    Opcode.MEMSET: copies.compile_memset,
    Opcode.TENSOR_COPY: copies.compile_tensor_copy,
    Opcode.COPY_PREDICATED: copies.compile_copy_predicated,
    Opcode.IOTA: copies.compile_iota,
    Opcode.TENSOR_TENSOR: elementwise.compile_tensor_tensor,
    Opcode.TENSOR_SCALAR: elementwise.compile_tensor_scalar,
    Opcode.TENSOR_SCALAR_PTR: elementwise.compile_tensor_scalar_ptr,
    Opcode.ACTIVATION: elementwise.compile_activation,
    Opcode.RECIPROCAL: elementwise.compile_reciprocal,
    Opcode.TENSOR_REDUCE: reductions.compile_tensor_reduce,
    Opcode.MATMULT: matmul.compile_matmult,
}
