// RUN: penguin-opt --dot-logistic-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --dot-logistic-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --dot-logistic-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --dot-logistic-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice
// RUN: penguin-opt %s > %t.none
// RUN: penguin-opt --dot-logistic-fusion --rewrite-limit=0 %s > %t.limit
// RUN: diff %t.none %t.limit
// RUN: penguin-opt --dot-logistic-fusion --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: (S) 6 fused - Number of DotLogistic fusions
// STATS: (S) 4 reassociated - Number of logistics moved before a reshape

// CHECK-LABEL: func.func @dot(
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %arg0, %arg1 {CompositeKind = "DotLogistic", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[R]]
// MHLO-LABEL: func.func @dot(
// MHLO-NEXT:    %[[F:.*]] = "mhlo.fusion"(%arg0, %arg1) ({
// MHLO-NEXT:    ^bb0(%[[A:.*]]: tensor<4x6xf32>, %[[B:.*]]: tensor<6x8xf32>):
// MHLO-NEXT:      %[[D:.*]] = "mhlo.dot"(%[[A]], %[[B]])
// MHLO-NEXT:      %[[L:.*]] = mhlo.logistic %[[D]]
// MHLO-NEXT:      mhlo.return %[[L]]
// MHLO-NEXT:    }) {FusionKind = "DotLogistic"}
func.func @dot(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  %n = stablehlo.negate %l : tensor<4x8xf32>
  return %n : tensor<4x8xf32>
}

// The usual gate x * logistic(x): the dot is also used by the multiply, so it is a result.

// CHECK-LABEL: func.func @gate(
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.composite "composite.Fused" %arg0, %arg1
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[R]]#1, %[[R]]#0
// CHECK-NEXT:    return %[[M]]
// MHLO-LABEL: func.func @gate(
// MHLO:           mhlo.return %[[L:.*]], %[[D:.*]] : tensor<4x8xf32>, tensor<4x8xf32>
// MHLO-NEXT:    }) {FusionKind = "DotLogistic"}
// MHLO-NEXT:    %[[M:.*]] = mhlo.multiply %[[R:.*]]#1, %[[R]]#0
func.func @gate(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  %m = stablehlo.multiply %d, %l : tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}

// A dot_general; its user that stands before the logistic moves behind the fusion.

// CHECK-LABEL: func.func @early_user(
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.composite "composite.Fused" %arg0, %arg1
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[R]]#1
// CHECK-NEXT:    %[[A:.*]] = stablehlo.abs %[[N]]
// CHECK-NEXT:    return %[[A]], %[[R]]#0
// MHLO-LABEL: func.func @early_user(
// MHLO-NEXT:    %[[R:.*]]:2 = "mhlo.fusion"(
// MHLO:         %[[N:.*]] = mhlo.negate %[[R]]#1
// MHLO-NEXT:    %[[A:.*]] = mhlo.abs %[[N]]
// MHLO-NEXT:    return %[[A]], %[[R]]#0
func.func @early_user(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %d = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %n = stablehlo.negate %d : tensor<4x8xf32>
  %a = stablehlo.abs %n : tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  return %a, %l : tensor<4x8xf32>, tensor<4x8xf32>
}

// Re-association through the reshape, then the cluster.

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.composite "composite.Fused" %arg0, %arg1
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[R]]#0, %[[R]]#1 : tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reshape %[[M]] : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
// CHECK-NEXT:    return %[[S]]
// MHLO-LABEL: func.func @reshape(
// MHLO:         }) {FusionKind = "DotLogistic"}
// MHLO-NEXT:    %[[M:.*]] = mhlo.multiply %[[R:.*]]#0, %[[R]]#1 : tensor<4x8xf32>
// MHLO-NEXT:    %[[S:.*]] = mhlo.reshape %[[M]] : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
func.func @reshape(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<2x2x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  %m = stablehlo.multiply %l, %s : tensor<2x2x8xf32>
  return %m : tensor<2x2x8xf32>
}

// What the ops say about themselves moves with them, but for shardings, which count axes.

// CHECK-LABEL: func.func @attributes(
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.composite
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[R]]#1, %[[R]]#0 {note = "m"} : tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reshape %[[M]] {note = "s"} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
// CHECK-NEXT:    return %[[S]]
// MHLO-LABEL: func.func @attributes(
// MHLO:           mhlo.logistic {{.*}}ulps = 4
// MHLO-NOT:       sharding
// MHLO:         }) {FusionKind = "DotLogistic"}
// MHLO-NEXT:    mhlo.multiply {{.*}} {note = "m"} : tensor<4x8xf32>
// MHLO-NEXT:    mhlo.reshape {{.*}} {note = "s"} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
func.func @attributes(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<2x2x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d {note = "s"} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = "stablehlo.logistic"(%s) {mhlo.sharding = "{devices=[2,1,1]<=[2]}", result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
  %m = stablehlo.multiply %s, %l {note = "m"} : tensor<2x2x8xf32>
  return %m : tensor<2x2x8xf32>
}

// Two gates of one dot: both are re-associated, the first takes the dot.

// CHECK-LABEL: func.func @two(
// CHECK-NEXT:    %[[R:.*]]:2 = stablehlo.composite "composite.Fused" %arg0, %arg1
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[R]]#1, %[[R]]#0 : tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reshape %[[M]] : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
// CHECK-NEXT:    %[[L:.*]] = stablehlo.logistic %[[R]]#1 : tensor<4x8xf32>
// CHECK-NEXT:    %[[N:.*]] = stablehlo.multiply %[[R]]#1, %[[L]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.reshape %[[N]] : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[S]], %[[T]]
// MHLO-LABEL: func.func @two(
// MHLO:         }) {FusionKind = "DotLogistic"}
// MHLO-NEXT:    mhlo.multiply {{.*}} : tensor<4x8xf32>
// MHLO-NEXT:    mhlo.reshape {{.*}} -> tensor<2x2x8xf32>
// MHLO-NEXT:    mhlo.logistic {{.*}} : tensor<4x8xf32>
// MHLO-NEXT:    mhlo.multiply {{.*}} : tensor<4x8xf32>
// MHLO-NEXT:    mhlo.reshape {{.*}} -> tensor<8x4xf32>
func.func @two(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<2x2x8xf32>, tensor<8x4xf32>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %t = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  %m = stablehlo.multiply %s, %l : tensor<2x2x8xf32>
  %k = stablehlo.logistic %t : tensor<8x4xf32>
  %n = stablehlo.multiply %t, %k : tensor<8x4xf32>
  return %m, %n : tensor<2x2x8xf32>, tensor<8x4xf32>
}

// The accuracy is on the logistic in the body of the composite.

// CHECK-LABEL: func.func private @hilo.genComposite4(
// CHECK:         stablehlo.logistic {{.*}}ulps = 4
// CHECK-NOT:     sharding
// CHECK:         return
