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
