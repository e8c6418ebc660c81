// What the verifier forbids does not reach the pass: an error with its place, and exit 1. The clauses
// of each op are tested with the dialect.
// RUN: not penguin-opt %s --slice-op-elimination --split-input-file 2>&1 | filecheck %s
// RUN: not penguin-opt %s --slice-op-elimination --split-input-file >%t 2>&1
// RUN: not grep -i "traceback\|internal error" %t

// Out of bounds.
// CHECK: slice-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.slice' op dim 0 takes 5 to 9, expected a range within 0 to 8 (C5)
func.func @bounds(%x: memref<8xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 5>, limits = array<i64: 9>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// CHECK: slice-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.slice' op {{.*}} 5 to 9, expected a range within 0 to 8 (C5)
func.func @flat_bounds(%x: memref<2x4xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 5>, limits = array<i64: 9>, strides = array<i64: 1>, access = "flattened"} : (memref<2x4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// The shape of the destination.
// CHECK: slice-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.slice' op operand #1
func.func @shape(%x: memref<8xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<3xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0>, limits = array<i64: 8>, strides = array<i64: 2>, access = "ndim"} : (memref<8xf32, "dram">, memref<3xf32, "dram">) -> ()
  return
}
