// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/broadcast-op-elimination.mlir %S/broadcast-op-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --broadcast-op-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --concat-op-elimination --reshape-op-elimination --slice-op-elimination --memcpy-elimination --broadcast-op-elimination --transpose-op-elimination --cast-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --slice-op-elimination --cast-op-elimination --memcpy-elimination --concat-op-elimination --reshape-op-elimination --broadcast-op-elimination --transpose-op-elimination --lower-tensor-op --broadcast-op-elimination --late-lower-tensor-op >%t

// -----

// Rows and columns added up: each is read again and again.
func.func @main(%x: memref<4xf32, "dram"> {penguin.io = "input"}, %y: memref<1x6xf32, "dram"> {penguin.io = "input"}, %o: memref<6x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<4x6xf32, "dram">
  %b = memref.alloc() : memref<4x6xf32, "dram">
  %c = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.broadcast"(%x, %a) {dims = array<i64: 0>} : (memref<4xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.broadcast"(%y, %b) {dims = array<i64: 0, 1>} : (memref<1x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %a[%i, %j] : memref<4x6xf32, "dram">
      %w = affine.load %b[%i, -%j + 5] : memref<4x6xf32, "dram">
      %s = arith.addf %v, %w : f32
      affine.store %s, %c[%i, %j] : memref<4x6xf32, "dram">
    }
  }
  "penguin.transpose"(%c, %o) {permutation = array<i64: 1, 0>} : (memref<4x6xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  return
}
