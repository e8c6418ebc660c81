// RUN: penguin-opt --split-input-file --dead-code-elimination --verify-semantics %s | filecheck %s
// RUN: penguin-opt --split-input-file --dead-code-elimination --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS-DAG: (S) 3 ops
// STATS-DAG: (S) 2 nests
// STATS-DAG: (S) 2 stores
// STATS-DAG: (S) 1 constants

module {
  memref.global "private" constant @unused : memref<2xf32, "dram"> = dense<[1.0, 2.0]>
  // CHECK: memref.global "private" constant @used
  memref.global "private" constant @used : memref<2xf32, "dram"> = dense<[1.0, 2.0]>
  // CHECK: memref.global constant @public
  memref.global constant @public : memref<2xf32, "dram"> = dense<[3.0, 4.0]>

  // CHECK-LABEL: func.func @main
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: memref.reinterpret_cast
  // CHECK: %[[C:.*]] = memref.get_global @used
  // CHECK-NEXT: "penguin.memcpy"(%[[C]], %{{.*}})
  // CHECK-NEXT: return
  func.func @main(%in: memref<4x2xf32, "dram"> {penguin.io = "input"},
                  %out: memref<2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
    %gone = memref.get_global @unused : memref<2xf32, "dram">
    %c = memref.get_global @used : memref<2xf32, "dram">
    %view = memref.reinterpret_cast %in to offset: [0], sizes: [8], strides: [1]
      : memref<4x2xf32, "dram"> to memref<8xf32, "dram">
    %a = memref.alloc() : memref<4x2xf32, "dram">
    %b = memref.alloc() : memref<8xf32, "dram">
    %d = memref.alloc() : memref<8xf32, "dram">
    %e = memref.alloc() : memref<8xf32, "dram">
    // A chain: op, reshape, op, nest.
    "penguin.unary"(%in, %a) {function = "tanh"} : (memref<4x2xf32, "dram">, memref<4x2xf32, "dram">) -> ()
    "penguin.memcpy"(%a, %b) : (memref<4x2xf32, "dram">, memref<8xf32, "dram">) -> ()
    "penguin.unary"(%b, %d) {function = "tanh"} : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
    affine.for %i = 0 to 8 {
      %v = affine.load %d[%i] : memref<8xf32, "dram">
      affine.store %v, %e[%i] : memref<8xf32, "dram">
    }
    "penguin.memcpy"(%c, %out) : (memref<2xf32, "dram">, memref<2xf32, "dram">) -> ()
    // Accumulates into a tensor that only it reads.
    %sum = memref.alloc() : memref<f32, "dram">
    %zero = arith.constant 0.0 : f32
    affine.store %zero, %sum[] : memref<f32, "dram">
    affine.for %i = 0 to 8 {
      %v = affine.load %e[%i] : memref<8xf32, "dram">
      %s = affine.load %sum[] : memref<f32, "dram">
      %t = arith.addf %v, %s : f32
      affine.store %t, %sum[] : memref<f32, "dram">
    }
    return
  }
}

// -----

// A nest that is needed for one of two tensors; what is read before is no reader.
// CHECK-LABEL: func.func @inside
// CHECK: affine.for %[[I:.*]] = 0 to 4
// CHECK-NEXT: affine.load
// CHECK-NEXT: affine.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @inside(%in: memref<4xf32, "dram"> {penguin.io = "input"},
                  %out: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  affine.for %i = 0 to 4 {
    %v = affine.load %in[%i] : memref<4xf32, "dram">
    %w = math.exp %v : f32
    affine.store %w, %t[%i] : memref<4xf32, "dram">
    affine.store %v, %out[%i] : memref<4xf32, "dram">
    affine.for %j = 0 to 4 {
      %x = affine.load %in[%j] : memref<4xf32, "dram">
      affine.store %x, %t[%j] : memref<4xf32, "dram">
    }
  }
  return
}
