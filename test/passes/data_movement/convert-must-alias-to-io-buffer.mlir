// RUN: penguin-opt --convert-must-alias-to-io-buffer --split-input-file %s | filecheck %s
// RUN: penguin-opt --convert-must-alias-to-io-buffer --verify-semantics --split-input-file %s -o /dev/null

// The output takes the place; the copy is left to others.
func.func @output(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @output
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK-NEXT: "penguin.memcpy"(%arg2, %arg2)
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// The buffer is named as the input: the output is written all the same.
func.func @named(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @named
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "a"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// The buffer of an input alone: the copy into it goes, views and deallocations follow.
func.func @input(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @input
  // CHECK-NEXT: %[[V:.*]] = memref.reinterpret_cast %arg0
  // CHECK-NEXT: "penguin.memcpy"(%[[V]], %arg1)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "a"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  %v = memref.reinterpret_cast %t to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32, "dram"> to memref<32xf32, "dram">
  "penguin.memcpy"(%v, %p) : (memref<32xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  memref.dealloc %t : memref<4x8xf32, "dram">
  return
}
