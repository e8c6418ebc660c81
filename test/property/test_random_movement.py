"""Random data movement programs, seeds 0 to 199: every level computes what numpy says."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from penguin import driver, execute, frontend, mlir
from penguin.driver import Level

SEEDS, CHUNK = 200, 20
OFFLOADED = ("memcpy", "memcast", "concat", "slice", "transpose")
LOAD_MAPS = {"lower-tensor-op": "load-maps=broadcast,memcast,memset,reshape,transpose"}
NESTS = {"hlo-to-penguin": " ".join(f"disable-emit-offloaded-{op}" for op in OFFLOADED)}


@pytest.fixture(scope="module")
def generator(shared: Path) -> ModuleType:
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
