"""TensorReduce: folds free axes on DVE, or the partition axis on Pool.

Sums and products are f32, in numpy's order: pairwise along rows, so sums are closer to the exact
result than a running one. Integer sums are exact and saturate once, integer products at every
factor.
"""

from collections.abc import Callable

import numpy as np

from penguin.bir.model import Instruction
from penguin.sim.alu import OPERATORS
from penguin.sim.casts import F32, I64, bits, is_word, narrow, plain, saturate
from penguin.sim.compiler import MALFORMED, UNSUPPORTED, Compiler, Run
from penguin.sim.geometry import Dim, conform, merged
from penguin.sim.operands import Operand

PARTITION_AXIS = "C"
_AVERAGE = "average"
Fold = Callable[[np.ndarray], np.ndarray]


def compile_tensor_reduce(c: Compiler, inst: Instruction) -> Run:
    (data,), out = c.operands(inst, (1, 1))
    kept, folded = _axes(c, inst, data)
    out_dims = _merge_kept(c, inst, kept, out)
    result_shape = tuple(n for n, _ in out_dims[1])
    rank = len(out_dims[0])
    dims = (*out_dims[0], *merged(folded))
    fold, dtype, store = _datapath(c, inst, data, out, tuple(range(rank, len(dims))))
    read = data.reader(dims, None if dtype == F32 else dtype)
    if dtype == F32:
        read = c.as_f32(read, data.dtype, tuple(n for n, _ in dims), 0)
    bitvec = OPERATORS[_operator(inst)].bitvec if _operator(inst) != _AVERAGE else False
    write = out.writer(out_dims[1], bits(out.dtype) if bitvec else None)
    negate = bool(inst.attributes.get("negate", False))

    def run() -> None:
        result = fold(read())
        if negate:
            result = np.negative(result)
        store(write(), result.reshape(result_shape))

    return run


def _operator(inst: Instruction) -> str:
    return str(inst.attributes.get("op"))


def _axes(c: Compiler, inst: Instruction, data: Operand) -> tuple[tuple[Dim, ...], tuple[Dim, ...]]:
    """The kept and the folded dimensions; letters beyond the pattern's free pairs do nothing."""
    axis = str(inst.attributes.get("axis"))
    dims = data.dims
    if axis == PARTITION_AXIS:
        return dims[1:], dims[:1]
    if axis not in ("X", "XY", "XYZ", "XYZW"):
        raise c.error(inst, UNSUPPORTED, f"has axis {axis}, expected X, XY, XYZ, XYZW or C")
    count = min(len(axis), len(dims) - 1)
    if not count:
        raise c.error(inst, MALFORMED, f"folds {axis} of a pattern without free pairs")
    return dims[:-count], dims[-count:]


def _merge_kept(
    c: Compiler, inst: Instruction, kept: tuple[Dim, ...], out: Operand
) -> tuple[tuple[Dim, ...], tuple[Dim, ...]]:
    count = int(np.prod([n for n, _ in kept], dtype=np.int64))
    c.same_count(inst, out, count)
    both = conform([kept, out.dims])
    return (kept, out.dims) if both is None else (both[0], both[1])


def _datapath(
    c: Compiler, inst: Instruction, data: Operand, out: Operand, axes: tuple[int, ...]
) -> tuple[Fold, np.dtype, Callable[[np.ndarray, np.ndarray], None]]:
    """The fold, the dtype it reads and how its result is written."""
    name = _operator(inst)
    operator = OPERATORS.get("add" if name == _AVERAGE else name)
    if operator is None or operator.reduce is None:
        raise c.error(inst, UNSUPPORTED, f"has op {name}, which cannot reduce")
    ufunc = operator.reduce
    if operator.bitvec:
        return (lambda x: ufunc.reduce(x, axis=axes)), bits(data.dtype), plain
    if is_word(data.dtype) and is_word(out.dtype) and name != _AVERAGE:
        return _integer_fold(ufunc, axes, out.dtype), data.dtype, saturate(out.dtype)
    store = narrow(out.dtype)
    if name == _AVERAGE:
        return (lambda x: np.add.reduce(x, axis=axes) / _size(x, axes)), F32, store
    return (lambda x: np.asarray(ufunc.reduce(x, axis=axes))), F32, store


def _size(x: np.ndarray, axes: tuple[int, ...]) -> np.float32:
    return np.float32(np.prod([x.shape[a] for a in axes]))


def _integer_fold(ufunc: np.ufunc, axes: tuple[int, ...], dtype: np.dtype) -> Fold:
    if ufunc is not np.multiply:
        return lambda x: np.asarray(ufunc.reduce(x.astype(I64), axis=axes))
    info = np.iinfo(dtype)

    def product(x: np.ndarray) -> np.ndarray:
        lead = x.shape[: axes[0]]
        factors = x.astype(I64).reshape(*lead, -1)
        result = factors[..., 0]
        for k in range(1, factors.shape[-1]):
            result = np.clip(result * factors[..., k], info.min, info.max)
        return result

    return product
