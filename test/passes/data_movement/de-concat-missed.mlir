// RUN: penguin-opt --de-concat --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// BOUNDARY
// CHECK: [Missed] Boundary | {{.*}}Function=boundary | Reason="the result is seen from outside"
func.func @boundary(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                    %b: memref<4xf32, "dram"> {penguin.io = "input"},
                    %x: memref<4xf32, "dram"> {penguin.io = "output"},
                    %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  "penguin.concat"(%a, %b, %y) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// DEFINED_TWICE
// CHECK: [Missed] DefinedTwice | {{.*}}Function=defined_twice | Reason="the result is defined by more than one op"
func.func @defined_twice(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                         %b: memref<4xf32, "dram"> {penguin.io = "input"},
                         %x: memref<4xf32, "dram"> {penguin.io = "output"},
                         %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  "penguin.memset"(%c) {value = 0.0 : f32} : (memref<8xf32, "dram">) -> ()
  "penguin.unary"(%c, %y) {function = "tanh"} : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// REMATERIALISED
// CHECK: [Missed] Rematerialised | {{.*}}Function=remat | Reason="the tensor is rematerialised"
func.func @remat(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() {penguin.remat} : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// GENERIC
// CHECK: [Missed] Generic | {{.*}}Function=generic | Reason="used by a generic access or an opaque op"
func.func @generic(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                   %b: memref<4xf32, "dram"> {penguin.io = "input"},
                   %n: memref<1xi32, "dram"> {penguin.io = "input"},
                   %x: memref<1xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  %k = affine.load %n[0] : memref<1xi32, "dram">
  %i = arith.index_cast %k : i32 to index
  %v = memref.load %c[%i] : memref<8xf32, "dram">
  affine.store %v, %x[0] : memref<1xf32, "dram">
  return
}

// WHOLE
// CHECK: [Missed] Whole | {{.*}}Function=whole | Reason="a reader needs the result as a whole"
func.func @whole(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.unary"(%c, %y) {function = "tanh"} : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// SPANS
// CHECK: [Missed] Spans | {{.*}}Function=spans | Reason="a reader takes elements of more than one source"
func.func @spans(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 6>, starts = array<i64: 2>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// OVERWRITTEN
// CHECK: [Missed] Overwritten | {{.*}}Function=overwritten | Reason="a tensor that would be read is overwritten in between"
func.func @overwritten(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                       %b: memref<4xf32, "dram"> {penguin.io = "input"},
                       %z: memref<4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64},
                       %x: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}}Function=barrier | Reason="a barrier is between"
func.func @barrier(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                   %b: memref<4xf32, "dram"> {penguin.io = "input"},
                   %z: memref<4xf32, "dram"> {penguin.io = "output"},
                   %x: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "dram">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  "penguin.memset"(%z) {penguin.barrier, value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}}Function=space | Reason="the two tensors are in different memories"
func.func @space(%a: memref<4xf32, "dram"> {penguin.io = "input"},
                 %b: memref<4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<4xf32, "dram"> {penguin.io = "output"},
                 %y: memref<8xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %c = memref.alloc() : memref<8xf32, "sbuf">
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "sbuf">) -> ()
  "penguin.slice"(%c, %x) {access = "ndim", limits = array<i64: 4>, starts = array<i64: 0>, strides = array<i64: 1>} : (memref<8xf32, "sbuf">, memref<4xf32, "dram">) -> ()
  return
}
