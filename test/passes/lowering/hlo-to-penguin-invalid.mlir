// RUN: penguin-opt --hlo-to-penguin --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --hlo-to-penguin --split-input-file %s -o /dev/null 2>&1 | filecheck %s

// All findings of the module, of all functions, in one run; one per op.
// CHECK-COUNT-2: [PGL001]
func.func @l1_not_supported(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.fft' op is not supported (L1)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %a : tensor<4xf32>
}
func.func @l1_hints(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error@+1 {{'chlo.square' op is not supported; legalize-chlo expands what it can (L1)}}
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.dynamic_slice' op is not supported with starts that are not constants (L1)}}
  %1 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  // expected-error@+1 {{'stablehlo.optimization_barrier' op is not supported here; simplify-hlo removes it (L1)}}
  %2 = stablehlo.optimization_barrier %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: [PGL002]
// expected-error@+1 {{argument #1 has dtype f64, expected one of f32, bf16, f16, i1, i8, i16, i32, ui8, ui16, ui32 (L2)}}
func.func @l2_dtypes(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error@+1 {{'stablehlo.add' op operand #0 has dtype f64, expected one of}}
  %0 = stablehlo.add %b, %b : tensor<4xf64>
  // expected-error@+1 {{'stablehlo.convert' op result #0 has dtype i64, expected one of}}
  %1 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi64>
  // expected-error@+1 {{'stablehlo.complex' op is not supported (L1)}}
  %2 = stablehlo.complex %a, %a : tensor<4xcomplex<f32>>
  // expected-error@+1 {{'stablehlo.abs' op operand #0 has dtype complex<f32>, expected one of}}
  %3 = stablehlo.abs %2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// -----

// A dtype that penguin has and the op has not.
func.func @l2_kinds(%a: tensor<4xi1>) {
  // expected-error@+1 {{'stablehlo.dot_general' op has dtype i1, expected one of f32, bf16, f16, i8, i16, i32, ui8, ui16, ui32 (L2)}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<4xi1>, tensor<4xi1>) -> tensor<i32>
  return
}

// -----

// CHECK: [PGL003]
// expected-error@+1 {{argument #0 has type tensor<?xf32>, expected a static shape (L3)}}
func.func @l3_dynamic(%a: tensor<?xf32>) {
  // expected-error@+1 {{'stablehlo.abs' op operand #0 has type tensor<?xf32>, expected a static shape (L3)}}
  %0 = stablehlo.abs %a : tensor<?xf32>
  return
}

// -----

// CHECK: [PGL004]
func.func @l4_reduce(%a: tensor<4xf32>, %i: tensor<f32>, %b: tensor<4xi32>, %j: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.reduce' op reduces 2 operands at once, expected 1 (L4)}}
  %0:2 = stablehlo.reduce(%a init: %i), (%b init: %j) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%k: tensor<i32>, %l: tensor<i32>) {
    stablehlo.return %x, %k : tensor<f32>, tensor<i32>
  }
  // expected-error@+1 {{'stablehlo.reduce' op has a body that is not one of add, multiply, maximum, minimum, and, or of its arguments (L4)}}
  %1 = stablehlo.reduce(%a init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %s = stablehlo.add %x, %x : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // expected-error@+1 {{'stablehlo.reduce' op has a body that is not one of}}
  %2 = stablehlo.reduce(%b init: %j) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @l4_forms(%a: tensor<4xf32>, %b: tensor<4xi32>, %c: tensor<4xi8>, %d: tensor<8xi1>) {
  // expected-error@+1 {{'stablehlo.compare' op compares by TOTALORDER, expected FLOAT (L4)}}
  %0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // expected-error@+1 {{'stablehlo.bitcast_convert' op casts i1 to i8: i1 is a byte in memory (L4)}}
  %1 = stablehlo.bitcast_convert %d : (tensor<8xi1>) -> tensor<i8>
  // expected-error@+1 {{'stablehlo.dot_general' op makes i32 of i32 and i8, expected floats, or integers of which the operands have one dtype (L4)}}
  %2 = stablehlo.dot_general %b, %c, contracting_dims = [0] x [0] : (tensor<4xi32>, tensor<4xi8>) -> tensor<i32>
  return
}

// -----

// Composites: an unknown kind, also under the name of a known one; a kind that is no string.
// CHECK-COUNT-3: [NCC_ISPP054]
func.func @l6_kind(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{Unexpected CompositeOp kind 'FusedComposite'. Supported kinds are: ScheduleFusion, MulRedSqrt, DotLogistic, Expm1, Log1p, Elementwise, and DotSoftmax. (L6)}}
  %0 = stablehlo.composite "composite.Elementwise" %a {CompositeKind = "FusedComposite", decomposition = @fine} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{Unexpected CompositeOp kind 'DotFusion'. Supported kinds are}}
  %1 = stablehlo.composite "composite.DotLogistic" %0 {CompositeKind = "DotFusion", decomposition = @fine} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{Unexpected CompositeOp kind '0 : i64'. Supported kinds are}}
  %2 = stablehlo.composite "composite.Fused" %1 {CompositeKind = 0, decomposition = @fine} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// No body, several blocks, another terminator: NCC_PYP052 if it is a ScheduleFusion, else PGL005.
// CHECK: [NCC_PYP052]
// CHECK: [PGL005]
// CHECK: [NCC_PYP052]
// CHECK: [PGL005]
// CHECK: [NCC_PYP052]
// CHECK: [PGL005]
func.func @l5_decompositions(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{ScheduleFusion decomposition @declared has no body (D2) (L5)}}
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "ScheduleFusion", decomposition = @declared} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.composite' op decomposition @declared has no body (D2) (L5)}}
  %1 = stablehlo.composite "my.op" %0 {decomposition = @declared} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{ScheduleFusion decomposition @blocks has 2 blocks, expected 1 (D3) (L5)}}
  %2 = stablehlo.composite "composite.Fused" %1 {CompositeKind = "ScheduleFusion", decomposition = @blocks} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.composite' op decomposition @blocks has 2 blocks, expected 1 (D3) (L5)}}
  %3 = stablehlo.composite "composite.ScheduleFusion" %2 {CompositeKind = "Expm1", decomposition = @blocks} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{ScheduleFusion decomposition @no_return ends with 'stablehlo.return', expected 'func.return' (D4) (L5)}}
  %4 = stablehlo.composite "composite.Fused" %3 {CompositeKind = "ScheduleFusion", decomposition = @no_return} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'stablehlo.composite' op decomposition @no_return ends with 'stablehlo.return', expected 'func.return' (D4) (L5)}}
  %5 = stablehlo.composite "composite.Fused" %4 {CompositeKind = "MulRedSqrt", decomposition = @no_return} : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
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

