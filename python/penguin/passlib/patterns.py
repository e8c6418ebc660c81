"""Rewrite patterns whose legality is a separate pure function.

    def legality(self, op) -> Reject | None: ...      # reads only; first failing clause
    def candidates(self, root) -> Iterable[op]: ...    # what the explain sweep looks at

    @register_pattern(MemcpyOp)
    def fold(self, op, rewriter: Rewriter) -> None: ... # called only if legality returned None

The driver applies the patterns to a fixpoint, then calls `legality` once per surviving candidate
and turns each `Reject` into exactly one missed remark: candidates = done + sum of missed by reason,
in ops and, where the pass has `bytes_of`, in bytes. (What the greedy driver erases because it is
dead is neither; a pass whose candidates cannot die says `with self.books(root)` in its `run`.)

New ops are created before the matched op, with its location. Exceptions never cross the bindings'
frames; a rewrite that returns counts as a change, and there is no other way to say "no match" than
`legality`.
"""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from penguin.mlir import BOUNDARY, guard, ir, rewrite

_MARK = "_penguin_pattern"


@dataclass(frozen=True)
class Reject:
    """Why a candidate is left alone; `reason` is a member of the pass's enum: a closed set."""

    reason: enum.Enum
    suggest: str = ""
    at: Any = None
    args: dict[str, Any] = field(default_factory=dict)


class Limit(enum.Enum):
    """The driver's own reason, for `--rewrite-limit`."""

    REWRITE_LIMIT = "legal, but the rewrite limit was reached"


def register_pattern(
    op_class: type | str, *, benefit: int = 1, legality: str = "legality"
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Marks a method of a pass as the rewrite for one op class (or op name).

    `legality` names the method that decides, for passes with several kinds of candidates.
    """
    name = op_class if isinstance(op_class, str) else op_class.OPERATION_NAME

    def mark(method: Callable[..., None]) -> Callable[..., None]:
        setattr(method, _MARK, (name, benefit, legality))
        return method

    return mark


def registered(cls: type) -> list[tuple[str, str, int, str]]:
    """`(method, op name, benefit, legality method)` of a pass class, in order of declaration."""
    found: dict[str, tuple[str, str, int, str]] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if hasattr(value, _MARK):
                found[name] = (name, *getattr(value, _MARK))
    return list(found.values())


class Rewriter:
    """The bindings' rewriter with the checks whose absence corrupts memory there."""

    def __init__(self, rewriter: rewrite.PatternRewriter) -> None:
        self._rewriter = rewriter
        self.ip = rewriter.ip

    def replace_op(self, op: Any, new: Any) -> None:
        """Replaces `op` by another op or by values of the same number and types, and erases it."""
        results = list(op.operation.results)
        if isinstance(new, ir.Operation | ir.OpView):
            values: Sequence[ir.Value] = list(new.operation.results)
        else:
            values = list(new)
        if [r.type for r in results] != [v.type for v in values]:
            raise AssertionError(
                f"{op.operation.name} with result types {_types(results)} replaced by values "
                f"of types {_types(values)}"
            )
        self._rewriter.replace_op(op, values)

    def erase_op(self, op: Any) -> None:
        """Erases an op without uses."""
        if any(True for result in op.operation.results for _ in result.uses):
            raise AssertionError(f"erasing {op.operation.name}, which still has uses")
        self._rewriter.erase_op(op)


def _types(values: Sequence[ir.Value]) -> str:
    return "(" + ", ".join(str(v.type) for v in values) + ")"


class Driver:
    """Applies the patterns of one pass instance."""

    # A guard against patterns that undo each other; no real module comes near it.
    MAX_REWRITES = 10_000_000

    def __init__(self, instance: Any) -> None:
        self.instance = instance

    def apply(self, root: ir.Operation, *, greedy: bool) -> None:
        """Runs the patterns to a fixpoint, with a worklist or with sweeps in program order."""
        patterns = rewrite.RewritePatternSet()
        for method, op_name, benefit, legality in registered(type(self.instance)):
            callback = BOUNDARY.wrap(self._callback(method, legality), True)
            patterns.add(op_name, callback, benefit)
        frozen = patterns.freeze()
        if not greedy:
            self._sweep(root, frozen)
            return
        config = rewrite.GreedyRewriteConfig()
        config.max_num_rewrites = self.MAX_REWRITES
        config.enable_folding = False
        config.enable_constant_cse = False
        config.region_simplification_level = rewrite.GreedySimplifyRegionLevel.DISABLED
        with guard():
            rewrite.apply_patterns_and_fold_greedily(root, frozen, config)

    def _sweep(self, root: ir.Operation, frozen: rewrite.FrozenRewritePatternSet) -> None:
        """Passes over all ops in program order until one changes nothing."""
        done = -1
        while done != self.instance.balance.done:
            done = self.instance.balance.done
            if done > self.MAX_REWRITES:
                raise AssertionError(f"{done} rewrites: the patterns undo each other")
            with guard():
                rewrite.walk_and_apply_patterns(root, frozen)

    def _callback(self, method: str, legality: str) -> Callable[[Any, Any], bool]:
        """The bindings read a true result as "no match"."""
        instance = self.instance
        legal = getattr(instance, legality)
        fold = getattr(instance, method)

        def match_and_rewrite(op: Any, rewriter: rewrite.PatternRewriter) -> bool:
            if not instance.may_rewrite() or legal(op) is not None:
                return True
            instance.about_to_rewrite(op, method)
            with op.operation.location, rewriter.ip:
                fold(op, Rewriter(rewriter))
            instance.has_rewritten()
            return False

        return match_and_rewrite
