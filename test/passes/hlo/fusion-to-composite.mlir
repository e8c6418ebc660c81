// RUN: penguin-opt --fusion-to-composite %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --fusion-to-composite %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: sed '/^func.func @made_before/,$d' %s | penguin-opt --fusion-to-composite --mhlo-to-stablehlo | filecheck %s --check-prefix=SHLO
// RUN: penguin-opt --fusion-to-composite --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: (S) 12 converted - Number of fusions converted into composites

// Each kind is copied; the name is the same for all; numbers count through all functions.

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK:         %[[C0:.*]] = stablehlo.composite "composite.Fused" %[[X]]
// CHECK-SAME:      {CompositeKind = "ScheduleFusion", decomposition = @hilo.FusedComposite.0} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[C1:.*]] = stablehlo.composite "composite.Fused" %[[C0]] {CompositeKind = "MulRedSqrt", decomposition = @hilo.FusedComposite.1}
// CHECK-NEXT:    %[[C2:.*]] = stablehlo.composite "composite.Fused" %[[C1]] {CompositeKind = "DotLogistic", decomposition = @hilo.FusedComposite.2}
// CHECK-NEXT:    %[[C3:.*]] = stablehlo.composite "composite.Fused" %[[C2]] {CompositeKind = "Elementwise", decomposition = @hilo.FusedComposite.3}
// CHECK-NEXT:    %[[C4:.*]] = stablehlo.composite "composite.Fused" %[[C3]] {CompositeKind = "Expm1", decomposition = @hilo.FusedComposite.4}
// CHECK-NEXT:    %[[C5:.*]] = stablehlo.composite "composite.Fused" %[[C4]] {CompositeKind = "Log1p", decomposition = @hilo.FusedComposite.5}
// CHECK-NEXT:    %[[C6:.*]] = stablehlo.composite "composite.Fused" %[[C5]] {CompositeKind = "DotSoftmax", decomposition = @hilo.FusedComposite.6}
// CHECK-NEXT:    return %[[C6]]

// SHLO-LABEL: func.func @kinds(
// SHLO-COUNT-7: stablehlo.composite "composite.Fused"
func.func @kinds(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "ScheduleFusion"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "mhlo.fusion"(%0) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "MulRedSqrt"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "mhlo.fusion"(%1) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "DotLogistic"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "mhlo.fusion"(%2) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "mhlo.fusion"(%3) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "Expm1"} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "mhlo.fusion"(%4) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "Log1p"} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = "mhlo.fusion"(%5) ({
  ^bb0(%a: tensor<4xf32>):
    %y = mhlo.negate %a : tensor<4xf32>
    mhlo.return %y : tensor<4xf32>
  }) {FusionKind = "DotSoftmax"} : (tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// No kind: the default, which no consumer knows.

// CHECK-LABEL: func.func @no_kind(
// CHECK:         {CompositeKind = "FusedComposite", decomposition = @hilo.FusedComposite.7}
func.func @no_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    mhlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Several operands and results; a value that is used outside and, as an argument, inside.

// CHECK-LABEL: func.func @several(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xi32>)
// CHECK:         %[[R:.*]]:2 = stablehlo.composite "composite.Fused" %[[Y]], %[[X]], %[[X]]
// CHECK-SAME:      : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
// CHECK-NEXT:    %[[S:.*]] = mhlo.add %[[R]]#1, %[[X]]
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1, %[[S]]
func.func @several(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "mhlo.fusion"(%y, %x, %x) ({
  ^bb0(%a: tensor<4xi32>, %b: tensor<4xf32>, %c: tensor<4xf32>):
    %n = mhlo.negate %a : tensor<4xi32>
    %s = mhlo.subtract %b, %c : tensor<4xf32>
    %t = mhlo.add %s, %c : tensor<4xf32>
    mhlo.return %n, %t : tensor<4xi32>, tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  %1 = mhlo.add %0#1, %x : tensor<4xf32>
  return %0#0, %0#1, %1 : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// A fusion in a fusion: the inner one is converted first, and the outer body has its composite.

// CHECK-LABEL: func.func @nested(
// CHECK:         {CompositeKind = "Elementwise", decomposition = @hilo.FusedComposite.10}
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "mhlo.fusion"(%a) ({
    ^bb0(%b: tensor<4xf32>):
      %2 = mhlo.exponential %b : tensor<4xf32>
      mhlo.return %2 : tensor<4xf32>
    }) {FusionKind = "Expm1"} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mhlo.negate %1 : tensor<4xf32>
    mhlo.return %3 : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A fusion in a region of another op; its result is used inside that region only.

// CHECK-LABEL: func.func @in_a_region(
// CHECK:         "mhlo.if"(
// CHECK-NEXT:      %[[C:.*]] = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "Elementwise", decomposition = @hilo.FusedComposite.11}
// CHECK-NEXT:      mhlo.return %[[C]]
func.func @in_a_region(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = "mhlo.if"(%p) ({
    %1 = "mhlo.fusion"(%x) ({
    ^bb0(%a: tensor<4xf32>):
      %2 = mhlo.exponential %a : tensor<4xf32>
      mhlo.return %2 : tensor<4xf32>
    }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
    mhlo.return %1 : tensor<4xf32>
  }, {
    mhlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A function that says it is a decomposition is not looked into.

// CHECK-LABEL: func.func @made_before(
// CHECK:         "mhlo.fusion"
func.func @made_before(%x: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true} {
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = mhlo.exponential %a : tensor<4xf32>
    mhlo.return %1 : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The decompositions: private, marked, with the signature of the fusion and its body.

// CHECK:       func.func private @hilo.FusedComposite.0(%[[A:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-SAME:      attributes {genComposite = true, noDelete = true} {
// CHECK-NEXT:    %[[N:.*]] = mhlo.negate %[[A]]
// CHECK-NEXT:    return %[[N]]

// CHECK:       func.func private @hilo.FusedComposite.7(%[[A:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[A]]

// CHECK:       func.func private @hilo.FusedComposite.8(
// CHECK-SAME:      %[[A:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
// CHECK-NEXT:    %[[N:.*]] = mhlo.negate %[[A]]
// CHECK-NEXT:    %[[S:.*]] = mhlo.subtract %[[B]], %[[C]]
// CHECK-NEXT:    %[[T:.*]] = mhlo.add %[[S]], %[[C]]
// CHECK-NEXT:    return %[[N]], %[[T]]

// CHECK:       func.func private @hilo.FusedComposite.9(%[[A:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[E:.*]] = mhlo.exponential %[[A]]
// CHECK:       func.func private @hilo.FusedComposite.10(%[[A:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[I:.*]] = stablehlo.composite "composite.Fused" %[[A]] {CompositeKind = "Expm1", decomposition = @hilo.FusedComposite.9}
// CHECK-NEXT:    %[[N:.*]] = mhlo.negate %[[I]]
