// RUN: penguin-opt --split-input-file --de-concat --verify-semantics %s | filecheck %s

// CHECK-LABEL: func.func @readers
// CHECK-NEXT: "penguin.slice"(%arg1, %arg2) {access = "ndim", limits = array<i64: 8, 2>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>}
// CHECK: affine.load %arg0[%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]]]
// CHECK: affine.load %arg1[%[[I]] + 3, %[[J]]]
func.func @readers(%a: memref<4x3xf32, "dram"> {penguin.io = "input"},
                   %b: memref<8x3xf32, "dram"> {penguin.io = "input"},
                   %x: memref<6x2xf32, "dram"> {penguin.io = "output"},
                   %y: memref<4x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12x3xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x3xf32, "dram">, memref<8x3xf32, "dram">, memref<12x3xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 12, 2>, starts = array<i64: 6, 0>, strides = array<i64: 1, 1>} : (memref<12x3xf32, "dram">, memref<6x2xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %c[%i, %j] : memref<12x3xf32, "dram">
      %w = affine.load %c[%i + 7, %j] : memref<12x3xf32, "dram">
      %s = arith.addf %v, %w : f32
      affine.store %s, %y[%i, %j] : memref<4x3xf32, "dram">
    }
  }
  return
}

// -----

// Of a concat that a concat reads, which goes first.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: "penguin.memcpy"(%arg1, %arg2)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg3)
// CHECK-NEXT: return
func.func @nested(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                  %b: memref<4xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4xf32, "dram"> {penguin.io = "output"},
                  %y: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%c, %a, %d) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">, memref<12xf32, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 8>, starts = array<i64: 4>, strides = array<i64: 1>} : (memref<12xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.slice"(%c, %y) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
