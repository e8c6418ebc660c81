"""Does a pass keep what the program computes?

`Semantics` executes the module on the same random inputs (`penguin.ports`) before the first pass
and after every one, and compares the results, pass by pass, by the tolerance table of
`penguin.dtypes`. The driver gives the executor: `execute(module, inputs) -> outputs` (the tools
give `penguin.execute.run`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penguin import dtypes, frontend, ports

Executor = Callable[[Any, Sequence[np.ndarray]], list[np.ndarray]]


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
        module = frontend.executable(module)
        self.inputs = ports.random_inputs(ports.signature(module).inputs, self.seed)
        self.results = self.execute(module, self.inputs)

    def check(self, module: Any) -> Difference | str | None:
        """Executes again: the difference to the last results, or None."""
        assert self.results is not None
        before, after = self.results, self.execute(frontend.executable(module), self.inputs)
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
