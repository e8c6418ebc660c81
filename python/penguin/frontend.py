"""From what a user has to a module of the current context: `load(source) -> ir.Module`.

Kinds of input, told apart by content, never by file name:

* MLIR text of any level (stablehlo, chlo, func, and every later level);
* MLIR bytecode, and StableHLO portable artifacts (versioned bytecode of the vhlo dialect);
* MHLO text or bytecode (mhlo operations, not just `mhlo.*` attributes), which `to_stablehlo`
  converts;
* `file.py:function`: a zero-argument function that returns `(callable, args)`. It is executed, and
  JAX lowers the callable for a non-CPU platform, so that no LAPACK calls and CPU forms appear.

Whatever is wrong with the input is a `UserError` whose diagnostics have the place, `file:line:col`,
and a code: PGI001 unreadable file, PGI002 nothing in it, PGI003 broken MLIR, PGI004 broken
bytecode, PGI005 unknown dialect or operation, PGI006 dynamic shape, PGI008 no such
function in the Python file, PGI009 Python or JAX failed, PGI010 sdy.

`parse` reads without the check of shapes, for tools that work on any MLIR.
"""

import contextlib
import functools
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from penguin import mlir
from penguin.errors import Diagnostic, UserError
from penguin.mlir import ir
from penguin.passlib.diagnostics import Diagnostics, describe

_BYTECODE_MAGIC = b"ML\xefR"
_ARTIFACT_MAGIC = b"StableHLO_v"
_ARTIFACT_HEADER = 32  # magic, bytecode version, producer: the producer names the format

# `mhlo.add` where an operation's name stands; attributes (`mhlo.sharding = ...`) do not match.
_MHLO_OP = re.compile(rb'(?:^|=)[ \t]*"?mhlo\.[a-z_0-9.]+\b(?!"?[ \t]*=)', re.MULTILINE)
_MHLO_DIALECT_STRING = b"\0mhlo\0"
_HAND_OVER = "builtin.module(fusion-to-composite,mhlo-to-stablehlo)"
_PYTHON_FUNCTION = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")
_JAXLIB_ERROR = re.compile(
    r'error: (?:"[^"]*":(?P<line>\d+):(?P<column>\d+): )?(?P<message>[^\n]*)'
)
_NOT_REGISTERED = re.compile(r"unregistered|Dialect `\w+' not found|is unknown|dialect '\w+'")
_SDY = re.compile(r"\bsdy\b")

# The text is long and about C++; it names nothing that the user could do here.
_DROPPED_NOTE = "Available dialects: "

_LONGEST_LINE = 120


def load(source: str | bytes | Path, *, name: str | None = None) -> ir.Module:
    """A module of the current context with static shapes.

    A `str` with a line break or a brace is MLIR text, any other a path or `file.py:function`.
    `name` stands for the file in messages about text or bytes.
    """
    module = parse(source, name=name)
    _check_shapes(module)
    return module


def parse(source: str | bytes | Path, *, name: str | None = None) -> ir.Module:
    """Like `load`, for modules that may have dynamic shapes."""
    if isinstance(source, bytes):
        return _parse_content(source, name or "-", None)
    if isinstance(source, str) and _is_text(source):
        return _parse_content(source.encode(), name or "-", None)
    reference = _PYTHON_FUNCTION.fullmatch(str(source))
    if reference is not None and not Path(source).exists():
        return _parse_content(_run_python(reference["file"], reference["function"]), str(source))
    return _parse_content(_read(Path(source)), name or str(source), Path(source))


def _place(location: ir.Location) -> str:
    """As `diagnostics.describe`; bytecode has no lines, and the bindings call that 0:0."""
    return describe(location).removesuffix(":0:0")


def _is_text(source: str) -> bool:
    return not source.strip() or "\n" in source or "{" in source


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError.at("PGI001", f"cannot read the file: {reason}", str(path)) from None


