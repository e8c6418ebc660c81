// A copy from the outside to the outside has to stay: the check of CI fails, the report says why, the program is written.
// RUN: rm -f %t.bir && not penguin-compile %s -o %t.bir --report=copies --fail-if "memcpy-elimination.surviving_bytes > 0" 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=BIR < %t.bir
// RUN: penguin-compile %s -o /dev/null --fail-if "memcpy-elimination.surviving_bytes > 128" --fail-if "memcpy_elimination.candidates == 0"
// RUN: rm -f %t.bir && not penguin-compile %s -o %t.bir --fail-if "memcpy-elimination.survivng > 0" 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not ls %t.bir
// RUN: not penguin-compile %s -o /dev/null --fail-if 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: penguin-compile --explain=PGP019 | filecheck %s --check-prefix=PAGE

// CHECK: Copies that stayed: 1 op, 128 bytes
// CHECK-NEXT: bytes op from -> to location owner reason
// CHECK-NEXT: 128 penguin.memcpy arg0:32xf32 -> out0:32xf32 {{.*}}penguin-compile-fail-if.mlir:22:3
// CHECK: penguin-compile: error: --fail-if "memcpy-elimination.surviving_bytes > 0" holds: memcpy-elimination.surviving-bytes is 128 [PGP019]
// CHECK-NOT: error
// BIR: module trn2
// UNKNOWN: --fail-if:1:20: error: pass 'memcpy-elimination' has no statistic 'survivng', did you mean 'surviving'? [PGP021]
// NOTHING: --fail-if needs a value: --fail-if=<condition> [PGP011]
// PAGE: # PGP019

func.func @main(%x: tensor<8x4xf32>) -> tensor<32xf32> {
  %a = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  return %a : tensor<32xf32>
}
