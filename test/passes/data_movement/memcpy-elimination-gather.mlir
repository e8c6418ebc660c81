// RUN: penguin-opt --memcpy-elimination --verify-semantics --remark-format=emitRemark --remarks-filter-missed=. %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// A gather becomes loads at computed indices: what it takes from may get another shape only if its
// indices stay. It would need quotients of them otherwise, which no instruction has.

// REMARK: [Missed] Generic | {{.*}} | Function=other_indices | {{.*}}, Op="penguin.memcpy", From="a", To="t", Tensor="t"
// REMARK-NOT: [Missed]

// CHECK-LABEL: @other_indices
// CHECK: penguin.memcpy
func.func private @other_indices(%a: memref<2x4xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %i: memref<3x1xi32, "dram"> {penguin.io = "input"},
                         %o: memref<3xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.gather"(%t, %i, %o) {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
    : (memref<8xf32, "dram">, memref<3x1xi32, "dram">, memref<3xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: @a_unit_dimension
// CHECK: %[[V:.*]] = memref.reinterpret_cast %arg0
// CHECK-NOT: penguin.memcpy
// CHECK: "penguin.gather"(%[[V]]
func.func @a_unit_dimension(%a: memref<1x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %i: memref<3x1xi32, "dram"> {penguin.io = "input"},
                            %o: memref<3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() {penguin.name = "t"} : memref<8xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<1x8xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.gather"(%t, %i, %o) {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
    : (memref<8xf32, "dram">, memref<3x1xi32, "dram">, memref<3xf32, "dram">) -> ()
  return
}
