// What is eliminated and what stays computes the same, whatever runs before and after.
// RUN: %python %S/Inputs/kernels.py %S/memcpy-elimination.mlir %S/memcpy-elimination-missed.mlir >%t.kernels
// RUN: cat %s >>%t.kernels
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics --memcpy-elimination >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=1 --transpose-op-elimination --slice-op-elimination --broadcast-op-elimination --reshape-op-elimination --memcpy-elimination --concat-op-elimination --cast-op-elimination --late-lower-tensor-op >%t
// RUN: penguin-opt %t.kernels --split-input-file --verify-semantics=2 --slice-op-elimination --cast-op-elimination --concat-op-elimination --reshape-op-elimination --transpose-op-elimination --broadcast-op-elimination --memcpy-elimination --lower-tensor-op --memcpy-elimination --late-lower-tensor-op >%t

// -----

// Heads split and joined around a nest, all shapes of one buffer in a row.
func.func @main(%x: memref<3x8xf32, "dram"> {penguin.io = "input"}, %o: memref<24xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<3x2x4xf32, "dram">
  %b = memref.alloc() : memref<3x4x2xf32, "dram">
  %c = memref.alloc() : memref<6x4xf32, "dram">
  "penguin.memcpy"(%x, %a) : (memref<3x8xf32, "dram">, memref<3x2x4xf32, "dram">) -> ()
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 4 {
        %v = affine.load %a[%i, %j, %k] : memref<3x2x4xf32, "dram">
        affine.store %v, %b[%i, %k, %j] : memref<3x4x2xf32, "dram">
      }
    }
  }
  "penguin.memcpy"(%b, %c) : (memref<3x4x2xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  "penguin.memcpy"(%c, %o) : (memref<6x4xf32, "dram">, memref<24xf32, "dram">) -> ()
  return
}

// -----

// A swap through a third buffer: no copy may be taken for the other.
func.func @main(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %y: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}, %p: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %a = memref.alloc() : memref<6xf32, "dram">
  %b = memref.alloc() : memref<6xf32, "dram">
  %t = memref.alloc() : memref<6xf32, "dram">
  "penguin.memcpy"(%x, %a) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%y, %b) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%a, %t) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %a) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %b) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%a, %o) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %p) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

// A copy of the output, which is then overwritten in part; and one of the input that it reads.
func.func @main(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}, %p: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<6xf32, "dram">
  "penguin.memcpy"(%x, %o) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.memcpy"(%o, %t) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  affine.for %i = 0 to 3 {
    %v = affine.load %t[%i] : memref<6xf32, "dram">
    affine.store %v, %o[%i + 2] : memref<6xf32, "dram">
  }
  "penguin.memcpy"(%t, %p) : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}
