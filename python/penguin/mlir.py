"""The one place that names the MLIR bindings.

Everything else imports `ir`, `rewrite`, `PassManager`, `ext` and the upstream dialects from here,
so that a change of bindings is a change of this file. It owns what they leave to their user:

* the dialect search prefix (without it each op access retries a failing import: 36 us, not 0.7);
* idempotent loading of the penguin and bir dialects, `stablehlo` and `chlo` registration;
* typed StableHLO and CHLO op classes (jaxlib generates them; no other wheel does);
* multithreading off: Python verifiers in worker threads deadlock with the holder of the GIL;
* the exception boundary: an exception that unwinds through C++ skips destructors and later crashes;
* contexts for both sides (torch_mlir: hlo to bir; jaxlib: mhlo), and parsing of text and bytecode;
* what JAX does for us: lowering a function, handing its module over, running a module on the CPU.

Facts about the bindings come from runs against torch-mlir 20261001 and jaxlib 0.10.2.
"""

import contextlib
import functools
import importlib.util
import io
import os
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch_mlir._mlir_libs._mlir as _mlir
from torch_mlir import ir, rewrite
from torch_mlir.dialects import affine, arith, ext, func, math, memref, scf
from torch_mlir.passmanager import PassManager

__all__ = [
    "BOUNDARY",
    "PassManager",
    "affine",
    "arith",
    "context",
    "erase",
    "ext",
    "func",
    "guard",
    "ir",
    "jax_bytecode",
    "jax_lower",
    "math",
    "memref",
    "mhlo_to_stablehlo",
    "parse",
    "rewrite",
    "run_upstream",
    "scf",
    "stablehlo_bindings",
    "stablehlo_ops",
    "to_bytecode",
    "walk",
    "xla_cpu",
]

_mlir.globals.append_dialect_search_prefix("penguin.dialects")

# The newest bytecode that both torch_mlir (MLIR 24) and jaxlib (MLIR 23) write and read alike:
# from version 5 on, native properties are encoded differently on the two sides.
_SHARED_BYTECODE_VERSION = 4


class Boundary:
    """Keeps Python exceptions from crossing C++ frames.

    A callback handed to the bindings is wrapped with `wrap`; the first exception is kept, the
    callback fails softly, and `check` raises it again once control is back in Python.
    """

    def __init__(self) -> None:
        self.exception: BaseException | None = None

    def wrap(self, function: Callable[..., Any], on_error: Any) -> Callable[..., Any]:
        @functools.wraps(function)
        def guarded(*args: Any) -> Any:
            if self.exception is not None:
                return on_error
            try:
                return function(*args)
            except BaseException as error:
                self.exception = error
                return on_error

        return guarded

    def check(self) -> None:
        """Raises the exception that a callback left behind, if there is one."""
        if self.exception is not None:
            error, self.exception = self.exception, None
            raise error


BOUNDARY = Boundary()


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Around every call into C++ that may call back: a recorded exception wins over MLIR's own."""
    try:
        yield
    finally:
        BOUNDARY.check()


@functools.cache
def stablehlo_bindings() -> types.ModuleType:
    """The bindings' StableHLO extension: attributes, portable artifacts, reference interpreter."""
    from torch_mlir._mlir_libs import _stablehlo

    _stablehlo.register_stablehlo_passes()
    return _stablehlo


