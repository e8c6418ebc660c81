"""The BIR simulator: runs a program on models of DRAM, SBUF and PSUM, and estimates its time.

`run(module, inputs)` executes the main function and gives its outputs in order; `estimate(module)`
counts cycles, bytes and operations without executing. Both read `penguin.bir.model`; MLIR plays no
part.

What is simulated: values, dtypes and addresses (docstrings of `casts`, `alu`, `activation`,
`memory`, `geometry`). What is not: engines running in parallel; instructions execute in
program order, as if every dependency were synchronised.

Errors (`UserError`, with the instruction's location): PGR100 inputs, PGR101 reading what was never
written, PGR102 outside of a tensor or memory, PGR103 malformed instruction, PGR104 not simulated,
PGR105 activation input out of range, PGR106 write to a read-only tensor.
"""

from collections.abc import Sequence

import numpy as np

from penguin.bir.model import Module
from penguin.dialects.bir.target import TARGETS
from penguin.errors import UserError
from penguin.sim.operands import UNWRITTEN
from penguin.sim.program import Program, Progress, compile_function
from penguin.sim.timing import Estimate, estimate

__all__ = ["Estimate", "estimate", "run"]


def run(
    module: Module,
    inputs: Sequence[np.ndarray],
    *,
    physical: bool = True,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[np.ndarray]:
    """Executes the main function.

    `physical` places tiles that have an address in shared SBUF and PSUM memories; otherwise every
    tile has memory of its own. `strict` checks the input ranges of all activation functions.
    `progress(done, total)` is called with numbers of executed instructions.
    """
    program = compile_function(
        module.main,
        inputs,
        TARGETS[module.target],
        physical=physical,
        strict=strict,
        progress=progress,
    )
    program.run()
    return _outputs(program)


def _outputs(program: Program) -> list[np.ndarray]:
    results = []
    for tensor in program.function.outputs():
        if not tensor.count:
            results.append(np.zeros(tensor.shape, tensor.numpy_dtype))
            continue
        storage = program.storages[tensor.name]
        if storage.data is None or storage.mask is not None:
            missing = 0 if storage.mask is None else int(np.argmin(storage.mask))
            raise UserError.at(
                UNWRITTEN,
                f"output '{tensor.name}' {storage.describe(missing)} was never written",
            )
        results.append(storage.data[: tensor.nbytes].view(tensor.numpy_dtype).reshape(tensor.shape))
    return results