// -----

// Composites that contain themselves.
// CHECK: [PGL005]
// CHECK: [NCC_PYP052]
func.func @l5_recursion(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @one} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "ScheduleFusion", decomposition = @schedule} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @one(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Log1p", decomposition = @two} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @two(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.composite' op contains itself: @one -> @two -> @one (L5)}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @one} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @schedule(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{ScheduleFusion contains itself: @schedule -> @schedule (L5)}}
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "ScheduleFusion", decomposition = @schedule} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What is wrong in a decomposition is said there, once for all composites that name it.
func.func @l1_inside(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @body} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.op" %0 {decomposition = @body} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @body(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.fft' op is not supported (L1)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %a : tensor<4xf32>
}

// -----

// Types of a composite.
// expected-error@+1 {{argument #0 has dtype f64, expected one of}}
func.func @l2_composite(%a: tensor<4xf64>) {
  // expected-error@+1 {{'stablehlo.composite' op operand #0 has dtype f64, expected one of}}
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @body} : (tensor<4xf64>) -> tensor<4xf32>
  return
}
func.func private @body(%a: tensor<4xf64>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.convert' op operand #0 has dtype f64, expected one of}}
  %0 = stablehlo.convert %a : (tensor<4xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Legal StableHLO, though it reads beyond the operand.
func.func @l4_gather(%a: tensor<4x5xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{'stablehlo.gather' op has slices of size 0 in the dropped dim 0, expected size 1 (L4)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return
}
