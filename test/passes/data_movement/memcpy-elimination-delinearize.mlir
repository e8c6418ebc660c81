// RUN: penguin-opt --memcpy-elimination --transpose-op-elimination --verify-semantics --split-input-file %s | FileCheck %s
// RUN: penguin-opt --memcpy-elimination --transpose-op-elimination --mlir-pass-statistics %s -o /dev/null --split-input-file 2>&1 | FileCheck %s --check-prefix=STAT

// A reshape in a transpose's shadow: what was one loop has to be two.

// STAT: MemcpyElimination
// STAT: 1 quasi-affine - Number of quasi affine expr generated during addr rewrite
// STAT: TransposeOpElimination
// STAT: 1 splits - Number of loops split

// CHECK-LABEL: @consumer
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[S:.*]] = 0 to 16 {
// CHECK-NEXT: affine.for %[[H:.*]] = 0 to 12 {
// CHECK-NEXT: affine.for %[[D:.*]] = 0 to 64 {
// CHECK-NEXT: affine.load %arg0[%[[H]], %[[S]], %[[D]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[S]], %[[H]] * 64 + %[[D]]]
func.func @consumer(%in: memref<12x16x64xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<16x768xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<16x12x64xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<12x16x64xf32, "dram">, memref<16x12x64xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<16x768xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<16x12x64xf32, "dram">, memref<16x768xf32, "dram">) -> ()
  affine.for %s = 0 to 16 {
    affine.for %n = 0 to 768 {
      %v = affine.load %u[%s, %n] : memref<16x768xf32, "dram">
      %w = arith.addf %v, %v : f32
      affine.store %w, %out[%s, %n] : memref<16x768xf32, "dram">
    }
  }
  return
}

// -----

// The same on the side of the stores, which go straight to the output.

// CHECK-LABEL: @producer
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[S:.*]] = 0 to 16 {
// CHECK-NEXT: affine.for %[[H:.*]] = 0 to 12 {
// CHECK-NEXT: affine.for %[[D:.*]] = 0 to 64 {
// CHECK: affine.store %{{.*}}, %arg1[%[[H]], %[[S]], %[[D]]]
func.func @producer(%in: memref<16x768xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<12x16x64xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<16x768xf32, "dram">
  affine.for %s = 0 to 16 {
    affine.for %n = 0 to 768 {
      %v = affine.load %in[%s, %n] : memref<16x768xf32, "dram">
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[%s, %n] : memref<16x768xf32, "dram">
    }
  }
  %u = memref.alloc() {penguin.name = "t1"} : memref<16x12x64xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<16x768xf32, "dram">, memref<16x12x64xf32, "dram">) -> ()
  "penguin.transpose"(%u, %out) {permutation = array<i64: 1, 0, 2>} : (memref<16x12x64xf32, "dram">, memref<12x16x64xf32, "dram">) -> ()
  return
}

// -----

// The heads of an attention: transpose and reshape to the output need no split, the loops are there.

// CHECK-LABEL: @heads
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[H:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[S:.*]] = 0 to 8 {
// CHECK-NEXT: affine.for %[[D:.*]] = 0 to 16 {
// CHECK-NOT: affine.for
// CHECK: affine.store %{{.*}}, %arg1[%[[S]], %[[H]] * 16 + %[[D]]]
func.func @heads(%in: memref<4x8x16xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<8x64xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %y = memref.alloc() {penguin.name = "t0"} : memref<4x8x16xf32, "dram">
  affine.for %h = 0 to 4 {
    affine.for %s = 0 to 8 {
      affine.for %d = 0 to 16 {
        %v = affine.load %in[%h, %s, %d] : memref<4x8x16xf32, "dram">
        %w = arith.mulf %v, %v : f32
        affine.store %w, %y[%h, %s, %d] : memref<4x8x16xf32, "dram">
      }
    }
  }
  %t = memref.alloc() {penguin.name = "t1"} : memref<8x4x16xf32, "dram">
  "penguin.transpose"(%y, %t) {permutation = array<i64: 1, 0, 2>} : (memref<4x8x16xf32, "dram">, memref<8x4x16xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %out) : (memref<8x4x16xf32, "dram">, memref<8x64xf32, "dram">) -> ()
  return
}

// -----

// A sum goes through both loops, and its order stays.

// CHECK-LABEL: @carried
// CHECK-NOT: "penguin.
// CHECK: %[[SUM:.*]] = affine.for %[[A:.*]] = 0 to 3 iter_args(%[[X:.*]] = %{{.*}}) -> (f32) {
// CHECK-NEXT: %[[INNER:.*]] = affine.for %[[B:.*]] = 0 to 8 iter_args(%[[Y:.*]] = %[[X]]) -> (f32) {
// CHECK-NEXT: %[[V:.*]] = affine.load %arg0[%[[A]], %{{.*}}, %[[B]]]
// CHECK-NEXT: %[[Z:.*]] = arith.addf %[[Y]], %[[V]]
// CHECK-NEXT: affine.yield %[[Z]]
// CHECK: affine.yield %[[INNER]]
// CHECK: affine.store %[[SUM]], %arg1
func.func @carried(%in: memref<3x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x3x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<3x5x8xf32, "dram">, memref<5x3x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x3x8xf32, "dram">, memref<5x24xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    %sum = affine.for %n = 0 to 24 iter_args(%x = %zero) -> (f32) {
      %v = affine.load %u[%s, %n] : memref<5x24xf32, "dram">
      %y = arith.addf %x, %v : f32
      affine.yield %y : f32
    }
    affine.store %sum, %out[%s] : memref<5xf32, "dram">
  }
  return
}

