// RUN: penguin-opt %s --lower-tensor-op --split-input-file --verify-diagnostics
// RUN: not penguin-opt %s --lower-tensor-op --split-input-file 2>&1 | filecheck %s

func.func @reverse_in_place(%a: memref<4xf32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.reverse' op operand #1 is operand #0, expected a destination that is not read}}
  "penguin.reverse"(%a, %a) {axes = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// Every finding is reported.
func.func @two(%a: memref<4x4xf32, "dram">, %s: memref<f32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.pad' op operand #2 is operand #0}}
  "penguin.pad"(%a, %s, %a) {low = array<i64: 1, 0>, high = array<i64: -1, 0>, interior = array<i64: 0, 0>} : (memref<4x4xf32, "dram">, memref<f32, "dram">, memref<4x4xf32, "dram">) -> ()
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.tensor_contract' op operand #2 is operand #1}}
  "penguin.tensor_contract"(%s, %a, %a) {
    lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>,
    lhs_contract_axes = array<i64>, rhs_contract_axes = array<i64>,
    lhs_free_axes = array<i64>, rhs_free_axes = array<i64: 0, 1>
  } : (memref<f32, "dram">, memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

// A fusion whose destination is another of its operands, element by element or not. Nothing is
// changed, also if it is an op outside that cannot be lowered.
func.func @fusions(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.fusion' op operand #1 is operand #0, expected a destination that is no other operand}}
  "penguin.fusion"(%a, %a) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.fusion' op operand #2 is operand #1, expected a destination that is no other operand}}
  "penguin.fusion"(%a, %b, %b) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">, %e: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %e) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_in_place(%a: memref<4x4xi32, "dram">, %i: memref<4x2xi32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.gather' op operand #2 is operand #0, expected a destination that is not read}}
  "penguin.gather"(%a, %i, %a) {offset_dims = array<i64: 0>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 4>} : (memref<4x4xi32, "dram">, memref<4x2xi32, "dram">, memref<4x4xi32, "dram">) -> ()
  return
}
