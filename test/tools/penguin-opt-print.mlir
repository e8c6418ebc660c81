// How the result is printed, and the IR between passes.
// RUN: penguin-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: penguin-opt %s --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=LOCAL
// RUN: penguin-opt %s --mlir-elide-elementsattrs-if-larger=2 | filecheck %s --check-prefix=ELIDE
// RUN: penguin-opt %s --mlir-print-skip-regions | filecheck %s --check-prefix=SKIP
// RUN: penguin-opt %s --cse --canonicalize --mlir-print-ir-after-all -o /dev/null 2>&1 | filecheck %s --check-prefix=AFTER
// RUN: penguin-opt %s --cse --cse --mlir-print-ir-after-all --mlir-print-ir-after-change -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: penguin-opt %s --cse --canonicalize --mlir-print-ir-before=canonicalize -o /dev/null 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: penguin-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after=cse -o /dev/null 2>&1 | filecheck %s --check-prefix=NESTED
// RUN: penguin-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after=cse --mlir-print-ir-module-scope -o /dev/null 2>&1 | filecheck %s --check-prefix=SCOPE
// RUN: not penguin-opt %s --cse --lower-tensor-op --hlo-to-penguin --mlir-print-ir-after-failure -o /dev/null 2>&1 | filecheck %s --check-prefix=CONTRACT
// RUN: not penguin-opt %s --cse --one-shot-bufferize --mlir-print-ir-after-failure -o /dev/null 2>&1 | filecheck %s --check-prefix=FAILED
// RUN: rm -rf %t && penguin-opt %s --pass-pipeline='builtin.module(cse,func.func(cse,canonicalize),symbol-dce)' --mlir-print-ir-tree-dir=%t -o /dev/null
// RUN: ls %t/builtin_module_no-symbol-name %t/builtin_module_no-symbol-name/func_func_main | filecheck %s --check-prefix=TREE
// RUN: filecheck %s --check-prefix=DUMP < %t/builtin_module_no-symbol-name/func_func_main/1_0_cse.mlir

// GENERIC: "func.func"() <{
// GENERIC: "stablehlo.constant"() <{value = dense<[1, 2, 3]>
// LOCAL: stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32> loc("{{.*}}penguin-opt-print.mlir":[[# @LINE + 34]]:8)
// ELIDE: dense_resource<__elided__>
// SKIP: module {...}
// AFTER: {{^}}// -----// IR Dump After Cse (cse) //----- //
// AFTER-NEXT: module {
// AFTER: {{^}}// -----// IR Dump After Canonicalize (canonicalize) //----- //
// CHANGE: IR Dump After Cse (cse)
// CHANGE-NOT: IR Dump
// BEFORE-NOT: IR Dump After
// BEFORE: IR Dump Before Canonicalize (canonicalize)
// BEFORE-NOT: IR Dump
// NESTED: IR Dump After Cse (cse) //----- //
// NESTED-NEXT: func.func @main
// NESTED: IR Dump After Cse (cse) //----- //
// NESTED-NEXT: func.func @other
// SCOPE: IR Dump After Cse (cse) ('func.func' operation: @main) //----- //
// SCOPE-NEXT: module {
// SCOPE: IR Dump After Cse (cse) ('func.func' operation: @other) //----- //
// FAILED-NOT: IR Dump After Cse
// FAILED: IR Dump After OneShotBufferize Failed (one-shot-bufferize)
// FAILED: error: op was not bufferized
// FAILED: note: upstream pass 'one-shot-bufferize' failed [PGP009]
// CONTRACT-NOT: IR Dump
// CONTRACT: requires 'tensor-level'
// TREE: 0_cse.mlir
// TREE-NEXT: 2_symbol-dce.mlir
// TREE-NEXT: func_func_main
// TREE-NEXT: func_func_other
// TREE: 1_0_cse.mlir
// TREE-NEXT: 1_1_canonicalize.mlir
// DUMP: IR Dump After Cse (cse)
// DUMP-NEXT: func.func @main
// DUMP-NOT: @other
func.func @main() -> (tensor<3xi32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  return %a, %b : tensor<3xi32>, tensor<3xi32>
}
func.func @other() {
  return
}
