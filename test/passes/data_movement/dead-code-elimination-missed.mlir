// RUN: penguin-opt --dead-code-elimination --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: filecheck %s --check-prefix=IR < %t

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=l1_barrier | Reason="the op is a barrier"
// IR-LABEL: func.func @l1_barrier
// IR: penguin.memcpy
func.func @l1_barrier(%in: memref<4xf32, "dram"> {penguin.io = "input"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcpy"(%in, %t) {penguin.barrier} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// EFFECTS
// CHECK: [Missed] Effects | {{.*}}Function=l2_effects | Reason="the op may do something else than write tensors"
// IR-LABEL: func.func @l2_effects
// IR: call @callee
func.func private @callee(memref<4xf32, "dram">)
func.func @l2_effects(%in: memref<4xf32, "dram"> {penguin.io = "input"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  func.call @callee(%t) : (memref<4xf32, "dram">) -> ()
  return
}

// PARTLY_READ
// CHECK: [Missed] PartlyRead | {{.*}}Function=l3_partly_read | Reason="another tensor that the op writes is read"
// IR-LABEL: func.func @l3_partly_read
// IR: affine.store {{.*}}%alloc
func.func @l3_partly_read(%in: memref<4xf32, "dram"> {penguin.io = "input"},
                          %out: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<f32, "dram">
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %t[] : memref<f32, "dram">
  affine.for %i = 0 to 4 {
    %v = affine.load %in[%i] : memref<4xf32, "dram">
    %s = affine.load %t[] : memref<f32, "dram">
    %w = arith.addf %v, %s : f32
    affine.store %w, %t[] : memref<f32, "dram">
    affine.store %w, %out[%i] : memref<4xf32, "dram">
  }
  return
}

// The caller sees a tensor that is returned: no candidate.
// CHECK-NOT: Function=returned
// IR-LABEL: func.func @returned
// IR: penguin.memcpy
func.func @returned(%in: memref<4xf32, "dram">) -> memref<4xf32, "dram"> {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcpy"(%in, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return %t : memref<4xf32, "dram">
}
