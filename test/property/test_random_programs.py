"""Random StableHLO programs and random nests: every level computes what numpy says.

Tiles are cut small in half of the cases, so that few elements reach every edge. For a long run:
`PENGUIN_EXAMPLES=5000 pytest test/property/test_random_programs.py`.
"""

import os
import random

import numpy as np
import pytest
import random_nests
import random_programs
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from penguin import bir, driver, dtypes, execute, frontend, interp, mlir, oracle, sim
from penguin.driver import Level
from penguin.passlib import run_pipeline

EXAMPLES = int(os.environ.get("PENGUIN_EXAMPLES", "60"))
TARGETS = ("trn1", "trn2", "trn3")
# What the default programs need is far below: more is an explosion of nests.
MOST_INSTRUCTIONS = 20000

quick = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 1 << 32)
targets = st.sampled_from(TARGETS)
max_frees = st.sampled_from([2048, 2048, 1, 3, 16, 100])
load_maps = st.sampled_from(
    ["", "broadcast,memset", "memcast", "broadcast,memcast,memset,reshape,transpose"]
)


def difference(actual: np.ndarray, expected: np.ndarray, exact: bool) -> str:
    """Empty if they agree."""
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return f"is {actual.dtype}{list(actual.shape)}"
    if np.array_equal(actual, expected):
        return ""
    if not exact:
        found = dtypes.compare(actual, expected)
        return "" if found.ok else f"is off by {found.max_rel:.3g}"
    where = tuple(np.argwhere(actual != expected)[0])
    return f"has {actual[where]} at {list(map(int, where))}, expected {expected[where]}"


@quick
@given(seeds, targets, max_frees, load_maps)
def test_programs(seed: int, target: str, max_free: int, load_maps: str) -> None:
    program = random_programs.program(random.Random(seed))

    def after(level: Level, module: mlir.ir.Module) -> None:
        # The first level belongs to the reference interpreter, not to us.
        if level is Level.STABLEHLO:
            return
        outputs = execute.run(module, program.inputs)
        for value, output in zip(program.results, outputs, strict=True):
            wrong = difference(output, value.data, value.exact)
            assert not wrong, f"{level}: {value.name} {wrong}\n{program.text}"

    with mlir.context():
        compiled = driver.compile(
            frontend.load(program.text),
            target=target,
            pass_options={
                "layout-tiling": f"max-free={max_free}",
                "lower-tensor-op": f"load-maps={load_maps}",
            },
            after_stage=after,
        )
        assert sum(1 for _ in compiled.bir.main.walk()) < MOST_INSTRUCTIONS


@quick
@given(seeds, targets, max_frees)
def test_nests(seed: int, target: str, max_free: int) -> None:
    nest = random_nests.nest(random.Random(seed))
    with mlir.context():
        module = mlir.parse(nest.text)
        module.operation.attributes["bir.target"] = mlir.ir.StringAttr.get(target)
        outputs = {"loops": interp.run(module, nest.inputs)}
        run_pipeline(module, f"builtin.module(func.func(layout-tiling{{max-free={max_free}}}))")
        outputs["tiled"] = interp.run(module, nest.inputs)
        run_pipeline(module, "builtin.module(func.func(select-instructions,allocate))")
        outputs["bir"] = sim.run(bir.from_mlir(module), nest.inputs)
    event(f"{len(nest.expected)} stores")
    for level, arrays in outputs.items():
        for number, (actual, wanted) in enumerate(zip(arrays, nest.expected, strict=True)):
            wrong = difference(actual, wanted, nest.exact)
            assert not wrong, f"{level}: output {number} {wrong}\n{nest.text}"


@pytest.mark.parametrize("first", [0, 10])
def test_the_expected_values_are_those_of_jax(first: int) -> None:
    """But for sums whose initial value is not zero, which XLA may add more than once."""
    compared = 0
    for seed in range(first, first + 10):
        program = random_programs.program(random.Random(seed))
        if "stablehlo.reduce" in program.text:
            continue
        with mlir.context():
            outputs = oracle.jax_cpu(program.text, program.inputs)
        for value, output in zip(program.results, outputs, strict=True):
            assert not difference(output, value.data, value.exact), program.text
            compared += 1
    assert compared > 3


def test_a_fault_is_seen() -> None:
    exact = np.array([1.0, 2.0], np.float32)
    assert difference(exact, exact, True) == ""
    assert "at [1]" in difference(exact + np.float32([0, 1e-6]), exact, True)
    assert difference(exact + np.float32([0, 1e-6]), exact, False) == ""
    assert "off" in difference(exact + np.float32([0, 1e-2]), exact, False)
    assert "float64" in difference(exact.astype(np.float64), exact, True)
