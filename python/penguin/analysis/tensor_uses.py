"""Who touches which tensor, and when: built once per function, kept current by the rewrites.

A *step* is an op of the function's body: a loop nest, an offloaded op, or scalar code without
loops. Steps have an `order`; a step that is inserted gets an order between its neighbours'. What a
step does to tensors is of three kinds:

* an `Access`: an `affine.load` or `affine.store`, with the loops around it;
* a `Use`: a penguin op that reads or writes the whole tensor;
* an opaque `Use`: a load or store with a computed index, a call, an op of another dialect, or a
  penguin op inside of a loop. Nothing is known about which elements it touches.

Views (`memref.reinterpret_cast`, `memref.cast`) are seen through: an access through a view is one
of the tensor below it. Tensors that share one buffer, because an output is declared to be an input
(`penguin.alias`), are in one `group`.

Only `erase` changes IR here; what the rewrites change, they say (`moved`, `erase`, `add`).
Costs: one walk, some microseconds per op; the index forms of an access are read when asked for.
"""

import enum
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from penguin import dtypes
from penguin.analysis.affine_form import Form, Space
from penguin.analysis.nest import flatten, strides_of
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import TensorOp
from penguin.dialects.penguin import attributes as names
from penguin.dialects.penguin.fusion_op import FusionOp
from penguin.mlir import ir

LOAD, STORE, FOR = "affine.load", "affine.store", "affine.for"
ALLOC, GET_GLOBAL = "memref.alloc", "memref.get_global"
VIEWS = frozenset({"memref.reinterpret_cast", "memref.cast"})
# Ops that touch no memory and may stand between any two steps.
_QUIET = frozenset({"memref.dealloc", "affine.yield", "affine.apply"})


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
    loads: dict[Access, None] = field(default_factory=dict)
    stores: dict[Access, None] = field(default_factory=dict)
    uses: dict[Use, None] = field(default_factory=dict)
    # Those of `uses` that read, and those that write: a tensor may have thousands of either.
    reading: dict[Use, None] = field(default_factory=dict)
    writing: dict[Use, None] = field(default_factory=dict)
    views: list[ir.Operation] = field(default_factory=list)
    group: "list[Tensor]" = field(default_factory=list)

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
        return self.kind is Kind.INTERNAL and len(self.group) == 1

    @property
    def is_opaque(self) -> bool:
        """Whether something touches it in an unknown way."""
        return any(use.is_opaque for use in self.uses)

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
        return min((w.step.order for w in self.writers), default=float("inf"))

    @property
    def last_write(self) -> float:
        return max((w.step.order for w in self.writers), default=float("-inf"))

    @property
    def last_read(self) -> float:
        return max((r.step.order for r in self.readers), default=float("-inf"))


