"""GenericIndirectLoad: rows of a DRAM tensor, one per partition, that an index tensor names."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from penguin.bir.model import Instruction
from penguin.sim.casts import bits
from penguin.sim.compiler import BOUNDS, MALFORMED, Compiler, Run
from penguin.sim.copies import casting, plain_bits
from penguin.sim.operands import Conformed, Operand, unwritten


def compile_indirect_load(c: Compiler, inst: Instruction) -> Run:
    """out[p, i...] = source[offset + step_0 * index[p] + sum(step_j * i_j)]."""
    if len(inst.ins) != 2:
        raise c.error(inst, MALFORMED, f"has {len(inst.ins)} inputs, expected 2")
    step, count = inst.ins[0].pattern[0]
    if step < 1:
        raise c.error(inst, MALFORMED, f"has step {step} for the index, expected at least 1")
    # What index 0 reaches has to be inside in any case.
    first = replace(inst.ins[0], pattern=((0, count), *inst.ins[0].pattern[1:]))
    (source, index), out = c.operands(replace(inst, ins=(first, inst.ins[1])), (2, 2))
    c.same_count(inst, source, out.count)
    c.same_count(inst, index, count)
    shape = tuple(n for n, _ in out.dims)
    cast = casting(c, source, out, Conformed(shape, (out.dims,), None), exact_words=False)
    moved = bits(out.dtype) if cast is plain_bits else None
    read_index, write = index.reader(reshape=(count,)), out.writer(None, moved)
    fetch = _fetcher(c, inst, source, step, moved or source.dtype)

    def run() -> None:
        rows = fetch(read_index())
        cast(write(), rows.reshape(shape))

    return run


def _fetcher(
    c: Compiler, inst: Instruction, source: Operand, step: int, dtype: np.dtype
) -> Callable[[np.ndarray], np.ndarray]:
    """The rows that an index array names, which have to lie inside of the source."""
    storage, free = source.storage, source.elements.dims[1:]
    size = storage.layout.itemsize
    extents = tuple(n for n, _ in free)
    strides = tuple(s for _, s in free)
    reach = sum((n - 1) * s for n, s in free if s > 0)

    def fetch(index: np.ndarray) -> np.ndarray:
        offset = source.element()
        rows = (storage.layout.elements - 1 - reach - offset) // step + 1
        if index.max() >= rows:
            place = int(np.argmax(index >= rows))
            text = f"has index {index[place]} for partition {place}, expected 0 to {rows - 1}"
            raise c.error(inst, BOUNDS, text)
        if storage.mask is not None:
            written = storage.window(((rows, step), *free), offset)[index]
            if not written.all():
                hole = np.unravel_index(int(np.argmin(written)), written.shape)
                element = offset + step * int(index[hole[0]])
                element += sum(int(i) * s for i, s in zip(hole[1:], strides, strict=True))
                raise unwritten(source, element)
        every = np.ndarray(
            (rows, *extents),
            dtype,
            storage.data,
            (offset * size) + storage.layout.addr,
            tuple(s * size for s in (step, *strides)),
        )
        return every[index]

    return fetch
