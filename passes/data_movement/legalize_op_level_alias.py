"""Give ops that cannot work in place a temporary destination.

Source: document 000, "Pipeline Placement" (LegalizeOpLevelAlias). Its body is not public: a guess.

Before (%o is in the buffer of %a)                After
                                                    %t = memref.alloc()
  "penguin.transpose"(%a, %o)                       "penguin.transpose"(%a, %t)
                                                    "penguin.memcpy"(%t, %o)

An op reads its sources before it writes its destinations, so this is what it means already; but a
loop nest would read what it has overwritten, which the lowering passes refuse (PGL010).

An op is legal as it is if, for each of its destinations and each of its other operands:
  (L1) the two have no element in common; or
  (L2) they are the same elements, and the op works element by element (unary, binary, ternary,
       select) or copies.
A fusion never works in place: its body may read a source after it has written a destination. Two
destinations in one buffer stay as they are.
Leaves alone: loop nests.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from penguin.analysis.aliases import Aliases
from penguin.dialects.base import tensor
from penguin.dialects.penguin import FusionOp, MemcpyOp
from penguin.dialects.penguin.attributes import NAME, PREFIX
from penguin.mlir import ir, memref, walk
from penguin.passes.data_movement._sharing import POINTWISE, report_faults
from penguin.passlib import FunctionPass, Statistic, Unit


@dataclass
class LegalizeOpLevelAlias(FunctionPass):
    name = "legalize-op-level-alias"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    legalized = Statistic("Number of ops given a temporary")
    temporaries = Statistic("Number of temporaries")
    temporary_bytes = Statistic("Bytes of temporaries", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        if report_faults(self, root):
            return
        self.aliases = Aliases(root)
        ops = [op for op in walk(root.operation) if op.name.startswith(PREFIX)]
        for op in ops:
            # The ops of a body work on the operands of the fusion, which gets the temporary.
            if op.parent.operation.name == FusionOp.OPERATION_NAME:
                continue
            destinations = list(self.illegal(op))
            if destinations and self.may_rewrite():
                self.done(op, "Temporary", Op=op.name)
                self.legalized += 1
                for number in destinations:
                    self.insert(op, number)

    def illegal(self, op: ir.Operation) -> Iterator[int]:
        """Numbers of the destinations that the op would overwrite too early."""
        effects = op.opview.effects()
        sources = [op.operands[number] for number in effects.reads]
        in_place = isinstance(op.opview, (*POINTWISE, MemcpyOp))
        for number in effects.writes:
            dst = op.operands[number]
            for src in sources:
                if not (self.aliases.no(src, dst) or (in_place and self.aliases.must(src, dst))):
                    yield number
                    break

    def insert(self, op: ir.Operation, number: int) -> None:
        dst = op.operands[number]
        facts = tensor(dst)
        with op.location:
            with ir.InsertionPoint(op):
                alloc = memref.AllocOp(dst.type, [], [])
            alloc.operation.attributes[NAME] = ir.StringAttr.get(self.unused_name())
            op.operands[number] = alloc.result
            MemcpyOp(alloc.result, dst, ip=ir.InsertionPoint.after(op))
        self.temporaries += 1
        self.temporary_bytes += facts.count * facts.dtype.itemsize

    def unused_name(self) -> str:
        number = self.temporaries
        while f"tmp{number}" in self.aliases.names:
            number += 1
        self.aliases.names[f"tmp{number}"] = []
        return f"tmp{number}"
