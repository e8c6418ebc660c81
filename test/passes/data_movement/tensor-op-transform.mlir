// RUN: penguin-opt --split-input-file --tensor-op-transform --verify-semantics %s | filecheck %s
// RUN: penguin-opt --split-input-file --lower-tensor-op --tensor-op-transform --verify-semantics %s | filecheck %s

// One source: a memcpy. A source without elements is no source.
// CHECK-LABEL: func.func @concat
// CHECK: "penguin.memcpy"(%{{.*}}, %{{.*}}) : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">)
// CHECK: "penguin.concat"(%{{.*}}, %{{.*}}, %{{.*}}) {axis = 1 : i64
// CHECK-SAME: (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">, memref<4x4xf32, "dram">)
func.func @concat(%a: memref<4x2xf32, "dram"> {penguin.io = "input"},
                  %none: memref<4x0xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4x2xf32, "dram"> {penguin.io = "output"},
                  %y: memref<4x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.concat"(%a, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>}
    : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  "penguin.concat"(%a, %none, %a, %y) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>}
    : (memref<4x2xf32, "dram">, memref<4x0xf32, "dram">, memref<4x2xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @transpose
// CHECK: "penguin.memcpy"(%{{.*}}, %{{.*}}) : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">)
// CHECK: %[[U:.*]] = memref.alloc() : memref<2x1x2xf32, "dram">
// CHECK: "penguin.memcpy"(%{{.*}}, %[[U]]) : (memref<1x2x2xf32, "dram">, memref<2x1x2xf32, "dram">)
// CHECK: "penguin.transpose"(%[[U]], %{{.*}}) {permutation = array<i64: 2, 0, 1>}
func.func @transpose(%a: memref<4x2xf32, "dram"> {penguin.io = "input"},
                     %b: memref<1x2x2xf32, "dram"> {penguin.io = "input"},
                     %x: memref<4x2xf32, "dram"> {penguin.io = "output"},
                     %y: memref<2x2x1xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.transpose"(%a, %x) {permutation = array<i64: 0, 1>} : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  %s = memref.alloc() : memref<1x2x2xf32, "dram">
  "penguin.transpose"(%b, %s) {permutation = array<i64: 0, 2, 1>} : (memref<1x2x2xf32, "dram">, memref<1x2x2xf32, "dram">) -> ()
  %u = memref.alloc() : memref<2x1x2xf32, "dram">
  "penguin.transpose"(%s, %u) {permutation = array<i64: 1, 0, 2>} : (memref<1x2x2xf32, "dram">, memref<2x1x2xf32, "dram">) -> ()
  "penguin.transpose"(%u, %y) {permutation = array<i64: 2, 0, 1>} : (memref<2x1x2xf32, "dram">, memref<2x2x1xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @slice
// CHECK-DAG: %[[W:.*]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [2, 8], strides: [8, 1]
// CHECK-DAG: %[[L:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [32], strides: [1]
// The whole, in order.
// CHECK: "penguin.memcpy"(%arg0, %arg1)
// Elements 8 to 23 of 4x8 are two rows.
// CHECK: "penguin.slice"(%arg0, %[[W]]) {access = "ndim", limits = array<i64: 3, 8>, starts = array<i64: 1, 0>, strides = array<i64: 1, 1>}
// Every eighth element is a column.
// CHECK: "penguin.slice"(%arg0, %{{.*}}) {access = "ndim", limits = array<i64: 4, 3>, starts = array<i64: 0, 2>, strides = array<i64: 1, 1>}
// Elements 5 to 12 are no box: of the flat tensor they are one.
// CHECK: "penguin.slice"(%[[L]], %{{.*}}) {access = "ndim", limits = array<i64: 13>, starts = array<i64: 5>, strides = array<i64: 1>}
// A contiguous ndim slice stays one; its limit and stride say what is taken.
// CHECK: "penguin.slice"(%arg0, %{{.*}}) {access = "ndim", limits = array<i64: 1, 5>, starts = array<i64: 0, 0>, strides = array<i64: 1, 2>}
func.func @slice(%a: memref<4x8xf32, "dram"> {penguin.io = "input"},
                 %v: memref<4x8xf32, "dram"> {penguin.io = "output"},
                 %w: memref<16xf32, "dram"> {penguin.io = "output"},
                 %x: memref<4x1xf32, "dram"> {penguin.io = "output"},
                 %y: memref<8xf32, "dram"> {penguin.io = "output"},
                 %z: memref<1x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.slice"(%a, %v) {access = "flattened", limits = array<i64: 32>, starts = array<i64: 0>, strides = array<i64: 1>}
    : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.slice"(%a, %w) {access = "flattened", limits = array<i64: 24>, starts = array<i64: 8>, strides = array<i64: 1>}
    : (memref<4x8xf32, "dram">, memref<16xf32, "dram">) -> ()
  "penguin.slice"(%a, %x) {access = "flattened", limits = array<i64: 32>, starts = array<i64: 2>, strides = array<i64: 8>}
    : (memref<4x8xf32, "dram">, memref<4x1xf32, "dram">) -> ()
  "penguin.slice"(%a, %y) {access = "flattened", limits = array<i64: 13>, starts = array<i64: 5>, strides = array<i64: 1>}
    : (memref<4x8xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%a, %z) {access = "ndim", limits = array<i64: 2, 6>, starts = array<i64: 0, 0>, strides = array<i64: 4, 2>}
    : (memref<4x8xf32, "dram">, memref<1x3xf32, "dram">) -> ()
  return
}

// -----

// A chain of memcpys that nobody reads.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: memcpy"(%arg0, %arg1)
// CHECK-NEXT: return
func.func @dead(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                %x: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.memcpy"(%a, %x) : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  %t = memref.alloc() : memref<8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  %u = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// -----

// Reshapes of an input and of an output, for an op and for a nest.
// CHECK-LABEL: func.func @io
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[IN:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, 4], strides: [4, 1]
// CHECK-DAG: %[[OUT:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [4, 2], strides: [2, 1]
// CHECK-NOT: penguin.memcpy
// CHECK: "penguin.transpose"(%[[IN]], %[[OUT]])
// CHECK: affine.load %[[IN]][
// CHECK: affine.load %[[OUT]][
// CHECK: affine.store {{.*}}, %arg2[
func.func @io(%a: memref<8xf32, "dram"> {penguin.io = "input"},
              %x: memref<8xf32, "dram"> {penguin.io = "output"},
              %y: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  %u = memref.alloc() : memref<4x2xf32, "dram">
  "penguin.transpose"(%t, %u) {permutation = array<i64: 1, 0>} : (memref<2x4xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %x) : (memref<4x2xf32, "dram">, memref<8xf32, "dram">) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : memref<2x4xf32, "dram">
      %w = affine.load %u[%j, %i] : memref<4x2xf32, "dram">
      %s = arith.addf %v, %w : f32
      affine.store %s, %y[%i, %j] : memref<2x4xf32, "dram">
    }
  }
  return
}
