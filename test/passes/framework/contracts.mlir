// What passes require and promise is checked while they run.
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-requires 2>&1 | filecheck %s --check-prefix=LEVEL
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --test-broken-promise 2>&1 | filecheck %s --check-prefix=PROMISE
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-broken-promise --verify-each=false
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --hlo-to-penguin --test-requires

// LEVEL: contracts.mlir:[[# @LINE + 3]]:8: error: pass 'test-requires' requires 'tensor-level', found 'stablehlo.add'; 'tensor-level' is produced by hlo-to-penguin
// PROMISE: internal error in pass 'test-broken-promise': promised 'loop-level', but left 'stablehlo.add' at {{.*}}contracts.mlir:[[# @LINE + 2]]:8 [PGX005]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
