"""Loops for a transpose between two reshapes: src seen as `src_shape`, permuted, seen as dst.

Document 000: get_offloaded_transpose_shape_bases. Each dimension of `src_shape` is cut wherever src
or dst has a boundary inside of it; if the pieces divide each other, they are loops in which both
indices are linear: the common basis.

Pure functions on plain tuples; nothing here knows MLIR. Shapes have no extent 0.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from penguin.nests.indexing import Index, cuts, delinearize, strides

NO_BASIS = "Tranpose src and dst reshape must have common reshape basis at this point"


class Basis(NamedTuple):
    """Loops in the order of dst, and the indices into both tensors."""

    extents: tuple[int, ...]
    src: tuple[Index, ...]
    dst: tuple[Index, ...]


class Split(NamedTuple):
    """Whether src must be copied to a tensor of `src_shape` first, and whether the permuted tensor
    must be one of its own, to be copied to dst then."""

    src: bool
    dst: bool


Shape = Sequence[int]


def split(src: Shape, src_shape: Shape, permutation: Sequence[int], dst: Shape) -> Split:
    """What keeps the transpose from having a common basis; without it, it has one."""
    before = _boundaries(src_shape, src)
    after = _boundaries([src_shape[dim] for dim in permutation], dst)
    if before is None or after is None:
        return Split(before is None, after is None)
    return Split(False, _pieces(src_shape, permutation, before, after) is None)


def basis(src: Shape, src_shape: Shape, permutation: Sequence[int], dst: Shape) -> Basis:
    """The loops of a transpose that need not be split."""
    permuted = [src_shape[dim] for dim in permutation]
    before, after = _boundaries(src_shape, src), _boundaries(permuted, dst)
    assert before is not None and after is not None, NO_BASIS
    pieces = _pieces(src_shape, permutation, before, after)
    assert pieces is not None, NO_BASIS
    extents: list[int] = []
    src_terms, dst_terms = [], []
    src_strides, dst_strides = strides(src_shape), strides(permuted)
    for place, dim in enumerate(permutation):
        for outer, inner in pairwise(pieces[dim]):
            src_terms.append((len(extents), src_strides[dim] * inner))
            dst_terms.append((len(extents), dst_strides[place] * inner))
            extents.append(outer // inner)
    return Basis(
        tuple(extents),
        delinearize(Index(tuple(src_terms)), extents, src),
        delinearize(Index(tuple(dst_terms)), extents, dst),
    )


def _boundaries(shape: Shape, other: Shape) -> list[set[int]] | None:
    """Per dimension of `shape`, after how many of its elements `other` has a boundary inside of it.

    None if `other` has one where no whole number of them lies, or where they would not repeat.
    """
    found: list[set[int]] = [set() for _ in shape]
    for cut in cuts(other):
        for inside, extent, stride in zip(found, shape, strides(shape), strict=True):
            if not stride < cut < stride * extent:
                continue
            if cut % stride or stride * extent % cut:
                return None
            inside.add(cut // stride)
    return found


def _pieces(
    src_shape: Shape,
    permutation: Sequence[int],
    before: Sequence[set[int]],
    after: Sequence[set[int]],
) -> list[list[int]] | None:
    """Per dimension of `src_shape`, the sizes of its pieces, all of it first, 1 last."""
    found = []
    place = {dim: number for number, dim in enumerate(permutation)}
    for dim, extent in enumerate(src_shape):
        sizes = sorted({extent, 1, *before[dim], *after[place[dim]]}, reverse=True)
        if any(outer % inner for outer, inner in pairwise(sizes)):
            return None
        found.append(sizes)
    return found
