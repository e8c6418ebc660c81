"""Views give way to their bases: every access through one becomes an access of the base.

A view that an op other than a load or store uses stays, and so do those that it is a view of.
"""

from penguin.analysis import views
from penguin.analysis.access_rewrite import GENERIC_LOAD, GENERIC_STORE, Loops, respell
from penguin.analysis.nest import LOAD, STORE, delinearize, flatten
from penguin.mlir import ir, walk
from penguin.passlib import FunctionPass

NO_VIEW = "PGL011"


def check(host: FunctionPass, root: ir.Operation) -> list[ir.Operation]:
    """All views below `root`; those that are none in our sense are reported through `host`."""
    found = walk(root, views.VIEW)
    for op in found:
        problem = views.problem(op)
        if problem is not None:
            host.error(op, NO_VIEW, f"'{op.name}' op {problem}")
    return found


def remove(found: list[ir.Operation]) -> int:
    """Rewrites the accesses through views, and erases those that nothing uses any more."""
    loops, erased = Loops(), 0
    for view in found:
        for access in [use.owner.operation for use in view.results[0].uses]:
            if access.name in (LOAD, STORE):
                _affine(loops, view, access)
            elif access.name in (GENERIC_LOAD, GENERIC_STORE):
                respell(access, views.base(view.results[0]))
    for view in reversed(found):
        if not list(view.results[0].uses):
            view.erase()
            erased += 1
    return erased


def _affine(loops: Loops, view: ir.Operation, access: ir.Operation) -> None:
    tensor = view.results[0]
    base = views.base(tensor)
    try:
        indices = loops.indices(access)
    except ValueError:
        respell(access, base)
        return
    shape = base.type.shape
    if 0 in shape:
        respell(access, base)
        return
    loops.retarget(
        access, base, delinearize(flatten(tensor.type.shape, indices), shape, loops.space)
    )
