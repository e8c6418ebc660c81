// RUN: penguin-opt --fusion-to-composite --verify-diagnostics %s
// RUN: not penguin-opt --fusion-to-composite %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [PGH004]

// CAPTURE
func.func @capture(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mhlo.negate %x : tensor<4xf32>
  // expected-error@+1 {{'mhlo.fusion' op uses a value from outside its region (L1)}}
  %1 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %2 = mhlo.add %a, %0 : tensor<4xf32>
    mhlo.return %2 : tensor<4xf32>
  }) {FusionKind = "Elementwise"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
