"""Fuse a dot with the logistic of its result, and bring the two together through a reshape.

Cluster                                         After (mhlo)
  %d = "mhlo.dot"(%x, %w)                         %l = mhlo.fusion(%w, %x) ({
  %l = mhlo.logistic %d                           ^bb0(%b, %a):
                                                    %d = "mhlo.dot"(%a, %b)
                                                    %l = mhlo.logistic %d
                                                    mhlo.return %l
                                                  }) {FusionKind = "DotLogistic"}
On stablehlo a composite with the same `CompositeKind` takes its place. Other uses of the dot see it
as a second result.

Re-association                                  After
  %d = "mhlo.dot"(%x, %w)                         %d = "mhlo.dot"(%x, %w)
  %s = mhlo.reshape %d                            %l = mhlo.logistic %d
  %l = mhlo.logistic %s                           %m = mhlo.multiply %d, %l
  %m = mhlo.multiply %s, %l                       %s = mhlo.reshape %m

Every logistic outside a fusion is a candidate. It is re-associated if
  (B1) its operand is a reshape of a dot_general or dot, all in its block;
  (B2) the reshape has two uses, the logistic and a multiply;
  (B3) the logistic has one use, that multiply.
It is fused, after that, if
  (L1) its operand is the result of a dot_general or dot in its block;
  (L2) it has one use.
No dtype or shape is asked for. Source: document 002's family, "fuseDotLogistic". Deviations:
* Re-association comes first, so that its logistic is fused by the same run and a second run finds
  nothing to do. The original does it last and fuses in a later run, if there is one.
* The original's cluster [multiply, logistic, dot] wants a multiply that uses the logistic and has
  both operands from the dot. There is no such multiply, so the form is left out.
* (B3): the original lets the logistic have other users, but erases it.
* (B1), (B2): that all stand in one block is ours. Sharding attributes are dropped from the rebuilt
  ops, since they count the axes of the old shape.
"""

import enum
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.mlir import bindings_of, walk
from penguin.passes.hlo._fusion import (
    FusionPass,
    Match,
    functions,
    is_fusable,
    mnemonic,
    producer,
    users,
)
from penguin.passlib import Reject, Statistic
from penguin.passlib.patterns import Limit

_DOTS = ("dot_general", "dot")
_SHARDINGS = ("mhlo.sharding", "sdy.sharding")


class Why(enum.Enum):
    NO_DOT = "the operand of the logistic is no dot of this block"  # L1, B1
    LOGISTIC_USES = "the logistic has not exactly one use"  # L2, B3
    RESHAPE_USES = "the reshape of the dot has not two uses, the logistic and a multiply"  # B2
    NO_MULTIPLY = "the user of the logistic is not the multiply that uses the reshape"  # B3


@dataclass
class DotLogisticFusion(FusionPass):
    name = "dot-logistic-fusion"
    requires = ("one-hlo-dialect",)

    fused = Statistic("Number of DotLogistic fusions")
    reassociated = Statistic("Number of logistics moved before a reshape")

    anchors = frozenset({"logistic"})

    def run(self, module: Any) -> None:
        for function in functions(module):
            # Collected first: what has been erased must not be looked at again.
            logistics = [
                op for op in walk(function) if mnemonic(op) == "logistic" and is_fusable(op)
            ]
            for op in logistics:
                if self.may_rewrite() and self._gated(op) is None:
                    self.done(op, "Reassociated")
                    _reassociate(op)
                    self.reassociated += 1
        super().run(module)

    def match(self, op: Any) -> Match | Reject | None:
        if producer(op.operands[0], "reshape") is not None:
            # One that could be re-associated has been, within the limit.
            return self._gated(op) or Reject(Limit.REWRITE_LIMIT)
        dot = producer(op.operands[0], *_DOTS)
        if dot is None or dot.block != op.block:
            return Reject(Why.NO_DOT)
        uses = len(users(op))
        if uses != 1:
            return Reject(Why.LOGISTIC_USES, args={"Uses": uses})
        return Match(Kind.DOT_LOGISTIC, [op, dot])

    def _gated(self, op: Any) -> Reject | None:
        """Clauses (B1) to (B3)."""
        reshape = producer(op.operands[0], "reshape")
        dot = producer(reshape.operands[0], *_DOTS) if reshape is not None else None
        if dot is None or reshape.block != op.block or dot.block != op.block:
            return Reject(Why.NO_DOT)
        others = [user for user in users(reshape) if user != op]
        if len(others) != 1 or mnemonic(others[0]) != "multiply" or others[0].block != op.block:
            return Reject(Why.RESHAPE_USES, at=reshape)
        uses = users(op)
        if len(uses) != 1:
            return Reject(Why.LOGISTIC_USES, args={"Uses": len(uses)})
        return None if uses[0] == others[0] else Reject(Why.NO_MULTIPLY, at=uses[0])


def _reassociate(logistic: Any) -> None:
    """Rebuilds logistic, multiply and reshape on the dot's own shape, where the multiply is."""
    ir = bindings_of(logistic).ir
    reshape = logistic.operands[0].owner.operation
    (multiply,) = users(logistic)
    value = reshape.operands[0]
    ip = ir.InsertionPoint(multiply)

    def rebuilt(op: Any, type_: Any, operands: list[Any]) -> Any:
        names = [name for name in op.attributes if name not in _SHARDINGS]
        attributes = {name: op.attributes[name] for name in names}
        made = ir.Operation.create(op.name, [type_], operands, attributes, ip=ip, loc=op.location)
        return made.results[0]

    new = {reshape.results[0]: value}
    new[logistic.results[0]] = rebuilt(logistic, value.type, [value])
    product = rebuilt(multiply, value.type, [new[v] for v in multiply.operands])
    result = rebuilt(reshape, multiply.results[0].type, [product])
    multiply.results[0].replace_all_uses_with(result)
    for op in (multiply, logistic, reshape):
        op.erase()
