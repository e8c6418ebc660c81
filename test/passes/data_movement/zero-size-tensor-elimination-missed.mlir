// RUN: penguin-opt --zero-size-tensor-elimination --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="the op is a barrier"
func.func @barrier(%n: memref<0x2xf32, "dram"> {penguin.io = "input"},
                   %e: memref<0x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.unary"(%n, %e) {function = "tanh", penguin.barrier} : (memref<0x2xf32, "dram">, memref<0x2xf32, "dram">) -> ()
  return
}

func.func private @callee(memref<0x2xf32, "dram">)
// UNKNOWN
// CHECK: [Missed] Unknown | {{.*}}Function=unknown | Reason="what the op does without these elements is not known"
func.func @unknown(%n: memref<0x2xf32, "dram"> {penguin.io = "input"}) attributes {penguin.kernel} {
  func.call @callee(%n) : (memref<0x2xf32, "dram">) -> ()
  return
}
