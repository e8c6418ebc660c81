// Without the module, the flags of passes run on the op that is there, and text has the file's name.
// RUN: penguin-opt --no-implicit-module --cse --mlir-disable-threading --split-input-file %s | filecheck %s
// RUN: penguin-opt --no-implicit-module --pass-pipeline='func.func(cse)' --split-input-file %s | filecheck %s
// RUN: penguin-opt --split-input-file --mlir-pretty-debuginfo %s | filecheck %s --check-prefix=PRETTY
// RUN: not penguin-opt --no-implicit-module --hlo-to-penguin --split-input-file %s 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: penguin-opt --emit-bytecode %s -o %t.bc && penguin-opt --no-implicit-module %t.bc | filecheck %s --check-prefix=BYTECODE

// CHECK-NOT: module
// CHECK: func.func @f
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.addi
// CHECK-NEXT: return
// CHECK: func.func @g

// PRETTY: func.func @f({{.*}}no-implicit-module.mlir:20:14)
// PRETTY-NOT: -:20:14
// ANCHOR: error: pass 'hlo-to-penguin' runs on 'builtin.module', but is nested in 'func.func' [PGP005]
// BYTECODE: module

func.func @f(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.constant 1 : i32
  %0 = arith.addi %c, %d : i32
  return %0 : i32
}
// -----
func.func @g() { return }
