"""Fuse elementwise operations with the reduce or the concatenate that takes their results.

Before                                          After (mhlo)
  %0 = mhlo.exponential %x                        %r = mhlo.fusion(%zero, %y, %x) ({
  %1 = mhlo.multiply %0, %y                       ^bb0(%i, %b, %a):
  %r = mhlo.reduce(%1 init: %zero) ...              %0 = mhlo.exponential %a
                                                    %1 = mhlo.multiply %0, %b
                                                    %r = mhlo.reduce(%1 init: %i) ...
                                                    mhlo.return %r
                                                  }) {FusionKind = "MulRedSqrt"}
On stablehlo a composite with the same `CompositeKind` takes its place.

Every reduce (kind MulRedSqrt) and every concatenate (kind Elementwise) outside a fusion is a seed.
The cluster grows from it upwards: the producer of an operand of a member joins if
  (L1) it is an operation of the seed's block;
  (L2) it is none of transpose, fusion, concatenate, slice, reshape, broadcast_in_dim, nor a
       composite;
  (L3) it is elementwise: a member of the list `ELEMENTWISE`;
  (L4) all uses of its result are by members.
(L4) keeps values from escaping, so the seed's results are the only ones of the fusion. A reshape is
in the original's list as well as in its boundary; "met first in the concatenate route" it counts as
elementwise, which is read as: when it is an operand of the seed concatenate.
A seed that nothing joins stays as it is, and says why its first producer did not; the original does
not tell whether it wraps one operation.
Source: document 002's family, "fuseElementwise".
"""

import enum
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.passes.hlo._fusion import FusionPass, Match, mnemonic, producer, users
from penguin.passlib import Reject, Statistic

ELEMENTWISE = frozenset(
    "cbrt ceil exponential erf exponential_minus_one floor log logistic log_plus_one sqrt rsqrt "
    "tan tanh negate add subtract multiply divide maximum minimum power and or not xor convert "
    "bitcast bitcast_convert reshape compare".split()
)
BOUNDARY = frozenset(
    "transpose fusion concatenate slice reshape broadcast_in_dim composite".split()
)
_SEEDS = {"reduce": Kind.MUL_RED_SQRT, "concatenate": Kind.ELEMENTWISE}


class Why(enum.Enum):
    NO_PRODUCER = "the operand is no result of an operation of this block"  # L1
    BOUNDARY = "the producer is an operation at which fusions end"  # L2
    NOT_ELEMENTWISE = "the producer is not elementwise"  # L3
    ESCAPES = "the producer's result is used outside of the cluster"  # L4


@dataclass
class ElementwiseFusion(FusionPass):
    name = "elementwise-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of elementwise fusions")

    anchors = frozenset(_SEEDS)

    def match(self, op: Any) -> Match | Reject | None:
        members, reject = _grow(op)
        return Match(_SEEDS[mnemonic(op)], members) if len(members) > 1 else reject


def _grow(seed: Any) -> tuple[list[Any], Reject | None]:
    """The seed with all that joins it, and why the first producer that did not join did not."""
    members, pending = [seed], deque([seed])
    # Uses by members so far, and in all: a producer is judged again only by its last use.
    met: Counter[Any] = Counter()
    uses: dict[Any, int] = {}
    escaping: dict[Any, Any] = {}
    first: Reject | None = None
    while pending:
        member = pending.popleft()
        for value in member.operands:
            op = producer(value)
            reject = _barrier(op, seed, member)
            if reject is not None:
                first = first or reject
                continue
            met[value] += 1
            if value not in uses:
                uses[value] = len(users(op))
            if met[value] == uses[value]:
                escaping.pop(value, None)
                members.append(op)
                pending.append(op)
            else:
                escaping[value] = op
    if first is None and escaping:
        value, op = next(iter(escaping.items()))
        first = Reject(Why.ESCAPES, at=op, args={"Uses": uses[value], "Inside": met[value]})
    return members, first


def _barrier(op: Any, seed: Any, member: Any) -> Reject | None:
    """Clauses (L1) to (L3) for the producer of an operand of a member."""
    if op is None or op.block != seed.block:
        return Reject(Why.NO_PRODUCER)
    name = mnemonic(op)
    anchor = name == "reshape" and member == seed and mnemonic(seed) == "concatenate"
    if name in BOUNDARY and not anchor:
        return Reject(Why.BOUNDARY, at=op, args={"Producer": op.name})
    if name not in ELEMENTWISE:
        return Reject(Why.NOT_ELEMENTWISE, at=op, args={"Producer": op.name})
    return None
