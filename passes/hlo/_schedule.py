"""ScheduleFusion on either dialect: the one body of `schedule-fusion` and its stablehlo twin.

See `schedule_fusion.py` for what it does and why.
"""

import enum
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from penguin.dialects.hlo.attributes import Kind
from penguin.mlir import walk
from penguin.passes.hlo._cluster import BLOCK_ORDER, Builder, ancestor
from penguin.passes.hlo._fusion import Match, functions, is_fusable, mnemonic, producer
from penguin.passlib import Reject
from penguin.passlib.patterns import Limit

_GATHER, _SCATTER = "all_gather", "reduce_scatter"
# At these the search for a producer ends (document 002).
_BOUNDARY = frozenset({_GATHER, _SCATTER, "all_reduce", "all_to_all"})
# What talks to the world outside of the program or draws from shared state: nothing passes by it.
_EFFECTS = _BOUNDARY | frozenset(
    "collective_permute collective_broadcast send recv infeed outfeed create_token after_all "
    "async_start async_update async_done rng".split()
)
_EFFECT_ATTRIBUTE = "has_side_effect"


class Why(enum.Enum):
    NO_ALL_GATHER = "no all_gather is among the producers of the reduce_scatter"  # L1
    BOUNDARY = "another collective ends the search for the all_gather"  # L2
    TOO_FAR = "more operations would have to be looked at than max-ops allows"  # L3
    COMMUNICATION = "communication or a side effect stands between the two collectives"  # L4
    COMPUTE_BETWEEN = "the reduce_scatter depends on the all_gather through compute"  # L5


@dataclass
class Plan:
    """A reduce_scatter, the all_gather that it goes back to, and what stands between them.

    `between` are the ops on the way from the one to the other, `after` the other ops in the window
    that need the all_gather; `independent` is the number of all others.
    """

    gather: Any
    scatter: Any
    between: list[Any]
    after: list[Any]
    independent: int

    @property
    def moves(self) -> int:
        """How many ops are moved."""
        return len(self.after) + (1 + len(self.between) if self.independent else 0)


def schedule(instance: Any, module: Any, max_ops: int) -> tuple[int, int]:
    """Runs on a module; says how many clusters were made and how many ops were moved."""
    effects, builder = Effects(module), Builder(module)
    clusters, moved = 0, 0
    for function in functions(module):
        positions = Positions(effects)
        # Listed before anything is moved.
        for scatter in [op for op in walk(function) if mnemonic(op) == _SCATTER]:
            if not is_fusable(scatter):
                continue
            found = plan(scatter, positions, max_ops)
            if isinstance(found, Plan) and not instance.may_rewrite():
                found = Reject(Limit.REWRITE_LIMIT)
            if isinstance(found, Reject):
                instance.decline(scatter, found)
                continue
            if found.moves:
                instance.passed(scatter, "Rescheduled", Moved=found.moves)
                moved += found.moves
                _move(found)
            if found.between:
                args = {"Between": len(found.between)}
                instance.decline(scatter, Reject(Why.COMPUTE_BETWEEN, at=found.gather, args=args))
                continue
            match = Match(Kind.SCHEDULE_FUSION, [found.gather, scatter])
            instance.done(scatter, match.kind, Ops=len(match.members))
            builder.build(match.cluster())
            clusters += 1
    return clusters, moved


def plan(scatter: Any, positions: "Positions", max_ops: int) -> Plan | Reject:
    """Reads only."""
    gather = _source(scatter, max_ops)
    if isinstance(gather, Reject):
        return gather
    window = positions.between(gather, scatter)
    if window is None:
        return Reject(Why.COMMUNICATION, at=gather)
    dependents = _dependents(gather, scatter, max_ops)
    if dependents is None:
        return Reject(Why.TOO_FAR, at=gather, args={"MaxOps": max_ops})
    between: set[Any] = set()
    for op in reversed(dependents):
        if any(user == scatter or user in between for user in _users(op)):
            between.add(op)
    return Plan(
        gather,
        scatter,
        [op for op in dependents if op in between],
        [op for op in dependents if op not in between],
        window - len(dependents),
    )


def _move(found: Plan) -> None:
    """Both collectives as near to each other as SSA permits, everything else in its old order."""
    if found.independent:
        for op in (found.gather, *found.between):
            op.move_before(found.scatter)
    for op in reversed(found.after):
        op.move_after(found.scatter)


