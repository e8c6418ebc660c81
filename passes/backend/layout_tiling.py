"""Choose, for each affine nest, which loops become partitions and free axes, and cut them to size.

Facts on the original: PASSES.md sections 5.4 to 5.6 (partition axes at most 128; free axes of a
matmul one PSUM bank, of others 512 elements). The choice itself is ours (a guess, right for any
choice): `_tiling` decides, `_retile` rebuilds.

Before                                       After
  affine.for %i = 0 to 256 {                   affine.for %o = 0 to 2 {
    affine.for %j = 0 to 64 {                    affine.for %p = 0 to 128 {
      load, compute, store                         affine.for %f = 0 to 64 {
                                                     ...
                                                   } {penguin.axis = "free"}
                                                 } {penguin.axis = "partition"}
                                               }

The marks: `partition` lanes; `free` one axis of an instruction's pattern; `contract` a reduced loop
that lies on the partitions of the operands (the K of a matmul, or lanes reduced across).
An unmarked loop becomes a `bir.loop`, and so do all loops of a nest whose outermost one is marked
`sequential`. A marked loop runs each statement for its whole extent before
the next one, so a loop is marked only if that changes nothing:

(L1) the nest's bounds are constant and its indices quasi-affine in its loops;
(L2) divisions in its accesses can be removed by splitting loops;
(L3) different iterations store to different elements, and a buffer that is stored to is loaded
     with the same map only, under all its names;
(L4) a reduced loop is marked only if its chain is recognised (`penguin.analysis.reduction`).

Loops that count the computed indices of a generic access go to the lanes if they fill enough of
them, because the hardware takes one index per lane; the loops that walk a slice become free axes.

A nest that fails L1 is an error of `select-instructions`; one that fails L2 or L3, and a reduction
that fails L4, keep sequential loops, which is always right and slow, and say so in a missed remark.
Keeps: program order of nests, names, locations. Leaves alone: offloaded ops, code without loops.
"""

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from penguin.analysis.affine_form import Form, Space
from penguin.analysis.aliases import Aliases
from penguin.analysis.form_range import determines
from penguin.analysis.nest import FOR, STORE, Leaf, Loop, Nest, NotANest, read_nest
from penguin.analysis.reduction import Reduction, match_reduction, slice_of
from penguin.dialects.bir.target import TARGETS
from penguin.dialects.penguin.attributes import AXIS, AxisKind
from penguin.mlir import ir, walk
from penguin.passes.backend import _tiling
from penguin.passes.backend._retile import Band, InnerPlan, Retiler, band_of, forms_of, leaves_of
from penguin.passes.backend._tiling import Axis, Limits, Pieces, Variant
from penguin.passlib import FunctionPass, Reject, Statistic, option

# Live tiles that one scalar op of a nest may need at worst, for the SBUF budget (counted on
# `_select`'s longest expansions).
_TILES_PER_OP = 4
_BYTES_PER_ELEMENT = 4
# How much wider a side must be to be the moving one against the output's contiguity (a guess).
_NARROW = 8
# Op names whose reduction across partitions the hardware has: PE for sums, Pool for the others.
_ACROSS = frozenset({"arith.addf", "arith.maximumf", "arith.minimumf"})


class Why(enum.Enum):
    """Reasons for a nest that keeps sequential loops."""

    NOT_AFFINE = "bounds or indices are not affine in the nest's loops"  # L1
    DIVISION = "a division in an access cannot be removed by splitting loops"  # L2
    DEPENDENCE = "iterations may depend on each other through memory"  # L3
    COMBINE = "an accumulator is combined in a way that the hardware does not fold"  # L4


