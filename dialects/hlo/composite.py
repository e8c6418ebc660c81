"""Groups of operations as `stablehlo.composite` with a private decomposition function.

    %r = stablehlo.composite "composite.Fused" %a {
           CompositeKind = "Elementwise", composite_attributes = {},
           decomposition = @hilo.FusedComposite.0, version = 0}
    func.func private @hilo.FusedComposite.0(...) attributes {genComposite = true, noDelete = true}

The form is that of source document 002; the same for every kind, so only `CompositeKind` tells the
kinds apart. Works in torch_mlir's bindings and in jaxlib's (a composite among mhlo operations).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from penguin.dialects.hlo.attributes import (
    COMPOSITE_KIND,
    COMPOSITE_NAME,
    GEN_COMPOSITE,
    NO_DELETE,
)
from penguin.mlir import bindings_of, walk


class Symbols:
    """Fresh names `prefix0`, `prefix1`, ... in a module, each given out once."""

    def __init__(self, module: Any, prefix: str) -> None:
        block = module.operation.regions[0].blocks[0]
        self._taken = {
            op.attributes["sym_name"].value
            for op in (view.operation for view in block.operations)
            if "sym_name" in op.attributes
        }
        self._prefix, self._count = prefix, 0

    def next(self) -> str:
        """The next name that nothing in the module has."""
        while (name := f"{self._prefix}{self._count}") in self._taken:
            self._count += 1
        self._count += 1
        return name


def is_decomposition(function: Any) -> bool:
    """Whether penguin made this function as the body of a composite."""
    return GEN_COMPOSITE in function.operation.attributes


def outline(
    before: Any,
    symbol: str,
    kind: Any,
    inputs: Sequence[tuple[Any, Any]],
    members: Iterable[Any],
    outputs: Sequence[Any],
    location: Any,
) -> Any:
    """Builds a composite before the op `before`, and its decomposition at the module's end.

    `inputs` are pairs of an operand and the value that stands for it in the members (the same
    value, unless the members are in a region of their own); `outputs` are values that the members
    define or see as inputs. The members are cloned; the caller rewires uses and erases them.
    """
    ir = bindings_of(before).ir
    string, yes = ir.StringAttr.get, ir.BoolAttr.get(True)
    operands = [operand for operand, _ in inputs]
    types = [value.type for value in outputs]
    signature = ir.FunctionType.get([operand.type for operand in operands], types)
    function = ir.Operation.create(
        "func.func",
        attributes={
            "sym_name": string(symbol),
            "function_type": ir.TypeAttr.get(signature),
            "sym_visibility": string("private"),
            GEN_COMPOSITE: yes,
            NO_DELETE: yes,
        },
        regions=1,
        ip=ir.InsertionPoint(_module_block(before)),
        loc=location,
    )
    block = function.regions[0].blocks.append(*signature.inputs)
    mapping = dict(zip((inner for _, inner in inputs), block.arguments, strict=True))
    end = ir.InsertionPoint(block)
    for member in members:
        copy = member.operation.clone(ip=end)
        substitute(copy, mapping)
        mapping.update(zip(member.results, copy.operation.results, strict=True))
    results = [mapping[value] for value in outputs]
    ir.Operation.create("func.return", operands=results, ip=end, loc=location)
    return ir.Operation.create(
        "stablehlo.composite",
        results=types,
        operands=operands,
        attributes={
            "name": string(COMPOSITE_NAME),
            "composite_attributes": ir.DictAttr.get({}),
            "decomposition": ir.FlatSymbolRefAttr.get(symbol),
            "version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 0),
            COMPOSITE_KIND: kind,
        },
        ip=ir.InsertionPoint(before),
        loc=location,
    )


def substitute(op: Any, mapping: dict[Any, Any]) -> None:
    """Replaces operands of an op, and of the ops in its regions, that the mapping names."""
    op = op.operation
    for each in walk(op) if len(op.regions) else (op,):
        operands = each.operands
        for number, value in enumerate(operands):
            new = mapping.get(value)
            if new is not None:
                operands[number] = new


def _module_block(op: Any) -> Any:
    """The body of the outermost module around an op."""
    while op.operation.parent is not None:
        op = op.operation.parent
    return op.operation.regions[0].blocks[0]


def operands_of(op: Any) -> list[Any]:
    """The operands of an op, and what the ops in its regions use from outside of it."""
    return [*op.operands, *captures(op)]


def captures(op: Any) -> list[Any]:
    """What the ops in the regions of an op use from outside of it, other than as its operands."""
    op = op.operation
    if not len(op.regions):
        return []
    inside = walk(op)
    # The walk ends with the op itself.
    nested = inside[:-1]
    own = {result for each in nested for result in each.results}
    own.update(
        argument
        for each in inside
        for region in each.regions
        for block in region.blocks
        for argument in block.arguments
    )
    return [value for each in nested for value in each.operands if value not in own]
