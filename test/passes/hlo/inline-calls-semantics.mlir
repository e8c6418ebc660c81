// The module computes the same before and after.
// RUN: penguin-opt --inline-calls --verify-semantics %s -o /dev/null

func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @twice(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = call @difference(%0#1, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @twice(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @difference(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = call @difference(%b, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %b : tensor<4xf32>, tensor<4xf32>
}
func.func private @difference(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.subtract %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
