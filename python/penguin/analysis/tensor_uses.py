"""Who touches which tensor, and when: built once per function, kept current by the rewrites.

A *step* is an op of the function's body: a loop nest, an offloaded op, or scalar code without
loops. Steps have an `order`; a step that is inserted gets an order between its neighbours'. What a
step does to tensors is of three kinds:

* an `Access`: an `affine.load` or `affine.store`, with the loops around it;
* a `Use`: a penguin op that reads or writes the whole tensor;
* an opaque `Use`: a load or store with a computed index, a call, an op of another dialect, a
  penguin op inside of a loop, or whatever is in another block than the function's first. Nothing
  is known about which elements it touches.

Views (`memref.reinterpret_cast`, `memref.cast`) are seen through: an access through a view is one
of the tensor below it. Tensors that are declared to share one buffer (`penguin.analysis.aliases`)
are in one `group`; what an op that is not known makes of tensors may be any of them (`may`).

Only `erase` changes IR here; what the rewrites change, they say (`moved`, `erase`, `add`).
Costs: one walk, some microseconds per op; the index forms of an access are read when asked for.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator

from penguin.analysis.affine_form import Form
from penguin.analysis.aliases import Aliases
from penguin.analysis.nest import FOR, LOAD, STORE
from penguin.analysis.tensors import Access, Kind, Loop, Step, Tensor, Use
from penguin.analysis.touches import Touches
from penguin.analysis.views import VIEW
from penguin.dialects.base import tensor_of
from penguin.dialects.penguin import TensorOp
from penguin.dialects.penguin import attributes as names
from penguin.dialects.penguin.fusion_op import FusionOp
from penguin.mlir import ir, walk

ALLOC, GET_GLOBAL = "memref.alloc", "memref.get_global"
VIEWS = frozenset({VIEW, "memref.cast"})
# Ops that touch no memory and may stand between any two steps.
_QUIET = frozenset({"memref.dealloc", "affine.yield", "affine.apply"})


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
        self._declares = False
        self._derived: list[tuple[Tensor, Tensor]] = []
        block, *others = self.function.regions[0].blocks
        self._arguments(block)
        for number, view in enumerate(block.operations):
            self._top(view.operation, float(number))
        for view in (view for other in others for view in other.operations):
            self._elsewhere(view.operation)
        self._join_declared()
        # Groups are whole now.
        for tensor, source in self._derived:
            _blur(tensor, source)

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
        place = bisect_right(self._barriers, first, key=_order)
        return place < len(self._barriers) and self._barriers[place].order < last

    def written_between(self, tensor: Tensor, first: float, last: float) -> "Access | Use | None":
        """A writer of the tensor's buffer with `first < order <= last`."""
        for each in tensor.may:
            for touches in (each.stores, each.writing):
                writer = touches.after(first) if touches else None
                if writer is not None and writer.step.order <= last:
                    return writer
        return None

    def used_between(self, tensor: Tensor, first: float, last: float) -> "Iterator[Access | Use]":
        """Readers and writers of the tensor's buffer with `first <= order < last`."""
        for each in tensor.may:
            for touches in (each.loads, each.stores, each.uses):
                if touches:
                    yield from touches.between(first, last)

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
        other = _use_of(use, tensor)
        if other is None:
            use.tensor = tensor
            _enter(use)
            return
        other.reads |= use.reads
        other.writes |= use.writes
        other.numbers += use.numbers
        use.step.uses.pop(use)
        _enter(other)

    def hoist(self, tensor: Tensor, others: Iterable[Tensor]) -> None:
        """Allocates a tensor no later than the first of some others is."""
        first = min(others, key=lambda other: other.place)
        if tensor.place <= first.place:
            return
        assert tensor.alloc is not None and first.alloc is not None
        for op in (tensor.alloc, *tensor.views):
            op.move_before(first.alloc)
        tensor.place = first.place

    def keep(self, tensor: Tensor) -> None:
        """Lets a tensor live to the end of the function: it gets accesses after its last one."""
        while tensor.deallocs:
            tensor.deallocs.pop().erase()

    def add_tensor(self, op: ir.Operation, place: float) -> None:
        """A new allocation that stands before the step of that order."""
        self._top(op, place)

    def add_view(self, op: ir.Operation) -> None:
        """A new view of a tensor."""
        self._view(op)

    def join(self, tensor: Tensor, other: Tensor) -> None:
        """Two tensors share one buffer from now on."""
        _join(tensor, other)

    def split(self, part: "list[Tensor]") -> None:
        """Some tensors of one group share another buffer from now on."""
        for tensor in part:
            tensor.group.remove(tensor)
            tensor.group = part

    def reorder(self, step: Step, before: Step) -> None:
        """A step was moved to just before another one."""
        self._drop_order(step)
        del self._steps[step]
        place = bisect_left(self._orders, before.order)
        step.order = self._between(place)
        self._steps[step] = None
        insort(self._orders, step.order)
        self._barriers.sort(key=_order)
        for access in step.accesses:
            (access.tensor.stores if access.is_store else access.tensor.loads).unsorted()
        for use in step.uses:
            for touches in _filed(use):
                touches.unsorted()

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
        step.whole.clear()
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
        self.keep(tensor)
        del self._tensors[tensor.value]
        tensor.alloc.erase()

    def add(self, op: ir.Operation, after: Step) -> Step:
        """A new op of the body that stands right after a step (or will, once that is erased)."""
        step = self._top(op, self._between(bisect_right(self._orders, after.order)))
        assert step is not None
        return step

    def rescan(self, step: Step) -> Step:
        """Reads a step again whose loops were changed; it is a new step."""
        order, op = step.order, step.op
        self.forget(step)
        new = self._top(op, order)
        assert new is not None
        return new

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
        for number, value in enumerate(block.arguments):
            if not isinstance(value.type, ir.MemRefType):
                continue
            attributes = dicts[number] if number < len(dicts) else {}
            io = attributes[names.IO].value if names.IO in attributes else None
            kind = Kind(io) if io in (Kind.INPUT.value, Kind.OUTPUT.value) else Kind.UNKNOWN
            name = attributes[names.NAME].value if names.NAME in attributes else f"arg{number}"
            self._new(value, kind, name)
            if names.ALIAS in attributes:
                self._declares = True

    def _join_declared(self) -> None:
        if self._declares:
            for value, other in Aliases(self.function).declared.items():
                # What names no tensor is for `alias-verification-pass` to report.
                if value in self._tensors and other in self._tensors:
                    _join(self._tensors[value], self._tensors[other])

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
            self._declares |= names.MUST_ALIAS in attributes
            return None
        if name in VIEWS:
            self._view(op)
            return None
        if name == "memref.dealloc" and op.operands[0] in self._tensors:
            self._tensors[op.operands[0]].deallocs.append(op)
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
            insort(self._barriers, step, key=_order)
        return step

    def _elsewhere(self, op: ir.Operation) -> None:
        """An op of another block than the first: it comes later, and how often is not known."""
        step = Step(op, self._orders[-1] + 1.0 if self._orders else 0.0)
        self._steps[step] = None
        insort(self._orders, step.order)

        def touch(inner: ir.Operation) -> ir.WalkResult:
            for tensor in {self._tensors[v]: None for v in inner.operands if v in self._tensors}:
                use = Use(inner.operation, tensor, step, True, True, True)
                step.uses[use] = None
                _enter(use)
            return ir.WalkResult.ADVANCE

        op.walk(touch)

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
            if loop.carries:
                self._derive(op)
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
        if not is_tensor_op:
            self._derive(op)
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
            use.numbers.append(number)
        for use in found.values():
            _enter(use)

    def _derive(self, op: ir.Operation) -> None:
        """What an op makes of tensors, as results or arguments of its body, may be any of them."""
        made = list(op.results)
        for region in op.regions:
            for block in region.blocks:
                made += block.arguments
        made = [value for value in made if isinstance(value.type, ir.MemRefType)]
        if not made:
            return
        sources = [op, *(walk(op) if len(op.regions) else ())]
        given = {v: None for each in sources for v in each.operands if v in self._tensors}
        for value in made:
            tensor = self._new(value, Kind.UNKNOWN, "")
            self._derived += [(tensor, self._tensors[source]) for source in given]

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
    for touches in _filed(use):
        touches[use] = None
    if not use.is_opaque:
        use.step.whole[use.tensor] = use


def _forget(use: Use) -> None:
    for touches in _filed(use):
        touches.pop(use, None)
    if not use.is_opaque:
        use.step.whole.pop(use.tensor)


def _filed(use: Use) -> Iterator[Touches]:
    tensor = use.tensor
    yield tensor.uses
    if use.reads:
        yield tensor.reading
    if use.writes:
        yield tensor.writing
    if use.is_opaque:
        yield tensor.opaque


def _use_of(use: Use, tensor: Tensor) -> Use | None:
    """What the op of a use does to another tensor, if anything."""
    if not use.is_opaque:
        return use.step.whole.get(tensor)
    return next((u for u in use.step.uses if u.tensor is tensor and u.op == use.op), None)


def _order(step: Step) -> float:
    return step.order


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


def _blur(a: Tensor, b: Tensor) -> None:
    """Two tensors may be one buffer, and so may all that either may be."""
    members = list(dict.fromkeys([*b.may, *a.may]))
    for tensor in members:
        tensor.perhaps = members
