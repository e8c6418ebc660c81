// The contractions that lower-tensor-op makes are known as such.
// RUN: penguin-opt %s --lower-tensor-op --slice-op-elimination --remark-format=emitRemark --remarks-filter=slice 2>&1 >%t | filecheck %s --check-prefix=REMARK
// RUN: filecheck %s <%t
// RUN: penguin-opt %s --lower-tensor-op --slice-op-elimination=fuse-matmul-loads=true >%t
// RUN: not grep penguin.slice %t

// REMARK: [Missed] Matmul | Category:data-movement:slice-op-elimination | Function=f32 | Reason="a matmul load needs the slice as it is", Bytes=128, Op="penguin.slice", From="x", To="t", Tensor="t"
// REMARK: [Missed] Matmul | Category:data-movement:slice-op-elimination | Function=bf16 | Reason="a matmul load needs the slice as it is", Bytes=64, Op="penguin.slice", From="x", To="t", Tensor="t"
// CHECK-LABEL: func.func @f32
// CHECK: "penguin.slice"
// CHECK-LABEL: func.func @bf16
// CHECK: "penguin.slice"
func.func @f32(%x: memref<4x10xf32, "dram"> {penguin.io = "input", penguin.name = "x"}, %w: memref<8x6xf32, "dram"> {penguin.io = "input"}, %o: memref<4x6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 9>, strides = array<i64: 1, 1>, access = "ndim"} : (memref<4x10xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.tensor_contract"(%t, %w, %o) {
    lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>,
    lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>,
    lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x8xf32, "dram">, memref<8x6xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}

// With conversions between the load and the product.
func.func @bf16(%x: memref<4x10xbf16, "dram"> {penguin.io = "input", penguin.name = "x"}, %w: memref<8x6xbf16, "dram"> {penguin.io = "input"}, %o: memref<4x6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xbf16, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 9>, strides = array<i64: 1, 1>, access = "ndim"} : (memref<4x10xbf16, "dram">, memref<4x8xbf16, "dram">) -> ()
  "penguin.tensor_contract"(%t, %w, %o) {
    lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>,
    lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>,
    lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x8xbf16, "dram">, memref<8x6xbf16, "dram">, memref<4x6xf32, "dram">) -> ()
  return
}

// A sum in the same function is no contraction.
// CHECK-LABEL: func.func @reduce
// CHECK-NOT: "penguin.slice"
func.func @reduce(%x: memref<4x10xf32, "dram"> {penguin.io = "input"}, %z: memref<f32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4x8xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 9>, strides = array<i64: 1, 1>, access = "ndim"} : (memref<4x10xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  "penguin.reduce"(%t, %z, %o) {function = "add", axes = array<i64: 1>} : (memref<4x8xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
