// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/cast-op-elimination.mlir %S/cast-op-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --cast-op-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --reshape-op-elimination --transpose-op-elimination --slice-op-elimination --concat-op-elimination --cast-op-elimination --memcpy-elimination --broadcast-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --slice-op-elimination --reshape-op-elimination --transpose-op-elimination --cast-op-elimination --concat-op-elimination --memcpy-elimination --broadcast-op-elimination --lower-tensor-op --cast-op-elimination --late-lower-tensor-op >%t

// -----

// Rounding in the middle of a chain must stay: bf16 has eight bits.
func.func @main(%x: memref<3x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<3x4xbf16, "dram">
  %b = memref.alloc() : memref<4x3xbf16, "dram">
  %c = memref.alloc() : memref<4x3xf32, "dram">
  "penguin.memcast"(%x, %a) : (memref<3x4xf32, "dram">, memref<3x4xbf16, "dram">) -> ()
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>} : (memref<3x4xbf16, "dram">, memref<4x3xbf16, "dram">) -> ()
  "penguin.memcast"(%b, %c) : (memref<4x3xbf16, "dram">, memref<4x3xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %c[%i, %j] : memref<4x3xf32, "dram">
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : memref<4x3xf32, "dram">
    }
  }
  return
}

// -----

// Integers that wrap around, and truth values.
func.func @main(%x: memref<8xi32, "dram"> {penguin.io = "input"}, %o: memref<8xi32, "dram"> {penguin.io = "output"}, %p: memref<8xi32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<8xi8, "dram">
  %b = memref.alloc() : memref<8xi1, "dram">
  "penguin.memcast"(%x, %a) : (memref<8xi32, "dram">, memref<8xi8, "dram">) -> ()
  "penguin.memcast"(%x, %b) : (memref<8xi32, "dram">, memref<8xi1, "dram">) -> ()
  "penguin.memcast"(%a, %o) : (memref<8xi8, "dram">, memref<8xi32, "dram">) -> ()
  "penguin.memcast"(%b, %p) : (memref<8xi1, "dram">, memref<8xi32, "dram">) -> ()
  return
}