@dataclass
class LayoutTiling(FunctionPass):
    name = "layout-tiling"
    requires = ("loop-level",)
    produces = ("tiled",)

    max_free: int = option(2048, "free elements per partition of one tile (a guess)")

    nests = Statistic("Number of nests tiled")
    contractions = Statistic("Number of contractions")
    sequential = Statistic("Number of nests left sequential")

    aliases: Aliases = field(init=False)

    def run(self, func: ir.Operation) -> None:
        block = func.regions[0].blocks[0]
        self.aliases = Aliases(func)
        for op in [op.operation for op in block.operations]:
            if op.name == FOR:
                self.tile(op)
        for op in block.operations:
            # A rest of one iteration, or a reduction that fails L4, may have no marked loop.
            if op.operation.name == FOR and not _has_marks(op.operation):
                op.operation.attributes[AXIS] = ir.StringAttr.get(AxisKind.SEQUENTIAL)

    def legality(self, band: Band, variants: list[Variant] | None) -> Reject | None:
        """The first failing clause of L2 and L3 for a band of parallel loops."""
        if variants is None:
            return Reject(Why.DIVISION)
        leaves = list(leaves_of(band.body))
        root = self.aliases.root
        stored = {root(leaf.access.memref) for leaf in leaves if leaf.name == STORE and leaf.access}
        by_buffer: dict[ir.Value, set] = {}
        for leaf in leaves:
            buffer = root(leaf.access.memref) if leaf.access else None
            if buffer not in stored:
                continue
            if leaf.access.computed:
                return Reject(Why.DEPENDENCE)
            by_buffer.setdefault(buffer, set()).add(leaf.access.flat)
        if any(len(forms) > 1 for forms in by_buffer.values()):
            return Reject(Why.DEPENDENCE)
        for variant in variants:
            space = Space(variant.extents)
            for forms in by_buffer.values():
                form = space.substitute(next(iter(forms)), variant.substitution.__getitem__)
                if not determines(form, variant.loops, space):
                    return Reject(Why.DEPENDENCE)
        return None

    def tile(self, op: ir.Operation) -> None:
        try:
            nest = read_nest([op])
        except NotANest as reason:
            self.sequential += 1
            self.missed(op, Why.NOT_AFFINE, Detail=str(reason))
            op.attributes[AXIS] = ir.StringAttr.get(AxisKind.SEQUENTIAL)
            return
        retiler = Retiler(nest, TARGETS[self.target].partitions)
        (root,) = nest.body
        assert isinstance(root, Loop)
        with ir.InsertionPoint(op):
            self.tile_node(root, nest, retiler)
        for carried in root.carried:
            carried.result.replace_all_uses_with(retiler.value(carried.result))
        op.erase()

    def tile_node(self, node: Loop | Leaf, nest: Nest, retiler: Retiler) -> None:
        """A band becomes tiles if its body is simple, else its inner bands do, one by one."""
        if isinstance(node, Leaf):
            retiler.sequential(node)
            return
        if any(n == 0 for n in nest.space.extents.values()):
            retiler.sequential(node, AxisKind.SEQUENTIAL)
            return
        band = Band((), [node]) if node.carried else band_of(node)
        if not band.is_simple:
            retiler.nested(band, lambda inner: self.tile_node(inner, nest, retiler))
            return
        leaves = list(leaves_of(band.body))
        variants = _tiling.remove_divisions(band.keys, nest.space.extents, forms_of(leaves))
        reject = self.legality(band, variants)
        if reject is not None or variants is None:
            self.sequential += 1
            self.missed(node.op, reject.reason)
            retiler.sequential(node, AxisKind.SEQUENTIAL)
            return
        self.nests += 1
        for inner in band.body:
            if isinstance(inner, Loop) and not _is_recognised(inner):
                self.missed(inner.op, Why.COMBINE)
        for variant in variants:
            retiler.parallel(band, variant, *self.plan(band, variant))

    def plan(self, band: Band, variant: Variant) -> tuple[Pieces, InnerPlan]:
        """The pieces of the band's axes, and of each recognised reduction inside (L4)."""
        space = Space(variant.extents)
        leaves = list(leaves_of(band.body))

        def over_variant(form: Form) -> Form:
            return space.substitute(form, variant.substitution.__getitem__)

        forms = [over_variant(form) for form in forms_of(leaves)]
        axes = _tiling.coalesce(variant.loops, variant.extents, forms)
        limits = self.limits(len(leaves))
        if band.is_copy:
            return _tiling.plan_copy(axes, limits), {}
        reductions: list[tuple[Reduction, list[Axis]]] = []
        for node in band.body:
            if isinstance(node, Loop) and _is_recognised(node):
                reduction = match_reduction(node)
                loops = [loop.key for loop in reduction.loops]
                reductions.append((reduction, _tiling.coalesce(loops, variant.extents, forms)))
        if not reductions:
            counting = self.counting_axes(axes, leaves, over_variant)
            if max((a.extent for a in counting), default=0) >= _tiling.MIN_LANES:
                return _tiling.plan_gather(axes, counting, limits), {}
            alone = [a for a in axes if any(_runs_over(form, a, axes) for form in forms)]
            return _tiling.plan_parallel(axes, limits, limits.free, limits.free_axes, alone), {}
        if len(reductions) == 1:
            ((reduction, reduced),) = reductions
            outer = self.plan_contraction(band, reduction, axes, reduced, over_variant, limits)
            if outer is None:
                across = reduction.combine in _ACROSS
                outer = _tiling.plan_reduction(axes, reduced, limits, across)
            return outer[0], {reduction.loops[0].key: (reduction, outer[1])}
        # Several reductions share the lanes; each has the free elements to itself.
        inner: InnerPlan = {}
        for reduction, reduced in reductions:
            _, pieces = _tiling.plan_reduction([], reduced, limits, across=False)
            inner[reduction.loops[0].key] = (reduction, pieces)
        return _tiling.plan_parallel(axes, limits, 1, 0), inner

    def counting_axes(
        self, axes: Sequence[Axis], leaves: list[Leaf], over_variant: Callable[[Form], Form]
    ) -> list[Axis]:
        """The axes that the computed indices of generic accesses depend on."""
        walked: set[int] = set()
        for leaf in leaves:
            for _, value in leaf.access.computed if leaf.access is not None else ():
                forms = [over_variant(form) for form in forms_of(slice_of(value, leaves))]
                walked.update(key for form in forms for key in form.variables())
        return [axis for axis in axes if walked.intersection(axis.members)]

    def plan_contraction(
        self,
        band: Band,
        reduction: Reduction,
        axes: Sequence[Axis],
        reduced: Sequence[Axis],
        over_variant: Callable[[Form], Form],
        limits: Limits,
    ) -> tuple[Pieces, Pieces] | None:
        """Matmul roles of the axes, or None if the PE array cannot take the reduction."""
        if reduction.factors is None or not reduced or str(reduction.result.type) != "f32":
            return None
        leaves = list(leaves_of(band.body))
        computed = {leaf.result for leaf in leaves if leaf.result is not None}
        computed |= {c.result for node in band.body if isinstance(node, Loop) for c in node.carried}
        walked = []
        for factor in reduction.factors:
            inputs = slice_of(factor, reduction.leaves)
            made = {leaf.result for leaf in inputs}
            read = {factor, *(v for leaf in inputs for v in leaf.operands)}
            taken = (read & computed) - made
            if not all(_is_constant(v) for v in taken):
                return None
            forms = [over_variant(form) for form in forms_of(inputs)]
            walked.append({a for a in axes if any(form[k] for form in forms for k in a.members)})
        left = [a for a in axes if a in walked[0] - walked[1]]
        right = [a for a in axes if a in walked[1] - walked[0]]
        if not left and not right:
            return None
        others = [a for a in axes if a not in left and a not in right]
        stored = [over_variant(leaf.access.flat) for leaf in leaves if leaf.name == STORE]
        contiguous = bool(stored) and any(stored[0][k] == 1 for a in left for k in a.members[-1:])
        # The output's contiguous axis is the moving one, unless that makes far narrower products.
        width, other = (math.prod(a.extent for a in side) for side in (left, right))
        if (contiguous and width * _NARROW >= other) or width > other * _NARROW:
            left, right = right, left
        self.contractions += 1
        return _tiling.plan_contraction(left, right, others, reduced, limits)

    def limits(self, ops: int) -> Limits:
        target = TARGETS[self.target]
        budget = target.sbuf_bytes // (_BYTES_PER_ELEMENT * _TILES_PER_OP * max(ops, 1))
        return Limits(
            partitions=target.partitions,
            free=max(1, min(self.max_free, budget)),
            moving=target.psum_bank_bytes // _BYTES_PER_ELEMENT,
            contract=target.matmul_max_k,
        )


def _runs_over(form: Form, axis: Axis, axes: Sequence[Axis]) -> bool:
    """Whether a form depends on `axis` and on no other of `axes`."""
    return [a for a in axes if any(form[key] for key in a.members)] == [axis]


def _is_recognised(loop: Loop) -> bool:
    reduction = match_reduction(loop)
    return reduction is not None and reduction.combine is not None


def _has_marks(op: ir.Operation) -> bool:
    return any(inner.name == FOR and AXIS in inner.attributes for inner in walk(op))


def _is_constant(value: ir.Value) -> bool:
    owner = value.owner
    return isinstance(owner, ir.Operation | ir.OpView) and owner.name == "arith.constant"
