// RUN: penguin-opt --allocate --split-input-file %s | filecheck %s
// RUN: penguin-opt --allocate --split-input-file --mlir-pass-statistics --mlir-pass-statistics-display=list %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS

// STATS: 768 {{.*}}Peak SBUF bytes per partition

// The third tile takes the place of the first, whose last reader has run.
// CHECK-LABEL: func.func @reuse
// CHECK: bir.addr = 0 : i64{{.*}}penguin.name = "a"
// CHECK: bir.addr = 256 : i64{{.*}}penguin.name = "b"
// CHECK: bir.addr = 0 : i64{{.*}}penguin.name = "c"
func.func @reuse(%x: memref<4x64xf32, "dram">, %y: memref<4x64xf32, "dram">) {
  %a = memref.alloc() {penguin.name = "a"} : memref<4x64xf32, "sbuf">
  "bir.Load"(%x, %a) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DMA"} : (memref<4x64xf32, "dram">, memref<4x64xf32, "sbuf">) -> ()
  %b = memref.alloc() {penguin.name = "b"} : memref<4x64xf32, "sbuf">
  "bir.TensorCopy"(%a, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DVE"} : (memref<4x64xf32, "sbuf">, memref<4x64xf32, "sbuf">) -> ()
  %c = memref.alloc() {penguin.name = "c"} : memref<4x64xf32, "sbuf">
  "bir.TensorCopy"(%b, %c) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DVE"} : (memref<4x64xf32, "sbuf">, memref<4x64xf32, "sbuf">) -> ()
  "bir.Save"(%c, %y) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DMA"} : (memref<4x64xf32, "sbuf">, memref<4x64xf32, "dram">) -> ()
  return
}

// -----

// A tile made outside of the loop keeps its address for all iterations, to the end of the loop.
// CHECK-LABEL: func.func @over_a_loop
// CHECK: bir.addr = 0 : i64{{.*}}penguin.name = "outer"
// CHECK: bir.addr = 256 : i64{{.*}}penguin.name = "inner"
// CHECK: bir.addr = 512 : i64{{.*}}penguin.name = "late"
func.func @over_a_loop(%x: memref<4x64xf32, "dram">) {
  %outer = memref.alloc() {penguin.name = "outer"} : memref<4x64xf32, "sbuf">
  "bir.Load"(%x, %outer) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DMA"} : (memref<4x64xf32, "dram">, memref<4x64xf32, "sbuf">) -> ()
  "bir.loop"() ({
  ^bb0(%i: index):
    %inner = memref.alloc() {penguin.name = "inner"} : memref<4x64xf32, "sbuf">
    "bir.TensorCopy"(%outer, %inner) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DVE"} : (memref<4x64xf32, "sbuf">, memref<4x64xf32, "sbuf">) -> ()
    %late = memref.alloc() {penguin.name = "late"} : memref<4x64xf32, "sbuf">
    "bir.TensorCopy"(%inner, %late) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[64, 4], [1, 64]]>], engine = "DVE"} : (memref<4x64xf32, "sbuf">, memref<4x64xf32, "sbuf">) -> ()
  }) {lower = 0 : i64, step = 1 : i64, upper = 2 : i64} : () -> ()
  return
}

// -----

// PSUM tiles share a bank while they fit into it, and never cross into the next one.
// CHECK-LABEL: func.func @banks
// CHECK: bir.addr = 0 : i64, bir.bank = 0 : i64{{.*}}penguin.name = "a"
// CHECK: bir.addr = 2048 : i64, bir.bank = 1 : i64{{.*}}penguin.name = "b"
func.func @banks(%x: memref<4x300xf32, "sbuf">) {
  %a = memref.alloc() {penguin.name = "a"} : memref<4x300xf32, "psum">
  %b = memref.alloc() {penguin.name = "b"} : memref<4x300xf32, "psum">
  "bir.TensorCopy"(%x, %a) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>], engine = "DVE"} : (memref<4x300xf32, "sbuf">, memref<4x300xf32, "psum">) -> ()
  "bir.TensorCopy"(%x, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>], engine = "DVE"} : (memref<4x300xf32, "sbuf">, memref<4x300xf32, "psum">) -> ()
  "bir.TensorCopy"(%a, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[300, 4], [1, 300]]>], engine = "DVE"} : (memref<4x300xf32, "psum">, memref<4x300xf32, "psum">) -> ()
  return
}
