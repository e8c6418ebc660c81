// RUN: penguin-opt %s --concat-op-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: penguin-opt %s --memcpy-elimination --concat-op-elimination >%t.reshaped
// RUN: filecheck %s --check-prefix=RESHAPED <%t.reshaped
// RUN: not grep penguin.concat %t.reshaped
// RUN: penguin-opt %t.once --concat-op-elimination >%t.twice
// RUN: diff %t.once %t.twice

// The worked example of document 000: A[x, y, 1, m, n] of shape [2, 4, 2, 8, 3], over B: [2, 4, 7, 3]
// and C: [2, 4, 9, 3]. The index along the axis is 8 + m, whose range [8, 15] is in C alone.
// CHECK-LABEL: func.func @worked_example
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[X:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[Y:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[M:.*]] = 0 to 8 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 3 {
// CHECK-NEXT: affine.load %arg1[%[[X]], %[[Y]], %[[M]] + 1, %[[N]]] : memref<2x4x9x3xf32, "dram">
func.func @worked_example(%b: memref<2x4x7x3xf32, "dram"> {penguin.io = "input"}, %c: memref<2x4x9x3xf32, "dram"> {penguin.io = "input"},
    %o: memref<2x4x8x3xf32, "dram"> {penguin.io = "output"}) {
  %a = memref.alloc() : memref<2x4x16x3xf32, "dram">
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4, 2, 8, 3], strides: [192, 48, 24, 3, 1] : memref<2x4x16x3xf32, "dram"> to memref<2x4x2x8x3xf32, "dram">
  "penguin.concat"(%b, %c, %a) {axis = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4x7x3xf32, "dram">, memref<2x4x9x3xf32, "dram">, memref<2x4x16x3xf32, "dram">) -> ()
  affine.for %x = 0 to 2 {
    affine.for %y = 0 to 4 {
      affine.for %m = 0 to 8 {
        affine.for %n = 0 to 3 {
          %e = affine.load %v[%x, %y, 1, %m, %n] : memref<2x4x2x8x3xf32, "dram">
          affine.store %e, %o[%x, %y, %m, %n] : memref<2x4x8x3xf32, "dram">
        }
      }
    }
  }
  return
}

!half = memref<4x3xf32, "dram">
!most = memref<4x5xf32, "dram">
!all = memref<4x8xf32, "dram">

// fuse_src: each producer stores into its slab.
// CHECK-LABEL: func.func @producers
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %arg2[%[[I:.*]], %[[J:.*]]] : memref<4x8xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg2[%[[I:.*]], %[[J:.*]] + 3] : memref<4x8xf32, "dram">
func.func @producers(%x: !half {penguin.io = "input"}, %y: !most {penguin.io = "input"}, %o: !all {penguin.io = "output"}) {
  %a = memref.alloc() : !half
  %b = memref.alloc() : !most
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !half
      affine.store %v, %a[%i, %j] : !half
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %v = affine.load %y[%i, %j] : !most
      affine.store %v, %b[%i, %j] : !most
    }
  }
  "penguin.concat"(%a, %b, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!half, !most, !all) -> ()
  return
}

// Producers first, also where consumers could; other readers of a source read the slab.
// CHECK-LABEL: func.func @producers_with_reader
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}, %{{.*}}] : memref<4x8xf32, "dram">
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}, %{{.*}} + 3] : memref<4x8xf32, "dram">
// CHECK: affine.load %alloc[%{{.*}}, 5]
// CHECK: affine.load %alloc[%{{.*}}, %{{.*}}]
func.func @producers_with_reader(%x: !half {penguin.io = "input"}, %y: !most {penguin.io = "input"}, %o: !all {penguin.io = "output"},
    %p: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %a = memref.alloc() : !half
  %b = memref.alloc() : !most
  %c = memref.alloc() : !all
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !half
      affine.store %v, %a[%i, %j] : !half
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %v = affine.load %y[%i, %j] : !most
      affine.store %v, %b[%i, %j] : !most
    }
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %b[%i, 2] : !most
    affine.store %v, %p[%i] : memref<4xf32, "dram">
  }
  "penguin.concat"(%a, %b, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!half, !most, !all) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %c[%i, %j] : !all
      affine.store %v, %o[%i, %j] : !all
    }
  }
  return
}

// A load that spans the slabs: its nest is cut at the loop that runs along the axis.
// CHECK-LABEL: func.func @cut
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 3 {
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]]] : memref<4x3xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 3 to 8 {
// CHECK-NEXT: affine.load %arg1[%[[I]], %[[J]] - 3] : memref<4x5xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
func.func @cut(%x: !half {penguin.io = "input"}, %y: !most {penguin.io = "input"}, %o: !all {penguin.io = "output"}) {
  %c = memref.alloc() : !all
  "penguin.concat"(%x, %y, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!half, !most, !all) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %c[%i, %j] : !all
      affine.store %v, %o[%i, %j] : !all
    }
  }
  return
}

