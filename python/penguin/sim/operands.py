"""Operands of an instruction as closures that yield array views.

An `Operand` is an access resolved against its tensor's storage. `reader` and `writer` return a
function without arguments that gives the view for the current loop iteration: shape and strides are
fixed when the program is compiled, only the byte offset is computed per execution. The functions
also check, and record, which elements are written; once a tensor is complete
that costs one comparison.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from penguin.errors import UserError
from penguin.sim.geometry import Dim, Elements, Geometry, conform
from penguin.sim.memory import Storage

View = Callable[[], np.ndarray]
# The values of the loop axes, by position; shared by every closure of a program.
Environment = list[int]

UNWRITTEN = "PGR101"
_NDARRAY = np.ndarray


@dataclass(frozen=True)
class Operand:
    """`what` names the operand in messages; `loc` is the instruction's source location."""

    storage: Storage
    elements: Elements
    geometry: Geometry
    dtype: np.dtype
    env: Environment
    what: str
    loc: str

    @property
    def dims(self) -> tuple[Dim, ...]:
        return self.geometry.dims

    @property
    def count(self) -> int:
        return self.elements.count

    @property
    def partitions(self) -> int:
        return self.elements.dims[0][0]

    def reader(
        self,
        dims: tuple[Dim, ...] | None = None,
        dtype: np.dtype | None = None,
        reshape: tuple[int, ...] | None = None,
        unchecked: bool = False,
    ) -> View:
        """Views of what the instruction reads; `dims` and `dtype` replace the operand's own."""
        guard = _nothing if unchecked else self._check()
        view = self._view(dims or self.dims, dtype or self.dtype, guard)
        if reshape is None:
            return view
        return lambda: view().reshape(reshape)

    def writer(self, dims: tuple[Dim, ...] | None = None, dtype: np.dtype | None = None) -> View:
        """Views of what the instruction writes; asking for one records it as written."""
        return self._view(dims or self.dims, dtype or self.dtype, self._mark())

    def raw(self, dims: tuple[Dim, ...], dtype: np.dtype) -> View:
        """Views without checks and records."""
        return self._view(dims, dtype, _nothing)

    def element(self) -> int:
        """The first element for the current iteration."""
        env = self.env
        return self.elements.const + sum(env[a] * c for a, c in self.elements.terms)

    def require(self) -> Callable[[], None]:
        """A function that fails if the access covers an element that was never written."""
        check, storage = self._check(), self.storage

        def run() -> None:
            if storage.mask is not None:
                check()

        return run

    def _view(self, dims: tuple[Dim, ...], dtype: np.dtype, guard: Callable[[], None]) -> View:
        geo, st, env = self.geometry, self.storage, self.env
        shape = tuple(n for n, _ in dims)
        strides = tuple(s for _, s in dims)
        const, terms = geo.const, geo.terms
        if geo.wrap:
            return self._wrapped_view(shape, strides, dtype, guard)
        if not terms and st.layout.free:
            fixed = _NDARRAY(shape, dtype, st.data, const, strides)

            def view_fixed() -> np.ndarray:
                if st.mask is not None:
                    guard()
                return fixed

            return view_fixed
        if len(terms) == 1:
            axis, step = terms[0]

            def view_1() -> np.ndarray:
                if st.mask is not None:
                    guard()
                return _NDARRAY(shape, dtype, st.data, const + env[axis] * step, strides)

            return view_1
        if len(terms) == 2:
            (axis, step), (axis2, step2) = terms

            def view_2() -> np.ndarray:
                if st.mask is not None:
                    guard()
                offset = const + env[axis] * step + env[axis2] * step2
                return _NDARRAY(shape, dtype, st.data, offset, strides)

            return view_2

        def view() -> np.ndarray:
            if st.mask is not None:
                guard()
            offset = const
            for axis, step in terms:
                offset += env[axis] * step
            return _NDARRAY(shape, dtype, st.data, offset, strides)

        return view

    def _wrapped_view(
        self,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        dtype: np.dtype,
        guard: Callable[[], None],
    ) -> View:
        st, lay = self.storage, self.storage.layout

        def view() -> np.ndarray:
            if st.mask is not None:
                guard()
            row, column = divmod(self.element(), lay.free)
            offset = (lay.base + row) * lay.pitch + lay.addr + column * lay.itemsize
            return _NDARRAY(shape, dtype, st.data, offset, strides)

        return view

    def _check(self) -> Callable[[], None]:
        """Written elements stay written, so an offset is looked at once."""
        seen: set[int] = set()
        st, dims = self.storage, self.elements.dims

        def check() -> None:
            offset = self.element()
            if offset in seen:
                return
            window = st.window(dims, offset)
            if not window.all():
                self._unwritten(window, offset)
            seen.add(offset)

        return check

    def _mark(self) -> Callable[[], None]:
        seen: set[int] = set()
        st, dims = self.storage, self.elements.dims

        def mark() -> None:
            offset = self.element()
            if offset in seen:
                return
            seen.add(offset)
            st.mark(st.window(dims, offset))

        return mark

    def _unwritten(self, window: np.ndarray, offset: int) -> NoReturn:
        index = np.unravel_index(int(np.argmin(window)), window.shape)
        steps = (s for _, s in self.elements.dims)
        raise unwritten(self, offset + sum(int(i) * s for i, s in zip(index, steps, strict=True)))


def unwritten(operand: Operand, element: int) -> UserError:
    """The error of reading an element that was never written."""
    text = f"{operand.what} reads {operand.storage.describe(element)}, which was never written"
    return UserError.at(UNWRITTEN, text, operand.loc)


def _nothing() -> None:
    return None


@dataclass(frozen=True)
class Conformed:
    """Operands brought to one shape: `dims` per operand, or `reshape` where no view has it."""

    shape: tuple[int, ...]
    dims: tuple[tuple[Dim, ...], ...]
    reshape: tuple[int, ...] | None

    def reader(self, k: int, operand: Operand, dtype: np.dtype | None = None) -> View:
        return operand.reader(self.dims[k], dtype, self.reshape)


def align(target: tuple[Dim, ...], others: list[tuple[Dim, ...]]) -> Conformed:
    """One shape for `target` and the others: `dims[0]` is the target's.

    If dimensions do not nest, the target keeps its own and the others are reshaped (copied).
    """
    split = conform([target, *others])
    if split is not None:
        return Conformed(tuple(n for n, _ in split[0]), tuple(split), None)
    shape = tuple(n for n, _ in target)
    return Conformed(shape, (target, *others), shape)
