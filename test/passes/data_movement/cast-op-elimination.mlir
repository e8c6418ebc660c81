// RUN: penguin-opt %s --cast-op-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: not grep penguin.memcast %t.once
// RUN: penguin-opt %t.once --cast-op-elimination >%t.twice
// RUN: diff %t.once %t.twice
// RUN: penguin-opt %s --cast-op-elimination --mlir-pass-statistics 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: 10 conversions - Number of casts put into loop nests

!wide = memref<4x6xf32, "dram">
!narrow = memref<4x6xbf16, "dram">

// In the producer: it converts what it stores.
// CHECK-LABEL: func.func @producer
// CHECK-NOT: memref.alloc
// CHECK: %[[V:.*]] = affine.load %arg0[%[[I:.*]], %[[J:.*]]] : memref<4x6xf32, "dram">
// CHECK-NEXT: %[[W:.*]] = arith.truncf %[[V]] : f32 to bf16
// CHECK-NEXT: affine.store %[[W]], %arg1[%[[I]], %[[J]]] : memref<4x6xbf16, "dram">
func.func @producer(%x: !wide {penguin.io = "input"}, %o: !narrow {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  "penguin.memcast"(%t, %o) : (!wide, !narrow) -> ()
  return
}

// In the consumer: it converts what it loads.
// CHECK-LABEL: func.func @consumer
// CHECK-NOT: memref.alloc
// CHECK: %[[V:.*]] = affine.load %arg0[%[[I:.*]], %[[J:.*]]] : memref<4x6xbf16, "dram">
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[V]] : bf16 to f32
// CHECK-NEXT: affine.store %[[W]], %arg1[%[[I]], %[[J]]] : memref<4x6xf32, "dram">
func.func @consumer(%x: !narrow {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcast"(%x, %t) : (!narrow, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// Between two nests: the producer converts, and half of the bytes go through memory.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-1: memref.alloc() : memref<4x6xbf16, "dram">
// CHECK-NOT: memref.alloc
// CHECK: arith.truncf
// CHECK-NEXT: affine.store %{{.*}}, %alloc
// CHECK: affine.load %alloc
// CHECK-NEXT: affine.store
func.func @between(%x: !wide {penguin.io = "input"}, %o: !narrow {penguin.io = "output"}) {
  %s = memref.alloc() : !wide
  %t = memref.alloc() : !narrow
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %s[%i, %j] : !wide
    }
  }
  "penguin.memcast"(%s, %t) : (!wide, !narrow) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !narrow
      affine.store %v, %o[%i, %j] : !narrow
    }
  }
  return
}

// The source has another reader in its own dtype: the consumer converts. The same cast is done by
// each of two consumers, once per element.
// CHECK-LABEL: func.func @other_reader
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}] : memref<4x6xf32, "dram">
// CHECK: affine.load %alloc
// CHECK-NEXT: affine.store %{{.*}}, %arg1
// CHECK: affine.load %alloc
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: affine.store %{{.*}}, %arg2
// CHECK: affine.load %alloc
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: affine.store %{{.*}}, %arg3
func.func @other_reader(%x: !wide {penguin.io = "input"}, %o: !wide {penguin.io = "output"}, %p: !narrow {penguin.io = "output"}, %q: !narrow {penguin.io = "output"}) {
  %s = memref.alloc() : !wide
  %t = memref.alloc() : !narrow
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %s[%i, %j] : !wide
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %s[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  "penguin.memcast"(%s, %t) : (!wide, !narrow) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !narrow
      affine.store %v, %p[%i, %j] : !narrow
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !narrow
      affine.store %v, %q[%i, %j] : !narrow
    }
  }
  return
}

// A chain keeps both conversions: the second does not undo the first.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: memref.alloc
// CHECK: %[[V:.*]] = affine.load %arg0
// CHECK-NEXT: %[[W:.*]] = arith.truncf %[[V]] : f32 to bf16
// CHECK-NEXT: %[[X:.*]] = arith.extf %[[W]] : bf16 to f32
// CHECK-NEXT: affine.store %[[X]], %arg1
func.func @chain(%x: !wide {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !narrow
  %u = memref.alloc() : !wide
  "penguin.memcast"(%x, %t) : (!wide, !narrow) -> ()
  "penguin.memcast"(%t, %u) : (!narrow, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %u[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// To an integer: not a number becomes 0, and what is out of range the nearest, as late-lower-tensor-op
// would have it.
// CHECK-LABEL: func.func @to_integer
// CHECK: affine.load %arg0
// CHECK: arith.cmpf uno
// CHECK: arith.fptosi %{{.*}} : f32 to i32
// CHECK: affine.store %{{.*}}, %arg1
func.func @to_integer(%x: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<4xi32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4xi32, "dram">
  "penguin.memcast"(%x, %t) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i] : memref<4xi32, "dram">
    affine.store %v, %o[%i] : memref<4xi32, "dram">
  }
  return
}

// Unsigned types, which arith has not: the conversions back and forth are part of the cast.
// CHECK-LABEL: func.func @unsigned
// CHECK: affine.load %arg0[%{{.*}}] : memref<4xui8, "dram">
// CHECK: arith.uitofp %{{.*}} : i8 to f32
// CHECK: affine.store %{{.*}}, %arg1
func.func @unsigned(%x: memref<4xui8, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcast"(%x, %t) : (memref<4xui8, "dram">, memref<4xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i] : memref<4xf32, "dram">
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// Under another shape than the tensor's, through a view.
// CHECK-LABEL: func.func @view
// CHECK: %[[V:.*]] = affine.load %arg0[%[[I:.*]] * 6 + %[[J:.*]]] : memref<24xf32, "dram">
// CHECK-NEXT: arith.truncf %[[V]]
func.func @view(%x: memref<24xf32, "dram"> {penguin.io = "input"}, %o: !narrow {penguin.io = "output"}) {
  %t = memref.alloc() : !narrow
  %w = memref.reinterpret_cast %x to offset: [0], sizes: [4, 6], strides: [6, 1] : memref<24xf32, "dram"> to !wide
  "penguin.memcast"(%w, %t) : (!wide, !narrow) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !narrow
      affine.store %v, %o[%i, %j] : !narrow
    }
  }
  return
}
