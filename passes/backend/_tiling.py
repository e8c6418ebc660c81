"""How a nest is cut: which loops become partitions, free axes, contraction axes, and their sizes.

Pure decisions on the extents and access forms of `penguin.analysis.nest`; `_retile` carries them
out. The steps: remove divisions (split loops until every access is linear), coalesce neighbours
that walk memory as one loop, then choose levels. All heuristics are ours (the original's cost model
is not public; PASSES.md 5.5 and 5.6 have its budgets, which the limits follow): a guess, and right
for any choice.
"""

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.dialects.penguin.attributes import AxisKind

# Deeper than this, a division is not worth removing by enumeration.
MAX_VARIANTS = 256
# The same for sequential loops, where the alternative is to refuse the program.
MAX_PARTS = 4096
# Reductions move to the partitions when fewer lanes than this would be busy otherwise (a guess).
MIN_LANES = 16


@dataclass(frozen=True)
class Level:
    """One loop of the result; `mark` None is a sequential loop."""

    mark: AxisKind | None
    extent: int


@dataclass(frozen=True)
class Piece:
    """Iterations offset .. offset + product(levels) - 1 of an axis, outermost level first."""

    offset: int
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Axis:
    """Neighbouring loops of the source that are walked as one; `members` outermost first."""

    members: tuple[int, ...]
    extent: int


@dataclass(frozen=True)
class Variant:
    """A part of the iteration domain: `loops` in order, and each source loop over them."""

    loops: tuple[int, ...]
    extents: dict[int, int]
    substitution: dict[int, Form]


@dataclass(frozen=True)
class Limits:
    """Sizes that one instruction may have: lanes, free elements, matmul N."""

    partitions: int
    free: int
    moving: int
    contract: int = 128
    free_axes: int = 3
    dma_axes: int = 5
    dma_extent: int = 65535


