// RUN: penguin-opt --dot-softmax-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --dot-softmax-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// OTHER_REDUCE
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=init | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @init(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<1.0> : tensor<f32>
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

// OTHER_BROADCAST
// CHECK: [Missed] OtherBroadcast | Category:hlo:dot-softmax-fusion | Function=first_axis | Reason="a reduce is not broadcast back along the axes that it kept"
func.func @first_axis(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%q, %k) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.multiply %d, %c : tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %mb = "stablehlo.broadcast_in_dim"(%m1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %x = stablehlo.subtract %l, %mb : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %s1 = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 1>} : (tensor<8xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %s1 : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_MAXIMUM
// CHECK: [Missed] NoMaximum | Category:hlo:dot-softmax-fusion | Function=no_maximum | Reason="the exponent is not the logits minus their maximum"
func.func @no_maximum(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%q, %k) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.multiply %d, %c : tensor<4x8xf32>
  %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %mb = "stablehlo.broadcast_in_dim"(%m1) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %x = stablehlo.subtract %l, %c : tensor<4x8xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s1 = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %s1 : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_DOT
// CHECK: [Missed] NoDot | Category:hlo:dot-softmax-fusion | Function=no_dot | Reason="the logits do not come from a dot by a few operations"
func.func @no_dot(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.multiply %c, %c : tensor<4x8xf32>
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

// ESCAPES
// CHECK: [Missed] Escapes | Category:hlo:dot-softmax-fusion | Function=escapes | Reason="a value of the group is used outside of it"
func.func @escapes(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
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
  return %r, %e : tensor<4x8xf32>, tensor<4x8xf32>
}

// OTHER_BLOCK
// CHECK: [Missed] OtherBlock | Category:hlo:dot-softmax-fusion | Function=other_block | Reason="the operations are not in one block"
func.func @other_block(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>, %p: tensor<i1>, %k0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = "stablehlo.dot"(%q, %k) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %c = "stablehlo.if"(%p) ({
    %m = stablehlo.reduce(%l init: %ninf) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %m1 = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
    %x = stablehlo.subtract %l, %m1 : tensor<4x8xf32>
    %e = stablehlo.exponential %x : tensor<4x8xf32>
    %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %s1 = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
    %r = stablehlo.divide %e, %s1 : tensor<4x8xf32>
    "stablehlo.return"(%r) : (tensor<4x8xf32>) -> ()
  }, {
    %n = stablehlo.negate %k0 : tensor<4x8xf32>
    "stablehlo.return"(%n) : (tensor<4x8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// CHECK-NOT: [Missed]
