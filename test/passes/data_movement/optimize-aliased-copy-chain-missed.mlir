// RUN: penguin-opt --optimize-aliased-copy-chain --split-input-file --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: penguin-opt --optimize-aliased-copy-chain --verify-semantics --split-input-file %s -o /dev/null

// NO_CHAIN
// CHECK: [Missed] NoChain | Category:data-movement:optimize-aliased-copy-chain | Function=turned | Reason="no chain of ops that may share memory leads from the input to the output"
// Not element by element.
func.func @turned(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.reverse"(%a, %t) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// NO_CHAIN
// CHECK: [Missed] NoChain | Category:data-movement:optimize-aliased-copy-chain | Function=other | Reason="no chain of ops that may share memory leads from the input to the output"
// The input is no part of the output.
func.func @other(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// RESHAPE
// CHECK: [Missed] Reshape | Category:data-movement:optimize-aliased-copy-chain | Function=reshaped | Reason="the chain goes through a copy that reshapes"
func.func @reshaped(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<32xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<32xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %u) : (memref<32xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%u, %o) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// VIEW
// CHECK: [Missed] View | Category:data-movement:optimize-aliased-copy-chain | Function=viewed | Reason="a tensor of the chain is used under another shape, or is no allocation"
func.func @viewed(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %v = memref.reinterpret_cast %t to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32, "dram"> to memref<32xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%v, %p) : (memref<32xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:data-movement:optimize-aliased-copy-chain | Function=still_read | Reason="a tensor is read after the buffer has been overwritten"
// The input is read after the op that would overwrite it.
func.func @still_read(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%a, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:data-movement:optimize-aliased-copy-chain | Function=later_reader | Reason="a tensor is read after the buffer has been overwritten"
// Two readers of a tensor in the middle, of which one is later.
func.func @later_reader(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%t, %u) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%t, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:data-movement:optimize-aliased-copy-chain | Function=old_output | Reason="a tensor is read after the buffer has been overwritten"
// The output has a value before, which is read under its own name.
func.func @old_output(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%o, %p) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// NOT_IN_PLACE
// CHECK: [Missed] NotInPlace | Category:data-movement:optimize-aliased-copy-chain | Function=neighbour | Reason="an op would overwrite elements that it reads later"
// The nest reads the row of the input backwards, too.
func.func @neighbour(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%i, %j] : memref<4x8xf32, "dram">
      %z = affine.load %a[%i, 7 - %j] : memref<4x8xf32, "dram">
      %y = arith.addf %x, %z : f32
      affine.store %y, %u[%i, %j] : memref<4x8xf32, "dram">
    }
  }
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// WRITES_TWO
// CHECK: [Missed] WritesTwo | Category:data-movement:optimize-aliased-copy-chain | Function=two_stores | Reason="an op writes two of the tensors"
func.func @two_stores(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%i, %j] : memref<4x8xf32, "dram">
      affine.store %x, %u[%i, %j] : memref<4x8xf32, "dram">
      affine.store %x, %t[%i, %j] : memref<4x8xf32, "dram">
    }
  }
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
