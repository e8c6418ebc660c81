"""Does a pass keep what the program computes?

`Semantics` executes the module on the same random inputs before the first pass and after every
one, and compares the results, pass by pass, by the tolerance table of `penguin.dtypes`. The driver
gives the executor: `execute(module, inputs) -> outputs` (the tools give `penguin.execute.run`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penguin import dtypes
from penguin.mlir import ir

Executor = Callable[[Any, Sequence[np.ndarray]], list[np.ndarray]]

_SHAPED = re.compile(r"(?:tensor|memref)<((?:\d+x)*)(\w+)")


@dataclass(frozen=True)
class Difference:
    """The first output that differs, and its largest errors."""

    output: int
    dtype: str
    max_abs: float
    max_rel: float
    tolerance: float

    def __str__(self) -> str:
        return (
            f"output {self.output} ({self.dtype}) differs: largest absolute error "
            f"{self.max_abs:.3g}, relative {self.max_rel:.3g}, tolerated {self.tolerance:.3g}"
        )


@dataclass
class Semantics:
    """Keeps the inputs and the last results."""

    execute: Executor
    seed: int = 0
    inputs: list[np.ndarray] = field(default_factory=list)
    results: list[np.ndarray] | None = None

    def start(self, module: Any) -> None:
        """Executes the module as it came; raises what the executor raises."""
        self.inputs = random_inputs(module, self.seed)
        self.results = self.execute(module, self.inputs)

    def check(self, module: Any) -> Difference | str | None:
        """Executes again: the difference to the last results, or None."""
        assert self.results is not None
        before, after = self.results, self.execute(module, self.inputs)
        if len(before) != len(after):
            return f"{len(before)} outputs became {len(after)}"
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old.shape != new.shape or old.dtype != new.dtype:
                return (
                    f"output {number} was {old.dtype}{list(old.shape)} "
                    f"and became {new.dtype}{list(new.shape)}"
                )
            found = dtypes.compare(new, old)
            if not found.ok:
                name = str(old.dtype)
                return Difference(number, name, found.max_abs, found.max_rel, found.tolerance)
        self.results = after
        return None


def random_inputs(module: Any, seed: int) -> list[np.ndarray]:
    """One array per input of the entry function: `main`, or the only public function.

    Floats are normal, integers span a small range around zero, so that products do not overflow.
    """
    generator = np.random.default_rng(seed)
    return [_random(generator, shape, dtype) for shape, dtype in _inputs(_entry(module))]


def _entry(module: Any) -> Any:
    functions = [
        f for f in module.operation.regions[0].blocks[0] if f.operation.name == "func.func"
    ]
    named = [
        f for f in functions if ir.StringAttr(f.operation.attributes["sym_name"]).value == "main"
    ]
    public = [f for f in functions if "sym_visibility" not in f.operation.attributes]
    found = named or public
    if len(found) != 1:
        raise ValueError(
            f"expected one function called main or one public function, found {len(found)}"
        )
    return found[0]


def _inputs(function: Any) -> list[tuple[tuple[int, ...], dtypes.DType]]:
    from penguin.dialects.penguin.attributes import IO

    attributes = function.operation.attributes
    given = attributes["arg_attrs"] if "arg_attrs" in attributes else None
    found = []
    for number, type_ in enumerate(
        t for t in function.operation.regions[0].blocks[0].arguments.types
    ):
        if given is not None:
            entry = ir.DictAttr(given[number])
            if IO in entry and ir.StringAttr(entry[IO]).value == "output":
                continue
        shaped = _SHAPED.match(str(type_))
        dtype = dtypes.of(shaped[2]) if shaped is not None else None
        if shaped is None or dtype is None:
            raise ValueError(
                f"argument {number} has type {type_}, expected a static tensor or memref"
            )
        found.append((tuple(int(d) for d in shaped[1].split("x") if d), dtype))
    return found


def _random(
    generator: np.random.Generator, shape: tuple[int, ...], dtype: dtypes.DType
) -> np.ndarray:
    if dtype.is_float:
        return np.asarray(generator.standard_normal(shape)).astype(dtype.numpy)
    if dtype.mlir == "i1":
        return np.asarray(generator.integers(0, 2, shape)).astype(np.bool_)
    low = 0 if dtype.numpy.kind == "u" else -8
    return np.asarray(generator.integers(low, 8, shape)).astype(dtype.numpy)
