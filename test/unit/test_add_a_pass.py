"""docs/add-a-pass.md works when followed literally: its files, in a copy of the checkout, pass."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

NAME = "self-copy-elimination"
_IGNORED = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "add-a-pass.md").read_text()


@pytest.fixture
def checkout(root: Path, tmp_path: Path, page: str) -> Path:
    """A copy with the page's files and table line; `site/penguin` is what it installs."""
    copy = tmp_path / "checkout"
    for folder in ("passes", "docs"):
        shutil.copytree(root / folder, copy / folder, ignore=_IGNORED)
    for name in ("lit.cfg.py", "penguin_lit.py", "split_file.py"):
        (copy / "test").mkdir(exist_ok=True)
        shutil.copy(root / "test" / name, copy / "test")
    files = re.findall(r"^`([\w/.\-]+)`:\n\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(files) == 4
    for name, text in files:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text)
    line = re.search(rf'^    "{NAME}": .*\n', page, re.MULTILINE)
    assert line is not None
    table = copy / "passes" / "lowering" / "__init__.py"
    table.write_text(table.read_text().replace("PASSES = {\n", f"PASSES = {{\n{line[0]}", 1))
    package_dir = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"][
        "package-dir"
    ]
    for package, folder in package_dir.items():
        source = copy / folder if (copy / folder).is_dir() else root / folder
        target = tmp_path / "site" / Path(*package.split("."))
        shutil.copytree(source, target, ignore=_IGNORED, dirs_exist_ok=True)
    return copy


def _run(checkout: Path, *command: str) -> tuple[str, int]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(checkout.parent / "site"),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    result = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
    return result.stdout + result.stderr, result.returncode


def test_the_pages_tests_pass_and_can_fail(checkout: Path, page: str) -> None:
    command = "lit -v test/passes/lowering --filter=self-copy-elimination"
    assert command in page.splitlines()
    output, status = _run(checkout, *command.split())
    assert status == 0, output
    assert len(re.findall(r"^PASS: ", output, re.MULTILINE)) == 3, output
    # Step 7: legality that allows everything.
    for folder in ("checkout/passes", "site/penguin/passes"):
        file = checkout.parent / folder / "lowering" / "self_copy_elimination.py"
        rule = re.compile(r"return None if .* else Reject\(.*\)")
        file.write_text(rule.sub("return None", file.read_text()))
    output, status = _run(checkout, *command.split())
    assert status == 1, output
    assert len(re.findall(r"^FAIL: ", output, re.MULTILINE)) == 3, output


def test_the_page_of_the_pass_is_written(checkout: Path) -> None:
    output, status = _run(checkout, "penguin-doc")
    assert status == 0, output
    text = (checkout / "docs" / "generated" / "passes.md").read_text()
    assert "(L1) source and destination are the same tensor." in text
    assert "| Number of self copies erased |" in text
    assert "| `OTHER_TENSOR` | the destination is another tensor |" in text


def test_the_pages_code_is_in_style(checkout: Path, root: Path) -> None:
    ruff = Path(sys.executable).parent / "ruff"
    if not ruff.is_file():
        pytest.skip("ruff is not installed")
    shutil.copy(root / "pyproject.toml", checkout)
    file = "passes/lowering/self_copy_elimination.py"
    for arguments in (("check",), ("format", "--check")):
        output, status = _run(checkout, str(ruff), *arguments, file)
        assert status == 0, output
