// The module computes the same before and after, on both dialects: attention in bf16.
// RUN: penguin-opt --dot-softmax-fusion --verify-semantics %s | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --dot-softmax-fusion --verify-semantics | filecheck %s --check-prefix=MHLO

// CHECK: CompositeKind = "DotSoftmax"
// MHLO: FusionKind = "DotSoftmax"
func.func @main(%q: tensor<4x6xbf16>, %k: tensor<6x8xbf16>, %mask: tensor<4x8xi1>) -> tensor<4x8xbf16> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %rows = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<0.125> : tensor<4x8xf32>
  %far = stablehlo.constant dense<-2.38197633E+38> : tensor<4x8xf32>
  %d = "stablehlo.dot_general"(%q, %k) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<4x6xbf16>, tensor<6x8xbf16>) -> tensor<4x8xbf16>
  %c = stablehlo.convert %d : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %v = stablehlo.multiply %c, %scale : tensor<4x8xf32>
  %l = stablehlo.select %mask, %v, %far : tensor<4x8xi1>, tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %g = stablehlo.maximum %rows, %m : tensor<4xf32>
  %h = stablehlo.reshape %g : (tensor<4xf32>) -> tensor<4x1xf32>
  %n = "stablehlo.broadcast_in_dim"(%h) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %l, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %p = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %t = "stablehlo.broadcast_in_dim"(%p) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  %b = stablehlo.convert %r : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %b : tensor<4x8xbf16>
}
