// Loads that go past offloaded ops: by default past broadcasts and memsets, or past whatever is asked for.
// RUN: penguin-opt %s --lower-tensor-op --split-input-file --verify-semantics | filecheck %s --check-prefixes=CHECK,DEFAULT
// RUN: penguin-opt %s --lower-tensor-op=load-maps=broadcast,memcast,memset,reshape,transpose --split-input-file --verify-semantics | filecheck %s --check-prefixes=CHECK,ALL
// RUN: penguin-opt %s --lower-tensor-op=load-maps= --split-input-file | filecheck %s --check-prefixes=NONE
// RUN: penguin-opt %s --lower-tensor-op=load-maps=broadcast,memcast,memset,reshape,transpose --late-lower-tensor-op --layout-tiling --select-instructions --allocate --verify-semantics --split-input-file -o /dev/null
// RUN: penguin-opt %s --lower-tensor-op --mlir-pass-statistics -o /dev/null --split-input-file 2>&1 | filecheck %s --check-prefix=STAT
// RUN: penguin-opt %s --lower-tensor-op --remarks-filter-passed=. -o /dev/null --split-input-file 2>&1 | filecheck %s --check-prefix=REMARK

// NONE-NOT: arith.constant
// NONE: "penguin.memset"
// NONE-NOT: arith.constant
// NONE: "penguin.broadcast"
// NONE: "penguin.broadcast"
// NONE: affine.load

// A constant, and rows: the memset, the broadcasts and their tensors are gone.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<8x6xf32, "dram"> {{{[^}]*}}}, %[[B:[a-z0-9]+]]: memref<6xf32, "dram">
// CHECK-NEXT: memref.alloc() {penguin.name = "s"}
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT:     affine.load %[[A]][%[[I]], %[[J]]] : memref<8x6xf32, "dram">
// CHECK-NEXT:     affine.load %[[B]][%[[J]]] : memref<6xf32, "dram">
// CHECK-NEXT:     arith.addf
// CHECK-NEXT:     affine.store
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: affine.for
// CHECK-NEXT:   affine.for
// CHECK-NEXT:     affine.load
// CHECK-NEXT:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     arith.mulf %{{.*}}, %[[TWO]] : f32
// CHECK-NEXT:     affine.store
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: return
// STAT: (S) {{ *}}2 mapped - Number of loads that go past an offloaded op
// STAT: (S) {{ *}}3 wholly - Number of offloaded ops consumed by all of their readers
// STAT: (S) {{ *}}0 partly - Number of offloaded ops consumed by some of their readers
// STAT: (S) {{ *}}0 unconsumed - Number of offloaded ops consumed by none of their readers
// STAT: (S) {{ *}}388 saved - Number of bytes not written (bytes)
// STAT: (S) {{ *}}3 candidates - Number of candidates
// STAT: (S) {{ *}}3 rewritten - Number of candidates rewritten
// REMARK: [Passed] Consumed | Category:lowering:lower-tensor-op | Function=rows | {{.*}}Loads=1
// REMARK: [Passed] Consumed | Category:lowering:lower-tensor-op | Function=rows | {{.*}}Loads=1
// REMARK: [Passed] Consumed | Category:lowering:lower-tensor-op | Function=rows | {{.*}}Loads=1
// REMARK-NOT: Function=rows
func.func @rows(%a: memref<8x6xf32, "dram"> {penguin.io = "input"}, %b: memref<6xf32, "dram"> {penguin.io = "input"}, %o: memref<8x6xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %z = memref.alloc() {penguin.name = "z"} : memref<f32, "dram">
  "penguin.memset"(%z) {value = 2.0 : f32} : (memref<f32, "dram">) -> ()
  %c = memref.alloc() {penguin.name = "c"} : memref<8x6xf32, "dram">
  "penguin.broadcast"(%z, %c) {dims = array<i64>} : (memref<f32, "dram">, memref<8x6xf32, "dram">) -> ()
  %d = memref.alloc() {penguin.name = "d"} : memref<8x6xf32, "dram">
  "penguin.broadcast"(%b, %d) {dims = array<i64: 1>} : (memref<6xf32, "dram">, memref<8x6xf32, "dram">) -> ()
  %s = memref.alloc() {penguin.name = "s"} : memref<8x6xf32, "dram">
  "penguin.binary"(%a, %d, %s) {function = "add"} : (memref<8x6xf32, "dram">, memref<8x6xf32, "dram">, memref<8x6xf32, "dram">) -> ()
  "penguin.binary"(%s, %c, %o) {function = "multiply"} : (memref<8x6xf32, "dram">, memref<8x6xf32, "dram">, memref<8x6xf32, "dram">) -> ()
  return
}

