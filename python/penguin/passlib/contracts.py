"""Properties of a module that passes require and produce.

| property | holds if |
|---|---|
| inlined | no function is called |
| one-hlo-dialect | only mhlo, chlo, func ops and composites, or as hlo-level |
| hlo-level | only stablehlo, chlo and func ops |
| tensor-level | no stablehlo, chlo or bir op; penguin ops may be mixed with loops |
| loop-level | as tensor-level, and no penguin op and no view left |
| tiled | as loop-level, and every outermost loop nest has a marked loop |
| inst-level | only bir, func and memref declarations: nothing is left to select |
| allocated | as inst-level, and every on-chip tile has an address |

A predicate walks the ops once, by name, and stops at the first that offends. The runner asks only
when a pass requires a property that the pass before it did not produce.
"""

import enum
from collections.abc import Callable

from penguin.analysis.views import VIEW
from penguin.dialects.bir import ADDRESS
from penguin.dialects.memory import Space
from penguin.dialects.penguin.attributes import AXIS
from penguin.mlir import TORCH, bindings_of, ir, visit

_CALLS = ("func.call", "func.call_indirect")
_DECLARATIONS = ("memref.alloc", "memref.global", "memref.get_global", "memref.dealloc")
_FRAME = ("builtin.module", "func.func", "func.return")


class Property(enum.StrEnum):
    """What `requires`, `produces` and `preserves` may name."""

    INLINED = "inlined"
    ONE_HLO_DIALECT = "one-hlo-dialect"
    HLO_LEVEL = "hlo-level"
    TENSOR_LEVEL = "tensor-level"
    LOOP_LEVEL = "loop-level"
    TILED = "tiled"
    INST_LEVEL = "inst-level"
    ALLOCATED = "allocated"


def _dialect(name: str) -> str:
    return name.partition(".")[0]


def _not_inlined(op: ir.Operation) -> bool:
    return op.name in _CALLS


def _not_hlo(op: ir.Operation) -> bool:
    return op.name not in _FRAME and _dialect(op.name) not in ("stablehlo", "chlo", "func")


def _not_one_hlo_dialect(op: ir.Operation) -> bool:
    if bindings_of(op) is TORCH:
        return _not_hlo(op)
    if op.name in _FRAME or op.name == "stablehlo.composite":
        return False
    return _dialect(op.name) not in ("mhlo", "chlo", "func")


def _not_tensor(op: ir.Operation) -> bool:
    return _dialect(op.name) in ("stablehlo", "chlo", "bir")


def _not_loop(op: ir.Operation) -> bool:
    return op.name == VIEW or _dialect(op.name) in ("stablehlo", "chlo", "bir", "penguin")


def _not_tiled(op: ir.Operation) -> bool:
    if _not_loop(op):
        return True
    if op.name != "affine.for" or op.parent.operation.name == "affine.for":
        return False
    return _first(op, lambda inner: inner.name == "affine.for" and AXIS in inner.attributes) is None


def _not_inst(op: ir.Operation) -> bool:
    name = op.name
    return name not in _FRAME and name not in _DECLARATIONS and _dialect(name) != "bir"


def _not_allocated(op: ir.Operation) -> bool:
    if op.name != "memref.alloc":
        return _not_inst(op)
    space = ir.MemRefType(op.results[0].type).memory_space
    if space is None or ir.StringAttr(space).value not in (Space.SBUF, Space.PSUM):
        return False
    return ADDRESS not in op.attributes


_OFFENDS: dict[str, Callable[[ir.Operation], bool]] = {
    Property.INLINED: _not_inlined,
    Property.ONE_HLO_DIALECT: _not_one_hlo_dialect,
    Property.HLO_LEVEL: _not_hlo,
    Property.TENSOR_LEVEL: _not_tensor,
    Property.LOOP_LEVEL: _not_loop,
    Property.TILED: _not_tiled,
    Property.INST_LEVEL: _not_inst,
    Property.ALLOCATED: _not_allocated,
}


def offender(root: ir.Operation, property_: str) -> ir.Operation | None:
    """The first op because of which `root` lacks the property; None if it has it."""
    if property_ not in _OFFENDS:
        raise AssertionError(f"'{property_}' is no property; there are {', '.join(_OFFENDS)}")
    return _first(root.operation, _OFFENDS[property_])


def _first(root: ir.Operation, found: Callable[[ir.Operation], bool]) -> ir.Operation | None:
    """The first op in program order for which `found` holds."""
    hit: list[ir.Operation] = []

    def see(op: ir.Operation) -> bool:
        if found(op):
            hit.append(op)
        return bool(hit)

    visit(root, see, pre_order=True)
    return hit[0] if hit else None
