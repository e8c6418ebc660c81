// RUN: penguin-opt --dot-softmax-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --dot-softmax-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --dot-softmax-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --dot-softmax-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice

// The softmax of scaled scores, as JAX writes it.

// CHECK-LABEL: func.func @attention(
// CHECK:         %[[R:.*]] = stablehlo.composite "composite.Fused" %{{.*}}, %{{.*}}, %arg{{.}}, %arg{{.}}, %arg{{.}} {CompositeKind = "DotSoftmax", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @attention(
// MHLO:         %[[R:.*]] = "mhlo.fusion"(%{{.*}}, %{{.*}}, %arg{{.}}, %arg{{.}}, %arg{{.}}) ({
// MHLO:           %[[D:.*]] = "mhlo.dot"(
// MHLO:           %[[E:.*]] = mhlo.exponential
// MHLO:           %[[Q:.*]] = mhlo.divide %[[E]],
// MHLO-NEXT:      mhlo.return %[[Q]]
// MHLO-NEXT:    }) {FusionKind = "DotSoftmax"}
// MHLO-NEXT:    return %[[R]]
func.func @attention(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%q, %k) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.multiply %d, %c : tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %mb = "stablehlo.broadcast_in_dim"(%m1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %x = stablehlo.subtract %l, %mb : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s1 = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %s1 : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Without anything between dot and softmax.

// CHECK-LABEL: func.func @plain(
// CHECK:         stablehlo.composite "composite.Fused" {{.*}}decomposition = @hilo.genComposite1}
// MHLO-LABEL: func.func @plain(
// MHLO:         }) {FusionKind = "DotSoftmax"}
func.func @plain(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = "stablehlo.dot"(%q, %k) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %mb = "stablehlo.broadcast_in_dim"(%m1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %x = stablehlo.subtract %l, %mb : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s1 = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %s1 : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// In half precision: the maximum in bf16, the sum in f32, and a mask on the scores.

// CHECK-LABEL: func.func @mixed(
// CHECK:         stablehlo.composite "composite.Fused" {{.*}}decomposition = @hilo.genComposite2}
// MHLO-LABEL: func.func @mixed(
// MHLO:         }) {FusionKind = "DotSoftmax"}
func.func @mixed(%q: tensor<4x6xbf16>, %k: tensor<6x8xbf16>, %p: tensor<4x8xi1>, %n: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %ninf = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%q, %k) : (tensor<4x6xbf16>, tensor<6x8xbf16>) -> tensor<4x8xbf16>
  %l = stablehlo.select %p, %d, %n : tensor<4x8xi1>, tensor<4x8xbf16>
  %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xbf16>) -> tensor<4x8xbf16>
  %x = stablehlo.subtract %l, %m1 : tensor<4x8xbf16>
  %e = stablehlo.exponential %x : tensor<4x8xbf16>
  %c = stablehlo.convert %e : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %s = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %h = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xbf16>
  %s1 = "stablehlo.broadcast_in_dim"(%h) {broadcast_dimensions = array<i64: 0>} : (tensor<4xbf16>) -> tensor<4x8xbf16>
  %r = stablehlo.divide %e, %s1 : tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}
