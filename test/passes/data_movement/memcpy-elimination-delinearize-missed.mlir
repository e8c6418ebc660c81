// RUN: penguin-opt --memcpy-elimination --transpose-op-elimination --verify-semantics --split-input-file --remark-format=emitRemark --remarks-filter-missed=transpose %s 2>&1 | FileCheck %s

// The rest would need a cut, and a sum cannot be cut.

// CHECK: [Missed] Address {{.*}} Function=carried_rest
func.func @carried_rest(%in: memref<3x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x3x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<3x5x8xf32, "dram">, memref<5x3x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x3x8xf32, "dram">, memref<5x24xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    %sum = affine.for %n = 0 to 21 iter_args(%x = %zero) -> (f32) {
      %v = affine.load %u[%s, %n] : memref<5x24xf32, "dram">
      %y = arith.addf %x, %v : f32
      affine.yield %y : f32
    }
    affine.store %sum, %out[%s] : memref<5xf32, "dram">
  }
  return
}

// -----

// Rows of 12 elements are read as rows of 8: a period of one loop is longer than the loop.

// CHECK: [Missed] Address {{.*}} Function=across
func.func @across(%in: memref<6x2x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<8x12xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<2x6x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<6x2x8xf32, "dram">, memref<2x6x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<8x12xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<2x6x8xf32, "dram">, memref<8x12xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 12 {
      %v = affine.load %u[%i, %j] : memref<8x12xf32, "dram">
      %x = arith.addf %v, %v : f32
      affine.store %x, %out[%i, %j] : memref<8x12xf32, "dram">
    }
  }
  return
}

// -----

// One load wants periods of 8 iterations, the other one of 4, two later.

// CHECK: [Missed] Address {{.*}} Function=disagree
func.func @disagree(%in: memref<7x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5x24xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x7x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<7x5x8xf32, "dram">, memref<5x7x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x56xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x7x8xf32, "dram">, memref<5x56xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    affine.for %n = 0 to 24 {
      %v = affine.load %u[%s, %n] : memref<5x56xf32, "dram">
      %w = affine.load %u[%s, %n * 2 + 4] : memref<5x56xf32, "dram">
      %x = arith.addf %v, %w : f32
      affine.store %x, %out[%s, %n] : memref<5x24xf32, "dram">
    }
  }
  return
}
