// RUN: penguin-opt --dot-softmax-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --dot-softmax-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --dot-softmax-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --dot-softmax-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice
// RUN: penguin-opt --dot-softmax-fusion --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: (S) 4 fused - Number of DotSoftmax fusions

// Nothing between the parts. The init values are constants of others, too, and stay outside.

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    %[[I:.*]] = stablehlo.constant dense<0xFF800000>
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %[[Z]], %[[I]], %arg0, %arg1 {CompositeKind = "DotSoftmax", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    return %[[R]]

// MHLO-LABEL: func.func @plain(
// MHLO-NEXT:    %[[I:.*]] = mhlo.constant dense<0xFF800000>
// MHLO-NEXT:    %[[Z:.*]] = mhlo.constant dense<0.0
// MHLO-NEXT:    %[[R:.*]] = "mhlo.fusion"(%[[Z]], %[[I]], %arg0, %arg1) ({
// MHLO-NEXT:    ^bb0(%[[Y:.*]]: tensor<f32>, %[[J:.*]]: tensor<f32>, %[[A:.*]]: tensor<4x6xf32>, %[[B:.*]]: tensor<6x8xf32>):
// MHLO-NEXT:      %[[D:.*]] = "mhlo.dot"(%[[A]], %[[B]])
// MHLO-NEXT:      %[[M:.*]] = mhlo.reduce(%[[D]] init: %[[J]]) applies mhlo.maximum across dimensions = [1]
// MHLO-NEXT:      %[[N:.*]] = "mhlo.broadcast_in_dim"(%[[M]])
// MHLO-NEXT:      %[[X:.*]] = mhlo.subtract %[[D]], %[[N]]
// MHLO-NEXT:      %[[E:.*]] = mhlo.exponential %[[X]]
// MHLO-NEXT:      %[[S:.*]] = mhlo.reduce(%[[E]] init: %[[Y]]) applies mhlo.add across dimensions = [1]
// MHLO-NEXT:      %[[T:.*]] = "mhlo.broadcast_in_dim"(%[[S]])
// MHLO-NEXT:      %[[Q:.*]] = mhlo.divide %[[E]], %[[T]]
// MHLO-NEXT:      mhlo.return %[[Q]]
// MHLO-NEXT:    }) {FusionKind = "DotSoftmax"}
// MHLO-NEXT:    return %[[R]]
func.func @plain(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// As JAX writes attention in bf16: converts, a scale, a mask, the guarded maximum, broadcasts by way
// of an axis of extent 1. The last convert comes after the quotient and stays outside.

// CHECK-LABEL: func.func @attention(
// CHECK-NOT:     stablehlo.{{exponential|divide|maximum|select}}
// CHECK:         %[[R:.*]] = stablehlo.composite {{.*}} decomposition = @hilo.genComposite1} : {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.convert %[[R]]
// CHECK-NEXT:    return %[[B]]
// MHLO-LABEL: func.func @attention(
// MHLO:         "mhlo.fusion"(
// MHLO:           "mhlo.dot_general"
// MHLO-NEXT:      mhlo.convert
// MHLO-NEXT:      mhlo.multiply
// MHLO-NEXT:      mhlo.select
// MHLO-NEXT:      mhlo.reduce
// MHLO-NEXT:      mhlo.maximum
// MHLO-NEXT:      mhlo.reshape
// MHLO-NEXT:      "mhlo.broadcast_in_dim"
// MHLO-NEXT:      mhlo.subtract
// MHLO-NEXT:      mhlo.exponential
// MHLO-NEXT:      mhlo.reduce
// MHLO-NEXT:      "mhlo.broadcast_in_dim"
// MHLO-NEXT:      "mhlo.broadcast_in_dim"
// MHLO-NEXT:      mhlo.divide
// MHLO-NEXT:      mhlo.return
// MHLO-NEXT:    }) {FusionKind = "DotSoftmax"}
func.func @attention(%q: tensor<4x6xbf16>, %k: tensor<6x8xbf16>, %mask: tensor<4x8xi1>) -> tensor<4x8xbf16> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %rows = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<0.125> : tensor<4x8xf32>
  %far = stablehlo.constant dense<-2.38197633E+38> : tensor<4x8xf32>
  %d = "stablehlo.dot_general"(%q, %k) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<4x6xbf16>, tensor<6x8xbf16>) -> tensor<4x8xbf16>
  %c = stablehlo.convert %d : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %v = stablehlo.multiply %c, %scale : tensor<4x8xf32>
  %l = stablehlo.select %mask, %v, %far : tensor<4x8xi1>, tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %g = stablehlo.maximum %rows, %m : tensor<4xf32>
  %h = stablehlo.reshape %g : (tensor<4xf32>) -> tensor<4x1xf32>
  %n = "stablehlo.broadcast_in_dim"(%h) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %l, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %p = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %t = "stablehlo.broadcast_in_dim"(%p) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  %b = stablehlo.convert %r : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %b : tensor<4x8xbf16>
}

