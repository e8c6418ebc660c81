// A reproducer on request, and running what an input says.
// RUN: penguin-opt %s --cse --canonicalize=max-iterations=2 --mlir-generate-reproducer=%t.mlir -o %t.out && filecheck %s < %t.mlir
// RUN: penguin-opt %t.mlir --run-reproducer --dump-pass-pipeline -o %t.again 2>&1 | filecheck %s --check-prefix=REPLAY
// RUN: diff %t.out %t.again
// RUN: not penguin-opt %s --run-reproducer 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not penguin-opt %t.mlir --run-reproducer --cse 2>&1 | filecheck %s --check-prefix=BOTH

// CHECK: // penguin
// CHECK-NEXT: // replay: penguin-opt --run-reproducer {{.*}}.mlir
// CHECK: pipeline: "builtin.module(cse,canonicalize{max-iterations=2})",
// REPLAY: builtin.module(cse,canonicalize{max-iterations=2})
// NONE: error: the input has no section {-# external_resources: { mlir_reproducer: ... } #-} [PGP015]
// BOTH: --cse cannot be used together with --run-reproducer [PGP011]
func.func @main(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 1 : i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
