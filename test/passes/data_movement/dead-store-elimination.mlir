// RUN: penguin-opt --split-input-file --dead-store-elimination --verify-semantics %s | filecheck %s

// Overwritten by an op, and by a nest that stores to each element; an output, too.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: penguin.memset
// CHECK: "penguin.unary"(%arg0, %[[T:[a-z0-9_]+]])
// CHECK-NEXT: "penguin.unary"(%[[T]], %arg2)
// CHECK-NEXT: affine.for
// CHECK-NOT: penguin.memset
func.func @whole(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memset"(%t) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%t, %x) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%y) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %b[%i] : memref<4xf32, "dram">
    affine.store %v, %y[3 - %i] : memref<4xf32, "dram">
  }
  return
}

// -----

// Two slabs cover it together.
// CHECK-LABEL: func.func @pieces
// CHECK-NEXT: affine.for %{{.*}} = 0 to 4
// CHECK: affine.for %{{.*}} = 0 to 6
// CHECK-NOT: affine.for
func.func @pieces(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                  %b: memref<6xf32, "dram"> {penguin.io = "input"},
                  %x: memref<10xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  affine.for %i = 2 to 9 {
    %v = affine.load %a[0] : memref<4xf32, "dram">
    affine.store %v, %x[%i] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i] : memref<4xf32, "dram">
    affine.store %v, %x[%i] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 6 {
    %v = affine.load %b[%i] : memref<6xf32, "dram">
    affine.store %v, %x[%i + 4] : memref<10xf32, "dram">
  }
  return
}

// -----

// Read before, but not after; one of two stores of a nest, with what it alone needs.
// CHECK-LABEL: func.func @never_read
// CHECK: affine.load
// CHECK-NEXT: affine.store
// CHECK-NEXT: }
// CHECK-NEXT: "penguin.unary"(%{{.*}}, %arg1)
// CHECK-NEXT: "penguin.memset"(%arg2)
// CHECK-NEXT: return
func.func @never_read(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                      %x: memref<4xf32, "dram"> {penguin.io = "output"},
                      %y: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  %u = memref.alloc() : memref<4xf32, "dram">
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i] : memref<4xf32, "dram">
    %e = math.exp %v : f32
    affine.store %v, %t[%i] : memref<4xf32, "dram">
    affine.store %e, %u[%i] : memref<4xf32, "dram">
  }
  "penguin.unary"(%t, %x) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%y) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  return
}

// -----

// Read in between, also as the input whose buffer it is.
// CHECK-LABEL: func.func @needed
// CHECK-NEXT: "penguin.memset"(%arg3) {value = 1.000000e+00 : f32}
// CHECK-NEXT: "penguin.memset"(%arg2) {value = 2.000000e+00 : f32}
// CHECK-NEXT: "penguin.unary"(%arg0, %arg4)
// CHECK-NEXT: "penguin.memset"(%arg2) {value = 3.000000e+00 : f32}
// CHECK-NEXT: return
func.func @needed(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                  %b: memref<2xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                  %y: memref<4xf32, "dram"> {penguin.io = "output"},
                  %z: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.memset"(%y) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.unary"(%y, %z) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%y) {value = 1.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 2.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.unary"(%a, %z) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 3.0 : f32} : (memref<4xf32, "dram">) -> ()
  return
}
