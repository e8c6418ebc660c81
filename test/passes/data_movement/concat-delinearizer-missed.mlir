// RUN: penguin-opt --concat-delinearizer --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// UNALIGNED
// CHECK: [Missed] Unaligned | {{.*}}Function=unaligned | Reason="the extents of the sources are no multiples of one inner extent"
func.func @unaligned(%a: memref<3x64xf32, "dram"> {penguin.io = "input"},
                     %b: memref<5xf32, "dram"> {penguin.io = "input"},
                     %x: memref<197xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<192xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<3x64xf32, "dram">, memref<192xf32, "dram">) -> ()
  "penguin.concat"(%t, %b, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<192xf32, "dram">, memref<5xf32, "dram">, memref<197xf32, "dram">) -> ()
  return
}

// TOO_SMALL
// CHECK: [Missed] TooSmall | {{.*}}Function=small | Reason="the common inner extent is too small"
func.func @small(%a: memref<12xf32, "dram"> {penguin.io = "input"},
                 %b: memref<8xf32, "dram"> {penguin.io = "input"},
                 %x: memref<20xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.concat"(%a, %b, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<12xf32, "dram">, memref<8xf32, "dram">, memref<20xf32, "dram">) -> ()
  return
}

// OVERWRITTEN
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="a tensor that would be read is overwritten in between"
func.func @overwritten(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                       %z: memref<2x3xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %x: memref<1x12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<1x6xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x3xf32, "dram">, memref<1x6xf32, "dram">) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32} : (memref<2x3xf32, "dram">) -> ()
  "penguin.concat"(%t, %t, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x6xf32, "dram">, memref<1x6xf32, "dram">, memref<1x12xf32, "dram">) -> ()
  return
}

// SHARED
// CHECK: [Missed] Shared | {{.*}}Function=shared | Reason="the op writes the buffer that it would then read"
func.func @shared(%a: memref<1x2x3xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x3xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<1x2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %e = memref.alloc() : memref<0x3xf32, "dram">
  "penguin.concat"(%t, %e, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32, "dram">, memref<0x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                   %z: memref<2x3xf32, "dram"> {penguin.io = "output"},
                   %x: memref<1x12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<1x6xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x3xf32, "dram">, memref<1x6xf32, "dram">) -> ()
  "penguin.memset"(%z) {penguin.barrier, value = 0.0 : f32} : (memref<2x3xf32, "dram">) -> ()
  "penguin.concat"(%t, %t, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x6xf32, "dram">, memref<1x6xf32, "dram">, memref<1x12xf32, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                 %x: memref<1x12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<1x6xf32, "sbuf">
  "penguin.memcpy"(%a, %t) : (memref<2x3xf32, "dram">, memref<1x6xf32, "sbuf">) -> ()
  "penguin.concat"(%t, %t, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x6xf32, "sbuf">, memref<1x6xf32, "sbuf">, memref<1x12xf32, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                 %x: memref<1x12xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.remat} : memref<1x6xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x3xf32, "dram">, memref<1x6xf32, "dram">) -> ()
  "penguin.concat"(%t, %t, %x) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x6xf32, "dram">, memref<1x6xf32, "dram">, memref<1x12xf32, "dram">) -> ()
  return
}
