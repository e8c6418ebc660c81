"""Passes by name, without importing them.

`penguin.passes.GROUPS` names the groups; each group package holds only a table
`PASSES = {"kebab-name": "module:Class"}`. Listing, suggesting and describing passes reads tables
and parses source text (`ast`); a pass's module is imported when the pass is first built.
`penguin.passes.PIPELINES` holds the named pipelines, as text.
"""

import ast
import functools
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from penguin.errors import UserError
from penguin.passlib.options import OptionInfo, kebab

_PACKAGE = "penguin.passes"


@dataclass(frozen=True)
class PassInfo:
    """What can be said about a pass without importing it."""

    name: str
    group: str
    summary: str
    options: tuple[OptionInfo, ...]
    statistics: tuple[str, ...]
    requires: tuple[str, ...]
    produces: tuple[str, ...]
    anchor: str


@dataclass(frozen=True)
class NamedPipeline:
    """A pipeline with a name of its own: the elements below `builtin.module`, and one phrase."""

    text: str
    help: str


@dataclass
class Registry:
    """`passes` maps a name to (group, module name, class name)."""

    passes: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    pipelines: dict[str, NamedPipeline] = field(default_factory=dict)
    plugins: list[Path] = field(default_factory=list)

    def add_group(self, group: str, package: str, table: Mapping[str, str]) -> None:
        for name, target in table.items():
            module, _, cls = target.partition(":")
            if name in self.passes:
                raise AssertionError(
                    f"pass '{name}' is in two groups: {self.passes[name][0]}, {group}"
                )
            self.passes[name] = (group, f"{package}.{module}" if module else package, cls)

    def groups(self) -> dict[str, list[str]]:
        """Pass names by group, in the order of the tables."""
        found: dict[str, list[str]] = {}
        for name, (group, _, _) in self.passes.items():
            found.setdefault(group, []).append(name)
        return found

    def category(self, name: str) -> str:
        """`group:name`, the category of the pass's remarks."""
        return f"{self.passes[name][0]}:{name}"

    def load(self, name: str) -> type[Any]:
        """The class of a pass; imports its module."""
        _, module, cls = self.passes[name]
        loaded = getattr(importlib.import_module(module), cls)
        if loaded.name != name:
            raise AssertionError(
                f"{module}.{cls} is called '{loaded.name}', registered as '{name}'"
            )
        return loaded

    def describe(self, name: str) -> PassInfo:
        group, module, cls = self.passes[name]
        return _read(name, group, _source(module), cls)

    def producers(self, property_: str) -> list[str]:
        """The passes that establish a property, not those that keep it."""
        described = [self.describe(name) for name in self.passes]
        return [
            info.name
            for info in described
            if property_ in info.produces and property_ not in info.requires
        ]

    def load_plugin(self, path: str) -> None:
        """Adds the passes of a Python file with tables `PASSES` and, perhaps, `PIPELINES`.

        A class of the file itself is written `:Class`.
        """
        file = Path(path)
        if file.resolve() in self.plugins:
            return
        module_name = f"penguin_plugin_{file.stem}"
        spec = importlib.util.spec_from_file_location(module_name, file)
        if spec is None or spec.loader is None or not file.is_file():
            raise UserError.at(
                "PGP017", f"cannot load the pass plugin '{path}': no such Python file"
            )
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise UserError.at(
                "PGP017", f"cannot load the pass plugin '{path}': {type(error).__name__}: {error}"
            ) from error
        self.add_group(file.stem, module_name, getattr(module, "PASSES", {}))
        self.pipelines.update(_pipelines(module))
        self.plugins.append(file.resolve())


def _pipelines(module: ModuleType) -> dict[str, NamedPipeline]:
    table: Mapping[str, tuple[str, str]] = getattr(module, "PIPELINES", {})
    return {name: NamedPipeline(text, help) for name, (text, help) in table.items()}


def default() -> Registry:
    """A registry of everything that is shipped."""
    passes = importlib.import_module(_PACKAGE)
    registry = Registry(pipelines=_pipelines(passes))
    for group in passes.GROUPS:
        package = f"{_PACKAGE}.{group}"
        table = getattr(importlib.import_module(package), "PASSES", {})
        registry.add_group(group.replace("_", "-"), package, table)
    return registry


def _source(module: str) -> Path:
    """The file of a module that is not imported."""
    loaded = sys.modules.get(module)
    if loaded is not None and loaded.__file__ is not None:
        return Path(loaded.__file__)
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise AssertionError(f"the pass module {module} does not exist")
    return Path(spec.origin)


