// RUN: penguin-opt --hlo-to-penguin --split-input-file %s | filecheck %s
// RUN: penguin-opt --hlo-to-penguin --mlir-pass-statistics --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT
// RUN: penguin-opt --simplify-hlo --hlo-to-penguin --split-input-file %s | filecheck %s

// The kind decides, not the name: each composite has the name of another one's kind.
// CHECK-LABEL: func.func @kinds(
// CHECK-SAME: %[[A:[a-z0-9]+]]: {{[^,]*}}, "dram"> {penguin.io = "input"
// CHECK-NEXT: %[[T0:.*]] = memref.alloc() {penguin.name = "t0"}
// CHECK-NEXT: "penguin.unary"(%[[A]], %[[T0]]) {function = "tanh"}
// CHECK-NEXT: %[[T1:.*]] = memref.alloc() {penguin.name = "t1"}
// CHECK-NEXT: "penguin.fusion"(%[[T0]], %[[T1]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "MulRedSqrt", kind = "ElementWiseFusionOp", label = "MulRedSqrt", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: %[[T2:.*]] = memref.alloc() {penguin.name = "t2"}
// CHECK-NEXT: "penguin.fusion"(%[[T1]], %[[T2]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "DotLogistic", kind = "ElementWiseFusionOp", label = "DotFusion", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: %[[T3:.*]] = memref.alloc() {penguin.name = "t3"}
// CHECK-NEXT: "penguin.fusion"(%[[T2]], %[[T3]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "Elementwise", kind = "ElementWiseFusionOp", label = "Elementwise", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: %[[T4:.*]] = memref.alloc() {penguin.name = "t4"}
// CHECK-NEXT: "penguin.fusion"(%[[T3]], %[[T4]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "Expm1", kind = "ElementWiseFusionOp", label = "Elementwise", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: %[[T5:.*]] = memref.alloc() {penguin.name = "t5"}
// CHECK-NEXT: "penguin.fusion"(%[[T4]], %[[T5]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "Log1p", kind = "ElementWiseFusionOp", label = "Elementwise", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: %[[T6:.*]] = memref.alloc() {penguin.name = "t6"}
// CHECK-NEXT: "penguin.fusion"(%[[T5]], %[[T6]]) ({
// CHECK-NEXT: ^bb0(%[[S:.*]]: memref<4xf32, "dram">, %[[D:.*]]: memref<4xf32, "dram">):
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[D]]) {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "DotSoftmax", kind = "ElementWiseFusionOp", label = "DotSoftmax", operandSegmentSizes = array<i32: 1, 0, {{[0, ]*}}, 1, 0, {{[0, ]*}}>} :
// CHECK-NEXT: "penguin.memcpy"(%[[T6]]
// CHECK-NEXT: return
// CHECK-NOT: func.func
// STAT: (S) 7 converted - Number of operations converted
// STAT: (S) 6 fused - Number of composites converted to fusion ops
// STAT: (S) 0 inlined
func.func @kinds(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.MulRedSqrt" %a {CompositeKind = "ScheduleFusion", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "composite.DotLogistic" %0 {CompositeKind = "MulRedSqrt", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.composite "composite.Elementwise" %1 {CompositeKind = "DotLogistic", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.composite "composite.Expm1" %2 {CompositeKind = "Elementwise", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.composite "composite.Log1p" %3 {CompositeKind = "Expm1", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.composite "composite.DotSoftmax" %4 {CompositeKind = "Log1p", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.composite "composite.ScheduleFusion" %5 {CompositeKind = "DotSoftmax", composite_attributes = {}, decomposition = @hilo.genComposite0, version = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}
func.func private @hilo.genComposite0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What the composite is made of decides the kind of op: a reduction here, whose dimensions a
// MulRedSqrt has. Several results: one computed, one computed and read inside (a dst cannot be
// read, so it is a copy), an argument, and a constant; an operand that nothing reads.
// CHECK: memref.global "private" constant @cst_0 : memref<2xf32, "dram"> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"},
// CHECK-SAME: %[[B:[a-z0-9]+]]: memref<8xf32, "dram"> {penguin.io = "input", penguin.name = "arg1"},
// CHECK-NEXT: %[[T0:.*]] = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
// CHECK-NEXT: %[[T1:.*]] = memref.alloc() {penguin.name = "t1"} : memref<4xf32, "dram">
// CHECK-NEXT: %[[T2:.*]] = memref.alloc() {penguin.name = "t2"} : memref<4x8xf32, "dram">
// CHECK-NEXT: %[[T3:.*]] = memref.alloc() {penguin.name = "t3"} : memref<2xf32, "dram">
// CHECK-NEXT: "penguin.fusion"(%[[A]], %[[B]], %[[T0]], %[[T1]], %[[T2]], %[[T3]]) ({
// CHECK-NEXT: ^bb0(%[[SA:[a-z0-9]+]]: memref<4x8xf32, "dram">, %{{.*}}: memref<8xf32, "dram">, %[[D0:[a-z0-9]+]]: memref<4xf32, "dram">, %[[D1:[a-z0-9]+]]: memref<4xf32, "dram">, %[[D2:[a-z0-9]+]]: memref<4x8xf32, "dram">, %[[D3:[a-z0-9]+]]: memref<2xf32, "dram">):
// CHECK-NEXT:   %[[Q:.*]] = memref.alloc() {penguin.name = "t4"}
// CHECK-NEXT:   "penguin.binary"(%[[SA]], %[[SA]], %[[Q]]) {function = "multiply"}
// CHECK-NEXT:   %[[Z:.*]] = memref.alloc() {penguin.name = "t5"}
// CHECK-NEXT:   "penguin.memset"(%[[Z]])
// CHECK-NEXT:   %[[R:.*]] = memref.alloc() {penguin.name = "t6"}
// CHECK-NEXT:   "penguin.reduce"(%[[Q]], %[[Z]], %[[R]]) {axes = array<i64: 1>, function = "add"}
// CHECK-NEXT:   "penguin.unary"(%[[R]], %[[D0]]) {function = "sqrt"}
// CHECK-NEXT:   %[[C:.*]] = memref.get_global @cst_0
// CHECK-NEXT:   "penguin.memcpy"(%[[R]], %[[D1]])
// CHECK-NEXT:   "penguin.memcpy"(%[[SA]], %[[D2]])
// CHECK-NEXT:   "penguin.memcpy"(%[[C]], %[[D3]])
// CHECK-NEXT: }) {hilo_fusion_op = "MulRedSqrt", kind = "ReduceFusionOp", label = "MulRedSqrt", {{.*}}, reduce_dims = array<i64: 1>}
// CHECK-NEXT: "penguin.memcpy"(%[[T3]]
// CHECK-NEXT: "penguin.memcpy"(%[[T2]]
// CHECK-NEXT: "penguin.memcpy"(%[[T1]]
// CHECK-NEXT: "penguin.memcpy"(%[[T0]]
// CHECK-NEXT: return
func.func @results(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<2xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = stablehlo.composite "composite.Fused" %a, %b {CompositeKind = "MulRedSqrt", decomposition = @hilo.genComposite0} : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<2xf32>)
  return %0#3, %0#2, %0#1, %0#0 : tensor<2xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @hilo.genComposite0(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<2xf32>) attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.multiply %a, %a : tensor<4x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s = stablehlo.sqrt %r : tensor<4xf32>
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %s, %r, %a, %c : tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<2xf32>
}

