"""Accumulating loops: recognition of `acc = acc op f(iv)` and its evaluation in one go.

A loop with `iter_args` is a reduction if each accumulator is used once, by an op of `REDUCERS`
whose result is yielded, or as the start of an inner loop that is itself a reduction and whose
result is yielded. Sums and products of bf16 and f16 are none: they round at every step.
`acc + a * b` is a contraction and becomes a matrix product; `a * b` is never made as an array.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from penguin.dialects.penguin.attributes import PREFIX
from penguin.interp import numerics
from penguin.interp.numerics import BOOL, HALVES, Array
from penguin.mlir import ir

# Op name -> (function, its boolean form, operands are unsigned). i1 is signed one-bit arithmetic:
# `true` is -1 for the signed ops.
REDUCERS: dict[str, tuple[np.ufunc, np.ufunc, bool]] = {
    "arith.addf": (np.add, np.add, False),
    "arith.mulf": (np.multiply, np.multiply, False),
    "arith.maximumf": (np.maximum, np.maximum, False),
    "arith.minimumf": (np.minimum, np.minimum, False),
    "arith.addi": (np.add, np.logical_xor, False),
    "arith.muli": (np.multiply, np.logical_and, False),
    "arith.maxsi": (np.maximum, np.logical_and, False),
    "arith.minsi": (np.minimum, np.logical_or, False),
    "arith.maxui": (np.maximum, np.logical_or, True),
    "arith.minui": (np.minimum, np.logical_and, True),
    "arith.andi": (np.bitwise_and, np.logical_and, False),
    "arith.ori": (np.bitwise_or, np.logical_or, False),
    "arith.xori": (np.bitwise_xor, np.logical_xor, False),
}
_PAIRWISE = {np.maximum: numerics.maximum, np.minimum: numerics.minimum}
_ROUNDED = ("arith.addf", "arith.mulf")
_PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}
_EFFECTS = ("store", "alloc", "dealloc", "copy")


@dataclass(frozen=True)
class Match:
    """What one accumulator does: `op` accumulates `value`, or the inner loop `op` does."""

    op: ir.Operation
    value: ir.Value | None = None
    factors: tuple[ir.Value, ir.Value] | None = None
    product: ir.Operation | None = None


def match(loop: ir.OpView) -> list[Match] | None:
    """One entry per accumulator of an `affine.for`, or None if it is no reduction."""
    block = loop.regions[0].blocks[0]
    accumulators = list(block.arguments)[1:]
    operations = list(block.operations)
    if any(_has_effects(op) for op in operations):
        return None
    yielded = list(operations[-1].operands)
    found = [_match_one(block, a, y) for a, y in zip(accumulators, yielded, strict=True)]
    matches = [one for one in found if one is not None]
    if len(matches) < len(found):
        return None
    inner = {m.op for m in matches if m.value is None}
    if not inner:
        return matches
    # An inner loop must continue every accumulator, in order.
    if len(inner) > 1 or any(m.value is not None for m in matches):
        return None
    op = next(iter(inner))
    if list(op.results) != yielded or inits(op) != accumulators or match(op.opview) is None:
        return None
    return matches


def inits(loop: Any) -> list[ir.Value]:
    """The start values of the accumulators of an `affine.for`."""
    return list(loop.operands)[len(loop.operands) - len(loop.results) :]


def _has_effects(op: ir.OpView) -> bool:
    name = op.operation.name
    if name.startswith(PREFIX) or name.rsplit(".", 1)[-1] in _EFFECTS:
        return True
    return any(_has_effects(o) for r in op.regions for b in r.blocks for o in b.operations)


def _used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1


def _match_one(block: ir.Block, accumulator: ir.Value, yielded: ir.Value) -> Match | None:
    owner = yielded.owner
    if not isinstance(owner, ir.Operation | ir.OpView) or owner.operation.block != block:
        return None
    owner = owner.operation
    if not _used_once(accumulator) or not _used_once(yielded):
        return None
    if owner.name == "affine.for":
        return Match(owner)
    if owner.name not in REDUCERS:
        return None
    if owner.name in _ROUNDED and str(yielded.type) in ("bf16", "f16"):
        return None
    left, right = owner.operands
    if (left == accumulator) == (right == accumulator):
        return None
    value = right if left == accumulator else left
    product = value.owner
    if (
        str(value.type) not in ("i1", "index")
        and isinstance(product, ir.Operation | ir.OpView)
        and product.operation.name == _PRODUCTS.get(owner.name)
        and product.operation.block == block
        and _used_once(value)
    ):
        a, b = product.operands
        return Match(owner, value, (a, b), product.operation)
    return Match(owner, value)


def reduce(name: str, x: Array, axes: int, mask: Array | None) -> Array:
    """Reduces the first `axes` axes of `x` by the op `name`; masked-off elements count nothing."""
    function, boolean, unsigned = REDUCERS[name]
    dtype = x.dtype
    if dtype == BOOL:
        function = boolean
    elif unsigned:
        x = numerics.unsigned(x)
    if mask is not None:
        x = np.where(mask, x, _neutral(function, x.dtype))
    if axes:
        exact = function in (np.add, np.multiply)
        x = function.reduce(x, axis=tuple(range(axes)), dtype=x.dtype if exact else None)
    return x.view(dtype) if x.dtype != dtype else x


def combine(name: str, a: Array, b: Array) -> Array:
    """`a op b`."""
    function, boolean, unsigned = REDUCERS[name]
    if a.dtype == BOOL:
        return boolean(a, b)
    function = _PAIRWISE.get(function, function)
    if unsigned:
        return function(numerics.unsigned(a), numerics.unsigned(b)).view(a.dtype)
    if a.dtype in HALVES:
        return function(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return function(a, b)


def _neutral(function: np.ufunc, dtype: np.dtype) -> Any:
    if function in (np.maximum, np.minimum):
        if numerics.is_float(dtype):
            return np.array(-np.inf if function is np.maximum else np.inf).astype(dtype)
        info = np.iinfo(dtype)
        return dtype.type(info.min if function is np.maximum else info.max)
    if function is np.bitwise_and:
        return np.invert(dtype.type(0))
    return np.array(function.identity).astype(dtype)


def contraction(a: Array, b: Array, counts: tuple[int, ...]) -> Array:
    """The sum of `a * b` over the first `len(counts)` axes; `a` and `b` have one rank.

    `counts` are the true extents: an operand that does not vary over an axis has extent 1 there.
    """
    reduced = len(counts)
    scale = 1
    contracted = []
    for axis, count in enumerate(counts):
        if a.shape[axis] == b.shape[axis] == count:
            contracted.append(axis)
        elif a.shape[axis] == count:
            a = np.add.reduce(a, axis=axis, keepdims=True, dtype=a.dtype)
        elif b.shape[axis] == count:
            b = np.add.reduce(b, axis=axis, keepdims=True, dtype=b.dtype)
        else:
            scale *= count
    others = range(reduced, a.ndim)
    batch = [i for i in others if a.shape[i] > 1 and b.shape[i] > 1]
    rows = [i for i in others if a.shape[i] > 1 and b.shape[i] == 1]
    columns = [i for i in others if a.shape[i] == 1 and b.shape[i] > 1]
    left = _grouped(a, batch, rows, contracted)
    right = _grouped(b, batch, contracted, columns)
    if rows or columns:
        product = numerics.contract(left, right, a.dtype)
    else:
        product = np.einsum("bmk,bkn->bmn", left, right)
    extents = [max(a.shape[i], b.shape[i]) for i in others]
    order = batch + rows + columns
    product = product.reshape([extents[i - reduced] for i in order])
    product = product.transpose(sorted(range(len(order)), key=order.__getitem__))
    product = product.reshape(extents)
    return product if scale == 1 else product * a.dtype.type(scale)


def _grouped(x: Array, *groups: list[int]) -> Array:
    chosen = [axis for group in groups for axis in group]
    rest = [axis for axis in range(x.ndim) if axis not in chosen]
    extents = [int(np.prod([x.shape[axis] for axis in group])) for group in groups]
    return x.transpose(chosen + rest).reshape(extents)
