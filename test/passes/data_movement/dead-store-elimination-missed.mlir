// RUN: penguin-opt --dead-store-elimination --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// NOT_COVERED
// CHECK: [Missed] NotCovered | {{.*}}Function=not_covered | Reason="what overwrites the tensor does not cover the write"
func.func @not_covered(%b: memref<6xf32, "dram"> {penguin.io = "input"},
                       %x: memref<10xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<10xf32, "dram">) -> ()
  affine.for %i = 0 to 6 {
    %v = affine.load %b[%i] : memref<6xf32, "dram">
    affine.store %v, %x[%i + 4] : memref<10xf32, "dram">
  }
  return
}

// SELF_READ
// CHECK: [Missed] SelfRead | {{.*}}Function=self_read | Reason="the nest reads the tensor itself"
func.func @self_read(%b: memref<6xf32, "dram"> {penguin.io = "input"},
                     %x: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<1xf32, "dram">
  affine.for %i = 0 to 6 {
    %v = affine.load %b[%i] : memref<6xf32, "dram">
    affine.store %v, %t[0] : memref<1xf32, "dram">
    %w = affine.load %t[0] : memref<1xf32, "dram">
    affine.store %w, %x[%i] : memref<6xf32, "dram">
  }
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%b: memref<6xf32, "dram"> {penguin.io = "input"},
                   %x: memref<6xf32, "dram"> {penguin.io = "output"},
                   %y: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<6xf32, "dram">) -> ()
  "penguin.memset"(%y) {penguin.barrier, value = 0.0 : f32} : (memref<6xf32, "dram">) -> ()
  "penguin.memset"(%x) {value = 1.0 : f32} : (memref<6xf32, "dram">) -> ()
  return
}

// OTHER_NEEDED
// CHECK: [Missed] OtherNeeded | {{.*}}Function=other_needed | Reason="another tensor that the op writes is needed"
func.func @other_needed(%b: memref<6xf32, "dram"> {penguin.io = "input"},
                        %x: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<6xf32, "dram">
  "penguin.fusion"(%b, %t, %x) ({
  ^bb0(%p: memref<6xf32, "dram">, %q: memref<6xf32, "dram">, %r: memref<6xf32, "dram">):
    "penguin.unary"(%p, %q) {function = "tanh"} : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
    "penguin.unary"(%p, %r) {function = "tanh"} : (memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<6xf32, "dram">, memref<6xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}
