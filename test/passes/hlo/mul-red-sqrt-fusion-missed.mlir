// RUN: penguin-opt --mul-red-sqrt-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --mul-red-sqrt-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// SEVERAL_INPUTS
// CHECK: [Missed] SeveralInputs | Category:hlo:mul-red-sqrt-fusion | Function=several | Reason="the reduce has several inputs"
func.func @several(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s:2 = stablehlo.reduce(%m init: %z), (%x init: %z) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %p = stablehlo.add %a, %b : tensor<f32>
    %q = stablehlo.add %c, %d : tensor<f32>
    stablehlo.return %p, %q : tensor<f32>, tensor<f32>
  }
  %r = stablehlo.sqrt %s#0 : tensor<4xf32>
  return %r, %s#1 : tensor<4xf32>, tensor<4xf32>
}

// NO_MULTIPLY
// CHECK: [Missed] NoMultiply | Category:hlo:mul-red-sqrt-fusion | Function=no_multiply | Reason="the input of the reduce is no multiply of this block"
func.func @no_multiply(%m: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.sqrt %s : tensor<4xf32>
  return %r : tensor<4xf32>
}

// REDUCE_USES
// CHECK: [Missed] ReduceUses | Category:hlo:mul-red-sqrt-fusion | Function=reduce_uses | Reason="the reduce has not exactly one use"
func.func @reduce_uses(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.sqrt %s : tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// NO_SQRT
// CHECK: [Missed] NoSqrt | Category:hlo:mul-red-sqrt-fusion | Function=rsqrt | Reason="the user of the reduce is no sqrt of this block"
func.func @rsqrt(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %s : tensor<4xf32>
  return %r : tensor<4xf32>
}

// MULTIPLY_USES
// CHECK: [Missed] MultiplyUses | Category:hlo:mul-red-sqrt-fusion | Function=multiply_uses | Reason="the multiply has more than one use"
func.func @multiply_uses(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.sqrt %s : tensor<4xf32>
  return %r, %m : tensor<4xf32>, tensor<4x8xf32>
}

// CHECK-NOT: [Missed]
