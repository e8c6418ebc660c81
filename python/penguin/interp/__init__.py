"""The reference interpreter of the tensor and loop levels, on numpy arrays.

    outputs = penguin.interp.run(module, inputs)

Modules of any mixture of the two levels: tensor ops (`tensor_ops`, `offloaded`), affine nests
(`affine`, `access`, `reductions`), and scalar code (`arith`, `math`, `memref`, `builtin`). One entry
per op, in the file with the name of its dialect file; `registry` says what an entry is. Loop nests
are evaluated over whole iteration domains (`program`, `affine`).

Codes: PGR001 an op or form without interpretation, PGR002 no kernel, PGR003 inputs that do not fit
it, PGR004 an access outside its memref.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from penguin import dtypes
from penguin.dialects.penguin.attributes import IO, KERNEL, IoKind
from penguin.errors import Diagnostic, UserError

# Imported for their entries.
from penguin.interp import affine, arith, builtin, math, memref, offloaded, tensor_ops  # noqa: F401
from penguin.interp.memref import fresh
from penguin.interp.program import Buffer, Compiler, Machine, drop_after_last_use
from penguin.mlir import ir
from penguin.passlib.diagnostics import describe

__all__ = ["run"]


def run(module: ir.Module, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs of the module's kernel; the inputs are not changed."""
    kernel = _kernel(module)
    block = kernel.regions[0].blocks[0]
    arguments = list(block.arguments)
    kinds = _io_kinds(kernel, arguments)
    compiler = Compiler()
    compiler.globals = {
        op.attributes["sym_name"].value: op
        for op in module.body.operations
        if op.operation.name == "memref.global"
    }
    machine = Machine()
    given = _checked(kernel, inputs, [a for a, k in zip(arguments, kinds, strict=True) if k])
    for argument, is_input in zip(arguments, kinds, strict=True):
        buffer = Buffer(next(given)) if is_input else fresh(argument.type)
        machine.buffers[compiler.number(argument)] = buffer
    with np.errstate(all="ignore"):
        for op in block.operations:
            _run_op(compiler, machine, op)
    return [
        machine.buffers[compiler.number(argument)].array
        for argument, is_input in zip(arguments, kinds, strict=True)
        if not is_input
    ]


def _run_op(compiler: Compiler, machine: Machine, op: Any) -> None:
    compiler.accesses.clear()
    compiler.domains.clear()
    node = compiler.node(op)
    if node is None:
        return
    _copy_where_stored(compiler)
    machine.run([node])


def _kernel(module: ir.Module) -> Any:
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    kernels = [op for op in functions if KERNEL in op.attributes]
    if len(kernels) != 1:
        raise UserError.at(
            "PGR002",
            f"the module has {len(kernels)} functions with {KERNEL}, expected one",
            describe(functions[0]) if functions else "",
        )
    return kernels[0]
