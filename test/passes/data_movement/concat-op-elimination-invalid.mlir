// Offloaded ops with wrong shapes do not reach the passes: an error with its place, and exit 1. The
// clauses of each op are tested with the dialect.
// RUN: not penguin-opt %s --concat-op-elimination --transpose-op-elimination --broadcast-op-elimination --cast-op-elimination --split-input-file 2>&1 | filecheck %s
// RUN: not penguin-opt %s --concat-op-elimination --split-input-file >%t 2>&1
// RUN: not grep -i "traceback\|internal error" %t

// CHECK: concat-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.concat' op operand #{{.*}} dim 1 is 9, expected 8
func.func @slabs(%x: memref<4x3xf32, "dram"> {penguin.io = "input"}, %y: memref<4x5xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<4x9xf32, "dram">
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x3xf32, "dram">, memref<4x5xf32, "dram">, memref<4x9xf32, "dram">) -> ()
  return
}

// -----

// CHECK: concat-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.transpose' op operand #1 dim 0 is 4, expected 6
func.func @permuted(%x: memref<4x6xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}

// -----

// CHECK: concat-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.broadcast' op {{.*}}(C{{[0-9]}})
func.func @repeated(%x: memref<5xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.broadcast"(%x, %t) {dims = array<i64: 1>} : (memref<5xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}

// -----

// CHECK: concat-op-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.memcast' op operand #1 has rank 1, expected 2
func.func @converted(%x: memref<4x6xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<24xbf16, "dram">
  "penguin.memcast"(%x, %t) : (memref<4x6xf32, "dram">, memref<24xbf16, "dram">) -> ()
  return
}
