"""Matmult on the PE: out[m, n] (+)= sum over k of stationary[k, m] * moving[k, n], in f32.

Operands of narrower dtypes are widened first, products and sums are f32 (numpy's matrix product).
The execution overwrites PSUM when every axis of `accumulation_flag` is at its first iteration and
adds otherwise; with no axis it always overwrites (a guess, see the dialect's Matmult).
"""

import numpy as np

from penguin.bir.model import Instruction
from penguin.sim.casts import F32, narrow
from penguin.sim.compiler import MALFORMED, UNSUPPORTED, Compiler, Run
from penguin.sim.geometry import Dim, merged
from penguin.sim.operands import Operand, View


def compile_matmult(c: Compiler, inst: Instruction) -> Run:
    if inst.attributes.get("perf_mode", "None") != "None":
        raise c.error(inst, UNSUPPORTED, f"has perf_mode {inst.attributes['perf_mode']}")
    if inst.attributes.get("is_transpose", False):
        raise c.error(inst, UNSUPPORTED, "has is_transpose")
    (moving, stationary), out = c.operands(inst, (2, 2))
    k, n = moving.partitions, moving.count // moving.partitions
    m = stationary.count // stationary.partitions
    if stationary.partitions != k:
        raise c.error(
            inst, MALFORMED, f"has a stationary K of {stationary.partitions}, expected {k}"
        )
    c.same_count(inst, out, m * n)
    return _run(c, inst, _matrix(c, moving, k, n, 0), _matrix(c, stationary, k, m, 1), out, (m, n))


def _matrix(c: Compiler, operand: Operand, rows: int, columns: int, slot: int) -> View:
    """A [rows, columns] view in f32."""
    dims = _two_dims(operand.dims, rows, columns)
    if dims is None:
        read = operand.reader(reshape=(rows, columns))
    else:
        read = operand.reader(dims)
    return c.as_f32(read, operand.dtype, (rows, columns), slot)


def _two_dims(dims: tuple[Dim, ...], rows: int, columns: int) -> tuple[Dim, ...] | None:
    """The pattern as [rows, columns], if its free pairs are one arithmetic sequence."""
    free = merged(dims[1:])
    if dims[0][0] != rows or len(free) != 1 or free[0][0] != columns:
        return None
    return (dims[0], free[0])


def _run(
    c: Compiler,
    inst: Instruction,
    moving: View,
    stationary: View,
    out: Operand,
    size: tuple[int, int],
) -> Run:
    starts = [(c.slot(inst, a), c.ranges[c.slot(inst, a)][0]) for a in _flag(inst)]
    dims = _two_dims(out.dims, *size)
    if dims is None or out.dtype != F32:
        return _general_run(c, moving, stationary, out, size, starts)
    write, written, env = out.writer(dims), out.require(), c.env
    product = c.scratch(2, size)

    def run() -> None:
        left = stationary().T
        right = moving()
        for axis, first in starts:
            if env[axis] != first:
                written()
                partial = product()
                np.matmul(left, right, out=partial)
                total = write()
                np.add(total, partial, out=total)
                return
        np.matmul(left, right, out=write())

    return run


def _flag(inst: Instruction) -> tuple[str, ...]:
    return tuple(inst.attributes.get("accumulation_flag", ()))


def _general_run(
    c: Compiler,
    moving: View,
    stationary: View,
    out: Operand,
    size: tuple[int, int],
    starts: list[tuple[int, int]],
) -> Run:
    """For outputs that are no matrix in memory, or not f32."""
    shape = tuple(n for n, _ in out.dims)
    read, write, store, env = out.reader(), out.writer(), narrow(out.dtype), c.env
    product = c.scratch(2, size)

    def run() -> None:
        partial = product()
        np.matmul(stationary().T, moving(), out=partial)
        total = partial.reshape(shape)
        if any(env[axis] != first for axis, first in starts):
            total = total + read().astype(F32)
        store(write(), total)

    return run
