"""Turn tiled nests into NeuronCore instructions on access patterns.

Facts on the original: PASSES.md section 11 (integer add, subtract and multiply and `power` go to
GpSimd, other tensor-tensor work to Vector; sums across partitions are matmuls with ones).

Before (tiled loop level)                    After (inst level)
  affine.for %o = 0 to 2 {                     bir.loop %o = 0 to 2 {
    affine.for %p = 0 to 128 {                   bir.Load a[[64, 128], [1, 64]]@(8192 * o) -> t0
      affine.for %f = 0 to 64 {                  bir.Activation t0 -> t1 {func = "Exp"}
        %x = affine.load %a[...]                 bir.Save t1 -> b[[64, 128], [1, 64]]@(8192 * o)
        %y = math.exp %x                       }
        affine.store %y, %b[...]
      } {penguin.axis = "free"}
    } {penguin.axis = "partition"}
  }

Every scalar op becomes instructions over the marked loops around it (`_select.tiles`); loads and
stores become DMA with the pattern that the affine map gives; an unmarked loop becomes `bir.loop`;
a nest that only copies becomes one DMA from DRAM to DRAM. Reductions: `_select.reductions`.

It fails, located, on what it has no instructions for:
(L1) PGB010: a nest whose bounds or indices are not affine, or an op that is no loop level op;
(L2) PGB011: a scalar op, or a use of an axis, that no instruction sequence covers.
Keeps: DRAM tensors, arguments, order, locations. Leaves alone: nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.analysis.nest import FOR, LOAD, STORE, Leaf, Loop, NotANest, read_nest
from penguin.mlir import ir, walk
from penguin.passes.backend._select.nests import Failed, NestSelector
from penguin.passlib import FunctionPass, Statistic

_KEPT = frozenset({"memref.alloc", "memref.get_global", "func.return", "memref.dealloc"})


@dataclass
class SelectInstructions(FunctionPass):
    name = "select-instructions"
    requires = ("loop-level",)
    produces = ("inst-level",)

    nests = Statistic("Number of nests selected")
    copies = Statistic("Number of nests that became one DMA")
    instructions = Statistic("Number of instructions selected")

    def run(self, func: ir.Operation) -> None:
        block = func.regions[0].blocks[0]
        selector = NestSelector(Aliases(func))
        old = [op.operation for op in block.operations]
        dead = []
        for op in old:
            if op.name in _KEPT:
                continue
            with ir.InsertionPoint(op):
                self.nest(op, selector)
            if self.failed:
                return
            dead.append(op)
        for op in reversed(dead):
            op.erase()
        self.instructions += sum(op.name.startswith("bir.") for op in walk(func))

    def nest(self, op: ir.Operation, selector: NestSelector) -> None:
        try:
            nest = read_nest([op])
            copy = self.copy_of(nest.body)
            if copy is None:
                selector.select(nest)
            else:
                selector.select_copy(nest, *copy)
                self.copies += 1
            self.nests += op.name == FOR
        except NotANest as problem:
            self.error(problem.op, "PGB010", f"cannot select instructions: {problem}")
        except Failed as problem:
            self.error(problem.op, "PGB011", f"cannot select instructions: {problem}")

    def copy_of(self, body: Sequence[Loop | Leaf]) -> tuple[list[Loop], Leaf, Leaf] | None:
        """The loops and the two accesses of a nest that only moves data between buffers."""
        loops: list[Loop] = []
        while len(body) == 1 and isinstance(body[0], Loop) and not body[0].carried:
            loops.append(body[0])
            body = body[0].body
        if len(body) != 2:
            return None
        load, store = body
        if not isinstance(load, Leaf) or not isinstance(store, Leaf):
            return None
        if (load.name, store.name) != (LOAD, STORE) or store.operands[0] != load.result:
            return None
        return loops, load, store
