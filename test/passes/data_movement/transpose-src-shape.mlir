// RUN: penguin-opt %s --split-input-file --verify-semantics --tensor-op-transform --tensor-op-simplifier --commute-concat | FileCheck %s
// RUN: penguin-opt %s --split-input-file --verify-semantics --lower-tensor-op --memcpy-elimination --transpose-op-elimination --late-lower-tensor-op -o /dev/null

// A transpose of its source under another shape is no transpose of its dimensions: the identities
// of plain ones do not hold for it, and the eliminations know where each element goes.

// CHECK-LABEL: @inverse_permutations
// CHECK: src_shape
// CHECK: src_shape
func.func @inverse_permutations(%a: memref<6x4xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<6x4xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x6xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>, src_shape = array<i64: 3, 8>} : (memref<6x4xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "u"} : memref<6x4xf32, "dram">
  "penguin.transpose"(%t, %u) {permutation = array<i64: 1, 0>, src_shape = array<i64: 2, 12>} : (memref<4x6xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  "penguin.unary"(%u, %o) {function = "negate"} : (memref<6x4xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: @of_a_concat
// CHECK: penguin.concat
// CHECK: src_shape
func.func @of_a_concat(%a: memref<2x4xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x4xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x6xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) attributes {penguin.kernel} {
  %c = memref.alloc() {penguin.name = "c"} : memref<6x4xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4xf32, "dram">, memref<4x4xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  %t = memref.alloc() {penguin.name = "t"} : memref<4x6xf32, "dram">
  "penguin.transpose"(%c, %t) {permutation = array<i64: 1, 0>, src_shape = array<i64: 3, 8>} : (memref<6x4xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (memref<4x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}
