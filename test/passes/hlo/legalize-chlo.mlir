// RUN: penguin-opt --legalize-chlo --split-input-file %s | filecheck %s
// RUN: penguin-opt --legalize-chlo --mlir-print-debuginfo --split-input-file %s | filecheck %s --check-prefix=LOC
// RUN: penguin-opt --legalize-chlo --mlir-pass-statistics --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[A:.*]]: tensor<4xbf16>)
// CHECK-NEXT: %[[R:.*]] = stablehlo.multiply %[[A]], %[[A]] : tensor<4xbf16>
// CHECK-NEXT: return %[[R]]
// LOC-LABEL: func.func @square
// LOC: stablehlo.multiply {{.*}} loc(#[[L:loc[0-9]+]])
// LOC: #[[L]] = loc("jit(f)/square")
// STAT: (S) 1 legalized - Number of chlo operations expanded
func.func @square(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.square %a : tensor<4xbf16> -> tensor<4xbf16> loc("jit(f)/square")
  return %0 : tensor<4xbf16>
}

// -----

// Private functions, too.
// CHECK-LABEL: func.func private @erf(
// CHECK-NOT: chlo
// CHECK: return
func.func private @erf(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The shipped pass does not know this one.
// CHECK-LABEL: func.func @stays
// CHECK: chlo.ragged_dot
func.func @stays(%l: tensor<4x2xf32>, %r: tensor<3x2x5xf32>, %g: tensor<3xi32>) -> tensor<4x5xf32> {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<4x2xf32>, tensor<3x2x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
