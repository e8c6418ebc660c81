"""Random data movement programs: every level, and every order of passes, computes what numpy says.

With the default pipeline, programs of ten ops, seeds 0 to 199. Every data-movement pass alone,
before and after `lower-tensor-op`, and all of them shuffled around it, programs of 10 to 40 ops:
in CI seeds 0 to 11; a long run, which prints what fails:

    python test/property/test_random_movement.py --seeds 0-999
"""

import importlib.util
import os
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import movement_checks as checks
import numpy as np
import pytest

from penguin import driver, execute, frontend, mlir
from penguin.driver import Level

SEEDS, CHUNK = 200, 20
ORDER_SEEDS, ORDER_CHUNK = 12, 6
OFFLOADED = ("memcpy", "memcast", "concat", "slice", "transpose")
LOAD_MAPS = {"lower-tensor-op": "load-maps=broadcast,memcast,memset,reshape,transpose"}
NESTS = {"hlo-to-penguin": " ".join(f"disable-emit-offloaded-{op}" for op in OFFLOADED)}


@pytest.fixture(scope="module")
def generator(shared: Path) -> ModuleType:
    return load(shared)


def load(shared: Path) -> ModuleType:
    """The generator, which is shared data."""
    path = shared / "conformance" / "random_movement.py"
    spec = importlib.util.spec_from_file_location("random_movement", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differences(outputs: list[np.ndarray], expected: list[np.ndarray]) -> list[str]:
    if len(outputs) != len(expected):
        return [f"{len(outputs)} outputs, expected {len(expected)}"]
    found = []
    for number, (actual, wanted) in enumerate(zip(outputs, expected, strict=True)):
        got, right = (f"{a.dtype}{list(a.shape)}" for a in (actual, wanted))
        if got != right:
            found.append(f"output {number} is {got}, expected {right}")
        elif not np.array_equal(actual, wanted):
            found.append(f"output {number} has other values")
    return found


def check(
    generator: ModuleType, seed: int, pass_options: Mapping[str, str] | None = None
) -> list[str]:
    """What is wrong with one program, at any level."""
    text, inputs, expected = generator.random_program(seed)
    found: list[str] = []
    reached: list[Level] = []

    def execute_level(level: Level, module: object) -> None:
        reached.append(level)
        # The first level belongs to the reference interpreter, not to us.
        if level is not Level.STABLEHLO:
            wrong = differences(execute.run(module, inputs), expected)
            found.extend(f"{level}: {text}" for text in wrong)

    try:
        driver.compile(frontend.load(text), after_stage=execute_level, pass_options=pass_options)
    except Exception as error:
        return [*found, f"after {reached}: {type(error).__name__}: {error}"]
    assert reached == list(Level)
    return found


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_level_equals_numpy(generator: ModuleType, first: int) -> None:
    with mlir.context():
        failures = [
            f"seed {seed}: {text}"
            for seed in range(first, first + CHUNK)
            for text in check(generator, seed)
        ]
    assert failures == []


@pytest.mark.parametrize("options", [NESTS, LOAD_MAPS, NESTS | LOAD_MAPS])
def test_with_options(generator: ModuleType, options: Mapping[str, str]) -> None:
    with mlir.context():
        failures = [
            f"seed {seed}: {text}"
            for seed in range(CHUNK)
            for text in check(generator, seed, options)
        ]
    assert failures == []


def order_failures(generator: ModuleType, seed: int) -> Iterator[str]:
    """The orders of passes after which a program computes something else."""
    rng = random.Random(seed)
    text, inputs, wanted = generator.random_program(seed, nops=rng.randint(10, 40))
    expected = checks.known(wanted)
    module = frontend.load(text)
    checks.run(module, "penguin-to-tensor-pipeline")
    kernel = str(module)
    checks.run(module, checks.LOWER)
    lowered = str(module)
    orders = [(start, order) for start in (kernel, lowered) for order in checks.alone()]
    both = (*checks.shuffled(rng), checks.LOWER, *checks.shuffled(rng), checks.LATE)
    for start, order in [*orders, (kernel, both)]:
        wrong = checks.failure(start, inputs, expected, order)
        if wrong is not None:
            yield f"{wrong}\n{checks.reduced(start, inputs, order)}"


@pytest.mark.parametrize("first", range(0, ORDER_SEEDS, ORDER_CHUNK))
def test_every_order_equals_numpy(generator: ModuleType, first: int) -> None:
    print(f"seeds {first} to {first + ORDER_CHUNK - 1}")
    for seed in range(first, first + ORDER_CHUNK):
        with mlir.context():
            wrong = next(order_failures(generator, seed), None)
            assert wrong is None, f"seed {seed}: {wrong}"


def main() -> int:
    beside = Path(__file__).resolve().parents[3] / "shared"
    found = load(Path(os.environ.get("PENGUIN_SHARED", beside)))
    return checks.long_run(__doc__.split("\n\n")[0], None, lambda seed: order_failures(found, seed))


if __name__ == "__main__":
    sys.exit(main())
