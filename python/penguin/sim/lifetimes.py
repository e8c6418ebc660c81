"""Where a function's DRAM tensors begin, end and are complete, by top-level item of its body."""

from collections.abc import Iterator

from penguin.bir.model import Access, Function, Instruction, Loop, Tensor
from penguin.dialects.bir.enums import Opcode

Item = Instruction | Loop


def spans(function: Function) -> dict[str, tuple[int, int]]:
    """First and last top-level item that uses each tensor."""
    result: dict[str, tuple[int, int]] = {}
    for k, item in enumerate(function.body):
        for inst, _ in instructions(item):
            for access in (*inst.ins, *inst.outs):
                first, _ = result.get(access.tensor, (k, k))
                result[access.tensor] = (first, k)
    return result


def instructions(item: Item, loops: tuple[Loop, ...] = ()) -> Iterator[tuple[Instruction, tuple]]:
    """The instructions of an item, with the loops around each."""
    if isinstance(item, Instruction):
        yield item, loops
        return
    for inner in item.body:
        yield from instructions(inner, (*loops, item))


def fills(item: Item, tensor: Tensor) -> bool:
    """Whether `item` reads nothing of `tensor` and some instruction in it writes every element.

    Sufficient, not necessary: loop axes and pattern pairs together have to count through the
    elements like the digits of a number.
    """
    found = False
    for inst, loops in instructions(item):
        if any(access.tensor == tensor.name for access in inst.ins):
            return False
        writes = [access for access in inst.outs if access.tensor == tensor.name]
        if not writes or inst.opcode == Opcode.COPY_PREDICATED:
            continue
        found = found or (all(loop.trips for loop in loops) and _covers(writes[0], loops, tensor))
    return found


def _covers(access: Access, loops: tuple[Loop, ...], tensor: Tensor) -> bool:
    by_axis = {loop.axis: loop for loop in loops}
    offset = access.offset.const
    digits = [(step, num) for step, num in access.pattern if num > 1]
    for axis, coefficient in access.offset.terms:
        loop = by_axis.get(axis)
        if loop is None:
            return False
        offset += coefficient * loop.lower
        digits.append((coefficient * loop.step, loop.trips))
    size = 1
    for step, num in sorted(d for d in digits if d[1] > 1):
        if step != size:
            return False
        size *= num
    return offset == 0 and size == tensor.count
