"""StableHLO's self-checking programs as ordinary ones: arguments in, checked values out.

A program of openxla/stablehlo `testdata` is one module whose `@main` takes nothing, calls `@inputs`
and `@expected` (functions that return constants), and ends in `custom_call @check.expect_*(actual,
expected)`. `rewrite` edits such a module in place: the results of `@inputs` become arguments of
`@main`, every checked value a result; the constants come back as numpy arrays. So inputs are never
known to the compiler, and any executor can be compared outside of it.

Judgement: `expect_eq` exactly (NaN equals NaN), `expect_close` and `expect_almost_eq` by the
tolerance table of `penguin.dtypes`.
"""

import json
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from penguin import dtypes
from penguin.mlir import ir, walk

_CHECK = "check."
_WIDE = ("64", "128", "complex")
_OUTSIDE = ("scatter", "convolution")


@dataclass(frozen=True)
class Entry:
    """One line of the index: what a program is made of, without parsing it."""

    file: str
    family: str
    ops: tuple[str, ...]
    dtypes: tuple[str, ...]

    @property
    def core(self) -> bool:
        """No scatter, convolution, 64-bit or complex type: the part to be supported first."""
        return not any(part in op for op in self.ops for part in _OUTSIDE) and not any(
            part in dtype for dtype in self.dtypes for part in _WIDE
        )


@dataclass(frozen=True)
class Check:
    """One comparison: `kind` is `expect_eq`, `expect_close` or `expect_almost_eq`."""

    kind: str
    expected: np.ndarray

    def failure(self, actual: np.ndarray) -> str:
        """What is wrong with `actual`; empty if nothing is."""
        expected = self.expected
        if actual.shape != expected.shape or actual.dtype != expected.dtype:
            return (
                f"got {actual.dtype}{list(actual.shape)}, "
                f"expected {expected.dtype}{list(expected.shape)}"
            )
        if self.kind != "expect_eq":
            result = dtypes.compare(actual, expected)
            if result.ok:
                return ""
            return f"abs {result.max_abs:.3g}, rel {result.max_rel:.3g} > {result.tolerance:g}"
        with np.errstate(invalid="ignore"):
            same = np.asarray(actual == expected)
            if dtypes.BY_NUMPY[expected.dtype].is_float:
                same |= np.isnan(actual) & np.isnan(expected)
        if same.all():
            return ""
        at = tuple(int(i) for i in np.argwhere(~same)[0])
        return (
            f"{int((~same).sum())} of {same.size} differ, "
            f"first at {list(at)}: got {actual[at]}, expected {expected[at]}"
        )


@dataclass(frozen=True)
class Program:
    """A rewritten module of the current context, its inputs, and its checks, one a result."""

    module: ir.Module
    inputs: list[np.ndarray]
    checks: list[Check]

    def failures(self, outputs: Iterable[np.ndarray]) -> list[str]:
        """One text per result that is wrong."""
        found = []
        for number, (check, actual) in enumerate(zip(self.checks, outputs, strict=True)):
            text = check.failure(actual)
            if text:
                found.append(f"output {number}: {text}")
        return found


class UnsupportedType(Exception):
    """A constant of an element type that penguin has no dtype for."""


def index(path: Path) -> list[Entry]:
    """The programs listed in a `.jsonl` index."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [Entry(r["file"], r["family"], tuple(r["ops"]), tuple(r["dtypes"])) for r in rows]


def unpack(archive: Path, directory: Path) -> dict[str, Path]:
    """Extracts the archive; program name (last path component) to file."""
    with tarfile.open(archive) as tar:
        tar.extractall(directory, filter="data")
    return {path.name: path for path in directory.rglob("*.mlir")}


def numpy_of(constant: ir.Value) -> np.ndarray:
    """The value of a `stablehlo.constant`; raises `UnsupportedType`."""
    shaped = ir.ShapedType(constant.type)
    entry = dtypes.of(shaped.element_type)
    if entry is None:
        raise UnsupportedType(f"element type {shaped.element_type}")
    attribute = constant.owner.attributes["value"]
    if entry.mlir == "bf16":
        return _bf16_of(attribute, tuple(shaped.shape), entry.numpy)
    values = np.array(ir.DenseElementsAttr(attribute))
    return np.ascontiguousarray(values.astype(entry.numpy)).reshape(tuple(shaped.shape))


def _bf16_of(attribute: ir.Attribute, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The bindings read no bf16 constant: its text, which is exact, has a hex dump or decimals."""
    body = str(attribute).split("dense<", 1)[1].rsplit("> : ", 1)[0]
    if body.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(body[3:-1]), dtype).reshape(shape).copy()
    # A value without short decimals (an infinity, a NaN) is printed as its bits.
    values = [
        np.uint16(int(text, 16)).view(dtype) if text.startswith("0x") else dtype.type(float(text))
        for text in body.translate(str.maketrans("[]", "  ")).replace(" ", "").split(",")
        if text
    ]
    flat = np.array(values, dtype)
    return np.full(shape, flat[0]) if flat.size == 1 else flat.reshape(shape)


def _functions(module: ir.Module) -> dict[str, ir.Operation]:
    return {
        ir.StringAttr(op.attributes["sym_name"]).value: op.operation
        for op in module.body.operations
        if op.operation.name == "func.func"
    }


def _constants(function: ir.Operation) -> list[np.ndarray]:
    """The arrays that a function of constants returns."""
    terminator = list(function.regions[0].blocks[0].operations)[-1]
    return [numpy_of(value) for value in terminator.operands]


def _callee(op: ir.Operation) -> str:
    return ir.FlatSymbolRefAttr(op.attributes["callee"]).value


def rewrite(module: ir.Module) -> Program:
    """Turns a self-checking module into a program; raises `UnsupportedType`."""
    functions = _functions(module)
    main = functions["main"]
    block = main.regions[0].blocks[0]
    ops = [op.operation for op in block.operations]
    calls = {_callee(op): op for op in ops if op.name == "func.call"}
    inputs = _constants(functions["inputs"]) if "inputs" in calls else []
    expected = _constants(functions["expected"])

    checks, actuals, dead = [], [], []
    for op in ops:
        if op.name != "stablehlo.custom_call":
            continue
        target = ir.StringAttr(op.attributes["call_target_name"]).value
        if target.startswith(_CHECK):
            wanted = ir.OpResult(op.operands[1])
            checks.append(Check(target.removeprefix(_CHECK), expected[wanted.result_number]))
            actuals.append(op.operands[0])
            dead.append(op)
    if "inputs" in calls:
        call = calls["inputs"]
        for result in call.results:
            result.replace_all_uses_with(block.add_argument(result.type, call.location))
        dead.append(call)
        # A checked value may have been one of these results.
        actuals = [op.operands[0] for op in dead if op.name == "stablehlo.custom_call"]

    terminator = ops[-1]
    types = [value.type for value in actuals]
    with ir.InsertionPoint(terminator), terminator.location:
        ir.Operation.create("func.return", operands=actuals)
    for op in [terminator, *dead, calls["expected"]]:
        op.erase()
    signature = ir.FunctionType.get([argument.type for argument in block.arguments], types)
    main.attributes["function_type"] = ir.TypeAttr.get(signature)
    for key in ("arg_attrs", "res_attrs"):
        if key in main.attributes:
            del main.attributes[key]
    for name in ("inputs", "expected"):
        if name in functions:
            functions[name].erase()
    assert module.operation.verify()
    assert not [op for op in walk(module.operation, "func.call") if _callee(op) == "inputs"]
    return Program(module, inputs, checks)
