"""What the tests of the data-movement passes share: which passes, in which orders, and results.

The passes are those of the group's table, so that one that is added is tested.
"""

import argparse
import contextlib
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np

from penguin import dtypes, execute, interp, mlir
from penguin.errors import UserError
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
    inexact: tuple[int, ...] = ()
    """Outputs that are compared by the tolerance table."""

    def differences(self, module: ir.Module, inputs: Sequence[np.ndarray]) -> list[str]:
        """What a module computes that is not these results."""
        found = execute.run(module, inputs)
        texts = []
        for number, (new, old, where) in enumerate(
            zip(found, self.outputs, self.defined, strict=True)
        ):
            if (new.dtype, new.shape) != (old.dtype, old.shape):
                texts.append(f"output {number} is {new.dtype}{list(new.shape)}")
                continue
            if number in self.inexact:
                comparison = dtypes.compare(new, old)
                if not comparison.ok:
                    texts.append(f"output {number} is off by {comparison.max_rel:.3g}")
                continue
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


def known(outputs: Sequence[np.ndarray], exact: Sequence[bool] | None = None) -> Results:
    """Results that another source gives; all elements are defined, some outputs rounded."""
    inexact = [n for n, is_exact in enumerate(exact or ()) if not is_exact]
    defined = [np.ones(a.shape, np.bool_) for a in outputs]
    return Results(list(outputs), defined, tuple(inexact))


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Per element, whether they are equal, or NaNs of the same bytes."""
    sides = (np.ascontiguousarray(x).reshape(*x.shape, 1).view(np.uint8) for x in (a, b))
    return (a == b) | np.equal(*sides).all(-1)


@contextlib.contextmanager
def _other_memory() -> Iterator[None]:
    usual, numbers = interp.memref.fresh, np.random.default_rng(0)

    def fresh(type_: ir.Type) -> Buffer:
        buffer = usual(type_)
        # No pattern: the difference of two such elements must not look defined. And nothing that
        # a conversion takes to what it makes of the usual NaN, 0 or a limit.
        if np.issubdtype(buffer.array.dtype, np.integer):
            buffer.raw[:] = numbers.integers(1, 100, buffer.raw.shape)
        elif buffer.array.dtype != np.bool_:
            buffer.array[...] = numbers.integers(3, 100, buffer.array.shape)
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
    before = str(module)
    for name in order:
        try:
            run(module, name)
            after = str(module)
            if after == before:
                continue
            wrong, before = expected.differences(module, inputs), after
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            return f"{name}: {type(error).__name__}: {lines[0]}"
        if wrong:
            return f"{name}: {'; '.join(wrong)}"
    return None


def reduced(text: str, inputs: Sequence[np.ndarray], order: Sequence[str]) -> str:
    """A kernel with as few of its steps as still make an order of passes fail."""
    head, steps, tail = _split(str(mlir.parse(text)))

    def fails(chosen: Sequence[str]) -> bool:
        shorter = "\n".join((*head, *chosen, *tail))
        try:
            expected = results(mlir.parse(shorter), inputs)
        except (ir.MLIRError, UserError):
            # Without that step it is no program any more.
            return False
        return failure(shorter, inputs, expected, order) is not None

    while True:
        shorter = next((c for c in _smaller(steps) if fails(c)), None)
        if shorter is None:
            return "\n".join((*head, *steps, *tail))
        steps = shorter


def _split(text: str) -> tuple[list[str], list[str], list[str]]:
    """The lines before the first step of a printed kernel, its steps, and the lines after."""
    lines = text.splitlines()
    first = 1 + next(n for n, line in enumerate(lines) if "func.func" in line)
    last = next(n for n, line in enumerate(lines) if line.strip() == "return")
    steps: list[str] = []
    for line in lines[first:last]:
        # Only a step's first and last line are indented as far as that.
        if len(line) - len(line.lstrip()) > 4 or line.lstrip().startswith("}"):
            steps[-1] += f"\n{line}"
        else:
            steps.append(line)
    return lines[:first], steps, lines[last:]


def _smaller(steps: Sequence[str]) -> Iterator[list[str]]:
    """The steps without some of them, many first."""
    size = max(1, len(steps) // 2)
    while True:
        for start in range(len(steps) - size, -1, -size):
            yield [*steps[:start], *steps[start + size :]]
        if size == 1:
            return
        size //= 2


def long_run(
    description: str, argv: "list[str] | None", find: Callable[[int], Iterable[str]]
) -> int:
    """The command line of a long run: `find` says what is wrong with a seed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seeds", default="0-999", help="first-last")
    parser.add_argument("--most", type=int, default=20, help="stop after so many failures")
    options = parser.parse_args(argv)
    first, last = map(int, options.seeds.split("-"))
    found, start = 0, time.process_time()
    for seed in range(first, last + 1):
        if (seed - first) % 50 == 0:
            seconds = time.process_time() - start
            print(f"seed {seed}, {seconds:.0f} s", file=sys.stderr, flush=True)
        with mlir.context():
            for text in find(seed):
                found += 1
                print(f"seed {seed}: {text}", flush=True)
        if found >= options.most:
            break
    print(f"{found} failures, seeds {first} to {seed}")
    return 1 if found else 0
