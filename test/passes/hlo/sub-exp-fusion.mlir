// RUN: penguin-opt --sub-exp-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --sub-exp-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --sub-exp-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --sub-exp-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice

// CHECK-LABEL: func.func @logaddexp(
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %arg1, %arg0 {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @logaddexp(
// MHLO-NEXT:    %[[F:.*]] = "mhlo.fusion"(%arg1, %arg0) ({
// MHLO-NEXT:    ^bb0(%[[B:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8xf32>):
// MHLO-NEXT:      %[[M:.*]] = mhlo.maximum %[[A]], %[[B]]
// MHLO-NEXT:      %[[S:.*]] = mhlo.subtract %[[A]], %[[M]]
// MHLO-NEXT:      %[[E:.*]] = mhlo.exponential %[[S]]
// MHLO-NEXT:      %[[T:.*]] = mhlo.subtract %[[B]], %[[M]]
// MHLO-NEXT:      %[[G:.*]] = mhlo.exponential %[[T]]
// MHLO-NEXT:      %[[U:.*]] = mhlo.add %[[E]], %[[G]]
// MHLO-NEXT:      %[[L:.*]] = mhlo.log %[[U]]
// MHLO-NEXT:      %[[R:.*]] = mhlo.add %[[M]], %[[L]]
// MHLO-NEXT:      mhlo.return %[[R]]
// MHLO-NEXT:    }) {FusionKind = "Elementwise"}
func.func @logaddexp(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r : tensor<8xf32>
}

// Values of the group that are used outside become results; what uses the maximum before the root
// moves behind the fusion.

// CHECK-LABEL: func.func @escaping(
// CHECK-NEXT:    %[[R:.*]]:3 = stablehlo.composite "composite.Fused" %arg1, %arg0
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[R]]#2
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1, %[[N]]
// MHLO-LABEL: func.func @escaping(
// MHLO-NEXT:    %[[R:.*]]:3 = "mhlo.fusion"(%arg1, %arg0) ({
// MHLO:           mhlo.return %[[A:.*]], %[[L:.*]], %[[M:.*]] : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
// MHLO-NEXT:    }) {FusionKind = "Elementwise"}
// MHLO-NEXT:    %[[N:.*]] = mhlo.negate %[[R]]#2
// MHLO-NEXT:    return %[[R]]#0, %[[R]]#1, %[[N]]
func.func @escaping(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %n = stablehlo.negate %m : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r, %l, %n : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
