"""The distribution holds exactly what the checkout holds; CI runs the documented command."""

import importlib
import importlib.metadata
import os
import tomllib
from pathlib import Path

import pytest

import penguin


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())


def _folders(root: Path, package_dir: dict[str, str]) -> dict[str, Path]:
    """Every package on disk, by its import name; the longest prefix of the name is its folder."""
    found = {}
    for name, folder in package_dir.items():
        for path in (root / folder).rglob("*.py"):
            inner = path.parent.relative_to(root / folder).parts
            found[".".join((name, *inner))] = path.parent
    return found


def test_package_list_is_the_folders(root: Path, project: dict) -> None:
    setuptools = project["tool"]["setuptools"]
    folders = _folders(root, setuptools["package-dir"])
    # A folder of modules without __init__.py would work from an editable install only.
    assert [str(f) for f in folders.values() if not (f / "__init__.py").is_file()] == []
    assert setuptools["packages"] == sorted(folders)


def test_installed_package_is_this_checkout(root: Path, project: dict) -> None:
    """Fails for a file missing from the wheel, and for a stale install: `pip install .` again."""
    installed = Path(penguin.__file__).parent
    folders = _folders(root, project["tool"]["setuptools"]["package-dir"])
    if installed.samefile(folders["penguin"]):
        pytest.skip("editable install")
    expected = {
        str(Path(*name.split(".")[1:], file.name)): file.read_bytes()
        for name, folder in folders.items()
        for file in folder.iterdir()
        if file.suffix in (".py", ".md") or file.name == "py.typed"
    }
    actual = {
        str(file.relative_to(installed)): file.read_bytes()
        for file in installed.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert sorted(actual) == sorted(expected)
    assert [name for name in expected if actual[name] != expected[name]] == []


def test_programs_can_be_imported(project: dict) -> None:
    for target in project["project"]["scripts"].values():
        module, function = target.split(":")
        assert callable(getattr(importlib.import_module(module), function))


def test_version_is_the_projects(project: dict) -> None:
    assert importlib.metadata.version("penguin-mlir") == project["project"]["version"]


def test_no_package_shadows_the_standard_library(root: Path) -> None:
    assert [str(p) for p in (root / "test").rglob("__init__.py")] == []


def test_ci_runs_the_documented_command(root: Path) -> None:
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    commands = [
        line
        for line in script.read_text().splitlines()
        if line and not line.startswith(("#", "set ", "cd "))
    ]
    assert len(commands) == 1
    assert commands[0] in (root / "README.md").read_text().splitlines()
