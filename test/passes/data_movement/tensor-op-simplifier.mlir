// RUN: penguin-opt --split-input-file --tensor-op-simplifier --verify-semantics %s | filecheck %s

// Inverse ones cancel, others compose; what is passed over goes.
// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg1)
// CHECK-NEXT: "penguin.transpose"(%arg0, %arg2) {permutation = array<i64: 2, 0, 1>}
// CHECK-NEXT: return
func.func @transposes(%a: memref<2x3x4xf32, "dram"> {penguin.io = "input"},
                      %x: memref<2x3x4xf32, "dram"> {penguin.io = "output"},
                      %y: memref<4x2x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x4x2xf32, "dram">
  "penguin.transpose"(%a, %t) {permutation = array<i64: 1, 2, 0>} : (memref<2x3x4xf32, "dram">, memref<3x4x2xf32, "dram">) -> ()
  %u = memref.alloc() : memref<2x3x4xf32, "dram">
  "penguin.transpose"(%t, %u) {permutation = array<i64: 2, 0, 1>} : (memref<3x4x2xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %x) : (memref<2x3x4xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.transpose"(%t, %y) {permutation = array<i64: 1, 2, 0>} : (memref<3x4x2xf32, "dram">, memref<4x2x3xf32, "dram">) -> ()
  return
}

// -----

// Reshape of reshape of reshape.
// CHECK-LABEL: func.func @copies
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg1)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg2)
// CHECK-NEXT: return
func.func @copies(%a: memref<4x6xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x12xf32, "dram"> {penguin.io = "output"},
                  %y: memref<24xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<24xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<4x6xf32, "dram">, memref<24xf32, "dram">) -> ()
  %u = memref.alloc() : memref<6x4xf32, "dram">
  "penguin.memcpy"(%t, %u) : (memref<24xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  "penguin.memcpy"(%u, %x) : (memref<6x4xf32, "dram">, memref<2x12xf32, "dram">) -> ()
  "penguin.memcpy"(%t, %y) : (memref<24xf32, "dram">, memref<24xf32, "dram">) -> ()
  return
}

// -----

