// One part is wrong: every other one is still checked, nothing is written, and old output stays.
// RUN: echo old > %t
// RUN: not penguin-opt %s --split-input-file -o %t 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=KEPT < %t
// RUN: not penguin-opt %s --split-input-file 2>/dev/null | filecheck %s --check-prefix=NOTHING --allow-empty

// KEPT: old
// NOTHING-NOT: func
func.func @fine() { return }
// -----
// CHECK: penguin-opt-split-error.mlir:[[# @LINE + 2]]:3: error: 'func.return' op has 0 operands, but enclosing function (@wrong) returns 1
func.func @wrong() -> i32 {
  "func.return"() : () -> ()
}
// -----
// CHECK: penguin-opt-split-error.mlir:[[# @LINE + 1]]:28: error: Dialect `nothing' not found for custom op 'nothing.at_all'
func.func @unknown() {     nothing.at_all }