// -----

// A contraction among other ops; a value that is returned twice is computed once.
// CHECK-LABEL: func.func @contraction(
// CHECK: "penguin.fusion"(
// CHECK-NEXT: ^bb0(%[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}, %[[D0:[a-z0-9]+]]: memref<3x5xf32, "dram">, %[[D1:[a-z0-9]+]]: memref<3x5xf32, "dram">):
// CHECK-NEXT: %[[P:.*]] = memref.alloc()
// CHECK-NEXT: "penguin.tensor_contract"(%[[X]], %[[Y]], %[[P]])
// CHECK-NEXT: %[[L:.*]] = memref.alloc()
// CHECK-NEXT: "penguin.unary"(%[[P]], %[[L]]) {function = "logistic"}
// CHECK-NEXT: "penguin.memcpy"(%[[L]], %[[D0]])
// CHECK-NEXT: "penguin.memcpy"(%[[L]], %[[D1]])
// CHECK-NEXT: }) {hilo_fusion_op = "DotLogistic", kind = "TensorContractFusionOp", label = "DotFusion"
func.func @contraction(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %0:2 = stablehlo.composite "composite.Fused" %x, %y {CompositeKind = "DotLogistic", decomposition = @gate} : (tensor<3x4xf32>, tensor<4x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
  return %0#0, %0#1 : tensor<3x5xf32>, tensor<3x5xf32>
}
func.func private @gate(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.logistic %0 : tensor<3x5xf32>
  return %1, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// Composites in composites: one of any kind inside a fusion is part of it; a ScheduleFusion has
// fusions in it; an ordinary one is in place everywhere. A decomposition serves all that name it.
// CHECK-LABEL: func.func @nested(
// CHECK:      "penguin.fusion"(%{{.*}}, %[[T0:.*]]) ({
// CHECK-NEXT: ^bb0(%[[S:[a-z0-9]+]]: {{.*}}, %[[D:[a-z0-9]+]]: memref<4xf32, "dram">):
// CHECK-NEXT:   %[[L0:.*]] = memref.alloc()
// CHECK-NEXT:   "penguin.unary"(%[[S]], %[[L0]]) {function = "tanh"}
// CHECK-NEXT:   %[[L1:.*]] = memref.alloc()
// CHECK-NEXT:   "penguin.unary"(%[[L0]], %[[L1]]) {function = "tanh"}
// CHECK-NEXT:   "penguin.unary"(%[[L1]], %[[D]]) {function = "negate"}
// CHECK-NEXT: }) {hilo_fusion_op = "Elementwise"
// CHECK-NEXT: %[[T1:.*]] = memref.alloc()
// CHECK-NEXT: "penguin.fusion"(%[[T0]], %[[T1]]) ({
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   "penguin.unary"{{.*}} {function = "tanh"}
// CHECK-NEXT: }) {hilo_fusion_op = "Log1p"
// CHECK-NEXT: %[[T2:.*]] = memref.alloc()
// CHECK-NEXT: "penguin.unary"(%[[T1]], %[[T2]]) {function = "tanh"}
// CHECK-NEXT: "penguin.memcpy"(%[[T2]]
// CHECK-NOT: func.func
func.func @nested(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @outer} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "ScheduleFusion", decomposition = @schedule} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Expm1", decomposition = @leaf} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.leaf" %0 {decomposition = @leaf} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @schedule(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Log1p", decomposition = @leaf} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.leaf" %0 {decomposition = @leaf} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @leaf(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Only private functions are taken for decompositions: a public one is a kernel as well. An unused
// decomposition goes away.
// CHECK-LABEL: func.func @public(
// CHECK: "penguin.fusion"
// CHECK: func.func @both(
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: "penguin.unary"
// CHECK-NOT: func.func
func.func @public(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @both} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @both(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true} {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  return %a : tensor<4xf32>
}

// -----

// An op takes 16 runs of operands of one type. If the types change more often, those of a type are
// put together, here the ten of each (memref<1xf32>, then memref<2xf32>).
// CHECK-LABEL: func.func @alternating(
// CHECK-SAME: %arg0: {{.*}}, %arg1: {{.*}}, %arg2: {{.*}}, %arg3: {{.*}},
// CHECK: "penguin.fusion"(%arg0, %arg2, %arg4, %arg6, %arg8, %arg10, %arg12, %arg14, %arg16, %arg18, %arg1, %arg3, {{.*}}, %arg19, %alloc) ({
// CHECK-NEXT: ^bb0({{(%[a-z0-9]+: memref<1xf32, "dram">, )+}}%[[A:[a-z0-9]+]]: memref<2xf32, "dram">, %[[B:[a-z0-9]+]]: memref<2xf32, "dram">
// CHECK-NEXT: "penguin.binary"(%[[A]], %[[B]], %
// CHECK-NEXT: }) {hilo_fusion_op = "Elementwise", {{.*}} operandSegmentSizes = array<i32: 10, 10, 0
func.func @alternating(%a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<1xf32>, %a3: tensor<2xf32>, %a4: tensor<1xf32>, %a5: tensor<2xf32>, %a6: tensor<1xf32>, %a7: tensor<2xf32>, %a8: tensor<1xf32>, %a9: tensor<2xf32>, %a10: tensor<1xf32>, %a11: tensor<2xf32>, %a12: tensor<1xf32>, %a13: tensor<2xf32>, %a14: tensor<1xf32>, %a15: tensor<2xf32>, %a16: tensor<1xf32>, %a17: tensor<2xf32>, %a18: tensor<1xf32>, %a19: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "composite.Fused" %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19 {CompositeKind = "Elementwise", decomposition = @body} : (tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @body(%a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<1xf32>, %a3: tensor<2xf32>, %a4: tensor<1xf32>, %a5: tensor<2xf32>, %a6: tensor<1xf32>, %a7: tensor<2xf32>, %a8: tensor<1xf32>, %a9: tensor<2xf32>, %a10: tensor<1xf32>, %a11: tensor<2xf32>, %a12: tensor<1xf32>, %a13: tensor<2xf32>, %a14: tensor<1xf32>, %a15: tensor<2xf32>, %a16: tensor<1xf32>, %a17: tensor<2xf32>, %a18: tensor<1xf32>, %a19: tensor<2xf32>) -> tensor<2xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.subtract %a1, %a3 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// More types than that: in place.
// CHECK-LABEL: func.func @seventeen_types(
// CHECK-NOT: penguin.fusion
// CHECK: "penguin.binary"(%arg1, %arg1
func.func @seventeen_types(%a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<5xf32>, %a5: tensor<6xf32>, %a6: tensor<7xf32>, %a7: tensor<8xf32>, %a8: tensor<9xf32>, %a9: tensor<10xf32>, %a10: tensor<11xf32>, %a11: tensor<12xf32>, %a12: tensor<13xf32>, %a13: tensor<14xf32>, %a14: tensor<15xf32>, %a15: tensor<16xf32>, %a16: tensor<17xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "composite.Fused" %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16 {CompositeKind = "Elementwise", decomposition = @body} : (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>, tensor<7xf32>, tensor<8xf32>, tensor<9xf32>, tensor<10xf32>, tensor<11xf32>, tensor<12xf32>, tensor<13xf32>, tensor<14xf32>, tensor<15xf32>, tensor<16xf32>, tensor<17xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @body(%a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<5xf32>, %a5: tensor<6xf32>, %a6: tensor<7xf32>, %a7: tensor<8xf32>, %a8: tensor<9xf32>, %a9: tensor<10xf32>, %a10: tensor<11xf32>, %a11: tensor<12xf32>, %a12: tensor<13xf32>, %a13: tensor<14xf32>, %a14: tensor<15xf32>, %a15: tensor<16xf32>, %a16: tensor<17xf32>) -> tensor<2xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.subtract %a1, %a1 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
