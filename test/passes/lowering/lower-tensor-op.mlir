// RUN: penguin-opt %s --lower-tensor-op --split-input-file | filecheck %s

// CHECK-LABEL: func.func @unary
// CHECK-SAME: (%[[A:.*]]: memref<8x6xf32, "dram">, %[[B:.*]]: memref<8x6xf32, "dram">)
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT:     %[[X:.*]] = affine.load %[[A]][%[[I]], %[[J]]]
// CHECK-NEXT:     %[[Y:.*]] = math.tanh %[[X]] : f32
// CHECK-NEXT:     affine.store %[[Y]], %[[B]][%[[I]], %[[J]]]
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @unary(%a: memref<8x6xf32, "dram">, %b: memref<8x6xf32, "dram">) {
  "penguin.unary"(%a, %b) {function = "tanh"} : (memref<8x6xf32, "dram">, memref<8x6xf32, "dram">) -> ()
  return
}

// -----

// A 0-d op is scalar code; extent 1 needs no loop.
// CHECK-LABEL: func.func @small
// CHECK-SAME: (%[[A:.*]]: memref<f32, "dram">, %[[B:.*]]: memref<1x5xf32, "dram">)
// CHECK-NEXT: %[[X:.*]] = affine.load %[[A]][]
// CHECK-NEXT: %[[Y:.*]] = arith.negf %[[X]]
// CHECK-NEXT: affine.store %[[Y]], %[[A]][]
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 5 {
// CHECK-NEXT:   affine.load %[[B]][0, %[[J]]]
func.func @small(%a: memref<f32, "dram">, %b: memref<1x5xf32, "dram">) {
  "penguin.unary"(%a, %a) {function = "negate"} : (memref<f32, "dram">, memref<f32, "dram">) -> ()
  "penguin.unary"(%b, %b) {function = "negate"} : (memref<1x5xf32, "dram">, memref<1x5xf32, "dram">) -> ()
  return
}

// -----

// No elements, no code.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty(%a: memref<0x4xf32, "dram">) {
  "penguin.unary"(%a, %a) {function = "negate"} : (memref<0x4xf32, "dram">, memref<0x4xf32, "dram">) -> ()
  return
}

// -----

