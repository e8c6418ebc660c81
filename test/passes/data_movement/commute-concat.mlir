// RUN: penguin-opt --split-input-file --commute-concat --verify-semantics %s | filecheck %s
// RUN: penguin-opt --split-input-file --commute-concat --tensor-op-simplifier --memcpy-elimination --verify-semantics %s | filecheck %s --check-prefix=THEN

// What was exposed, taken.
// THEN-LABEL: func.func @undone
// THEN: "penguin.concat"(%{{.*}}, %arg1, %arg2)
// THEN-LABEL: func.func @behind
// THEN-NEXT: "penguin.transpose"(%arg0, %arg1)
// THEN-NEXT: return

// The transpose of one source is undone.
// CHECK-LABEL: func.func @undone
// CHECK: %[[P:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<2x3xf32, "dram">
// CHECK-NEXT: "penguin.transpose"(%{{.*}}, %[[P]]) {permutation = array<i64: 1, 0>}
// CHECK: %[[Q:[a-z0-9_]+]] = memref.alloc() {{.*}} : memref<4x3xf32, "dram">
// CHECK-NEXT: "penguin.transpose"(%{{.*}}, %[[Q]]) {permutation = array<i64: 1, 0>}
// CHECK-NEXT: "penguin.concat"(%[[P]], %[[Q]], %arg2) {axis = 0
func.func @undone(%a: memref<3x2xf32, "dram"> {penguin.io = "input"},
                  %b: memref<4x3xf32, "dram"> {penguin.io = "input"},
                  %x: memref<6x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %u = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b, %u) {permutation = array<i64: 1, 0>} : (memref<4x3xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %w = memref.alloc() : memref<3x2xf32, "dram">
  "penguin.transpose"(%t, %w) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  %c = memref.alloc() : memref<3x6xf32, "dram">
  "penguin.concat"(%w, %u, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<3x2xf32, "dram">, memref<3x4xf32, "dram">, memref<3x6xf32, "dram">) -> ()
  "penguin.transpose"(%c, %x) {permutation = array<i64: 1, 0>} : (memref<3x6xf32, "dram">, memref<6x3xf32, "dram">) -> ()
  return
}

// -----

// Each reader takes one piece.
// CHECK-LABEL: func.func @taken_apart
// CHECK: "penguin.memcast"(%arg0, %[[P:[a-z0-9_]+]])
// CHECK: "penguin.memcast"(%arg1, %[[Q:[a-z0-9_]+]])
// CHECK-NEXT: "penguin.concat"(%[[P]], %[[Q]], %[[D:[a-z0-9_]+]])
// CHECK-NEXT: "penguin.slice"(%[[D]]
func.func @taken_apart(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                       %b: memref<8xf32, "dram"> {penguin.io = "input"},
                       %x: memref<8xbf16, "dram"> {penguin.io = "output"},
                       %y: memref<2xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 12>, starts = array<i64: 4>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<8xbf16, "dram">) -> ()
  "penguin.slice"(%d, %y) {access = "ndim", limits = array<i64: 3>, starts = array<i64: 1>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<2xbf16, "dram">) -> ()
  return
}

// -----

// A reshape that keeps the slabs together.
// CHECK-LABEL: func.func @reshaped
// CHECK: "penguin.memcpy"(%{{.*}}, %[[P:[a-z0-9_]+]]) : (memref<4x2xf32, "dram">, memref<2x4xf32, "dram">)
// CHECK: "penguin.memcpy"(%arg1, %[[Q:[a-z0-9_]+]]) : (memref<4x2xf32, "dram">, memref<2x4xf32, "dram">)
// CHECK: "penguin.concat"(%[[P]], %[[Q]], %{{.*}}) {axis = 0
func.func @reshaped(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                    %b: memref<4x2xf32, "dram"> {penguin.io = "input"},
                    %x: memref<6x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4x2xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  %c = memref.alloc() : memref<8x2xf32, "dram">
  "penguin.concat"(%t, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">, memref<8x2xf32, "dram">) -> ()
  %d = memref.alloc() : memref<4x4xf32, "dram">
  "penguin.memcpy"(%c, %d) : (memref<8x2xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  %e = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memset"(%e) {value = 1.0 : f32} : (memref<2x4xf32, "dram">) -> ()
  "penguin.concat"(%d, %e, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x4xf32, "dram">, memref<2x4xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  return
}

// -----

// Slices of one tensor, side by side.
// CHECK-LABEL: func.func @behind
// CHECK: "penguin.slice"(%arg0, %[[T:[a-z0-9_]+]])
// CHECK: "penguin.slice"(%arg0, %[[U:[a-z0-9_]+]])
// CHECK: "penguin.concat"(%[[T]], %[[U]], %[[W:[a-z0-9_]+]]) {axis = 0
// CHECK-NEXT: "penguin.transpose"(%[[W]], %arg1) {permutation = array<i64: 1, 0>}
// CHECK-NEXT: return
func.func @behind(%a: memref<6x4xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4x6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 2, 4>, starts = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (memref<6x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  %u = memref.alloc() : memref<4x4xf32, "dram">
  "penguin.slice"(%a, %u) {access = "ndim", limits = array<i64: 6, 4>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (memref<6x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  %p = memref.alloc() : memref<4x2xf32, "dram">
  "penguin.transpose"(%t, %p) {permutation = array<i64: 1, 0>} : (memref<2x4xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  %q = memref.alloc() : memref<4x4xf32, "dram">
  "penguin.transpose"(%u, %q) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  "penguin.concat"(%p, %q, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x2xf32, "dram">, memref<4x4xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}
