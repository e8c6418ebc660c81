"""One tensor operand against the target: what does not depend on the opcode (C6) to (C16).

The result of a check is remembered in the context's cache under everything that it depends on, for
a program has far fewer distinct operands than instructions.
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from penguin import dtypes
from penguin.dialects.base import Tensor, tensor_of
from penguin.dialects.bir.access_pattern import AccessPattern, cache
from penguin.dialects.bir.enums import Space
from penguin.dialects.bir.loops import Range
from penguin.dialects.bir.target import MID_PARTITION, Target, start_partitions
from penguin.mlir import ir


class Placement(NamedTuple):
    """Where allocation put a tile; None where it has not run."""

    base: int | None = None
    addr: int | None = None
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """An operand that was looked at. If `problem` is set, the rest may be missing."""

    problem: str | None
    space: str = ""
    dtype: str = ""
    pattern: tuple[tuple[int, int], ...] = ()
    banks: frozenset[int] = frozenset()

    @property
    def partitions(self) -> int:
        """Number of partitions (of the first pair)."""
        return self.pattern[0][1]

    @property
    def free(self) -> int:
        """Elements per partition."""
        return prod(num for _, num in self.pattern[1:])

    @property
    def count(self) -> int:
        """Number of elements."""
        return self.partitions * self.free


def examine(
    type_: ir.Type,
    placement: Placement,
    access: AccessPattern,
    ranges: tuple[Range, ...],
    dma: bool,
    wide: bool,
    target: Target,
) -> Facts:
    """Checks one operand. `ranges` are the axes' loops, `wide` allows a fourth free pair."""
    store = cache().facts
    key = (type_, placement, access, ranges, dma, wide, target.name)
    found = store.get(key)
    if found is None:
        found = store[key] = _examine(*key[:-1], target)
    return found


def _examine(
    type_: ir.Type,
    placement: Placement,
    access: AccessPattern,
    ranges: tuple[Range, ...],
    dma: bool,
    wide: bool,
    target: Target,
) -> Facts:
    tensor = tensor_of(type_)
    if tensor.problem is not None:
        return Facts(f"{tensor.problem} (C6)")
    on_chip = tensor.space != Space.DRAM
    if on_chip and len(tensor.shape) != 2:
        return Facts(f"is a tile of rank {len(tensor.shape)}, expected partitions x elements (C6)")
    problem = None
    if on_chip:
        problem = _tile(tensor, placement, target)
    problem = problem or _dtype(access, tensor.dtype, target)
    problem = problem or _pairs(access, on_chip, wide, target)
    if problem is not None:
        return Facts(problem)
    if not on_chip:
        problem = _bounds(access, ranges, tensor.count)
        return Facts(problem, tensor.space, access.dtype, access.pattern)
    return _on_chip(access, ranges, tensor, placement, dma, target)


def _tile(tensor: Tensor, placement: Placement, target: Target) -> str | None:
    partitions, free = tensor.shape
    space = tensor.space
    base = placement.base or 0
    if base + partitions > target.partitions:
        where = f" from partition {base}" if base else ""
        return f"has {partitions} partitions{where}, expected at most {target.partitions} (C7)"
    limit = target.sbuf_bytes if space == Space.SBUF else target.psum_bytes
    end = (placement.addr or 0) + free * tensor.dtype.itemsize
    if end > limit:
        return f"ends at byte {end} of a partition, expected at most {limit} ({target.name}) (C8)"
    if space == Space.SBUF and free > target.sbuf_max_elements:
        return (
            f"has {free} elements per partition, expected at most {target.sbuf_max_elements} (C8)"
        )
    if placement.bank is not None and placement.addr is not None:
        bank = placement.addr // target.psum_bank_bytes
        if space != Space.PSUM or bank != placement.bank:
            return (
                f"is in bank {placement.bank} at byte {placement.addr}, expected bank {bank} (C9)"
            )
    return None


def _dtype(access: AccessPattern, dtype: dtypes.DType, target: Target) -> str | None:
    if access.dtype not in target.dtypes:
        return f"is read as {access.dtype}, expected one of {' '.join(sorted(target.dtypes))} (C10)"
    width = dtypes.BY_BIR[access.dtype].itemsize
    if width != dtype.itemsize:
        return (
            f"is read as {access.dtype} of {width} bytes, "
            f"expected {dtype.itemsize} bytes as in {dtype.mlir} (C10)"
        )
    return None


