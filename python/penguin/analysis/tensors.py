"""The records of `TensorUses`: tensors, steps, loops, and what a step does to a tensor.

The index forms of an access are read from its map when they are asked for, and kept.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from penguin import dtypes
from penguin.analysis.affine_form import Form, Space
from penguin.analysis.nest import delinearize, flatten
from penguin.analysis.touches import Touches
from penguin.mlir import ir


class Kind(enum.Enum):
    """Where a tensor comes from."""

    INPUT = "input"
    OUTPUT = "output"
    INTERNAL = "internal"
    CONSTANT = "constant"
    # An argument that is not marked, or the result of an op that is not known.
    UNKNOWN = "unknown"


@dataclass(eq=False, slots=True)
class Loop:
    """An `affine.for` with constant bounds; `key` is its variable in the forms of its step.

    The variable counts 0 .. extent-1; the induction variable is `lower + step * variable`.
    `extent` is None if the bounds are not constant.
    """

    op: ir.Operation
    iv: ir.Value
    key: int
    lower: int
    step: int
    extent: int | None
    carries: bool


@dataclass(eq=False, slots=True)
class Step:
    """An op of the function's body, at its place in the order."""

    op: ir.Operation
    order: float
    is_barrier: bool = False
    accesses: "dict[Access, None]" = field(default_factory=dict)
    uses: "dict[Use, None]" = field(default_factory=dict)
    whole: "dict[Tensor, Use]" = field(default_factory=dict)
    """Those of `uses` that are no opaque ones: the step's op, by tensor."""
    extents: dict[int, int] = field(default_factory=dict)
    loops: dict[ir.Value, Loop] = field(default_factory=dict)
    has_scopes: bool = False
    """Whether something other than loops has regions inside (`affine.if`, `scf.for`)."""

    @property
    def space(self) -> Space:
        return Space(self.extents)


@dataclass(eq=False, slots=True)
class Access:
    """An `affine.load` or `affine.store` of `tensor`, perhaps through a view of another shape."""

    op: ir.Operation
    tensor: "Tensor"
    step: Step
    path: tuple[Loop, ...]
    is_store: bool
    view: tuple[int, ...] | None = None
    known: tuple[Form, ...] | None = None

    @property
    def forms(self) -> tuple[Form, ...] | None:
        """The element that is touched, one form per dimension of the tensor; None if unknown."""
        if self.known is None:
            self.known = _forms(self)
        return self.known

    @property
    def value(self) -> ir.Value:
        """The scalar that is loaded or stored."""
        return self.op.operands[0] if self.is_store else self.op.results[0]


@dataclass(eq=False, slots=True)
class Use:
    """An op that touches `tensor` as a whole, or in a way that is not known (`is_opaque`)."""

    op: ir.Operation
    tensor: "Tensor"
    step: Step
    reads: bool
    writes: bool
    is_opaque: bool
    numbers: list[int] = field(default_factory=list)
    """Which operands of the op it is; none if that is not known."""


@dataclass(eq=False)
class Tensor:
    """A buffer: an argument, an allocation, or a constant."""

    value: ir.Value
    kind: Kind
    name: str
    shape: tuple[int, ...]
    dtype: dtypes.DType | None
    space: str | None
    alloc: ir.Operation | None = None
    place: float = -1.0
    """Where it is allocated, in the order of steps; -1 for arguments."""
    is_rematerialised: bool = False
    loads: Touches = field(default_factory=Touches)
    stores: Touches = field(default_factory=Touches)
    uses: Touches = field(default_factory=Touches)
    # Those of `uses` that read, that write, and that are opaque: a tensor may have thousands.
    reading: Touches = field(default_factory=Touches)
    writing: Touches = field(default_factory=Touches)
    opaque: Touches = field(default_factory=Touches)
    views: list[ir.Operation] = field(default_factory=list)
    deallocs: list[ir.Operation] = field(default_factory=list)
    group: "list[Tensor]" = field(default_factory=list)
    """The tensors that are this buffer for certain."""
    perhaps: "list[Tensor] | None" = None
    """Those that may be, if that are others too."""

    @property
    def may(self) -> "list[Tensor]":
        """All that may be this buffer."""
        return self.group if self.perhaps is None else self.perhaps

    @property
    def count(self) -> int:
        total = 1
        for extent in self.shape:
            total *= extent
        return total

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.count * (self.dtype.itemsize if self.dtype is not None else 1)

    @property
    def is_internal(self) -> bool:
        """Whether nobody outside sees it, and no other tensor shares its buffer."""
        return self.kind is Kind.INTERNAL and len(self.may) == 1

    @property
    def is_opaque(self) -> bool:
        """Whether something touches it in an unknown way."""
        return bool(self.opaque)

    @property
    def readers(self) -> Iterator["Access | Use"]:
        yield from self.loads
        yield from self.reading

    @property
    def writers(self) -> Iterator["Access | Use"]:
        yield from self.stores
        yield from self.writing

    @property
    def first_write(self) -> float:
        """The order of the first step that writes it; infinite if none does."""
        return min(_first(self.stores), _first(self.writing))

    @property
    def last_write(self) -> float:
        return max(_last(self.stores), _last(self.writing))

    @property
    def last_read(self) -> float:
        return max(_last(self.loads), _last(self.reading))


def _first(touches: Touches) -> float:
    return touches.by_place[0].step.order if touches else float("inf")


def _last(touches: Touches) -> float:
    return touches.by_place[-1].step.order if touches else float("-inf")


def _forms(access: Access) -> tuple[Form, ...] | None:
    op, step = access.op, access.step
    operands = list(op.operands)[2 if access.is_store else 1 :]
    map_ = ir.AffineMapAttr(op.attributes["map"]).value
    values = [index_form(step, value) for value in operands]
    if any(value is None for value in values):
        return None
    space = step.space
    dims, symbols = values[: map_.n_dims], values[map_.n_dims :]
    try:
        forms = tuple(space.from_expr(e, dims, symbols) for e in map_.results)
    except ValueError:
        return None
    if access.view is not None and access.view != access.tensor.shape:
        forms = delinearize(flatten(access.view, forms), access.tensor.shape, space)
    return forms


def index_form(step: Step, value: ir.Value) -> Form | None:
    """The form of an index value inside of a step; None if it is no form of its loops."""
    loop = step.loops.get(value)
    if loop is not None:
        if loop.extent is None:
            return None
        if loop.extent <= 1:
            return Form(loop.lower)
        return Form.variable(loop.key) * loop.step + loop.lower
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    op = owner.operation
    if op.name == "arith.constant":
        return Form(ir.IntegerAttr(op.attributes["value"]).value)
    if op.name == "affine.apply":
        map_ = ir.AffineMapAttr(op.attributes["map"]).value
        values = [index_form(step, v) for v in op.operands]
        if any(v is None for v in values):
            return None
        try:
            return step.space.from_expr(
                map_.results[0], values[: map_.n_dims], values[map_.n_dims :]
            )
        except ValueError:
            return None
    return None
