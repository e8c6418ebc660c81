// Each fault is one message, status 1, nothing on stdout and no output file.
// RUN: rm -rf %t && mkdir %t
// RUN: not penguin-compile %s -o %t/o.bir 2>&1 | filecheck %s
// RUN: not penguin-compile %s -o %t/o.bir 2>/dev/null | filecheck %s --check-prefix=EMPTY --allow-empty
// RUN: not penguin-compile %s --emit=all -o %t/folder 2>&1 | filecheck %s
// RUN: sed -e 's/return/retrn/' %s > %t/broken.mlir && not penguin-compile %t/broken.mlir -o %t/o.bir 2>&1 | filecheck %s --check-prefix=BROKEN
// RUN: sed -e 's/stablehlo.cholesky/other.op/' %s > %t/op.mlir && not penguin-compile %t/op.mlir -o %t/o.bir 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: sed -e 's/4x4xf32/?x4xf32/g' %s > %t/dynamic.mlir && not penguin-compile %t/dynamic.mlir -o %t/o.bir 2>&1 | filecheck %s --check-prefix=DYNAMIC
// RUN: not penguin-compile %t/none.mlir -o %t/o.bir 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not penguin-compile - -o %t/o.bir < /dev/null 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: not penguin-compile %s -o %t/none/o.bir 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: not penguin-compile %s -o %t 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: not penguin-compile %s --emit=all -o %t/op.mlir 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not penguin-compile %s --report-file=%t/none/r.txt 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: not penguin-compile %s --emitt=bir 2>&1 | filecheck %s --check-prefix=FLAG
// RUN: not penguin-compile %s --emit=birr 2>&1 | filecheck %s --check-prefix=FORM
// RUN: not penguin-compile %s --target=trn9 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not penguin-compile %s --seed=one 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: not penguin-compile 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not penguin-compile %s %s 2>&1 | filecheck %s --check-prefix=MANY
// RUN: echo 'module trn2 func' > %t/broken.bir && not penguin-compile %t/broken.bir -o %t/o.bir 2>&1 | filecheck %s --check-prefix=BIR
// RUN: echo '{"version": 2' > %t/broken.json && not penguin-compile %t/broken.json -o %t/o.bir 2>&1 | filecheck %s --check-prefix=JSON
// RUN: ls -A %t | filecheck %s --check-prefix=LEFT

// Every unsupported op of the module is named.
// CHECK: penguin-compile-invalid.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'stablehlo.cholesky' op is not supported
// CHECK-SAME: [PGL001]
// CHECK-NEXT: penguin-compile-invalid.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'stablehlo.cholesky' op is not supported
// CHECK-NOT: {{error|Traceback}}
// EMPTY-NOT: {{.}}

// BROKEN: broken.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}retrn{{.*}} [PGI005]
// UNKNOWN: op.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}} [PGI0
// DYNAMIC: dynamic.mlir:{{[0-9]+:[0-9]+}}: error: argument #0 has type tensor<?x4xf32>, expected a static shape [PGI006]
// MISSING: error: cannot read the input file '{{.*}}none.mlir': No such file or directory [PGP012]
// NOTHING: <stdin>: error: the input is empty
// OUTPUT: error: cannot write the output file {{.*}}: there is no folder {{.*}} [PGP014]
// FOLDER: error: cannot write the output file {{.*}}: it is a folder [PGP014]
// FILE: error: cannot write several files to {{.*}}: not a folder [PGP014]
// FLAG: error: unknown flag '--emitt', did you mean '--emit'? [PGP010]
// FORM: error: --emit cannot be 'birr', did you mean 'bir'? [PGP011]
// TARGET: error: --target expects one of trn1, trn2, trn3, got 'trn9' [PGP011]
// TYPE: error: --seed expects a value of type int, got 'one' [PGP011]
// NONE: error: expected one model, got none; see --help [PGR211]
// MANY: error: expected one model, got {{.*}}.mlir, {{.*}}.mlir; see --help [PGR211]
// BIR: broken.bir:1:{{[0-9]+}}: error: {{.*}} [PGB
// JSON: broken.json:2:1: error: {{.*}} [PGB

// LEFT: broken.bir
// LEFT-NEXT: broken.json
// LEFT-NEXT: broken.mlir
// LEFT-NEXT: dynamic.mlir
// LEFT-NEXT: op.mlir
// LEFT-NOT: {{.}}

func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = stablehlo.cholesky %x : tensor<4x4xf32>
  %z = stablehlo.cholesky %y : tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
