"""The mhlo side: modules in contexts of jaxlib's bindings, until they are handed over.

Errors are `ValueError` with jaxlib's text: its `MLIRError` is another class than torch_mlir's.
"""

from pathlib import Path
from typing import Any

from penguin.mlir.bindings import jaxlib, run_upstream

# Leaves alone what only XLA knows, so that the hand-over can say what it is and where.
_LEGALIZE = "builtin.module(hlo-legalize-to-stablehlo{allow-xla-features=true})"


def context(*, allow_unregistered: bool = False) -> Any:
    """A jaxlib context with mhlo, stablehlo, chlo and func."""
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir.dialects import mhlo

    mhlo.register_mhlo_passes()
    found = jax_mlir.make_ir_context()
    mhlo.register_mhlo_dialect(found)
    # A jaxlib context may run passes on several threads; callbacks into Python must not.
    found.enable_multithreading(False)
    found.allow_unregistered_dialects = allow_unregistered
    return found


def parse(source: str | bytes | Path, *, one_op: str = "", allow_unregistered: bool = False) -> Any:
    """An `ir.Module` of mhlo text or bytecode; locations name the file of a path.

    With `one_op`, the name to give to the source, the text is a single top-level operation.
    """
    ir = jaxlib().ir
    with context(allow_unregistered=allow_unregistered), ir.Location.unknown():
        try:
            if one_op:
                return ir.Operation.parse(source, source_name=one_op)
            if isinstance(source, Path):
                return ir.Module.parseFile(str(source))
            return ir.Module.parse(source)
        except ir.MLIRError as error:
            raise ValueError(str(error)) from None


def legalize(module: Any) -> None:
    """Converts mhlo operations into stablehlo ones where there is one, with jaxlib's own pass."""
    try:
        run_upstream(_LEGALIZE, module)
    except jaxlib().ir.MLIRError as error:
        raise ValueError(str(error)) from None
