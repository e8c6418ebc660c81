"""`penguin-doc`: the reference pages of passes, dialects and codes, written from the code.

Pages: `passes.md` (tables of the registry, docstrings and reasons of the pass files), one
`dialect-<name>.md` per dialect (op classes, their fields and docstrings, closed sets of names) and
`codes.md` (the pages of `penguin/codes`). Docstrings are the specifications, so they are quoted as
they stand. The pages are committed; `--check` says which ones differ from the code.
"""

import argparse
import ast
import enum
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

from penguin.mlir import ext
from penguin.passlib import registry as registry_module
from penguin.passlib.options import OptionInfo
from penguin.passlib.registry import PassInfo, Registry

DEFAULT_FOLDER = Path("docs") / "generated"
CODE = re.compile(r"PG[A-Z]\d{3}|NCC_[A-Z]+\d+")
_NOTICE = "<!-- Written by penguin-doc from the code; edit the code and run it again. -->\n\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="penguin-doc", description=__doc__.partition("\n\n")[0])
    parser.add_argument(
        *("-o", "--output"), type=Path, default=DEFAULT_FOLDER, metavar="DIR", help="(%(default)s)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if stale")
    arguments = parser.parse_args(argv)
    found = stale(arguments.output)
    if arguments.check:
        for name in found:
            print(f"{arguments.output / name} differs from the code", file=sys.stderr)
        return 1 if found else 0
    try:
        arguments.output.mkdir(parents=True, exist_ok=True)
        for name, text in pages().items():
            (arguments.output / name).write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"penguin-doc: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def stale(folder: Path) -> list[str]:
    """Names of pages that are missing, differ, or describe something that is gone."""
    fresh = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    names = sorted(fresh.keys() | present.keys())
    return [name for name in names if fresh.get(name) != present.get(name)]


def pages() -> dict[str, str]:
    """File name to text, for every page."""
    found = {"passes.md": _passes(registry_module.default()), "codes.md": _codes()}
    for package, dialect in _dialects():
        name = dialect.DIALECT_NAMESPACE
        found[f"dialect-{name}.md"] = _dialect(package, name)
    return {name: f"{_NOTICE}{text.rstrip()}\n" for name, text in found.items()}


# Passes


def _passes(registry: Registry) -> str:
    parts = ["# Passes\n\n"]
    for group, names in registry.groups().items():
        rows = [(f"[{n}](#{n})", registry.describe(n).summary) for n in names]
        parts.append(f"## Group {group}\n\n" + _table(("pass", "what it does"), rows))
    if registry.pipelines:
        rows = [(f"`{n}`", p.help, f"`{p.text}`") for n, p in registry.pipelines.items()]
        parts.append("## Pipelines\n\n" + _table(("name", "what for", "passes"), rows))
    parts += [_pass(registry, name) for names in registry.groups().values() for name in names]
    return "".join(parts)


def _pass(registry: Registry, name: str) -> str:
    info = registry.describe(name)
    cls = registry.load(name)
    module = sys.modules[cls.__module__]
    text = f"## {name}\n\n{_quote(module)}{_contract(info)}"
    if info.options:
        text += _table(("option", "type", "default", "meaning"), map(_option, info.options))
    if info.statistics:
        text += _table(("statistic",), [(s,) for s in info.statistics])
    reasons = getattr(module, "Why", None)
    if reasons is not None:
        text += _table(("reason", "meaning"), [(f"`{w.name}`", _reason(w.value)) for w in reasons])
    return text


def _reason(value: str) -> str:
    """A phrase, or the code of the error that the pass ends with."""
    return f"error [{value}](codes.md#{value.lower()})" if CODE.fullmatch(value) else value


def _contract(info: PassInfo) -> str:
    def listed(names: Iterable[str]) -> str:
        return ", ".join(f"`{n}`" for n in sorted(names)) or "nothing"

    return (
        f"Runs on `{info.anchor}`; requires {listed(info.requires)}; "
        f"produces {listed(info.produces)}.\n\n"
    )


def _option(option: OptionInfo) -> tuple[str, str, str, str]:
    kind = " ".join(option.choices) if option.choices else option.type
    return f"`{option.name}`", kind, f"`{option.default}`", option.help


# Dialects


