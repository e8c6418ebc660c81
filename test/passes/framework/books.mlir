// The books of a pass whose rewrites are no patterns: candidates = rewritten + missed, in ops and bytes.
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books --mlir-pass-statistics --split-input-file -o /dev/null 2>&1 | filecheck %s --check-prefix=STAT
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books --split-input-file --remark-format=emitRemark -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --pass-pipeline='builtin.module(func.func(test-books,test-books))' --split-input-file --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-books --rewrite-limit=0 --split-input-file --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=LIMIT

// Two functions, one instance. Seven copies are there and one is made; one vanishes.
// STAT: TestBooks
// STAT-NEXT: (S)   7 candidates - Number of candidates
// STAT-NEXT: (S) 112 candidate-bytes - Bytes of candidates (bytes)
// STAT-NEXT: (S)   2 rewritten - Number of candidates rewritten
// STAT-NEXT: (S)  32 rewritten-bytes - Bytes of candidates rewritten (bytes)
// STAT-NEXT: (S)   5 surviving - Number of candidates that stay
// STAT-NEXT: (S)  80 surviving-bytes - Bytes of candidates that stay (bytes)
// STAT-NEXT: (S)   1 created - Number of candidates made by the pass (among them)
// STAT-NEXT: (S)  16 created-bytes
// STAT-NEXT: (S)   1 vanished - Number of candidates gone by other means (not among them)
// STAT-NEXT: (S)  16 vanished-bytes
// STAT-NEXT: (S)   4 missed-later - Number of candidates that stay: later
// STAT-NEXT: (S)  64 missed-later-bytes
// STAT-NEXT: (S)   1 missed-to-itself
// STAT-NEXT: (S)  16 missed-to-itself-bytes

// What survives twice is one survivor and one candidate. (Both halves of the split copy split again.)
// TWICE: TestBooks
// TWICE-NEXT: (S)   9 candidates
// TWICE-NEXT: (S) 144 candidate-bytes
// TWICE-NEXT: (S)   2 rewritten
// TWICE-NEXT: (S)  32 rewritten-bytes
// TWICE-NEXT: (S)   7 surviving
// TWICE-NEXT: (S) 112 surviving-bytes

// LIMIT: (S)   7 candidates
// LIMIT: (S)   0 rewritten
// LIMIT: (S)   7 missed-rewrite-limit
// LIMIT-NEXT: (S) 112 missed-rewrite-limit-bytes

func.func @main(%x: memref<4xf32, "dram"> {penguin.name = "x"}, %y: memref<4xf32, "dram">) {
  %t = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
  %v = memref.reinterpret_cast %t to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32, "dram"> to memref<2x2xf32, "dram">
  // REMARK-DAG: books.mlir:[[# @LINE + 1]]:3: remark: [Passed] Erased | Category:framework_passes:test-books | Function=main | Bytes=16, Op="penguin.memcpy", From="x", To="t0"
  "penguin.memcpy"(%x, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  // REMARK-DAG: books.mlir:[[# @LINE + 1]]:3: remark: [Missed] Later | Category:framework_passes:test-books | Function=main | Reason="left for another pass", Bytes=16, Op="penguin.memcpy", From="t0", To="arg1", Pass="another"
  "penguin.memcpy"(%v, %y) {test.fate = "missed"} : (memref<2x2xf32, "dram">, memref<4xf32, "dram">) -> ()
  // REMARK-DAG: books.mlir:[[# @LINE + 1]]:3: remark: [Missed] ToItself | {{.*}} | Reason="source and destination are one tensor", Bytes=16, Op="penguin.memcpy", From="x", To="x"
  "penguin.memcpy"(%x, %x) {test.fate = "missed"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcpy"(%x, %y) {test.fate = "vanished"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

func.func @other(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  "penguin.memcpy"(%x, %y) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcpy"(%x, %y) {test.fate = "split"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcpy"(%y, %x) {test.fate = "missed"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// Nothing to do: the rows are there all the same, also without any function.
// STAT: TestBooks
// STAT-NEXT: (S) 0 candidates
// STAT-NEXT: (S) 0 candidate-bytes
// STAT-NEXT: (S) 0 rewritten
// STAT-NEXT: (S) 0 rewritten-bytes
// STAT-NEXT: (S) 0 surviving
// STAT-NEXT: (S) 0 surviving-bytes
// STAT-NOT: (S)
module {}