// Strides compose: rows 1 + 2 * (1 + 2 * i), columns 2 + 2 * (3 * j). A flattened slice looks through
// reshapes, and through slices that take a run of elements.
// CHECK-LABEL: func.func @slices
// CHECK-NEXT: "penguin.slice"(%arg0, %arg1) {access = "ndim", limits = array<i64: 8, 15>, starts = array<i64: 3, 2>, strides = array<i64: 4, 6>}
// CHECK-NEXT: "penguin.slice"(%arg0, %arg2) {access = "flattened", limits = array<i64: 16>, starts = array<i64: 3>, strides = array<i64: 4>}
// CHECK-NEXT: "penguin.slice"(%arg0, %arg3) {access = "flattened", limits = array<i64: 70>, starts = array<i64: 41>, strides = array<i64: 4>}
// CHECK-NEXT: return
func.func @slices(%a: memref<8x20xf32, "dram"> {penguin.io = "input"},
                  %x: memref<2x3xf32, "dram"> {penguin.io = "output"},
                  %y: memref<4xf32, "dram"> {penguin.io = "output"},
                  %z: memref<2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4x9xf32, "dram">
  "penguin.slice"(%a, %t) {access = "ndim", limits = array<i64: 8, 20>, starts = array<i64: 1, 2>, strides = array<i64: 2, 2>} : (memref<8x20xf32, "dram">, memref<4x9xf32, "dram">) -> ()
  "penguin.slice"(%t, %x) {access = "ndim", limits = array<i64: 4, 7>, starts = array<i64: 1, 0>, strides = array<i64: 2, 3>} : (memref<4x9xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %u = memref.alloc() : memref<160xf32, "dram">
  "penguin.memcpy"(%a, %u) : (memref<8x20xf32, "dram">, memref<160xf32, "dram">) -> ()
  "penguin.slice"(%u, %y) {access = "flattened", limits = array<i64: 19>, starts = array<i64: 3>, strides = array<i64: 4>} : (memref<160xf32, "dram">, memref<4xf32, "dram">) -> ()
  %v = memref.alloc() : memref<3x20xf32, "dram">
  "penguin.slice"(%a, %v) {access = "ndim", limits = array<i64: 5, 20>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (memref<8x20xf32, "dram">, memref<3x20xf32, "dram">) -> ()
  %w = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.slice"(%v, %w) {access = "flattened", limits = array<i64: 33>, starts = array<i64: 1>, strides = array<i64: 4>} : (memref<3x20xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.memcpy"(%w, %z) : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// -----

// Inside of one source; two sources as wholes; one source as a whole.
// CHECK-LABEL: func.func @slice_of_concat
// CHECK-NEXT: "penguin.slice"(%arg1, %arg3) {access = "ndim", limits = array<i64: 4, 3>, starts = array<i64: 1, 0>, strides = array<i64: 2, 2>}
// CHECK-NEXT: "penguin.concat"(%arg1, %arg2, %arg4) {axis = 0 : i64
// CHECK-NEXT: "penguin.memcpy"(%arg1, %arg5)
// CHECK-NEXT: return
func.func @slice_of_concat(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                           %b: memref<4x3xf32, "dram"> {penguin.io = "input"},
                           %c: memref<1x3xf32, "dram"> {penguin.io = "input"},
                           %x: memref<2x2xf32, "dram"> {penguin.io = "output"},
                           %y: memref<5x3xf32, "dram"> {penguin.io = "output"},
                           %z: memref<4x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<7x3xf32, "dram">
  "penguin.concat"(%a, %b, %c, %t) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x3xf32, "dram">, memref<4x3xf32, "dram">, memref<1x3xf32, "dram">, memref<7x3xf32, "dram">) -> ()
  "penguin.slice"(%t, %x) {access = "ndim", limits = array<i64: 6, 3>, starts = array<i64: 3, 0>, strides = array<i64: 2, 2>} : (memref<7x3xf32, "dram">, memref<2x2xf32, "dram">) -> ()
  "penguin.slice"(%t, %y) {access = "ndim", limits = array<i64: 7, 3>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (memref<7x3xf32, "dram">, memref<5x3xf32, "dram">) -> ()
  "penguin.slice"(%t, %z) {access = "ndim", limits = array<i64: 6, 3>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (memref<7x3xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  return
}

// -----

// Adjacent slices of one tensor: the tensor, or a slice. A concat of a concat.
// CHECK-LABEL: func.func @concats
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg2)
// CHECK-NEXT: "penguin.slice"(%arg0, %arg3) {access = "ndim", limits = array<i64: 6, 4>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>}
// CHECK-NEXT: "penguin.concat"(%arg0, %arg1, %arg1, %arg4) {axis = 1 : i64
// CHECK-NEXT: return
func.func @concats(%a: memref<6x4xf32, "dram"> {penguin.io = "input"},
                   %b: memref<6x2xf32, "dram"> {penguin.io = "input"},
                   %x: memref<6x4xf32, "dram"> {penguin.io = "output"},
                   %y: memref<4x4xf32, "dram"> {penguin.io = "output"},
                   %z: memref<6x8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %l = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.slice"(%a, %l) {access = "ndim", limits = array<i64: 2, 4>, starts = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (memref<6x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  %m = memref.alloc() : memref<1x4xf32, "dram">
  "penguin.slice"(%a, %m) {access = "ndim", limits = array<i64: 3, 4>, starts = array<i64: 2, 0>, strides = array<i64: 1, 1>} : (memref<6x4xf32, "dram">, memref<1x4xf32, "dram">) -> ()
  %h = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.slice"(%a, %h) {access = "ndim", limits = array<i64: 6, 4>, starts = array<i64: 3, 0>, strides = array<i64: 1, 1>} : (memref<6x4xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.concat"(%l, %m, %h, %x) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4xf32, "dram">, memref<1x4xf32, "dram">, memref<3x4xf32, "dram">, memref<6x4xf32, "dram">) -> ()
  "penguin.concat"(%m, %h, %y) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x4xf32, "dram">, memref<3x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  %t = memref.alloc() : memref<6x6xf32, "dram">
  "penguin.concat"(%a, %b, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<6x4xf32, "dram">, memref<6x2xf32, "dram">, memref<6x6xf32, "dram">) -> ()
  "penguin.concat"(%t, %b, %z) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<6x6xf32, "dram">, memref<6x2xf32, "dram">, memref<6x8xf32, "dram">) -> ()
  return
}

// -----

// Of a broadcast of a reshape that adds a dimension; of nothing; slices that cut repetitions only.
// CHECK-LABEL: func.func @broadcasts
// CHECK-NEXT: "penguin.broadcast"(%arg0, %arg1) {dims = array<i64: 1>}
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg2)
// CHECK-NEXT: "penguin.broadcast"(%arg0, %arg3) {dims = array<i64: 1>}
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = memref.alloc
// CHECK-NEXT: "penguin.broadcast"(%arg0, %[[S]])
// CHECK-NEXT: "penguin.slice"(%[[S]], %arg4)
// CHECK-NEXT: return
func.func @broadcasts(%a: memref<3xf32, "dram"> {penguin.io = "input"},
                      %x: memref<2x3x4xf32, "dram"> {penguin.io = "output"},
                      %y: memref<1x3xf32, "dram"> {penguin.io = "output"},
                      %z: memref<2x3xf32, "dram"> {penguin.io = "output"},
                      %w: memref<2x2x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<3x1xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<3xf32, "dram">, memref<3x1xf32, "dram">) -> ()
  %u = memref.alloc() : memref<3x4xf32, "dram">
  "penguin.broadcast"(%t, %u) {dims = array<i64: 0, 1>} : (memref<3x1xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  "penguin.broadcast"(%u, %x) {dims = array<i64: 1, 2>} : (memref<3x4xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.broadcast"(%a, %y) {dims = array<i64: 1>} : (memref<3xf32, "dram">, memref<1x3xf32, "dram">) -> ()
  %v = memref.alloc() : memref<5x3xf32, "dram">
  "penguin.broadcast"(%a, %v) {dims = array<i64: 1>} : (memref<3xf32, "dram">, memref<5x3xf32, "dram">) -> ()
  "penguin.slice"(%v, %z) {access = "ndim", limits = array<i64: 3, 3>, starts = array<i64: 1, 0>, strides = array<i64: 1, 1>} : (memref<5x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %s = memref.alloc() : memref<2x3x4xf32, "dram">
  "penguin.broadcast"(%a, %s) {dims = array<i64: 1>} : (memref<3xf32, "dram">, memref<2x3x4xf32, "dram">) -> ()
  "penguin.slice"(%s, %w) {access = "ndim", limits = array<i64: 2, 2, 4>, starts = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (memref<2x3x4xf32, "dram">, memref<2x2x4xf32, "dram">) -> ()
  return
}

// -----

// bf16 is in f32, i8 in i32 and in f32; integers that only get narrower wrap once.
// CHECK-LABEL: func.func @casts
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg3)
// CHECK: "penguin.memcpy"(%arg1, %arg4)
// CHECK: "penguin.memcast"(%arg2, %arg5) : (memref<4xi32, "dram">, memref<4xi8, "dram">)
// CHECK: "penguin.memcast"(%arg1, %arg6) : (memref<4xi8, "dram">, memref<4xf16, "dram">)
func.func @casts(%a: memref<4xbf16, "dram"> {penguin.io = "input"},
                 %i: memref<4xi8, "dram"> {penguin.io = "input"},
                 %l: memref<4xi32, "dram"> {penguin.io = "input"},
                 %x: memref<4xbf16, "dram"> {penguin.io = "output"},
                 %y: memref<4xi8, "dram"> {penguin.io = "output"},
                 %z: memref<4xi8, "dram"> {penguin.io = "output"},
                 %w: memref<4xf16, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcast"(%a, %t) : (memref<4xbf16, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcast"(%t, %x) : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  %u = memref.alloc() : memref<4xi32, "dram">
  "penguin.memcast"(%i, %u) : (memref<4xi8, "dram">, memref<4xi32, "dram">) -> ()
  %v = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcast"(%u, %v) : (memref<4xi32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcast"(%u, %y) : (memref<4xi32, "dram">, memref<4xi8, "dram">) -> ()
  %s = memref.alloc() : memref<4xi16, "dram">
  "penguin.memcast"(%l, %s) : (memref<4xi32, "dram">, memref<4xi16, "dram">) -> ()
  "penguin.memcast"(%s, %z) : (memref<4xi16, "dram">, memref<4xi8, "dram">) -> ()
  %p = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcast"(%i, %p) : (memref<4xi8, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memcast"(%p, %w) : (memref<4xf32, "dram">, memref<4xf16, "dram">) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @elementwise
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg3)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg4)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg5)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg6)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg7)
// CHECK-NEXT: "penguin.memcpy"(%arg2, %arg8)
// CHECK-NEXT: return
func.func @elementwise(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                       %p: memref<2x3xi1, "dram"> {penguin.io = "input"},
                       %i: memref<2x3xi32, "dram"> {penguin.io = "input"},
                       %x: memref<2x3xf32, "dram"> {penguin.io = "output"},
                       %y: memref<2x3xf32, "dram"> {penguin.io = "output"},
                       %z: memref<2x3xf32, "dram"> {penguin.io = "output"},
                       %w: memref<2x3xf32, "dram"> {penguin.io = "output"},
                       %v: memref<2x3xf32, "dram"> {penguin.io = "output"},
                       %j: memref<2x3xi32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.select"(%p, %a, %a, %x) : (memref<2x3xi1, "dram">, memref<2x3xf32, "dram">, memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %one = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.memset"(%one) {value = 1.0 : f32} : (memref<2x3xf32, "dram">) -> ()
  "penguin.binary"(%one, %a, %y) {function = "multiply"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %n = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.memset"(%n) {value = -0.0 : f32} : (memref<2x3xf32, "dram">) -> ()
  "penguin.binary"(%a, %n, %z) {function = "add"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %t = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.unary"(%a, %t) {function = "negate"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.unary"(%t, %w) {function = "negate"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.binary"(%a, %a, %v) {function = "maximum"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  %o = memref.alloc() : memref<2x3xi32, "dram">
  "penguin.memset"(%o) {value = 0 : i32} : (memref<2x3xi32, "dram">) -> ()
  "penguin.binary"(%i, %o, %j) {function = "add"} : (memref<2x3xi32, "dram">, memref<2x3xi32, "dram">, memref<2x3xi32, "dram">) -> ()
  return
}

// -----

// A pad of nothing, a pad that cuts, reverses that cancel; one value, moved about.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg2)
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg3)
// CHECK-NEXT: "penguin.slice"(%arg0, %arg4) {access = "ndim", limits = array<i64: 1, 3>, starts = array<i64: 0, 1>, strides = array<i64: 1, 1>}
// CHECK-NEXT: "penguin.memset"(%arg5) {value = 2.000000e+00 : f32}
// CHECK-NEXT: "penguin.memcpy"(%arg0, %arg6)
// CHECK-NEXT: return
func.func @nothing(%a: memref<1x3xf32, "dram"> {penguin.io = "input"},
                   %s: memref<f32, "dram"> {penguin.io = "input"},
                   %x: memref<1x3xf32, "dram"> {penguin.io = "output"},
                   %y: memref<1x3xf32, "dram"> {penguin.io = "output"},
                   %z: memref<1x2xf32, "dram"> {penguin.io = "output"},
                   %w: memref<4x4xf32, "dram"> {penguin.io = "output"},
                   %v: memref<1x3xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.pad"(%a, %s, %x) {high = array<i64: 0, 0>, interior = array<i64: 2, 0>, low = array<i64: 0, 0>} : (memref<1x3xf32, "dram">, memref<f32, "dram">, memref<1x3xf32, "dram">) -> ()
  "penguin.reverse"(%a, %y) {axes = array<i64: 0>} : (memref<1x3xf32, "dram">, memref<1x3xf32, "dram">) -> ()
  "penguin.pad"(%a, %s, %z) {high = array<i64: 0, 0>, interior = array<i64: 0, 0>, low = array<i64: 0, -1>} : (memref<1x3xf32, "dram">, memref<f32, "dram">, memref<1x2xf32, "dram">) -> ()
  %c = memref.alloc() : memref<f32, "dram">
  "penguin.memset"(%c) {value = 2.0 : f32} : (memref<f32, "dram">) -> ()
  %d = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.broadcast"(%c, %d) {dims = array<i64>} : (memref<f32, "dram">, memref<2x4xf32, "dram">) -> ()
  "penguin.concat"(%d, %d, %w) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  %r = memref.alloc() : memref<1x3xf32, "dram">
  "penguin.reverse"(%a, %r) {axes = array<i64: 0, 1>} : (memref<1x3xf32, "dram">, memref<1x3xf32, "dram">) -> ()
  "penguin.reverse"(%r, %v) {axes = array<i64: 1>} : (memref<1x3xf32, "dram">, memref<1x3xf32, "dram">) -> ()
  return
}

// -----

// What was written last counts; nests define nothing.
// CHECK-LABEL: func.func @kept
// CHECK: "penguin.transpose"(%[[T:[a-z0-9_]+]], %arg2)
// CHECK: "penguin.transpose"(%[[T]], %arg3)
func.func @kept(%a: memref<2x3xf32, "dram"> {penguin.io = "input"},
                %b: memref<2x3xf32, "dram"> {penguin.io = "input"},
                %x: memref<3x2xf32, "dram"> {penguin.io = "output"},
                %y: memref<3x2xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<2x3xf32, "dram">
  "penguin.memcpy"(%a, %t) : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.unary"(%b, %t) {function = "tanh"} : (memref<2x3xf32, "dram">, memref<2x3xf32, "dram">) -> ()
  "penguin.transpose"(%t, %x) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %v = affine.load %b[%i, %j] : memref<2x3xf32, "dram">
      affine.store %v, %t[%i, %j] : memref<2x3xf32, "dram">
    }
  }
  "penguin.transpose"(%t, %y) {permutation = array<i64: 1, 0>} : (memref<2x3xf32, "dram">, memref<3x2xf32, "dram">) -> ()
  return
}
