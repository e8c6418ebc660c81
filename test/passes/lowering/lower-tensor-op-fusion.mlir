// RUN: penguin-opt --lower-tensor-op=load-maps= --verify-semantics %s | filecheck %s
// RUN: penguin-opt --lower-tensor-op=load-maps= --late-lower-tensor-op --verify-semantics --mlir-pass-statistics %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// A fusion is its body, on the operands; locals become tensors of the kernel, whose names are kept
// unless they are taken: by an argument, by a tensor of the kernel, by the other fusion. Movement
// stays, as everywhere.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x8xf32, "dram">
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<4xf32, "dram">
// CHECK-SAME: %[[Z:[a-z0-9]+]]: memref<4xbf16, "dram">
// CHECK-NEXT: %[[ONE:.*]] = memref.get_global @one
// CHECK-NEXT: %[[T:.*]] = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
// CHECK-NOT: penguin.fusion
// CHECK: %[[Q:.*]] = memref.alloc() {penguin.name = "t0_1"} : memref<4x8xf32, "dram">
// CHECK: affine.load %[[X]]
// CHECK: affine.load %[[X]]
// CHECK: arith.mulf
// CHECK: affine.store %{{.*}}, %[[Q]]
// CHECK: %[[C:.*]] = memref.alloc() {penguin.name = "c"}
// CHECK-NEXT: "penguin.memset"(%[[C]])
// CHECK: %[[R:.*]] = memref.alloc() {penguin.name = "y_1"} : memref<4xf32, "dram">
// CHECK: affine.load %[[C]][]
// CHECK: affine.for {{.*}} iter_args
// CHECK: affine.load %[[Q]]
// CHECK: affine.store %{{.*}}, %[[R]]
// CHECK: affine.load %[[R]]
// CHECK: math.sqrt
// CHECK: affine.store %{{.*}}, %[[T]]
// CHECK: "penguin.memcpy"(%[[R]], %[[Y]])
// CHECK: %[[U:.*]] = memref.alloc() {penguin.name = "t0_2"} : memref<4xf32, "dram">
// CHECK: affine.load %[[T]]
// CHECK: affine.load %[[ONE]]
// CHECK: affine.store %{{.*}}, %[[U]]
// CHECK: "penguin.memcast"(%[[U]], %[[Z]])
// CHECK-NEXT: return

// STAT: (S) 4 lowered - Number of tensor ops lowered
// STAT: (S) 2 expanded - Number of fusion ops expanded
memref.global "private" constant @one : memref<4xf32, "dram"> = dense<1.0>
func.func @main(%x: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "x"},
                %y: memref<4xf32, "dram"> {penguin.io = "output", penguin.name = "y"},
                %z: memref<4xbf16, "dram"> {penguin.io = "output", penguin.name = "z"}) attributes {penguin.kernel} {
  %one = memref.get_global @one : memref<4xf32, "dram">
  %t = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
  "penguin.fusion"(%x, %t, %y) ({
  ^bb0(%s: memref<4x8xf32, "dram">, %d: memref<4xf32, "dram">, %e: memref<4xf32, "dram">):
    %q = memref.alloc() {penguin.name = "t0"} : memref<4x8xf32, "dram">
    "penguin.binary"(%s, %s, %q) {function = "multiply"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
    %c = memref.alloc() {penguin.name = "c"} : memref<f32, "dram">
    "penguin.memset"(%c) {value = 0.5 : f32} : (memref<f32, "dram">) -> ()
    %r = memref.alloc() {penguin.name = "y"} : memref<4xf32, "dram">
    "penguin.reduce"(%q, %c, %r) {function = "add", axes = array<i64: 1>} : (memref<4x8xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%r, %d) {function = "sqrt"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.memcpy"(%r, %e) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ReduceFusionOp", label = "MulRedSqrt", hilo_fusion_op = "MulRedSqrt", reduce_dims = array<i64: 1>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4x8xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.fusion"(%t, %one, %z) ({
  ^bb0(%s: memref<4xf32, "dram">, %p: memref<4xf32, "dram">, %d: memref<4xbf16, "dram">):
    %u = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
    "penguin.binary"(%s, %p, %u) {function = "subtract"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.memcast"(%u, %d) : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Expm1",
      operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  return
}
