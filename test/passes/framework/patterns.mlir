// Patterns with legality: what is legal is rewritten, the rest is explained, and the books balance.
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold | filecheck %s
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold --remark-format=emitRemark -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-fold --rewrite-limit=1 --remarks-filter=test --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=LIMIT

// CHECK-LABEL: func.func @folds_a_chain(
// CHECK-SAME: %[[X:.*]]: i32)
// CHECK-NOT: arith.addi
// CHECK: return %[[X]]
// REMARK-DAG: patterns.mlir:[[# @LINE + 3]]:8: remark: [Passed] Fold | Category:framework_passes:test-fold | Function=folds_a_chain | Bytes=4
func.func @folds_a_chain(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %a = arith.addi %x, %zero : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}

// CHECK-LABEL: func.func @l1_right_is_an_argument(
// CHECK: arith.addi
// REMARK-DAG: patterns.mlir:[[# @LINE + 2]]:8: remark: [Missed] NotConstant | Category:framework_passes:test-fold | Function=l1_right_is_an_argument | Reason="the right operand is not a constant", Bytes=4
func.func @l1_right_is_an_argument(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  return %a : i32
}

// CHECK-LABEL: func.func @l2_right_is_one(
// CHECK: arith.addi
// REMARK-DAG: patterns.mlir:[[# @LINE + 3]]:8: remark: [Missed] NotZero | Category:framework_passes:test-fold | Function=l2_right_is_one | Reason="the right operand is not zero", Bytes=4, Op="arith.addi", At="{{.*}}patterns.mlir:[[# @LINE + 2]]:10", Suggestion="add zero instead"
func.func @l2_right_is_one(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %a = arith.addi %x, %one : i32
  return %a : i32
}

// Four candidates of four bytes: two done, two missed.
// STAT: 'builtin.module' Pipeline
// STAT-NEXT: 'func.func' Pipeline
// STAT-NEXT: TestFold
// STAT-NEXT: (S) 2 folded - Number of additions folded
// STAT-NEXT: (S) 8 folded-bytes - Number of bytes folded (bytes)
// STAT-NEXT: (S) 4 candidates - Number of candidates
// STAT-NEXT: (S) 16 candidate-bytes - Bytes of candidates (bytes)
// STAT-NEXT: (S) 2 rewritten - Number of candidates rewritten
// STAT-NEXT: (S) 8 rewritten-bytes - Bytes of candidates rewritten (bytes)
// STAT-NEXT: (S) 2 surviving - Number of candidates that stay
// STAT-NEXT: (S) 8 surviving-bytes - Bytes of candidates that stay (bytes)
// STAT-NEXT: (S) 1 missed-not-constant - Number of candidates that stay: not-constant
// STAT-NEXT: (S) 4 missed-not-constant-bytes - Bytes of candidates that stay: not-constant (bytes)
// STAT-NEXT: (S) 1 missed-not-zero
// STAT-NEXT: (S) 4 missed-not-zero-bytes

// LIMIT: [Missed] RewriteLimit | {{.*}} Reason="legal, but the rewrite limit was reached"
// LIMIT: (S) 4 candidates
// LIMIT: (S) 1 rewritten
// LIMIT: (S) 1 missed-rewrite-limit
