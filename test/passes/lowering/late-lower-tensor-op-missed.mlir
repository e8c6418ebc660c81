// Transposes that one nest cannot do are split, and say so.
// RUN: penguin-opt %s --late-lower-tensor-op --verify-semantics --split-input-file --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s
// RUN: filecheck %s --check-prefix=IR --input-file=%t
// RUN: penguin-opt %s --late-lower-tensor-op --mlir-pass-statistics --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// NO_BASIS
// Neither the rows of 8 of the source nor the rows of 3 of the destination are pieces of 16x3.
// CHECK: [Missed] NoBasis | Category:lowering:late-lower-tensor-op | Function=both_sides | Reason="Tranpose src and dst reshape must have common reshape basis at this point"
// IR-LABEL: func.func @both_sides
// IR: memref.alloc() : memref<16x3xf32, "dram">
// IR: memref.alloc() : memref<3x16xf32, "dram">
// STAT: (S) {{ *}}3 lowered - Number of offloaded ops lowered
// STAT: (S) {{ *}}1 split - Number of offloaded transposes split
// STAT: (S) {{ *}}0 copied - Number of offloaded transposes that read a copy of their buffer
func.func @both_sides(%a: memref<6x8xf32, "dram"> {penguin.io = "input"}, %o: memref<16x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.transpose"(%a, %o) {permutation = array<i64: 1, 0>, src_shape = array<i64: 16, 3>} : (memref<6x8xf32, "dram">, memref<16x3xf32, "dram">) -> ()
  return
}

// -----

// Only the source does not fit.
// CHECK: [Missed] NoBasis | {{.*}}Function=source |
// IR-LABEL: func.func @source
// IR: memref.alloc() : memref<3x2xf32, "dram">
// IR-NOT: memref.alloc
// IR: return
func.func @source(%a: memref<2x3xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.transpose"(%a, %o) {permutation = array<i64: 1, 0>, src_shape = array<i64: 3, 2>} : (memref<2x3xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

// Each fits, but not together: the source cuts 12 into 3x4, the destination into 2x6.
// CHECK: [Missed] NoBasis | {{.*}}Function=together |
// IR-LABEL: func.func @together
// IR: memref.alloc() : memref<5x12xf32, "dram">
// IR-NOT: memref.alloc
// IR: return
func.func @together(%a: memref<3x4x5xf32, "dram"> {penguin.io = "input"}, %o: memref<5x2x6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.transpose"(%a, %o) {permutation = array<i64: 1, 0>, src_shape = array<i64: 12, 5>} : (memref<3x4x5xf32, "dram">, memref<5x2x6xf32, "dram">) -> ()
  return
}
