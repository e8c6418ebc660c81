// RUN: penguin-opt --mhlo-to-stablehlo %s | filecheck %s
// RUN: penguin-opt --mhlo-to-stablehlo --mlir-print-debuginfo %s | filecheck %s --check-prefix=LOC
// RUN: penguin-opt --mhlo-to-stablehlo --mhlo-to-stablehlo --verify-semantics %s | filecheck %s
// RUN: penguin-opt --emit-bytecode %s | penguin-opt --mhlo-to-stablehlo | filecheck %s
// RUN: penguin-opt --mhlo-to-stablehlo --legalize-chlo %s | filecheck %s --check-prefix=ON

// A copy is a value, functions that only chlo has go there, regions are converted, too.

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[E:.*]] = chlo.erf %[[X]]
// CHECK:         %[[S:.*]] = stablehlo.reduce(%[[E]] init: %[[Z]]) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT:    %[[T:.*]] = stablehlo.slice %[[S]] [0:2]
// CHECK-NEXT:    return %[[T]]

// LOC: chlo.erf %{{.*}} loc(#[[L:.*]])
// LOC: #[[L]] = loc("{{.*}}mhlo-to-stablehlo.mlir":25:8)

// ON-NOT: chlo
func.func @main(%x: tensor<4x8xf32>) -> tensor<2xf32> {
  %z = mhlo.constant dense<0.0> : tensor<f32>
  %0 = mhlo.copy %x : tensor<4x8xf32>
  // The line that LOC names.
  %1 = mhlo.erf %0 : tensor<4x8xf32>
  %2 = mhlo.reduce(%1 init: %z) applies mhlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = "mhlo.bitcast"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "mhlo.slice"(%3) {start_indices = dense<0> : tensor<1xi64>, limit_indices = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}
