// Nothing is changed if something is not supported: the IR after the failure is the one before.
// RUN: not penguin-opt --hlo-to-penguin --mlir-print-ir-after-failure %s 2>&1 | filecheck %s

// CHECK-NOT: memref
// CHECK: func.func @fine(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: stablehlo.tanh
// CHECK: func.func @not_fine
// CHECK-NEXT: stablehlo.fft
// CHECK-NOT: memref
func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @not_fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %a : tensor<4xf32>
}