// -----

// A broadcast of a reshape of a broadcast, converted and transposed. By default a load stops at what
// has an elimination pass of its own.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4xf32, "dram">
// DEFAULT: "penguin.transpose"(%{{.*}}, %[[T:.*]]) {permutation
// DEFAULT: affine.load %[[T]][
// ALL-NEXT: memref.alloc() : memref<3x2x4x2xbf16, "dram">
// ALL-NEXT: affine.for %{{.*}} = 0 to 3 {
// ALL-NEXT:   affine.for %{{.*}} = 0 to 2 {
// ALL-NEXT:     affine.for %[[K:.*]] = 0 to 4 {
// ALL-NEXT:       affine.for %{{.*}} = 0 to 2 {
// ALL-NEXT:         %[[X:.*]] = affine.load %[[A]][%[[K]]] : memref<4xf32, "dram">
// ALL-NEXT:         arith.truncf %[[X]] : f32 to bf16
// ALL-NEXT:         arith.negf
func.func @chain(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<6x8xbf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<4x3xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 0>} : (memref<4xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  %r = memref.alloc() : memref<4x1x3xf32, "dram">
  "penguin.memcpy"(%b, %r) : (memref<4x3xf32, "dram">, memref<4x1x3xf32, "dram">) -> ()
  %c = memref.alloc() : memref<4x1x3xbf16, "dram">
  "penguin.memcast"(%r, %c) : (memref<4x1x3xf32, "dram">, memref<4x1x3xbf16, "dram">) -> ()
  %w = memref.alloc() : memref<4x2x3x2xbf16, "dram">
  "penguin.broadcast"(%c, %w) {dims = array<i64: 0, 1, 2>} : (memref<4x1x3xbf16, "dram">, memref<4x2x3x2xbf16, "dram">) -> ()
  %t = memref.alloc() : memref<3x2x4x2xbf16, "dram">
  "penguin.transpose"(%w, %t) {permutation = array<i64: 2, 3, 0, 1>} : (memref<4x2x3x2xbf16, "dram">, memref<3x2x4x2xbf16, "dram">) -> ()
  %u = memref.alloc() : memref<3x2x4x2xbf16, "dram">
  "penguin.unary"(%t, %u) {function = "negate"} : (memref<3x2x4x2xbf16, "dram">, memref<3x2x4x2xbf16, "dram">) -> ()
  "penguin.memcpy"(%u, %o) : (memref<3x2x4x2xbf16, "dram">, memref<6x8xbf16, "dram">) -> ()
  return
}

// -----

