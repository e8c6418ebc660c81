// The module computes the same before and after, on both dialects.
// RUN: penguin-opt --dot-logistic-fusion --verify-semantics %s -o /dev/null
// RUN: %to_mhlo %s | penguin-opt --dot-logistic-fusion --verify-semantics -o /dev/null
// RUN: penguin-opt --dot-logistic-fusion --rewrite-limit=1 --verify-semantics %s | filecheck %s
// RUN: penguin-opt --dot-logistic-fusion --rewrite-limit=1 --remark-format=emitRemark --remarks-filter=. %s 2>&1 >%t | filecheck %s --check-prefix=REMARK

// One rewrite is the re-association alone.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[D:.*]] = stablehlo.dot_general
// CHECK-NEXT:    %[[E:.*]] = stablehlo.dot
// CHECK-NEXT:    %[[L:.*]] = stablehlo.logistic %[[D]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[L]], %[[D]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.reshape %[[M]] : (tensor<4x8xf32>) -> tensor<2x16xf32>
// CHECK-NEXT:    %[[K:.*]] = stablehlo.logistic %[[E]]

// REMARK: [Passed] Reassociated | Category:hlo:dot-logistic-fusion | Function=main
// REMARK: [Missed] RewriteLimit
// REMARK: [Missed] RewriteLimit
// REMARK-NOT: remark:
func.func @main(%x: tensor<4x6xf32>, %w: tensor<8x6xf32>, %v: tensor<6x3xf32>) -> (tensor<2x16xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %d = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<4x6xf32>, tensor<8x6xf32>) -> tensor<4x8xf32>
  %e = "stablehlo.dot"(%x, %v) : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %l = stablehlo.logistic %s : tensor<2x16xf32>
  %m = stablehlo.multiply %l, %s : tensor<2x16xf32>
  %k = stablehlo.logistic %e : tensor<4x3xf32>
  %n = stablehlo.subtract %k, %e : tensor<4x3xf32>
  return %m, %n, %e : tensor<2x16xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
