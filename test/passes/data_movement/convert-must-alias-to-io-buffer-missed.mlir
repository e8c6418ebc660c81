// RUN: penguin-opt --convert-must-alias-to-io-buffer --split-input-file --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: penguin-opt --convert-must-alias-to-io-buffer --verify-semantics --split-input-file %s -o /dev/null

// INTERNAL
// CHECK: [Missed] Internal | Category:data-movement:convert-must-alias-to-io-buffer | Function=internal | Reason="the buffer is that of no argument"
func.func @internal(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u", penguin.must_alias = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %u) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// READ_ONLY
// CHECK: [Missed] ReadOnly | Category:data-movement:convert-must-alias-to-io-buffer | Function=written | Reason="the buffer is that of an input alone, and the tensor is written"
func.func @written(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "a"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %p) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
