// Inputs that do not fit, programs that cannot be executed or compared: one message, status 1.
// RUN: rm -rf %t && penguin-compile %s --emit=all -o %t
// RUN: %python -c 'import numpy as np, sys; d = sys.argv[1] + "/"; f = np.float32; np.savez(d + "shape.npz", arg0=np.zeros((3, 4), f)); np.savez(d + "dtype.npz", arg0=np.zeros((4, 3))); np.savez(d + "name.npz", x=np.zeros((4, 3), f)); np.savez(d + "more.npz", np.zeros((4, 3), f), np.zeros(3, f))' %t
// RUN: not penguin-run %s --inputs=%t/shape.npz 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: not penguin-run %t/program.bir --inputs=%t/shape.npz --save-outputs=%t/y.npz 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: not penguin-run %t/loops.mlir --inputs=%t/dtype.npz 2>&1 | filecheck %s --check-prefix=DTYPE
// RUN: not penguin-run %t/program.json --inputs=%t/name.npz 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not penguin-run %s --inputs=%t/more.npz 2>&1 | filecheck %s --check-prefix=MORE
// RUN: not penguin-run %s --inputs=%t/none.npz 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not penguin-run %s --inputs=%s 2>&1 | filecheck %s --check-prefix=KIND
// RUN: not penguin-run %s --inputs=random:x 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not penguin-run %t/program.bir --compare=jax 2>&1 | filecheck %s --check-prefix=MODEL
// RUN: sed -e 's/4x3/4x5/g' %s > %t/other.mlir && not penguin-run %t/program.bir --compare=%t/other.mlir 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: sed -e 's/-> tensor<4x3xf32>/-> (tensor<4x3xf32>, tensor<4x3xf32>)/' -e 's/return %%x :/return %%x, %%x : tensor<4x3xf32>,/' %s > %t/two.mlir && not penguin-run %t/program.bir --compare=%t/two.mlir 2>&1 | filecheck %s --check-prefix=OUTPUTS
// RUN: sed -e 's/f32/f64/g' %s > %t/f64.mlir && not penguin-run %t/f64.mlir 2>&1 | filecheck %s --check-prefix=F64
// RUN: sed -e 's/@main/private @main_/' %s > %t/entry.mlir && not penguin-run %t/entry.mlir 2>&1 | filecheck %s --check-prefix=ENTRY
// RUN: not penguin-run %t/missing.bir 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not penguin-run %s --save-outputs=%t/none/y.npz 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: not penguin-run %s --input=random:1 2>&1 | filecheck %s --check-prefix=FLAG
// RUN: not penguin-run 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not ls %t/y.npz

// SHAPE: shape.npz: error: input 'arg0' is f32[3, 4], expected f32[4, 3] [PGR204]
// SHAPE-NOT: {{.}}
// DTYPE: dtype.npz: error: input 'arg0' is float64[4, 3], expected f32[4, 3] [PGR204]
// NAME: name.npz: error: the file has x, expected arg0 [PGR203]
// MORE: more.npz: error: the file has arr_0, arr_1, expected arg0 [PGR203]
// NONE: error: cannot read the inputs: no such file or directory; expected random:SEED or an .npz file [PGR205]
// KIND: penguin-run-invalid.mlir: error: cannot read the inputs: not an .npz file; expected random:SEED or an .npz file [PGR205]
// MODEL: program.bir: error: jax executes StableHLO, the program is at a lower level; expected the model that it was compiled from: --compare=MODEL [PGR212]
// OTHER: error: the program takes f32[4, 3], the one to compare with f32[4, 5]; expected equal [PGR206]
// OUTPUTS: error: the programs have 1 and 2 outputs, expected equal [PGR206]
// F64: f64.mlir:{{[0-9]+:[0-9]+}}: error: 'arg0' has type tensor<4x3xf64>, expected a static tensor of one of f32, bf16, {{.*}} [PGR202]
// ENTRY: entry.mlir{{.*}}: error: the module has 0 public functions, expected one, or one called 'main' [PGR201]
// MISSING: error: cannot read the input file {{.*}}missing.bir': No such file or directory [PGP012]
// OUTPUT: error: cannot write the output file {{.*}}y.npz': there is no folder {{.*}} [PGP014]
// FLAG: error: unknown flag '--input', did you mean '--inputs'? [PGP010]
// NOTHING: error: expected one program, got none; see --help [PGR211]

func.func @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  return %x : tensor<4x3xf32>
}
