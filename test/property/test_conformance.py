"""The conformance runner itself, and the core programs through the whole compiler.

`python test/conformance/run.py` judges all programs, and prints the table per op family.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

JOBS = 2
SECONDS = 120


@pytest.fixture(scope="module")
def runner(root: Path) -> Iterator[ModuleType]:
    sys.path.insert(0, str(root / "test" / "conformance"))
    import run

    yield run
    sys.path.remove(str(root / "test" / "conformance"))


@pytest.fixture(scope="module")
def entries(runner: ModuleType, shared: Path) -> list:
    return runner.programs.index(shared / "conformance" / "stablehlo_testdata_dev.jsonl")


@pytest.fixture(scope="module")
def files(
    runner: ModuleType, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    archive = shared / "conformance" / "stablehlo_testdata_dev.tar.gz"
    return runner.programs.unpack(archive, tmp_path_factory.mktemp("testdata"))


def test_core_is_what_the_goal_counts(entries: list) -> None:
    assert (len(entries), sum(entry.core for entry in entries)) == (696, 228)


def test_core_programs(runner: ModuleType, entries: list, files: dict[str, Path]) -> None:
    core = [entry for entry in entries if entry.core]
    work = [(entry, files[Path(entry.file).name], "bir") for entry in core]
    verdicts = {
        Path(entry.file).stem: outcome for entry, _, outcome in runner.run_all(work, JOBS, SECONDS)
    }
    assert len(verdicts) == len(core)
    assert {n: o for n, o in verdicts.items() if o.verdict in ("wrong", "failed")} == {}
    assert sum(o.verdict == "equal" for o in verdicts.values()) >= 0.65 * len(core)


def test_the_reference_interpreter_agrees_with_the_rewriting(
    runner: ModuleType, files: dict[str, Path]
) -> None:
    for name in (
        "abs_float32_20_20.mlir",
        "top_k_bfloat16_5_3_chlo.mlir",
        "reduce_or_bool_2_3.mlir",
    ):
        assert runner.judge(files[name], "hlo").verdict == "equal", name


# The runner must see faults.


@pytest.mark.parametrize(
    ("kind", "actual", "right"),
    [
        ("expect_eq", [1.0, 2.0, np.nan], True),
        ("expect_eq", [1.0, 2.0, 0.0], False),
        ("expect_eq", [1.0, np.nextafter(np.float32(2), np.float32(3)), np.nan], False),
        ("expect_close", [1.0, 2.0001, np.nan], True),
        ("expect_close", [1.0, 2.001, np.nan], False),
        ("expect_close", [1.0, 2.0, np.inf], False),
    ],
)
def test_checks(runner: ModuleType, kind: str, actual: list[float], right: bool) -> None:
    check = runner.programs.Check(kind, np.array([1.0, 2.0, np.nan], np.float32))
    assert (check.failure(np.array(actual, np.float32)) == "") is right
    assert check.failure(np.array(actual, np.float16)) != ""


WRONG = """
func.func public @main() -> tensor<3xf32> {
  %0 = call @inputs() : () -> tensor<3xf32>
  %1 = call @expected() : () -> tensor<3xf32>
  %2 = stablehlo.negate %0 : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%2, %1) {has_side_effect = true}
    : (tensor<3xf32>, tensor<3xf32>) -> ()
  return %2 : tensor<3xf32>
}
func.func private @inputs() -> tensor<3xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %c : tensor<3xf32>
}
func.func private @expected() -> tensor<3xf32> {
  %c = stablehlo.constant dense<[-1.0, -2.0, 3.0]> : tensor<3xf32>
  return %c : tensor<3xf32>
}
"""


@pytest.mark.parametrize("level", ["hlo", "penguin", "loops", "tiled", "bir"])
def test_a_wrong_result_is_wrong_at_each_level(
    runner: ModuleType, tmp_path: Path, level: str
) -> None:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    outcome = runner.judge(path, level)
    assert outcome.verdict == "wrong"
    assert "1 of 3 differ, first at [2]: got -3.0, expected 3.0" in outcome.detail


def test_unsupported_and_late_programs(runner: ModuleType, entries: list, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(WRONG.replace("f32", "f64"))
    assert runner.judge(path, "bir").verdict == "unsupported"
    ((_, _, outcome),) = runner.run_all([(entries[0], path, "bir")], JOBS, 0.0)
    assert (outcome.verdict, outcome.detail) == ("failed", "no answer in time")
