// RUN: penguin-opt --commute-concat --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// OTHER_READERS
// CHECK: [Missed] OtherReaders | {{.*}}Function=other_readers | Reason="the tensor in between has other readers"
func.func @other_readers(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                         %b: memref<8xf32, "dram"> {penguin.io = "input"},
                         %x: memref<8xbf16, "dram"> {penguin.io = "output"},
                         %y: memref<12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 12>, starts = array<i64: 4>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<8xbf16, "dram">) -> ()
  "penguin.unary"(%c, %y) {function = "tanh"} : (memref<12xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// NOTHING_EXPOSED
// CHECK: [Missed] NothingExposed | {{.*}}Function=nothing | Reason="no elimination would be exposed"
func.func @nothing(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                   %b: memref<8xf32, "dram"> {penguin.io = "input"},
                   %x: memref<12xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  "penguin.memcast"(%c, %x) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  return
}

// OVERWRITTEN
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="a tensor that would be read is overwritten in between"
func.func @overwritten(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                       %b: memref<8xf32, "dram"> {penguin.io = "input"},
                       %z: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %x: memref<4xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// SHARED
// CHECK: [Missed] Shared | {{.*}}Function=shared | Reason="the op writes the buffer that it would then read"
func.func @shared(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %i = memref.alloc() : memref<0xf32, "dram">
  %e = memref.alloc() : memref<0xf32, "dram">
  "penguin.unary"(%i, %e) {function = "negate"} : (memref<0xf32, "dram">, memref<0xf32, "dram">) -> ()
  %c = memref.alloc() : memref<4xf32, "dram">
  "penguin.concat"(%a, %e, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<0xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%c, %x) {function = "negate"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                   %b: memref<8xf32, "dram"> {penguin.io = "input"},
                   %z: memref<4xf32, "dram"> {penguin.io = "output"},
                   %x: memref<4xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  "penguin.memset"(%z) {penguin.barrier, value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<8xf32, "dram"> {penguin.io = "input"},
                 %z: memref<4xf32, "dram"> {penguin.io = "output"},
                 %x: memref<4xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<12xf32, "sbuf">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "sbuf">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "sbuf">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<8xf32, "dram"> {penguin.io = "input"},
                 %z: memref<4xf32, "dram"> {penguin.io = "output"},
                 %x: memref<4xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() {penguin.remat} : memref<12xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<8xf32, "dram">, memref<12xf32, "dram">) -> ()
  %d = memref.alloc() : memref<12xbf16, "dram">
  "penguin.memcast"(%c, %d) : (memref<12xf32, "dram">, memref<12xbf16, "dram">) -> ()
  "penguin.slice"(%d, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<12xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  return
}
