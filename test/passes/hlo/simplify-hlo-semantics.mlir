// The module computes the same before and after.
// RUN: penguin-opt --simplify-hlo --verify-semantics %s -o /dev/null
// RUN: penguin-opt --simplify-hlo --hlo-to-penguin --verify-semantics=7 %s -o /dev/null

func.func @main(%a: tensor<8x6x4xf32>, %u: tensor<2x3x4xf32>, %v: tensor<5x6x1xf32>, %i: tensor<8xui8>)
    -> (tensor<2x3x4xf32>, tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<3xui8>, tensor<8x6x4xf32>) {
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %minus_nine = stablehlo.constant dense<-9> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %nine, %two, %minus_nine, sizes = [2, 3, 4] : (tensor<8x6x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %two, %two, %nine : (tensor<8x6x4xf32>, tensor<2x3x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x4xf32>
  %2 = stablehlo.dynamic_update_slice %1, %v, %minus_nine, %nine, %two : (tensor<8x6x4xf32>, tensor<5x6x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x4xf32>
  %3 = stablehlo.dynamic_slice %i, %two, sizes = [3] : (tensor<8xui8>, tensor<i32>) -> tensor<3xui8>
  %4 = stablehlo.optimization_barrier %2 : tensor<8x6x4xf32>
  %5 = stablehlo.composite "my.op" %4 {decomposition = @decomposition} : (tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
  return %0, %1, %4, %3, %5 : tensor<2x3x4xf32>, tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<3xui8>, tensor<8x6x4xf32>
}
func.func private @decomposition(%x: tensor<8x6x4xf32>) -> tensor<8x6x4xf32> {
  %0 = stablehlo.negate %x : tensor<8x6x4xf32>
  return %0 : tensor<8x6x4xf32>
}
