// RUN: penguin-opt %s --late-lower-tensor-op --split-input-file | filecheck %s

// CHECK-LABEL: func.func @copy
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT:     %[[X:.*]] = affine.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:     affine.store %[[X]], %arg1[%[[I]], %[[J]]]
func.func @copy(%a: memref<8x6xf32, "dram">, %b: memref<8x6xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<8x6xf32, "dram">, memref<8x6xf32, "dram">) -> ()
  return
}

// -----

// Loops of the common refinement: no quotients.
// CHECK-LABEL: func.func @heads
// CHECK-NEXT: affine.for %[[H:.*]] = 0 to 12 {
// CHECK-NEXT:   affine.for %[[D:.*]] = 0 to 64 {
// CHECK-NEXT:     %[[X:.*]] = affine.load %arg0[%[[H]] * 64 + %[[D]]]
// CHECK-NEXT:     affine.store %[[X]], %arg1[%[[H]], 0, %[[D]]]
func.func @heads(%a: memref<768xf32, "dram">, %b: memref<12x1x64xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<768xf32, "dram">, memref<12x1x64xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @refined
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 2 {
// CHECK-NEXT:     affine.for %[[K:.*]] = 0 to 3 {
// CHECK-NEXT:       affine.load %arg0[%[[I]], %[[J]] * 3 + %[[K]]]
// CHECK-NEXT:       affine.store %{{.*}}, %arg1[%[[I]] * 2 + %[[J]], %[[K]]]
func.func @refined(%a: memref<2x6xf32, "dram">, %b: memref<4x3xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<2x6xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  return
}

// -----

// Only the dimensions without a common refinement are flattened.
// CHECK-LABEL: func.func @flat
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 5 {
// CHECK-NEXT:   affine.for %[[F:.*]] = 0 to 6 {
// CHECK-NEXT:     affine.load %arg0[%[[I]], %[[F]] floordiv 3, %[[F]] mod 3]
// CHECK-NEXT:     affine.store %{{.*}}, %arg1[%[[I]], %[[F]] floordiv 2, %[[F]] mod 2]
func.func @flat(%a: memref<5x2x3xf32, "dram">, %b: memref<5x3x2xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<5x2x3xf32, "dram">, memref<5x3x2xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: %[[X:.*]] = affine.load %arg0[]
// CHECK-NEXT: affine.store %[[X]], %arg1[0, 0]
// CHECK-NEXT: return
func.func @scalar(%a: memref<f32, "dram">, %b: memref<1x1xf32, "dram">) {
  "penguin.memcpy"(%a, %b) : (memref<f32, "dram">, memref<1x1xf32, "dram">) -> ()
  return
}

// -----

// NaN becomes 0; what is out of range becomes the nearest; 2^31 - 1 is no f32 and set by hand.
// CHECK-LABEL: func.func @to_integer
// CHECK: %[[X:.*]] = affine.load %arg0
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
// CHECK: %[[N:.*]] = arith.select %[[NAN]], %{{.*}}, %[[X]] : f32
// CHECK: %[[LOW:.*]] = arith.constant -2.14748365E+9 : f32
// CHECK: arith.maximumf %[[N]], %[[LOW]] : f32
// CHECK: arith.constant 2.14748352E+9 : f32
// CHECK: arith.minimumf
// CHECK: %[[R:.*]] = arith.fptosi %{{.*}} : f32 to i32
// CHECK: %[[OVER:.*]] = arith.cmpf ogt, %[[X]]
// CHECK: arith.constant 2147483647 : i32
// CHECK: arith.select %[[OVER]], %{{.*}}, %[[R]] : i32
func.func @to_integer(%a: memref<4xf32, "dram">, %b: memref<4xi32, "dram">) {
  "penguin.memcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @casts
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: arith.truncf %[[W]] : f32 to f16
// CHECK: arith.cmpf une, %{{.*}}, %{{.*}} : f32
// CHECK: arith.uitofp %{{.*}} : i1 to f32
func.func @casts(%a: memref<4xf32, "dram">, %b: memref<4xbf16, "dram">, %c: memref<4xf16, "dram">, %d: memref<4xi1, "dram">) {
  "penguin.memcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  "penguin.memcast"(%b, %c) : (memref<4xbf16, "dram">, memref<4xf16, "dram">) -> ()
  "penguin.memcast"(%a, %d) : (memref<4xf32, "dram">, memref<4xi1, "dram">) -> ()
  "penguin.memcast"(%d, %a) : (memref<4xi1, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @bitcast
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: %[[W:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK-NEXT: %[[P:.*]] = arith.trunci %[[W]] : i32 to i16
// CHECK: affine.store %{{.*}}, %arg2[%{{.*}}, 0]
// CHECK: arith.shrui %{{.*}}, %c16_i32 : i32
// CHECK: affine.store %{{.*}}, %arg2[%{{.*}}, 1]
// CHECK: %[[L:.*]] = arith.extui %{{.*}} : i16 to i32
// CHECK: %[[H:.*]] = arith.extui %{{.*}} : i16 to i32
// CHECK: %[[S:.*]] = arith.shli %[[H]], %c16_i32 : i32
// CHECK: %[[O:.*]] = arith.ori %[[L]], %[[S]] : i32
// CHECK: arith.bitcast %[[O]] : i32 to f32
func.func @bitcast(%a: memref<4xf32, "dram">, %b: memref<4xui32, "dram">, %c: memref<4x2xui16, "dram">) {
  "penguin.bitcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xui32, "dram">) -> ()
  "penguin.bitcast"(%a, %c) : (memref<4xf32, "dram">, memref<4x2xui16, "dram">) -> ()
  "penguin.bitcast"(%c, %a) : (memref<4x2xui16, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// One nest per source.
// CHECK-LABEL: func.func @concat
// CHECK: affine.for %[[I:.*]] = 0 to 2
// CHECK: affine.for %[[J:.*]] = 0 to 3
// CHECK: affine.load %arg0[%[[I]], %[[J]]]
// CHECK: affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
// CHECK: affine.for %[[I:.*]] = 0 to 2
// CHECK: affine.for %[[J:.*]] = 0 to 4
// CHECK: affine.load %arg1[%[[I]], %[[J]]]
// CHECK: affine.store %{{.*}}, %arg2[%[[I]], %[[J]] + 3]
func.func @concat(%a: memref<2x3xf32, "dram">, %b: memref<2x4xf32, "dram">, %c: memref<2x7xf32, "dram">) {
  "penguin.concat"(%a, %b, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32, "dram">, memref<2x4xf32, "dram">, memref<2x7xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @slice
// CHECK: affine.load %arg0[%[[I:.*]] + 1, %[[J:.*]] * 2 + 3]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
// Rows 1 and 2 of the flat source are rows 0 and 1 here.
// CHECK: affine.load %arg0[%[[I:.*]] + 1, %[[J:.*]]]
// CHECK: affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
func.func @slice(%a: memref<4x8xf32, "dram">, %b: memref<2x2xf32, "dram">, %c: memref<2x8xf32, "dram">) {
  "penguin.slice"(%a, %b) {starts = array<i64: 1, 3>, limits = array<i64: 3, 7>, strides = array<i64: 1, 2>, access = "ndim"} : (memref<4x8xf32, "dram">, memref<2x2xf32, "dram">) -> ()
  "penguin.slice"(%a, %c) {starts = array<i64: 8>, limits = array<i64: 24>, strides = array<i64: 1>, access = "flattened"} : (memref<4x8xf32, "dram">, memref<2x8xf32, "dram">) -> ()
  return
}

// -----

// The loops follow the destination: 5, 3, 4.
// CHECK-LABEL: func.func @transpose
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 5
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 3
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 4
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]], %[[K]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[K]], %[[I]], %[[J]]]
func.func @transpose(%a: memref<3x4x5xf32, "dram">, %b: memref<5x3x4xf32, "dram">) {
  "penguin.transpose"(%a, %b) {permutation = array<i64: 2, 0, 1>} : (memref<3x4x5xf32, "dram">, memref<5x3x4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 3
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 4
// CHECK-NEXT: affine.load %arg0[0, %[[I]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @broadcast(%a: memref<1x3xf32, "dram">, %b: memref<3x4xf32, "dram">) {
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1, 0>} : (memref<1x3xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @memset
// CHECK: %[[V:.*]] = arith.constant -56 : i8
// CHECK: %[[U:.*]] = builtin.unrealized_conversion_cast %[[V]] : i8 to ui8
// CHECK: affine.store %[[U]], %arg0
func.func @memset(%a: memref<4xui8, "dram">) {
  "penguin.memset"(%a) {value = 200 : ui8} : (memref<4xui8, "dram">) -> ()
  return
}

// -----

// Compute is left alone.
// CHECK-LABEL: func.func @compute
// CHECK-NEXT: "penguin.unary"
// CHECK-NEXT: return
func.func @compute(%a: memref<4xf32, "dram">) {
  "penguin.unary"(%a, %a) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// An access through a view is one of the base; the quotients go where the loops allow it.
// CHECK-LABEL: func.func @views
// CHECK-NOT: memref.reinterpret_cast
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 12 {
// CHECK-NEXT:   %[[X:.*]] = affine.load %arg0[%[[I]] * 2 + %[[J]] floordiv 6, %[[J]] mod 6] : memref<8x6xf32, "dram">
// CHECK-NEXT:   affine.store %[[X]], %arg1[%[[I]] * 12 + %[[J]]] : memref<48xf32, "dram">
// CHECK: affine.for %[[K:.*]] = 0 to 48 step 6 {
// CHECK-NEXT: affine.load %arg0[%[[K]] floordiv 6, 0] : memref<8x6xf32, "dram">
func.func @views(%a: memref<8x6xf32, "dram">, %b: memref<48xf32, "dram">) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 12], strides: [12, 1] : memref<8x6xf32, "dram"> to memref<4x12xf32, "dram">
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [4, 12], strides: [12, 1] : memref<48xf32, "dram"> to memref<4x12xf32, "dram">
  "penguin.memcpy"(%v, %w) : (memref<4x12xf32, "dram">, memref<4x12xf32, "dram">) -> ()
  %u = memref.reinterpret_cast %v to offset: [0], sizes: [48], strides: [1] : memref<4x12xf32, "dram"> to memref<48xf32, "dram">
  affine.for %k = 0 to 48 step 6 {
    %x = affine.load %u[%k] : memref<48xf32, "dram">
    affine.store %x, %b[%k] : memref<48xf32, "dram">
  }
  return
}

// -----

// Computed indices are computed with; dimensions that both shapes have stay.
// CHECK-LABEL: func.func @computed
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[HIGH:.*]] = arith.muli %arg2, %[[TWO]] : index
// CHECK: %[[ROW:.*]] = arith.addi %[[HIGH]], %arg3 : index
// CHECK: memref.load %arg0[%[[ROW]], %arg4] : memref<8x6xf32, "dram">
func.func @computed(%a: memref<8x6xf32, "dram">, %b: memref<1xf32, "dram">, %i: index, %j: index, %k: index) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 2, 6], strides: [12, 6, 1] : memref<8x6xf32, "dram"> to memref<4x2x6xf32, "dram">
  %x = memref.load %v[%i, %j, %k] : memref<4x2x6xf32, "dram">
  affine.store %x, %b[0] : memref<1xf32, "dram">
  return
}

// -----

// A view that a compute op uses stays until that is lowered.
// CHECK-LABEL: func.func @used_by_a_compute_op
// CHECK: %[[V:.*]] = memref.reinterpret_cast %arg0
// CHECK-NEXT: "penguin.unary"(%[[V]], %arg1)
func.func @used_by_a_compute_op(%a: memref<8x6xf32, "dram">, %b: memref<48xf32, "dram">) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [48], strides: [1] : memref<8x6xf32, "dram"> to memref<48xf32, "dram">
  "penguin.unary"(%v, %b) {function = "tanh"} : (memref<48xf32, "dram">, memref<48xf32, "dram">) -> ()
  return
}

// -----

// Between two reshapes: loops over the pieces of 6x2x4 that both shapes know.
// CHECK-LABEL: func.func @between_reshapes
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 4 {
// CHECK-NEXT:     affine.for %[[K:.*]] = 0 to 6 {
// CHECK-NEXT:       affine.load %arg0[%[[K]], %[[I]] * 4 + %[[J]]]
// CHECK-NEXT:       affine.store %{{.*}}, %arg1[%[[I]], %[[J]] * 6 + %[[K]]]
func.func @between_reshapes(%a: memref<6x8xf32, "dram">, %b: memref<2x24xf32, "dram">) {
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 2, 0>, src_shape = array<i64: 6, 2, 4>} : (memref<6x8xf32, "dram">, memref<2x24xf32, "dram">) -> ()
  return
}

// -----

// A boundary of the source within a dimension of src_shape cuts the loop of that dimension.
// CHECK-LABEL: func.func @pieces
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT:     affine.for %[[K:.*]] = 0 to 2 {
// CHECK-NEXT:       affine.load %arg0[%[[J]], %[[I]] + %[[K]] * 4]
// CHECK-NEXT:       affine.store %{{.*}}, %arg1[%[[I]] * 12 + %[[J]] * 2 + %[[K]]]
func.func @pieces(%a: memref<6x8xf32, "dram">, %b: memref<48xf32, "dram">) {
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: 12, 4>} : (memref<6x8xf32, "dram">, memref<48xf32, "dram">) -> ()
  return
}

// -----

// A buffer of the interface may be transposed in place: by way of a copy. The same holds for an
// output that has the buffer of an input.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: %[[T:.*]] = memref.alloc() : memref<6x6xf32, "dram">
// CHECK: affine.load %arg0[%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]]]
// CHECK-NEXT: affine.store %{{.*}}, %[[T]][%[[I]], %[[J]]]
// CHECK: affine.load %[[T]][%[[K:[a-z0-9]+]], %[[L:[a-z0-9]+]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg0[%[[L]], %[[K]]]
// CHECK: %[[U:.*]] = memref.alloc() : memref<4x9xf32, "dram">
// CHECK: affine.load %arg1
// CHECK: affine.store %{{.*}}, %[[U]]
// CHECK: affine.load %[[U]]
// CHECK: affine.store %{{.*}}, %arg2
func.func @in_place(%a: memref<6x6xf32, "dram"> {penguin.io = "output"}, %b: memref<4x9xf32, "dram"> {penguin.io = "input"}, %c: memref<9x4xf32, "dram"> {penguin.io = "output", penguin.alias = 1 : i64}) attributes {penguin.kernel} {
  "penguin.transpose"(%a, %a) {permutation = array<i64: 1, 0>} : (memref<6x6xf32, "dram">, memref<6x6xf32, "dram">) -> ()
  "penguin.transpose"(%b, %c) {permutation = array<i64: 1, 0>} : (memref<4x9xf32, "dram">, memref<9x4xf32, "dram">) -> ()
  return
}
