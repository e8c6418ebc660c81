// Stock tools learn our ops from the IRDL that the tool prints.
// RUN: penguin-opt --emit-irdl > %t.irdl.mlir && torch-mlir-opt --irdl-file=%t.irdl.mlir %s | filecheck %s
// RUN: sed -e 's/^  "penguin.memcpy"(%%x, %%t)/  "penguin.memcpy"(%%x)/' -e 's/: (memref<4xf32, "dram">, /: (/' %s > %t.mlir
// RUN: not torch-mlir-opt --irdl-file=%t.irdl.mlir %t.mlir 2>&1 | filecheck %s --check-prefix=WRONG

// CHECK: "penguin.memcpy"
// WRONG: error: op expects exactly 2 operands, but got 1
func.func @f(%x: memref<4xf32, "dram">) {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
