// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/transpose-op-elimination.mlir %S/transpose-op-elimination-missed.mlir --without=in_place >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --transpose-op-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --transpose-op-elimination --cast-op-elimination --reshape-op-elimination --slice-op-elimination --memcpy-elimination --broadcast-op-elimination --concat-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --memcpy-elimination --cast-op-elimination --broadcast-op-elimination --reshape-op-elimination --slice-op-elimination --concat-op-elimination --transpose-op-elimination --lower-tensor-op --transpose-op-elimination --late-lower-tensor-op >%t

// -----

// Rotations that are no inverses of each other, between nests.
func.func @main(%x: memref<2x3x4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<2x3x4xf32, "dram">
  %b = memref.alloc() : memref<4x2x3xf32, "dram">
  %c = memref.alloc() : memref<3x4x2xf32, "dram">
  "penguin.unary"(%x, %a) {function = "negate"} : (memref<2x3x4xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.transpose"(%a, %b) {permutation = array<i64: 2, 0, 1>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  "penguin.transpose"(%b, %c) {permutation = array<i64: 2, 0, 1>} : (memref<4x2x3xf32, "dram">, memref<3x4x2xf32, "dram">) -> ()
  "penguin.unary"(%c, %o) {function = "abs"} : (memref<3x4x2xf32, "dram">, memref<3x4x2xf32, "dram">) -> ()
  return
}

// -----

// A transpose between reshapes that split its dimensions.
func.func @main(%x: memref<6x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x2x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<2x3x4xf32, "dram">
  %b = memref.alloc() : memref<4x2x3xf32, "dram">
  %c = memref.alloc() : memref<4x6xf32, "dram">
  %d = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.memcpy"(%x, %a) : (memref<6x4xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.transpose"(%a, %b) {permutation = array<i64: 2, 0, 1>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %c) : (memref<4x2x3xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.unary"(%c, %d) {function = "negate"} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.memcpy"(%d, %o) : (memref<4x6xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  return
}
