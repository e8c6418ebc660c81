// Nothing is wrong, and nothing changes.
// RUN: penguin-opt %s > %t.before
// RUN: penguin-opt --alias-verification-pass %s | diff %t.before -

func.func @main(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u", penguin.must_alias = "t"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %u) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%a, %p) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
