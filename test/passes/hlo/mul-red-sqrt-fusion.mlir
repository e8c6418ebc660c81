// RUN: penguin-opt --mul-red-sqrt-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --mul-red-sqrt-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --mul-red-sqrt-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --mul-red-sqrt-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice
// RUN: penguin-opt --mul-red-sqrt-fusion --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: (S) 3 fused - Number of MulRedSqrt fusions

// The denominator of a norm: x squared, summed, its root. What comes after stays outside.

// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK:         %[[Z:.*]] = stablehlo.constant
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %[[Z]], %[[X]] {CompositeKind = "MulRedSqrt", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[R]]
// CHECK-NEXT:    return %[[N]]

// MHLO-LABEL: func.func @norm(
// MHLO-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// MHLO:         %[[Z:.*]] = mhlo.constant
// MHLO-NEXT:    %[[R:.*]] = "mhlo.fusion"(%[[Z]], %[[X]]) ({
// MHLO-NEXT:    ^bb0(%[[I:.*]]: tensor<f32>, %[[A:.*]]: tensor<4x8xf32>):
// MHLO-NEXT:      %[[M:.*]] = mhlo.multiply %[[A]], %[[A]]
// MHLO-NEXT:      %[[S:.*]] = mhlo.reduce(%[[M]] init: %[[I]]) applies mhlo.add across dimensions = [1]
// MHLO-NEXT:      %[[Q:.*]] = mhlo.sqrt %[[S]]
// MHLO-NEXT:      mhlo.return %[[Q]]
// MHLO-NEXT:    }) {FusionKind = "MulRedSqrt"} : (tensor<f32>, tensor<4x8xf32>) -> tensor<4xf32>
// MHLO-NEXT:    %[[N:.*]] = mhlo.negate %[[R]]
func.func @norm(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %q = stablehlo.sqrt %s : tensor<4xf32>
  %n = stablehlo.negate %q : tensor<4xf32>
  return %n : tensor<4xf32>
}

// Neither a square nor a sum is asked for; a chain of two, the second on the result of the first.

// CHECK-LABEL: func.func @chained(
// CHECK:         %[[R:.*]] = stablehlo.composite "composite.Fused" %{{.*}}, %arg0, %arg1 {CompositeKind = "MulRedSqrt", decomposition = @hilo.genComposite1}
// CHECK-NEXT:    %[[S:.*]] = stablehlo.composite "composite.Fused" %{{.*}}, %[[R]] {CompositeKind = "MulRedSqrt", decomposition = @hilo.genComposite2}
// CHECK-NEXT:    return %[[S]]
// MHLO-LABEL: func.func @chained(
// MHLO:         %[[R:.*]] = "mhlo.fusion"(%{{.*}}, %arg0, %arg1)
// MHLO:         %[[S:.*]] = "mhlo.fusion"(%{{.*}}, %[[R]])
// MHLO:         return %[[S]]
func.func @chained(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %x, %y : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %q = stablehlo.sqrt %s : tensor<4xf32>
  %n = stablehlo.multiply %q, %q : tensor<4xf32>
  %t = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.sqrt %t : tensor<f32>
  return %r : tensor<f32>
}

// CHECK:       func.func private @hilo.genComposite0(%[[I:.*]]: tensor<f32>, %[[A:.*]]: tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-SAME:      attributes {genComposite = true, noDelete = true} {
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[A]], %[[A]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reduce(%[[M]] init: %[[I]]) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.sqrt %[[S]]
// CHECK-NEXT:    return %[[Q]]