def _parse_content(content: bytes, name: str, path: Path | None = None) -> ir.Module:
    """`path` is given when the content is the file's own, so that locations can name it."""
    if not content.strip():
        raise UserError.at("PGI002", "the input is empty; expected an MLIR module", name)
    if content.startswith(_BYTECODE_MAGIC):
        return _non_empty(_parse_bytecode(content, name), name)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = "the input is neither MLIR bytecode nor UTF-8 text"
        raise UserError.at("PGI003", message, f"{name}:{line}:1") from None
    if is_mhlo(content):
        return to_stablehlo(_non_empty(parse_mhlo(path or text, name=name), name), name=name)
    try:
        with mlir.guard():
            module = ir.Module.parse(text) if path is None else ir.Module.parseFile(str(path))
    except ir.MLIRError as error:
        raise _parse_error(error, name, "PGI003", text) from None
    return _non_empty(module, name)


def _parse_bytecode(content: bytes, name: str) -> ir.Module:
    if _ARTIFACT_MAGIC in content[:_ARTIFACT_HEADER]:
        return _parse_artifact(content, name)
    if is_mhlo(content):
        return to_stablehlo(parse_mhlo(content, name=name), name=name)
    try:
        return mlir.parse(content)
    except ir.MLIRError as error:
        raise _parse_error(error, name, "PGI004") from None


def _parse_artifact(content: bytes, name: str) -> ir.Module:
    bindings = mlir.stablehlo_bindings()
    context = ir.Context.current
    reasons: list[str] = []

    def keep(diagnostic: Any) -> bool:
        reasons.append(diagnostic.message)
        return True

    handler = context.attach_diagnostic_handler(mlir.BOUNDARY.wrap(keep, True))
    try:
        with mlir.guard():
            return bindings.deserialize_portable_artifact(context, content)
    except (ir.MLIRError, ValueError):
        start = content.index(_ARTIFACT_MAGIC) + len(_ARTIFACT_MAGIC)
        version = content[start : start + _ARTIFACT_HEADER].split(b"\0")[0].decode(errors="replace")
        message = (
            f"not a readable StableHLO artifact of version {version}; "
            f"expected a version from {bindings.get_minimum_version()} "
            f"to {bindings.get_current_version()}"
        )
        raise UserError([Diagnostic("PGI004", message, name, notes=tuple(reasons))]) from None
    finally:
        handler.detach()


def is_mhlo(content: bytes) -> bool:
    """Whether MLIR text or bytecode has mhlo operations, and so belongs to jaxlib's bindings."""
    if content.startswith(_BYTECODE_MAGIC):
        return _MHLO_DIALECT_STRING in content
    for found in _MHLO_OP.finditer(content):
        line = content[content.rfind(b"\n", 0, found.end()) + 1 : found.end()]
        if b"//" not in line:
            return True
    return False


def parse_mhlo(
    source: str | bytes | Path, *, name: str, one_op: bool = False, allow_unregistered: bool = False
) -> Any:
    """A module of jaxlib's bindings from mhlo text or bytecode; (PGI003) if it is broken."""
    try:
        return mlir.mhlo.parse(
            source, one_op=name if one_op else "", allow_unregistered=allow_unregistered
        )
    except ValueError as error:
        found = _JAXLIB_ERROR.search(str(error))
        message = found["message"] if found is not None else str(error).splitlines()[0]
        place = f"{name}:{found['line']}:{found['column']}" if found and found["line"] else name
        code = "PGI005" if _NOT_REGISTERED.search(message) else "PGI003"
        raise UserError.at(code, message, place) from None


def to_stablehlo(module: Any, *, name: str = "-") -> ir.Module:
    """A module of the current context from one of jaxlib's bindings, which is used up."""
    # The framework executes modules, and so depends on this module.
    from penguin.passlib import RunOptions, run_pipeline
    from penguin.passlib.pass_ import Session

    session = Session(Diagnostics(file=name))
    options = RunOptions(write_reproducers=False)
    return run_pipeline(module, _HAND_OVER, options=options, session=session).module


def executable(module: Any) -> ir.Module:
    """A module that can be executed: the given one, or for mhlo a copy that is handed over."""
    if mlir.bindings_of(module) is mlir.TORCH:
        return module
    return to_stablehlo(mlir.mhlo.parse(mlir.to_bytecode(module.operation)))


def _non_empty(module: ir.Module, name: str) -> ir.Module:
    if next(iter(module.body.operations), None) is None:
        raise UserError.at("PGI002", "the module has no operations; expected a function", name)
    return module


def _parse_error(error: ir.MLIRError, name: str, code: str, text: str = "") -> UserError:
    diagnostics = [_diagnostic(d, name, code, text) for d in error.error_diagnostics]
    return UserError(diagnostics or [Diagnostic(code, "cannot parse the module", name)])


