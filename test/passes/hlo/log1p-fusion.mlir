// RUN: penguin-opt --log1p-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --log1p-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --log1p-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --log1p-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice
// RUN: penguin-opt --log1p-fusion --mlir-print-op-generic %s | filecheck %s --check-prefix=ACC

// ACC-DAG: result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>

// CHECK-LABEL: func.func @f32(
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "Log1p", decomposition = @hilo.genComposite0}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @f32(
// MHLO-NEXT:    %[[F:.*]] = "mhlo.fusion"(%arg0) ({
// MHLO-NEXT:    ^bb0(%[[A:.*]]: tensor<4xf32>):
// MHLO-NEXT:      %[[O:.*]] = mhlo.constant dense<1.000000e+00> : tensor<4xf32>
// MHLO-NEXT:      %[[E:.*]] = mhlo.add %[[A]], %[[O]]
// MHLO-NEXT:      %[[R:.*]] = mhlo.log %[[E]]
// MHLO-NEXT:      mhlo.return %[[R]]
// MHLO-NEXT:    }) {FusionKind = "Log1p"}
func.func @f32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log_plus_one %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @bf16(
// CHECK-NEXT:    %[[R:.*]] = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "Log1p", decomposition = @hilo.genComposite1}
// CHECK-NEXT:    return %[[R]]
// MHLO-LABEL: func.func @bf16(
// MHLO-NEXT:    %[[F:.*]] = "mhlo.fusion"(%arg0) ({
// MHLO-NEXT:    ^bb0(%[[A:.*]]: tensor<4xbf16>):
// MHLO-NEXT:      %[[O:.*]] = mhlo.constant dense<1.000000e+00> : tensor<4xbf16>
// MHLO-NEXT:      %[[E:.*]] = mhlo.add %[[A]], %[[O]]
// MHLO-NEXT:      %[[R:.*]] = mhlo.log %[[E]]
// MHLO-NEXT:      mhlo.return %[[R]]
// MHLO-NEXT:    }) {FusionKind = "Log1p"}
func.func @bf16(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = stablehlo.log_plus_one %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// The accuracy that was asked for goes to the transcendental op.
// CHECK-LABEL: func.func @accurate(
// MHLO-LABEL: func.func @accurate(
// MHLO:         #mhlo.result_accuracy_mode<HIGHEST>
func.func @accurate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.log_plus_one"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The computation of a reduce stays what it is.
// CHECK-LABEL: func.func @reducer(
// CHECK:         stablehlo.log_plus_one
// CHECK-NOT:     composite
// CHECK:         return
// MHLO-LABEL: func.func @reducer(
// MHLO-NOT:     mhlo.fusion
// MHLO:         mhlo.log_plus_one
func.func @reducer(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.log_plus_one %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK:       func.func private @hilo.genComposite0(%[[A:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[O:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[E:.*]] = stablehlo.add %[[A]], %[[O]]
// CHECK-NEXT:    %[[R:.*]] = stablehlo.log %[[E]]
// CHECK-NEXT:    return %[[R]]
