// RUN: penguin-opt %s | penguin-opt | filecheck %s

// CHECK-LABEL: func.func @contract_batched
// CHECK: "penguin.tensor_contract"({{.*}}) {lhs_batch_axes = array<i64: 0>, lhs_contract_axes = array<i64: 2>, lhs_free_axes = array<i64: 1>, rhs_batch_axes = array<i64: 1>, rhs_contract_axes = array<i64: 2>, rhs_free_axes = array<i64: 0>}
func.func @contract_batched(%a: memref<2x3x4xbf16, "dram">, %b: memref<5x2x4xbf16, "dram">, %c: memref<2x3x5xf32, "dram">) {
  "penguin.tensor_contract"(%a, %b, %c) {
    lhs_batch_axes = array<i64: 0>, rhs_batch_axes = array<i64: 1>, lhs_contract_axes = array<i64: 2>,
    rhs_contract_axes = array<i64: 2>, lhs_free_axes = array<i64: 1>, rhs_free_axes = array<i64: 0>
  } : (memref<2x3x4xbf16, "dram">, memref<5x2x4xbf16, "dram">, memref<2x3x5xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @reduce
// CHECK: "penguin.reduce"({{.*}}) {axes = array<i64: 0, 2>, function = "maximum"}
func.func @reduce(%a: memref<2x3x4xi32, "dram">, %i: memref<i32, "dram">, %d: memref<3xi32, "dram">) {
  "penguin.reduce"(%a, %i, %d) {function = "maximum", axes = array<i64: 0, 2>} : (memref<2x3x4xi32, "dram">, memref<i32, "dram">, memref<3xi32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @elementwise
// CHECK: "penguin.unary"({{.*}}) {function = "logistic"}
// CHECK: "penguin.unary"({{.*}}) {function = "is_finite"} : (memref<4xf16, "dram">, memref<4xi1, "dram">) -> ()
// CHECK: "penguin.binary"({{.*}}) {function = "atan2"}
// CHECK: "penguin.binary"({{.*}}) {function = "compare_le"} : (memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xi1, "dram">) -> ()
// CHECK: "penguin.ternary"({{.*}}) {function = "clamp"}
// CHECK: "penguin.select"({{.*}}) : (memref<4xi1, "dram">
// CHECK: "penguin.select"({{.*}}) : (memref<i1, "dram">
func.func @elementwise(%x: memref<4xf16, "dram">, %s: memref<f16, "dram">, %p: memref<4xi1, "dram">, %q: memref<i1, "dram">) {
  "penguin.unary"(%x, %x) {function = "logistic"} : (memref<4xf16, "dram">, memref<4xf16, "dram">) -> ()
  "penguin.unary"(%x, %p) {function = "is_finite"} : (memref<4xf16, "dram">, memref<4xi1, "dram">) -> ()
  "penguin.binary"(%x, %x, %x) {function = "atan2"} : (memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">) -> ()
  "penguin.binary"(%x, %x, %p) {function = "compare_le"} : (memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xi1, "dram">) -> ()
  "penguin.ternary"(%s, %x, %x, %x) {function = "clamp"} : (memref<f16, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">) -> ()
  "penguin.select"(%p, %x, %x, %x) : (memref<4xi1, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">) -> ()
  "penguin.select"(%q, %x, %x, %x) : (memref<i1, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">, memref<4xf16, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @pad
// CHECK: "penguin.pad"({{.*}}) {high = array<i64: 2, 0>, interior = array<i64: 0, 1>, low = array<i64: -1, 1>}
func.func @pad(%a: memref<4x3xf32, "dram">, %v: memref<f32, "dram">, %d: memref<5x6xf32, "dram">) {
  "penguin.pad"(%a, %v, %d) {low = array<i64: -1, 1>, high = array<i64: 2, 0>, interior = array<i64: 0, 1>} : (memref<4x3xf32, "dram">, memref<f32, "dram">, memref<5x6xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @iota_reverse
// CHECK: "penguin.iota"({{.*}}) {axis = 1 : i64}
// CHECK: "penguin.reverse"({{.*}}) {axes = array<i64: 1, 0>}
func.func @iota_reverse(%a: memref<4x3xui16, "dram">) {
  "penguin.iota"(%a) {axis = 1 : i64} : (memref<4x3xui16, "dram">) -> ()
  "penguin.reverse"(%a, %a) {axes = array<i64: 1, 0>} : (memref<4x3xui16, "dram">, memref<4x3xui16, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @gather
// CHECK: "penguin.gather"({{.*}}) {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 6>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
// CHECK: "penguin.gather"({{.*}}) {collapsed_slice_dims = array<i64>, index_vector_dim = 0 : i64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 1>, slice_sizes = array<i64: 3, 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64: 1>}
func.func @gather(%a: memref<40x6xf32, "dram">, %i: memref<7x1xui8, "dram">, %d: memref<7x6xf32, "dram">, %j: memref<1x6xi32, "dram">, %e: memref<6x3xf32, "dram">) {
  "penguin.gather"(%a, %i, %d) {
    offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>,
    start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>
  } : (memref<40x6xf32, "dram">, memref<7x1xui8, "dram">, memref<7x6xf32, "dram">) -> ()
  "penguin.gather"(%a, %j, %e) {
    offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 1>, start_indices_batching_dims = array<i64: 1>,
    start_index_map = array<i64: 0>, index_vector_dim = 0 : i64, slice_sizes = array<i64: 3, 1>
  } : (memref<40x6xf32, "dram">, memref<1x6xi32, "dram">, memref<6x3xf32, "dram">) -> ()
  return
}
