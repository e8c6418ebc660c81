// RUN: penguin-opt --mhlo-to-stablehlo --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --mhlo-to-stablehlo --split-input-file %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [NCC_PYP053]
// CHECK: [PGH002]
// CHECK: [PGH003]

// UNKNOWN_KIND
func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{Unexpected FusionOp type 'Loop'. Supported fusion types are: ScheduleFusion, MulRedSqrt, DotLogistic, Elementwise, Expm1, Log1p, DotSoftmax. (L1)}}
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    mhlo.return %a : tensor<4xf32>
  }) {FusionKind = "Loop"} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{Unexpected FusionOp type ''.}}
  %1 = "mhlo.fusion"(%0) ({
  ^bb0(%a: tensor<4xf32>):
    mhlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// FUSION
func.func @fusion(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'mhlo.fusion' op is left; fusion-to-composite turns it into a composite (L2)}}
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    mhlo.return %a : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// NO_COUNTERPART
func.func @no_counterpart(%x: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xbf16>) {
  // expected-error@+1 {{'mhlo.bitcast' op has no counterpart in stablehlo (L3)}}
  %0 = "mhlo.bitcast"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  %r = mhlo.constant dense<1> : tensor<4xui32>
  // expected-error@+1 {{'mhlo.stochastic_convert' op has no counterpart in stablehlo (L3)}}
  %1 = "mhlo.stochastic_convert"(%x, %r) : (tensor<4xf32>, tensor<4xui32>) -> tensor<4xbf16>
  return %0, %1 : tensor<4xi32>, tensor<4xbf16>
}
