"""The two packages of MLIR bindings, and what does not depend on which of them is meant.

torch_mlir has every dialect from stablehlo to bir, jaxlib alone has mhlo. Their classes have the
same names and methods but no common base, so code that serves both takes classes from
`bindings_of(op).ir` and never from an import.
"""

import functools
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

# The newest bytecode that both torch_mlir (MLIR 24) and jaxlib (MLIR 23) write and read alike:
# from version 5 on, native properties are encoded differently on the two sides.
_SHARED_BYTECODE_VERSION = 4


@dataclass(frozen=True)
class Bindings:
    """One package: its `ir` module, its pass manager, and its dialect of HLO operations."""

    ir: Any
    PassManager: Any
    hlo: str


TORCH = Bindings(ir, PassManager, "stablehlo")


@functools.cache
def jaxlib() -> Bindings:
    """The bindings that know mhlo; loads them."""
    from jaxlib.mlir import ir as jax_ir
    from jaxlib.mlir import passmanager

    return Bindings(jax_ir, passmanager.PassManager, "mhlo")


def bindings_of(op: Any) -> Bindings:
    """The bindings that an operation or a module belongs to."""
    return TORCH if isinstance(op.operation, ir.Operation) else jaxlib()


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


@contextmanager
def guard() -> Iterator[None]:
    """Around every call into C++ that may call back: a recorded exception wins over MLIR's own."""
    try:
        yield
    finally:
        BOUNDARY.check()


def run_upstream(pipeline: str, op: Any) -> None:
    """Runs a pipeline of upstream passes; raises the bindings' `MLIRError` with the diagnostics."""
    manager = bindings_of(op).PassManager.parse(pipeline, context=op.operation.context)
    manager.enable_verifier(False)
    with guard():
        manager.run(op.operation)


def to_bytecode(op: Any) -> bytes:
    """Bytecode that both binding packages read."""
    buffer = io.BytesIO()
    op.write_bytecode(buffer, desired_version=_SHARED_BYTECODE_VERSION)
    return buffer.getvalue()


def visit(root: Any, see: Callable[[Any], bool | None], *, pre_order: bool = False) -> None:
    """Calls `see` for all operations below and including `root` until it returns True."""
    bindings = bindings_of(root)
    go_on, stop = bindings.ir.WalkResult.ADVANCE, bindings.ir.WalkResult.INTERRUPT
    order = bindings.ir.WalkOrder.PRE_ORDER if pre_order else bindings.ir.WalkOrder.POST_ORDER

    def callback(op: Any) -> Any:
        return stop if see(op) else go_on

    with guard():
        root.operation.walk(BOUNDARY.wrap(callback, stop), order)


def walk(root: Any, name: str | None = None) -> list[Any]:
    """All operations below `root` in post-order, or those called `name`; safe to mutate after."""
    found: list[Any] = []

    def see(op: Any) -> None:
        if name is None or op.name == name:
            found.append(op)

    visit(root, see)
    return found


def erase(op: Any) -> None:
    """Erases an op without uses; erasing one that is used would corrupt memory."""
    op = op.operation
    if any(True for result in op.results for _ in result.uses):
        raise AssertionError(f"erasing {op.name}, which still has uses")
    op.erase()
