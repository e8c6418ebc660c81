"""The one place that names the MLIR bindings: torch_mlir's, and jaxlib's for mhlo.

Everything else imports `ir`, `rewrite`, `PassManager`, `ext` and the upstream dialects from here,
so that a change of bindings is a change of this package. It owns what they leave to their user:

* the dialect search prefix (without it each op access retries a failing import: 36 us, not 0.7);
* idempotent loading of the penguin and bir dialects, `stablehlo` and `chlo` registration;
* typed StableHLO and CHLO op classes (jaxlib generates them; no other wheel does);
* multithreading off: Python verifiers in worker threads deadlock with the holder of the GIL;
* the exception boundary: an exception that unwinds through C++ skips destructors and later crashes;
* contexts and parsing of text and bytecode for both sides (jaxlib's in `mhlo`);
* what serves both sides, in `bindings`: `ir` itself is torch_mlir's, `bindings_of(op).ir` the op's;
* what JAX does for us, in `jax`.

Facts about the bindings come from runs against torch-mlir 20261001 and jaxlib 0.10.2.
"""

import contextlib
import functools
import importlib.util
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import torch_mlir._mlir_libs._mlir as _mlir
from torch_mlir import ir, rewrite
from torch_mlir.dialects import affine, arith, ext, func, math, memref, scf
from torch_mlir.passmanager import PassManager

from penguin.mlir import mhlo
from penguin.mlir.bindings import (
    BOUNDARY,
    TORCH,
    Bindings,
    bindings_of,
    erase,
    guard,
    run_upstream,
    to_bytecode,
    visit,
    walk,
)
from penguin.mlir.jax import jax_bytecode, jax_lower, xla_cpu

__all__ = [
    "BOUNDARY",
    "TORCH",
    "Bindings",
    "PassManager",
    "affine",
    "arith",
    "bindings_of",
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
    "mhlo",
    "parse",
    "rewrite",
    "run_upstream",
    "scf",
    "stablehlo_bindings",
    "stablehlo_ops",
    "to_bytecode",
    "visit",
    "walk",
    "xla_cpu",
]

_mlir.globals.append_dialect_search_prefix("penguin.dialects")


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


def parse(source: str | bytes) -> ir.Module:
    """A module of the current context from MLIR text or bytecode; raises `ir.MLIRError`."""
    with guard():
        return ir.Module.parse(source)