class TensorUses:
    """The tensors and steps of one function with one block."""

    def __init__(self, function: ir.Operation) -> None:
        self.function = function.operation
        self._tensors: dict[ir.Value, Tensor] = {}
        self._view_shapes: dict[ir.Value, tuple[int, ...]] = {}
        self._steps: dict[Step, None] = {}
        # Sorted; what is between two of them is free.
        self._orders: list[float] = []
        self._barriers: list[Step] = []
        block = self.function.regions[0].blocks[0]
        self._arguments(block)
        for number, view in enumerate(block.operations):
            self._top(view.operation, float(number))

    # Queries ------------------------------------------------------------------------------------

    def tensor(self, value: ir.Value) -> Tensor:
        """The tensor of a memref value; that of a view is the one below it."""
        return self._tensors[value]

    def has(self, value: ir.Value) -> bool:
        """Whether a value is a tensor or a view of one."""
        return value in self._tensors

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor, in the order of definition; views are no tensors."""
        for value, tensor in self._tensors.items():
            if value not in self._view_shapes:
                yield tensor

    @property
    def steps(self) -> list[Step]:
        """The steps in order."""
        return sorted(self._steps, key=lambda step: step.order)

    def crosses_barrier(self, first: float, last: float) -> bool:
        """Whether a barrier is between two places of the order."""
        return any(first < step.order < last for step in self._barriers)

    def written_between(self, tensor: Tensor, first: float, last: float) -> "Access | Use | None":
        """The first writer found of the tensor's buffer with `first < order <= last`."""
        for each in tensor.group:
            for writer in each.writers:
                if first < writer.step.order <= last:
                    return writer
        return None

    def used_between(self, tensor: Tensor, first: float, last: float) -> "Iterator[Access | Use]":
        """Readers and writers of the tensor's buffer with `first <= order < last`."""
        for each in tensor.group:
            for touch in (*each.loads, *each.stores, *each.uses):
                if first <= touch.step.order < last:
                    yield touch

    # Rewrites say what they did -----------------------------------------------------------------

    def moved(
        self, access: Access, op: ir.Operation, tensor: Tensor, forms: tuple[Form, ...] | None
    ) -> None:
        """An access is now `op`, on another tensor or other elements."""
        side = "stores" if access.is_store else "loads"
        getattr(access.tensor, side).pop(access)
        if access.step.op == access.op:
            access.step.op = op
        access.op, access.tensor, access.known, access.view = op, tensor, forms, None
        getattr(tensor, side)[access] = None

    def use_moved(self, use: Use, tensor: Tensor) -> None:
        """A whole-tensor use is now one of another tensor, which its op may use already."""
        _forget(use)
        for other in use.step.uses:
            if other.tensor is tensor and other.op == use.op:
                other.reads |= use.reads
                other.writes |= use.writes
                use.step.uses.pop(use)
                _enter(other)
                return
        use.tensor = tensor
        _enter(use)

    def hoist(self, tensor: Tensor, others: Iterable[Tensor]) -> None:
        """Allocates a tensor no later than the first of some others is."""
        first = min(others, key=lambda other: other.place)
        if tensor.place <= first.place:
            return
        assert tensor.alloc is not None and first.alloc is not None
        for op in (tensor.alloc, *tensor.views):
            op.move_before(first.alloc)
        tensor.place = first.place

    def add_tensor(self, op: ir.Operation, place: float) -> None:
        """A new allocation that stands before the step of that order."""
        self._top(op, place)

    def add_view(self, op: ir.Operation) -> None:
        """A new view of a tensor."""
        self._view(op)

    def reorder(self, step: Step, before: Step) -> None:
        """A step was moved to just before another one."""
        self._drop_order(step)
        place = bisect_left(self._orders, before.order)
        step.order = self._between(place)
        insort(self._orders, step.order)

    def erase(self, step: Step) -> None:
        """Erases a step's op and forgets what it did."""
        self.forget(step)
        step.op.erase()

    def forget(self, step: Step) -> None:
        """Forgets what a step did to tensors; its op is about to go."""
        for access in step.accesses:
            (access.tensor.stores if access.is_store else access.tensor.loads).pop(access)
        for use in step.uses:
            _forget(use)
        step.accesses.clear()
        step.uses.clear()
        if self._steps.pop(step, step) is None:
            self._drop_order(step)
            if step.is_barrier:
                self._barriers.remove(step)

    def erase_tensor(self, tensor: Tensor) -> None:
        """Erases an allocation that nothing uses any more, with its views."""
        assert not (tensor.loads or tensor.stores or tensor.uses) and tensor.alloc is not None
        for view in reversed(tensor.views):
            del self._tensors[view.results[0]], self._view_shapes[view.results[0]]
            view.erase()
        for use in list(tensor.value.uses):
            # A dealloc: the only user that is no step.
            use.owner.operation.erase()
        del self._tensors[tensor.value]
        tensor.alloc.erase()

    def add(self, op: ir.Operation, after: Step) -> Step:
        """A new op of the body that stands right after a step (or will, once that is erased)."""
        step = self._top(op, self._between(bisect_right(self._orders, after.order)))
        assert step is not None
        return step

    def rescan(self, step: Step) -> Step:
        """Reads a step again whose loops were changed."""
        order, op = step.order, step.op
        self.forget(step)
        found = self._top(op, order)
        assert found is not None
        return found

    def _between(self, place: int) -> float:
        """An order before the one at `place` of the sorted list, and after the one before it."""
        for _ in range(2):
            low = self._orders[place - 1] if place > 0 else -1.0
            high = self._orders[place] if place < len(self._orders) else low + 2.0
            middle = (low + high) / 2
            if low < middle < high:
                return middle
            # The numbers between are used up.
            for number, step in enumerate(self.steps):
                step.order = float(number)
            self._orders = [float(number) for number in range(len(self._orders))]
        raise AssertionError("no order between two integers")

    def _drop_order(self, step: Step) -> None:
        place = bisect_left(self._orders, step.order)
        assert self._orders[place] == step.order
        del self._orders[place]

    # Building -----------------------------------------------------------------------------------

    def _arguments(self, block: ir.Block) -> None:
        given = self.function.attributes
        dicts = list(given["arg_attrs"]) if "arg_attrs" in given else []
        inputs: list[Tensor] = []
        aliases: list[tuple[Tensor, int]] = []
        for number, value in enumerate(block.arguments):
            if not isinstance(value.type, ir.MemRefType):
                continue
            attributes = dicts[number] if number < len(dicts) else {}
            io = attributes[names.IO].value if names.IO in attributes else None
            kind = Kind(io) if io in (Kind.INPUT.value, Kind.OUTPUT.value) else Kind.UNKNOWN
            name = attributes[names.NAME].value if names.NAME in attributes else f"arg{number}"
            tensor = self._new(value, kind, name)
            if kind is Kind.INPUT:
                inputs.append(tensor)
            if names.ALIAS in attributes:
                aliases.append((tensor, attributes[names.ALIAS].value))
        for tensor, number in aliases:
            if 0 <= number < len(inputs):
                _join(tensor, inputs[number])

    def _new(self, value: ir.Value, kind: Kind, name: str) -> Tensor:
        facts = tensor_of(value.type)
        tensor = Tensor(value, kind, name, facts.shape, facts.dtype, facts.space)
        tensor.group = [tensor]
        self._tensors[value] = tensor
        return tensor

    def _top(self, op: ir.Operation, order: float) -> Step | None:
        name = op.name
        if name in (ALLOC, GET_GLOBAL):
            kind = Kind.INTERNAL if name == ALLOC else Kind.CONSTANT
            attributes = op.attributes
            label = attributes[names.NAME].value if names.NAME in attributes else f"%{order:g}"
            tensor = self._new(op.results[0], kind, label)
            tensor.alloc, tensor.place = op, order
            tensor.is_rematerialised = names.REMAT in attributes
            return None
        if name in VIEWS:
            self._view(op)
            return None
        if name in _QUIET:
            return None
        if name == "func.return":
            for value in filter(self.has, op.operands):
                # The caller sees it.
                self._tensors[value].kind = Kind.UNKNOWN
            return None
        step = Step(op, order, names.BARRIER in op.attributes)
        self._op(op, step, ())
        self._steps[step] = None
        insort(self._orders, order)
        if step.is_barrier:
            self._barriers.append(step)
        return step

    def _view(self, op: ir.Operation, is_top: bool = True) -> None:
        tensor = self._tensors[op.operands[0]]
        result = op.results[0]
        if is_top:
            tensor.views.append(op)
        self._tensors[result] = tensor
        self._view_shapes[result] = tensor_of(result.type).shape

    def _op(self, op: ir.Operation, step: Step, path: tuple[Loop, ...]) -> None:
        name = op.name
        if name == LOAD:
            self._access(op, op.operands[0], step, path, False)
        elif name == STORE:
            self._access(op, op.operands[1], step, path, True)
        elif name == FOR:
            loop = _loop(op, len(step.loops))
            step.loops[loop.iv] = loop
            if loop.extent is not None:
                step.extents[loop.key] = loop.extent
            self._body(op.regions[0].blocks[0], step, (*path, loop))
        elif name in (ALLOC, GET_GLOBAL):
            self._new(op.results[0], Kind.UNKNOWN, "")
        elif name in VIEWS:
            self._view(op, is_top=False)
        else:
            self._whole(op, step, path)

    def _body(self, block: ir.Block, step: Step, path: tuple[Loop, ...]) -> None:
        for view in block.operations:
            op = view.operation
            if op.name not in _QUIET:
                self._op(op, step, path)

    def _whole(self, op: ir.Operation, step: Step, path: tuple[Loop, ...]) -> None:
        view = op.opview
        is_tensor_op = isinstance(view, TensorOp | FusionOp)
        if not is_tensor_op and len(op.regions):
            step.has_scopes = True
            for region in op.regions:
                for block in region.blocks:
                    self._body(block, step, path)
        operands = list(op.operands)
        if not any(value in self._tensors for value in operands):
            step.is_barrier |= op.name.startswith("func.call")
            return
        if is_tensor_op:
            effects = view.effects()
            reads, writes = set(effects.reads), set(effects.writes)
        else:
            reads = writes = set(range(len(operands)))
            if op.name == "memref.load":
                reads, writes = {0}, set()
            elif op.name == "memref.store":
                reads, writes = set(), {1}
            step.is_barrier |= op.name.startswith("func.call")
        opaque = not is_tensor_op or step.op != op
        found: dict[Tensor, Use] = {}
        for number, value in enumerate(operands):
            tensor = self._tensors.get(value)
            if tensor is None:
                continue
            use = found.get(tensor)
            if use is None:
                use = found[tensor] = Use(op, tensor, step, False, False, opaque)
                step.uses[use] = None
            use.reads |= number in reads
            use.writes |= number in writes
        for use in found.values():
            _enter(use)

    def _access(
        self, op: ir.Operation, memref: ir.Value, step: Step, path: tuple[Loop, ...], store: bool
    ) -> None:
        tensor = self._tensors.get(memref)
        if tensor is None:
            tensor = self._new(memref, Kind.UNKNOWN, "")
        access = Access(op, tensor, step, path, store, self._view_shapes.get(memref))
        (tensor.stores if store else tensor.loads)[access] = None
        step.accesses[access] = None


