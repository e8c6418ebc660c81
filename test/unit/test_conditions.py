"""Conditions on statistics: grammar, names, values."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penguin.errors import EXIT_USER, UserError
from penguin.passlib import registry as registries
from penguin.passlib.conditions import Condition, Conditions, statistics_of
from penguin.passlib.registry import Registry
from penguin.tools import penguin_compile

_PLUGIN = Path(__file__).parents[1] / "passes" / "framework" / "Inputs" / "framework_passes.py"
_VALUES = {("a", "x"): 3, ("a", "y-bytes"): 4096, ("b", "x"): 0, ("b", "share"): 0.25}


def _holds(text: str) -> bool:
    return Condition(text).tree.holds(_VALUES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.x > 2", True),
        ("a.x>3", False),
        ("a.x >= 3", True),
        ("a.x < 3", False),
        ("a.x <= 3", True),
        ("a.x == 3", True),
        ("a.x != 3", False),
        ("a.y_bytes == 4K", True),
        ("a.y-bytes < 4k", False),
        ("a.y-bytes >= 4_096", True),
        ("a.y-bytes > 0.5M", False),
        ("a.y-bytes < 1G", True),
        ("b.share > 0.2", True),
        ("a.x > 9 or b.x == 0", True),
        ("a.x > 9 and b.x == 0", False),
        # `and` binds first.
        ("a.x > 0 or a.x > 0 and b.x > 0", True),
        ("(a.x > 0 or a.x > 0) and b.x > 0", False),
        ("a.x > 0 and b.x > 0 or b.share > 0", True),
        ("((a.x == 3))", True),
        ("  a.x\n==3  ", True),
    ],
)
def test_what_holds(text: str, expected: bool) -> None:
    assert _holds(text) is expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a statistic, for example memcpy-elimination.surviving-bytes, got the"),
        ("   ", 1, "got the end"),
        ("0 < a.x", 1, "expected a statistic, for example"),
        ("a.x", 4, "expected one of >=, <=, ==, !=, >, <, got the end"),
        ("a.x = 3", 5, "got '=', did you mean '=='?"),
        ("a.x => 3", 5, "got '=>'"),
        ("a.x > ", 6, "expected a number such as 0, 1_000 or 4K, got the end"),
        ("a.x > b.x", 7, "expected a number such as 0, 1_000 or 4K, got 'b.x'"),
        ("a.x > 4KB", 7, "got '4KB'"),
        ("a.x > 1__0", 7, "got '1__0'"),
        ("a.x > -1", 7, "got '-'"),
        ("surviving > 1", 1, "expected 'pass.statistic', got 'surviving'"),
        ("a.x.y > 1", 1, "expected 'pass.statistic', got 'a.x.y'"),
        ("a. > 1", 1, "expected 'pass.statistic', got 'a.'"),
        ("a.x > 1 && b.x > 0", 9, "got '&&', did you mean 'and'?"),
        ("a.x > 1 || b.x > 0", 9, "did you mean 'or'?"),
        ("a.x > 1 b.x > 0", 9, "expected 'and', 'or' or the end, got 'b.x'"),
        ("a.x > 1, b.x > 0", 8, "got ','"),
        ("a.x > 1 and", 12, "got the end"),
        ("a.x > 1 and or b.x > 0", 13, "got 'or'"),
        ("(a.x > 1", 9, "expected ')', got the end"),
        ("a.x > 1)", 8, "got ')'"),
        ("a.x > 1 and\nb.x 0", 17, "got '0'"),
        ("__import__('os')", 1, "got '_'"),
    ],
)
def test_faults_are_located(text: str, column: int, message: str) -> None:
    with pytest.raises(UserError) as raised:
        Condition(text)
    (found,) = raised.value.diagnostics
    assert found.code == "PGP020"
    assert message in found.message
    line, _, place = found.location.removeprefix("--fail-if:").partition(":")
    # The column in the text as a whole.
    start = sum(len(part) + 1 for part in text.split("\n")[: int(line) - 1])
    assert start + int(place) == column


@given(st.text(alphabet="ab.x>=<!&| ()0159_KMG-\nandor", max_size=30))
def test_any_text_is_a_condition_or_a_located_fault(text: str) -> None:
    try:
        Condition(text)
    except UserError as error:
        (found,) = error.diagnostics
        assert found.code == "PGP020" and found.location.startswith("--fail-if:")


# Names ------------------------------------------------------------------------------------------


@pytest.fixture
def registry() -> Registry:
    found = registries.default()
    found.load_plugin(str(_PLUGIN))
    return found


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("test-foldd.surviving > 0", 1, "there is no pass 'test-foldd', did you mean 'test-fold'?"),
        ("canonicalize.x > 0", 1, "'canonicalize' is an upstream pass, which has no statistics"),
        ("a.x > 0", 1, "there is no pass 'a'"),
        ("test-fold.x > 0 or test-fold.fold > 0", 11, "pass 'test-fold' has no statistic 'x'; it"),
        ("test-fold.survivng > 0", 11, "no statistic 'survivng', did you mean 'surviving'?"),
        ("allocate.moved > 0", 10, "it has tiles, sbuf-peak, psum-peak, dram-peak"),
        ("neuron-op-fusion.x > 0", 18, "no statistic 'x'; it has none"),
    ],
)
def test_unknown_names_are_found_before_the_run(
    registry: Registry, text: str, column: int, message: str
) -> None:
    with pytest.raises(UserError) as raised:
        Conditions([text], registry)
    (found,) = raised.value.diagnostics
    assert found.code == "PGP021" and message in found.message
    assert found.location == f"--fail-if:1:{column}"


def test_rows_of_books_and_reasons_are_known(registry: Registry) -> None:
    known = statistics_of(registry.load("test-fold"))
    assert known[:3] == ["folded", "folded-bytes", "candidates"]
    assert {"candidate-bytes", "surviving-bytes", "missed-not-zero", "missed-not-zero-bytes"} < set(
        known
    )
    # Without sizes there are no bytes.
    assert not [n for n in statistics_of(registry.load("simplify-hlo")) if n.endswith("-bytes")]


def test_a_reason_that_there_is_not_is_found_after_the_run(registry: Registry) -> None:
    for text in ("allocate.surviving > 0", "late-lower-tensor-op.missed-x > 0"):
        condition = Condition(text)
        condition.check(registry)
        with pytest.raises(UserError, match="has no statistic"):
            condition.diagnose({}, ["allocate", "late-lower-tensor-op"], registry)
    condition = Condition("test-fold.missed-not-zeroo > 0")
    condition.check(registry)
    with pytest.raises(UserError, match="did you mean 'missed-not-zero'"):
        condition.diagnose({("test-fold", "candidates"): 1}, ["test-fold"], registry)
    absent = Condition("test-fold.missed-not-zero == 0")
    found = absent.diagnose({}, ["test-fold"], registry)
    assert found is not None and found.message.endswith("test-fold.missed-not-zero is 0")


# The tool ---------------------------------------------------------------------------------------

_MODEL = """
func.func @main(%x: tensor<8x4xf32>) -> tensor<32xf32> {
  %a = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  return %a : tensor<32xf32>
}
"""


@pytest.mark.parametrize(
    ("condition", "status", "message"),
    [
        ("late-lower-tensor-op.lowered == 0", 0, ""),
        ("late-lower-tensor-op.written > 0", 1, "late-lower-tensor-op.written is 128 [PGP019]"),
        ("bir.x > 0", 1, "there is no pass 'bir'"),
    ],
)
def test_penguin_compile(
    condition: str,
    status: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "m.mlir").write_text(_MODEL)
    out, report = tmp_path / "o.bir", tmp_path / "r.txt"
    flags = [str(tmp_path / "m.mlir"), "-o", str(out), f"--report-file={report}"]
    assert penguin_compile.main([*flags, "--fail-if", condition]) == status
    captured = capsys.readouterr()
    assert captured.out == "" and message in captured.err
    # A condition that cannot be asked is refused at once, all else is written.
    assert out.exists() == report.exists() == ("no pass" not in message)


def test_a_level_that_is_not_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.mlir").write_text(_MODEL)
    flags = [str(tmp_path / "m.mlir"), "-o", str(tmp_path / "o"), "--emit=penguin"]
    condition = "late-lower-tensor-op.lowered > 0"
    assert penguin_compile.main([*flags, "--fail-if", condition]) == EXIT_USER
    assert "pass 'late-lower-tensor-op' did not run [PGP021]" in capsys.readouterr().err
    assert (tmp_path / "o").exists()
