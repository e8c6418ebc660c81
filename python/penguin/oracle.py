"""Two independent executors of StableHLO, to judge our own results by.

* `reference`: the interpreter that ships with StableHLO, one op after another as the specification
  says; CHLO is expanded first. It ends the process when it meets an op that it does not know, hence
  runs in a child.
* `jax_cpu`: XLA's CPU compiler, as JAX calls it; fast.

Inputs and outputs are numpy arrays: bfloat16 of `ml_dtypes`, `i1` as bool. Failures are
`UserError`s: PGR220 no entry function, PGR221 the interpreter cannot run the program on these
inputs, PGR222 XLA cannot, PGR223 neither can.

`random_inputs` makes inputs that keep programs in their range: floats are standard normal, divided
by the square root of the largest extent if the tensor is a matrix of a layer's size (as weights are
initialised: sums stay near 1, a softmax does not degenerate); integers are small, signed ones
around zero.
"""

import faulthandler
import os
import pickle
import tempfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penguin import dtypes, frontend, mlir
from penguin.bir import constants
from penguin.errors import UserError
from penguin.mlir import ir
from penguin.passlib.diagnostics import describe

_MAIN = "main"
# How a visibility prints that is not written, or written out.
_PUBLIC = ("None", '"public"')
_SMALL = 8
_LAYER = 64
_LEGALIZE_CHLO = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
# The bindings read results of this dtype only as their bits.
_UNREADABLE = dtypes.BY_MLIR["bf16"]
_BITS = np.dtype(np.uint16)


