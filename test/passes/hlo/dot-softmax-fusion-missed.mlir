// RUN: penguin-opt --dot-softmax-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: not grep composite %t
// RUN: %to_mhlo %s | penguin-opt --dot-softmax-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s
// RUN: not grep mhlo.fusion %t

// OTHER_REDUCE: a softmax over the first axis.
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=axis | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @axis(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 1>} : (tensor<8xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 1>} : (tensor<8xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// OTHER_REDUCE: the sum starts at 1.
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=init_of_sum | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @init_of_sum(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.reduce(%e init: %one) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// OTHER_REDUCE: the maximum starts at an argument.
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=init_of_maximum | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @init_of_maximum(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %i: tensor<f32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// OTHER_REDUCE: the least logit.
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=minimum | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @minimum(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.minimum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// OTHER_REDUCE: the sum of the logits.
// CHECK: [Missed] OtherReduce | Category:hlo:dot-softmax-fusion | Function=sum_for_maximum | Reason="a reduce is not over the last axis, of -inf with maximum or 0 with add"
func.func @sum_for_maximum(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// OTHER_BROADCAST: a square, whose row sums go to the columns.
// CHECK: [Missed] OtherBroadcast | Category:hlo:dot-softmax-fusion | Function=broadcast | Reason="a reduce is not broadcast back along the axes that it kept"
func.func @broadcast(%x: tensor<8x6xf32>, %w: tensor<6x8xf32>) -> tensor<8x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<8x8xf32>
  %e = stablehlo.exponential %u : tensor<8x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 1>} : (tensor<8xf32>) -> tensor<8x8xf32>
  %r = stablehlo.divide %e, %t : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// OTHER_BROADCAST: rows and their groups change places.
// CHECK: [Missed] OtherBroadcast | Category:hlo:dot-softmax-fusion | Function=reshape | Reason="a reduce is not broadcast back along the axes that it kept"
func.func @reshape(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %g = stablehlo.reshape %m : (tensor<4xf32>) -> tensor<2x2xf32>
  %h = stablehlo.reshape %g : (tensor<2x2xf32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%h) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_MAXIMUM: the exponential of the logits.
// CHECK: [Missed] NoMaximum | Category:hlo:dot-softmax-fusion | Function=no_difference | Reason="the exponent is not the logits minus their maximum"
func.func @no_difference(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %e = stablehlo.exponential %d : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_MAXIMUM: a value that is no maximum is subtracted.
// CHECK: [Missed] NoMaximum | Category:hlo:dot-softmax-fusion | Function=other_value | Reason="the exponent is not the logits minus their maximum"
func.func @other_value(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %n: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_MAXIMUM: the maximum of something else.
// CHECK: [Missed] NoMaximum | Category:hlo:dot-softmax-fusion | Function=maximum_of_other | Reason="the exponent is not the logits minus their maximum"
func.func @maximum_of_other(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%o init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_MAXIMUM: the maximum is not less than 1.
// CHECK: [Missed] NoMaximum | Category:hlo:dot-softmax-fusion | Function=guard | Reason="the exponent is not the logits minus their maximum"
func.func @guard(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %g = stablehlo.maximum %m, %one : tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%g) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_DOT: the logits are an argument.
// CHECK: [Missed] NoDot | Category:hlo:dot-softmax-fusion | Function=no_dot | Reason="the logits do not come from a dot by a few operations"
func.func @no_dot(%d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_DOT: nine operations are between.
// CHECK: [Missed] NoDot | Category:hlo:dot-softmax-fusion | Function=far | Reason="the logits do not come from a dot by a few operations"
func.func @far(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d0 = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %d1 = stablehlo.negate %d0 : tensor<4x8xf32>
  %d2 = stablehlo.negate %d1 : tensor<4x8xf32>
  %d3 = stablehlo.negate %d2 : tensor<4x8xf32>
  %d4 = stablehlo.negate %d3 : tensor<4x8xf32>
  %d5 = stablehlo.negate %d4 : tensor<4x8xf32>
  %d6 = stablehlo.negate %d5 : tensor<4x8xf32>
  %d7 = stablehlo.negate %d6 : tensor<4x8xf32>
  %d8 = stablehlo.negate %d7 : tensor<4x8xf32>
  %d = stablehlo.negate %d8 : tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NO_DOT: an operation that is not on the list.
// CHECK: [Missed] NoDot | Category:hlo:dot-softmax-fusion | Function=opaque | Reason="the logits do not come from a dot by a few operations"
func.func @opaque(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d0 = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %d = stablehlo.sine %d0 : tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// ESCAPES: the logits.
// CHECK: [Missed] Escapes | Category:hlo:dot-softmax-fusion | Function=logits_escape | Reason="a value of the group is used outside of it"
func.func @logits_escape(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r, %d : tensor<4x8xf32>, tensor<4x8xf32>
}

// ESCAPES: the dot, before its scale.
// CHECK: [Missed] Escapes | Category:hlo:dot-softmax-fusion | Function=dot_escapes | Reason="a value of the group is used outside of it"
func.func @dot_escapes(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d0 = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %d = stablehlo.negate %d0 : tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r, %d0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// ESCAPES: the sums of the rows.
// CHECK: [Missed] Escapes | Category:hlo:dot-softmax-fusion | Function=sum_escapes | Reason="a value of the group is used outside of it"
func.func @sum_escapes(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
  %e = stablehlo.exponential %u : tensor<4x8xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
  %r = stablehlo.divide %e, %t : tensor<4x8xf32>
  return %r, %s : tensor<4x8xf32>, tensor<4xf32>
}

// OTHER_BLOCK: the dot is outside of the branch.
// CHECK: [Missed] OtherBlock | Category:hlo:dot-softmax-fusion | Function=block | Reason="the operations are not in one block"
func.func @block(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %p: tensor<i1>) -> tensor<4x8xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %i = "stablehlo.if"(%p) ({
    %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %n = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
    %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
    %e = stablehlo.exponential %u : tensor<4x8xf32>
    %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %t = "stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x8xf32>
    %r = stablehlo.divide %e, %t : tensor<4x8xf32>
    "stablehlo.return"(%r) : (tensor<4x8xf32>) -> ()
  }, {
    "stablehlo.return"(%d) : (tensor<4x8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4x8xf32>
  return %i : tensor<4x8xf32>
}

// CHECK-NOT: [Missed]
