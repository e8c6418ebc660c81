// RUN: penguin-opt %s --late-lower-tensor-op --split-input-file --verify-diagnostics
// RUN: not penguin-opt %s --late-lower-tensor-op --split-input-file 2>&1 | filecheck %s

func.func @transpose_in_place(%a: memref<4x4xf32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.transpose' op operand #1 is operand #0, expected a destination that is not read}}
  "penguin.transpose"(%a, %a) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}