def reference(source: ir.Module | str | bytes, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Runs the entry function of a StableHLO module in the reference interpreter."""
    bytecode = _with_main(source)
    return _in_child(lambda: _interpret(bytecode, inputs))


def jax_cpu(source: ir.Module | str | bytes, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Compiles the entry function with XLA for the CPU, and runs it."""
    bytecode = _with_main(source)
    try:
        return mlir.xla_cpu(bytecode, inputs)
    except ValueError as error:
        message = f"XLA cannot run the program: {_first_line(error)}"
        raise UserError.at("PGR222", message) from None


def random_inputs(types: Sequence[ir.Type | str], seed: int) -> list[np.ndarray]:
    """Arrays for tensor or memref types, or their texts (`4x8xbf16`); the same for one seed."""
    rng = np.random.default_rng(seed)
    return [_random(rng, *_shape_and_dtype(type_)) for type_ in types]


def _random(rng: np.random.Generator, shape: tuple[int, ...], dtype: dtypes.DType) -> np.ndarray:
    if dtype.is_float:
        values = np.asarray(rng.standard_normal(shape, np.float32))
        if len(shape) > 1 and max(shape) > _LAYER:
            values /= np.float32(max(shape)) ** 0.5
        return values.astype(dtype.numpy)
    if dtype.numpy == np.bool_:
        return np.asarray(rng.integers(0, 2, shape)).astype(np.bool_)
    low = 0 if dtype.numpy.kind == "u" else -_SMALL
    return np.asarray(rng.integers(low, _SMALL, shape)).astype(dtype.numpy)


def _shape_and_dtype(type_: ir.Type | str) -> tuple[tuple[int, ...], dtypes.DType]:
    if isinstance(type_, str):
        *extents, element = type_.split("x")
        shape = tuple(map(int, extents))
    else:
        element, shape = str(type_.element_type), tuple(type_.shape)
    return shape, dtypes.BY_MLIR[element]


def _with_main(source: ir.Module | str | bytes) -> bytes:
    """Bytecode of a copy whose entry function is called `main`, as both executors want."""
    if isinstance(source, ir.Module):
        content = mlir.to_bytecode(source.operation)
    else:
        content = source.encode() if isinstance(source, str) else source
    with mlir.context():
        module = frontend.parse(content)
        _entry(module).attributes["sym_name"] = ir.StringAttr.get(_MAIN)
        _check_calls(module)
        _inline_resources(module)
        return mlir.to_bytecode(module.operation)


def _entry(module: ir.Module) -> Any:
    """The function `main`, or the only public one."""
    functions = [op for op in module.body.operations if isinstance(op, mlir.func.FuncOp)]
    public = [f for f in functions if str(f.attributes.get("sym_visibility")) in _PUBLIC]
    named = [f for f in public if f.sym_name.value == _MAIN]
    found = named or public
    if len(found) != 1:
        message = f"the module has {len(found)} public functions, expected one, or one called main"
        raise UserError.at("PGR220", message)
    return found[0]


def _check_calls(module: ir.Module) -> None:
    """Both executors end the process at a call of a function without a body, or of itself."""
    calls: dict[str, list[tuple[ir.Operation, str]]] = {}
    for op in module.body.operations:
        if isinstance(op, mlir.func.FuncOp) and not op.is_external:
            found = mlir.walk(op.operation, mlir.func.CallOp.OPERATION_NAME)
            calls[op.sym_name.value] = [(call, call.attributes["callee"].value) for call in found]
    for call, callee in (pair for pairs in calls.values() for pair in pairs):
        if callee not in calls:
            raise _not_executable(f"call of @{callee}, which has no body", call)
    pending = set(calls)
    while ready := {name for name in pending if not any(c in pending for _, c in calls[name])}:
        pending -= ready
    for name in sorted(pending):
        call, callee = next(pair for pair in calls[name] if pair[1] in pending)
        raise _not_executable(f"recursive call of @{callee}", call)


def _inline_resources(module: ir.Module) -> None:
    """The interpreter reads a resource as if it were a dense attribute, XLA refuses it."""
    for op in mlir.walk(module.operation, "stablehlo.constant"):
        value = op.attributes["value"]
        if isinstance(value, ir.DenseElementsAttr):
            continue
        dtype = dtypes.of(value.type.element_type)
        if dtype is None:
            continue
        try:
            array = constants.to_numpy(value, tuple(value.type.shape), dtype)
        except ValueError as error:
            raise _not_executable(f"constant {value} {error}", op) from None
        op.attributes["value"] = ir.DenseElementsAttr.get(array, type=value.type)


def _not_executable(message: str, op: ir.Operation) -> UserError:
    return UserError.at("PGR223", message, describe(op.location))


def _interpret(bytecode: bytes, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    with mlir.context():
        module = mlir.parse(bytecode)
        mlir.run_upstream(_LEGALIZE_CHLO, module.operation)
        main = _entry(module)
        if len(main.type.inputs) != len(inputs):
            raise ValueError(f"it takes {len(main.type.inputs)} inputs, got {len(inputs)}")
        arguments = [
            ir.DenseElementsAttr.get(np.ascontiguousarray(array).reshape(array.shape), type=type_)
            for array, type_ in zip(inputs, main.type.inputs, strict=True)
        ]
        types = list(main.type.results)
        _return_bits(main)
        results = mlir.stablehlo_bindings().eval_module(module, arguments)
        return [_array(result, type_) for result, type_ in zip(results, types, strict=True)]


def _array(result: Any, type_: Any) -> np.ndarray:
    array = np.array(result).reshape(type_.shape)
    return array.view(_UNREADABLE.numpy) if _is_unreadable(type_) else array


def _is_unreadable(type_: Any) -> bool:
    return dtypes.of(type_.element_type) is _UNREADABLE


def _return_bits(main: Any) -> None:
    """Makes a function return the bits of those results that the bindings cannot read."""
    terminator = list(main.body.blocks[0].operations)[-1].operation
    types = list(main.type.results)
    bits = ir.IntegerType.get_unsigned(8 * _BITS.itemsize)
    with ir.InsertionPoint(terminator), terminator.location:
        for number, value in enumerate(list(terminator.operands)):
            if not _is_unreadable(value.type):
                continue
            types[number] = ir.RankedTensorType.get(value.type.shape, bits)
            cast = ir.Operation.create("stablehlo.bitcast_convert", [types[number]], [value])
            terminator.operands[number] = cast.result
    signature = ir.FunctionType.get(list(main.type.inputs), types)
    main.attributes["function_type"] = ir.TypeAttr.get(signature)


def _in_child(work: Callable[[], Any]) -> Any:
    """The value of `work()`, computed in a forked child; its exceptions are raised here."""
    with tempfile.TemporaryFile() as complaints:
        read_end, write_end = os.pipe()
        with warnings.catch_warnings():
            # JAX warns of forks because its threads are not in the child; none is needed there.
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            _child(work, write_end, complaints.fileno())
        os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            answer = pipe.read()
        os.waitpid(child, 0)
        complaints.seek(0)
        reason = _complaint(complaints.read().decode(errors="replace"))
    if not answer:
        message = f"the reference interpreter cannot run the program: {reason}"
        raise UserError.at("PGR221", message)
    result = pickle.loads(answer)
    if isinstance(result, Exception):
        raise result
    return result


def _child(work: Callable[[], Any], write_end: int, stderr: int) -> None:
    """Never returns: whatever happens, the process ends here."""
    try:
        # An abort is expected here, and reported by the parent.
        faulthandler.disable()
        os.dup2(stderr, 2)
        try:
            result = work()
        except (ir.MLIRError, ValueError) as error:
            # ValueError: the inputs do not make constants of the argument types.
            message = f"the reference interpreter cannot run the program: {_first_line(error)}"
            result = UserError.at("PGR221", message)
        except Exception as error:
            result = error
        with os.fdopen(write_end, "wb") as pipe:
            pickle.dump(result, pipe, protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)


def _complaint(text: str) -> str:
    """The line of the child's stderr that says why it ended."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "ERROR" in line or "error:" in line), "it ended early")


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else "no reason given"
