"""FusionCluster: operations of one block that become one fusion, on mhlo and on stablehlo.

mhlo                                            stablehlo
  the members move into the region of an          the members are cloned into a private function,
  `mhlo.fusion` with the attribute                a `stablehlo.composite` with `CompositeKind`
  `FusionKind`                                    calls it, and the originals are erased

(Sources: document 002; the builder of the fusion family.) Live-ins are the operands that no member
defines, live-outs the results that something else uses; both without repetition, members from the
last to the first. They are read when code is generated, not when the cluster is found: by then the
results of earlier fusions stand where the values were that those fusions took in, which is what
the original's `updateInputs` repairs afterwards.

The fusion stands before the last member. What stands before it and uses its results is moved behind
it (`recursivelyMoveDependentOps`). That is possible if no path leads out of the cluster and back
in, which every matcher ensures; a cluster with such a path, or more moves than the cap (its value
is a guess), is a bug of the matcher, told by the original's message. Asking which of two ops comes
first numbers a changed block anew, so clusters are put in order before anything is built, and only
results of members before the last are followed up.
"""

from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from typing import Any

from penguin.dialects.hlo import composite
from penguin.dialects.hlo.attributes import FUSION_KIND, Kind
from penguin.errors import UserError
from penguin.mlir import TORCH, bindings_of
from penguin.passlib.diagnostics import describe

_MAX_MOVES = 100_000
_ENDLESS = "Maximum iterations reached while moving dependent ops. Infinite loop likely"
_PREFIX = "hilo.genComposite"


class Builder:
    """Generates the fusions of one module, one after another."""

    def __init__(self, module: Any) -> None:
        self._symbols = composite.Symbols(module, _PREFIX)

    def build(self, cluster: "FusionCluster") -> Any:
        """The fusion or composite that takes the place of the members."""
        if bindings_of(cluster.anchor) is TORCH:
            fusion = _clone_into_composite(cluster, self._symbols.next())
        else:
            fusion = _move_into_fusion(cluster)
        return fusion


class FusionCluster:
    """Members of a fusion in block order, in which `ordered` says they come; `anchor` is the last.

    Raises a located `UserError` (PGH001) if the members are not all in one block.
    """

    def __init__(self, kind: Kind, members: Iterable[Any], *, ordered: bool = False) -> None:
        self.kind = kind
        unordered = list(dict.fromkeys(member.operation for member in members))
        block = unordered[0].block
        for member in unordered:
            if member.block != block:
                raise UserError.at(
                    "PGH001",
                    f"'{member.name}' op is in another block than '{unordered[0].name}' at "
                    f"{describe(unordered[0])}, expected the members of a fusion in one block",
                    describe(member),
                )
        self.members = unordered if ordered else sorted(unordered, key=BLOCK_ORDER)

    @property
    def anchor(self) -> Any:
        """The last member."""
        return self.members[-1]

    def live_ins(self) -> list[Any]:
        """The values that members use and none defines."""
        own = {result for member in self.members for result in member.results}
        used = (v for member in reversed(self.members) for v in composite.operands_of(member))
        return [value for value in dict.fromkeys(used) if value not in own]

    def live_outs(self) -> list[Any]:
        """The results of members that other operations use."""
        members = set(self.members)
        return [
            result
            for member in reversed(self.members)
            for result in member.results
            if any(ancestor(use.owner, member.block) not in members for use in result.uses)
        ]


def _before(one: Any, other: Any) -> int:
    if one == other:
        return 0
    return -1 if one.is_before_in_block(other) else 1


BLOCK_ORDER = cmp_to_key(_before)


def _move_into_fusion(cluster: FusionCluster) -> Any:
    ir = bindings_of(cluster.anchor).ir
    inputs, outputs = cluster.live_ins(), cluster.live_outs()
    location = _location(cluster, ir)
    fusion = ir.Operation.create(
        "mhlo.fusion",
        results=[value.type for value in outputs],
        operands=inputs,
        attributes={FUSION_KIND: ir.StringAttr.get(cluster.kind)},
        regions=1,
        ip=ir.InsertionPoint(cluster.anchor),
        loc=location,
    )
    block = fusion.regions[0].blocks.append(
        *(v.type for v in inputs), arg_locs=[location] * len(inputs)
    )
    mapping = dict(zip(inputs, block.arguments, strict=True))
    early = _early(cluster, fusion, outputs)
    _rewire(cluster, fusion, outputs)
    terminator = ir.Operation.create(
        "mhlo.return", operands=outputs, ip=ir.InsertionPoint(block), loc=location
    )
    for member in cluster.members:
        member.move_before(terminator)
        composite.substitute(member, mapping)
    _move_dependent_ops(fusion, early)
    return fusion


def _clone_into_composite(cluster: FusionCluster, symbol: str) -> Any:
    ir = bindings_of(cluster.anchor).ir
    inputs, outputs = cluster.live_ins(), cluster.live_outs()
    built = composite.outline(
        cluster.anchor,
        symbol,
        ir.StringAttr.get(cluster.kind),
        [(value, value) for value in inputs],
        cluster.members,
        outputs,
        _location(cluster, ir),
    )
    early = _early(cluster, built, outputs)
    _rewire(cluster, built, outputs)
    _move_dependent_ops(built, early)
    for member in reversed(cluster.members):
        member.erase()
    cluster.members.clear()
    return built


def _location(cluster: FusionCluster, ir: Any) -> Any:
    """One location of all members, without metadata."""
    return ir.Location.fused(list(dict.fromkeys(member.location for member in cluster.members)))


def _rewire(cluster: FusionCluster, fusion: Any, outputs: Sequence[Any]) -> None:
    """Uses of the live-outs by anything but members become uses of the fusion's results."""
    members = set(cluster.members)
    block = cluster.anchor.block
    for output, result in zip(outputs, fusion.results, strict=True):
        for use in list(output.uses):
            if ancestor(use.owner, block) not in members:
                use.owner.operands[use.operand_number] = result


def _early(cluster: FusionCluster, fusion: Any, outputs: Sequence[Any]) -> list[Any]:
    """The results that stand for values from before the anchor: their users may, too."""
    pairs = zip(outputs, fusion.results, strict=True)
    return [result for output, result in pairs if output.owner.operation != cluster.anchor]


def _move_dependent_ops(fusion: Any, early: Sequence[Any]) -> None:
    """Moves what depends on these results and stands before the fusion behind it, in old order."""
    block, pending, found = fusion.block, list(early), []
    known = {fusion}
    while pending:
        if len(found) > _MAX_MOVES:
            raise AssertionError(_ENDLESS)
        for use in pending.pop().uses:
            user = ancestor(use.owner, block)
            if user not in known and user.is_before_in_block(fusion):
                known.add(user)
                found.append(user)
                pending.extend(user.results)
    # What the fusion needs cannot go behind it: a path leads out of the cluster and back in.
    if found and any(getattr(v.owner, "operation", None) in known for v in fusion.operands):
        raise AssertionError(_ENDLESS)
    for op in sorted(found, key=BLOCK_ORDER, reverse=True):
        op.move_after(fusion)


def ancestor(op: Any, block: Any) -> Any:
    """The op of `block` that is, or has in its regions, the given one."""
    op = op.operation
    while op.block != block:
        op = op.parent.operation
    return op