// Single ops stay in bf16; logistic computes in f32 and rounds once.
// CHECK-LABEL: func.func @bf16
// CHECK: arith.addf %{{.*}}, %{{.*}} : bf16
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]] : f32
// CHECK-NEXT: %[[E:.*]] = math.exp %[[N]] : f32
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[ONE]], %[[E]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.divf %[[ONE]], %[[S]] : f32
// CHECK-NEXT: arith.truncf %[[Q]] : f32 to bf16
func.func @bf16(%a: memref<4xbf16, "dram">, %b: memref<4xbf16, "dram">) {
  "penguin.binary"(%a, %a, %b) {function = "add"} : (memref<4xbf16, "dram">, memref<4xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  "penguin.unary"(%a, %b) {function = "logistic"} : (memref<4xbf16, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// -----

// Unsigned elements are cast at the load and at the store, and compared as unsigned.
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[X:.*]] = affine.load %{{.*}} : memref<4xui8, "dram">
// CHECK-NEXT: %[[XS:.*]] = builtin.unrealized_conversion_cast %[[X]] : ui8 to i8
// CHECK: %[[Y:.*]] = affine.load
// CHECK-NEXT: %[[YS:.*]] = builtin.unrealized_conversion_cast %[[Y]] : ui8 to i8
// CHECK-NEXT: %[[M:.*]] = arith.maxui %[[XS]], %[[YS]] : i8
// CHECK-NEXT: %[[U:.*]] = builtin.unrealized_conversion_cast %[[M]] : i8 to ui8
// CHECK-NEXT: affine.store %[[U]]
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i8
func.func @unsigned(%a: memref<4xui8, "dram">, %b: memref<4xui8, "dram">, %c: memref<4xi1, "dram">) {
  "penguin.binary"(%a, %b, %b) {function = "maximum"} : (memref<4xui8, "dram">, memref<4xui8, "dram">, memref<4xui8, "dram">) -> ()
  "penguin.binary"(%a, %b, %c) {function = "compare_lt"} : (memref<4xui8, "dram">, memref<4xui8, "dram">, memref<4xi1, "dram">) -> ()
  return
}

// -----

// x / 0 and smallest / -1 divide by 1 instead.
// CHECK-LABEL: func.func @divide
// CHECK: %[[X:.*]] = affine.load
// CHECK: %[[Y:.*]] = affine.load
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y]], %c0
// CHECK: %[[SMALLEST:.*]] = arith.cmpi eq, %[[X]], %c-128
// CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[Y]], %c-1
// CHECK: %[[OVER:.*]] = arith.andi %[[SMALLEST]], %[[MINUS]] : i1
// CHECK: %[[BAD:.*]] = arith.ori %[[ZERO]], %[[OVER]] : i1
// CHECK: %[[D:.*]] = arith.select %[[BAD]], %c1_i8, %[[Y]]
// CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[D]]
// CHECK: arith.select %[[ZERO]], %c-1_i8, %[[Q]]
func.func @divide(%a: memref<4xi8, "dram">, %b: memref<4xi8, "dram">) {
  "penguin.binary"(%a, %b, %b) {function = "divide"} : (memref<4xi8, "dram">, memref<4xi8, "dram">, memref<4xi8, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @select
// CHECK-SAME: (%[[P:.*]]: memref<i1, "dram">, %[[A:.*]]: memref<4xf32, "dram">, %[[B:.*]]: memref<4xf32, "dram">)
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:   %[[C:.*]] = affine.load %[[P]][] : memref<i1, "dram">
// CHECK-NEXT:   %[[X:.*]] = affine.load %[[A]][%[[I]]]
// CHECK-NEXT:   %[[Y:.*]] = affine.load %[[B]][%[[I]]]
// CHECK-NEXT:   arith.select %[[C]], %[[X]], %[[Y]] : f32
func.func @select(%p: memref<i1, "dram">, %a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  "penguin.select"(%p, %a, %b, %b) : (memref<i1, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @clamp
// CHECK: %[[LOW:.*]] = affine.load %arg0[]
// CHECK: %[[X:.*]] = affine.load %arg1[%{{.*}}]
// CHECK: %[[HIGH:.*]] = affine.load %arg2[]
// CHECK: %[[M:.*]] = arith.maxsi %[[X]], %[[LOW]]
// CHECK: arith.minsi %[[M]], %[[HIGH]]
func.func @clamp(%low: memref<i32, "dram">, %x: memref<4xi32, "dram">, %high: memref<i32, "dram">) {
  "penguin.ternary"(%low, %x, %high, %x) {function = "clamp"} : (memref<i32, "dram">, memref<4xi32, "dram">, memref<i32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// -----

// One accumulator through both reduced dimensions, outer one first whatever the order of axes; in
// f32, from the initial value.
// CHECK-LABEL: func.func @reduce
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT:   %[[INIT:.*]] = affine.load %arg1[] : memref<bf16, "dram">
// CHECK-NEXT:   %[[WIDE:.*]] = arith.extf %[[INIT]] : bf16 to f32
// CHECK-NEXT:   %[[OUTER:.*]] = affine.for %[[I:.*]] = 0 to 8 iter_args(%[[ACC1:.*]] = %[[WIDE]]) -> (f32) {
// CHECK-NEXT:     %[[INNER:.*]] = affine.for %[[K:.*]] = 0 to 5 iter_args(%[[ACC2:.*]] = %[[ACC1]]) -> (f32) {
// CHECK-NEXT:       %[[X:.*]] = affine.load %arg0[%[[I]], %[[J]], %[[K]]]
// CHECK-NEXT:       %[[XW:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT:       %[[SUM:.*]] = arith.addf %[[ACC2]], %[[XW]] : f32
// CHECK-NEXT:       affine.yield %[[SUM]] : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.yield %[[INNER]] : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %[[R:.*]] = arith.truncf %[[OUTER]] : f32 to bf16
// CHECK-NEXT:   affine.store %[[R]], %arg2[%[[J]]]
func.func @reduce(%a: memref<8x6x5xbf16, "dram">, %init: memref<bf16, "dram">, %b: memref<6xbf16, "dram">) {
  "penguin.reduce"(%a, %init, %b) {function = "add", axes = array<i64: 2, 0>} : (memref<8x6x5xbf16, "dram">, memref<bf16, "dram">, memref<6xbf16, "dram">) -> ()
  return
}

// -----

// A maximum stays in its dtype.
// CHECK-LABEL: func.func @maximum
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (bf16)
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : bf16
func.func @maximum(%a: memref<6xbf16, "dram">, %init: memref<bf16, "dram">, %b: memref<bf16, "dram">) {
  "penguin.reduce"(%a, %init, %b) {function = "maximum", axes = array<i64: 0>} : (memref<6xbf16, "dram">, memref<bf16, "dram">, memref<bf16, "dram">) -> ()
  return
}

// -----

// Parallel loops: batch, lhs free, rhs free; then the contraction.
// CHECK-LABEL: func.func @contract
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 2 {
// CHECK-NEXT:   affine.for %[[M:.*]] = 0 to 3 {
// CHECK-NEXT:     affine.for %[[N:.*]] = 0 to 5 {
// CHECK-NEXT:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:       %[[S:.*]] = affine.for %[[K:.*]] = 0 to 4 iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (f32) {
// CHECK-NEXT:         %[[X:.*]] = affine.load %arg0[%[[B]], %[[M]], %[[K]]]
// CHECK-NEXT:         %[[XW:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT:         %[[Y:.*]] = affine.load %arg1[%[[B]], %[[K]], %[[N]]]
// CHECK-NEXT:         %[[YW:.*]] = arith.extf %[[Y]] : bf16 to f32
// CHECK-NEXT:         %[[P:.*]] = arith.mulf %[[XW]], %[[YW]] : f32
// CHECK-NEXT:         %[[A:.*]] = arith.addf %[[ACC]], %[[P]] : f32
// CHECK-NEXT:         affine.yield %[[A]] : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.store %[[S]], %arg2[%[[B]], %[[M]], %[[N]]] : memref<2x3x5xf32, "dram">
func.func @contract(%x: memref<2x3x4xbf16, "dram">, %y: memref<2x4x5xbf16, "dram">, %z: memref<2x3x5xf32, "dram">) {
  "penguin.tensor_contract"(%x, %y, %z) {
    lhs_batch_axes = array<i64: 0>, rhs_batch_axes = array<i64: 0>,
    lhs_contract_axes = array<i64: 2>, rhs_contract_axes = array<i64: 1>,
    lhs_free_axes = array<i64: 1>, rhs_free_axes = array<i64: 2>
  } : (memref<2x3x4xbf16, "dram">, memref<2x4x5xbf16, "dram">, memref<2x3x5xf32, "dram">) -> ()
  return
}

// -----

// Integers accumulate in the destination's dtype.
// CHECK-LABEL: func.func @contract_integers
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (i32)
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
func.func @contract_integers(%x: memref<4xi8, "dram">, %y: memref<4xi8, "dram">, %z: memref<i32, "dram">) {
  "penguin.tensor_contract"(%x, %y, %z) {
    lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>,
    lhs_contract_axes = array<i64: 0>, rhs_contract_axes = array<i64: 0>,
    lhs_free_axes = array<i64>, rhs_free_axes = array<i64>
  } : (memref<4xi8, "dram">, memref<4xi8, "dram">, memref<i32, "dram">) -> ()
  return
}

// -----

// Element i lands at 3 * i - 2: of five, those with i = 1, 2 are inside a destination of 6.
// CHECK-LABEL: func.func @pad
// CHECK-NEXT: affine.for %[[D:.*]] = 0 to 6 {
// CHECK-NEXT:   %[[V:.*]] = affine.load %arg1[]
// CHECK-NEXT:   affine.store %[[V]], %arg2[%[[D]]]
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %[[S:.*]] = 0 to 2 {
// CHECK-NEXT:   %[[X:.*]] = affine.load %arg0[%[[S]] + 1]
// CHECK-NEXT:   affine.store %[[X]], %arg2[%[[S]] * 3 + 1]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @pad(%a: memref<5xf32, "dram">, %v: memref<f32, "dram">, %b: memref<6xf32, "dram">) {
  "penguin.pad"(%a, %v, %b) {low = array<i64: -2>, high = array<i64: -5>, interior = array<i64: 2>} : (memref<5xf32, "dram">, memref<f32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

// Only cutting leaves nothing to fill.
// CHECK-LABEL: func.func @cut
// CHECK-NEXT: affine.for %[[S:.*]] = 0 to 2 {
// CHECK-NEXT:   affine.load %arg0[%[[S]] + 1]
// CHECK-NOT: affine.for
func.func @cut(%a: memref<5xf32, "dram">, %v: memref<f32, "dram">, %b: memref<2xf32, "dram">) {
  "penguin.pad"(%a, %v, %b) {low = array<i64: -1>, high = array<i64: -2>, interior = array<i64: 0>} : (memref<5xf32, "dram">, memref<f32, "dram">, memref<2xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @iota
// CHECK: affine.for %{{.*}} = 0 to 4
// CHECK: affine.for %[[J:.*]] = 0 to 3
// CHECK: %[[N:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK: arith.sitofp %[[N]] : i32 to f32
// CHECK: arith.index_cast %{{.*}} : index to i8
// CHECK-NEXT: builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
func.func @iota(%a: memref<4x3xf32, "dram">, %b: memref<4xui8, "dram">) {
  "penguin.iota"(%a) {axis = 1 : i64} : (memref<4x3xf32, "dram">) -> ()
  "penguin.iota"(%b) {axis = 0 : i64} : (memref<4xui8, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @reverse
// CHECK: affine.load %arg0[%[[I:.*]], -%[[J:.*]] + 2]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @reverse(%a: memref<4x3xf32, "dram">, %b: memref<4x3xf32, "dram">) {
  "penguin.reverse"(%a, %b) {axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  return
}

// -----

// Rows of a table: the start is clamped, the other index is the loop's.
// CHECK-LABEL: func.func @gather_rows
// CHECK: affine.for %[[I:.*]] = 0 to 7
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 6
// CHECK-NEXT: %[[S:.*]] = affine.load %arg1[%[[I]], 0] : memref<7x1xi32, "dram">
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[LOW:.*]] = arith.maxsi %[[S]], %[[ZERO]] : i32
// CHECK-NEXT: %[[LAST:.*]] = arith.constant 39 : i32
// CHECK-NEXT: %[[IN:.*]] = arith.minsi %[[LOW]], %[[LAST]] : i32
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[IN]] : i32 to index
// CHECK-NEXT: %[[X:.*]] = memref.load %arg0[%[[ROW]], %[[J]]] : memref<40x6xbf16, "dram">
// CHECK-NEXT: affine.store %[[X]], %arg2[%[[I]], %[[J]]]
func.func @gather_rows(%a: memref<40x6xbf16, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xbf16, "dram">) {
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xbf16, "dram">, memref<7x1xi32, "dram">, memref<7x6xbf16, "dram">) -> ()
  return
}

// -----

// A batching dimension, a window that slides, a narrow unsigned start.
// CHECK-LABEL: func.func @gather_windows
// CHECK: affine.for %[[W:.*]] = 0 to 3
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 2
// CHECK-NEXT: %[[S:.*]] = affine.load %arg1[%[[B]]]
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[S]] : ui8 to i8
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK-NEXT: %[[LAST:.*]] = arith.constant 297 : i32
// CHECK-NEXT: %[[IN:.*]] = arith.minui %[[WIDE]], %[[LAST]] : i32
// CHECK-NEXT: %[[START:.*]] = arith.index_cast %[[IN]]
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[START]], %[[W]] : index
// CHECK-NEXT: memref.load %arg0[%[[B]], %[[AT]]]
func.func @gather_windows(%a: memref<2x300xf32, "dram">, %i: memref<2xui8, "dram">, %d: memref<3x2xf32, "dram">) {
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 0>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 0>, start_index_map = array<i64: 1>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 3>} : (memref<2x300xf32, "dram">, memref<2xui8, "dram">, memref<3x2xf32, "dram">) -> ()
  return
}

// -----

// Slices of everything start at 0: no start is loaded. An index that is constant.
// CHECK-LABEL: func.func @gather_whole
// CHECK: affine.for %{{.*}} = 0 to 7
// CHECK-NEXT: affine.for %{{.*}} = 0 to 4
// CHECK-NEXT: affine.load %arg0[%{{.*}}, 0]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.load %arg3[%{{.*}}, %[[ZERO]]]
func.func @gather_whole(%a: memref<4x1xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x4xf32, "dram">, %b: memref<5x1xf32, "dram">, %e: memref<7xf32, "dram">) {
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 1>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 1>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 4, 1>} : (memref<4x1xf32, "dram">, memref<7x1xi32, "dram">, memref<7x4xf32, "dram">) -> ()
  "penguin.gather"(%b, %i, %e) {offset_dims = array<i64>, collapsed_slice_dims = array<i64: 0, 1>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 1>} : (memref<5x1xf32, "dram">, memref<7x1xi32, "dram">, memref<7xf32, "dram">) -> ()
  return
}

// -----

// Movement is left alone.
// CHECK-LABEL: func.func @offloaded
// CHECK-NEXT: "penguin.memcpy"
// CHECK-NEXT: "penguin.memcast"
// CHECK-NEXT: "penguin.bitcast"
// CHECK-NEXT: "penguin.concat"
// CHECK-NEXT: "penguin.slice"
// CHECK-NEXT: "penguin.transpose"
// CHECK-NEXT: "penguin.broadcast"
// CHECK-NEXT: "penguin.memset"
// CHECK-NEXT: return
func.func @offloaded(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xi32, "dram">, %d: memref<8xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcast"(%a, %c) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  "penguin.bitcast"(%a, %c) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  "penguin.concat"(%a, %b, %d) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%d, %a) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.transpose"(%a, %b) {permutation = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.broadcast"(%a, %b) {dims = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%a) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  return
}
