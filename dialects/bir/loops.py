"""`bir.loop`: a rolled loop around instructions.

Semantics: the body runs for the induction variable = lower, lower + step... below upper, in order.
The variable is an index that instructions use as an axis of their offsets. A `memref.alloc` in the
body is a fresh tile in every iteration.

    "bir.loop"() ({
    ^bb0(%i0: index):
      ...
    }) {lower = 0 : i64, step = 1 : i64, upper = 8 : i64} : () -> ()

Constraints: (C1) step >= 1; (C2) lower < upper, so that the body runs at least once; (C3) the
region is one block with one index argument; (C4) the body holds only instructions, loops,
`memref.alloc` and `memref.get_global`.
"""

from typing import NamedTuple

from penguin.dialects.base import Region
from penguin.dialects.bir.dialect import Bir
from penguin.dialects.bir.target import PREFIX
from penguin.mlir import ir

LOWER = "lower"
UPPER = "upper"
STEP = "step"

_BODY_OPS = frozenset({"memref.alloc", "memref.get_global", "memref.dealloc"})


class Range(NamedTuple):
    """The values lower, lower + step, ... below upper."""

    lower: int
    upper: int
    step: int

    @property
    def trips(self) -> int:
        """Number of iterations."""
        return len(range(*self))

    @property
    def last(self) -> int:
        """Value of the last iteration."""
        return self.lower + (self.trips - 1) * self.step


class LoopOp(Bir.Operation, name="loop", traits=[ir.NoTerminatorTrait]):
    """A counted loop; see the module's docstring."""

    lower: ir.IntegerAttr
    upper: ir.IntegerAttr
    step: ir.IntegerAttr
    body: Region

    @property
    def range(self) -> Range:
        """The loop's bounds."""
        attributes = self.attributes
        return Range(*(attributes[key].value for key in (LOWER, UPPER, STEP)))

    @property
    def block(self) -> ir.Block:
        """The block that holds the body."""
        return self.regions[0].blocks[0]

    @property
    def axis(self) -> ir.Value:
        """The induction variable."""
        return self.block.arguments[0]

    def violation(self) -> str | None:
        lower, upper, step = self.range
        if step < 1:
            return f"has step {step}, expected at least 1 (C1)"
        if lower >= upper:
            return f"runs from {lower} to {upper}, expected at least one iteration (C2)"
        blocks = list(self.regions[0].blocks)
        if len(blocks) != 1:
            return f"has {len(blocks)} blocks, expected 1 (C3)"
        arguments = [str(a.type) for a in blocks[0].arguments]
        if arguments != ["index"]:
            return f"has block arguments ({', '.join(arguments)}), expected (index) (C3)"
        for op in blocks[0].operations:
            name = op.operation.name
            if not name.startswith(PREFIX) and name not in _BODY_OPS:
                return f"has '{name}' in its body, expected instructions, loops and tiles (C4)"
        return None
