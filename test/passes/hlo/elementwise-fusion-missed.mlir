// RUN: penguin-opt --elementwise-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --elementwise-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// NO_PRODUCER
// CHECK: [Missed] NoProducer | Category:hlo:elementwise-fusion | Function=argument | Reason="the operand is no result of an operation of this block"
func.func @argument(%m: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// BOUNDARY
// CHECK: [Missed] Boundary | Category:hlo:elementwise-fusion | Function=reshape | Reason="the producer is an operation at which fusions end"
func.func @reshape(%x: tensor<32xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %m = stablehlo.reshape %x : (tensor<32xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// NOT_ELEMENTWISE
// CHECK: [Missed] NotElementwise | Category:hlo:elementwise-fusion | Function=abs | Reason="the producer is not elementwise"
func.func @abs(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %m = stablehlo.abs %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// ESCAPES
// CHECK: [Missed] Escapes | Category:hlo:elementwise-fusion | Function=escapes | Reason="the producer's result is used outside of the cluster"
func.func @escapes(%x: tensor<8xf32>) -> (tensor<16xf32>, tensor<8xf32>) {
  %s = stablehlo.sqrt %x : tensor<8xf32>
  %c = "stablehlo.concatenate"(%s, %s) {dimension = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %c, %s : tensor<16xf32>, tensor<8xf32>
}

// CHECK-NOT: [Missed]
