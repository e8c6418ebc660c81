// RUN: penguin-opt --neuron-op-fusion %s | filecheck %s --check-prefixes=CHECK,DEFAULT
// RUN: penguin-opt --neuron-op-fusion="fuse-dot-logistic=false general-elementwise-fusion=true" %s | filecheck %s --check-prefixes=CHECK,GENERAL
// RUN: %to_mhlo %s | penguin-opt --neuron-op-fusion="general-elementwise-fusion=true fuse-dot-softmax=true" --fusion-to-composite --mhlo-to-stablehlo | filecheck %s --check-prefixes=CHECK,MHLO
// RUN: penguin-opt --neuron-op-fusion --neuron-op-fusion %s | filecheck %s --check-prefixes=CHECK,DEFAULT
// RUN: penguin-opt --neuron-op-fusion --mlir-pass-statistics --mlir-pass-statistics-display=list %s 2>&1 >%t | filecheck %s --check-prefix=STATS
// RUN: penguin-opt --neuron-op-fusion="general-elementwise-fusion=true" --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s --check-prefix=MISSED

// Counters and remarks are those of the parts.
// STATS:     DotLogisticFusion
// STATS:       (S) 1 fused - Number of DotLogistic fusions
// STATS:     MulRedSqrtFusion
// STATS:       (S) 1 fused - Number of MulRedSqrt fusions
// MISSED:    [Missed] Uses | Category:hlo:expm1-fusion | Function=main

// CHECK-LABEL: func.func @main(

// With the default gates: the dot with its logistic, and the norm.
// DEFAULT:       CompositeKind = "DotLogistic"
// DEFAULT:       CompositeKind = "MulRedSqrt"
// DEFAULT:       stablehlo.log_plus_one
// DEFAULT-NOT:   CompositeKind

// The other gate: log1p is expanded; the norm is found as an elementwise chain before its reduce.
// GENERAL:       CompositeKind = "MulRedSqrt"
// GENERAL-NEXT:  stablehlo.sqrt
// GENERAL-NEXT:  CompositeKind = "Log1p"
// GENERAL-NOT:   CompositeKind

// All gates, on mhlo.
// MHLO:          CompositeKind = "DotLogistic"
// MHLO:          CompositeKind = "MulRedSqrt"
// MHLO-NEXT:     CompositeKind = "Log1p"
// MHLO-NOT:      CompositeKind
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  %t = stablehlo.tanh %l : tensor<4x8xf32>
  %m = stablehlo.multiply %t, %t : tensor<4x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %q = stablehlo.sqrt %s : tensor<4xf32>
  %p = stablehlo.log_plus_one %q : tensor<4xf32>
  %e = stablehlo.exponential_minus_one %p : tensor<4xf32>
  return %e, %e : tensor<4xf32>, tensor<4xf32>
}
