"""The rules that keep the tree readable: one name per pass, a test per pass, a page per code."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from penguin.tools import penguin_doc

_SOURCES = ("dialects", "passes", "python", "tools")
_CODE = re.compile(r"\b(?:PG[A-Z]|NCC_[A-Z]{3,4})\d{3}\b")
_LONGEST_FILE = 600


def _python_files(root: Path, *folders: str) -> list[Path]:
    return sorted(p for folder in folders for p in (root / folder).rglob("*.py"))


def _groups(root: Path) -> list[str]:
    return sorted(p.parent.name for p in (root / "passes").glob("*/__init__.py"))


def _table(group: str) -> dict[str, str]:
    return importlib.import_module(f"penguin.passes.{group}").PASSES


@pytest.fixture(scope="module")
def passes(root: Path) -> dict[str, tuple[str, str, str]]:
    """Pass name to its group, module and class."""
    found = {}
    for group in _groups(root):
        for name, target in _table(group).items():
            assert name not in found, f"{name} is in two groups"
            module, cls = target.split(":")
            found[name] = (group, module, cls)
    return found


def test_every_group_is_listed(root: Path) -> None:
    assert sorted(importlib.import_module("penguin.passes").GROUPS) == _groups(root)


def test_every_pass_file_is_in_its_table(root: Path, passes: dict) -> None:
    """A file whose name starts with an underscore is shared code of its group, not a pass."""
    files = {
        (path.parent.name, path.stem)
        for path in (root / "passes").glob("*/*.py")
        if not path.stem.startswith("_")
    }
    assert {(group, module) for group, module, _ in passes.values()} == files


def test_file_class_and_pass_have_one_name(passes: dict) -> None:
    for name, (group, module, cls) in passes.items():
        assert module == name.replace("-", "_")
        assert cls.lower() == name.replace("-", "")
        loaded = getattr(importlib.import_module(f"penguin.passes.{group}.{module}"), cls)
        assert loaded.name == name


def test_tables_are_sorted(root: Path) -> None:
    for group in _groups(root):
        assert list(_table(group)) == sorted(_table(group))


def test_every_pass_has_a_lit_test(root: Path, passes: dict) -> None:
    missing = [
        f"test/passes/{group}/{name}.mlir"
        for name, (group, _, _) in passes.items()
        if not (root / "test" / "passes" / group / f"{name}.mlir").is_file()
    ]
    assert missing == []


def test_every_reason_is_tested(root: Path, passes: dict) -> None:
    """A member of a pass's `Why` is a phrase, and `<pass>-missed.mlir` names the member; or it is a
    code, and `<pass>-invalid.mlir` expects an error with it."""
    missing = []
    for name, (group, module, _) in passes.items():
        why = getattr(importlib.import_module(f"penguin.passes.{group}.{module}"), "Why", None)
        for reason in why or ():
            is_code = _CODE.fullmatch(reason.value) is not None
            path = (
                root
                / "test"
                / "passes"
                / group
                / f"{name}-{'invalid' if is_code else 'missed'}.mlir"
            )
            sought = reason.value if is_code else reason.name
            if not path.is_file() or sought not in path.read_text():
                missing.append(f"{path.name}: {sought}")
    assert missing == []


def _codes_in_strings(path: Path) -> set[str]:
    """Codes that the program can emit: string constants that are not docstrings."""
    tree = ast.parse(path.read_text())
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return {
        code
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        for code in _CODE.findall(node.value)
    }


def test_every_code_has_a_page_and_every_page_a_code(root: Path) -> None:
    used = set().union(*map(_codes_in_strings, _python_files(root, *_SOURCES)))
    pages = {path.stem for path in (root / "python/penguin/codes").glob("*.md")}
    assert sorted(pages) == sorted(used)


def test_pages_of_codes_explain_and_show(root: Path) -> None:
    """First line `# CODE: title`, then text and an example in a code block."""
    for path in sorted((root / "python/penguin/codes").glob("*.md")):
        text = path.read_text()
        assert re.match(rf"# {path.stem}: \S", text), path.name
        assert text.count("```") >= 2, path.name


def test_generated_pages_are_fresh(root: Path) -> None:
    """If this fails: penguin-doc, in the checkout."""
    assert penguin_doc.stale(root / "docs" / "generated") == []


def test_files_are_short(root: Path) -> None:
    files = _python_files(root, *_SOURCES, "test", "examples")
    long = {str(p): n for p in files if (n := len(p.read_text().splitlines())) > _LONGEST_FILE}
    assert long == {}


def test_every_module_says_what_it_is(root: Path) -> None:
    files = [p for p in _python_files(root, *_SOURCES, "test", "examples") if p.read_text()]
    assert [str(p) for p in files if not ast.get_docstring(ast.parse(p.read_text()))] == []


def test_nothing_is_left_for_later(root: Path) -> None:
    marks = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
    files = [*_python_files(root, *_SOURCES, "test", "examples"), *(root / "docs").rglob("*.md")]
    assert [str(p) for p in files if marks.search(p.read_text())] == []


def test_no_path_of_one_machine(root: Path) -> None:
    absolute = re.compile(r"""["'(\s](?:/home/|/work/|/root/|/Users/)""")
    files = [*_python_files(root, *_SOURCES, "test", "examples"), *(root / "docs").rglob("*.md")]
    own = Path(__file__).resolve()
    assert [str(p) for p in files if absolute.search(p.read_text()) and p.resolve() != own] == []
