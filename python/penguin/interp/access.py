"""Loads and stores over whole domains.

A row-major address that is linear in the open loops is a strided view: a load costs nothing and a
store is one assignment. Any other address (floordiv, mod, data-dependent) is an index array. Under
a mask, addresses may leave the memref where the mask is off; those elements are not touched.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from penguin.analysis.affine_form import Form, Space
from penguin.interp.numerics import Array
from penguin.interp.program import Buffer, Machine, Node, error


@dataclass(eq=False)
class Address:
    """`memref[indices]`; each index is a form or the number of a value."""

    op: Any
    buffer: int
    shape: tuple[int, ...]
    indices: list["int | Form"]
    flat: Form | None
    """The row-major element number, if all indices are forms."""
    safe: bool
    """The bounds of the loops alone keep every index inside."""

    def linear(self, machine: Machine) -> tuple[int, tuple[int, ...]] | None:
        """Offset and strides in elements over the open axes, if the address has them."""
        if self.flat is None or self.flat.divisions:
            return None
        offset, strides = self.flat.const, [0] * machine.depth
        for loop, coefficient in self.flat.terms:
            range_ = machine.ranges[loop]
            offset += coefficient * range_.start
            if range_.axis is not None:
                strides[-(range_.axis + 1)] += coefficient
        return offset, tuple(strides)

    def numbers(self, machine: Machine) -> Array:
        """Element numbers over the axes they vary on, 0 where the mask is off."""
        if self.safe and self.flat is not None:
            return machine.form(self.flat)
        total: Any = np.int64(0)
        for index, extent in zip(self.indices, self.shape, strict=True):
            part = machine.form(index) if isinstance(index, Form) else machine.values[index]
            part = self._checked(machine, part.astype(np.int64), extent)
            total = total * extent + part
        return total

    def check(self, machine: Machine) -> bool:
        """Whether every address is inside; if one is not and no mask is on, raises PGR004."""
        if self.safe:
            return True
        for index, extent in zip(self.indices, self.shape, strict=True):
            part = machine.form(index) if isinstance(index, Form) else machine.values[index]
            if part.size and (part.min() < 0 or part.max() >= extent):
                if machine.mask is not None:
                    return False
                self._fail(part, extent)
        return True

    def _checked(self, machine: Machine, part: Array, extent: int) -> Array:
        outside = (part < 0) | (part >= extent)
        if not outside.any():
            return part
        if machine.mask is None or (outside & machine.mask).any():
            self._fail(part, extent)
        return np.where(outside, 0, part)

    def _fail(self, part: Array, extent: int) -> None:
        worst = int(part.min()) if part.min() < 0 else int(part.max())
        raise error(self.op, "PGR004", f"index is {worst}, expected 0 to {extent - 1}")


def address(op: Any, buffer: int, shape: tuple[int, ...], indices: list, space: Space) -> Address:
    """Works out what is known before running."""
    flat: Form | None = Form()
    safe = True
    for index, extent in zip(indices, shape, strict=True):
        if not isinstance(index, Form):
            return Address(op, buffer, shape, indices, None, False)
        flat = flat * extent + index
        low, high = space.bounds(index)
        safe = safe and 0 <= low and high < extent
    return Address(op, buffer, shape, indices, flat, safe)


def _view(buffer: Buffer, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    size = buffer.array.dtype.itemsize
    return np.ndarray(
        shape, buffer.array.dtype, buffer.raw, offset * size, tuple(s * size for s in strides)
    )


@dataclass(eq=False)
class LoadNode(Node):
    """`copy`: someone writes to the memref before the last use of what was loaded."""

    address: Address
    result: int
    outlives_nest: bool
    copy: bool = True

    def run(self, machine: Machine) -> None:
        buffer = machine.buffers[self.address.buffer]
        linear = self.address.linear(machine)
        if linear is not None and self.address.check(machine):
            offset, strides = linear
            counts = machine.counts()
            shape = tuple(n if s else 1 for n, s in zip(counts, strides, strict=True))
            loaded = _view(buffer, offset, shape, strides)
            machine.values[self.result] = loaded.copy() if self.copy else loaded
            return
        machine.values[self.result] = buffer.array.reshape(-1)[self.address.numbers(machine)]

    def reads(self) -> list[int]:
        return [index for index in self.address.indices if not isinstance(index, Form)]

    def defines(self) -> list[int]:
        return [self.result]


@dataclass(eq=False)
class StoreNode(Node):
    """Where several iterations store to one element, the last one wins."""

    address: Address
    value: int

    def run(self, machine: Machine) -> None:
        buffer = machine.buffers[self.address.buffer]
        value = np.asarray(machine.values[self.value])
        counts = machine.counts()
        value = value.reshape((1,) * (machine.depth - value.ndim) + value.shape)
        if machine.mask is None:
            linear = self.address.linear(machine)
            if linear is not None and _injective(counts, linear[1]):
                self.address.check(machine)
                self._store_view(buffer, value, counts, *linear)
                return
        self._store_elements(machine, buffer, value, counts)

    @staticmethod
    def _store_view(
        buffer: Buffer, value: Array, counts: tuple[int, ...], offset: int, strides: tuple
    ) -> None:
        shape = tuple(n if s else 1 for n, s in zip(counts, strides, strict=True))
        # A loop that the address ignores: its last iteration is what remains.
        last = tuple(slice(None) if s else slice(-1, None) for s in strides)
        _view(buffer, offset, shape, strides)[...] = value[last]

    def _store_elements(
        self, machine: Machine, buffer: Buffer, value: Array, counts: tuple[int, ...]
    ) -> None:
        numbers = np.broadcast_to(self.address.numbers(machine), counts)
        # Transposed, the outermost loop comes first: the order of the iterations.
        order = numbers.T.reshape(-1)
        values = np.broadcast_to(value, counts).T.reshape(-1)
        if machine.mask is not None:
            on = np.broadcast_to(machine.mask, counts).T.reshape(-1)
            order, values = order[on], values[on]
        buffer.array.reshape(-1)[order] = values

    def reads(self) -> list[int]:
        data = [index for index in self.address.indices if not isinstance(index, Form)]
        return [self.value, *data]


def _injective(counts: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether different iterations (of loops with a stride) have different addresses."""
    reach = 0
    for stride, count in sorted((abs(s), n) for s, n in zip(strides, counts, strict=True) if s):
        if count > 1 and stride <= reach:
            return False
        reach += stride * (count - 1)
    return True
