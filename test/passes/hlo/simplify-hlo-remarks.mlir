// Every ordinary composite gets a remark with its name and decomposition, ours gets none.
// RUN: penguin-opt --simplify-hlo --remarks-filter-passed=simplify-hlo %s -o /dev/null 2>&1 | filecheck %s
// RUN: penguin-opt --simplify-hlo --mlir-pass-statistics %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// CHECK: [[# @LINE + 7]]:8: remark: [Passed] InlinedComposite | Category:hlo:simplify-hlo | Function=main | Name="my.op", Decomposition="outer"
// CHECK-NEXT: {{.*}}:[[# @LINE + 11]]:8: remark: [Passed] InlinedComposite | {{.*}} | Function=outer | Name="my.inner", Decomposition="inner"
// CHECK-NOT: remark: [

// STAT: (S) 2 composites - Number of composites replaced by their decomposition

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @outer} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "Expm1", decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.inner" %a {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
