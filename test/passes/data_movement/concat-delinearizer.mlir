// RUN: penguin-opt --split-input-file --concat-delinearizer --verify-semantics %s | filecheck %s

// CHECK-LABEL: func.func @sources
// CHECK-DAG: %[[X:[a-z0-9_]+]] = memref.reinterpret_cast %arg3 to offset: [0], sizes: [10, 64]
// CHECK-DAG: %[[C:[a-z0-9_]+]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [2, 64]
// CHECK-NOT: penguin.memcpy
// CHECK: "penguin.concat"(%arg0, %arg1, %[[C]], %[[X]]) {axis = 0
func.func @sources(%a: memref<3x64xf32, "dram"> {penguin.io = "input"},
                   %b: memref<5x64xf32, "dram"> {penguin.io = "input"},
                   %c: memref<128xf32, "dram"> {penguin.io = "input"},
                   %x: memref<640xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<192xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<3x64xf32, "dram">, memref<192xf32, "dram">) -> ()
  %u = memref.alloc() : memref<320xf32, "dram">
  "penguin.memcpy"(%b, %u) : (memref<5x64xf32, "dram">, memref<320xf32, "dram">) -> ()
  "penguin.concat"(%t, %u, %c, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<192xf32, "dram">, memref<320xf32, "dram">, memref<128xf32, "dram">, memref<640xf32, "dram">) -> ()
  return
}

// -----

// The second of three dimensions: the reader says so.
// CHECK-LABEL: func.func @reader
// CHECK: "penguin.concat"({{.*}}) {axis = 1 : i64
// CHECK-SAME: (memref<2x2x3xf32, "dram">, memref<2x1x3xf32, "dram">, memref<2x3x3xf32, "dram">)
func.func @reader(%a: memref<2x6xf32, "dram"> {penguin.io = "input"},
                  %b: memref<2x3xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x3x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x9xf32, "dram">
  "penguin.concat"(%a, %b, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x6xf32, "dram">, memref<2x3xf32, "dram">, memref<2x9xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %x) : (memref<2x9xf32, "dram">, memref<2x3x3xf32, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @plain
// CHECK: "penguin.concat"({{.*}}) {axis = 0 : i64
// CHECK-SAME: (memref<3x64xf32, "dram">, memref<1x64xf32, "dram">, memref<4x64xf32, "dram">)
func.func @plain(%a: memref<192xf32, "dram"> {penguin.io = "input"},
                 %b: memref<64xf32, "dram"> {penguin.io = "input"},
                 %x: memref<256xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.concat"(%a, %b, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<192xf32, "dram">, memref<64xf32, "dram">, memref<256xf32, "dram">) -> ()
  return
}
