"""What reports and remarks call tensors: names that do not change when unrelated ops do.

A tensor is called by its `penguin.name`, which the op that makes it or the argument of a function
carries. Without one, an argument is `arg<number>` and an op is called by its own name and its place
(`memref.alloc@12:8`), a constant by its symbol. A view has the name of its base: it is the same
memory.

Every answer takes constant time per value and per view that is looked through: nothing is printed,
so the SSA names of MLIR, which need a walk over the whole function, do not occur.
"""

import re
from collections.abc import Iterator
from typing import Any

from penguin.dialects.penguin.attributes import NAME
from penguin.mlir import ir

_VIEWS = frozenset(
    f"memref.{kind}"
    for kind in ("cast", "collapse_shape", "expand_shape", "reinterpret_cast", "subview")
)
_FUNCTION, _ARGUMENTS, _CONSTANT = "func.func", "arg_attrs", "memref.get_global"
_PLACE = re.compile(r'"(?:[^"\\]|\\.)*":(\d+:\d+)')


def name_of(value: ir.Value) -> str:
    """The name of the tensor that `value` is or is a view of."""
    while True:
        owner = value.owner
        if isinstance(owner, ir.Block):
            return _argument(value, owner)
        op = owner.operation
        if NAME in op.attributes:
            return ir.StringAttr(op.attributes[NAME]).value
        if op.name not in _VIEWS:
            return _unnamed(op)
        value = op.operands[0]


def ends(op: "ir.Operation | ir.OpView") -> tuple[list[ir.Value], ir.Value | None]:
    """The tensors that an op in destination form reads, and the one it writes: its last operand.

    Of an op that has no tensors, or results, nothing and None.
    """
    operands = list(op.operation.operands)
    tensors = all(isinstance(operand.type, ir.MemRefType) for operand in operands)
    if not operands or not tensors or len(op.operation.results):
        return [], None
    return operands[:-1], operands[-1]


def described(op: "ir.Operation | ir.OpView") -> Iterator[tuple[str, Any]]:
    """The arguments of a remark about data movement: `Op`, and `From` and `To` where it has ends.

    Several sources are separated by commas.
    """
    yield "Op", op.operation.name
    sources, destination = ends(op)
    if sources:
        yield "From", ", ".join(map(name_of, sources))
    if destination is not None:
        yield "To", name_of(destination)


def _argument(value: ir.Value, block: ir.Block) -> str:
    number = ir.BlockArgument(value).arg_number
    parent = block.owner.operation
    if parent.name == _FUNCTION and _ARGUMENTS in parent.attributes:
        attributes = parent.attributes[_ARGUMENTS][number]
        if NAME in attributes:
            return ir.StringAttr(attributes[NAME]).value
    return f"arg{number}"


def _unnamed(op: ir.Operation) -> str:
    if op.name == _CONSTANT:
        return ir.FlatSymbolRefAttr(op.attributes["name"]).value
    found = _PLACE.search(str(op.location))
    return op.name if found is None else f"{op.name}@{found[1]}"
