// An ordinary composite gets a remark, as does one that an op cannot take; the others get none.
// RUN: penguin-opt --hlo-to-penguin --remarks-filter=hlo-to-penguin %s -o /dev/null 2>&1 | filecheck %s
// RUN: penguin-opt --hlo-to-penguin --mlir-print-debuginfo %s | filecheck %s --check-prefix=LOC

// CHECK: [[# @LINE + 16]]:8: remark: [Passed] InlinedComposite | Category:lowering:hlo-to-penguin | Function=main | Name="composite.Fused", Decomposition="hilo.genComposite0"
// CHECK-NEXT: {{.*}}:[[# @LINE + 17]]:8: remark: [Missed] TooManyTypes | {{.*}} | Reason="the values that go in and out are of more types than one op can take", Decomposition="wide"
// CHECK-NEXT: {{.*}}:[[# @LINE + 17]]:3: remark: [Missed] NoResults | {{.*}} | Reason="it has no results", Decomposition="empty"
// CHECK-NOT: remark: [

// An op of an ordinary composite is where it stands, called from the composite; the ops of ours keep
// their locations, and the fusion has the composite's.
// LOC: #[[OURS:loc[0-9]+]] = loc("ours")
// LOC: "penguin.unary"{{.*}} loc(#[[IN_ORDINARY:loc[0-9]+]])
// LOC: "penguin.fusion"
// LOC: "penguin.unary"{{.*}} loc(#[[TANH:loc[0-9]+]])
// LOC: }) {{.*}} loc(#[[OURS]])
// LOC-DAG: #[[TANH]] = loc("the tanh")
// LOC-DAG: #[[AT:loc[0-9]+]] = loc({{.*}}:21:8)
// LOC-DAG: #[[IN_ORDINARY]] = loc(callsite(#[[TANH]] at #[[AT]]))
func.func @main(%a: tensor<4xf32>, %a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<5xf32>, %a5: tensor<6xf32>, %a6: tensor<7xf32>, %a7: tensor<8xf32>, %a8: tensor<9xf32>, %a9: tensor<10xf32>, %a10: tensor<11xf32>, %a11: tensor<12xf32>, %a12: tensor<13xf32>, %a13: tensor<14xf32>, %a14: tensor<15xf32>, %a15: tensor<16xf32>, %a16: tensor<17xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {decomposition = @hilo.genComposite0} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0} : (tensor<4xf32>) -> tensor<4xf32> loc("ours")
  %2 = stablehlo.composite "composite.Fused" %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16 {CompositeKind = "Elementwise", decomposition = @wide} : (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>, tensor<7xf32>, tensor<8xf32>, tensor<9xf32>, tensor<10xf32>, tensor<11xf32>, tensor<12xf32>, tensor<13xf32>, tensor<14xf32>, tensor<15xf32>, tensor<16xf32>, tensor<17xf32>) -> tensor<1xf32>
  "stablehlo.composite"(%a) {name = "composite.Fused", composite_attributes = {}, version = 0 : i32, CompositeKind = "Elementwise", decomposition = @empty} : (tensor<4xf32>) -> ()
  return %1 : tensor<4xf32>
}
func.func private @empty(%x: tensor<4xf32>) attributes {genComposite = true, noDelete = true} {
  return
}
func.func private @hilo.genComposite0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("the tanh")
  return %0 : tensor<4xf32>
}
func.func private @wide(%a0: tensor<1xf32>, %a1: tensor<2xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<5xf32>, %a5: tensor<6xf32>, %a6: tensor<7xf32>, %a7: tensor<8xf32>, %a8: tensor<9xf32>, %a9: tensor<10xf32>, %a10: tensor<11xf32>, %a11: tensor<12xf32>, %a12: tensor<13xf32>, %a13: tensor<14xf32>, %a14: tensor<15xf32>, %a15: tensor<16xf32>, %a16: tensor<17xf32>) -> tensor<1xf32> {
  return %a0 : tensor<1xf32>
}
