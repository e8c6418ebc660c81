"""Who may import whom: tools -> drivers -> passes -> dialects -> penguin.mlir, and nothing back."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

_SOURCES = {
    "penguin": "python/penguin",
    "penguin.dialects": "dialects",
    "penguin.passes": "passes",
    "penguin.tools": "tools",
}

# Layers below the passes: facts, IR, analyses and executors.
_FOUNDATION = {"penguin.dtypes", "penguin.errors", "penguin.mlir"}
# What sits on top of the passes and so is closed to them and to all below.
_DRIVERS = {"penguin.driver", "penguin.jax", "penguin.tools"}


def _modules(root: Path) -> dict[str, Path]:
    found = {}
    for package, folder in _SOURCES.items():
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root / folder).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
            found[".".join((package, *parts))] = path
    return found


def _imports(path: Path, known: set[str]) -> set[str]:
    """Modules named by any import statement of the file; `from a import b` is `a.b` if a module."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for alias in node.names:
                full = f"{base}.{alias.name}"
                names.add(full if full in known else base)
    return names


@pytest.fixture(scope="module")
def imports(root: Path) -> dict[str, set[str]]:
    modules = _modules(root)
    return {name: _imports(path, set(modules)) for name, path in modules.items()}


def _within(module: str, packages: set[str]) -> bool:
    return any(module == p or module.startswith(f"{p}.") for p in packages)


def _offenders(imports: dict[str, set[str]], inside: set[str], banned: set[str]) -> list[str]:
    return [
        f"{module} imports {target}"
        for module, targets in imports.items()
        if _within(module, inside)
        for target in sorted(targets)
        if _within(target, banned)
    ]


def test_bindings_are_named_once(imports: dict[str, set[str]]) -> None:
    users = {
        m for m, targets in imports.items() if any(_within(t, {"torch_mlir"}) for t in targets)
    }
    assert users == {"penguin.mlir", "penguin.mlir.bindings"}


def test_jax_is_named_twice(imports: dict[str, set[str]]) -> None:
    users = {m for m, ts in imports.items() if any(_within(t, {"jax", "jaxlib"}) for t in ts)}
    assert users <= {
        "penguin.mlir.bindings",
        "penguin.mlir.jax",
        "penguin.mlir.mhlo",
        "penguin.jax",
    }


def test_own_code_is_imported_by_its_full_path(imports: dict[str, set[str]]) -> None:
    everywhere = {"penguin"}
    assert _offenders(imports, everywhere, {"dialects", "passes", "tools"}) == []
    relative = [f"{m} imports {t}" for m, ts in imports.items() for t in ts if t.startswith(".")]
    assert relative == []


def test_dialects_know_only_the_foundation(imports: dict[str, set[str]]) -> None:
    allowed = _FOUNDATION | {"penguin.dialects"}
    assert [
        f"{module} imports {target}"
        for module, targets in imports.items()
        if _within(module, {"penguin.dialects"})
        for target in sorted(targets)
        if _within(target, {"penguin"}) and target != "penguin" and not _within(target, allowed)
    ] == []


def test_nothing_below_the_passes_imports_them(imports: dict[str, set[str]]) -> None:
    below = {m for m in imports if not _within(m, _DRIVERS | {"penguin.passes"})}
    assert _offenders(imports, below - {"penguin"}, {"penguin.passes"} | _DRIVERS) == []


def test_passes_do_not_import_drivers(imports: dict[str, set[str]]) -> None:
    assert _offenders(imports, {"penguin.passes"}, _DRIVERS) == []


def test_only_tools_import_tools(imports: dict[str, set[str]]) -> None:
    others = {m for m in imports if not _within(m, {"penguin.tools"})}
    assert [
        o for o in _offenders(imports, others, {"penguin.tools"}) if o.split()[0] in others
    ] == []


def test_a_pass_imports_no_other_pass(imports: dict[str, set[str]]) -> None:
    """Code shared inside a group is in a module or folder whose name starts with an underscore."""
    found = []
    for module, targets in imports.items():
        if not _within(module, {"penguin.passes"}):
            continue
        group = module.split(".")[2:3]
        for target in sorted(targets):
            parts = target.split(".")
            if not _within(target, {"penguin.passes"}) or len(parts) < 4:
                continue
            if parts[2:3] != group or not parts[3].startswith("_"):
                found.append(f"{module} imports {target}")
    assert found == []


def test_dialects_keep_real_annotations(root: Path) -> None:
    """The bindings read the annotation objects of op classes; strings are not enough."""
    found = [
        str(path)
        for path in (root / "dialects").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
    ]
    assert found == []


@pytest.mark.parametrize("module", ["penguin", "penguin.tools.penguin_opt"])
def test_import_is_light(module: str) -> None:
    """In a new interpreter; the bindings alone load in a twentieth of the time that jax takes."""
    heavy = "{'jax', 'jaxlib.mlir', 'islpy', 'hypothesis', 'pytest'}"
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("[]", "")
