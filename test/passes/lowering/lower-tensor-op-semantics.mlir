// RUN: penguin-opt %s --lower-tensor-op --late-lower-tensor-op --verify-semantics --split-input-file | filecheck %s

// A layer norm with its movement: no pass may change a result.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "penguin.
func.func @main(%x: memref<4x6xf32, "dram"> {penguin.io = "input"},
                %w: memref<6xbf16, "dram"> {penguin.io = "input"},
                %o: memref<2x12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %zero = memref.alloc() : memref<f32, "dram">
  "penguin.memset"(%zero) {value = 0.0 : f32} : (memref<f32, "dram">) -> ()
  %sum = memref.alloc() : memref<4xf32, "dram">
  "penguin.reduce"(%x, %zero, %sum) {function = "add", axes = array<i64: 1>} : (memref<4x6xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  %sums = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.broadcast"(%sum, %sums) {dims = array<i64: 0>} : (memref<4xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  %d = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.binary"(%x, %sums, %d) {function = "subtract"} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  %s = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.unary"(%d, %s) {function = "logistic"} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  %wf = memref.alloc() : memref<6xf32, "dram">
  "penguin.memcast"(%w, %wf) : (memref<6xbf16, "dram">, memref<6xf32, "dram">) -> ()
  %ws = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.broadcast"(%wf, %ws) {dims = array<i64: 1>} : (memref<6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  %y = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.binary"(%s, %ws, %y) {function = "multiply"} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.memcpy"(%y, %o) : (memref<4x6xf32, "dram">, memref<2x12xf32, "dram">) -> ()
  return
}

// -----

// Attention scores with a mask: contraction, iota, comparison, select, pad, concat.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "penguin.
func.func @main(%q: memref<2x4x8xbf16, "dram"> {penguin.io = "input"},
                %k: memref<2x4x8xbf16, "dram"> {penguin.io = "input"},
                %o: memref<2x9x5xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %s = memref.alloc() : memref<2x4x4xf32, "dram">
  "penguin.tensor_contract"(%q, %k, %s) {
    lhs_batch_axes = array<i64: 0>, rhs_batch_axes = array<i64: 0>,
    lhs_contract_axes = array<i64: 2>, rhs_contract_axes = array<i64: 2>,
    lhs_free_axes = array<i64: 1>, rhs_free_axes = array<i64: 1>
  } : (memref<2x4x8xbf16, "dram">, memref<2x4x8xbf16, "dram">, memref<2x4x4xf32, "dram">) -> ()
  %i = memref.alloc() : memref<2x4x4xi32, "dram">
  %j = memref.alloc() : memref<2x4x4xi32, "dram">
  "penguin.iota"(%i) {axis = 1 : i64} : (memref<2x4x4xi32, "dram">) -> ()
  "penguin.iota"(%j) {axis = 2 : i64} : (memref<2x4x4xi32, "dram">) -> ()
  %m = memref.alloc() : memref<2x4x4xi1, "dram">
  "penguin.binary"(%j, %i, %m) {function = "compare_le"} : (memref<2x4x4xi32, "dram">, memref<2x4x4xi32, "dram">, memref<2x4x4xi1, "dram">) -> ()
  %low = memref.alloc() : memref<2x4x4xf32, "dram">
  "penguin.memset"(%low) {value = -1.0e9 : f32} : (memref<2x4x4xf32, "dram">) -> ()
  %c = memref.alloc() : memref<2x4x4xf32, "dram">
  "penguin.select"(%m, %s, %low, %c) : (memref<2x4x4xi1, "dram">, memref<2x4x4xf32, "dram">, memref<2x4x4xf32, "dram">, memref<2x4x4xf32, "dram">) -> ()
  %v = memref.alloc() : memref<f32, "dram">
  "penguin.memset"(%v) {value = 3.0 : f32} : (memref<f32, "dram">) -> ()
  %p = memref.alloc() : memref<2x5x5xf32, "dram">
  "penguin.pad"(%c, %v, %p) {low = array<i64: 0, 1, -1>, high = array<i64: 0, 0, 2>, interior = array<i64: 0, 0, 0>} : (memref<2x4x4xf32, "dram">, memref<f32, "dram">, memref<2x5x5xf32, "dram">) -> ()
  %t = memref.alloc() : memref<2x5x5xf32, "dram">
  "penguin.transpose"(%p, %t) {permutation = array<i64: 0, 2, 1>} : (memref<2x5x5xf32, "dram">, memref<2x5x5xf32, "dram">) -> ()
  %r = memref.alloc() : memref<2x4x5xf32, "dram">
  "penguin.slice"(%t, %r) {starts = array<i64: 0, 1, 0>, limits = array<i64: 2, 5, 5>, strides = array<i64: 1, 1, 1>, access = "ndim"} : (memref<2x5x5xf32, "dram">, memref<2x4x5xf32, "dram">) -> ()
  "penguin.concat"(%p, %r, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x5x5xf32, "dram">, memref<2x4x5xf32, "dram">, memref<2x9x5xf32, "dram">) -> ()
  return
}

// -----

// Gathers with starts outside of the source on both sides, of two components, of windows.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "penguin.
func.func @main(%x: memref<5x6x4xf32, "dram"> {penguin.io = "input"},
                %i: memref<30x2xi8, "dram"> {penguin.io = "input"},
                %j: memref<6x9xui16, "dram"> {penguin.io = "input"},
                %o: memref<30x4xf32, "dram"> {penguin.io = "output"},
                %p: memref<6x2x9x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.gather"(%x, %i, %o) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0, 1>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 1, 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 1, 4>} : (memref<5x6x4xf32, "dram">, memref<30x2xi8, "dram">, memref<30x4xf32, "dram">) -> ()
  "penguin.gather"(%x, %j, %p) {offset_dims = array<i64: 1, 3>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 1>, start_indices_batching_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 2, 1, 4>} : (memref<5x6x4xf32, "dram">, memref<6x9xui16, "dram">, memref<6x2x9x4xf32, "dram">) -> ()
  return
}
