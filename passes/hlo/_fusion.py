"""What the fusion passes share: reading either HLO dialect, and the way from matches to fusions.

A matcher looks at one op and says `None` (no candidate), a `Reject` (a near match, with the
reason) or a `Match` (the members of a cluster). `FusionPass` asks it for every op in program order,
lets the first match have an op that two want, reports every near match, and then builds the
fusions.

The bindings' hash of an op is a hash of what it is (name, attributes, operands), not of which one
it is: equal ops collide, and an op is not found again once its operands have changed. Tables that
live long or grow have results as keys.
"""

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.dialects.hlo.composite import is_decomposition
from penguin.mlir import walk
from penguin.passes.hlo._cluster import Builder, FusionCluster
from penguin.passlib import ModulePass, Reject
from penguin.passlib.patterns import Limit

_HLO = ("mhlo", "stablehlo")
_CONTROL_FLOW = ("while", "if", "case")


class Overlap(enum.Enum):
    """The reason that every fusion pass has besides its own."""

    TAKEN = "another fusion has taken one of the operations"


@dataclass
class Match:
    """Members of a cluster; `args` go into the remark.

    With `expand`, the one member is replaced by the ops that it returns: those are the cluster.
    """

    kind: Kind
    members: list[Any]
    args: dict[str, Any] = field(default_factory=dict)
    expand: Callable[[Any], list[Any]] | None = None

    def cluster(self) -> FusionCluster:
        """The cluster as it is found."""
        return FusionCluster(self.kind, self.members)

    def expanded(self) -> FusionCluster:
        """The cluster of the ops that take the member's place; changes the module."""
        assert self.expand is not None
        (old,) = self.members
        new = self.expand(old)
        for before, after in zip(old.results, new[-1].results, strict=True):
            before.replace_all_uses_with(after)
        old.erase()
        return FusionCluster(self.kind, new, ordered=True)


def mnemonic(op: Any) -> str:
    """`multiply` for `mhlo.multiply` and `stablehlo.multiply`; empty for other dialects."""
    dialect, _, name = op.name.partition(".")
    return name if dialect in _HLO else ""


def producer(value: Any, *names: str) -> Any:
    """The op that defines a value, if it has one of these mnemonics; else None."""
    op = value.owner
    # A block argument's owner is its block, which has no operands.
    if not hasattr(op, "operation"):
        return None
    op = op.operation
    return op if not names or mnemonic(op) in names else None


def users(op: Any) -> list[Any]:
    """The ops that use results of an op, one entry per use, in the order of the results."""
    return [use.owner.operation for result in op.results for use in result.uses]


def reduction(op: Any) -> str:
    """The mnemonic of the op that a reduce combines two elements with; empty if it does more."""
    block = op.regions[0].blocks[0]
    body = [view.operation for view in block.operations]
    if len(op.results) != 1 or len(body) != 2:
        return ""
    combine, end = body
    whole = end.operands[0].owner == combine and set(combine.operands) == set(block.arguments)
    return mnemonic(combine) if whole else ""


def is_fusable(op: Any) -> bool:
    """Whether an op may be fused where it stands: in a function or in the body of control flow.

    Not in a fusion, and not in the computation of a reduce, a sort or a collective, which has to
    stay what others recognise.
    """
    parent = op.parent.operation
    return parent.name == "func.func" or mnemonic(parent) in _CONTROL_FLOW


def functions(module: Any) -> Iterator[Any]:
    """The functions with a body that are no decompositions of fusions."""
    for view in list(module.operation.regions[0].blocks[0].operations):
        op = view.operation
        if op.name == "func.func" and len(op.regions[0].blocks) and not is_decomposition(op):
            yield op


class FusionPass(ModulePass):
    """Base of the fusion passes; a subclass has `anchors`, `match` and a `fused` statistic."""

    requires = ("one-hlo-dialect",)
    # The mnemonics of the ops that `match` wants to see.
    anchors: frozenset[str] = frozenset()

    def match(self, op: Any) -> "Match | Reject | None":
        """Pure: what a matcher says about one op."""
        raise NotImplementedError

    def matches(self, function: Any) -> Iterator[tuple[Any, "Match | Reject"]]:
        """The candidates of a function, in program order."""
        for op in walk(function):
            if mnemonic(op) in self.anchors and is_fusable(op):
                found = self.match(op)
                if found is not None:
                    yield op, found

    def run(self, module: Any) -> None:
        clusters: list[FusionCluster | Match] = []
        taken: set[Any] = set()
        for function in functions(module):
            for op, found in self.matches(function):
                results = _results(found) if isinstance(found, Match) else []
                if not taken.isdisjoint(results):
                    found = Reject(Overlap.TAKEN)
                if isinstance(found, Match) and not self.may_rewrite():
                    found = Reject(Limit.REWRITE_LIMIT)
                if isinstance(found, Reject):
                    self.decline(op, found)
                    continue
                taken.update(results)
                clusters.append(found.cluster() if found.expand is None else found)
                self.done(op, found.kind, Ops=len(found.members), **found.args)
        builder = Builder(module)
        for each in clusters:
            builder.build(each.expanded() if isinstance(each, Match) else each)
        self.fused += len(clusters)


def _results(match: Match) -> list[Any]:
    """What tells the members of a match from all other ops: their first results."""
    return [member.results[0] for member in match.members]