// Every compute op takes it: both sides of a contraction, what is reduced and its initial value, what
// is padded and the padding value, the predicate of a select.
// CHECK-LABEL: func.func @consumers(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4xf32, "dram"> {{{[^}]*}}}, %[[P:[a-z0-9]+]]: memref<i1, "dram">
// CHECK-NOT: "penguin.
// CHECK: affine.load %[[A]][%[[K:.*]]] : memref<4xf32, "dram">
// CHECK-NEXT: affine.load %[[A]][%[[K]]] : memref<4xf32, "dram">
// CHECK-NEXT: arith.mulf
// CHECK: %[[ZERO:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: affine.for {{.*}} iter_args({{.*}} = %[[ZERO]])
// CHECK-NEXT: affine.load %[[A]][%{{.*}}] : memref<4xf32, "dram">
// CHECK: arith.constant 1.000000e+00 : f32
// CHECK-NEXT: affine.store
// CHECK: affine.load %[[A]][%{{.*}}] : memref<4xf32, "dram">
// CHECK: affine.load %[[A]][-%{{.*}} + 3] : memref<4xf32, "dram">
// CHECK: affine.load %[[P]][] : memref<i1, "dram">
// CHECK-NEXT: affine.load %[[A]][%{{.*}}]
// CHECK-NEXT: arith.constant 1.000000e+00 : f32
// CHECK-NEXT: arith.select
// CHECK-NOT: "penguin.
func.func @consumers(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %p: memref<i1, "dram"> {penguin.io = "input"}, %o: memref<3x5xf32, "dram"> {penguin.io = "output"}, %r: memref<3xf32, "dram"> {penguin.io = "output"}, %q: memref<5x4xf32, "dram"> {penguin.io = "output"}, %v: memref<3x4xf32, "dram"> {penguin.io = "output"}, %s: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %one = memref.alloc() : memref<f32, "dram">
  "penguin.memset"(%one) {value = 1.0 : f32} : (memref<f32, "dram">) -> ()
  %ones = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%one, %ones) {dims = array<i64>} : (memref<f32, "dram">, memref<3x4xf32, "dram">) -> ()
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  %c = memref.alloc() : memref<5x4xf32, "dram">
  "penguin.broadcast"(%a, %c) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<5x4xf32, "dram">) -> ()
  %f = memref.alloc() : memref<3x4xi1, "dram">
  "penguin.broadcast"(%p, %f) {dims = array<i64>} : (memref<i1, "dram">, memref<3x4xi1, "dram">) -> ()
  "penguin.tensor_contract"(%b, %c, %o) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 1>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 0>} : (memref<3x4xf32, "dram">, memref<5x4xf32, "dram">, memref<3x5xf32, "dram">) -> ()
  "penguin.reduce"(%b, %one, %r) {function = "add", axes = array<i64: 1>} : (memref<3x4xf32, "dram">, memref<f32, "dram">, memref<3xf32, "dram">) -> ()
  "penguin.pad"(%b, %one, %q) {low = array<i64: 2, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>} : (memref<3x4xf32, "dram">, memref<f32, "dram">, memref<5x4xf32, "dram">) -> ()
  "penguin.reverse"(%b, %v) {axes = array<i64: 1>} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.select"(%f, %b, %ones, %s) : (memref<3x4xi1, "dram">, memref<3x4xf32, "dram">, memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// A fusion is expanded first.
// CHECK-LABEL: func.func @fusion(
// CHECK-NOT: "penguin.
// CHECK: affine.load %arg0[%{{.*}}] : memref<4xf32, "dram">
// CHECK-NOT: "penguin.
func.func @fusion(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.fusion"(%a, %o) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<3x4xf32, "dram">):
    %b = memref.alloc() : memref<3x4xf32, "dram">
    "penguin.broadcast"(%s, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
    "penguin.unary"(%b, %d) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// The source is overwritten between two readers: the first goes past the broadcast, the second does
// not. A write through an aliased output would count as well; here it comes later.
// CHECK-LABEL: func.func @overwritten_later(
// CHECK: "penguin.broadcast"(%arg0, %[[B:[a-z0-9_]+]])
// CHECK: affine.load %arg0[%{{.*}}] : memref<4xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg1
// CHECK: affine.store %{{.*}}, %arg2[
// CHECK: affine.load %[[B]][
// CHECK: affine.store %{{.*}}, %arg3
func.func @overwritten_later(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<3x4xf32, "dram"> {penguin.io = "output"}, %q: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}, %p: memref<3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %b = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%b, %o) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.unary"(%a, %q) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.unary"(%b, %p) {function = "negate"} : (memref<3x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}