// Three sources along the outermost axis, one of them twice: three pieces.
// CHECK-LABEL: func.func @cut_in_three
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT: affine.load %arg0[%[[I]]]
// CHECK: affine.for %[[I:.*]] = 2 to 5 {
// CHECK-NEXT: affine.load %arg1[%[[I]] - 2]
// CHECK: affine.for %[[I:.*]] = 5 to 7 {
// CHECK-NEXT: affine.load %arg0[%[[I]] - 5]
// CHECK-NOT: affine.for
// CHECK: return
func.func @cut_in_three(%x: memref<2xf32, "dram"> {penguin.io = "input"}, %y: memref<3xf32, "dram"> {penguin.io = "input"}, %o: memref<7xf32, "dram"> {penguin.io = "output"}) {
  %c = memref.alloc() : memref<7xf32, "dram">
  "penguin.concat"(%x, %y, %x, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2xf32, "dram">, memref<3xf32, "dram">, memref<2xf32, "dram">, memref<7xf32, "dram">) -> ()
  affine.for %i = 0 to 7 {
    %v = affine.load %c[%i] : memref<7xf32, "dram">
    affine.store %v, %o[%i] : memref<7xf32, "dram">
  }
  return
}

// Backwards, and not in steps of one: the smaller iterations read the second source.
// CHECK-LABEL: func.func @cut_backwards
// CHECK: affine.for %[[I:.*]] = 0 to 3 {
// CHECK-NEXT: affine.load %arg1[%[[I]] * -2 + 4] : memref<5xf32, "dram">
// CHECK: affine.for %{{.*}} = 3 to 4 {
// CHECK-NEXT: affine.load %arg0[2] : memref<4xf32, "dram">
// CHECK-NOT: affine.for
// CHECK: return
func.func @cut_backwards(%x: memref<4xf32, "dram"> {penguin.io = "input"}, %y: memref<5xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %c = memref.alloc() : memref<9xf32, "dram">
  "penguin.concat"(%x, %y, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<5xf32, "dram">, memref<9xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %c[%i * -2 + 8] : memref<9xf32, "dram">
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// Slabs of one element each, read one by one: no loop is to be cut.
// CHECK-LABEL: func.func @unit_slabs
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg1[0, %{{.*}}]
// CHECK-NEXT: affine.load %arg0[0, %{{.*}}]
func.func @unit_slabs(%x: memref<1x4xf32, "dram"> {penguin.io = "input"}, %y: memref<1x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %c = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.concat"(%x, %y, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x4xf32, "dram">, memref<1x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %c[1, %i] : memref<2x4xf32, "dram">
    %w = affine.load %c[0, %i] : memref<2x4xf32, "dram">
    %s = arith.subf %v, %w : f32
    affine.store %s, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// A concat of concats: both go, from the last to the first.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT: affine.load %arg0[%[[I]]]
// CHECK: affine.for %[[I:.*]] = 2 to 4 {
// CHECK-NEXT: affine.load %arg1[%[[I]] - 2]
// CHECK: affine.for %[[I:.*]] = 4 to 6 {
// CHECK-NEXT: affine.load %arg2[%[[I]] - 4]
func.func @nested(%x: memref<2xf32, "dram"> {penguin.io = "input"}, %y: memref<2xf32, "dram"> {penguin.io = "input"}, %z: memref<2xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}) {
  %c = memref.alloc() : memref<4xf32, "dram">
  %d = memref.alloc() : memref<6xf32, "dram">
  "penguin.concat"(%x, %y, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2xf32, "dram">, memref<2xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.concat"(%c, %z, %d) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<2xf32, "dram">, memref<6xf32, "dram">) -> ()
  affine.for %i = 0 to 6 {
    %v = affine.load %d[%i] : memref<6xf32, "dram">
    affine.store %v, %o[%i] : memref<6xf32, "dram">
  }
  return
}

// The same with the reshape as an op, which memcpy-elimination folds first.
// RESHAPED-LABEL: func.func @worked_example_with_memcpy
// RESHAPED-NOT: memref.alloc
// RESHAPED: affine.load %arg1[%[[X:.*]], %[[Y:.*]], %[[M:.*]] + 1, %[[N:.*]]] : memref<2x4x9x3xf32, "dram">
// RESHAPED-NEXT: affine.store %{{.*}}, %arg2[%[[X]], %[[Y]], %[[M]], %[[N]]]
// CHECK-LABEL: func.func @worked_example_with_memcpy
func.func @worked_example_with_memcpy(%b: memref<2x4x7x3xf32, "dram"> {penguin.io = "input"}, %c: memref<2x4x9x3xf32, "dram"> {penguin.io = "input"},
    %o: memref<2x4x8x3xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<2x4x16x3xf32, "dram">
  %a = memref.alloc() : memref<2x4x2x8x3xf32, "dram">
  "penguin.concat"(%b, %c, %t) {axis = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4x7x3xf32, "dram">, memref<2x4x9x3xf32, "dram">, memref<2x4x16x3xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %a) : (memref<2x4x16x3xf32, "dram">, memref<2x4x2x8x3xf32, "dram">) -> ()
  affine.for %x = 0 to 2 {
    affine.for %y = 0 to 4 {
      affine.for %m = 0 to 8 {
        affine.for %n = 0 to 3 {
          %e = affine.load %a[%x, %y, 1, %m, %n] : memref<2x4x2x8x3xf32, "dram">
          affine.store %e, %o[%x, %y, %m, %n] : memref<2x4x8x3xf32, "dram">
        }
      }
    }
  }
  return
}
