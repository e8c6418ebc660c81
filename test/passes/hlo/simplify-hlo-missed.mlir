// RUN: penguin-opt --simplify-hlo %s | filecheck %s
// RUN: penguin-opt --simplify-hlo --remarks-filter=simplify-hlo %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK-COUNT-4: [Missed] StartNotConstant {{.*}} Reason="a start index is not a constant"
// START_NOT_CONSTANT is the only reason.

// CHECK-LABEL: func.func @l1_argument
// CHECK: stablehlo.dynamic_slice
func.func @l1_argument(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @l1_one_of_two
// CHECK: stablehlo.dynamic_update_slice
func.func @l1_one_of_two(%a: tensor<8x8xf32>, %u: tensor<2x2xf32>, %i: tensor<i32>) -> tensor<8x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %c, %i : (tensor<8x8xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// 300 does not fit i8: the conversion gives 44, not the constant's number.
// CHECK-LABEL: func.func @l1_narrowing
// CHECK: stablehlo.dynamic_slice
func.func @l1_narrowing(%a: tensor<80xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<300> : tensor<i32>
  %d = stablehlo.convert %c : (tensor<i32>) -> tensor<i8>
  %0 = stablehlo.dynamic_slice %a, %d, sizes = [2] : (tensor<80xf32>, tensor<i8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @l1_computed
// CHECK: stablehlo.dynamic_slice
func.func @l1_computed(%a: tensor<8xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.add %c, %c : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %d, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
