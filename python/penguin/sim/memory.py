"""The memories of one core: DRAM tensors, SBUF and PSUM, and which of their elements are written.

DRAM tensors are arrays of their own, made at the first top-level instruction or loop that uses them
and dropped after the last; dropped memory is used again, because touching fresh pages is slow.
SBUF and PSUM are one array each, a row per partition, so that two tiles with overlapping addresses
destroy each other's data as they would on the device; tiles without an address get an array of
their own. On-chip memory starts as 0xFF bytes (NEURON.md section 10).

Written elements are recorded per tensor, not per address: a tile that reuses the bytes of a dead
tile starts unwritten. The record is dropped when every element is written. A tile that is allocated
in a loop keeps its record from one iteration to the next, since the first iteration has shown what
is read before it is written.
"""

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from penguin.dialects.bir.target import Target
from penguin.sim.geometry import Dim, Layout

UNINITIALISED = 0xFF
# Rows are padded so that the partitions of a tile do not all fall into the same cache sets.
_PAD = 192
# Bytes of dropped memory that are kept when a new array has to be made.
_POOL_LIMIT = 1 << 32
_NDARRAY = np.ndarray
_BOOL = np.dtype(np.bool_)


@dataclass
class Pool:
    """Byte arrays of dropped tensors, smallest first."""

    free: list[np.ndarray] = field(default_factory=list)

    def take(self, size: int) -> np.ndarray:
        """At least `size` bytes of any content; an array more than twice as large is kept back."""
        for k, array in enumerate(self.free):
            if size <= array.size <= 2 * size:
                return self.free.pop(k)
        held = sum(array.size for array in self.free)
        while self.free and held > _POOL_LIMIT:
            held -= self.free.pop().size
        return np.empty(size, np.uint8)

    def give(self, array: np.ndarray) -> None:
        insort(self.free, array, key=len)


@dataclass(eq=False)
class Storage:
    """The bytes of a tensor and the record of its written elements (None: all are written)."""

    name: str
    shape: tuple[int, ...]
    layout: Layout
    # Made and dropped by the program: DRAM tensors other than inputs and constants.
    pool: Pool | None = None
    # The first top-level item that uses the tensor writes all of it and reads none.
    filled: bool = False
    data: np.ndarray | None = None
    mask: np.ndarray | None = None
    # An upper bound of what is missing: patterns that write an element twice count it twice.
    missing: int = 0

    def make(self) -> None:
        """Fresh memory of a DRAM tensor."""
        assert self.pool is not None
        self.data = self.pool.take(self.layout.elements * self.layout.itemsize)
        if not self.filled:
            self.forget()

    def forget(self) -> None:
        """Nothing is written."""
        self.mask = np.zeros(self.layout.elements, np.bool_)
        self.missing = self.layout.elements

    def drop(self) -> None:
        """Gives the memory of a DRAM tensor back."""
        assert self.pool is not None and self.data is not None
        self.pool.give(self.data)
        self.data = self.mask = None

    def window(self, dims: Sequence[Dim], offset: int) -> np.ndarray:
        """The part of the record that an access at element `offset` covers."""
        assert self.mask is not None
        shape = tuple(n for n, _ in dims)
        return _NDARRAY(shape, _BOOL, self.mask, offset, tuple(s for _, s in dims))

    def mark(self, window: np.ndarray, new: np.ndarray | None = None) -> None:
        """Records the elements of `window` as written, or those of them where `new` holds."""
        assert self.mask is not None
        if new is None:
            self.missing -= window.size - int(np.count_nonzero(window))
            window[...] = True
        else:
            np.logical_or(window, new, out=window)
            self.missing = 0
        if self.missing > 0:
            return
        self.missing = self.mask.size - int(np.count_nonzero(self.mask))
        if not self.missing:
            self.mask = None

    def describe(self, element: int) -> str:
        """Where an element is, for messages."""
        if self.layout.free:
            row, column = divmod(element, self.layout.free)
            return f"partition {row}, element {column}"
        index = [int(i) for i in np.unravel_index(element, self.shape)] if self.shape else []
        return f"element {index}"


@dataclass
class Memory:
    """Makes the storages of a function's tensors."""

    target: Target
    physical: bool = True
    pool: Pool = field(default_factory=Pool)
    _chips: dict[str, np.ndarray] = field(default_factory=dict)

    def rows(self, space: str) -> int:
        """Usable bytes of a partition."""
        return self.target.psum_bytes if space == "psum" else self.target.sbuf_bytes

    def dram(self, name: str, shape: tuple[int, ...], itemsize: int) -> Storage:
        return Storage(name, shape, Layout(prod(shape), itemsize), self.pool)

    def tile(self, name: str, shape: tuple[int, ...], itemsize: int) -> Storage:
        """A tile without an address: memory of its own."""
        count, free = prod(shape), prod(shape[1:])
        storage = Storage(name, shape, Layout(count, itemsize, free, 0, 0, free * itemsize))
        storage.data = np.full(count * itemsize, UNINITIALISED, np.uint8)
        storage.forget()
        return storage

    def placed(
        self, name: str, shape: tuple[int, ...], itemsize: int, space: str, base: int, addr: int
    ) -> Storage:
        """A tile at partition `base`, byte `addr`; raises `ValueError` outside of the memory."""
        count, free = prod(shape), prod(shape[1:])
        rows, size = self.target.partitions, self.rows(space)
        if base < 0 or base + shape[0] > rows:
            raise ValueError(f"takes partitions {base} to {base + shape[0] - 1} of {rows}")
        if addr < 0 or addr + free * itemsize > size:
            raise ValueError(
                f"takes bytes {addr} to {addr + free * itemsize - 1} of a partition, "
                f"{space} of {self.target.name} has {size}"
            )
        pitch = size - size % 64 + _PAD
        storage = Storage(name, shape, Layout(count, itemsize, free, base, addr, pitch))
        storage.data = self._chip(space, rows * pitch)
        storage.forget()
        return storage

    def _chip(self, space: str, size: int) -> np.ndarray:
        if space not in self._chips:
            self._chips[space] = np.full(size, UNINITIALISED, np.uint8)
        return self._chips[space]
