"""The lit format itself: one file at a time through the real lit, and the outcome it must have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_LIT = Path(sys.executable).parent / "lit"


@pytest.fixture
def outcome(root: Path, tmp_path: Path):
    """Runs one test file through this suite's configuration; gives lit's text and status."""
    suite = tmp_path / "test"
    suite.mkdir()
    for name in ("lit.cfg.py", "penguin_lit.py"):
        (suite / name).write_bytes((root / "test" / name).read_bytes())

    def run(name: str, text: str, *flags: str) -> tuple[str, int]:
        (suite / name).write_text(text)
        command = [_LIT, "-v", *flags, f"-Dexec_root={tmp_path / 'out'}", suite / name]
        environment = {**os.environ, "HOME": str(tmp_path)}
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        return result.stdout, result.returncode

    return run


PASSING = {
    "pipe.mlir": "// RUN: echo one | filecheck %s\n// CHECK: one\n",
    "sequence.mlir": "// RUN: echo two > %t && filecheck %s < %t\n// CHECK: two\n",
    "not.mlir": (
        "// RUN: echo x > %t\n"
        "// RUN: not filecheck %s < %t 2>&1 | filecheck %s --check-prefix=MSG\n"
        "// CHECK: {{^}}absent\n"
        "// MSG: error: Couldn't match\n"
    ),
    "started.test": "RUN: %python -c 'print(6 * 7)' | filecheck %s\nCHECK: {{^}}42\n",
    "test_file.py": "def test_it(tmp_path): assert 'out' in str(tmp_path)\n",
}

FAILING = {
    "check.mlir": ("// RUN: echo x | filecheck %s\n// CHECK: {{^}}absent\n", "Couldn't match"),
    "first.mlir": ("// RUN: filecheck %s < %s | cat\n// CHECK: {{^}}absent\n", "Couldn't match"),
    "missing.mlir": ("// RUN: no-such-program\n", "command not found"),
    "norun.mlir": ("module {}\n", "has no 'RUN:' line"),
    "test_assert.py": ("def test_it(): assert 1 == 2\n", "assert 1 == 2"),
    "test_none.py": ("", "exit status 5"),
    "test_crash.py": ("import os\ndef test_it(): os.abort()\n", "exit status -6"),
}


@pytest.mark.parametrize("name", PASSING)
def test_passes(outcome, name: str) -> None:
    text, status = outcome(name, PASSING[name])
    assert f"PASS: penguin :: {name}" in text
    assert status == 0


@pytest.mark.parametrize("name", FAILING)
def test_fails(outcome, name: str) -> None:
    source, reason = FAILING[name]
    text, status = outcome(name, source)
    assert reason in text
    assert status == 1


def test_skipped_file_is_not_a_pass(outcome) -> None:
    text, _ = outcome("test_skip.py", "import pytest\ndef test_it(): pytest.skip('no data')\n")
    assert "UNSUPPORTED: penguin :: test_skip.py" in text


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("slow.mlir", "// RUN: %python -c 'import time; time.sleep(60)' | filecheck %s\n"),
        ("test_slow.py", "import time\ndef test_it(): time.sleep(60)\n"),
    ],
)
def test_time_limit(outcome, name: str, source: str) -> None:
    text, status = outcome(name, source, "-Dtimeout=1")
    assert f"TIMEOUT: penguin :: {name}" in text
    assert status == 1


def test_outputs_stay_out_of_the_suite(outcome, tmp_path: Path) -> None:
    outcome("pipe.mlir", PASSING["pipe.mlir"])
    left = {path.name for path in (tmp_path / "test").iterdir()} - {"__pycache__"}
    assert left == {"lit.cfg.py", "penguin_lit.py", "pipe.mlir"}
