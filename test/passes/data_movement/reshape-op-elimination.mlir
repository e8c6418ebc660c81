// RUN: penguin-opt %s --reshape-op-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: not grep penguin.memcpy %t.once
// RUN: penguin-opt %t.once --reshape-op-elimination >%t.twice
// RUN: diff %t.once %t.twice

!flat = memref<24xf32, "dram">
!wide = memref<4x6xf32, "dram">

// Case 1: from a kernel input, with no other stores to the destination.
// CHECK-LABEL: func.func @input
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}} * 6 + %{{.*}}] : memref<24xf32, "dram">
func.func @input(%x: !flat {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// Case 2: to a kernel output, with no other loads of the source.
// CHECK-LABEL: func.func @output
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %arg1[%{{.*}} * 6 + %{{.*}}] : memref<24xf32, "dram">
func.func @output(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}

// Both ends of one nest.
// CHECK-LABEL: func.func @both
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]] * 6 + %[[J:.*]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]] * 6 + %[[J]]]
func.func @both(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  %u = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %u[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%u, %o) : (!wide, !flat) -> ()
  return
}

// Whole uses at the boundaries: views of the arguments.
// CHECK-LABEL: func.func @views
// CHECK-DAG: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 6], strides: [6, 1]
// CHECK-DAG: %[[O:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [4, 6], strides: [6, 1]
// CHECK: "penguin.unary"(%[[X]], %[[O]])
func.func @views(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  %u = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  "penguin.unary"(%t, %u) {function = "negate"} : (!wide, !wide) -> ()
  "penguin.memcpy"(%u, %o) : (!wide, !flat) -> ()
  return
}

// Several readers of the destination: case 1 does not mind.
// CHECK-LABEL: func.func @readers
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}} * 6]
// CHECK: affine.load %arg0[%{{.*}} * 6 + 5]
func.func @readers(%x: !flat {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}, %p: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i, 0] : !wide
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i, 5] : !wide
    affine.store %v, %p[%i] : memref<4xf32, "dram">
  }
  return
}

// A chain from an input: each memcpy is at the boundary once the one before it is gone.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}}, %{{.*}}] : memref<4x6xf32, "dram">
func.func @chain(%x: !wide {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !flat
  %u = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!wide, !flat) -> ()
  "penguin.memcpy"(%t, %u) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %u[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// Unit dimensions at both boundaries.
// CHECK-LABEL: func.func @unit_dims
// CHECK: affine.load %arg0[%{{[^ +*]*}}, 0] : memref<8x1xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg1[0, %{{[^ +*]*}}] : memref<1x8xf32, "dram">
func.func @unit_dims(%x: memref<8x1xf32, "dram"> {penguin.io = "input"}, %o: memref<1x8xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<8xf32, "dram">
  %u = memref.alloc() : memref<8xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<8x1xf32, "dram">, memref<8xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %t[%i] : memref<8xf32, "dram">
    affine.store %v, %u[%i] : memref<8xf32, "dram">
  }
  "penguin.memcpy"(%u, %o) : (memref<8xf32, "dram">, memref<1x8xf32, "dram">) -> ()
  return
}

// An aliased output that is updated in place, under another shape.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]] * 6 + %[[J:.*]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]] * 6 + %[[J]]]
func.func @in_place(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.alias = 0 : i64}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i * 6 + %j] : !flat
      %r = arith.addf %v, %v : f32
      affine.store %r, %t[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}
