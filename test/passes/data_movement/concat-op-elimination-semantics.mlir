// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/concat-op-elimination.mlir %S/concat-op-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --concat-op-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --memcpy-elimination --transpose-op-elimination --reshape-op-elimination --slice-op-elimination --cast-op-elimination --concat-op-elimination --broadcast-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --reshape-op-elimination --cast-op-elimination --slice-op-elimination --memcpy-elimination --concat-op-elimination --broadcast-op-elimination --transpose-op-elimination --lower-tensor-op --concat-op-elimination --late-lower-tensor-op >%t

// -----

// A tensor beside its own slice, turned round.
func.func @main(%x: memref<4x3xf32, "dram"> {penguin.io = "input"}, %o: memref<6x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<4x3xf32, "dram">
  %b = memref.alloc() : memref<4x3xf32, "dram">
  %c = memref.alloc() : memref<4x6xf32, "dram">
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : memref<4x3xf32, "dram">
      %n = arith.negf %v : f32
      affine.store %n, %a[%i, %j] : memref<4x3xf32, "dram">
      affine.store %v, %b[-%i + 3, %j] : memref<4x3xf32, "dram">
    }
  }
  "penguin.concat"(%a, %b, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x3xf32, "dram">, memref<4x3xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.transpose"(%c, %o) {permutation = array<i64: 1, 0>} : (memref<4x6xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  return
}

// -----

// Read across the seam, by a reduction and by a walk over single elements.
func.func @main(%x: memref<2x3xf32, "dram"> {penguin.io = "input"}, %y: memref<2x4xf32, "dram"> {penguin.io = "input"}, %o: memref<2xf32, "dram"> {penguin.io = "output"}, %p: memref<14xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<2x7xf32, "dram">
  "penguin.concat"(%x, %y, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32, "dram">, memref<2x4xf32, "dram">, memref<2x7xf32, "dram">) -> ()
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 2 {
    affine.store %zero, %o[%i] : memref<2xf32, "dram">
    affine.for %j = 0 to 7 {
      %v = affine.load %c[%i, %j] : memref<2x7xf32, "dram">
      %s = affine.load %o[%i] : memref<2xf32, "dram">
      %r = arith.addf %s, %v : f32
      affine.store %r, %o[%i] : memref<2xf32, "dram">
    }
  }
  affine.for %k = 0 to 14 {
    %v = affine.load %c[%k floordiv 7, %k mod 7] : memref<2x7xf32, "dram">
    affine.store %v, %p[-%k + 13] : memref<14xf32, "dram">
  }
  return
}