def _source(scatter: Any, max_ops: int) -> Any:
    """The first all_gather that a search through the producers meets, breadth first."""
    pending = deque(_producers(scatter))
    seen: set[Any] = set()
    stopped: Any = None
    while pending:
        op = pending.popleft()
        if op in seen:
            continue
        if len(seen) >= max_ops:
            return Reject(Why.TOO_FAR, args={"MaxOps": max_ops})
        seen.add(op)
        name = mnemonic(op)
        if name == _GATHER:
            return op
        if name in _BOUNDARY:
            stopped = stopped or op
        else:
            pending.extend(_producers(op))
    if stopped is not None:
        return Reject(Why.BOUNDARY, at=stopped, args={"Collective": stopped.name})
    return Reject(Why.NO_ALL_GATHER)


def _producers(op: Any) -> Iterator[Any]:
    for value in op.operands:
        found = producer(value)
        if found is not None and found.block == op.block:
            yield found


def _users(op: Any) -> Iterator[Any]:
    """The ops of the block that use results of an op, in their regions or themselves."""
    for result in op.results:
        for use in result.uses:
            yield ancestor(use.owner, op.block)


def _dependents(gather: Any, scatter: Any, max_ops: int) -> list[Any] | None:
    """What needs the all_gather before the reduce_scatter, in order; None if that is too much."""
    found: dict[Any, None] = {}
    pending = [gather]
    while pending:
        for user in _users(pending.pop()):
            if user not in found and user != scatter and user.is_before_in_block(scatter):
                if len(found) >= max_ops:
                    return None
                found[user] = None
                pending.append(user)
    return sorted(found, key=BLOCK_ORDER)


class Positions:
    """Places of the ops of blocks, and of those among them that nothing may pass by.

    Read once per block. What the pass moves stays within a window between two neighbours among the
    latter, or goes just behind the window, so numbers of ops in other windows stay right. The keys
    are first results: the hash of an op in the bindings is that of its operands, which change.
    """

    def __init__(self, effects: "Effects") -> None:
        self._effects = effects
        self._blocks: dict[Any, tuple[dict[Any, int], dict[Any, int]]] = {}

    def between(self, first: Any, last: Any) -> int | None:
        """The number of ops between two with effects; None if one of those has effects, too."""
        known = self._blocks.get(first.block)
        if known is None:
            ops = [view.operation for view in first.block.operations]
            ranks = _numbered(filter(self._effects.has, ops))
            known = self._blocks[first.block] = _numbered(ops), ranks
        places, ranks = known
        begin, end = first.results[0], last.results[0]
        if ranks[end] != ranks[begin] + 1:
            return None
        return places[end] - places[begin] - 1


def _numbered(ops: Iterable[Any]) -> dict[Any, int]:
    """The numbers of the ops that have results."""
    return {op.results[0]: number for number, op in enumerate(ops) if len(op.results)}


class Effects:
    """Which ops communicate or have side effects, themselves or by what they contain or call."""

    def __init__(self, module: Any) -> None:
        self._functions = {
            op.attributes["sym_name"].value: op
            for op in (v.operation for v in module.operation.regions[0].blocks[0].operations)
            if op.name == "func.func"
        }
        self._known: dict[str, bool] = {}

    def has(self, op: Any) -> bool:
        """Whether nothing may be moved past the op."""
        if len(op.regions):
            return any(self._itself(each) for each in walk(op))
        return self._itself(op)

    def _itself(self, op: Any) -> bool:
        name = mnemonic(op)
        if name in _EFFECTS:
            return True
        if name == "custom_call":
            effect = _EFFECT_ATTRIBUTE
            return effect in op.attributes and op.attributes[effect].value
        if name == "composite":
            return self._callee(op.attributes["decomposition"].value)
        return self._callee(op.attributes["callee"].value) if op.name == "func.call" else False

    def _callee(self, symbol: str) -> bool:
        if symbol not in self._known:
            # For a function that calls itself: the careful answer until there is another.
            self._known[symbol] = True
            callee = self._functions.get(symbol)
            self._known[symbol] = (
                callee is None
                or not len(callee.regions[0].blocks)
                or (any(self._itself(op) for op in walk(callee)))
            )
        return self._known[symbol]
