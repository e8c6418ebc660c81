"""The builtin and func ops inside a kernel."""

from typing import Any

import numpy as np

from penguin.interp.numerics import Function
from penguin.interp.program import Compiler, error, numpy_type
from penguin.interp.registry import emitter, scalar_op


@scalar_op("builtin.unrealized_conversion_cast")
def unrealized_conversion_cast(op: Any) -> Function:
    """ui8 to i8 and back: the same bits under another name."""
    if len(op.operands) != 1 or len(op.results) != 1:
        raise error(op, "PGR001", "casts several values, expected one")
    source, target = numpy_type(op.operands[0].type), numpy_type(op.results[0].type)
    if source.itemsize != target.itemsize:
        raise error(op, "PGR001", f"casts {source} to {target}, expected types of one width")
    return lambda x: np.asarray(x).view(target)


@emitter("func.return")
def return_(compiler: Compiler, op: Any) -> None:
    if len(op.operands):
        raise error(op, "PGR002", "returns values, expected output arguments")
