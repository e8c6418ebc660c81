// RUN: penguin-opt %s --broadcast-op-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: not grep penguin.broadcast %t.once
// RUN: penguin-opt %t.once --broadcast-op-elimination >%t.twice
// RUN: diff %t.once %t.twice

!dst = memref<4x6xf32, "dram">

// A row for all rows: consumers read it again.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[J:.*]]] : memref<6xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%{{.*}}, %[[J]]]
func.func @rows(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.broadcast"(%x, %t) {dims = array<i64: 1>} : (memref<6xf32, "dram">, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// A scalar for all.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[] : memref<f32, "dram">
func.func @scalar(%x: memref<f32, "dram"> {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.broadcast"(%x, %t) {dims = array<i64>} : (memref<f32, "dram">, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// A dimension of extent 1 that is repeated, and dimensions in another order.
// CHECK-LABEL: func.func @unit_dim
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[0, %[[I:.*]]] : memref<1x4xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]], %{{.*}}]
func.func @unit_dim(%x: memref<1x4xf32, "dram"> {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.broadcast"(%x, %t) {dims = array<i64: 1, 0>} : (memref<1x4xf32, "dram">, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// A broadcast of a broadcast, of something that a nest computes; the nest does not run again.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}] : memref<6xf32, "dram">
// CHECK: affine.load %alloc[%[[K:.*]]] : memref<6xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%{{.*}}, %{{.*}}, %[[K]]]
func.func @chain(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<2x4x6xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : memref<6xf32, "dram">
  %t = memref.alloc() : !dst
  %u = memref.alloc() : memref<2x4x6xf32, "dram">
  affine.for %k = 0 to 6 {
    %v = affine.load %x[%k] : memref<6xf32, "dram">
    %n = arith.negf %v : f32
    affine.store %n, %s[%k] : memref<6xf32, "dram">
  }
  "penguin.broadcast"(%s, %t) {dims = array<i64: 1>} : (memref<6xf32, "dram">, !dst) -> ()
  "penguin.broadcast"(%t, %u) {dims = array<i64: 1, 2>} : (!dst, memref<2x4x6xf32, "dram">) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      affine.for %k = 0 to 6 {
        %v = affine.load %u[%i, %j, %k] : memref<2x4x6xf32, "dram">
        affine.store %v, %o[%i, %j, %k] : memref<2x4x6xf32, "dram">
      }
    }
  }
  return
}

// One loop over all elements is split so that no division is left.
// CHECK-LABEL: func.func @one_loop
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT: affine.load %arg0[%[[J]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @one_loop(%x: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<4x6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.broadcast"(%x, %t) {dims = array<i64: 1>} : (memref<6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k floordiv 6, %k mod 6] : memref<4x6xf32, "dram">
    affine.store %v, %o[%k floordiv 6, %k mod 6] : memref<4x6xf32, "dram">
  }
  return
}
