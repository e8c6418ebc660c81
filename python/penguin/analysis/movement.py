"""What an offloaded op moves: the relation between elements of its sources and of its destination.

`Movement.source` takes the indices of an element of the destination to the element of a source
that it comes from, `Movement.target` the other way. Indices are forms (`affine_form`) over the
loops of a step; the result is simplified with the loops' extents, so that a reshape that splits or
joins dimensions along loop boundaries has no division left.

| op | source of dst[i] | target of src[j] |
|---|---|---|
| memcpy | the element with the same row-major number | the same |
| memcast | src[i] | dst[j] |
| transpose | src[k] with k[permutation[d]] = i[d] | dst[j[permutation[0]], ...] |
| transpose with src_shape | as a reshape, a transpose, a reshape | the same |
| broadcast | src[i[dims]], 0 where the extent is 1 | more than one |
| slice, ndim | src[start + stride * i] | dst[(j - start) / stride], if j is inside |
| slice, flattened | src element start + stride * (number of i) | as ndim, on numbers |
| concat | the source whose slab holds i[axis], less its offset | dst[j + offset] |

For a concat or a slice it may depend on the iteration whether there is such an element. Then the
result is a `Cut`: where to split a loop to come closer to an answer; or None if no split helps.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.analysis.nest import delinearize, flatten
from penguin.dialects import penguin as pg
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin.attributes import AccessKind
from penguin.mlir import ir

Forms = tuple[Form, ...]


@dataclass(frozen=True)
class Cut:
    """Loop `key` should be split before iteration `at`."""

    key: int
    at: int


@dataclass(frozen=True)
class Found:
    """An element of operand number `operand`."""

    operand: int
    forms: Forms


class Nowhere:
    """No iteration touches what the op moves."""


NOWHERE = Nowhere()
Answer = Found | Cut | Nowhere | None


class Movement:
    """The index relation of one memcpy, memcast, transpose, broadcast, slice or concat."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        view = op.opview
        self.kind = type(view)
        shapes = [tensor_of(value.type).shape for value in op.operands]
        self.sources, self.dst = shapes[:-1], shapes[-1]
        self.permutation: tuple[int, ...] = ()
        # What a transpose permutes, and what it makes of it.
        self.before: tuple[int, ...] = ()
        self.after: tuple[int, ...] = ()
        self.axis = 0
        self.offsets: list[int] = []
        self.starts: tuple[int, ...] = ()
        self.strides: tuple[int, ...] = ()
        self.counts: tuple[int, ...] = ()
        self.is_flat = False
        if self.kind is pg.TransposeOp:
            self.permutation = tuple(view.permutation)
            self.before = view.permuted
            self.after = tuple(self.before[dim] for dim in self.permutation)
        elif self.kind is pg.BroadcastOp:
            self.permutation = tuple(view.dims)
        elif self.kind is pg.ConcatOp:
            self.axis = view.axis.value
            at = 0
            for shape in self.sources:
                self.offsets.append(at)
                at += shape[self.axis]
        elif self.kind is pg.SliceOp:
            self.starts, self.strides = tuple(view.starts), tuple(view.strides)
            self.is_flat = view.access.value == AccessKind.FLATTENED
            limits = tuple(view.limits)
            self.counts = tuple(
                max(0, -(-(b - a) // s))
                for a, b, s in zip(self.starts, limits, self.strides, strict=True)
            )

    @property
    def is_reshape(self) -> bool:
        """Whether row-major element numbers stay: the bytes of source and destination are equal."""
        return self.kind in (pg.MemcpyOp, pg.MemcastOp)

    def source(self, forms: Sequence[Form], space: Space) -> Answer:
        """Where the destination's element `forms` comes from."""
        if self.is_reshape:
            return Found(0, reshaped(forms, self.dst, self.sources[0], space))
        if self.kind is pg.TransposeOp:
            back = [Form()] * len(self.permutation)
            forms = reshaped(forms, self.dst, self.after, space)
            for form, dim in zip(forms, self.permutation, strict=True):
                back[dim] = form
            return Found(0, reshaped(back, self.before, self.sources[0], space))
        if self.kind is pg.BroadcastOp:
            (shape,) = self.sources
            picked = zip(shape, self.permutation, strict=True)
            return Found(0, tuple(Form() if n == 1 else forms[d] for n, d in picked))
        if self.kind is pg.SliceOp:
            (shape,) = self.sources
            if self.is_flat:
                number = flatten(self.dst, forms) * self.strides[0] + self.starts[0]
                return Found(0, delinearize(number, shape, space))
            return Found(
                0,
                tuple(
                    f * stride + start
                    for f, stride, start in zip(forms, self.strides, self.starts, strict=True)
                ),
            )
        return self._slab(forms, space)

    def target(self, operand: int, forms: Sequence[Form], space: Space) -> Answer:
        """Where the element `forms` of a source goes to."""
        if self.is_reshape:
            return Found(1, reshaped(forms, self.sources[0], self.dst, space))
        if self.kind is pg.TransposeOp:
            forms = reshaped(forms, self.sources[0], self.before, space)
            permuted = [forms[dim] for dim in self.permutation]
            return Found(1, reshaped(permuted, self.after, self.dst, space))
        if self.kind is pg.ConcatOp:
            moved = list(forms)
            moved[self.axis] = moved[self.axis] + self.offsets[operand]
            return Found(len(self.sources), tuple(moved))
        if self.kind is pg.BroadcastOp:
            return None
        if not self.is_flat:
            return self._inside(forms, space)
        number = flatten(self.sources[0], forms)
        answer = self._inside((number,), space)
        if not isinstance(answer, Found):
            return answer
        return Found(1, delinearize(answer.forms[0], self.dst, space))

    def _slab(self, forms: Sequence[Form], space: Space) -> Answer:
        """The source of a concat that owns the range of the index along the axis."""
        index = forms[self.axis]
        low, high = space.bounds(index)
        number = max(0, bisect_right(self.offsets, low) - 1)
        offset = self.offsets[number]
        end = offset + self.sources[number][self.axis]
        if offset <= low and high < end:
            back = list(forms)
            back[self.axis] = index + -offset
            return Found(number, tuple(back))
        return cut(index, end, space) if low < end <= high else None

    def _inside(self, forms: Sequence[Form], space: Space) -> Answer:
        """The slice's element, if all iterations are inside of it; NOWHERE if none is."""
        moved = []
        for form, start, stride, count in zip(
            forms, self.starts, self.strides, self.counts, strict=True
        ):
            last = start + (count - 1) * stride
            low, high = space.bounds(form)
            offset = form + -start
            residue = space.mod(offset, stride) if stride != 1 else Form()
            if high < start or low > last or (residue.is_constant and residue.const):
                return NOWHERE
            if low < start:
                return cut(form, start, space)
            if high > last:
                return cut(form, last + 1, space)
            if not residue.is_constant:
                return None
            moved.append(space.floordiv(offset, stride))
        return Found(1, tuple(moved))


def reshaped(
    forms: Sequence[Form], shape: tuple[int, ...], new: tuple[int, ...], space: Space
) -> Forms:
    """The indices into `new` of the element of `shape` with these indices."""
    if shape == new:
        return tuple(forms)
    return delinearize(flatten(shape, forms), new, space)


def cut(form: Form, bound: int, space: Space) -> Cut | None:
    """A split of one loop after which more iterations are clearly on one side of `form < bound`."""
    for atom, coefficient in sorted(
        ((a, c) for a, c in form.terms if not isinstance(a, FloorDiv)),
        key=lambda term: -abs(term[1]) * space.extents[term[0]],
    ):
        extent = space.extents[atom]
        low, high = space.bounds(form + Form.variable(atom) * -coefficient)
        size = abs(coefficient)
        # How many of the variable's iterations, from its smaller end on, stay below the bound; and
        # from which on all are at or above it.
        below = (bound - high - 1) // size + 1 if coefficient > 0 else None
        above = -(-(bound - low) // size)
        if coefficient < 0:
            # c * v with c < 0: the large values of v are the small ones of the form.
            below = None
            first_below = -(-(high - bound + 1) // size)
            last_above = (low - bound) // size + 1
            for at in (last_above, first_below):
                if 0 < at < extent:
                    return Cut(atom, at)
            continue
        for at in (below, above):
            if 0 < at < extent:
                return Cut(atom, at)
    return None


def operands_of(op: ir.Operation) -> list[Any]:
    """The memrefs of an offloaded op: sources, then the destination."""
    return list(op.operands)
