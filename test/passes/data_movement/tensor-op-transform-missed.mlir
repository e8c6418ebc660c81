// RUN: penguin-opt --tensor-op-transform --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: filecheck %s --check-prefix=IR < %t
// RUN: penguin-opt --tensor-op-transform=disable-tensor-op-io-reshape --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s --check-prefix=OFF

// IR-NOT: memref.reinterpret_cast

// IO_DISABLED
// OFF: [Missed] IoDisabled | {{.*}}Function=both_io | Reason="disable TensorOpTransform to perform reshape on IO tensors"
// BOTH_IO
// CHECK: [Missed] BothIo | {{.*}}Function=both_io | Reason="both ends are seen from outside"
func.func @both_io(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                   %x: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.memcpy"(%a, %x) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                 %x: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "sbuf">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "sbuf">) -> ()
  "penguin.unary"(%t, %x) {function = "negate"} : (memref<2x4xf32, "sbuf">, memref<2x4xf32, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                 %x: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.remat} : memref<2x4xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.unary"(%t, %x) {function = "negate"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// DEFINED_TWICE
// CHECK: [Missed] DefinedTwice | {{.*}}Function=defined_twice | Reason="the internal tensor is defined by more than the op"
func.func @defined_twice(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                         %x: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.unary"(%t, %x) {function = "negate"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.unary"(%x, %t) {function = "negate"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.unary"(%t, %x) {function = "tanh"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// OVERWRITTEN: the output is in the input's buffer, and is written before the last read.
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="the IO tensor is overwritten before the last read"
func.func @overwritten(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                       %x: memref<8xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %y: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<8xf32, "dram">) -> ()
  "penguin.unary"(%t, %y) {function = "negate"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// USED_BEFORE: the input is read after what would be written in its buffer.
// CHECK: [Missed] UsedBefore | {{.*}}Function=used_before | Reason="the IO tensor is used between the first store and the op"
func.func @used_before(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                       %x: memref<8xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memset"(%t) {value = 0.0 : f32} : (memref<2x4xf32, "dram">) -> ()
  "penguin.unary"(%a, %y) {function = "negate"} : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %x) : (memref<2x4xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<8xf32, "dram"> {penguin.io = "input"},
                   %x: memref<2x4xf32, "dram"> {penguin.io = "output"},
                   %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<8xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.memset"(%y) {value = 0.0 : f32, penguin.barrier} : (memref<8xf32, "dram">) -> ()
  "penguin.unary"(%t, %x) {function = "negate"} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// A flattened slice whose destination would be seen under another shape.
// OFF: [Missed] IoDisabled | {{.*}}Function=flattened
// CHECK-NOT: Function=flattened
// IR-LABEL: func.func @flattened
func.func @flattened(%a: memref<4x8xf32, "dram"> {penguin.io = "input"},
                     %x: memref<16xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.slice"(%a, %x) {access = "flattened", limits = array<i64: 24>, starts = array<i64: 8>, strides = array<i64: 1>}
    : (memref<4x8xf32, "dram">, memref<16xf32, "dram">) -> ()
  return
}

// GENERIC: a gather takes elements at indices of 8, not of 2x4.
// CHECK: [Missed] Generic | {{.*}}Function=gathered | Reason="used by a generic access, or by a gather, which becomes one"
// IR-LABEL: func.func @gathered
func.func @gathered(%a: memref<2x4xf32, "dram"> {penguin.io = "input"}, %i: memref<3x1xi32, "dram"> {penguin.io = "input"},
                    %o: memref<3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.gather"(%t, %i, %o) {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
    : (memref<8xf32, "dram">, memref<3x1xi32, "dram">, memref<3xf32, "dram">) -> ()
  return
}
