// RUN: penguin-opt --split-input-file --zero-size-tensor-elimination --verify-semantics %s | filecheck %s

// CHECK-LABEL: func.func @concat
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg2)
// CHECK-NEXT: "penguin.concat"(%arg0, %arg0, %arg3)
// CHECK-NEXT: return
func.func @concat(%a: memref<4x2xf32, "dram"> {penguin.io = "input"},
                  %n: memref<0x2xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4x2xf32, "dram"> {penguin.io = "output"},
                  %y: memref<8x2xf32, "dram"> {penguin.io = "output"},
                  %e: memref<0x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.concat"(%n, %a, %n, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<0x2xf32, "dram">, memref<4x2xf32, "dram">, memref<0x2xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  "penguin.concat"(%a, %n, %a, %y) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x2xf32, "dram">, memref<0x2xf32, "dram">, memref<4x2xf32, "dram">, memref<8x2xf32, "dram">) -> ()
  "penguin.unary"(%n, %e) {function = "tanh"} : (memref<0x2xf32, "dram">, memref<0x2xf32, "dram">) -> ()
  %t = memref.alloc() : memref<2x0xf32, "dram">
  "penguin.transpose"(%n, %t) {permutation = array<i64: 1, 0>} : (memref<0x2xf32, "dram">, memref<2x0xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @values
// CHECK-NEXT: "penguin.broadcast"(%arg1, %arg4) {dims = array<i64>}
// CHECK-NEXT: "penguin.broadcast"(%arg1, %arg5) {dims = array<i64>}
// CHECK-NEXT: "penguin.memset"(%arg6) {value = 0 : i32}
// CHECK-NEXT: return
func.func @values(%n: memref<3x0xf32, "dram"> {penguin.io = "input"},
                  %s: memref<f32, "dram"> {penguin.io = "input"},
                  %i: memref<3x0xi32, "dram"> {penguin.io = "input"},
                  %j: memref<0x2xi32, "dram"> {penguin.io = "input"},
                  %x: memref<3xf32, "dram"> {penguin.io = "output"},
                  %y: memref<3x2xf32, "dram"> {penguin.io = "output"},
                  %z: memref<3x2xi32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.reduce"(%n, %s, %x) {axes = array<i64: 1>, function = "add"} : (memref<3x0xf32, "dram">, memref<f32, "dram">, memref<3xf32, "dram">) -> ()
  "penguin.pad"(%n, %s, %y) {high = array<i64: 0, 1>, interior = array<i64: 0, 0>, low = array<i64: 0, 1>} : (memref<3x0xf32, "dram">, memref<f32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.tensor_contract"(%i, %j, %z) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<3x0xi32, "dram">, memref<0x2xi32, "dram">, memref<3x2xi32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @loops
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: %[[V:.*]] = affine.load %arg0[%[[I]]]
// CHECK-NEXT: affine.store %[[V]], %arg1[%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loops(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i] : memref<4xf32, "dram">
    %s = affine.for %j = 3 to 3 iter_args(%c = %v) -> f32 {
      %w = arith.addf %c, %v : f32
      affine.yield %w : f32
    }
    affine.store %s, %x[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 0 {
    %v = affine.load %a[%i] : memref<4xf32, "dram">
    affine.store %v, %x[%i] : memref<4xf32, "dram">
  }
  return
}