def _dialects() -> Iterator[tuple[ModuleType, Any]]:
    """Each package under `penguin.dialects` that defines a dialect, with the dialect."""
    root = importlib.import_module("penguin.dialects")
    for entry in sorted(pkgutil.iter_modules(root.__path__), key=lambda e: e.name):
        if not entry.ispkg:
            continue
        package = importlib.import_module(f"{root.__name__}.{entry.name}")
        for value in vars(package).values():
            if inspect.isclass(value) and issubclass(value, ext.Dialect):
                yield package, value
                break


def _dialect(package: ModuleType, name: str) -> str:
    modules = [
        importlib.import_module(f"{package.__name__}.{entry.name}")
        for entry in pkgutil.iter_modules(package.__path__)
    ]
    text = f"# Dialect {name}\n\n{_quote(package)}"
    for module in modules:
        ops = [c for c in _own_classes(module) if getattr(c, "OPERATION_NAME", None)]
        if ops:
            text += f"## {_title(module)}\n\n{_quote(module)}" + "".join(map(_op, ops))
        elif "(C1)" in (module.__doc__ or ""):
            text += f"## {_title(module)}\n\n{_quote(module)}"
    for module in modules:
        enums = [c for c in _own_classes(module) if issubclass(c, enum.StrEnum)]
        if enums:
            rows = [(f"`{c.__name__}`", _first(c), " ".join(c)) for c in enums]
            text += f"## Names in {_title(module)}\n\n" + _table(("set", "of", "names"), rows)
    return text


def _op(cls: Any) -> str:
    text = f"### {cls.OPERATION_NAME}\n\n{_quote(cls)}"
    schema = getattr(cls, "schema", None)
    if schema is None:
        operands = [f.name for f in cls._fields if isinstance(f, ext.OperandDef)]
        attributes = [f.name for f in cls._fields if not isinstance(f, ext.OperandDef)]
        return text + f"Operands: {_names(operands)}. Attributes: {_names(attributes)}.\n\n"
    engines = sorted(str(engine) for engine in schema.engines)
    ins = list(schema.ins)
    for i in range(len(ins) - schema.optional, len(ins)):
        ins[i] += " (optional)"
    text += f"Engines: {_names(engines)}. Reads: {_names(ins)}. Writes: {_names(schema.outs)}.\n\n"
    rows = [
        (f"`{key}`", a.expected, "required" if a.default is None else f"`{a.default!r}`")
        for key, a in schema.attributes.items()
    ]
    return text + (_table(("attribute", "value", "default"), rows) if rows else "")


def _own_classes(module: ModuleType) -> list[Any]:
    """Classes of the module, in the order of its text."""
    names = [
        n.name for n in ast.parse(inspect.getsource(module)).body if isinstance(n, ast.ClassDef)
    ]
    return [getattr(module, name) for name in names]


def _title(module: ModuleType) -> str:
    return module.__name__.rsplit(".", 1)[-1].replace("_", " ")


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{n}`" for n in names) or "none"


# Codes


def _codes() -> str:
    """The pages of `penguin/codes`, one heading level down, behind an index."""
    folder = resources.files("penguin.codes")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".md")), key=lambda f: f.name)
    texts = [file.read_text(encoding="utf-8").strip() for file in files]
    rows = []
    for text in texts:
        code, _, title = text.splitlines()[0].removeprefix("# ").partition(": ")
        rows.append((f"[{code}](#{code.lower()})", title))
    index = _table(("code", "meaning"), rows)
    return f"# Codes\n\n{index}" + "".join(_code(text) for text in texts)


def _code(text: str) -> str:
    heading, _, body = text.partition("\n")
    code, _, title = heading.removeprefix("# ").partition(": ")
    fenced, lines = False, []
    for line in body.strip().splitlines():
        fenced ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not fenced else line)
    return f"## {code}\n\n**{title}**\n\n" + "\n".join(lines) + "\n\n"


# Markdown


def _quote(documented: Any) -> str:
    """A docstring as it stands: its columns and arrows mean something."""
    doc = inspect.getdoc(documented)
    return f"```text\n{doc}\n```\n\n" if doc else ""


def _first(documented: Any) -> str:
    return (documented.__doc__ or "").strip().partition("\n")[0]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    text = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines]
    return "\n".join(text) + "\n\n"


if __name__ == "__main__":
    sys.exit(main())
