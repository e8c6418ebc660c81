// What instructions cannot do, but the interpreter can.
// RUN: penguin-opt --optimize-aliased-copy-chain --verify-semantics %s | filecheck %s

// A store with a computed index keeps what it does not write.
func.func @computed_index(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @computed_index
  // CHECK-NOT: memref.alloc
  // CHECK: memref.store %{{.*}}, %arg2
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  %c0 = arith.constant 0 : index
  %x = affine.load %b[0, 0] : memref<4x8xf32, "dram">
  memref.store %x, %t[%c0, %c0] : memref<4x8xf32, "dram">
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