// -----

// The loop stops inside of a period: the rest is a nest of its own.

// CHECK-LABEL: @rest
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[S:.*]] = 0 to 5 {
// CHECK-NEXT: affine.for %[[A:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 8 {
// CHECK-NEXT: affine.load %arg0[%[[A]], %[[S]], %[[B]]]
// CHECK: affine.for %[[S:.*]] = 0 to 5 {
// CHECK-NEXT: affine.for %[[N:.*]] = 16 to 21 {
// CHECK-NEXT: affine.load %arg0[2, %[[S]], %[[N]] - 16]
func.func @rest(%in: memref<3x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5x21xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x3x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<3x5x8xf32, "dram">, memref<5x3x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x3x8xf32, "dram">, memref<5x24xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    affine.for %n = 0 to 21 {
      %v = affine.load %u[%s, %n] : memref<5x24xf32, "dram">
      %x = arith.addf %v, %v : f32
      affine.store %x, %out[%s, %n] : memref<5x21xf32, "dram">
    }
  }
  return
}

// -----

// Bounds and a step that are not 0 and 1, another access of the loop, and a condition on it.

// CHECK-LABEL: @awkward
// CHECK-NOT: "penguin.transpose"
// CHECK: affine.for %[[S:.*]] = 0 to 5 {
// CHECK-NEXT: affine.for %[[A:.*]] = 0 to 3 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 8 {
// CHECK-NEXT: %[[N:.*]] = affine.apply #{{.*}}(%[[A]], %[[B]])
// CHECK-NEXT: affine.if #{{.*}}(%[[N]])
// CHECK-NEXT: affine.load %arg0[%[[A]], %[[S]], %[[B]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[S]], %[[A]] * 16 + %[[B]] * 2 + 4]
func.func @awkward(%in: memref<3x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5x52xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  "penguin.memset"(%out) {value = 0.0 : f32} : (memref<5x52xf32, "dram">) -> ()
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x3x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<3x5x8xf32, "dram">, memref<5x3x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x3x8xf32, "dram">, memref<5x24xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    affine.for %n = 4 to 52 step 2 {
      affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%n) {
        %v = affine.load %u[%s, %n floordiv 2 - 2] : memref<5x24xf32, "dram">
        %x = arith.addf %v, %v : f32
        affine.store %x, %out[%s, %n] : memref<5x52xf32, "dram">
      }
    }
  }
  return
}

// -----

// Two loads of the nest want the same.

// CHECK-LABEL: @two
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[S:.*]] = 0 to 5 {
// CHECK-NEXT: affine.for %[[A:.*]] = 0 to 3 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 8 {
// CHECK-NEXT: affine.load %arg0[%[[A]], %[[S]], %[[B]]]
// CHECK-NEXT: affine.load %arg0[%[[A]], 4, %[[B]]]
func.func @two(%in: memref<3x5x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<5x24xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<5x3x8xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 1, 0, 2>} : (memref<3x5x8xf32, "dram">, memref<5x3x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<5x24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<5x3x8xf32, "dram">, memref<5x24xf32, "dram">) -> ()
  affine.for %s = 0 to 5 {
    affine.for %n = 0 to 24 {
      %v = affine.load %u[%s, %n] : memref<5x24xf32, "dram">
      %w = affine.load %u[4, %n] : memref<5x24xf32, "dram">
      %x = arith.addf %v, %w : f32
      affine.store %x, %out[%s, %n] : memref<5x24xf32, "dram">
    }
  }
  return
}

// -----

// One split makes another one possible: 3 x 4 x 2 elements by one loop.

// CHECK-LABEL: @twice
// CHECK-NOT: "penguin.
// CHECK: affine.for %[[A:.*]] = 0 to 3 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[C:.*]] = 0 to 2 {
// CHECK-NEXT: affine.load %arg0[%[[C]], %[[B]], %[[A]]]
func.func @twice(%in: memref<2x4x3xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %out: memref<24xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t0"} : memref<3x4x2xf32, "dram">
  "penguin.transpose"(%in, %t) {permutation = array<i64: 2, 1, 0>} : (memref<2x4x3xf32, "dram">, memref<3x4x2xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "t1"} : memref<24xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<3x4x2xf32, "dram">, memref<24xf32, "dram">) -> ()
  affine.for %n = 0 to 24 {
    %v = affine.load %u[%n] : memref<24xf32, "dram">
    %x = arith.addf %v, %v : f32
    affine.store %x, %out[%n] : memref<24xf32, "dram">
  }
  return
}
