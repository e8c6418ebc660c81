// RUN: penguin-opt --alias-dependency-reset --split-input-file --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: penguin-opt --alias-dependency-reset --verify-semantics --split-input-file %s -o /dev/null

// RELIED_UPON
// CHECK: [Missed] ReliedUpon | Category:data-movement:alias-dependency-reset | Function=relied | Reason="what is written under one name is read under another"
func.func @relied(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// RELIED_UPON
// CHECK: [Missed] ReliedUpon | Category:data-movement:alias-dependency-reset | Function=read | Reason="what is written under one name is read under another"
func.func @read(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "a"} : memref<4x8xf32, "dram">
  "penguin.unary"(%b, %o) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%t, %p) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
