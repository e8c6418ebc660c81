// RUN: penguin-opt --legalize-chlo --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --legalize-chlo %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [PGI014]
func.func @l1_no_expansion(%a: tensor<4xf32>, %b: tensor<4xf8E4M3FN>) {
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{'chlo.erf' op has no expansion for its types (L1)}}
  %1 = chlo.erf %b : tensor<4xf8E4M3FN> -> tensor<4xf8E4M3FN>
  return
}
