"""What goes into a program and what comes out: names, dtypes and shapes at any level; input data.

A port is an argument or a result of the entry function. Names are `penguin.name` where a level
has it, else `arg0`, `arg1`, ... and `out0`, `out1`, ... in order, so a program keeps its names on
the way down. The entry is the public function `main`, or the only public one; in BIR
the first.

Codes: PGR201 no entry function, PGR202 a type that is no static tensor of a dtype, PGR203 wrong
number of inputs or unknown name, PGR204 wrong shape or dtype of an input, PGR205 no readable `.npz`
file.
"""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib.npyio import NpzFile

from penguin import bir, dtypes, oracle
from penguin.dialects.penguin.attributes import IO, NAME, IoKind
from penguin.errors import Diagnostic, UserError
from penguin.mlir import ir
from penguin.passlib.diagnostics import describe

_INPUT, _OUTPUT = "arg", "out"


@dataclass(frozen=True)
class Port:
    """An argument or a result."""

    name: str
    dtype: dtypes.DType
    shape: tuple[int, ...]

    @property
    def type(self) -> str:
        """For messages: `f32[4, 8]`."""
        return f"{self.dtype.mlir}{list(self.shape)}"


@dataclass(frozen=True)
class Signature:
    """The ports of a program, in order."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


def signature(program: "ir.Module | bir.Module") -> Signature:
    """The ports of a module of any level."""
    if isinstance(program, ir.Module):
        return _of_function(entry(program))
    main = program.main
    return Signature(
        tuple(Port(t.name, dtypes.BY_BIR[t.dtype], tuple(t.shape)) for t in main.inputs()),
        tuple(Port(t.name, dtypes.BY_BIR[t.dtype], tuple(t.shape)) for t in main.outputs()),
    )


def entry(module: ir.Module) -> ir.Operation:
    """The function that is executed."""
    functions = [op.operation for op in module.body.operations if op.operation.name == "func.func"]
    public = [f for f in functions if is_public(f)]
    named = [f for f in public if ir.StringAttr(f.attributes["sym_name"]).value == "main"]
    found = named or public
    if len(found) != 1:
        raise UserError.at(
            "PGR201",
            f"the module has {len(found)} public functions, expected one, or one called 'main'",
            describe(found[1] if found else module.operation),
        )
    return found[0]


def is_public(function: ir.Operation) -> bool:
    """Whether a function may be called from outside; a visibility that is not written is public."""
    given = function.attributes
    return "sym_visibility" not in given or ir.StringAttr(given["sym_visibility"]).value == "public"


def _of_function(function: ir.Operation) -> Signature:
    type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    given = function.attributes["arg_attrs"] if "arg_attrs" in function.attributes else None
    sides: dict[str, list[Port]] = {_INPUT: [], _OUTPUT: []}
    for number, argument in enumerate(type_.inputs):
        attributes = ir.DictAttr(given[number]) if given is not None else {}
        side = _OUTPUT if _text(attributes, IO) == IoKind.OUTPUT else _INPUT
        name = _text(attributes, NAME) or f"{side}{len(sides[side])}"
        sides[side].append(_port(name, argument, function))
    for result in type_.results:
        sides[_OUTPUT].append(_port(f"{_OUTPUT}{len(sides[_OUTPUT])}", result, function))
    return Signature(tuple(sides[_INPUT]), tuple(sides[_OUTPUT]))


def _text(attributes: "ir.DictAttr | dict", key: str) -> str:
    return ir.StringAttr(attributes[key]).value if key in attributes else ""


def _port(name: str, type_: ir.Type, function: ir.Operation) -> Port:
    dtype = dtype_of(type_)
    if dtype is None or not type_.has_static_shape:
        expected = ", ".join(dtypes.BY_MLIR)
        raise UserError.at(
            "PGR202",
            f"'{name}' has type {type_}, expected a static tensor of one of {expected}",
            describe(function),
        )
    return Port(name, dtype, tuple(type_.shape))


def dtype_of(type_: ir.Type) -> dtypes.DType | None:
    """The entry for the elements of a tensor or memref type."""
    return dtypes.of(type_.element_type) if isinstance(type_, ir.ShapedType) else None


def random_inputs(ports: Sequence[Port], seed: int = 0) -> list[np.ndarray]:
    """Inputs that keep a program in its range, the same for one seed at every level."""
    types = ["x".join((*map(str, port.shape), port.dtype.mlir)) for port in ports]
    return oracle.random_inputs(types, seed)


def check_inputs(ports: Sequence[Port], inputs: Sequence[np.ndarray]) -> None:
    """Raises one diagnostic per input that does not fit its port."""
    if len(inputs) != len(ports):
        expected = ", ".join(f"{p.name}: {p.type}" for p in ports) or "none"
        raise UserError.at(
            "PGR203", f"got {len(inputs)} inputs, expected {len(ports)} ({expected})"
        )
    found = [
        Diagnostic("PGR204", f"input '{port.name}' is {_type_of(array)}, expected {port.type}")
        for port, array in zip(ports, inputs, strict=True)
        if array.shape != port.shape or array.dtype != port.dtype.numpy
    ]
    if found:
        raise UserError(found)


def _type_of(array: np.ndarray) -> str:
    entry = dtypes.BY_NUMPY.get(array.dtype)
    return f"{entry.mlir if entry else array.dtype}{list(array.shape)}"


def load_inputs(path: Path, ports: Sequence[Port]) -> list[np.ndarray]:
    """The arrays of an `.npz` file, by name or by position (`arr_0`, ...); checked.

    numpy stores bfloat16 as raw two-byte items, and BIR has bytes where a model has booleans; both
    are read as what the port says.
    """
    try:
        file = np.load(path, allow_pickle=False)
        if not isinstance(file, NpzFile):
            raise ValueError("one array, not several by name")
        with file:
            # A member that is no array comes as its bytes.
            arrays = {name: np.asarray(file[name]) for name in file.files}
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or "not an .npz file"
        raise UserError.at(
            "PGR205",
            f"cannot read the inputs: {reason.lower()}; expected random:SEED or an .npz file",
            str(path),
        ) from None
    names = _names(arrays, ports)
    if sorted(names) != sorted(arrays):
        raise UserError.at(
            "PGR203",
            f"the file has {', '.join(arrays) or 'no arrays'}, "
            f"expected {', '.join(p.name for p in ports) or 'none'}",
            str(path),
        )
    inputs = [_typed(arrays[name], port) for name, port in zip(names, ports, strict=True)]
    try:
        check_inputs(ports, inputs)
    except UserError as error:
        raise UserError(
            [Diagnostic(d.code, d.message, str(path)) for d in error.diagnostics]
        ) from None
    return inputs


def _names(arrays: Mapping[str, np.ndarray], ports: Sequence[Port]) -> list[str]:
    positional = [f"arr_{number}" for number in range(len(ports))]
    return positional if set(positional) == set(arrays) else [port.name for port in ports]


def _typed(array: np.ndarray, port: Port) -> np.ndarray:
    if array.dtype == np.bool_ and port.dtype.mlir == "ui8":
        return array.astype(np.uint8)
    if array.dtype.kind == "V" and array.dtype.itemsize == port.dtype.itemsize:
        return array.view(port.dtype.numpy)
    return array
