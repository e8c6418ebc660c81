"""What the opcode modules need to compile an instruction: operands, scratch memory, errors."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from penguin.bir.model import Access, Function, Instruction, Loop
from penguin.dialects.bir.enums import TensorKind
from penguin.dtypes import BY_BIR
from penguin.errors import UserError
from penguin.sim.casts import F32, narrow, plain
from penguin.sim.geometry import Elements, OutOfBounds, locate
from penguin.sim.memory import Storage
from penguin.sim.operands import Environment, Operand, View

Run = Callable[[], None]
# Writes f32 results to `out`, given the operands as f32.
Kernel = Callable[..., object]

BOUNDS = "PGR102"
MALFORMED = "PGR103"
UNSUPPORTED = "PGR104"
READ_ONLY = "PGR106"
READ_ONLY_KINDS = (TensorKind.INPUT, TensorKind.CONST)
# Above this many elements a temporary is made for the occasion instead of being kept.
_SCRATCH_LIMIT = 1 << 22


@dataclass
class Compiler:
    """What the opcode modules need to compile one instruction."""

    function: Function
    storages: dict[str, Storage]
    strict: bool = False
    env: Environment = field(default_factory=list)
    ranges: dict[int, range] = field(default_factory=dict)
    _slots: dict[str, int] = field(default_factory=dict)
    _scratch: dict[tuple[int, np.dtype, int], np.ndarray] = field(default_factory=dict)

    def error(self, inst: Instruction, code: str, message: str) -> UserError:
        return UserError.at(code, f"'{inst.opcode}' {inst.name} {message}", inst.loc)

    def slot(self, inst: Instruction, axis: str) -> int:
        """Position of a loop axis in the environment."""
        if axis not in self._slots:
            raise self.error(inst, MALFORMED, f"uses axis '{axis}', expected an enclosing loop's")
        return self._slots[axis]

    @contextlib.contextmanager
    def inside(self, loop: Loop) -> Iterator[int]:
        values = range(loop.lower, loop.upper, loop.step)
        slot = len(self.env)
        self.env.append(loop.lower)
        self._slots[loop.axis] = slot
        self.ranges[slot] = values
        yield slot
        del self._slots[loop.axis]

    def operands(
        self, inst: Instruction, ins: tuple[int, int], outs: int = 1
    ) -> tuple[list[Operand], Operand]:
        """The operands; `ins` is the least and largest number of inputs."""
        low, high = ins
        if not low <= len(inst.ins) <= high or len(inst.outs) != outs:
            expected = f"{low}" if low == high else f"{low} to {high}"
            raise self.error(
                inst,
                MALFORMED,
                f"has {len(inst.ins)} inputs and {len(inst.outs)} outputs, "
                f"expected {expected} and {outs}",
            )
        reads = [self.operand(inst, a, f"input #{i}") for i, a in enumerate(inst.ins)]
        return reads, self.operand(inst, inst.outs[0], "output #0", write=True)

    def operand(self, inst: Instruction, access: Access, role: str, write: bool = False) -> Operand:
        what = f"'{inst.opcode}' {inst.name} {role} '{access.tensor}'"
        tensor = self.function.tensors.get(access.tensor)
        if tensor is None:
            raise UserError.at(MALFORMED, f"{what} is no tensor of the function", inst.loc)
        dtype = BY_BIR[access.dtype].numpy if access.dtype in BY_BIR else None
        if dtype is None or dtype.itemsize != tensor.numpy_dtype.itemsize:
            raise UserError.at(
                MALFORMED,
                f"{what} is read as {access.dtype}, expected a dtype as wide as {tensor.dtype}",
                inst.loc,
            )
        if write and tensor.kind in READ_ONLY_KINDS:
            raise UserError.at(READ_ONLY, f"{what} writes a tensor of kind {tensor.kind}", inst.loc)
        storage = self.storages[access.tensor]
        terms = tuple((self.slot(inst, a), c) for a, c in access.offset.terms)
        dims = tuple((n, s) for s, n in access.pattern)
        elements = Elements(dims, access.offset.const, terms)
        try:
            geometry = locate(elements, storage.layout, self.ranges)
        except OutOfBounds as error:
            raise UserError.at(BOUNDS, f"{what} {error}", inst.loc) from None
        return Operand(storage, elements, geometry, dtype, self.env, what, inst.loc)

    def same_count(self, inst: Instruction, operand: Operand, count: int) -> None:
        if operand.count != count:
            raise UserError.at(
                MALFORMED,
                f"{operand.what} has {operand.count} elements, expected {count}",
                inst.loc,
            )

    def scratch(self, slot: int, shape: tuple[int, ...], dtype: np.dtype = F32) -> View:
        """A temporary; those of one instruction have different slots."""
        count = prod(shape)
        if count > _SCRATCH_LIMIT:
            return lambda: np.empty(shape, dtype)
        key = (slot, dtype, count)
        if key not in self._scratch:
            self._scratch[key] = np.empty(count, dtype)
        array = self._scratch[key].reshape(shape)
        return lambda: array

    def as_f32(self, read: View, dtype: np.dtype, shape: tuple[int, ...], slot: int) -> View:
        """The same view widened to f32."""
        if dtype == F32:
            return read
        scratch = self.scratch(slot, shape)

        def widen() -> np.ndarray:
            wide = scratch()
            plain(wide, read())
            return wide

        return widen

    def f32_run(
        self, kernel: Kernel, reads: Sequence[View], write: View, dtype: np.dtype, shape: tuple
    ) -> Run:
        """Reads, computes in f32 and rounds on write. `kernel` may get an input as its `out`."""
        if dtype == F32:
            return _direct(kernel, reads, write)
        scratch, store = self.scratch(9, shape), narrow(dtype)
        if len(reads) == 1:
            (read,) = reads

            def run_1() -> None:
                wide = scratch()
                kernel(read(), out=wide)
                store(write(), wide)

            return run_1

        def run() -> None:
            wide = scratch()
            kernel(*[read() for read in reads], out=wide)
            store(write(), wide)

        return run


def _direct(kernel: Kernel, reads: Sequence[View], write: View) -> Run:
    if len(reads) == 1:
        (read,) = reads

        def run_1() -> None:
            x = read()
            kernel(x, out=write())

        return run_1
    if len(reads) == 2:
        first, second = reads

        def run_2() -> None:
            x = first()
            y = second()
            kernel(x, y, out=write())

        return run_2

    def run() -> None:
        values = [read() for read in reads]
        kernel(*values, out=write())

    return run
