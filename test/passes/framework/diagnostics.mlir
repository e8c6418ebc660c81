// Errors, warnings, notes and remarks of passes, compared with expectations in comments.
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-diagnostics --remarks-filter=.* --split-input-file --verify-diagnostics
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-diagnostics --split-input-file 2>&1 | filecheck %s

// All errors of all functions are reported at once.
// CHECK: {{.*}}diagnostics.mlir:[[# @LINE + 5]]:3: error: first [PGT999]
// CHECK-NEXT: {{.*}}diagnostics.mlir:[[# @LINE + 2]]:1: note: in this function
// CHECK-NEXT: {{.*}}diagnostics.mlir:[[# @LINE + 9]]:3: error: second [PGT999]
func.func @a() { // expected-note {{in this function}}
  // expected-error@+1 {{first}}
  return {test.error = "first"}
}

// expected-note@+1 {{in this function}}
func.func @b() {
  // expected-error@below {{second}}
  return {test.error = "second"}
}

// -----

// A warning does not fail the pass.
func.func @c(%x: i32) -> i32 {
  // expected-remark@+2 {{[Passed] Seen | Category:framework_passes:test-diagnostics | Function=c | Text="hello"}}
  // expected-warning-re@below {{one of {{[0-9]+}} things}}
  %y = arith.addi %x, %x {test.remark = "hello", test.warning = "one of 12 things"} : i32
  return %y : i32
}

// -----

// An error that a pass emits through MLIR fails it, too.
func.func @d() {
  return {test.emit = "through mlir"}
  // expected-error@above {{through mlir}}
}

// -----

// An op without a place in this file; the name of its location says where it is from.
// CHECK: model.py:5:27: error: elsewhere [PGT999]
// CHECK-NEXT: note: the op comes from jit(f)/mlp/dot
// expected-error@unknown {{elsewhere}}
// expected-note@+1 {{in this function}}
func.func @e() {
  return {test.error = "elsewhere"} loc("jit(f)/mlp/dot"(callsite("f"("model.py":5:27) at "main.py":1:1)))
}
