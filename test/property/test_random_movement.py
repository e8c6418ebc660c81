"""Random data movement programs, seeds 0 to 199: every level computes what numpy says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from penguin import driver, execute, frontend, mlir

SEEDS, CHUNK = 200, 20


@pytest.fixture(scope="module")
def generator(shared: Path) -> ModuleType:
    path = shared / "conformance" / "random_movement.py"
    spec = importlib.util.spec_from_file_location("random_movement", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differences(level: str, outputs: list[np.ndarray], expected: list[np.ndarray]) -> list[str]:
    if len(outputs) != len(expected):
        return [f"{level}: {len(outputs)} outputs, expected {len(expected)}"]
    found = []
    for number, (actual, wanted) in enumerate(zip(outputs, expected, strict=True)):
        if actual.dtype != wanted.dtype or actual.shape != wanted.shape:
            found.append(
                f"{level}: output {number} is {actual.dtype}{actual.shape}, "
                f"expected {wanted.dtype}{wanted.shape}"
            )
        elif not np.array_equal(actual, wanted):
            found.append(f"{level}: output {number} differs")
    return found


def check(generator: ModuleType, seed: int) -> list[str]:
    """What is wrong with one program, at any level."""
    text, inputs, expected = generator.random_program(seed)
    found: list[str] = []

    def executed(stage: driver.Stage, module: object) -> None:
        if stage.level != "stablehlo":
            found.extend(differences(stage.level, execute.run(module, inputs), expected))

    with mlir.context():
        try:
            driver.compile(frontend.load(text.encode()), after_stage=executed)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
    return found


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_level_equals_numpy(generator: ModuleType, first: int) -> None:
    failures = {
        seed: found for seed in range(first, first + CHUNK) if (found := check(generator, seed))
    }
    assert not failures, "\n".join(
        f"seed {seed}: {text}" for seed, found in failures.items() for text in found
    )
