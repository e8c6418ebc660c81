// RUN: penguin-opt --simplify-slice --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// OVERWRITTEN
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="a tensor that would be read is overwritten in between"
func.func @overwritten(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                       %x: memref<8xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %y: memref<2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<8xf32, "dram">) -> ()
  "penguin.slice"(%t, %y) {access = "ndim", limits = array<i64: 2>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<4xf32, "dram">, memref<2xf32, "dram">) -> ()
  return
}

// SHARED
// CHECK: [Missed] Shared | {{.*}}Function=shared | Reason="the op writes the buffer that it would then read"
func.func @shared(%b: memref<4xf32, "dram"> {penguin.io = "input"},
                  %a: memref<8xf32, "dram"> {penguin.io = "input"},
                  %x: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  "penguin.slice"(%a, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.slice"(%a, %b) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                   %x: memref<8xf32, "dram"> {penguin.io = "output"},
                   %y: memref<2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%x) {penguin.barrier, value = 0.0 : f32} : (memref<8xf32, "dram">) -> ()
  "penguin.slice"(%t, %y) {access = "ndim", limits = array<i64: 2>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<4xf32, "dram">, memref<2xf32, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                 %y: memref<2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "sbuf">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "sbuf">) -> ()
  "penguin.slice"(%t, %y) {access = "ndim", limits = array<i64: 2>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<4xf32, "sbuf">, memref<2xf32, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                 %y: memref<2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.remat} : memref<4xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.slice"(%t, %y) {access = "ndim", limits = array<i64: 2>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<4xf32, "dram">, memref<2xf32, "dram">) -> ()
  return
}
