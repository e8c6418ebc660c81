"""What the passes share that put the bodies of functions in the place of calls."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from penguin import mlir
from penguin.dialects.hlo.attributes import NO_DELETE
from penguin.mlir import ir

Calls = Mapping[str, Sequence[tuple[ir.Operation, str]]]
"""By the name of a function, the calls in it, each with the name of what it calls."""

# An empty default pipeline: upstream would canonicalise each function on the way.
_INLINE = "builtin.module(inline{default-pipeline=},symbol-dce)"
_VISIBILITY = "sym_visibility"


def functions_of(module: ir.Module) -> dict[str, ir.Operation]:
    """The functions of a module by name."""
    return {
        op.sym_name.value: op.operation
        for op in module.operation.regions[0].blocks[0].operations
        if isinstance(op, mlir.func.FuncOp)
    }


def inline_all(module: ir.Module) -> None:
    """Inlines every call, then erases private functions that nobody refers to."""
    with _undeletable(module):
        mlir.run_upstream(_INLINE, module.operation)


@contextlib.contextmanager
def _undeletable(module: ir.Module) -> Iterator[None]:
    """Makes functions with `noDelete` public meanwhile: upstream knows no such attribute."""
    changed = {}
    for name, function in functions_of(module).items():
        if NO_DELETE in function.attributes and _VISIBILITY in function.attributes:
            changed[name] = function.attributes[_VISIBILITY]
            del function.attributes[_VISIBILITY]
    try:
        yield
    finally:
        # Looked up again: no op is held while upstream passes run.
        for name, function in functions_of(module).items() if changed else ():
            if name in changed:
                function.attributes[_VISIBILITY] = changed[name]


def cycle(calls: Calls) -> tuple[ir.Operation, list[str]] | None:
    """A call that closes a cycle, with the names along it; depth-first without recursion."""
    done: set[str] = set()
    for root in calls:
        path, pending = [root], [iter(calls[root])]
        # As a set as well: a chain may be long.
        on_path = {root}
        while pending:
            step = next(pending[-1], None)
            if step is None:
                done.add(path[-1])
                on_path.discard(path.pop())
                pending.pop()
                continue
            call, callee = step
            if callee in on_path:
                return call, [*path[path.index(callee) :], callee]
            if callee not in done:
                path.append(callee)
                on_path.add(callee)
                pending.append(iter(calls.get(callee, ())))
    return None
