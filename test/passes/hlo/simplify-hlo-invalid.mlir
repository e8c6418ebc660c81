// RUN: penguin-opt --simplify-hlo --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --simplify-hlo --split-input-file %s -o /dev/null 2>&1 | filecheck %s
// RUN: not penguin-opt --simplify-hlo --mlir-print-ir-after-failure --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=UNCHANGED

// Decompositions that cannot be put in the place of ordinary composites.
// CHECK-COUNT-3: [PGL005]

// Nothing is changed.
// UNCHANGED: func.func @l2_decompositions(
// UNCHANGED-COUNT-4: stablehlo.composite
// UNCHANGED: stablehlo.dynamic_slice
func.func @l2_decompositions(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.composite' op decomposition @declared has no body (D2) (L2)}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @declared} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.composite' op decomposition @blocks has 2 blocks, expected 1 (D3) (L2)}}
  %1 = stablehlo.composite "my.op" %0 {decomposition = @blocks} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.composite' op decomposition @no_return ends with 'stablehlo.return', expected 'func.return' (D4) (L2)}}
  %2 = stablehlo.composite "my.op" %1 {decomposition = @no_return} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.composite "my.op" %2 {decomposition = @fine} : (tensor<4xf32>) -> tensor<4xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %4 = stablehlo.dynamic_slice %3, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
^next:
  return %a : tensor<4xf32>
}
func.func private @no_return(%a: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.return %a : tensor<4xf32>
}
func.func private @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// CHECK: [PGL005]
func.func @l2_contains_itself(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @one} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @one(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @two} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @two(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.composite' op contains itself: @one -> @two -> @one (L2)}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @one} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