def _enter(use: Use) -> None:
    """Files a use with its tensor, by what it does."""
    use.tensor.uses[use] = None
    if use.reads:
        use.tensor.reading[use] = None
    if use.writes:
        use.tensor.writing[use] = None


def _forget(use: Use) -> None:
    for uses in (use.tensor.uses, use.tensor.reading, use.tensor.writing):
        uses.pop(use, None)


def _join(a: Tensor, b: Tensor) -> None:
    """Puts two tensors into one group."""
    if a.group is b.group:
        return
    group = [*b.group, *a.group]
    for tensor in group:
        tensor.group = group


def _loop(op: ir.Operation, key: int) -> Loop:
    attributes = op.attributes
    low, high = (_constant(attributes[k]) for k in ("lowerBoundMap", "upperBoundMap"))
    step = ir.IntegerAttr(attributes["step"]).value
    extent = None if low is None or high is None else max(0, -(-(high - low) // step))
    iv = op.regions[0].blocks[0].arguments[0]
    return Loop(op, iv, key, low or 0, step, extent, len(op.results) > 0)


def _constant(attribute: ir.Attribute) -> int | None:
    results = ir.AffineMapAttr(attribute).value.results
    if len(results) != 1 or not isinstance(results[0], ir.AffineConstantExpr):
        return None
    return results[0].value


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


def delinearize(flat: Form, shape: tuple[int, ...], space: Space) -> tuple[Form, ...]:
    """The indices into a row-major `shape` of element number `flat`, which is inside of it."""
    forms = []
    rest = flat
    for extent, stride in zip(shape, strides_of(shape), strict=True):
        if extent == 1:
            forms.append(Form())
            continue
        quotient = space.floordiv(rest, stride)
        forms.append(quotient)
        rest = rest - quotient * stride
    return tuple(forms)
