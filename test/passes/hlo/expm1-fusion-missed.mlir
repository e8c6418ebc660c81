// RUN: penguin-opt --expm1-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --expm1-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// USES
// CHECK: [Missed] Uses | Category:hlo:expm1-fusion | Function=uses | Reason="the op has not exactly one use"
func.func @uses(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// NOT_FLOAT
// CHECK: [Missed] NotFloat | Category:hlo:expm1-fusion | Function=complex | Reason="the elements are no floats"
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.exponential_minus_one %x : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-NOT: [Missed]
