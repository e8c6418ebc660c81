// stdin, stdout, files, bytecode, modules that are not there, round trips.
// RUN: penguin-opt < %s | filecheck %s
// RUN: penguin-opt - < %s | filecheck %s
// RUN: penguin-opt %s -o %t.mlir && filecheck %s < %t.mlir
// RUN: penguin-opt %s --emit-bytecode -o %t.bc && penguin-opt %t.bc | filecheck %s
// RUN: penguin-opt %s --emit-bytecode | penguin-opt | filecheck %s
// RUN: penguin-opt %s --verify-roundtrip | filecheck %s
// RUN: penguin-opt %s --no-implicit-module | filecheck %s --check-prefix=BARE
// RUN: penguin-opt %s --no-implicit-module --pass-pipeline='func.func(cse)' --verify-roundtrip | filecheck %s --check-prefix=BARE
// RUN: penguin-opt %s --target=trn1 | filecheck %s --check-prefix=TARGET
// RUN: sed -e 's/stablehlo.tanh/other.tanh/' -e 's/ %%x : tensor<f32>/(%%x) : (tensor<f32>) -> tensor<f32>/' -e 's/= other.tanh/= "other.tanh"/' %s | penguin-opt --allow-unregistered-dialect | filecheck %s --check-prefix=OTHER

// CHECK: module {
// CHECK-NEXT: func.func @main
// BARE-NOT: module
// BARE: func.func @main
// TARGET: module attributes {bir.target = "trn1"}
// OTHER: "other.tanh"
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.tanh %x : tensor<f32>
  return %y : tensor<f32>
}