def largest_divisor(n: int, limit: int) -> int:
    """The largest divisor of n that is at most `limit`."""
    if n <= limit:
        return n
    best = 1
    for d in range(1, math.isqrt(n) + 1):
        if n % d == 0:
            if d <= limit:
                best = max(best, d)
            if n // d <= limit:
                best = max(best, n // d)
    return best


def cut(n: int, limit: int, mark: AxisKind) -> list[Piece]:
    """[0, n) in marked tiles of at most `limit`: even ones, or large ones and a rest."""
    tile = largest_divisor(n, limit)
    if 2 * tile < min(n, limit):
        tile = limit
    trips, rest = divmod(n, tile)
    pieces = [Piece(0, _levels((None, trips), (mark, tile)))]
    if rest:
        pieces.append(Piece(trips * tile, _levels((mark, rest))))
    return pieces


def cut_lanes(n: int, lanes: int, limit: int, lane_mark: AxisKind) -> list[Piece]:
    """[0, n) over lanes and free elements at once: lane p holds a contiguous run."""
    width = largest_divisor(n, lanes)
    if 2 * width < min(n, lanes):
        whole = n - n % lanes
        pieces = cut_lanes(whole, lanes, limit, lane_mark)
        return [*pieces, Piece(whole, _levels((lane_mark, n - whole)))]
    pieces = []
    offset = 0
    for piece in cut(n // width, limit, AxisKind.FREE):
        outer = [level for level in piece.levels if level.mark is None]
        inner = [level for level in piece.levels if level.mark is not None]
        lanes_level = _levels((lane_mark, width))
        pieces.append(Piece(offset, (*outer, *lanes_level, *inner)))
        offset += width * math.prod(level.extent for level in piece.levels)
    return pieces


def with_lanes(chosen: Sequence[Piece], lanes: int) -> list[Piece]:
    """One piece of each axis; if none has lanes, as beside a rest of one, another loop takes them.

    The longest sequential loop that fits, which saves its trips, or else the longest free one.
    """
    levels = [(level, piece) for piece in chosen for level in piece.levels]
    fits = [item for item in levels if item[0].extent <= lanes]
    if any(level.mark is AxisKind.PARTITION for level, _ in levels) or not fits:
        return list(chosen)
    best, owner = max(fits, key=lambda item: (item[0].mark is None, item[0].extent))
    promoted = Level(AxisKind.PARTITION, best.extent)
    moved = tuple(promoted if level is best else level for level in owner.levels)
    return [Piece(piece.offset, moved) if piece is owner else piece for piece in chosen]


def sequential(n: int) -> list[Piece]:
    return [Piece(0, _levels((None, n)))]


def _levels(*pairs: tuple[AxisKind | None, int]) -> tuple[Level, ...]:
    """Levels of one trip are left out."""
    return tuple(Level(mark, n) for mark, n in pairs if n > 1)


def remove_divisions(
    keys: Sequence[int], extents: dict[int, int], forms: Sequence[Form]
) -> list[Variant] | None:
    """Splits loops until no form has a floordiv; None if that would take too many parts.

    A loop over n whose variable is divided by d becomes two loops (n/d, d) and, if d does not
    divide n, a rest; a division that still straddles a boundary splits the range there.
    """
    fresh = itertools.count(max(extents, default=-1) + 1)
    done: list[Variant] = []
    own = {k: Form.variable(k) if n > 1 else Form() for k, n in extents.items()}
    work = [Variant(tuple(keys), dict(extents), own)]
    while work:
        variant = work.pop(0)
        space = Space(variant.extents)
        atom = _first_division(space.substitute(f, variant.substitution.__getitem__) for f in forms)
        if atom is None:
            done.append(variant)
            continue
        parts = _split(variant, atom, fresh)
        if parts is None or len(done) + len(work) + len(parts) > MAX_VARIANTS:
            return None
        work = parts + work
    return done


def _first_division(forms: Iterable[Form]) -> FloorDiv | None:
    for form in forms:
        for atom in form.divisions:
            return _first_division([atom.numerator]) or atom
    return None


def period_of(atom: FloorDiv, key: int) -> int:
    """After so many steps of the variable, the quotient has grown by a whole number."""
    return atom.divisor // math.gcd(atom.numerator[key], atom.divisor)


def cut_range(atoms: Sequence[FloorDiv], key: int, extent: int) -> list[tuple[int, int, int]]:
    """Consecutive parts (offset, trips, size) of 0 .. extent - 1 that bring the divisions nearer to
    being constant along `key`: periods of all of them and a rest; inside one period single values,
    if other variables take part, else a cut where the first one changes.
    """
    period = math.lcm(*(period_of(atom, key) for atom in atoms))
    if period < extent:
        trips, rest = divmod(extent, period)
        parts = [(0, trips, period)]
        return [*parts, (trips * period, 1, rest)] if rest else parts
    if any(len(atom.numerator.terms) > 1 for atom in atoms):
        return [(i, 1, 1) for i in range(extent)]
    numerator, divisor = atoms[0]
    first = numerator.const // divisor
    crossing = next(
        i for i in range(extent) if (numerator.const + numerator[key] * i) // divisor != first
    )
    return [(0, 1, crossing), (crossing, 1, extent - crossing)]


def _split(variant: Variant, atom: FloorDiv, fresh: "itertools.count[int]") -> list[Variant] | None:
    """The variant cut along one variable of the division; None if only fixed loops occur in it."""
    movable = [k for k, _ in atom.numerator.terms if k in variant.loops]
    if not movable:
        return None
    # A loop of several periods first: that multiplies nothing. Else the shortest.
    extents = variant.extents
    key = min(movable, key=lambda k: (period_of(atom, k) >= extents[k], extents[k]))
    parts = cut_range([atom], key, extents[key])
    if len(parts) > MAX_VARIANTS:
        return None
    return [
        _replace(variant, key, [(next(fresh), trips), (next(fresh), size)], offset)
        for offset, trips, size in parts
    ]


def _replace(variant: Variant, key: int, loops: Sequence[tuple[int, int]], start: int) -> Variant:
    """The variant with a loop replaced by `loops` (key, extent), the last one fastest.

    A loop of one trip is no loop: its variable would only hide that a form is constant.
    """
    at = variant.loops.index(key)
    loops = [(k, n) for k, n in loops if n > 1]
    value, stride = Form(start), 1
    for k, n in reversed(loops):
        value = value + Form.variable(k) * stride
        stride *= n
    extents = {k: n for k, n in variant.extents.items() if k != key} | dict(loops)
    space = Space(extents)

    def new(atom: int) -> Form:
        return value if atom == key else Form.variable(atom)

    substitution = {k: space.substitute(f, new) for k, f in variant.substitution.items()}
    names = tuple(k for k, _ in loops)
    return Variant(variant.loops[:at] + names + variant.loops[at + 1 :], extents, substitution)


def coalesce(loops: Sequence[int], extents: dict[int, int], forms: Sequence[Form]) -> list[Axis]:
    """Merges neighbours that every form walks with one stride; loops of one trip are dropped."""
    axes: list[Axis] = []
    for key in loops:
        extent = extents[key]
        if extent == 1:
            continue
        if axes:
            last = axes[-1]
            outer = last.members[-1]
            if all(form[outer] == form[key] * extent for form in forms):
                axes[-1] = Axis((*last.members, key), last.extent * extent)
                continue
        axes.append(Axis((key,), extent))
    return axes


Pieces = dict[Axis, list[Piece]]


def plan_copy(axes: Sequence[Axis], limits: Limits) -> Pieces:
    """DRAM to DRAM: one descriptor walks as many of the inner axes as it has dimensions."""
    inner = set(axes[-limits.dma_axes :])
    return {
        a: cut(a.extent, limits.dma_extent, AxisKind.FREE) if a in inner else sequential(a.extent)
        for a in axes
    }


def plan_parallel(
    axes: Sequence[Axis], limits: Limits, free: int, slots: int, alone: Collection[Axis] = ()
) -> Pieces:
    """Element-wise code: one axis over the partitions, the inner ones as free axes.

    `free` elements and `slots` free axes are left beside what reductions take. What the inner axes
    leave of them goes to the axis over the partitions, unless it is one that some access runs over
    `alone`: one value per lane is cheaper to use than several.
    """
    if not axes:
        return {}
    lanes = limits.partitions
    pieces: Pieces = {}
    *outer, last = axes
    best = max(outer, key=lambda a: min(a.extent, lanes), default=None)
    wide_enough = best is not None and (
        best.extent >= lanes // 4 or best.extent >= min(last.extent, lanes)
    )
    budget = free
    if best is not None and wide_enough:
        pieces[best] = cut(best.extent, lanes, AxisKind.PARTITION)
    elif slots:
        pieces[last] = cut_lanes(last.extent, lanes, budget, AxisKind.PARTITION)
        budget //= _free_extent(pieces[last])
        slots -= 1
    else:
        pieces[last] = cut(last.extent, lanes, AxisKind.PARTITION)
    budget, slots = _fill_free([a for a in axes if a not in pieces], budget, slots, pieces)
    if wide_enough and best.extent > lanes and best not in alone and slots > 0 and budget > 1:
        # What would be trips of a loop is a run of elements in each lane.
        pieces[best] = cut_lanes(best.extent, lanes, budget, AxisKind.PARTITION)
    return pieces


def plan_gather(axes: Sequence[Axis], counting: Sequence[Axis], limits: Limits) -> Pieces:
    """A generic access: the longest axis that its index depends on over the lanes.

    Slices get the free elements first: each index moves one slice. They are the inner free axes, as
    they lie in memory.
    """
    pieces: Pieces = {}
    slices = [a for a in axes if a not in counting]
    budget, slots = _fill_free(slices, limits.free, limits.free_axes - 1, pieces)
    best = max(counting, key=lambda a: min(a.extent, limits.partitions))
    pieces[best] = cut_lanes(best.extent, limits.partitions, budget, AxisKind.PARTITION)
    budget //= _free_extent(pieces[best])
    _fill_free([a for a in counting if a is not best], budget, slots, pieces)
    return {a: pieces[a] for a in (*counting, *slices)}


def plan_reduction(
    axes: Sequence[Axis], reduced: Sequence[Axis], limits: Limits, across: bool
) -> tuple[Pieces, Pieces]:
    """Reductions along free axes; `across` allows lanes to be reduced too when few are parallel."""
    lanes = max((min(a.extent, limits.partitions) for a in axes), default=1)
    inner: Pieces = {}
    budget, slots = limits.free, limits.free_axes
    rest = list(reduced)
    total = math.prod(a.extent for a in reduced)
    if across and lanes < MIN_LANES and total > lanes:
        last = rest.pop()
        inner[last] = cut_lanes(last.extent, limits.partitions, budget, AxisKind.CONTRACT)
        budget, slots = budget // _free_extent(inner[last]), slots - 1
        budget = min(budget, limits.moving)
        budget, slots = _fill_free(rest, budget, slots, inner)
        outer: Pieces = {}
        _fill_free(axes, budget, slots, outer)
        return outer, inner
    budget, slots = _fill_free(rest, budget, slots, inner)
    return plan_parallel(axes, limits, budget, slots), inner


def plan_contraction(
    left: Sequence[Axis],
    right: Sequence[Axis],
    others: Sequence[Axis],
    reduced: Sequence[Axis],
    limits: Limits,
) -> tuple[Pieces, Pieces]:
    """Matmul: one `left` axis gives the output partitions, `right` axes the moving free size."""
    outer: Pieces = {a: sequential(a.extent) for a in others}
    row = max(left, key=lambda a: min(a.extent, limits.partitions), default=None)
    for axis in left:
        outer[axis] = (
            cut(axis.extent, limits.partitions, AxisKind.PARTITION)
            if axis is row
            else sequential(axis.extent)
        )
    _fill_free(right, limits.moving, limits.free_axes, outer)
    inner: Pieces = {}
    contract = max(reduced, key=lambda a: min(a.extent, limits.contract))
    for axis in reduced:
        inner[axis] = (
            cut(axis.extent, limits.contract, AxisKind.CONTRACT)
            if axis is contract
            else sequential(axis.extent)
        )
    return outer, inner


def _fill_free(axes: Sequence[Axis], budget: int, slots: int, pieces: Pieces) -> tuple[int, int]:
    """Innermost first, axes become free while elements and slots last; the others sequential.

    Returns what is left of both.
    """
    for axis in reversed(axes):
        if slots > 0 and budget > 1:
            pieces[axis] = cut(axis.extent, budget, AxisKind.FREE)
            slots -= 1
            budget //= _free_extent(pieces[axis])
        else:
            pieces[axis] = sequential(axis.extent)
    return budget, slots


def _free_extent(pieces: Sequence[Piece]) -> int:
    return max(
        (lv.extent for p in pieces for lv in p.levels if lv.mark == AxisKind.FREE), default=1
    )
