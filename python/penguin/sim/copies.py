"""Load, Save, DMACopy, TensorCopy, CopyPredicated, Memset and Iota: what moves or makes data.

A copy between equal dtypes moves bits. A DMA casts through f32; TensorCopy does too, unless both
sides are int32 or uint32, which saturate exactly.
"""

from collections.abc import Callable
from math import prod

import numpy as np

from penguin.bir.model import Instruction
from penguin.sim.casts import F32, I64, bits, constant, is_word, narrow, plain, saturate
from penguin.sim.compiler import MALFORMED, UNSUPPORTED, Compiler, Run
from penguin.sim.operands import Conformed, Operand, View, align


def compile_dma(c: Compiler, inst: Instruction) -> Run:
    if inst.attributes.get("mode", "Copy") != "Copy":
        raise c.error(inst, UNSUPPORTED, f"has mode {inst.attributes['mode']}, expected Copy")
    (source,), out = c.operands(inst, (1, 1))
    return copy(c, inst, source, out, exact_words=False)


def compile_tensor_copy(c: Compiler, inst: Instruction) -> Run:
    (source,), out = c.operands(inst, (1, 1))
    return copy(c, inst, source, out, exact_words=True)


def copy(c: Compiler, inst: Instruction, source: Operand, out: Operand, exact_words: bool) -> Run:
    c.same_count(inst, source, out.count)
    shape = align(out.dims, [source.dims])
    unchecked = bool(inst.attributes.get("can_read_uninit", False))
    cast = casting(c, source, out, shape, exact_words)
    moved = bits(out.dtype) if cast is plain_bits else None
    read = source.reader(shape.dims[1], moved, shape.reshape, unchecked)
    write = out.writer(shape.dims[0], moved)
    if cast is plain_bits:

        def move() -> None:
            x = read()
            np.copyto(write(), x)

        return move

    def run() -> None:
        x = read()
        cast(write(), x)

    return run


def plain_bits(dst: np.ndarray, src: np.ndarray) -> None:
    np.copyto(dst, src)


def casting(
    c: Compiler, source: Operand, out: Operand, shape: Conformed, exact_words: bool
) -> Callable[[np.ndarray, np.ndarray], None]:
    """How a copy from one dtype to the other writes; `plain_bits` for equal dtypes."""
    if source.dtype == out.dtype:
        return plain_bits
    if exact_words and is_word(source.dtype) and is_word(out.dtype):
        clip = saturate(out.dtype)
        return lambda dst, src: clip(dst, src.astype(I64))
    if F32 in (source.dtype, out.dtype) and out.dtype.kind not in "iu":
        return plain
    scratch, store = c.scratch(0, shape.shape), narrow(out.dtype)

    def through_f32(dst: np.ndarray, src: np.ndarray) -> None:
        wide = scratch()
        plain(wide, src)
        store(dst, wide)

    return through_f32


def compile_copy_predicated(c: Compiler, inst: Instruction) -> Run:
    """Elements where the predicate does not hold stay as they are, written or not."""
    (predicate, data), out = c.operands(inst, (2, 2))
    for operand in (predicate, data):
        c.same_count(inst, operand, out.count)
    shape = align(out.dims, [predicate.dims, data.dims, out.elements.dims])
    same = data.dtype == out.dtype
    moved = bits(out.dtype) if same else None
    unchecked = bool(inst.attributes.get("can_read_uninit", False))
    reverse = bool(inst.attributes.get("reverse_pred", False))
    read_predicate = predicate.reader(shape.dims[1], None, shape.reshape)
    read = data.reader(shape.dims[2], moved, shape.reshape, unchecked)
    view = out.raw(shape.dims[0], moved or out.dtype)
    cast = casting(c, data, out, shape, exact_words=True)
    storage = out.storage

    def run() -> None:
        where = np.equal(read_predicate(), 0) if reverse else np.not_equal(read_predicate(), 0)
        x = read()
        if storage.mask is not None:
            storage.mark(storage.window(shape.dims[3], out.element()), where)
        dst = view()
        if not same:
            converted = np.empty(shape.shape, out.dtype)
            cast(converted, x)
            x = converted
        np.copyto(dst, x, where=where)

    return run


def compile_memset(c: Compiler, inst: Instruction) -> Run:
    mode = inst.attributes.get("mode", "Const")
    if mode != "Const":
        raise c.error(inst, UNSUPPORTED, f"has mode {mode}, expected Const")
    if "constant" not in inst.attributes:
        raise c.error(inst, MALFORMED, "has no constant")
    _, out = c.operands(inst, (0, 0))
    value = constant(inst.attributes["constant"], out.dtype).reshape(1).view(bits(out.dtype))[0]
    shape = align(out.dims, [])
    write = out.writer(shape.dims[0], bits(out.dtype))

    def run() -> None:
        write().fill(value)

    return run


def compile_iota(c: Compiler, inst: Instruction) -> Run:
    """out[p, i...] = base + p * channel_multiplier + sum(step * i); the same in every iteration."""
    _, out = c.operands(inst, (0, 0))
    pattern = inst.attributes.get("pattern", ())
    free = prod(n for _, n in pattern)
    if free * out.partitions != out.count:
        raise c.error(
            inst,
            MALFORMED,
            f"has a pattern of {free} elements, expected {out.count // out.partitions}",
        )
    values = np.full(
        (out.partitions, *(n for _, n in pattern)), inst.attributes.get("base", 0), I64
    )
    steps = (inst.attributes.get("channel_multiplier", 0), *(s for s, _ in pattern))
    for axis, step in enumerate(steps):
        along = np.arange(values.shape[axis], dtype=I64) * step
        values += along.reshape([-1 if k == axis else 1 for k in range(values.ndim)])
    shape = tuple(n for n, _ in out.dims)
    made = np.empty(shape, out.dtype)
    saturate(out.dtype)(made, values.reshape(shape))
    return _put(out.writer(), made)


def _put(write: View, value: np.ndarray) -> Run:
    def run() -> None:
        np.copyto(write(), value)

    return run
