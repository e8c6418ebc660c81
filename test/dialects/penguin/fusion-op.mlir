// RUN: penguin-opt %s | penguin-opt | filecheck %s
// RUN: penguin-opt --cse --canonicalize %s | filecheck %s

memref.global "private" constant @one : memref<4xf32, "dram"> = dense<1.0>

// An op that reads its srcs and writes its dsts stays, and so does its body.
// CHECK-LABEL: func.func @reduction
// CHECK:      "penguin.fusion"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4x8xf32, "dram">, %[[I:.*]]: memref<f32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   %[[Q:.*]] = memref.alloc() {penguin.name = "q"}
// CHECK-NEXT:   "penguin.binary"(%[[S]], %[[S]], %[[Q]])
// CHECK-NEXT:   %[[R:.*]] = memref.alloc() {penguin.name = "r"}
// CHECK-NEXT:   "penguin.reduce"(%[[Q]], %[[I]], %[[R]])
// CHECK-NEXT:   "penguin.unary"(%[[R]], %[[D]])
// CHECK-NEXT: }) {hilo_fusion_op = "MulRedSqrt", kind = "ReduceFusionOp", label = "MulRedSqrt", {{.*}}, reduce_dims = array<i64: 1>}
func.func @reduction(%m: memref<4x8xf32, "dram">, %z: memref<f32, "dram">, %y: memref<4xf32, "dram">) {
  "penguin.fusion"(%m, %z, %y) ({
  ^bb0(%s: memref<4x8xf32, "dram">, %i: memref<f32, "dram">, %d: memref<4xf32, "dram">):
    %q = memref.alloc() {penguin.name = "q"} : memref<4x8xf32, "dram">
    "penguin.binary"(%s, %s, %q) {function = "multiply"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
    %r = memref.alloc() {penguin.name = "r"} : memref<4xf32, "dram">
    "penguin.reduce"(%q, %i, %r) {function = "add", axes = array<i64: 1>} : (memref<4x8xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%r, %d) {function = "sqrt"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ReduceFusionOp", label = "MulRedSqrt", hilo_fusion_op = "MulRedSqrt", reduce_dims = array<i64: 1>,
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4x8xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @contraction
// CHECK: "penguin.tensor_contract"
// CHECK: }) {hilo_fusion_op = "DotLogistic", kind = "TensorContractFusionOp", label = "DotFusion"
func.func @contraction(%x: memref<4xf32, "dram">, %z: memref<f32, "dram">) {
  "penguin.fusion"(%x, %z) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<f32, "dram">):
    %c = memref.alloc() : memref<f32, "dram">
    "penguin.tensor_contract"(%s, %s, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 0>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64>, rhs_free_axes = array<i64>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<f32, "dram">) -> ()
    "penguin.unary"(%c, %d) {function = "logistic"} : (memref<f32, "dram">, memref<f32, "dram">) -> ()
  }) {kind = "TensorContractFusionOp", label = "DotFusion", hilo_fusion_op = "DotLogistic",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<f32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @two_dsts
// CHECK: }) {hilo_fusion_op = "Expm1", kind = "ElementWiseFusionOp", label = "Elementwise"
func.func @two_dsts(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">, %w: memref<4xf32, "dram">) {
  "penguin.fusion"(%x, %y, %w) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">, %e: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %e) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Expm1",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// No srcs; a constant among the locals.
// CHECK-LABEL: func.func @no_srcs
// CHECK: "penguin.fusion"(%{{.*}}) ({
// CHECK: memref.get_global @one
// CHECK: }) {hilo_fusion_op = "Log1p"
func.func @no_srcs(%y: memref<4xf32, "dram">) {
  "penguin.fusion"(%y) ({
  ^bb0(%d: memref<4xf32, "dram">):
    %c = memref.get_global @one : memref<4xf32, "dram">
    "penguin.memcpy"(%c, %d) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Log1p",
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">) -> ()
  return
}