def _diagnostic(found: Any, name: str, code: str, text: str) -> Diagnostic:
    message = found.message.strip()
    place = _place(found.location)
    if place == "-" or place.startswith("-:"):
        place = name + place.removeprefix("-")
    # What follows the first sentence tells C++ programmers how to allow unregistered dialects.
    message = message.split(". If this is intended")[0].split("; are you missing")[0].strip()
    notes = [n.message.strip() for n in found.notes if not n.message.startswith(_DROPPED_NOTE)]
    notes += _source_line(text, place)
    if _SDY.search(message) is not None:
        code = "PGI010"
        message = "the program has sdy (Shardy) annotations; expected a program without shardings"
    elif _NOT_REGISTERED.search(message) is not None:
        code = "PGI005"
    return Diagnostic(code, message, place or name, notes=tuple(notes))


def _source_line(text: str, place: str) -> list[str]:
    """The line of `text` that `place` points to, if it does."""
    numbers = re.search(r":(\d+):\d+$", place)
    lines = text.splitlines()
    if numbers is None or not 0 < int(numbers[1]) <= len(lines):
        return []
    return [lines[int(numbers[1]) - 1].strip()[:_LONGEST_LINE]]


def _check_shapes(module: ir.Module) -> None:
    """(PGI006) every tensor in a function's signature has a rank and static dimensions."""
    findings = []
    for op in module.body.operations:
        if not isinstance(op, mlir.func.FuncOp):
            continue
        signature = op.type
        for kind, types in (("argument", signature.inputs), ("result", signature.results)):
            for number, type_ in enumerate(types):
                if _is_static(type_):
                    continue
                message = f"{kind} #{number} has type {type_}, expected a static shape"
                findings.append(Diagnostic("PGI006", message, _place(op.location)))
    if findings:
        raise UserError(findings)


def _is_static(type_: ir.Type) -> bool:
    if not isinstance(type_, ir.ShapedType):
        return True
    return type_.has_rank and type_.has_static_shape


def _run_python(file: str, function: str) -> bytes:
    """Executes `file`, calls `function`, and lowers what it returns; the result is bytecode."""
    path = Path(file)
    _read(path)
    # What the user's code prints must not end up in a result on stdout.
    with contextlib.redirect_stdout(sys.stderr), _importable(path.resolve().parent):
        namespace = _python_step(path, f"cannot execute {path.name}", _execute, path)
        factory = getattr(namespace, function, None)
        if not callable(factory):
            raise UserError.at("PGI008", f"no function {function!r} in the file", str(path))
        returned = _python_step(path, f"{function}() failed", factory)
        if not (isinstance(returned, tuple) and len(returned) == 2 and callable(returned[0])):
            message = f"{function}() returned {_describe(returned)}, expected (callable, args)"
            raise UserError.at("PGI008", message, str(path))
        target, args = returned
        if not isinstance(args, tuple | list):
            message = f"{function}() returned args of type {type(args).__name__}, expected a tuple"
            raise UserError.at("PGI008", message, str(path))
        lower = functools.partial(mlir.jax_lower, target, args)
        lowered = _python_step(path, f"JAX cannot lower what {function}() returned", lower)
        return mlir.jax_bytecode(lowered)


def _execute(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"_penguin_input_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    namespace = importlib.util.module_from_spec(spec)
    # Dataclasses and pickling look their module up by name.
    sys.modules[spec.name] = namespace
    spec.loader.exec_module(namespace)
    return namespace


@contextlib.contextmanager
def _importable(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _python_step(path: Path, what: str, step: Callable[..., Any], *args: Any) -> Any:
    """Runs the user's code; its exception becomes a message at the deepest line of the file."""
    try:
        return step(*args)
    except Exception as error:
        if isinstance(error, SyntaxError) and error.filename == str(path):
            place = f"{path}:{error.lineno}"
        else:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [f.lineno for f in frames if Path(f.filename) in (path, path.resolve())]
            place = f"{path}:{lines[-1]}" if lines else str(path)
        text = str(error).strip().splitlines()
        detail = f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
        raise UserError.at("PGI009", f"{what}: {detail}", place) from error


def _describe(value: Any) -> str:
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    return f"an object of type {type(value).__name__}"
