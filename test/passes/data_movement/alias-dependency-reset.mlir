// RUN: penguin-opt --alias-dependency-reset --split-input-file %s | filecheck %s
// RUN: penguin-opt --alias-dependency-reset --verify-semantics --split-input-file %s -o /dev/null
// RUN: penguin-opt --alias-dependency-reset --alias-dependency-induction %s --split-input-file | filecheck %s --check-prefix=AGAIN

// What the induction wrote goes; what the caller asked for stays.
func.func @facts(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @facts
  // CHECK-SAME: penguin.alias = 0
  // CHECK-NOT: must_alias
  // CHECK: return
  // AGAIN-LABEL: func.func @facts
  // AGAIN: must_alias = "o", penguin.name = "t"
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// One in the buffer of another: both leave.
func.func @chain(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @chain
  // CHECK-NOT: must_alias
  // CHECK: return
  %u = memref.alloc() {penguin.name = "u", penguin.must_alias = "t"} : memref<4x8xf32, "dram">
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %u) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
