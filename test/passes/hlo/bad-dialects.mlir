// RUN: not penguin-opt --mul-red-sqrt-fusion --split-input-file %s 2>&1 >%t | filecheck %s
// RUN: not penguin-opt --simplify-hlo --split-input-file %s 2>&1 >%t | filecheck %s --check-prefix=HLO

// A module with both dialects.
// CHECK: bad-dialects.mlir:8:8: error: pass 'mul-red-sqrt-fusion' requires 'one-hlo-dialect', found 'stablehlo.negate' [PGP006]
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.negate %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A pass of the stablehlo side on mhlo: the message says what comes first.
// HLO: bad-dialects.mlir:17:8: error: pass 'simplify-hlo' requires 'hlo-level', found 'mhlo.negate'; 'hlo-level' is produced by mhlo-to-stablehlo [PGP006]
func.func @mhlo_only(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A fusion without terminator.
// CHECK: bad-dialects.mlir:28:10: error: block with no terminator
func.func @no_terminator(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = mhlo.exponential %a : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A composite whose decomposition is missing, on either side.
// CHECK: bad-dialects.mlir:39:8: error: 'nope' does not reference a valid function
func.func @missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.negate %x : tensor<4xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "Elementwise", decomposition = @nope} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK: bad-dialects.mlir:47:8: error: 'nope' does not reference a valid function
func.func @missing_stablehlo(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %x {CompositeKind = "Elementwise", decomposition = @nope} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A decomposition with another signature.
// CHECK: bad-dialects.mlir:56:8: error: operand at index 0 has type 'tensor<4xf32>', but decomposition has type 'tensor<5xf32>'
func.func @signature(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %x {CompositeKind = "Elementwise", decomposition = @five} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @five(%x: tensor<5xf32>) -> tensor<5xf32> {
  return %x : tensor<5xf32>
}