def _typed_ops(dialect: str) -> types.ModuleType:
    """Executes jaxlib's generated op classes against torch_mlir, without importing jaxlib."""
    name = f"torch_mlir.dialects.{dialect}"
    if name in sys.modules:
        return sys.modules[name]
    jaxlib = importlib.util.find_spec("jaxlib")
    if jaxlib is None or jaxlib.origin is None:
        raise ImportError("jaxlib is needed for the StableHLO op classes", name="jaxlib")
    path = Path(jaxlib.origin).parent / "mlir" / "dialects" / f"_{dialect}_ops_gen.py"
    # The module's relative imports resolve against torch_mlir.dialects.
    spec = importlib.util.spec_from_file_location(f"torch_mlir.dialects._{dialect}_ops_gen", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Registered under the name that the bindings look up when they meet the dialect's first op.
    sys.modules[name] = sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def stablehlo_ops() -> tuple[types.ModuleType, types.ModuleType]:
    """The modules of typed StableHLO and CHLO op classes, e.g. `stablehlo.AddOp`."""
    return _typed_ops("stablehlo"), _typed_ops("chlo")


@contextlib.contextmanager
def context(*, allow_unregistered: bool = False) -> Iterator[ir.Context]:
    """A context with every dialect from hlo to bir loaded, entered, with an unknown location."""
    from penguin.dialects.bir import Bir
    from penguin.dialects.penguin import Penguin

    with ir.Context() as ctx, ir.Location.unknown():
        ctx.enable_multithreading(False)
        ctx.allow_unregistered_dialects = allow_unregistered
        stablehlo_bindings().register_dialect(ctx)
        stablehlo_ops()
        # chlo has no registration call; it is a dependent dialect of this pass.
        run_upstream(
            "builtin.module(func.func(stablehlo-complex-math-expander))",
            ir.Module.parse("module {}").operation,
        )
        for dialect in (Penguin, Bir):
            if not ctx.is_dialect_loaded(dialect.DIALECT_NAMESPACE):
                dialect.load()
        yield ctx


def run_upstream(pipeline: str, op: ir.Operation) -> None:
    """Runs a pipeline of upstream passes; raises `ir.MLIRError` with the diagnostics."""
    manager = PassManager.parse(pipeline)
    manager.enable_verifier(False)
    with guard():
        manager.run(op)


def parse(source: str | bytes) -> ir.Module:
    """A module of the current context from MLIR text or bytecode; raises `ir.MLIRError`."""
    with guard():
        return ir.Module.parse(source)


def to_bytecode(op: ir.Operation) -> bytes:
    """Bytecode that both binding packages read."""
    buffer = io.BytesIO()
    op.write_bytecode(buffer, desired_version=_SHARED_BYTECODE_VERSION)
    return buffer.getvalue()


def walk(root: ir.Operation, name: str | None = None) -> list[ir.Operation]:
    """All operations below `root` in post-order, or those called `name`; safe to mutate after."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if name is None or op.name == name:
            found.append(op)
        return ir.WalkResult.ADVANCE

    with guard():
        root.operation.walk(BOUNDARY.wrap(visit, ir.WalkResult.INTERRUPT))
    return found


def erase(op: ir.Operation) -> None:
    """Erases an op without uses; erasing one that is used would corrupt memory."""
    op = op.operation
    if any(True for result in op.results for _ in result.uses):
        raise AssertionError(f"erasing {op.name}, which still has uses")
    op.erase()


def mhlo_to_stablehlo(source: str | bytes | Path) -> bytes:
    """MHLO text or bytecode, converted by jaxlib's own pass, as StableHLO bytecode.

    Locations name the file of a path. Raises `ValueError` with jaxlib's diagnostics: its
    `MLIRError` is another class than ours.
    """
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir as jax_ir
    from jaxlib.mlir import passmanager
    from jaxlib.mlir.dialects import mhlo

    mhlo.register_mhlo_passes()
    ctx = jax_mlir.make_ir_context()
    mhlo.register_mhlo_dialect(ctx)
    with ctx, jax_ir.Location.unknown():
        try:
            if isinstance(source, Path):
                module = jax_ir.Module.parseFile(str(source))
            else:
                module = jax_ir.Module.parse(source)
            passmanager.PassManager.parse("builtin.module(hlo-legalize-to-stablehlo)").run(
                module.operation
            )
        except jax_ir.MLIRError as error:
            raise ValueError(str(error)) from None
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer, desired_version=_SHARED_BYTECODE_VERSION)
        return buffer.getvalue()


def jax_lower(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any] | None = None
) -> Any:
    """The `jax.stages.Lowered` of a function, for an accelerator; keeps unused arguments.

    Lowering for the CPU would give LAPACK calls and other forms that only XLA's CPU compiler knows.
    """
    import jax

    jitted = function if hasattr(function, "trace") else jax.jit(function, keep_unused=True)
    with _no_frames_of_ours():
        return jitted.trace(*args, **(kwargs or {})).lower(lowering_platforms=("tpu",))


@contextlib.contextmanager
def _no_frames_of_ours() -> Iterator[None]:
    """Keeps JAX from taking penguin's files and console scripts for the user's, in locations."""
    from jax._src import source_info_util

    folders = {
        str(Path(module.__file__).parent)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "penguin" and getattr(module, "__file__", None)
    }
    folders.add(sysconfig.get_path("scripts"))
    before = list(source_info_util._exclude_paths)
    for folder in sorted(folders):
        source_info_util.register_exclusion(folder + os.sep)
    try:
        yield
    finally:
        # Registering the last one again also empties the caches of the others.
        source_info_util._exclude_paths[:] = before[:-1]
        source_info_util.register_exclusion(before[-1])


def jax_bytecode(lowered: Any) -> bytes:
    """StableHLO bytecode of a `jax.stages.Lowered` or `jax.export.Exported`, locations kept."""
    if hasattr(lowered, "mlir_module_serialized"):
        return lowered.mlir_module_serialized
    return to_bytecode(lowered.compiler_ir("stablehlo").operation)


def xla_cpu(bytecode: bytes, inputs: Sequence[Any]) -> list[Any]:
    """Compiles `@main` with XLA for the CPU and runs it on numpy arrays.

    Raises `ValueError` with XLA's message.
    """
    import jax
    import numpy as np

    device = jax.devices("cpu")[0]
    try:
        program = device.client.compile_and_load(bytecode, [device])
        buffers = [jax.device_put(array, device) for array in inputs]
        shards = program.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return [np.asarray(shard[0]) for shard in shards]
    except jax.errors.JaxRuntimeError as error:
        raise ValueError(str(error)) from None
