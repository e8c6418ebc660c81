// RUN: penguin-opt %s --late-lower-tensor-op --split-input-file --verify-diagnostics
// RUN: not penguin-opt %s --late-lower-tensor-op --split-input-file 2>&1 | filecheck %s

func.func @transpose_in_place(%a: memref<4x4xf32, "dram">) {
  // CHECK: error: {{.*}}[PGL010]
  // expected-error@+1 {{'penguin.transpose' op Only IO buffer could transpose with same src/dst}}
  "penguin.transpose"(%a, %a) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_in_place_by_a_view(%a: memref<4x4xf32, "dram">) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32, "dram"> to memref<16xf32, "dram">
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32, "dram"> to memref<4x4xf32, "dram">
  // expected-error@+1 {{'penguin.transpose' op Only IO buffer could transpose with same src/dst}}
  "penguin.transpose"(%a, %w) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @v1_layout(%a: memref<8xf32, "dram">) {
  // CHECK: error: {{.*}}[PGL011]
  // expected-error@+1 {{'memref.reinterpret_cast' op has the view memref<2x2xf32, strided<[4, 2]>, "dram">, expected a row-major layout (V1)}}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [4, 2] : memref<8xf32, "dram"> to memref<2x2xf32, strided<[4, 2]>, "dram">
  return
}

// -----

func.func @v1_dynamic(%a: memref<8xf32, "dram">, %n: index) {
  // expected-error@+1 {{'memref.reinterpret_cast' op has the view memref<?xf32, "dram">, expected a memref of static shape (V1)}}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<8xf32, "dram"> to memref<?xf32, "dram">
  return
}

// -----

func.func @v2_part(%a: memref<8xf32, "dram">) {
  // expected-error@+1 {{'memref.reinterpret_cast' op has 4 elements, expected 8 as its base (V2)}}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<8xf32, "dram"> to memref<2x2xf32, "dram">
  return
}

// -----

func.func @slice_into_its_source(%a: memref<4x4xf32, "dram"> {penguin.io = "input"},
    %b: memref<4x4xf32, "dram"> {penguin.io = "output", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // expected-error@+1 {{'penguin.slice' op operand #1 shares memory with operand #0, expected a destination that is not read}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 16>, strides = array<i64: 1>, access = "flattened"} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_in_place(%a: memref<0x4xf32, "dram">, %b: memref<4x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #2 is operand #1, expected a destination that is not read}}
  "penguin.concat"(%a, %b, %b) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<0x4xf32, "dram">, memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_in_place_by_a_view(%a: memref<4x4xf32, "dram">) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32, "dram"> to memref<16xf32, "dram">
  // expected-error@+1 {{'penguin.slice' op operand #1 shares memory with operand #0, expected a destination that is not read}}
  "penguin.slice"(%a, %v) {starts = array<i64: 0>, limits = array<i64: 16>, strides = array<i64: 1>, access = "flattened"} : (memref<4x4xf32, "dram">, memref<16xf32, "dram">) -> ()
  return
}