// The softmax in f32 of logits in bf16: maximum and difference are taken in different precisions, the
// exponential is converted before the sum and before the quotient. A transpose and a reshape are on
// the way from the dot, which is the second operand of the add.

// CHECK-LABEL: func.func @converted(
// CHECK:         %[[B:.*]] = stablehlo.add %arg2, %arg2
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite {{.*}} decomposition = @hilo.genComposite2} : {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @converted(
// MHLO:         mhlo.add %arg2, %arg2
// MHLO:         "mhlo.fusion"(
// MHLO:           "mhlo.dot"
// MHLO-NEXT:      "mhlo.transpose"
// MHLO-NEXT:      mhlo.reshape
// MHLO-NEXT:      mhlo.add
// MHLO-NEXT:      mhlo.reduce
// MHLO:           mhlo.divide
// MHLO-NEXT:      mhlo.return
func.func @converted(%x: tensor<6x4xbf16>, %w: tensor<8x6xbf16>, %bias: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%w, %x) : (tensor<8x6xbf16>, tensor<6x4xbf16>) -> tensor<8x4xbf16>
  %b = stablehlo.add %bias, %bias : tensor<4x8xbf16>
  %f = "stablehlo.transpose"(%d) {permutation = array<i64: 1, 0>} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  %h = stablehlo.reshape %f : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %l = stablehlo.add %b, %h : tensor<4x8xbf16>
  %m = stablehlo.reduce(%l init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %o = stablehlo.convert %m : (tensor<4xbf16>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%o) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %g = stablehlo.convert %l : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %g, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %a = stablehlo.convert %e : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %c = stablehlo.convert %a : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %s = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %c, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// What partitioners leave behind: an axis of extent 1 comes and goes.

// CHECK-LABEL: func.func @extent_one(
// CHECK:         stablehlo.composite {{.*}} decomposition = @hilo.genComposite3}
// CHECK-NEXT:    return
// MHLO-LABEL: func.func @extent_one(
// MHLO:         }) {FusionKind = "DotSoftmax"}
// MHLO-NEXT:    return
func.func @extent_one(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %g = stablehlo.reshape %m : (tensor<4xf32>) -> tensor<4x1xf32>
  %h = stablehlo.reshape %g : (tensor<4x1xf32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%h) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// No candidate: the quotient of an exponential by something else.

// CHECK-LABEL: func.func @quotient(
// CHECK-NEXT:    stablehlo.dot
// CHECK-NEXT:    stablehlo.exponential
// CHECK-NEXT:    stablehlo.divide
// MHLO-LABEL: func.func @quotient(
// MHLO-NEXT:    "mhlo.dot"
// MHLO-NEXT:    mhlo.exponential
// MHLO-NEXT:    mhlo.divide
func.func @quotient(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %e = stablehlo.exponential %d : tensor<4x8xf32>
  %r = stablehlo.divide %e, %d : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The body of the first composite.

// CHECK-LABEL: func.func private @hilo.genComposite0(
// CHECK-SAME:    %[[Y:.*]]: tensor<f32>, %[[J:.*]]: tensor<f32>, %[[A:.*]]: tensor<4x6xf32>, %[[B:.*]]: tensor<6x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[D:.*]] = stablehlo.dot %[[A]], %[[B]]
// CHECK-NEXT:    %[[M:.*]] = stablehlo.reduce(%[[D]] init: %[[J]]) applies stablehlo.maximum across dimensions = [1]
// CHECK-NEXT:    %[[N:.*]] = stablehlo.broadcast_in_dim %[[M]], dims = [0]
// CHECK-NEXT:    %[[X:.*]] = stablehlo.subtract %[[D]], %[[N]]
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %[[X]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reduce(%[[E]] init: %[[Y]]) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT:    %[[T:.*]] = stablehlo.broadcast_in_dim %[[S]], dims = [0]
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.divide %[[E]], %[[T]]
// CHECK-NEXT:    return %[[Q]]
