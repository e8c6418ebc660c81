// RUN: penguin-opt --concat-op-elimination --verify-semantics --split-input-file %s | FileCheck %s

// A condition decides which source an iteration reads: nothing is cut.

// CHECK-LABEL: @condition
// CHECK-NOT: "penguin.concat"
// CHECK: affine.for %[[I:.*]] = 0 to 16 {
// CHECK: affine.if
// CHECK-NEXT: affine.load %arg1[%[[I]] - 7]
// CHECK: } else {
// CHECK-NEXT: affine.load %arg0[%[[I]]]
func.func @condition(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<16xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%i) {
      %v = affine.load %c[%i] : memref<16xf32, "dram">
      %w = arith.addf %v, %v : f32
      affine.store %w, %out[%i] : memref<16xf32, "dram">
    } else {
      %v = affine.load %c[%i] : memref<16xf32, "dram">
      %x = arith.addf %v, %v : f32
      affine.store %x, %out[%i] : memref<16xf32, "dram">
    }
  }
  return
}

// -----

// The index is a remainder: it cannot be in the second source.

// CHECK-LABEL: @remainder
// CHECK-NOT: "penguin.concat"
// CHECK: affine.for %[[I:.*]] = 0 to 16 {
// CHECK-NEXT: affine.load %arg0[%[[I]] mod 7]
func.func @remainder(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<16xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 0 to 16 {
    %v = affine.load %c[%i mod 7] : memref<16xf32, "dram">
    %x = arith.addf %v, %v : f32
    affine.store %x, %out[%i] : memref<16xf32, "dram">
  }
  return
}

// -----

// Beyond the diagonal only: j - i is 1 at least, and 7 in the first row at most.

// CHECK-LABEL: @triangle
// CHECK-NOT: "penguin.concat"
// CHECK: affine.load %arg1[-%{{.*}} + %{{.*}} - 1]
func.func @triangle(%a: memref<1xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<8x8xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<8x8xf32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "t0"} : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1xf32, "dram">, memref<7xf32, "dram">, memref<8xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.if affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>(%i, %j) {
        %v = affine.load %c[%j - %i] : memref<8xf32, "dram">
        %x = arith.addf %v, %v : f32
        affine.store %x, %out[%i, %j] : memref<8x8xf32, "dram">
      }
    }
  }
  return
}

// -----

// An inner loop of a nest with conditions is cut: no iteration touches what another one does.

// CHECK-LABEL: @cut
// CHECK-NOT: "penguin.concat"
// CHECK: affine.for %{{.*}} = 0 to 5 {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 7 {
// CHECK: affine.load %arg0
// CHECK: affine.for %{{.*}} = 0 to 5 {
// CHECK-NEXT: affine.for %{{.*}} = 7 to 16 {
// CHECK: affine.load %arg1
func.func @cut(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<5x16xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<5x16xf32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 16 {
      affine.if affine_set<(d0, d1) : ((d0 + d1) mod 3 == 0)>(%i, %j) {
        %v = affine.load %c[%j] : memref<16xf32, "dram">
        %x = arith.addf %v, %v : f32
        affine.store %x, %out[%i, %j] : memref<5x16xf32, "dram">
      }
    }
  }
  return
}

// -----

// Each row adds to the one before: the columns stay apart.

// CHECK-LABEL: @rows
// CHECK-NOT: "penguin.concat"
// CHECK-COUNT-2: affine.for %{{.*}} = 1 to 5 {
func.func @rows(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<5x16xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<5x16xf32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 1 to 5 {
    affine.for %j = 0 to 16 {
      %v = affine.load %c[%j] : memref<16xf32, "dram">
      %w = affine.load %out[%i - 1, %j] : memref<5x16xf32, "dram">
      %x = arith.addf %v, %w : f32
      affine.store %x, %out[%i, %j] : memref<5x16xf32, "dram">
    }
  }
  return
}

// -----

// Each row adds to the one before, one to the left: a column reads what a later one has stored.

// CHECK-LABEL: @skewed
// CHECK: "penguin.concat"
func.func @skewed(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<5x17xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<5x17xf32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 1 to 5 {
    affine.for %j = 0 to 16 {
      %v = affine.load %c[%j] : memref<16xf32, "dram">
      %w = affine.load %out[%i - 1, %j + 1] : memref<5x17xf32, "dram">
      %x = arith.addf %v, %w : f32
      affine.store %x, %out[%i, %j] : memref<5x17xf32, "dram">
    }
  }
  return
}

// -----

// A loop with bounds that depend on another one is around the load, and no index depends on it.

// CHECK-LABEL: @around
// CHECK-NOT: "penguin.concat"
// CHECK-COUNT-2: affine.for
func.func @around(%a: memref<7xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %b: memref<9xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"}, %out: memref<16x16xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<16x16xf32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "t0"} : memref<16xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<7xf32, "dram">, memref<9xf32, "dram">, memref<16xf32, "dram">) -> ()
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 16 {
      %v = affine.load %c[%i] : memref<16xf32, "dram">
      %x = arith.addf %v, %v : f32
      affine.store %x, %out[%i, %j] : memref<16x16xf32, "dram">
    }
  }
  return
}
