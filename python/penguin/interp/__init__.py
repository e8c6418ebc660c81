"""The reference interpreter of the tensor and loop levels, on numpy arrays.

    outputs = penguin.interp.run(module, inputs)

Modules of any mixture of the two levels: tensor ops (`tensor_ops`, `offloaded`), affine nests
(`affine`, `access`, `reductions`) and scalar code (`arith`, `math`, `memref`, `builtin`). One entry
per op, in the file with the name of its dialect file; `registry` says what an entry is. Loop nests
are evaluated over whole iteration domains (`program`, `affine`).

Tensors that share a buffer (`penguin.analysis.aliases`) are one array here.

Codes: PGR001 an op or form without interpretation, PGR002 no kernel, PGR003 inputs that do not fit
it, PGR004 an access outside its memref; those of `penguin.analysis.aliases`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from penguin import dtypes
from penguin.analysis.aliases import Aliases, check
from penguin.analysis.views import VIEW
from penguin.dialects.penguin.attributes import IO, KERNEL, IoKind
from penguin.errors import Diagnostic, UserError

# Imported for their entries.
from penguin.interp import affine, arith, builtin, fusion_op, math, offloaded, tensor_ops  # noqa: F401
from penguin.interp.memref import fresh
from penguin.interp.program import Buffer, Compiler, Machine, error
from penguin.interp.registry import SCALAR_OPS
from penguin.mlir import ir
from penguin.passlib.diagnostics import describe

__all__ = ["SCALAR_OPS", "run"]


def run(module: ir.Module, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs of the module's kernel; the inputs are not changed."""
    kernel = _kernel(module)
    block, *others = kernel.regions[0].blocks
    if others:
        raise error(kernel, "PGR001", f"has {len(others) + 1} blocks, expected one")
    arguments = list(block.arguments)
    kinds = _io_kinds(kernel, arguments)
    check(kernel)
    aliases = Aliases(kernel)
    compiler = Compiler()
    for value in aliases.tensors:
        compiler.numbers[value] = compiler.number(aliases.root(value))
    compiler.shared.update(compiler.number(value) for value in aliases.declared)
    for op in module.body.operations:
        if op.operation.name == "memref.global":
            compiler.globals[ir.StringAttr(op.attributes["sym_name"]).value] = op
    machine = Machine()
    types = [a.type for a, is_input in zip(arguments, kinds, strict=True) if is_input]
    given = iter(_checked(kernel, inputs, types))
    for argument, is_input in zip(arguments, kinds, strict=True):
        if is_input:
            machine.buffers[compiler.number(argument)] = Buffer(next(given))
    for argument in arguments:
        if compiler.number(argument) not in machine.buffers:
            machine.buffers[compiler.number(argument)] = fresh(argument.type)
    operations = list(block.operations)
    dead_after = _last_uses(block, operations, aliases)
    with np.errstate(all="ignore"):
        for number, op in enumerate(operations):
            _run_op(compiler, machine, op)
            for memref in dead_after.get(number, ()):
                machine.buffers.pop(compiler.number(memref), None)
    return [
        machine.buffers[compiler.number(argument)].array
        for argument, is_input in zip(arguments, kinds, strict=True)
        if not is_input
    ]


def _run_op(compiler: Compiler, machine: Machine, op: Any) -> None:
    """Compiles and runs one op of the kernel's body, a whole nest if it is a loop."""
    compiler.begin()
    node = compiler.node(op)
    compiler.end()
    if node is not None:
        machine.run([node])


def _last_uses(
    block: ir.Block, operations: list[Any], aliases: Aliases
) -> dict[int, list[ir.Value]]:
    """The memrefs that no op of the kernel's body after this one uses, by its position."""
    positions = {op.operation: number for number, op in enumerate(operations)}
    last: dict[ir.Value, int] = {}
    for op in operations:
        if op.operation.name not in ("memref.alloc", "memref.get_global"):
            continue
        (memref,) = op.results
        # A constant is read anew wherever it is named.
        root = aliases.root(memref) if op.operation.name == "memref.alloc" else memref
        if root in aliases.io:
            continue
        users = (positions[_in_block(user, block)] for user in _users(memref))
        end = max(users, default=positions[op.operation])
        last[root] = max(end, last.get(root, end))
    dead: dict[int, list[ir.Value]] = {}
    for root, end in last.items():
        dead.setdefault(end, []).append(root)
    return dead


def _users(memref: ir.Value) -> Iterator[ir.Operation]:
    """The ops that use a memref, or a view of it."""
    for use in memref.uses:
        user = use.owner.operation
        yield user
        if user.name == VIEW:
            yield from _users(user.results[0])


def _in_block(op: ir.Operation, block: ir.Block) -> ir.Operation:
    """The op of `block` that `op` is, or is inside of."""
    while op.block != block:
        op = op.parent.operation
    return op


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


def _io_kinds(kernel: Any, arguments: list[ir.Value]) -> list[bool]:
    """Per argument, whether it is an input; the others are outputs."""
    kinds = []
    for number in range(len(arguments)):
        attributes = kernel.arg_attrs[number] if "arg_attrs" in kernel.attributes else {}
        kind = attributes[IO].value if IO in attributes else None
        if kind not in (IoKind.INPUT, IoKind.OUTPUT):
            found = "no" if kind is None else f'"{kind}" as'
            raise UserError.at(
                "PGR002",
                f'argument #{number} has {found} {IO}, expected "input" or "output"',
                describe(kernel),
            )
        kinds.append(kind == IoKind.INPUT)
    return kinds


def _checked(
    kernel: Any, inputs: Sequence[np.ndarray], types: Sequence[ir.Type]
) -> list[np.ndarray]:
    """Copies of the inputs, which must have the arguments' shapes and dtypes."""
    where = describe(kernel)
    if len(inputs) != len(types):
        raise UserError.at("PGR003", f"got {len(inputs)} inputs, expected {len(types)}", where)
    faults, arrays = [], []
    for number, (given, type_) in enumerate(zip(inputs, types, strict=True)):
        memref = ir.MemRefType(type_)
        dtype = dtypes.of(memref.element_type)
        array = np.array(given, order="C")
        if dtype is None or array.dtype != dtype.numpy or array.shape != tuple(memref.shape):
            text = f"input #{number} is {array.dtype}{list(array.shape)}, expected {type_}"
            faults.append(Diagnostic("PGR003", text, where))
        arrays.append(array)
    if faults:
        raise UserError(faults)
    return arrays
