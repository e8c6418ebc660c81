// RUN: penguin-opt --simplify-hlo --split-input-file %s | filecheck %s
// RUN: penguin-opt --simplify-hlo --mlir-pass-statistics --split-input-file %s -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT

// The first start is clamped from above to 8 - 2, the second from below to 0.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %[[R:.*]] = stablehlo.slice %arg0 [6:8, 0:3, 1:5] : (tensor<8x6x5xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[R]]
// STAT: (S) 1 slices - Number of dynamic slices made static
func.func @slice(%a: tensor<8x6x5xf32>) -> tensor<2x3x4xf32> {
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %minus_nine = stablehlo.constant dense<-9> : tensor<i32>
  %one_16 = stablehlo.constant dense<1> : tensor<i16>
  %one = stablehlo.convert %one_16 : (tensor<i16>) -> tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %nine, %minus_nine, %one, sizes = [2, 3, 4] : (tensor<8x6x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// A start that something else reads stays.
// CHECK-LABEL: func.func @start_has_other_use(
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3>
// CHECK-NEXT: %[[R:.*]] = stablehlo.slice %arg0 [3:5]
// CHECK-NEXT: return %[[R]], %[[C]]
func.func @start_has_other_use(%a: tensor<8xf32>) -> (tensor<2xf32>, tensor<i32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0, %c : tensor<2xf32>, tensor<i32>
}

// -----

// A start, and the constant that it is converted from, as starts of one op.
// CHECK-LABEL: func.func @starts_share_a_definition(
// CHECK-NEXT: stablehlo.slice %arg0 [1:3, 1:3]
// CHECK-NEXT: return
func.func @starts_share_a_definition(%a: tensor<4x4xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.convert %c : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %d, %c, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @update_in_the_middle(
// CHECK-NEXT: %[[LOW:.*]] = stablehlo.slice %arg0 [0:2] :
// CHECK-NEXT: %[[HIGH:.*]] = stablehlo.slice %arg0 [5:8] :
// CHECK-NEXT: %[[R:.*]] = stablehlo.concatenate %[[LOW]], %arg1, %[[HIGH]], dim = 0
// CHECK-NEXT: return %[[R]]
func.func @update_in_the_middle(%a: tensor<8xi8>, %u: tensor<3xi8>) -> tensor<8xi8> {
  %c = stablehlo.constant dense<2> : tensor<ui32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %c : (tensor<8xi8>, tensor<3xi8>, tensor<ui32>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

// The start is clamped to 8 - 3 = 5: nothing above the update.
// CHECK-LABEL: func.func @update_at_the_end(
// CHECK-NEXT: %[[LOW:.*]] = stablehlo.slice %arg0 [0:5] :
// CHECK-NEXT: %[[R:.*]] = stablehlo.concatenate %[[LOW]], %arg1, dim = 0
// CHECK-NEXT: return %[[R]]
func.func @update_at_the_end(%a: tensor<8xi8>, %u: tensor<3xi8>) -> tensor<8xi8> {
  %c = stablehlo.constant dense<100> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %c : (tensor<8xi8>, tensor<3xi8>, tensor<i32>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @update_of_everything(
// CHECK-NEXT: return %arg1
func.func @update_of_everything(%a: tensor<8xi8>, %u: tensor<8xi8>) -> tensor<8xi8> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %c : (tensor<8xi8>, tensor<8xi8>, tensor<i32>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// -----

// CHECK-LABEL: func.func @update_of_nothing(
// CHECK-NEXT: return %arg0
func.func @update_of_nothing(%a: tensor<8x4xi8>, %u: tensor<0x4xi8>) -> tensor<8x4xi8> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %c, %c : (tensor<8x4xi8>, tensor<0x4xi8>, tensor<i32>, tensor<i32>) -> tensor<8x4xi8>
  return %0 : tensor<8x4xi8>
}

// -----

// Smaller along dimensions 0 and 2: the inner concatenation is along 2, of rows 3 and 4 only.
// CHECK-LABEL: func.func @update_in_two_dimensions(
// CHECK-DAG: %[[LEFT:.*]] = stablehlo.slice %arg0 [3:5, 0:6, 0:1] :
// CHECK-DAG: %[[RIGHT:.*]] = stablehlo.slice %arg0 [3:5, 0:6, 3:4] :
// CHECK-DAG: %[[ROWS:.*]] = stablehlo.concatenate %[[LEFT]], %arg1, %[[RIGHT]], dim = 2 : {{.*}} -> tensor<2x6x4xf32>
// CHECK-DAG: %[[ABOVE:.*]] = stablehlo.slice %arg0 [0:3, 0:6, 0:4] :
// CHECK-DAG: %[[BELOW:.*]] = stablehlo.slice %arg0 [5:8, 0:6, 0:4] :
// CHECK: %[[R:.*]] = stablehlo.concatenate %[[ABOVE]], %[[ROWS]], %[[BELOW]], dim = 0
// CHECK-NEXT: return %[[R]]
func.func @update_in_two_dimensions(%a: tensor<8x6x4xf32>, %u: tensor<2x6x2xf32>) -> tensor<8x6x4xf32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %three, %zero, %one : (tensor<8x6x4xf32>, tensor<2x6x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x4xf32>
  return %0 : tensor<8x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @barrier(
// CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: return %[[R]]
func.func @barrier(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<4xf32>
  %1 = stablehlo.add %0#0, %0#1 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A composite whose decomposition has another.
// CHECK-LABEL: func.func @composite(
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg0
// CHECK-NEXT: %[[R:.*]] = stablehlo.negate %[[T]]
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: func.func
func.func @composite(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.outer" %a {decomposition = @outer} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.inner" %a {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A composite that penguin made stays, and so does its decomposition, whatever the names say; what
// is inside is simplified like everything else: an ordinary composite, a slice.
// CHECK-LABEL: func.func @ours(
// CHECK-NEXT: %[[R:.*]] = stablehlo.composite "my.op" %arg0 {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0}
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[R]]
// CHECK-NEXT: return %[[T]]
// CHECK: func.func private @hilo.genComposite0({{.*}} attributes {genComposite = true, noDelete = true}
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh
// CHECK-NEXT: stablehlo.slice %[[T]] [1:3]
// CHECK-NEXT: return
// CHECK-NOT: func.func
func.func @ours(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "my.op" %a {CompositeKind = "Elementwise", decomposition = @hilo.genComposite0} : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "composite.Fused" %0 {decomposition = @tanh2} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @hilo.genComposite0(%a: tensor<4xf32>) -> tensor<2xf32> attributes {genComposite = true, noDelete = true} {
  %0 = stablehlo.composite "my.tanh" %a {decomposition = @tanh} : (tensor<4xf32>) -> tensor<4xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.dynamic_slice %0, %c, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @tanh(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @tanh2(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Functions with `noDelete` survive, used or not, and stay private.
// CHECK-LABEL: func.func @keeps(
// CHECK-NEXT: return %arg0
// CHECK: func.func private @kept({{.*}} attributes {noDelete = true}
// CHECK: func.func private @unused({{.*}} attributes {genComposite = true, noDelete = true}
// CHECK-NOT: func.func
func.func @keeps(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @kept} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.op" %0 {decomposition = @gone} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @kept(%a: tensor<4xf32>) -> tensor<4xf32> attributes {noDelete = true} {
  return %a : tensor<4xf32>
}
func.func private @gone(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> attributes {genComposite = true, noDelete = true} {
  return %a : tensor<4xf32>
}
