// RUN: penguin-opt --optimize-aliased-copy-chain --split-input-file %s | filecheck %s
// RUN: penguin-opt --optimize-aliased-copy-chain --verify-semantics --split-input-file %s -o /dev/null
// RUN: penguin-opt --lower-tensor-op --optimize-aliased-copy-chain --late-lower-tensor-op --layout-tiling --select-instructions --allocate --verify-semantics --split-input-file %s -o /dev/null
// RUN: penguin-opt --optimize-aliased-copy-chain --mlir-pass-statistics --mlir-pass-statistics-display=list --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS

// STATS: 2 tensors - Number of tensors replaced by an output
// STATS: 2 copies - Number of copies erased
// STATS: 1 candidates - Number of candidates
// STATS: 1 rewritten - Number of candidates rewritten
// STATS: 0 surviving - Number of candidates that stay

func.func @copies(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @copies
  // CHECK-NEXT: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %u) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// Ops and nests, one after the other.
func.func @mixed(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @mixed
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK: affine.load %arg2[%[[I:.*]], %[[J:.*]]]
  // CHECK: affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
  // CHECK: "penguin.unary"(%arg2, %arg2)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%i, %j] : memref<4x8xf32, "dram">
      %y = math.tanh %x : f32
      affine.store %y, %u[%i, %j] : memref<4x8xf32, "dram">
    }
  }
  "penguin.unary"(%u, %o) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A nest that only copies goes, too.
func.func @copy_nest(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @copy_nest
  // CHECK-NEXT: "penguin.unary"(%arg0, %arg2)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%i, %j] : memref<4x8xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<4x8xf32, "dram">
    }
  }
  return
}

// -----

// The input is read again, but before it is overwritten; the new value after that.
func.func @readers(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @readers
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.reverse"(%arg0, %arg3)
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK: "penguin.unary"(%arg2, %arg3)
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.reverse"(%a, %p) {axes = array<i64: 0>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%o, %p) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// Both operands lead to the input; only one of them may be overwritten.
func.func @two_ways(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @two_ways
  // CHECK: %[[T:.*]] = memref.alloc() {penguin.name = "t"}
  // CHECK: "penguin.unary"(%arg0, %[[T]])
  // CHECK: "penguin.unary"(%arg0, %arg2)
  // CHECK: "penguin.binary"(%[[T]], %arg2, %arg2)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  %w = memref.alloc() {penguin.name = "w"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%a, %u) {function = "abs"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.binary"(%t, %u, %w) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%w, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// A saved copy of the input is the input until the output is written.
func.func @saved(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @saved
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.binary"(%arg2, %arg1, %arg2)
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.binary"(%t, %b, %u) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// Two chains.
func.func @two(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p", penguin.alias = 1 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @two(
  // CHECK-NOT: memref.alloc
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK-NEXT: "penguin.unary"(%arg1, %arg3)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %t) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%b, %u) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %p) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// In place already, an output of its own, and one that is not written: nothing to do.
func.func @nothing(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @nothing
  // CHECK: memref.alloc
  // CHECK: "penguin.binary"(%arg0, %arg1, %arg2)
  // CHECK: "penguin.memcpy"
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.binary"(%a, %b, %o) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %p) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// The first op must not overwrite what the second one reads, but the second one may.
func.func @the_other_way(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // CHECK-LABEL: func.func @the_other_way
  // CHECK-NEXT: %[[T:.*]] = memref.alloc() {penguin.name = "t"}
  // CHECK-NEXT: "penguin.unary"(%arg0, %[[T]])
  // CHECK-NEXT: "penguin.binary"(%[[T]], %arg0, %arg1)
  // CHECK-NEXT: return
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4x8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "tanh"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.binary"(%t, %a, %u) {function = "add"} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}
