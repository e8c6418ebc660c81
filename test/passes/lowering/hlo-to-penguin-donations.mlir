// Outputs in the buffers of donated arguments, down to instructions.
// RUN: penguin-opt --hlo-to-penguin --verify-semantics --split-input-file %s | filecheck %s
// RUN: penguin-opt --penguin-default-pipeline --verify-semantics --split-input-file %s | filecheck %s --check-prefix=BIR

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[OUT:[^:]*]]: memref<4x8xf32, "dram"> {penguin.alias = 0 : i64, penguin.io = "output", penguin.name = "out0"}
// CHECK: %[[T:.*]] = memref.alloc() {penguin.name = "t0"}
// CHECK: "penguin.binary"(%{{.*}}, %{{.*}}, %[[T]])
// CHECK: "penguin.memcpy"(%[[T]], %[[OUT]])
// BIR-LABEL: func.func @update(
// BIR-SAME: penguin.alias = 0 : i64
func.func @update(%a: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Each result is the argument whose buffer the other one gets: the second is saved first.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:[^:]*]]: memref<4xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}
// CHECK-SAME: %[[B:[^:]*]]: memref<4xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32, "dram"> {penguin.alias = 0
// CHECK-SAME: %[[Y:[^:]*]]: memref<4xf32, "dram"> {penguin.alias = 1
// CHECK: "penguin.memcpy"(%[[A]], %[[T:.*]]) :
// CHECK-NEXT: "penguin.memcpy"(%[[B]], %[[X]])
// CHECK-NEXT: "penguin.memcpy"(%[[T]], %[[Y]])
// BIR-LABEL: func.func @swap(
func.func @swap(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// A returned argument that a later output overwrites is read in time; one in its own buffer stays.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: memref.alloc() {penguin.name = "t1"}
// BIR-LABEL: func.func @returned(
func.func @returned(%a: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<4xf32> {tf.aliasing_output = 2 : i32})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %a, %0, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
