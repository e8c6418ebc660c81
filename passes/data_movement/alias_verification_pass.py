"""Check what a function declares about shared buffers.

Source: document 000, "Pipeline Placement" (AliasVerificationPass). Its body is not public: a guess.

  @main(%a {penguin.io = "input"},
        %o {penguin.io = "output", penguin.alias = 0})     %o is in the buffer of argument 0
  %t = memref.alloc() {penguin.must_alias = "out0"}        %t is in the buffer of the tensor "out0"

All of the following, else an error at the argument or allocation (`penguin.analysis.aliases`; the
interpreter and the readers of BIR check the same):
  (L1) `penguin.alias` is an i64 and the number of an argument (PGA001);
  (L2) both tensors have one type (PGA002);
  (L3) an input is the buffer of one output at most (PGA003);
  (L4) outputs name inputs, and allocations do not name each other in a circle (PGA004);
  (L5) `penguin.must_alias` is the name of one tensor of the function (PGA005).
Changes nothing.
"""

from dataclasses import dataclass

from penguin.mlir import ir
from penguin.passes.data_movement._sharing import report_faults
from penguin.passlib import FunctionPass


@dataclass
class AliasVerificationPass(FunctionPass):
    name = "alias-verification-pass"

    def run(self, root: ir.OpView) -> None:
        report_faults(self, root)
