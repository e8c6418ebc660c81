// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/slice-op-elimination.mlir %S/slice-op-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --slice-op-elimination=fuse-matmul-loads=true >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --memcpy-elimination --broadcast-op-elimination --reshape-op-elimination --cast-op-elimination --concat-op-elimination --transpose-op-elimination --slice-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --cast-op-elimination --transpose-op-elimination --memcpy-elimination --broadcast-op-elimination --reshape-op-elimination --concat-op-elimination --slice-op-elimination --lower-tensor-op --slice-op-elimination --late-lower-tensor-op >%t

// -----

// Two halves exchanged, one of them with a stride and turned round.
func.func @main(%x: memref<2x8xf32, "dram"> {penguin.io = "input"}, %o: memref<2x8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<2x8xf32, "dram">
  %b = memref.alloc() : memref<2x4xf32, "dram">
  %c = memref.alloc() : memref<2x4xf32, "dram">
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<2x8xf32, "dram">
      affine.store %v, %a[%i, -%j + 7] : memref<2x8xf32, "dram">
    }
  }
  "penguin.slice"(%a, %b) {starts = array<i64: 0, 1>, limits = array<i64: 2, 8>, strides = array<i64: 1, 2>, access = "ndim"} : (memref<2x8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.slice"(%a, %c) {starts = array<i64: 3>, limits = array<i64: 11>, strides = array<i64: 1>, access = "flattened"} : (memref<2x8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.concat"(%b, %c, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">, memref<2x8xf32, "dram">) -> ()
  return
}

// -----

// Overlapping parts, written in order, and sliced across the seam.
func.func @main(%x: memref<5xf32, "dram"> {penguin.io = "input"}, %y: memref<5xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %s = memref.alloc() : memref<8xf32, "dram">
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xf32, "dram">
    affine.store %v, %s[%i] : memref<8xf32, "dram">
  }
  affine.for %i = 0 to 5 {
    %v = affine.load %y[%i] : memref<5xf32, "dram">
    affine.store %v, %s[%i + 3] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 2>, limits = array<i64: 6>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
