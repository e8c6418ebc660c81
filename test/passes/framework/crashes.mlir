// A bug in a pass: the pass is named, a reproducer holds the module from before it, one command replays it.
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold --test-crash --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=FILE < %t.mlir
// RUN: not penguin-opt --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --run-reproducer %t.mlir 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold --test-crash --mlir-pass-pipeline-local-reproducer=false --mlir-pass-pipeline-crash-reproducer=%t.whole.mlir 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=WHOLE < %t.whole.mlir
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-crash --debug 2>&1 | filecheck %s --check-prefix=DEBUG
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-crash-in-pattern 2>&1 | filecheck %s --check-prefix=PATTERN
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-silent-failure 2>&1 | filecheck %s --check-prefix=SILENT
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-invalid-ir 2>&1 | filecheck %s --check-prefix=INVALID
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-forgetful 2>&1 | filecheck %s --check-prefix=FORGETFUL
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-raise-user-error 2>&1 | filecheck %s --check-prefix=USER

// CHECK: penguin-opt: error: internal error in pass 'test-crash': ValueError: planted [PGX001]
// CHECK-NEXT: note: reproducer written to {{.*}}.mlir
// CHECK-NEXT: note: replay with: penguin-opt --load-pass-plugin={{.*}}framework_passes.py --run-reproducer {{.*}}.mlir
// CHECK-NOT: Traceback
// CHECK-NOT: func.func

// The module as it was before the pass: folded, not yet erased.
// FILE: // penguin {{.*}}, torch-mlir {{.*}}: pass 'test-crash'
// FILE-NEXT: // replay: penguin-opt
// FILE: func.func @f(%[[X:.*]]: i32
// FILE-NOT: arith.addi
// FILE: return %[[X]]
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(test-crash)",
// FILE-NEXT: disable_threading: true,
// FILE-NEXT: verify_each: true

// AGAIN: internal error in pass 'test-crash': ValueError: planted [PGX001]

// WHOLE: arith.addi
// WHOLE: pipeline: "builtin.module(func.func(test-fold),test-crash)",

// DEBUG: Traceback (most recent call last):
// DEBUG: ValueError: planted

// PATTERN: internal error in pass 'test-crash-in-pattern': KeyError: 'planted' [PGX001]
// SILENT: internal error in pass 'test-silent-failure': failed without a message [PGX002]
// INVALID: internal error in pass 'test-invalid-ir': left invalid IR: {{.*}}crashes.mlir:[[# @LINE + 9]]:3: 'func.return' op has 2 operands, but enclosing function (@f) returns 1 [PGX003]
// FORGETFUL: internal error in pass 'test-forgetful': AssertionError: arith.addi at {{.*}}crashes.mlir:[[# @LINE + 7]]:8 is legal but was not rewritten

// One per function, and a user error.
// USER: somewhere.py:1:2: error: this function is not liked [PGT997]
// USER-NOT: internal
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %y = arith.addi %x, %zero : i32
  return %y : i32
}
