// One program at every level gives one result, and each executor judges the others.
// RUN: rm -rf %t && penguin-compile %s --emit=all -o %t
// RUN: penguin-run %t/stablehlo.mlir --compare=%s | filecheck %s
// RUN: penguin-run %t/penguin.mlir --compare=%s | filecheck %s
// RUN: penguin-run %t/loops.mlir --compare=%s | filecheck %s
// RUN: penguin-run %t/tiled.mlir --compare=%s --inputs=random:7 | filecheck %s
// RUN: penguin-run %t/bir.mlir --compare=%s --oracle=jax | filecheck %s
// RUN: penguin-run %t/program.bir --compare=%s | filecheck %s
// RUN: penguin-run %t/program.json --compare=%t/loops.mlir | filecheck %s
// RUN: penguin-run %s --compare=jax | filecheck %s
// RUN: penguin-run %s --compare=reference | filecheck %s
// RUN: penguin-run - --compare=%s < %t/program.bir | filecheck %s

// Given inputs, by name and by position; what comes out is x + y and x < y.
// RUN: %python -c 'import numpy as np, sys; x = dict(arg0=np.float32([1, 2, 3, -4]), arg1=np.float32([.5, .5, 4, 4])); np.savez(sys.argv[1] + "/x.npz", **x); np.savez(sys.argv[1] + "/p.npz", *x.values())' %t
// RUN: penguin-run %t/program.bir --inputs=%t/x.npz | filecheck %s --check-prefix=VALUES
// RUN: penguin-run %t/penguin.mlir --inputs=%t/p.npz | filecheck %s --check-prefix=VALUES
// RUN: penguin-run %s --inputs=%t/p.npz --oracle=jax | filecheck %s --check-prefix=VALUES
// RUN: penguin-run %s --inputs=%t/x.npz --save-outputs=%t/y.npz
// RUN: %python -c 'import numpy as np, sys; y = np.load(sys.argv[1]); print(y["out0"], y["out1"])' %t/y.npz | filecheck %s --check-prefix=SAVED
// RUN: penguin-run %t/program.bir --timing 2>&1 >/dev/null | filecheck %s --check-prefix=TIMING
// RUN: penguin-run --help | filecheck %s --check-prefix=HELP

// Another program: the largest error is shown, and the status is 1.
// RUN: sed -e 's/stablehlo.add/stablehlo.subtract/' %s > %t/other.mlir
// RUN: not penguin-run %t/program.bir --compare=%t/other.mlir --inputs=%t/x.npz | filecheck %s --check-prefix=OVER

// CHECK: compared with
// CHECK-NEXT: out0 f32[4] abs 0 rel 0 tolerance 0.0001 ok
// CHECK-NEXT: out1 {{i1|ui8}}[4] abs 0 rel 0 tolerance exact ok

// VALUES: out0: f32[4]
// VALUES-NEXT: [1.5, 2.5, 7. , 0. ]
// VALUES-NEXT: out1: {{i1|ui8}}[4]
// VALUES-NEXT: [{{False|0}}, {{False|0}}, {{ True|1}}, {{ True|1}}]
// SAVED: [1.5 2.5 7. 0. ] [False False True True]
// TIMING: executed in {{[0-9.]+}} s
// TIMING: estimate for trn2:
// TIMING: DMA
// HELP: USAGE: penguin-run [flags] FILE

// The results are x + y = [1.5, 2.5, 7, 0] and x - y = [0.5, 1.5, -1, -8].
// OVER: out0 f32[4] abs 8 rel 1 tolerance 0.0001 OVER
// OVER-NEXT: out1 i1[4] abs 0 rel 0 tolerance exact ok

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %s = stablehlo.add %x, %y : tensor<4xf32>
  %l = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %s, %l : tensor<4xf32>, tensor<4xi1>
}