def _pairs(access: AccessPattern, on_chip: bool, wide: bool, target: Target) -> str | None:
    most = 1 + (target.max_free_pairs_dma if wide else target.max_free_pairs)
    if len(access.pattern) > most:
        return f"has {len(access.pattern)} pairs, expected at most {most} (C11)"
    for i, (step, num) in enumerate(access.pattern):
        if not 1 <= num <= target.max_num:
            return f"pair #{i} has num {num}, expected 1 to {target.max_num} (C12)"
        if i == 0 and step < 0:
            return f"pair #0 has step {step}, expected at least 0 (C12)"
        if i and on_chip and not target.min_step <= step <= target.max_step:
            return (
                f"pair #{i} has step {step}, "
                f"expected {target.min_step} to {target.max_step} on chip (C12)"
            )
    return None


def _extent(const: int, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Least and greatest of const + sum(s_i), each s_i between the two ends of its span."""
    return (
        const + sum(min(span) for span in spans),
        const + sum(max(span) for span in spans),
    )


def _spans(pairs: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    return [(0, step * (num - 1)) for step, num in pairs]


def _axis_spans(coefficients: list[int], ranges: tuple[Range, ...]) -> list[tuple[int, int]]:
    return [(c * r.lower, c * r.last) for c, r in zip(coefficients, ranges, strict=True)]


def _bounds(access: AccessPattern, ranges: tuple[Range, ...], count: int) -> str | None:
    axes = _axis_spans(list(access.coefficients), ranges)
    low, high = _extent(access.const, axes + _spans(access.pattern))
    if low < 0 or high >= count:
        return f"touches elements {low} to {high}, expected 0 to {count - 1} (C13)"
    return None


def _on_chip(
    access: AccessPattern,
    ranges: tuple[Range, ...],
    tensor: Tensor,
    placement: Placement,
    dma: bool,
    target: Target,
) -> Facts:
    partitions, free = tensor.shape
    step, num = access.pattern[0]
    if num > 1 and (step % free or not (dma or step == free)):
        multiple = "a multiple of " if dma else ""
        return Facts(f"has partition step {step}, expected {multiple}{free} (C14)")
    rows = step // free if num > 1 else 0
    # A coefficient moves the partition by its whole rows and the free element by the rest.
    q = [abs(c) // free * (1 if c > 0 else -1) for c in access.coefficients]
    r = [c - moved * free for c, moved in zip(access.coefficients, q, strict=True)]
    start, first = divmod(access.const, free)
    low, high = _extent(start, [*_axis_spans(q, ranges), (0, rows * (num - 1))])
    if low < 0 or high >= partitions:
        return Facts(f"touches partitions {low} to {high}, expected 0 to {partitions - 1} (C13)")
    low, high = _extent(first, _axis_spans(r, ranges) + _spans(access.pattern[1:]))
    if low < 0 or high >= free:
        return Facts(f"touches free elements {low} to {high}, expected 0 to {free - 1} (C16)")
    if not dma:
        problem = _start(start + (placement.base or 0), q, ranges, num)
        if problem is not None:
            return Facts(problem)
    banks = frozenset()
    if tensor.space == Space.PSUM:
        origin = (placement.addr or 0) + first * tensor.dtype.itemsize
        banks = _banks(access, r, ranges, origin, tensor.dtype.itemsize, target)
    return Facts(None, tensor.space, access.dtype, access.pattern, banks)


def _banks(
    access: AccessPattern,
    coefficients: list[int],
    ranges: tuple[Range, ...],
    origin: int,
    itemsize: int,
    target: Target,
) -> frozenset[int]:
    """Numbers of the PSUM banks that one iteration touches, up to a shift by whole banks.

    A loop that moves on by whole banks does not make an iteration touch more of them.
    """
    within = [
        (c * itemsize * r.lower, c * itemsize * r.last)
        for c, r in zip(coefficients, ranges, strict=True)
        if c * itemsize * r.lower % target.psum_bank_bytes
        or c * itemsize * r.step % target.psum_bank_bytes
    ]
    free = [(0, step * (num - 1) * itemsize) for step, num in access.pattern[1:]]
    low, high = _extent(origin, within + free)
    return frozenset(range(low // target.psum_bank_bytes, high // target.psum_bank_bytes + 1))


def _start(start: int, q: list[int], ranges: tuple[Range, ...], num: int) -> str | None:
    """(C15) for every iteration; distinct starts are few, since all are partitions of a tile."""
    starts = {start}
    for coefficient, values in zip(q, ranges, strict=True):
        if coefficient:
            starts = {s + coefficient * v for s in starts for v in range(*values)}
    legal = start_partitions(num)
    for s in sorted(starts):
        if s not in legal:
            expected = " ".join(map(str, sorted(legal)))
            crosses = " and crosses partition 64" if s < MID_PARTITION < s + num else ""
            return (
                f"has {num} partitions from partition {s}{crosses}, "
                f"expected start {expected} for {num} partitions (C15)"
            )
    return None
