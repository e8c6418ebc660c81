// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/reshape-op-elimination.mlir %S/reshape-op-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --reshape-op-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --broadcast-op-elimination --concat-op-elimination --memcpy-elimination --cast-op-elimination --slice-op-elimination --reshape-op-elimination --transpose-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --broadcast-op-elimination --cast-op-elimination --slice-op-elimination --transpose-op-elimination --memcpy-elimination --concat-op-elimination --reshape-op-elimination --lower-tensor-op --reshape-op-elimination --late-lower-tensor-op >%t

// -----

// At both boundaries, with a loop that fits neither shape.
func.func @main(%x: memref<4x6xf32, "dram"> {penguin.io = "input"}, %o: memref<8x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<24xf32, "dram">
  %u = memref.alloc() : memref<24xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<4x6xf32, "dram">, memref<24xf32, "dram">) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k] : memref<24xf32, "dram">
    affine.store %v, %u[-%k + 23] : memref<24xf32, "dram">
  }
  "penguin.memcpy"(%u, %o) : (memref<24xf32, "dram">, memref<8x3xf32, "dram">) -> ()
  return
}

// -----

// The output is read again after it was written.
func.func @main(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<2x3xf32, "dram"> {penguin.io = "output"}, %p: memref<3x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<6xf32, "dram">
  affine.for %k = 0 to 6 {
    %v = affine.load %x[%k] : memref<6xf32, "dram">
    affine.store %v, %t[%k] : memref<6xf32, "dram">
  }
  "penguin.memcpy"(%t, %o) : (memref<6xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.memcpy"(%o, %p) : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  return
}
