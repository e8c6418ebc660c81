// RUN: penguin-opt --split-input-file --simplify-slice --verify-semantics %s | filecheck %s

// CHECK-LABEL: func.func @normal
// CHECK-NEXT: "penguin.slice"(%arg0, %{{.*}}) {access = "ndim", limits = array<i64: 3, 8>, starts = array<i64: 0, 1>, strides = array<i64: 2, 3>
// CHECK-NEXT: "penguin.slice"(%arg0, %{{.*}}) {access = "ndim", limits = array<i64: 3, 8>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg3)
// CHECK-NEXT: return
func.func @normal(%a: memref<4x8xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x3xf32, "dram"> {penguin.io = "output"},
                  %y: memref<1x8xf32, "dram"> {penguin.io = "output"},
                  %z: memref<4x8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.slice"(%a, %x) {access = "ndim", limits = array<i64: 4, 8>, starts = array<i64: 0, 1>, strides = array<i64: 2, 3>} : (memref<4x8xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.slice"(%a, %y) {access = "ndim", limits = array<i64: 4, 8>, starts = array<i64: 2, 0>, strides = array<i64: 3, 1>} : (memref<4x8xf32, "dram">, memref<1x8xf32, "dram">) -> ()
  "penguin.slice"(%a, %z) {access = "ndim", limits = array<i64: 4, 8>, starts = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (memref<4x8xf32, "dram">, memref<4x8xf32, "dram">) -> ()
  return
}

// -----

// Of a slice; the same again.
// CHECK-LABEL: func.func @merged
// CHECK-NEXT: "penguin.slice"(%arg0, %arg1) {access = "ndim", limits = array<i64: 14>, starts = array<i64: 5>, strides = array<i64: 4>}
// CHECK-NEXT: "penguin.slice"(%arg0, %arg2)
// CHECK-NEXT: "penguin.memcpy"(%arg2, %arg3)
// CHECK-NEXT: return
func.func @merged(%a: memref<16xf32, "dram"> {penguin.io = "input"},
                  %x: memref<3xf32, "dram"> {penguin.io = "output"},
                  %y: memref<8xf32, "dram"> {penguin.io = "output"},
                  %z: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<8xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 16>, starts = array<i64: 1>, strides = array<i64: 2>} : (memref<16xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%t, %x) {access = "ndim", limits = array<i64: 8>, starts = array<i64: 2>, strides = array<i64: 2>} : (memref<8xf32, "dram">, memref<3xf32, "dram">) -> ()
  "penguin.slice"(%a, %y) {access = "ndim", limits = array<i64: 16>, starts = array<i64: 8>, strides = array<i64: 1>} : (memref<16xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%a, %z) {access = "ndim", limits = array<i64: 16>, starts = array<i64: 8>, strides = array<i64: 1>} : (memref<16xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// -----

// Not the same again: the source has changed.
// CHECK-LABEL: func.func @changed
// CHECK: "penguin.slice"(%arg0, %arg2)
func.func @changed(%a: memref<16xf32, "dram"> {penguin.io = "input"},
                   %x: memref<8xf32, "dram"> {penguin.io = "output"},
                   %y: memref<8xf32, "dram"> {penguin.io = "output"},
                   %b: memref<16xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  "penguin.slice"(%a, %x) {access = "ndim", limits = array<i64: 16>, starts = array<i64: 8>, strides = array<i64: 1>} : (memref<16xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.memset"(%b) {value = 0.0 : f32} : (memref<16xf32, "dram">) -> ()
  "penguin.slice"(%a, %y) {access = "ndim", limits = array<i64: 16>, starts = array<i64: 8>, strides = array<i64: 1>} : (memref<16xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}
