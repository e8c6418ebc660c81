// Fusions are not expanded if another op cannot be lowered: the IR after the failure is the one before.
// RUN: not penguin-opt --lower-tensor-op --mlir-print-ir-after-failure %s 2>&1 | filecheck %s

// CHECK: func.func @main
// CHECK-NEXT: "penguin.fusion"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: "penguin.unary"
// CHECK: "penguin.reverse"
// CHECK-NOT: affine.for
func.func @main(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  "penguin.fusion"(%a, %b) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.reverse"(%a, %a) {axes = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
