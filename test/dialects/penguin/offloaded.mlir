// RUN: penguin-opt %s | penguin-opt | filecheck %s

// CHECK-LABEL: func.func @reshape
// CHECK: "penguin.memcpy"(%{{.*}}, %{{.*}}) : (memref<8x6xf32, "dram">, memref<48xf32, "dram">) -> ()
func.func @reshape(%t: memref<8x6xf32, "dram">, %u: memref<48xf32, "dram">) {
  "penguin.memcpy"(%t, %u) : (memref<8x6xf32, "dram">, memref<48xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @scalar_copy_to_chip
// CHECK: "penguin.memcpy"({{.*}}) : (memref<f32, "dram">, memref<1x1xf32, "sbuf">) -> ()
func.func @scalar_copy_to_chip(%t: memref<f32, "dram">, %u: memref<1x1xf32, "sbuf">) {
  "penguin.memcpy"(%t, %u) : (memref<f32, "dram">, memref<1x1xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @convert
// CHECK: "penguin.memcast"({{.*}}) : (memref<4xf32, "dram">, memref<4xui8, "dram">) -> ()
func.func @convert(%x: memref<4xf32, "dram">, %y: memref<4xui8, "dram">) {
  "penguin.memcast"(%x, %y) : (memref<4xf32, "dram">, memref<4xui8, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @bitcasts
// CHECK: "penguin.bitcast"({{.*}}) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
// CHECK: "penguin.bitcast"({{.*}}) : (memref<4xf32, "dram">, memref<4x4xi8, "dram">) -> ()
// CHECK: "penguin.bitcast"({{.*}}) : (memref<4x4xi8, "dram">, memref<4xf32, "dram">) -> ()
func.func @bitcasts(%x: memref<4xf32, "dram">, %i: memref<4xi32, "dram">, %b: memref<4x4xi8, "dram">) {
  "penguin.bitcast"(%x, %i) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  "penguin.bitcast"(%x, %b) : (memref<4xf32, "dram">, memref<4x4xi8, "dram">) -> ()
  "penguin.bitcast"(%b, %x) : (memref<4x4xi8, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @concat_two_runs
// CHECK: "penguin.concat"(%[[A:.*]], %[[A]], %{{.*}}, %{{.*}}) {axis = 1 : i64
// CHECK-SAME: operandSegmentSizes = array<i32: 2, 1, 0
func.func @concat_two_runs(%a: memref<4x3xf32, "dram">, %b: memref<4x2xf32, "dram">, %d: memref<4x8xf32, "dram">) {
  "penguin.concat"(%a, %a, %b, %d) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x3xf32, "dram">, memref<4x3xf32, "dram">, memref<4x2xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @slices
// CHECK: "penguin.slice"({{.*}}) {access = "ndim", limits = array<i64: 4, 8>, starts = array<i64: 0, 1>, strides = array<i64: 1, 3>}
// CHECK: "penguin.slice"({{.*}}) {access = "flattened", limits = array<i64: 32>, starts = array<i64: 16>, strides = array<i64: 4>}
func.func @slices(%a: memref<4x8xf32, "dram">, %b: memref<4x3xf32, "dram">, %c: memref<2x2xf32, "dram">) {
  "penguin.slice"(%a, %b) {starts = array<i64: 0, 1>, limits = array<i64: 4, 8>, strides = array<i64: 1, 3>, access = "ndim"} : (memref<4x8xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  "penguin.slice"(%a, %c) {starts = array<i64: 16>, limits = array<i64: 32>, strides = array<i64: 4>, access = "flattened"} : (memref<4x8xf32, "dram">, memref<2x2xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @transpose
// CHECK: "penguin.transpose"({{.*}}) {permutation = array<i64: 2, 0, 1>}
// CHECK: "penguin.transpose"({{.*}}) {permutation = array<i64: 1, 0>, src_shape = array<i64: 6, 4>}
func.func @transpose(%a: memref<2x3x4xf32, "dram">, %b: memref<4x2x3xf32, "dram">) {
  "penguin.transpose"(%a, %b) {permutation = array<i64: 2, 0, 1>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: 6, 4>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @broadcasts
// CHECK: "penguin.broadcast"({{.*}}) {dims = array<i64: 2, 0>}
// CHECK: "penguin.broadcast"({{.*}}) {dims = array<i64>}
func.func @broadcasts(%a: memref<1x2xi1, "dram">, %b: memref<2x3x4xi1, "dram">, %s: memref<i1, "dram">) {
  "penguin.broadcast"(%a, %b) {dims = array<i64: 2, 0>} : (memref<1x2xi1, "dram">, memref<2x3x4xi1, "dram">) -> ()
  "penguin.broadcast"(%s, %b) {dims = array<i64>} : (memref<i1, "dram">, memref<2x3x4xi1, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @memsets
// CHECK: value = 0xFF80 : bf16
// CHECK: value = true
// CHECK: value = 255 : ui8
func.func @memsets(%a: memref<4xbf16, "dram">, %b: memref<i1, "dram">, %c: memref<4xui8, "dram">) {
  "penguin.memset"(%a) {value = 0xFF80 : bf16} : (memref<4xbf16, "dram">) -> ()
  "penguin.memset"(%b) {value = true} : (memref<i1, "dram">) -> ()
  "penguin.memset"(%c) {value = 255 : ui8} : (memref<4xui8, "dram">) -> ()
  return
}
