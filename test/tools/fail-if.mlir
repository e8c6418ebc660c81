// Conditions on statistics: everything is written, then the exit status is 1.
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --fail-if "test-fold.surviving > 2" --fail-if 'test_fold.surviving_bytes>8 or test-fold.folded == 0' | filecheck %s
// RUN: not penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --fail-if "test-fold.surviving_bytes > 0" -o %t.mlir --mlir-pass-statistics 2> %t.err
// RUN: filecheck %s < %t.mlir
// RUN: filecheck %s --check-prefix=HOLDS < %t.err
// RUN: not penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --fail-if "test-fold.surviving >= 1 and (test-fold.folded != 1 or test-fold.missed-not-zero < 1K)" --fail-if="test-fold.missed-rewrite-limit == 0" -o %t.mlir 2>&1 | filecheck %s --check-prefix=SEVERAL
// RUN: not penguin-opt %s --cse --fail-if "sub-exp-fusion.surviving > 0" -o %t.cse.mlir 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: filecheck %s --check-prefix=UNCHANGED < %t.cse.mlir

// A split input is counted as a whole.
// RUN: not penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --split-input-file='// next' --fail-if "test-fold.candidates > 2" -o %t.mlir 2>&1 | filecheck %s --check-prefix=SPLIT

// HOLDS: (S) 2 surviving
// HOLDS: penguin-opt: error: --fail-if "test-fold.surviving_bytes > 0" holds: test-fold.surviving-bytes is 8 [PGP019]
// SEVERAL: holds: test-fold.surviving is 2, test-fold.folded is 1, test-fold.missed-not-zero is 1 [PGP019]
// SEVERAL-NEXT: holds: test-fold.missed-rewrite-limit is 0 [PGP019]
// ABSENT: --fail-if:1:1: error: pass 'sub-exp-fusion' did not run [PGP021]
// ABSENT-NEXT: sub-exp-fusion.surviving > 0
// SPLIT: holds: test-fold.candidates is 3 [PGP019]
// UNCHANGED: func.func @f

// CHECK-LABEL: func.func @f(
// CHECK: arith.addi %arg0, %arg0
// CHECK-LABEL: func.func @g(
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %a = arith.addi %x, %x : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}

// next


func.func @g(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %a = arith.addi %x, %one : i32
  return %a : i32
}
