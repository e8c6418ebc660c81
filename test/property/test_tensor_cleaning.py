"""The cleaning passes in any order, before and after lowering: values stay, bit by bit."""

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import random_buffers

from penguin import execute, frontend, mlir, ports
from penguin.passlib.runner import RunOptions, run_pipeline

PASSES = (
    "commute-concat",
    "concat-delinearizer",
    "de-concat",
    "dead-code-elimination",
    "dead-store-elimination",
    "delinearization",
    "simplify-slice",
    "tensor-op-simplifier",
    "tensor-op-transform",
    "zero-size-tensor-elimination",
)
OPTIONS = RunOptions(write_reproducers=False)
MOVEMENT, BUFFERS, CHUNK = 100, 200, 25


@pytest.fixture(scope="module")
def movement(shared: Path) -> ModuleType:
    path = shared / "conformance" / "random_movement.py"
    spec = importlib.util.spec_from_file_location("random_movement", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def order(seed: int) -> list[str]:
    """Up to eight passes, with lowering anywhere between them for two seeds of three."""
    pick = random.Random(seed * 7919 + 1)
    passes = [pick.choice(PASSES) for _ in range(pick.randint(1, 8))]
    for number, lowering in enumerate(("lower-tensor-op", "late-lower-tensor-op")):
        if seed % 3 > number:
            after = passes.index("lower-tensor-op") + 1 if number else 0
            passes.insert(pick.randint(after, len(passes)), lowering)
    return passes


def bits(array: np.ndarray) -> tuple:
    """What must not change: NaN is NaN, but 0.0 is not -0.0."""
    if array.dtype.kind in "biu":
        return array.tobytes(), array.shape, array.dtype
    wide = array.astype(np.float32)
    return np.where(np.isnan(wide), np.float32(np.nan), wide).tobytes(), array.shape, array.dtype


def wrong(module: object, inputs: list[np.ndarray], seed: int) -> str | None:
    """The first pass after which an output is another."""
    expected = [bits(output) for output in execute.run(module, inputs)]
    passes = order(seed)
    for number, name in enumerate(passes):
        module = run_pipeline(module, f"builtin.module({name})", options=OPTIONS).module
        outputs = [bits(output) for output in execute.run(module, inputs)]
        if outputs != expected:
            return f"seed {seed}: after {','.join(passes[: number + 1])}"
    return None


@pytest.mark.parametrize("first", range(0, MOVEMENT, CHUNK))
def test_random_movement(movement: ModuleType, first: int) -> None:
    failures = []
    with mlir.context():
        for seed in range(first, first + CHUNK):
            ops = random.Random(seed).randint(10, 40)
            text, inputs, _ = movement.random_program(seed, nops=ops)
            module = frontend.load(text)
            pipeline = "builtin.module(penguin-to-tensor-pipeline)"
            module = run_pipeline(module, pipeline, options=OPTIONS).module
            failures.append(wrong(module, inputs, seed))
    assert [failure for failure in failures if failure] == []


@pytest.mark.parametrize("first", range(0, BUFFERS, CHUNK))
def test_buffers_that_are_written_again(first: int) -> None:
    failures = []
    with mlir.context():
        for seed in range(first, first + CHUNK):
            ops = random.Random(seed).randint(10, 40)
            module = frontend.load(random_buffers.random_kernel(seed, ops))
            inputs = ports.random_inputs(ports.signature(module).inputs, seed)
            failures.append(wrong(module, inputs, seed))
    assert [failure for failure in failures if failure] == []
