"""Executes a program of any level on numpy arrays, with whatever executes that level.

| level  | recognised by              | executor                                            |
|--------|----------------------------|-----------------------------------------------------|
| hlo    | neither of the others      | StableHLO's reference interpreter, or JAX on the CPU; |
|        |                            | `penguin.spmd` around the former, if asked for ranks |
| tensor | `penguin.kernel`           | `penguin.interp`                                    |
| loop   | `penguin.kernel`           | `penguin.interp`                                    |
| inst   | a `bir` op, or a `bir.Module` | `penguin.sim`                                    |

`compare` holds outputs against an oracle's, by the tolerance table of `penguin.dtypes`.
"""

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from penguin import bir, dtypes, interp, oracle, ports, sim, spmd
from penguin.dialects.bir import PREFIX
from penguin.dialects.penguin.attributes import KERNEL
from penguin.errors import UserError
from penguin.mlir import BOUNDARY, guard, ir, walk
from penguin.ports import Port, Signature

Progress = Callable[[int, int], None]

# Above this many elements the reference interpreter takes seconds.
_REFERENCE_LIMIT = 1 << 18


class Level(enum.StrEnum):
    """What executes a module."""

    HLO = "hlo"
    KERNEL = "kernel"
    INST = "inst"


class Oracle(enum.StrEnum):
    """Who executes the hlo level; `auto` is the reference interpreter for small programs."""

    AUTO = "auto"
    REFERENCE = "reference"
    JAX = "jax"


def level_of(program: "ir.Module | bir.Module") -> Level:
    """Which executor a module belongs to."""
    if not isinstance(program, ir.Module) or _has_instruction(program):
        return Level.INST
    return Level.KERNEL if KERNEL in ports.entry(program).attributes else Level.HLO


def _has_instruction(module: ir.Module) -> bool:
    found = False

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal found
        found = op.name.startswith(PREFIX)
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    with guard():
        module.operation.walk(BOUNDARY.wrap(visit, ir.WalkResult.INTERRUPT))
    return found


def run(
    program: "ir.Module | bir.Module",
    inputs: Sequence[np.ndarray],
    oracle: Oracle = Oracle.AUTO,
    progress: Progress | None = None,
) -> list[np.ndarray]:
    """The outputs of a program for these inputs, which are checked first.

    `progress(done, total)` is called with numbers of simulated instructions.
    """
    signature = ports.signature(program)
    inputs = [np.asarray(array) for array in inputs]
    level = level_of(program)
    if level is Level.INST:
        module = bir.from_mlir(program) if isinstance(program, ir.Module) else program
        return run_bir(module, inputs, signature, progress)
    ports.check_inputs(signature.inputs, inputs)
    if level is Level.KERNEL:
        return interp.run(program, inputs)
    return _run_hlo(program, inputs, oracle)


def run_ranks(program: "ir.Module | bir.Module", inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """As `run`; a program with collectives is executed on all its ranks in lockstep.

    Rank 0 gets the inputs as they are, rank r has the elements of each turned by r places, so that
    no rank computes what another does. The outputs are those of rank 0, then of rank 1, and so on.
    """
    if (
        not isinstance(program, ir.Module)
        or level_of(program) is not Level.HLO
        or spmd.first_collective(program) is None
    ):
        return run(program, inputs)
    count = spmd.grid_of(program).ranks
    ranks = [[np.roll(array, rank) for array in inputs] for rank in range(count)]
    outputs_of_rank = spmd.run(
        program, ranks, execute=lambda part, given: _run_hlo(part, given, Oracle.AUTO)
    )
    return [array for outputs in outputs_of_rank for array in outputs]


def run_bir(
    module: bir.Module,
    inputs: Sequence[np.ndarray],
    signature: Signature,
    progress: Progress | None = None,
) -> list[np.ndarray]:
    """Simulates; `signature` says which bytes are booleans, which BIR does not know."""
    inputs = [_as_bytes(array, port) for array, port in zip(inputs, signature.inputs, strict=False)]
    ports.check_inputs(ports.signature(module).inputs, inputs)
    outputs = sim.run(module, inputs, progress=progress)
    return [
        array.astype(port.dtype.numpy) if port.dtype.mlir == "i1" else array
        for array, port in zip(outputs, signature.outputs, strict=True)
    ]


def _as_bytes(array: np.ndarray, port: Port) -> np.ndarray:
    takes_bytes = port.dtype.bir == "uint8"
    return array.astype(np.uint8) if takes_bytes and array.dtype == np.bool_ else array


def _run_hlo(module: ir.Module, inputs: Sequence[np.ndarray], who: Oracle) -> list[np.ndarray]:
    if who is Oracle.JAX or (who is Oracle.AUTO and _work(module) > _REFERENCE_LIMIT):
        return oracle.jax_cpu(module, inputs)
    try:
        return oracle.reference(module, inputs)
    except UserError:
        if who is Oracle.REFERENCE:
            raise
    # An op that the interpreter does not know.
    return oracle.jax_cpu(module, inputs)


def _work(module: ir.Module) -> int:
    """Elements computed, loop bodies once; a product counts its multiplications."""
    total = 0
    for op in walk(module.operation):
        if not op.name.startswith(("stablehlo.", "chlo.")):
            continue
        out = sum(_count(result) for result in op.results)
        if op.name == "stablehlo.dot_general":
            lhs, rhs = (_count(operand) for operand in op.operands)
            out *= math.isqrt(lhs * rhs // max(out, 1))
        total += out
    return total


def _count(value: ir.Value) -> int:
    type_ = value.type
    return math.prod(type_.shape) if isinstance(type_, ir.RankedTensorType) else 0


@dataclass(frozen=True)
class Row:
    """One output held against an oracle's."""

    port: Port
    comparison: dtypes.Comparison


def compare(
    outputs: Sequence[np.ndarray], expected: Sequence[np.ndarray], ports_: Sequence[Port]
) -> list[Row]:
    """One row per output; raises PGR206 if the two programs have different outputs."""
    if len(outputs) != len(expected):
        raise UserError.at(
            "PGR206",
            f"the programs have {len(outputs)} and {len(expected)} outputs, expected equal",
        )
    rows = []
    for port, actual, wanted in zip(ports_, outputs, expected, strict=True):
        # BIR has bytes where the other levels have booleans.
        if {actual.dtype, wanted.dtype} == {np.dtype(np.bool_), np.dtype(np.uint8)}:
            actual, wanted = actual.astype(np.uint8), wanted.astype(np.uint8)
        if actual.shape != wanted.shape or actual.dtype != wanted.dtype:
            raise UserError.at(
                "PGR206",
                f"output '{port.name}' is {actual.dtype}{list(actual.shape)} here, "
                f"and {wanted.dtype}{list(wanted.shape)} in the program to compare with",
            )
        rows.append(Row(port, dtypes.compare(actual, wanted)))
    return rows
