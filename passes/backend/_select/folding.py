"""Scalar ops on nothing but numbers: computed here, as the reference interpreter computes them."""

from collections.abc import Sequence

import numpy as np

from penguin.interp import SCALAR_OPS
from penguin.interp.program import numpy_type
from penguin.mlir import ir
from penguin.passes.backend._select.tiles import Const, Value


def fold(op: ir.Operation, args: Sequence[Value]) -> Const | None:
    """The op's result if all of its operands are numbers, which has none otherwise."""
    numbers = [arg.value for arg in args if isinstance(arg, Const)]
    entry = SCALAR_OPS.get(op.name)
    if entry is None or not numbers or len(numbers) < len(args):
        return None
    types = [numpy_type(operand.type) for operand in op.operands]
    function = entry(op)
    with np.errstate(all="ignore"):
        result = function(*map(np.asarray, numbers, types))
    result = np.asarray(result, numpy_type(op.results[0].type))
    return Const(float(result) if result.dtype.kind not in "biu" else int(result))
