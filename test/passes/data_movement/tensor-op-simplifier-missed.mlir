// RUN: penguin-opt --tensor-op-simplifier --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// LOSSY
// CHECK: [Missed] Lossy | {{.*}}Function=lossy | Reason="the pair of casts does not keep every value"
// CHECK: [Missed] Lossy
// CHECK: [Missed] Lossy
func.func @lossy(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<4xi32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xbf16, "dram">
  "penguin.memcast"(%a, %t) : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  "penguin.memcast"(%t, %x) : (memref<4xbf16, "dram">, memref<4xf32, "dram">) -> ()
  %i = memref.alloc() : memref<4xi32, "dram">
  "penguin.memcast"(%a, %i) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  %f = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcast"(%i, %f) : (memref<4xi32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcast"(%f, %y) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// SIGNED_ZERO
// CHECK: [Missed] SignedZero | {{.*}}Function=signed_zero | Reason="x + 0.0 is not x for x = -0.0"
func.func @signed_zero(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                       %x: memref<4xf32, "dram"> {penguin.io = "output"},
                       %y: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memset"(%t) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.binary"(%a, %t, %x) {function = "add"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.binary"(%t, %a, %y) {function = "subtract"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// SPANS
// CHECK: [Missed] Spans | {{.*}}Function=spans | Reason="the slice spans several sources of the concat, and not as wholes"
func.func @spans(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %t) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%t, %x) {access = "ndim", limits = array<i64: 6>, starts = array<i64: 2>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// OVERWRITTEN
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="a tensor that would be read is overwritten in between"
func.func @overwritten(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                       %x: memref<2x3xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %y: memref<2x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x2xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<2x3xf32, "dram">) -> ()
  "penguin.transpose"(%t, %y) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  return
}

// SHARED
// CHECK: [Missed] Shared | {{.*}}Function=shared | Reason="the op writes the buffer that it would then read"
func.func @shared(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x3xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x2xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.transpose"(%t, %x) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                   %x: memref<2x3xf32, "dram"> {penguin.io = "output"},
                   %y: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x2xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.memset"(%y) {penguin.barrier, value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.transpose"(%t, %x) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                 %x: memref<2x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x2xf32, "sbuf">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "sbuf">) -> ()
  "penguin.transpose"(%t, %x) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "sbuf">, memref<2x3xf32, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                 %x: memref<2x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.remat} : memref<3x2xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  "penguin.transpose"(%t, %x) {permutation = array<i64: 1, 0>} : (memref<3x2xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  return
}
