"""Simplest forms of single offloaded ops: which memcpy, transpose, slice, broadcast is it really?

Pure functions from operands and attributes to a `New` op. A memcpy keeps row-major element numbers,
so whatever keeps them is one.
"""

from collections.abc import Sequence
from math import prod

from penguin.analysis.nest import strides_of
from penguin.dialects import penguin as pg
from penguin.dialects.penguin.attributes import SRC_SHAPE, AccessKind
from penguin.mlir import ir
from penguin.passes.data_movement._tensor_ops import New, shape_of

Shape = tuple[int, ...]


def copy_of(value: ir.Value) -> New:
    return New(pg.MemcpyOp, (value,))


def keeps_order(shape: Sequence[int], permutation: Sequence[int]) -> bool:
    """Whether a transpose moves dimensions of extent 1 only: element numbers stay."""
    kept = [dim for dim in permutation if shape[dim] != 1]
    return kept == sorted(kept) or 0 in shape


def is_plain(op: ir.OpView) -> bool:
    """Whether a transpose permutes the dimensions of its source as they are."""
    return SRC_SHAPE not in op.attributes


def transposed(src: ir.Value, permutation: Sequence[int]) -> New:
    if keeps_order(shape_of(src), permutation):
        return copy_of(src)
    return New(pg.TransposeOp, (src,), {"permutation": list(permutation)})


def repeated(src: ir.Value, dst: Shape, dims: Sequence[int]) -> New:
    """A broadcast; a memcpy or a transpose if it repeats nothing."""
    shape = shape_of(src)
    if prod(shape) == prod(dst):
        order = [dim for extent, dim in zip(shape, dims, strict=True) if extent != 1]
        if order == sorted(order):
            return copy_of(src)
        if len(shape) == len(dst):
            return transposed(src, [dims.index(dim) for dim in range(len(dst))])
    return New(pg.BroadcastOp, (src,), {"dims": list(dims)})


def reversed_(src: ir.Value, axes: Sequence[int]) -> New:
    shape = shape_of(src)
    axes = [axis for axis in axes if shape[axis] > 1]
    return New(pg.ReverseOp, (src,), {"axes": axes}) if axes else copy_of(src)


def joined(sources: Sequence[ir.Value], axis: int) -> New:
    """A concat without sources that have no elements; a memcpy if one is left."""
    kept = [source for source in sources if shape_of(source)[axis]] or list(sources[:1])
    if len(kept) == 1:
        return copy_of(kept[0])
    return New(pg.ConcatOp, tuple(kept), {"axis": axis})


# Slices ---------------------------------------------------------------------------------------


class Box:
    """What a slice takes, per dimension: a start, a stride and a count."""

    def __init__(
        self, starts: Sequence[int], strides: Sequence[int], counts: Sequence[int]
    ) -> None:
        self.starts, self.counts = tuple(starts), tuple(counts)
        # The step from one element to the next is open if there is no next.
        self.strides = tuple(
            stride if count > 1 else 1 for stride, count in zip(strides, counts, strict=True)
        )

    @staticmethod
    def of(op: "ir.OpView") -> "Box":
        starts, limits, strides = list(op.starts), list(op.limits), list(op.strides)
        counts = [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True)]
        return Box(starts, strides, counts)

    @property
    def limits(self) -> Shape:
        return tuple(
            start + (count - 1) * stride + 1 if count else start
            for start, stride, count in zip(self.starts, self.strides, self.counts, strict=True)
        )

    def inside(self, other: "Box") -> "Box":
        """The box of the source of which `other` is a box, if this one is a box of `other`."""
        starts = [
            b + a * s for a, b, s in zip(self.starts, other.starts, other.strides, strict=True)
        ]
        strides = [a * b for a, b in zip(self.strides, other.strides, strict=True)]
        return Box(starts, strides, self.counts)

    def moved(self, axis: int, offset: int) -> "Box":
        starts = list(self.starts)
        starts[axis] += offset
        return Box(starts, self.strides, self.counts)

    def is_whole(self, shape: Sequence[int]) -> bool:
        return self.counts == tuple(shape)


def is_flat(op: "ir.OpView") -> bool:
    return op.access.value == AccessKind.FLATTENED


def slice_of(src: ir.Value, box: Box, flat: bool = False) -> New:
    """A slice in normal form; a memcpy of a source that it takes as a whole."""
    shape = shape_of(src)
    if box.is_whole((prod(shape),) if flat else shape):
        return copy_of(src)
    return New(
        pg.SliceOp,
        (src,),
        {
            "starts": list(box.starts),
            "limits": list(box.limits),
            "strides": list(box.strides),
            "access": AccessKind.FLATTENED if flat else AccessKind.NDIM,
        },
    )


def box_of_run(shape: Shape, start: int, stride: int, count: int) -> Box | None:
    """The box of `shape` whose elements, in row-major order, are the elements with the numbers
    start, start + stride, ...; None if they are no box."""
    if count == 0 or 0 in shape:
        return None
    left, step = count, stride
    found: list[tuple[int, int, int]] = []
    weights = strides_of(shape)
    for extent, weight in zip(reversed(shape), reversed(weights), strict=True):
        at = start // weight % extent
        times, hop = 1, 1
        if left > 1 and step % weight == 0 and at + step // weight < extent:
            hop = step // weight
            times = min(left, (extent - 1 - at) // hop + 1)
            if times < left:
                # The run goes on in the next dimension: this one must be taken from end to end.
                if extent % hop or times != extent // hop or left % times:
                    return None
                step = extent * weight
            left //= times
        found.append((at, hop, times))
    if left > 1:
        return None
    starts, strides, counts = zip(*reversed(found), strict=True) if found else ((), (), ())
    return Box(starts, strides, counts)


def run_of_box(shape: Shape, box: Box) -> Box | None:
    """The inverse: the flat slice that takes the same elements in the same order, or None."""
    weights = strides_of(shape)
    start = sum(at * weight for at, weight in zip(box.starts, weights, strict=True))
    step, left = 1, 1
    for hop, times, weight in reversed(list(zip(box.strides, box.counts, weights, strict=True))):
        if times == 1:
            continue
        if left == 1:
            step = hop * weight
        elif hop * weight != step * left:
            return None
        left *= times
    return Box((start,), (step,), (left,)) if 0 not in box.counts else None
