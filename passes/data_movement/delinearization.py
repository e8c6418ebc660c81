"""Give flat tensors their dimensions back.

Spec: document 000, "Pipeline Placement" and "Shared Delinearization / Reshape Legality". The four
conditions are verbatim from `can_delinearize_tensor`; how the extents are found is a guess.

Before                                            After
  %t = memref.alloc() : memref<768xf32>             %t = memref.alloc() : memref<12x64xf32>
  affine.store %v, %t[%h * 64 + %d]                 affine.store %v, %t[%h, %d]
  affine.load %t[%h * 64 + 63 - %d]                 affine.load %t[%h, 63 - %d]

A dimension of extent N is split into N / c and c if every access to it has an index `v * c + w`
with w in 0 .. c - 1. The candidates for c are the coefficients of the indices, the largest first;
the two new dimensions are looked at again. Row-major order stays, hence the bytes stay.

"We can delinearize a tensor anytime unless
  1. there exists a generic access on `tensor` on the dimension undergoing a reshape
  2. there exists a tensor op / opaque op usage of `tensor`
  3. the tensor does not have any affine accesses
  4. affine accesses on delinearized dims are not fully accessed"
(4) is read as: for no c do all w stay inside of their dimension.

A candidate is an internal tensor with an index of several terms; or of one dimension, and with no
affine access. Keeps: the order of everything. Leaves alone: IO tensors, whose shape is the
caller's, and constants.
"""

import enum
from dataclasses import dataclass

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Tensor
from penguin.mlir import ir
from penguin.passes.data_movement._rewriter import Rewriter
from penguin.passlib import FunctionPass, Reject, Statistic

Forms = tuple[Form, ...]


class Why(enum.Enum):
    """The conditions, and so the reasons for a flat tensor that stays flat."""

    GENERIC = "there exists a generic access on `tensor` on the dimension undergoing a reshape"
    TENSOR_OP = "there exists a tensor op / opaque op usage of `tensor`"
    NO_AFFINE = "the tensor does not have any affine accesses"
    NOT_FULLY_ACCESSED = "affine accesses on delinearized dims are not fully accessed"


@dataclass
class Delinearization(FunctionPass):
    name = "delinearization"
    requires = ("tensor-level",)
    produces = ("tensor-level",)
    why = Why

    tensors = Statistic("Number of tensors delinearized")
    dims = Statistic("Number of dimensions added")

    def run(self, root: ir.OpView) -> None:
        uses = TensorUses(root.operation)
        rewriter = Rewriter(uses)
        for tensor in list(uses.tensors()):
            if tensor.alloc is None or not tensor.is_internal or not self.may_rewrite():
                continue
            reject = can_delinearize_tensor(tensor)
            if isinstance(reject, Why):
                self.decline(tensor.alloc, Reject(reject, args={"Tensor": tensor.name}))
            elif reject:
                self._delinearize(rewriter, tensor)

    def _delinearize(self, rewriter: Rewriter, tensor: Tensor) -> None:
        assert tensor.alloc is not None
        shape, indices = split(tensor)
        if shape == tensor.shape:
            self.decline(tensor.alloc, Reject(Why.NOT_FULLY_ACCESSED, args={"Tensor": tensor.name}))
            return
        text = "x".join(map(str, shape))
        self.done(tensor.alloc, "Delinearized", Tensor=tensor.name, Shape=text)
        self.tensors += 1
        self.dims += len(shape) - len(tensor.shape)
        new = reshaped(rewriter.uses, tensor, shape)
        for access, forms in indices:
            if access.is_store:
                rewriter.replace_store_dst(access, new, forms)
            else:
                rewriter.replace_load_src(access, new, forms)
        rewriter.forget_views(tensor)
        rewriter.uses.erase_tensor(tensor)


def can_delinearize_tensor(tensor: Tensor) -> "bool | Why":
    """The conditions 1 to 3; False if the tensor is no candidate."""
    accesses = [*tensor.loads, *tensor.stores]
    known = [access for access in accesses if access.forms is not None]
    flat = any(len(form.terms) > 1 for access in known for form in access.forms or ())
    if not flat and (known or len(tensor.shape) != 1 or tensor.shape[0] < 2):
        return False
    if len(known) < len(accesses):
        return Why.GENERIC
    for use in tensor.uses:
        is_generic = use.op.name in ("memref.load", "memref.store")
        return Why.GENERIC if is_generic else Why.TENSOR_OP
    return True if known else Why.NO_AFFINE


def split(tensor: Tensor) -> tuple[tuple[int, ...], list[tuple[Access, Forms]]]:
    """The shape with all dimensions split that can be, and the indices into it."""
    accesses = [*tensor.loads, *tensor.stores]
    shape = list(tensor.shape)
    indices = [list(access.forms or ()) for access in accesses]
    spaces = [access.step.space for access in accesses]
    dim = 0
    while dim < len(shape):
        column = [row[dim] for row in indices]
        found = split_dim(shape[dim], column, spaces)
        if found is None:
            dim += 1
            continue
        inner, parts = found
        shape[dim : dim + 1] = [shape[dim] // inner, inner]
        for row, pair in zip(indices, parts, strict=True):
            row[dim : dim + 1] = pair
    rows = [tuple(row) for row in indices]
    return tuple(shape), list(zip(accesses, rows, strict=True))


def split_dim(
    extent: int, column: list[Form], spaces: list[Space]
) -> tuple[int, list[tuple[Form, Form]]] | None:
    """An inner extent into which the dimension can be split, and the two indices per access."""
    sizes = {
        abs(coefficient) for form in column if len(form.terms) > 1 for _, coefficient in form.terms
    }
    for size in sorted(sizes, reverse=True):
        if size < 2 or extent % size or extent == size:
            continue
        parts = [parted(form, size, space) for form, space in zip(column, spaces, strict=True)]
        pairs = [pair for pair in parts if pair is not None]
        if len(pairs) == len(parts):
            return size, pairs
    return None


def parted(form: Form, size: int, space: Space) -> tuple[Form, Form] | None:
    """`v` and `w` of `v * size + w`, if w stays inside."""
    outer = Form(form.const // size, tuple((a, c // size) for a, c in form.terms if c % size == 0))
    inner = Form(form.const % size, tuple((a, c) for a, c in form.terms if c % size))
    low, high = space.bounds(inner)
    if low // size != high // size:
        return None
    # All of it in one period, which need not be the first.
    return outer + low // size, inner + -(low // size) * size


def reshaped(uses: TensorUses, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A tensor of another shape in the place of one."""
    old, type_ = tensor.alloc, tensor.value.type
    assert old is not None
    result = ir.MemRefType.get(shape, type_.element_type, memory_space=type_.memory_space)
    attributes = {name: old.attributes[name] for name in old.attributes}
    op = ir.Operation.create(
        old.name, [result], attributes=attributes, ip=ir.InsertionPoint(old), loc=old.location
    )
    uses.add_tensor(op, tensor.place)
    return uses.tensor(op.results[0])
