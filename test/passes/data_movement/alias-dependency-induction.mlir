// RUN: penguin-opt --alias-dependency-induction --split-input-file %s | filecheck %s
// RUN: penguin-opt --alias-dependency-induction --verify-semantics --split-input-file %s -o /dev/null

// The tensor that becomes the output is in its buffer; the copy stays.
func.func @output(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @output
  // CHECK: memref.alloc() {penguin.must_alias = "o", penguin.name = "t"}
  // CHECK: "penguin.memcpy"
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A copy of the input, which nothing reads once the output is written.
func.func @input(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @input
  // CHECK: memref.alloc() {penguin.must_alias = "o", penguin.name = "t"}
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%t, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A row of copies: each tensor is the next one.
func.func @row(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @row
  // CHECK: {penguin.must_alias = "o", penguin.name = "t"}
  // CHECK: {penguin.must_alias = "o", penguin.name = "u"}
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %u) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// The old value and the new one, one after the other.
func.func @both(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @both
  // CHECK: {penguin.must_alias = "o", penguin.name = "t"}
  // CHECK: {penguin.must_alias = "o", penguin.name = "u"}
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%t, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%b, %u) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// An output with a buffer of its own, and a tensor of another shape: no candidates.
func.func @others(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @others
  // CHECK-NOT: must_alias
  // CHECK: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %p) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  %u = memref.alloc() {penguin.name = "u"} : memref<32xf32, "dram">
  "penguin.memcpy"(%b, %u) : (memref<4x8xf32, "dram">, memref<32xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<32xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A store with a computed index keeps what it does not write.
func.func @computed_index(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @computed_index
  // CHECK: must_alias = "o", penguin.name = "t"
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  %c0 = arith.constant 0 : index
  %x = affine.load %b[0, 0] : memref<4x8xf32, "dram">
  memref.store %x, %t[%c0, %c0] : memref<4x8xf32, "dram">
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A second copy of what becomes the output waits for the fact about its source.
func.func @second_copy(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @second_copy
  // CHECK: must_alias = "o", penguin.name = "t"
  // CHECK: must_alias = "o", penguin.name = "u"
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %u) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%u, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
