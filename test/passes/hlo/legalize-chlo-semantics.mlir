// XLA executes both; it expands the chlo ops of the original itself.
// RUN: penguin-opt --legalize-chlo %s -o %t.mlir
// RUN: penguin-run %t.mlir --inputs=random:1 --oracle=jax --compare=%s

func.func @main(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xi1>) {
  %0 = chlo.erf %a : tensor<64xf32> -> tensor<64xf32>
  %1 = chlo.sinh %a : tensor<64xf32> -> tensor<64xf32>
  %2 = chlo.square %a : tensor<64xf32> -> tensor<64xf32>
  %3 = chlo.is_inf %a : tensor<64xf32> -> tensor<64xi1>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xi1>
}
