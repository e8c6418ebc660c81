// RUN: penguin-opt --inline-calls --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --inline-calls --split-input-file %s -o /dev/null 2>&1 | filecheck %s

// CHECK: [PGI011]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @l1_recursive(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @l1_recursive(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @other(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{recursive call: @l1_recursive -> @other -> @l1_recursive (L1)}}
  %0 = call @l1_recursive(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: [PGI012]
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @l2_no_body(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{call of @declared, which has no body (L2)}}
  %0 = call @declared(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: [PGI013]
func.func private @branches(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
^next:
  return %a : tensor<4xf32>
}
func.func @l3_several_blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{call of @branches, whose body has 2 blocks, expected 1 (L3)}}
  %0 = call @branches(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
