// The first pass that changes a result is named, with the size of the error; innocent ones pass.
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --verify-semantics --cse --inline-calls | filecheck %s
// RUN: not penguin-opt %s --mlir-pass-pipeline-crash-reproducer=%t.other.mlir --load-pass-plugin=%S/Inputs/framework_passes.py --verify-semantics=3 --cse --test-miscompile --inline-calls 2>&1 | filecheck %s --check-prefix=WRONG

// CHECK: stablehlo.add
// WRONG: internal error in pass 'test-miscompile': changed a result: output 0 (int32) differs: largest absolute error {{[1-9][0-9]*}}, relative {{.*}}, tolerated 0 [PGX004]
// WRONG: replay with: penguin-opt {{.*}}--verify-semantics=3 --run-reproducer
func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %y = stablehlo.add %x, %x : tensor<8xi32>
  return %y : tensor<8xi32>
}
