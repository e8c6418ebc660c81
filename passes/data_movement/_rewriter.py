"""Edits that copy elimination makes: other addresses, views, nests cut in two, steps moved.

The apply primitives of document 000 are here: `replace_load_src` and `replace_store_dst` redirect
one access, `replace_op_src_tensor_and_erase` and `replace_op_dst_tensor_and_erase` remove an op and
the tensor that it made needless. Every edit keeps the `TensorUses` current.
"""

from collections.abc import Callable, Sequence

from penguin.analysis import views
from penguin.analysis.affine_form import Form, to_expr
from penguin.analysis.nest import LOAD, STORE
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Access, Loop, Step, Tensor, Use
from penguin.mlir import ir

_create = ir.Operation.create
Convert = Callable[[ir.Value], ir.Value]
_Place = tuple[dict[str, ir.Attribute], tuple[int, ...]]


class Rewriter:
    """Edits one function."""

    def __init__(self, uses: TensorUses) -> None:
        self.uses = uses
        self.quasi_affine = 0
        self.views = 0
        self.cuts = 0
        self.splits = 0
        self._places: dict[tuple, _Place] = {}
        self._view_of: dict[tuple[ir.Value, tuple[int, ...]], ir.Value] = {}

    # The four primitives ------------------------------------------------------------------------

    def replace_load_src(
        self, load: Access, source: Tensor, forms: tuple[Form, ...], convert: Convert | None = None
    ) -> None:
        """The load reads element `forms` of another tensor; of another dtype with `convert`."""
        if convert is None and self._renamed(load, source, forms, 0):
            return
        attributes, operands = self._place(load, forms)
        old = load.op
        new = _create(
            LOAD,
            results=[source.value.type.element_type],
            operands=[source.value, *operands],
            attributes=attributes,
            ip=ir.InsertionPoint(old),
            loc=old.location,
        )
        value = new.results[0]
        old.results[0].replace_all_uses_with(value if convert is None else convert(value))
        self.uses.moved(load, new, source, forms)
        old.erase()

    def replace_store_dst(
        self, store: Access, target: Tensor, forms: tuple[Form, ...], convert: Convert | None = None
    ) -> None:
        """The store writes element `forms` of another tensor; of another dtype with `convert`."""
        if convert is None and self._renamed(store, target, forms, 1):
            return
        attributes, operands = self._place(store, forms)
        old = store.op
        value = old.operands[0]
        new = _create(
            STORE,
            operands=[value if convert is None else convert(value), target.value, *operands],
            attributes=attributes,
            ip=ir.InsertionPoint(old),
            loc=old.location,
        )
        self.uses.moved(store, new, target, forms)
        old.erase()

    def _renamed(
        self, access: Access, tensor: Tensor, forms: tuple[Form, ...], operand: int
    ) -> bool:
        """Whether it was enough to put the other tensor in."""
        same = access.tensor.shape == tensor.shape and access.known == forms
        if not same or access.view not in (None, tensor.shape):
            return False
        access.op.operands[operand] = tensor.value
        self.uses.moved(access, access.op, tensor, forms)
        return True

    def drop_store(self, store: Access) -> None:
        """Erases a store that nobody needs, and its nest if that does nothing else."""
        step, op = store.step, store.op
        step.accesses.pop(store)
        store.tensor.stores.pop(store)
        if step.op == op:
            self.uses.erase(step)
            return
        op.erase()
        writes = any(a.is_store for a in step.accesses) or any(u.writes for u in step.uses)
        if not writes and not len(step.op.results):
            self.uses.erase(step)

    def replace_op_dst_tensor_and_erase(self, step: Step, dst: Tensor) -> None:
        """Erases an op whose destination nobody reads any more, and the destination."""
        self.uses.erase(step)
        self.uses.erase_tensor(dst)

    def replace_op_src_tensor_and_erase(self, step: Step, srcs: Sequence[Tensor]) -> None:
        """Erases an op whose sources nobody writes any more, and the sources."""
        self.uses.erase(step)
        for src in srcs:
            self.uses.erase_tensor(src)

    # Whole-tensor uses --------------------------------------------------------------------------

    def replace_use(self, use: Use, tensor: Tensor) -> None:
        """An op works on another tensor, under the same shape, where it did on this one."""
        operands = use.op.operands
        # Uses without numbers are of ops of which nothing is known.
        for number in use.numbers or range(len(operands)):
            value = operands[number]
            if self.uses.has(value) and self.uses.tensor(value) is use.tensor:
                operands[number] = self.view(tensor, tuple(ir.MemRefType(value.type).shape))
        self.uses.use_moved(use, tensor)

    def view(self, tensor: Tensor, shape: tuple[int, ...]) -> ir.Value:
        """The tensor as row-major `shape`; made once, where the tensor is defined."""
        if shape == tensor.shape:
            return tensor.value
        key = (tensor.value, shape)
        found = self._view_of.get(key)
        if found is not None:
            return found
        if tensor.alloc is not None:
            ip, loc = ir.InsertionPoint.after(tensor.alloc), tensor.alloc.location
        else:
            ip = ir.InsertionPoint.at_block_begin(tensor.value.owner)
            loc = tensor.value.location
        value = self._view_of[key] = views.create(tensor.value, shape, ip=ip, loc=loc)
        self.uses.add_view(value.owner)
        self.views += 1
        return value

    def forget_views(self, tensor: Tensor) -> None:
        """The tensor is about to be erased, with its views."""
        for view in tensor.views:
            shape = tuple(ir.MemRefType(view.results[0].type).shape)
            self._view_of.pop((tensor.value, shape), None)

    # Nests --------------------------------------------------------------------------------------

    def cut(self, step: Step, key: int, at: int) -> tuple[Step, Step]:
        """A nest as two, one with iterations of a loop below `at`, one with the others."""
        self.cuts += 1
        clones = []
        for _ in range(2):
            clone = step.op.clone(ir.InsertionPoint(step.op))
            clones.append(clone.operation)
        below, above = clones
        loop = next(loop for loop in step.loops.values() if loop.key == key)
        middle = loop.lower + at * loop.step
        _set_bound(_nth_loop(below, key), "upperBoundMap", middle)
        _set_bound(_nth_loop(above, key), "lowerBoundMap", middle)
        second = self.uses.add(above, step)
        first = self.uses.add(below, step)
        self.uses.erase(step)
        return first, second

    def split_loop(self, step: Step, key: int, factor: int) -> Step:
        """A loop as two, perfectly nested, the inner one over `factor` of its iterations.

        The factor divides the number of iterations, and the bounds are constant. What the loop
        carries goes through both. The step is read again: it is the one that is returned.
        """
        self.splits += 1
        loop = next(loop for loop in step.loops.values() if loop.key == key)
        assert loop.extent is not None and loop.extent % factor == 0
        index = _wrapped(loop, loop.extent // factor, factor)
        if step.op == loop.op:
            step.op = loop.op.parent.operation
        step = self.uses.rescan(step)
        counted = self.quasi_affine
        for access in list(step.accesses):
            whole = access.view in (None, access.tensor.shape)
            if whole and access.forms is not None and index in access.op.operands:
                # The same element, spelt with the new variables.
                replaced = self.replace_store_dst if access.is_store else self.replace_load_src
                replaced(access, access.tensor, access.forms, lambda value: value)
        self.quasi_affine = counted
        if next(iter(index.uses), None) is None:
            index.owner.erase()
        return step

    def move(self, step: Step, before: Step) -> None:
        """A step to the place just before another."""
        step.op.move_before(before.op)
        self.uses.reorder(step, before)

    # Maps ---------------------------------------------------------------------------------------

    def _place(
        self, access: Access, forms: tuple[Form, ...]
    ) -> tuple[dict[str, ir.Attribute], list[ir.Value]]:
        """The map attribute for forms, and its operands."""
        plain = all(loop.lower == 0 and loop.step == 1 for loop in access.path)
        key = (forms, None if plain else tuple((p.key, p.lower, p.step) for p in access.path))
        found = self._places.get(key)
        by_key = {loop.key: loop for loop in access.path}
        if found is None:
            used = sorted({v for form in forms for v in form.variables()})
            position = {v: i for i, v in enumerate(used)}
            walk = None if plain else lambda v: (by_key[v].lower, by_key[v].step)
            exprs = [to_expr(form, position.__getitem__, walk) for form in forms]
            attribute = ir.AffineMapAttr.get(ir.AffineMap.get(len(used), 0, exprs))
            found = self._places[key] = {"map": attribute}, tuple(used)
        attributes, used = found
        self.quasi_affine += any(form.divisions for form in forms)
        return attributes, [by_key[v].iv for v in used]


def _wrapped(loop: Loop, trips: int, factor: int) -> ir.Value:
    """Puts a loop into a new one; the value that its variable had, made from both variables."""
    old, loc = loop.op, loop.op.location
    kept = {"lowerBoundMap", "upperBoundMap", "step", "operandSegmentSizes"}
    attributes = {name: old.attributes[name] for name in old.attributes}
    for name in attributes:
        # Marks of a nest belong to the loop that it begins with.
        if name not in kept:
            del old.attributes[name]
    one = ir.IntegerAttr.get(ir.IndexType.get(), 1)
    types = [result.type for result in old.results]
    new = _create(
        "affine.for",
        results=types,
        operands=list(old.operands),
        attributes={**attributes, "step": one},
        regions=1,
        ip=ir.InsertionPoint(old),
        loc=loc,
    )
    _set_bound(new, "lowerBoundMap", 0)
    _set_bound(new, "upperBoundMap", trips)
    block = new.regions[0].blocks.append(loop.iv.type, *types, arg_locs=[loc] * (len(types) + 1))
    for mine, theirs in zip(old.results, new.results, strict=True):
        mine.replace_all_uses_with(theirs)
    block.append(old)
    outer, *carried = block.arguments
    for number, value in enumerate(carried):
        old.operands[number] = value
    _create("affine.yield", operands=list(old.results), ip=ir.InsertionPoint(block), loc=loc)
    _set_bound(old, "lowerBoundMap", 0)
    _set_bound(old, "upperBoundMap", factor)
    old.attributes["step"] = one
    d0, d1 = ir.AffineExpr.get_dim(0), ir.AffineExpr.get_dim(1)
    value = d0 * (factor * loop.step) + d1 * loop.step + loop.lower
    apply = _create(
        "affine.apply",
        results=[loop.iv.type],
        operands=[outer, loop.iv],
        attributes={"map": ir.AffineMapAttr.get(ir.AffineMap.get(2, 0, [value]))},
        ip=ir.InsertionPoint.at_block_begin(old.regions[0].blocks[0]),
        loc=loc,
    )
    loop.iv.replace_all_uses_except(apply.results[0], [apply])
    return apply.results[0]


def _nth_loop(op: ir.Operation, key: int) -> ir.Operation:
    """Loop number `key` of a nest, in pre-order, which is how `TensorUses` counts."""
    seen = -1

    def find(op: ir.Operation) -> ir.Operation | None:
        nonlocal seen
        if op.name == "affine.for":
            seen += 1
            if seen == key:
                return op
        for region in op.regions:
            for block in region.blocks:
                for view in block.operations:
                    found = find(view.operation) if len(view.operation.regions) else None
                    if found is not None:
                        return found
        return None

    found = find(op)
    assert found is not None
    return found


def _set_bound(op: ir.Operation, name: str, value: int) -> None:
    op.attributes[name] = ir.AffineMapAttr.get(ir.AffineMap.get_constant(value))
