// What the verifier forbids does not reach the pass: an error with its place, and exit 1. The clauses
// of each op are tested with the dialect.
// RUN: not penguin-opt %s --memcpy-elimination --split-input-file 2>&1 | filecheck %s
// RUN: not penguin-opt %s --memcpy-elimination --split-input-file >%t 2>&1
// RUN: not grep -i "traceback\|internal error" %t

// CHECK: memcpy-elimination-invalid.mlir:10:3: error: 'penguin.memcpy' op operand #1 has 49 elements, expected 48 to match operand #0 (C3)
func.func @counts(%x: memref<48xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<7x7xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<48xf32, "dram">, memref<7x7xf32, "dram">) -> ()
  return
}

// -----

// CHECK: memcpy-elimination-invalid.mlir:{{[0-9]+}}:3: error: 'penguin.memcpy' op operand #1 has dtype bf16, expected f32 to match operand #0 (C2)
func.func @dtypes(%x: memref<48xf32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() : memref<48xbf16, "dram">
  "penguin.memcpy"(%x, %t) : (memref<48xf32, "dram">, memref<48xbf16, "dram">) -> ()
  return
}
