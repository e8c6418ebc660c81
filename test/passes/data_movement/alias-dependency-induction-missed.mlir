// RUN: penguin-opt --alias-dependency-induction --split-input-file --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: penguin-opt --alias-dependency-induction --verify-semantics --split-input-file %s -o /dev/null

// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:data-movement:alias-dependency-induction | Function=read_later | Reason="a tensor is read after the buffer has been overwritten"
// The input is read after the tensor, which would be in its buffer, is written.
func.func @read_later(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reverse"(%a, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// The copy of the input outlives the input.
// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:data-movement:alias-dependency-induction | Function=copy_outlives | Reason="a tensor is read after the buffer has been overwritten"
func.func @copy_outlives(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%t, %p) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// NOT_IN_PLACE
// CHECK: [Missed] NotInPlace | Category:data-movement:alias-dependency-induction | Function=turned | Reason="an op would overwrite elements that it reads later"
func.func @turned(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.reverse"(%a, %t) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// WRITES_TWO
// CHECK: [Missed] WritesTwo | Category:data-movement:alias-dependency-induction | Function=two | Reason="an op writes two of the tensors"
func.func @two(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %b[%i, %j] : memref<4x8xf32, "dram">
      affine.store %x, %t[%i, %j] : memref<4x8xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<4x8xf32, "dram">
    }
  }
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// NAME
// CHECK: [Missed] Name | Category:data-movement:alias-dependency-induction | Function=no_name | Reason="the argument has no name of its own"
func.func @no_name(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "b", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
