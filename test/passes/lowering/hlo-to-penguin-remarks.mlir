// A remark for each donated argument: the output that has its buffer, or why none has.
// RUN: penguin-opt --hlo-to-penguin --split-input-file --remarks-filter=hlo-to-penguin %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [[# @LINE + 6]]:{{[0-9]+}}: remark: [Passed] Donation
// CHECK-SAME: Function=main | Argument="arg0", Output="out0"
// CHECK: remark: [Analysis] DonationNotUsed
// CHECK-SAME: Argument="arg2", Reason="no result of its type is left"
// CHECK-NOT: Function=main
// The first function.
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>,
                %c: tensor<4xf32> {jax.buffer_donor = true}) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK: Function=donors | Argument="arg2", Output="out0"
// CHECK: Function=donors | Argument="arg0", Output="out1"
// CHECK-NOT: Function=donors
func.func @donors(%a: tensor<4xf32> {jax.buffer_donor = true}, %b: tensor<4xf32> {jax.buffer_donor = false},
                  %c: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0, %c : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: Function=unused | Argument="arg1", Output="out0"
// CHECK: Function=unused | Argument="arg0", Reason="it names no result"
// CHECK: Function=unused | Argument="arg2", Reason="the result that it names has the buffer of another argument"
// CHECK: Function=unused | Argument="arg3", Reason="the result that it names has another type"
// CHECK-NOT: Function=unused
func.func @unused(%a: tensor<4xf32> {tf.aliasing_output = 7 : i32}, %b: tensor<4xf32> {tf.aliasing_output = 0 : i32},
                  %c: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %d: tensor<4xi32> {tf.aliasing_output = 0 : i32})
    -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