@functools.cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _read(name: str, group: str, path: Path, cls: str) -> PassInfo:
    """Reads a pass's class body as text: only literals are understood, as STYLE asks of them."""
    tree = _parsed(path)
    node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls)
    enums = {
        n.name: n
        for n in tree.body
        if isinstance(n, ast.ClassDef) and any("Enum" in ast.unparse(b) for b in n.bases)
    }
    options, statistics = [], []
    contract: dict[str, tuple[str, ...]] = {}
    for item in _fields(tree, node):
        if not isinstance(item, ast.Assign | ast.AnnAssign) or item.value is None:
            continue
        value = item.value
        if isinstance(item, ast.AnnAssign) and _is_call(value, "option"):
            options.append(_option(item, value, enums))
        elif _is_call(value, "Statistic"):
            statistics.append(ast.literal_eval(value.args[0]))
        else:
            target = item.targets[0] if isinstance(item, ast.Assign) else item.target
            contract[ast.unparse(target)] = _strings(value)
    base = "".join(ast.unparse(b) for each in (*_bases(tree, node), node) for b in each.bases)
    passes = [n for n in tree.body if isinstance(n, ast.ClassDef) and (n is node or _is_pass(n))]
    # A file with several passes (a plugin) describes each in its class.
    doc = ast.get_docstring(tree if len(passes) == 1 else node) or ""
    return PassInfo(
        name,
        group,
        doc.partition("\n\n")[0].replace("\n", " ").strip().rstrip("."),
        tuple(options),
        tuple(statistics),
        contract.get("requires", ()),
        contract.get("produces", ()),
        "func.func" if "FunctionPass" in base else "builtin.module",
    )


def _fields(tree: ast.Module, node: ast.ClassDef) -> list[ast.stmt]:
    """The statements of a class body, after those of the bases that its group shares."""
    return [item for each in (*_bases(tree, node), node) for item in each.body]


def _bases(tree: ast.Module, node: ast.ClassDef) -> list[ast.ClassDef]:
    """The base classes from private modules of passes, the most general first."""
    names = {ast.unparse(base) for base in node.bases}
    found: list[ast.ClassDef] = []
    for item in tree.body:
        if not isinstance(item, ast.ImportFrom) or not _is_private(item.module or ""):
            continue
        if any(alias.name in names for alias in item.names):
            shared = _parsed(_source(str(item.module)))
            for each in shared.body:
                if isinstance(each, ast.ClassDef) and each.name in names:
                    found += [*_bases(shared, each), each]
    return found


def _is_private(module: str) -> bool:
    return module.startswith("penguin.passes.") and module.rpartition(".")[2].startswith("_")


def _is_pass(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("Pass") for base in node.bases)


def _is_call(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] == name


def _strings(node: ast.AST) -> tuple[str, ...]:
    return tuple(
        n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )


def _option(item: ast.AnnAssign, call: ast.Call, enums: Mapping[str, ast.ClassDef]) -> OptionInfo:
    keywords = {k.arg: k.value for k in call.keywords}
    arguments = dict(zip(("default", "help"), call.args, strict=False))
    default = arguments.get("default", keywords.get("default"))
    help = arguments.get("help", keywords.get("help"))
    assert default is not None and help is not None
    annotation = ast.unparse(item.annotation)
    choices: Iterable[str] = _strings(keywords["choices"]) if "choices" in keywords else ()
    if annotation in enums:
        members = {
            ast.unparse(n.targets[0]): str(ast.literal_eval(n.value))
            for n in enums[annotation].body
            if isinstance(n, ast.Assign)
        }
        choices = tuple(members.values())
        shown = members[ast.unparse(default).rsplit(".", 1)[-1]]
        return OptionInfo(
            kebab(ast.unparse(item.target)), "choice", shown, ast.literal_eval(help), choices
        )
    return OptionInfo(
        kebab(ast.unparse(item.target)),
        _type_text(annotation),
        _default_text(default),
        ast.literal_eval(help),
        tuple(choices),
    )


def _type_text(annotation: str) -> str:
    """The text that `options.type_name` gives for the evaluated annotation."""
    if annotation.endswith("| None"):
        return f"{_type_text(annotation[:-6].strip())} or none"
    if annotation.startswith("tuple["):
        return f"list of {annotation[6:-1].split(',')[0]}"
    return annotation


def _default_text(node: ast.expr) -> str:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)
