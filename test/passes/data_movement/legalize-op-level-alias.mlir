// RUN: penguin-opt --legalize-op-level-alias --split-input-file %s | filecheck %s
// RUN: penguin-opt --legalize-op-level-alias --lower-tensor-op --late-lower-tensor-op --verify-semantics --split-input-file %s -o /dev/null

func.func @transpose(%a: memref<4x4xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x4xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x4xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @transpose
  // CHECK: %[[T:.*]] = memref.alloc() {penguin.name = "tmp0"}
  // CHECK-NEXT: "penguin.transpose"(%arg0, %[[T]])
  // CHECK-NEXT: "penguin.memcpy"(%[[T]], %arg2)
  "penguin.transpose"(%a, %o) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

// Twice, among tensors that have such names.
func.func @twice(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @twice
  // CHECK: "penguin.reverse"(%arg0, %[[T:[^)]*]])
  // CHECK-NEXT: "penguin.memcpy"(%[[T]], %arg2)
  // CHECK: memref.alloc() {penguin.name = "tmp2"}
  // CHECK: "penguin.reverse"(%arg2, %[[U:[^)]*]])
  // CHECK-NEXT: "penguin.memcpy"(%[[U]], %arg2)
  %tmp0 = memref.alloc() {penguin.name = "tmp0"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %tmp0) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%a, %o) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%o, %o) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// Element by element, and copies: in place. Tensors apart: no matter.
func.func @in_place(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @in_place
  // CHECK-NOT: memref.alloc
  // CHECK: return
  "penguin.binary"(%a, %b, %o) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%o, %o) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%o, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%o, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A fusion reads all that it needs first.
func.func @fusion(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @fusion
  // CHECK: %[[T:.*]] = memref.alloc() {penguin.name = "tmp0"}
  // CHECK: "penguin.fusion"(%arg0, %arg1, %[[T]])
  // CHECK: "penguin.memcpy"(%[[T]], %arg2)
  "penguin.fusion"(%a, %b, %o) ({
  ^bb0(%x: memref<4x8xf32, "dram">, %y: memref<4x8xf32, "dram">, %z: memref<4x8xf32, "dram">):
    %l = memref.alloc() {penguin.name = "l"} : memref<4x8xf32, "dram">
    "penguin.binary"(%x, %y, %l) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
    "penguin.unary"(%l, %z) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
