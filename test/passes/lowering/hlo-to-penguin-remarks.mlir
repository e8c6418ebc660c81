// Donated arguments are not reused: a remark for each, and none for the others.
// RUN: penguin-opt --hlo-to-penguin --remarks-filter=hlo-to-penguin %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [[# @LINE + 5]]:{{[0-9]+}}: remark: [Analysis] DonationNotUsed
// CHECK-SAME: Function=main | Argument="arg0"
// CHECK: remark: [Analysis] DonationNotUsed
// CHECK-SAME: Argument="arg2"
// CHECK-NOT: remark
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>,
                %c: tensor<4xf32> {jax.buffer_donor = true}) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}
