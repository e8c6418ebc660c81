// RUN: penguin-opt %s --transpose-op-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: penguin-opt %t.once --transpose-op-elimination >%t.twice
// RUN: diff %t.once %t.twice

!src = memref<4x6xf32, "dram">
!dst = memref<6x4xf32, "dram">

// Producers store permuted.
// CHECK-LABEL: func.func @stores
// CHECK-NOT: penguin.transpose
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[J]], %[[I]]] : memref<6x4xf32, "dram">
func.func @stores(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !src
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %t[%i, %j] : !src
    }
  }
  "penguin.transpose"(%t, %o) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  return
}

// Consumers load permuted.
// CHECK-LABEL: func.func @loads
// CHECK-NOT: penguin.transpose
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 6 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load %arg0[%[[J]], %[[I]]] : memref<4x6xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @loads(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// A permutation that is not its own inverse: dst[i, j, k] = src[j, k, i].
// CHECK-LABEL: func.func @rotation
// CHECK-NOT: penguin.transpose
// CHECK: affine.load %arg0[%[[J:.*]], %[[K:.*]], %[[I:.*]]] : memref<2x3x4xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]], %[[K]]] : memref<4x2x3xf32, "dram">
func.func @rotation(%x: memref<2x3x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x2x3xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4x2x3xf32, "dram">
  "penguin.transpose"(%x, %t) {permutation = array<i64: 2, 0, 1>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 3 {
        %v = affine.load %t[%i, %j, %k] : memref<4x2x3xf32, "dram">
        %n = arith.negf %v : f32
        affine.store %n, %o[%i, %j, %k] : memref<4x2x3xf32, "dram">
      }
    }
  }
  return
}

// The same towards the producer: src[i, j, k] goes to dst[k, i, j].
// CHECK-LABEL: func.func @rotation_of_stores
// CHECK-NOT: penguin.transpose
// CHECK: affine.load %arg0[%[[I:.*]], %[[J:.*]], %[[K:.*]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[K]], %[[I]], %[[J]]] : memref<4x2x3xf32, "dram">
func.func @rotation_of_stores(%x: memref<2x3x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x2x3xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<2x3x4xf32, "dram">
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %v = affine.load %x[%i, %j, %k] : memref<2x3x4xf32, "dram">
        %n = arith.negf %v : f32
        affine.store %n, %t[%i, %j, %k] : memref<2x3x4xf32, "dram">
      }
    }
  }
  "penguin.transpose"(%t, %o) {permutation = array<i64: 2, 0, 1>} : (memref<2x3x4xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  return
}

// Between two nests: the side that runs fewer times is permuted, here the producer, and in the
// second function the consumer.
// CHECK-LABEL: func.func @fewer_stores
// CHECK-NOT: penguin.transpose
// CHECK: affine.store %{{.*}}, %alloc[%[[J:.*]], %[[I:.*]]] : memref<6x4xf32, "dram">
// CHECK: affine.load %alloc[%{{.*}}, %{{.*}}] : memref<6x4xf32, "dram">
// CHECK-LABEL: func.func @fewer_loads
// CHECK-NOT: penguin.transpose
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}, %{{.*}}] : memref<4x6xf32, "dram">
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load %alloc[%[[I]], 5] : memref<4x6xf32, "dram">
func.func @fewer_stores(%x: !src {penguin.io = "input"}, %o: memref<2x6x4xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : !src
  %t = memref.alloc() : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %r = 0 to 2 {
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 4 {
        %v = affine.load %t[%i, %j] : !dst
        %n = arith.negf %v : f32
        affine.store %n, %o[%r, %i, %j] : memref<2x6x4xf32, "dram">
      }
    }
  }
  return
}
func.func @fewer_loads(%x: !src {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : !src
  %t = memref.alloc() : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %t[5, %i] : !dst
    %n = arith.negf %v : f32
    affine.store %n, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// Two in a row, back to where it was.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: penguin.transpose
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]], %[[J:.*]]] : memref<4x6xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]] : memref<4x6xf32, "dram">
func.func @chain(%x: !src {penguin.io = "input"}, %o: !src {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  %u = memref.alloc() : !src
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  "penguin.transpose"(%t, %u) {permutation = array<i64: 1, 0>} : (!dst, !src) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %u[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !src
    }
  }
  return
}

// Unit dimensions.
// CHECK-LABEL: func.func @unit_dims
// CHECK-NOT: penguin.transpose
// CHECK: affine.load %arg0[0, %[[I:.*]], 0] : memref<1x8x1xf32, "dram">
func.func @unit_dims(%x: memref<1x8x1xf32, "dram"> {penguin.io = "input"}, %o: memref<8xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<8x1x1xf32, "dram">
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 2, 0>} : (memref<1x8x1xf32, "dram">, memref<8x1x1xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %t[%i, 0, 0] : memref<8x1x1xf32, "dram">
    %n = arith.negf %v : f32
    affine.store %n, %o[%i] : memref<8xf32, "dram">
  }
  return
}

// The identity, which tensor-op-transform would have made a memcpy.
// CHECK-LABEL: func.func @identity
// CHECK-NOT: penguin.transpose
// CHECK: affine.load %arg0[%{{.*}}, %{{.*}}]
func.func @identity(%x: !src {penguin.io = "input"}, %o: !src {penguin.io = "output"}) {
  %t = memref.alloc() : !src
  "penguin.transpose"(%x, %t) {permutation = array<i64: 0, 1>} : (!src, !src) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !src
    }
  }
  return
}

// Sandwiched between copies: it stays, and its ends are marked for the way through DRAM.
// CHECK-LABEL: func.func @dram_to_dram
// CHECK: %[[S:.*]] = memref.alloc() {penguin.non_local} : memref<4x6xf32, "dram">
// CHECK: %[[T:.*]] = memref.alloc() {penguin.non_local} : memref<6x4xf32, "dram">
// CHECK: "penguin.transpose"(%[[S]], %[[T]])
// CHECK-LABEL: func.func @dram_to_output
// CHECK: %[[S:.*]] = memref.alloc() {penguin.non_local} : memref<4x6xf32, "dram">
// CHECK: "penguin.transpose"(%[[S]], %arg1)
func.func @dram_to_dram(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %s = memref.alloc() : !src
  %t = memref.alloc() : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}
func.func @dram_to_output(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %s = memref.alloc() : !src
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %o) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  return
}

// One loop over all elements is split so that no division is left.
// CHECK-LABEL: func.func @one_loop
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 6 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load %arg0[%[[J]], %[[I]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @one_loop(%x: memref<4x6xf32, "dram"> {penguin.io = "input"}, %o: memref<6x4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<6x4xf32, "dram">
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (memref<4x6xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k floordiv 4, %k mod 4] : memref<6x4xf32, "dram">
    %n = arith.negf %v : f32
    affine.store %n, %o[%k floordiv 4, %k mod 4] : memref<6x4xf32, "dram">
  }
  return
}
