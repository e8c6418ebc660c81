// RUN: penguin-opt --inline-calls --split-input-file %s | filecheck %s
// RUN: penguin-opt --inline-calls --mlir-print-debuginfo --split-input-file %s | filecheck %s --check-prefix=LOC
// RUN: penguin-opt --inline-calls --mlir-pass-statistics --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// A callee that calls, called twice: both levels are inlined, at both places.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[T0:.*]] = stablehlo.tanh %[[A]]
// CHECK-NEXT: %[[S0:.*]] = stablehlo.add %[[T0]], %[[T0]]
// CHECK-NEXT: %[[T1:.*]] = stablehlo.tanh %[[S0]]
// CHECK-NEXT: %[[S1:.*]] = stablehlo.add %[[T1]], %[[T1]]
// CHECK-NEXT: return %[[S1]]
// CHECK-NOT: func.func

// The op is where it stands in the callee, called from @outer, called from @main.
// LOC-LABEL: func.func @main
// LOC: stablehlo.tanh {{.*}} loc(#[[TANH:loc[0-9]+]])
// LOC-DAG: #[[IN_TANH:loc[0-9]+]] = loc("tanh of inner")
// LOC-DAG: #[[CALL_INNER:loc[0-9]+]] = loc("call of inner")
// LOC-DAG: #[[CALL_OUTER:loc[0-9]+]] = loc("first call of outer")
// LOC-DAG: #[[CALLS:loc[0-9]+]] = loc(callsite(#[[CALL_INNER]] at #[[CALL_OUTER]]))
// LOC-DAG: #[[TANH]] = loc(callsite(#[[IN_TANH]] at #[[CALLS]]))

// STAT: (S) 3 inlined - Number of calls inlined
// STAT: (S) 2 erased - Number of private functions erased
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outer(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("first call of outer")
  %1 = call @outer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("call of inner")
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32> loc("tanh of inner")
  return %0 : tensor<4xf32>
}

// -----

// A call inside a region; a callee with several results, one of which is its argument.
// CHECK-LABEL: func.func @in_a_region(
// CHECK: stablehlo.while
// CHECK: do {
// CHECK-NOT: call
// CHECK: %[[N:.*]] = stablehlo.negate %[[X:.*]] :
// CHECK: stablehlo.return %{{.*}}, %[[N]]
func.func @in_a_region(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %c:2 = func.call @step(%i, %v) : (tensor<i32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>)
    stablehlo.return %c#1, %c#0 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
func.func private @step(%i: tensor<i32>, %v: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %0 = stablehlo.negate %v : tensor<4xf32>
  return %0, %i : tensor<4xf32>, tensor<i32>
}

// -----

// Stays: a public callee, and the decomposition of a composite.
// CHECK-LABEL: func.func @keeps
// CHECK: stablehlo.composite "my.op"
// CHECK: stablehlo.abs
// CHECK: func.func @public_callee
// CHECK: func.func private @decomposition
func.func @keeps(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @decomposition} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @public_callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @public_callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @decomposition(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// Composites of penguin stay; a call in a decomposition is inlined; `noDelete` survives.
// CHECK-LABEL: func.func @composites(
// CHECK-NEXT: stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0}
// CHECK-NEXT: return
// CHECK: func.func private @hilo.genComposite0(
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: return
// CHECK: func.func private @unused({{.*}} attributes {genComposite = true, noDelete = true}
// CHECK-NOT: func.func
// STAT: (S) 1 inlined - Number of calls inlined
// STAT: (S) 1 erased - Number of private functions erased
func.func @composites(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "composite.Fused" %a {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @hilo.genComposite0(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  %0 = call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  return %a : tensor<4xf32>
}
