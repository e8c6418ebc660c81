"""What the tests of the data-movement passes share: which passes, in which orders, and results.

The passes are those of the group's table, so that one that is added is tested.
"""

import contextlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np

from penguin import execute, interp, mlir
from penguin.interp.program import Buffer
from penguin.mlir import ir
from penguin.passes import data_movement
from penguin.passlib import RunOptions, run_pipeline

LOWER, LATE = "lower-tensor-op", "late-lower-tensor-op"
_OPTIONS = RunOptions(write_reproducers=False)


def passes() -> list[str]:
    """Every pass of the group."""
    return sorted(data_movement.PASSES)


def alone() -> list[tuple[str, ...]]:
    """Every pass by itself."""
    return [(name,) for name in passes()]


def shuffled(rng: random.Random) -> tuple[str, ...]:
    """All passes in some order, a few of them a second time."""
    names = passes()
    order = rng.sample(names, len(names))
    return (*order, *rng.sample(names, 2))


@dataclass(frozen=True)
class Results:
    """Outputs, and per output which elements do not come from memory that nobody wrote to."""

    outputs: list[np.ndarray]
    defined: list[np.ndarray]

    def differences(self, module: ir.Module, inputs: Sequence[np.ndarray]) -> list[str]:
        """What a module computes that is not these results."""
        found = execute.run(module, inputs)
        texts = []
        for number, (new, old, where) in enumerate(
            zip(found, self.outputs, self.defined, strict=True)
        ):
            wrong = where & ~_same(new, old)
            if wrong.any():
                at = tuple(map(int, np.argwhere(wrong)[0]))
                texts.append(f"output {number} has {new[at]} at {list(at)}, expected {old[at]}")
        return texts


def results(module: ir.Module, inputs: Sequence[np.ndarray]) -> Results:
    """What a module computes, twice, with other bytes where nobody wrote."""
    outputs = execute.run(module, inputs)
    with _other_memory():
        others = execute.run(module, inputs)
    return Results(outputs, [_same(a, b) for a, b in zip(outputs, others, strict=True)])


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Per element, whether the bytes are equal."""
    sides = (np.ascontiguousarray(x).reshape(*x.shape, 1).view(np.uint8) for x in (a, b))
    return np.equal(*sides).all(-1)


@contextlib.contextmanager
def _other_memory() -> Iterator[None]:
    known = interp.memref.fresh

    def fresh(type_: ir.Type) -> Buffer:
        buffer = known(type_)
        buffer.raw.fill(0x4B)
        return buffer

    with (
        mock.patch.object(interp, "fresh", fresh),
        mock.patch.object(interp.memref, "fresh", fresh),
    ):
        yield


def run(module: ir.Module, name: str) -> None:
    """One pass over a module, which is verified."""
    run_pipeline(module, f"builtin.module({name})", options=_OPTIONS)


def failure(
    text: str, inputs: Sequence[np.ndarray], expected: Results, order: Iterable[str]
) -> str | None:
    """The first pass of an order that fails on a program, or changes what it computes."""
    module = mlir.parse(text)
    for name in order:
        before = str(module)
        try:
            run(module, name)
            if str(module) == before:
                continue
            wrong = expected.differences(module, inputs)
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            return f"{name}: {type(error).__name__}: {lines[0]}"
        if wrong:
            return f"{name}: {'; '.join(wrong)}"
    return None
