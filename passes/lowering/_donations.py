"""Which output gets the buffer of a donated argument.

`tf.aliasing_output = k` names the result. `jax.buffer_donor` leaves the choice: the first result of
the same type that no argument has yet. Named ones come first, then the arguments in their order.
"""

import enum
from collections.abc import Sequence
from typing import Any

from penguin.dialects.hlo.attributes import ALIASING_OUTPUT, BUFFER_DONOR
from penguin.mlir import ir
from penguin.passes.lowering._hlo_ops import Tensor


class Unused(enum.Enum):
    """Why a donation is not used."""

    NO_RESULT = "it names no result"
    TYPE = "the result that it names has another type"
    TAKEN = "the result that it names has the buffer of another argument"
    NONE_LEFT = "no result of its type is left"


def pair(
    function: Any, arguments: Sequence[Tensor], results: Sequence[Tensor]
) -> tuple[dict[int, int], list[tuple[int, Unused]]]:
    """Results with the argument whose buffer they get, in order; unused donations with a reason."""
    given = list(function.arg_attrs) if "arg_attrs" in function.attributes else []
    found: dict[int, int] = {}
    unused: list[tuple[int, Unused]] = []
    for number, attributes in enumerate(given):
        if ALIASING_OUTPUT not in attributes:
            continue
        named = ir.IntegerAttr(attributes[ALIASING_OUTPUT]).value
        if not 0 <= named < len(results):
            unused.append((number, Unused.NO_RESULT))
        elif results[named].type.memref != arguments[number].type.memref:
            unused.append((number, Unused.TYPE))
        elif named in found:
            unused.append((number, Unused.TAKEN))
        else:
            found[named] = number
    free: dict[ir.Type, list[int]] = {}
    for number, result in enumerate(results):
        if number not in found:
            free.setdefault(result.type.memref, []).append(number)
    for queue in free.values():
        queue.reverse()
    for number, attributes in enumerate(given):
        if ALIASING_OUTPUT in attributes or not _is_donor(attributes):
            continue
        queue = free.get(arguments[number].type.memref)
        if queue:
            found[queue.pop()] = number
        else:
            unused.append((number, Unused.NONE_LEFT))
    return dict(sorted(found.items())), sorted(unused, key=lambda entry: entry[0])


def _is_donor(attributes: Any) -> bool:
    if BUFFER_DONOR not in attributes:
        return False
    value = attributes[BUFFER_DONOR]
    return value.value if isinstance(value, ir.BoolAttr) else True
