// Books that do not balance are a fault of the pass: it is named, and a reproducer is written.
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books=fate=forgotten 2>&1 | filecheck %s --check-prefix=FORGOTTEN
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books=fate=twice 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books=fate=missed_and_gone 2>&1 | filecheck %s --check-prefix=MISSED-AND-GONE
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books=fate=wrong_size 2>&1 | filecheck %s --check-prefix=WRONG-SIZE
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books=fate=error 2>&1 | filecheck %s --check-prefix=ERROR

// FORGOTTEN: penguin-opt: error: internal error in pass 'test-books': AssertionError: the books of @main do not balance: 2 (32 bytes) candidates, 0 (0 bytes) created, 0 (0 bytes) vanished; but 0 (0 bytes) rewritten, 1 (16 bytes) missed [PGX001]
// FORGOTTEN-NEXT: note: reproducer written to
// TWICE: the books of @main do not balance: 2 (32 bytes) candidates, {{.*}}; but 0 (0 bytes) rewritten, 3 (48 bytes) missed [PGX001]
// MISSED-AND-GONE: the books of @main do not balance: 1 (16 bytes) candidates are left, but 2 (32 bytes) missed [PGX001]
// WRONG-SIZE: the books of @main do not balance: 2 (32 bytes) candidates, 0 (0 bytes) created, 1 (1 bytes) vanished; but {{.*}} 1 (16 bytes) missed [PGX001]

// A pass that refuses the program owes nothing.
// ERROR: books-unbalanced.mlir:[[# @LINE + 2]]:3: error: this copy is not liked [PGT996]
func.func @main(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  "penguin.memcpy"(%x, %y) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcpy"(%y, %x) {test.fate = "missed"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
