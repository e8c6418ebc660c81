// RUN: penguin-opt --elementwise-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --elementwise-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --elementwise-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --elementwise-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice

// The cluster grows upwards from the reduce; %e has two uses, both inside.

// CHECK-LABEL: func.func @reduce(
// CHECK:         %[[R:.*]] = stablehlo.composite "composite.Fused" %{{.*}}, %arg1, %arg0 {CompositeKind = "MulRedSqrt", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @reduce(
// MHLO:         "mhlo.fusion"(%{{.*}}, %arg1, %arg0) ({
// MHLO-NEXT:    ^bb0(%[[I:.*]]: tensor<f32>, %[[Y:.*]]: tensor<4x8xf32>, %[[X:.*]]: tensor<4x8xf32>):
// MHLO-NEXT:      %[[E:.*]] = mhlo.exponential %[[X]]
// MHLO-NEXT:      %[[A:.*]] = mhlo.add %[[E]], %[[Y]]
// MHLO-NEXT:      %[[M:.*]] = mhlo.multiply %[[E]], %[[A]]
// MHLO-NEXT:      %[[S:.*]] = mhlo.reduce(%[[M]] init: %[[I]])
// MHLO-NEXT:      mhlo.return %[[S]]
// MHLO-NEXT:    }) {FusionKind = "MulRedSqrt"}
func.func @reduce(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %a = stablehlo.add %e, %y : tensor<4x8xf32>
  %m = stablehlo.multiply %e, %a : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// A concatenate: the reshape that it takes directly joins, and what is above; the abs is not in the
// list; %k is used outside, so it stays.

// CHECK-LABEL: func.func @concatenate(
// CHECK-DAG:     %[[B:.*]] = stablehlo.abs %arg0
// CHECK-DAG:     %[[K:.*]] = stablehlo.tanh %arg1
// CHECK:         %[[R:.*]] = stablehlo.composite "composite.Fused" %[[K]], %[[B]] {CompositeKind = "Elementwise", decomposition = @hilo.genComposite1}
// CHECK-NEXT:    return %[[R]], %[[K]]
// MHLO-LABEL: func.func @concatenate(
// MHLO:         "mhlo.fusion"(%{{.*}}, %{{.*}}) ({
// MHLO-NEXT:    ^bb0(%[[K:.*]]: tensor<32xf32>, %[[B:.*]]: tensor<4x8xf32>):
// MHLO-NEXT:      %[[N:.*]] = mhlo.negate %[[B]]
// MHLO-NEXT:      %[[S:.*]] = mhlo.reshape %[[N]]
// MHLO-NEXT:      %[[C:.*]] = "mhlo.concatenate"(%[[S]], %[[K]])
// MHLO-NEXT:      mhlo.return %[[C]]
// MHLO-NEXT:    }) {FusionKind = "Elementwise"}
func.func @concatenate(%x: tensor<4x8xf32>, %y: tensor<32xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %b = stablehlo.abs %x : tensor<4x8xf32>
  %n = stablehlo.negate %b : tensor<4x8xf32>
  %s = stablehlo.reshape %n : (tensor<4x8xf32>) -> tensor<32xf32>
  %k = stablehlo.tanh %y : tensor<32xf32>
  %c = "stablehlo.concatenate"(%s, %k) {dimension = 0 : i64} : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  return %c, %k : tensor<64xf32>, tensor<32xf32>
}

// A value that the two operands of the seed share joins by its second use.

// CHECK-LABEL: func.func @twice(
// CHECK:         %[[R:.*]] = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "Elementwise", decomposition = @hilo.genComposite2}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @twice(
// MHLO:         %[[C:.*]] = "mhlo.concatenate"(%[[S:.*]], %[[S]])
func.func @twice(%x: tensor<8xf32>) -> tensor<16xf32> {
  %s = stablehlo.sqrt %x : tensor<8xf32>
  %c = "stablehlo.concatenate"(%s, %s) {dimension = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %c : tensor<16xf32>
}
