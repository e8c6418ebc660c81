"""Views: the elements of a tensor under another shape, at no cost.

    %v = memref.reinterpret_cast %t to offset: [0], sizes: [12, 4], strides: [4, 1]
        : memref<8x6xf32, "dram"> to memref<12x4xf32, "dram">

Element `k` of a view, in row-major order, is element `k` of its base; a view of a view is one of
the same base. A tensor and its views are one memory: whoever asks for aliases compares `base`s.

Legality of a view, all of:
  (V1) base and view are memrefs of static shape, row-major;
  (V2) they have as many elements as each other.
The op's own verifier sees to the rest: one element type, one memory space, no offset.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

from penguin.analysis.nest import strides_of
from penguin.mlir import ir, memref

VIEW = memref.ReinterpretCastOp.OPERATION_NAME


def is_view(op: "ir.Operation | ir.OpView") -> bool:
    return op.operation.name == VIEW


def problem(op: "ir.Operation | ir.OpView") -> str | None:
    """The first clause that a `memref.reinterpret_cast` does not keep: the text after its name."""
    operation = op.operation
    source, result = operation.operands[0].type, operation.results[0].type
    for what, type_ in (("base", source), ("view", result)):
        if not isinstance(type_, ir.MemRefType) or not type_.has_static_shape:
            return f"has the {what} {type_}, expected a memref of static shape (V1)"
        if type_.affine_map != ir.AffineMap.get_identity(len(type_.shape)):
            return f"has the {what} {type_}, expected a row-major layout (V1)"
    count, expected = prod(result.shape), prod(source.shape)
    if count != expected:
        return f"has {count} elements, expected {expected} as its base (V2)"
    return None


def base(value: ir.Value) -> ir.Value:
    """The tensor whose memory a value is; `value` itself if it is no view."""
    while True:
        owner = value.owner
        if isinstance(owner, ir.Block) or owner.name != VIEW:
            return value
        value = owner.operands[0]


def keeps_indices(shape: Sequence[int], other: Sequence[int]) -> bool:
    """Whether a view only adds and drops dimensions of one element: the other indices stay."""
    return [n for n in shape if n != 1] == [n for n in other if n != 1]


def create(value: ir.Value, shape: Sequence[int], **where: Any) -> ir.Value:
    """A view of `value` under `shape`; `where` is `ip` and `loc`."""
    type_ = value.type
    result = ir.MemRefType.get(shape, type_.element_type, memory_space=type_.memory_space)
    lists = {
        "static_offsets": [0],
        "static_sizes": list(shape),
        "static_strides": strides_of(shape),
    }
    attributes = {name: ir.DenseI64ArrayAttr.get(values) for name, values in lists.items()}
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 0, 0, 0])
    return ir.Operation.create(VIEW, [result], [value], attributes, **where).result
