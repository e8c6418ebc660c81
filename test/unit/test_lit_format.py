"""The lit format itself: small suites through the real lit, and the outcome each file must have."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

_LIT = Path(sys.executable).parent / "lit"


def _suite(root: Path, folder: Path, files: Mapping[str, str], *flags: str) -> tuple[str, int]:
    """Runs lit over files with this suite's configuration; gives lit's text and status."""
    suite = folder / "test"
    suite.mkdir()
    for name in ("lit.cfg.py", "penguin_lit.py", "split_file.py"):
        (suite / name).write_bytes((root / "test" / name).read_bytes())
    for name, text in files.items():
        (suite / name).write_text(text)
    command = [_LIT, "-v", *flags, f"-Dexec_root={folder / 'out'}", suite]
    environment = {**os.environ, "HOME": str(folder)}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    left = {path.name for path in suite.iterdir()} - {"__pycache__"}
    assert left == {"lit.cfg.py", "penguin_lit.py", "split_file.py", *files}
    return result.stdout, result.returncode


def _section(text: str, name: str) -> str:
    """What lit says of one test, from its result to the next one's."""
    return re.split(r"^(?=[A-Z]+: penguin :: )", text.partition(f" :: {name} (")[2], flags=re.M)[0]


PASSING = {
    "pipe.mlir": "// RUN: echo one | filecheck %s\n// CHECK: one\n",
    "sequence.mlir": "// RUN: echo two > %t && filecheck %s < %t\n// CHECK: two\n",
    "not.mlir": (
        "// RUN: echo x > %t\n"
        "// RUN: not filecheck %s < %t 2>&1 | filecheck %s --check-prefix=MSG\n"
        "// CHECK: {{^}}absent\n"
        "// MSG: error: Couldn't match\n"
    ),
    "split.test": (
        "RUN: split-file %s %t && filecheck %s < %t/a.txt\n"
        "RUN: not filecheck %s < %t/b.txt\n"
        "CHECK: {{^}}one\n//--- a.txt\none\n//--- b.txt\ntwo\n"
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


SKIPPED = {
    "test_skip.py": "import pytest\ndef test_it(): pytest.skip('no data')\n",
    "feature.test": "REQUIRES: no-such-feature\nRUN: false\n",
}

SLOW = {
    "slow.mlir": "// RUN: %python -c 'import time; time.sleep(60)' | filecheck %s\n",
    "test_slow.py": "import time\ndef test_it(): time.sleep(60)\n",
    "test_child.py": "import subprocess\ndef test_it(): subprocess.run(['sleep', '60'])\n",
}


@pytest.fixture(scope="module")
def mixed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    files = PASSING | {name: text for name, (text, _) in FAILING.items()} | SKIPPED
    return _suite(root, tmp_path_factory.mktemp("mixed"), files)


@pytest.mark.parametrize("name", PASSING)
def test_passes(mixed: tuple[str, int], name: str) -> None:
    assert f"\nPASS: penguin :: {name} (" in mixed[0]


@pytest.mark.parametrize("name", FAILING)
def test_fails(mixed: tuple[str, int], name: str) -> None:
    assert f"\nFAIL: penguin :: {name} (" in mixed[0].replace("UNRESOLVED", "FAIL")
    assert FAILING[name][1] in _section(mixed[0], name)


@pytest.mark.parametrize("name", SKIPPED)
def test_skipped_is_not_passed(mixed: tuple[str, int], name: str) -> None:
    assert f"\nUNSUPPORTED: penguin :: {name} (" in mixed[0]


def test_a_failure_gives_status_one(mixed: tuple[str, int]) -> None:
    assert mixed[1] == 1


def test_success_is_status_zero(root: Path, tmp_path: Path) -> None:
    text, status = _suite(root, tmp_path, PASSING)
    assert (status, "Failed" in text) == (0, False)


def test_time_limit(root: Path, tmp_path: Path) -> None:
    text, status = _suite(root, tmp_path, SLOW, "-Dtimeout=1")
    assert [name for name in SLOW if f"\nTIMEOUT: penguin :: {name} (" not in text] == []
    assert status == 1
