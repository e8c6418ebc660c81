// What stays, and why: one case per reason.
// RUN: penguin-opt %s '--lower-tensor-op=load-maps=broadcast,memcast,memset,reshape,transpose' --remark-format=emitRemark --remarks-filter-missed=. --split-input-file 2>&1 >%t | filecheck %s

// NESTED
// CHECK: [Missed] Nested | Category:lowering:lower-tensor-op | Function=nested | Reason="the op is not at the top level of the function", Bytes=48, {{.*}}Loads=0
func.func @nested(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  affine.for %i = 0 to 2 {
    "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  }
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// UNKNOWN_SOURCE
// CHECK: [Missed] UnknownSource | Category:lowering:lower-tensor-op | Function=unknown_source | Reason="the source is no tensor of which all writers are known", Bytes=48, {{.*}}Loads=0
func.func @unknown_source(%a: memref<2x2xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.collapse_shape %a [[0, 1]] : memref<2x2xf32, "dram"> into memref<4xf32, "dram">
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%c, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// ARGUMENT
// CHECK: [Missed] Argument | Category:lowering:lower-tensor-op | Function=argument | Reason="the destination is an argument, or shares the memory of another tensor", Bytes=48, {{.*}}Loads=0
func.func @argument(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}, %p: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.broadcast"(%a, %o) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%o, %p) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// SEVERAL_WRITERS
// CHECK: [Missed] SeveralWriters | Category:lowering:lower-tensor-op | Function=several_writers | Reason="the destination has other writers", Bytes=48, {{.*}}Loads=0
func.func @several_writers(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %x = affine.load %a[0] : memref<4xf32, "dram">
  affine.store %x, %b[1, 2] : memref<3x4xf32, "dram">
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// NO_COMPUTE
// The unary goes past it, the copy does not.
// CHECK: [Missed] NoCompute | Category:lowering:lower-tensor-op | Function=no_compute | Reason="the destination is read by something other than a compute op", Bytes=48, {{.*}}Loads=1
func.func @no_compute(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}, %p: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.memcpy"(%b, %p) : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// NO_COMPUTE
// A loop nest.
// CHECK: [Missed] NoCompute | Category:lowering:lower-tensor-op | Function=no_compute_op | Reason="the destination is read by something other than a compute op", Bytes=48, {{.*}}Loads=0
func.func @no_compute_op(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %p: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  affine.for %i = 0 to 3 {
    %x = affine.load %b[%i, 0] : memref<3x4xf32, "dram">
    affine.store %x, %p[%i, 0] : memref<3x4xf32, "dram">
  }
  return
}

// -----

// VIEWED
// CHECK: [Missed] Viewed | Category:lowering:lower-tensor-op | Function=viewed | Reason="the destination is read through a view", Bytes=48, {{.*}}Loads=0
func.func @viewed(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %v = memref.reinterpret_cast %b to offset: [0], sizes: [12], strides: [1] : memref<3x4xf32, "dram"> to memref<12xf32, "dram">
  "penguin.unary"(%v, %o) {function = "negate"} : (memref<12xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

// TOO_EARLY
// CHECK: [Missed] TooEarly | Category:lowering:lower-tensor-op | Function=too_early | Reason="the destination is read before it is written", Bytes=48, {{.*}}Loads=1
func.func @too_early(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}, %p: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%b, %p) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// CHECK: [Missed] Overwritten | Category:lowering:lower-tensor-op | Function=overwritten | Reason="the source is written before the destination is read", Bytes=48, {{.*}}Loads=0
func.func @overwritten(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<4xf32, "dram">
  "penguin.unary"(%a, %c) {function = "negate"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%c, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%a, %c) {function = "negate"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// In place: element (i, j) would be read after element (j, i) was written.
// CHECK: [Missed] Overwritten | Category:lowering:lower-tensor-op | Function=overwritten_by_the_reader | Reason="the source is written before the destination is read", Bytes=64, {{.*}}Loads=0
func.func @overwritten_by_the_reader(%a: memref<4x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<4x4xf32, "dram">
  "penguin.unary"(%a, %c) {function = "negate"} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  %b = memref.alloc() : memref<4x4xf32, "dram">
  "penguin.broadcast"(%c, %b) {dims = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  "penguin.binary"(%c, %b, %c) {function = "add"} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  "penguin.memcpy"(%c, %o) : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

// OVERWRITTEN
// The output is the input's buffer.
// CHECK: [Missed] Overwritten | Category:lowering:lower-tensor-op | Function=overwritten_by_an_alias | Reason="the source is written before the destination is read", Bytes=48, {{.*}}Loads=0
func.func @overwritten_by_an_alias(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %q: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%a, %q) {function = "negate"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// BARRIER
// CHECK: [Missed] Barrier | Category:lowering:lower-tensor-op | Function=barrier | Reason="the destination is read after a barrier", Bytes=48, {{.*}}Loads=0
func.func @barrier(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}, %q: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%a, %q) {function = "negate", penguin.barrier} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// TOO_FAR
// CHECK: [Missed] TooFar | Category:lowering:lower-tensor-op | Function=too_far | Reason="a load would have to go past more than 32 ops", Bytes=48, {{.*}}Loads=0
func.func @too_far(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b0 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b0) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b1 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b0, %b1) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b2 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b1, %b2) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b3 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b2, %b3) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b4 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b3, %b4) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b5 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b4, %b5) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b6 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b5, %b6) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b7 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b6, %b7) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b8 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b7, %b8) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b9 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b8, %b9) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b10 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b9, %b10) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b11 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b10, %b11) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b12 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b11, %b12) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b13 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b12, %b13) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b14 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b13, %b14) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b15 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b14, %b15) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b16 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b15, %b16) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b17 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b16, %b17) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b18 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b17, %b18) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b19 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b18, %b19) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b20 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b19, %b20) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b21 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b20, %b21) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b22 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b21, %b22) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b23 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b22, %b23) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b24 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b23, %b24) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b25 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b24, %b25) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b26 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b25, %b26) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b27 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b26, %b27) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b28 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b27, %b28) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b29 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b28, %b29) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b30 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b29, %b30) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b31 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b30, %b31) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b32 = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.transpose"(%b31, %b32) {permutation = array<i64: 0, 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%b32, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// QUOTIENT
// Loops over 3 and 2 know no rows of 3.
// CHECK: [Missed] Quotient | Category:lowering:lower-tensor-op | Function=quotient | Reason="the index in the source has a quotient", Bytes=24, {{.*}}Loads=0
func.func @quotient(%a: memref<2x3xf32, "dram"> {penguin.io = "input"}, %o: memref<3x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x2xf32, "dram">
  "penguin.memcpy"(%a, %b) : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x2xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  return
}
