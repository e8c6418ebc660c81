// RUN: penguin-opt --split-input-file --verify-diagnostics %s

func.func @c1_dtype(%a: memref<4xf64, "dram">, %b: memref<4xf64, "dram">) {
  // expected-error@+1 {{'penguin.memcpy' op operand #0 has element type f64, expected one of f32 bf16 f16 i1 i8 i16 i32 ui8 ui16 ui32 (C1)}}
  "penguin.memcpy"(%a, %b) : (memref<4xf64, "dram">, memref<4xf64, "dram">) -> ()
  return
}

// -----

func.func @c1_space(%a: memref<4xf32, "dram">, %b: memref<4xf32>) {
  // expected-error@+1 {{'penguin.memcpy' op operand #1 has no memory space, expected "dram", "sbuf" or "psum" (C1)}}
  "penguin.memcpy"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32>) -> ()
  return
}

// -----

func.func @c1_other_space(%a: memref<4xf32, "dram">, %b: memref<4xf32, 1>) {
  // expected-error@+1 {{'penguin.memcpy' op operand #1 has memory space 1 : i64, expected "dram", "sbuf" or "psum" (C1)}}
  "penguin.memcpy"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, 1>) -> ()
  return
}

// -----

func.func @c1_dynamic(%a: memref<?xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memcpy' op operand #0 is memref<?xf32, "dram">, expected a static shape (C1)}}
  "penguin.memcpy"(%a, %b) : (memref<?xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c1_layout(%a: memref<4x4xf32, strided<[8, 1]>, "dram">, %b: memref<4x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memcpy' op operand #0 has layout strided<[8, 1]>, expected row-major (C1)}}
  "penguin.memcpy"(%a, %b) : (memref<4x4xf32, strided<[8, 1]>, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @memcpy_c2(%a: memref<4xf32, "dram">, %b: memref<4xi32, "dram">) {
  // expected-error@+1 {{'penguin.memcpy' op operand #1 has dtype i32, expected f32 to match operand #0 (C2)}}
  "penguin.memcpy"(%a, %b) : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// -----

func.func @memcpy_c3(%a: memref<8x6xf32, "dram">, %b: memref<49xf32, "dram">) {
  // expected-error@+1 {{'penguin.memcpy' op operand #1 has 49 elements, expected 48 to match operand #0 (C3)}}
  "penguin.memcpy"(%a, %b) : (memref<8x6xf32, "dram">, memref<49xf32, "dram">) -> ()
  return
}

// -----

func.func @memcast_c1(%a: memref<4xf32, "dram">, %b: memref<4xf64, "dram">) {
  // expected-error@+1 {{'penguin.memcast' op operand #1 has element type f64, expected one of}}
  "penguin.memcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xf64, "dram">) -> ()
  return
}

// -----

func.func @memcast_c2(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memcast' op operand #1 has dtype f32, expected another than that of operand #0 (C2)}}
  "penguin.memcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @memcast_c3(%a: memref<4x2xf32, "dram">, %b: memref<8xbf16, "dram">) {
  // expected-error@+1 {{'penguin.memcast' op operand #1 has rank 1, expected 2 to match operand #0 (C3)}}
  "penguin.memcast"(%a, %b) : (memref<4x2xf32, "dram">, memref<8xbf16, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c1(%a: memref<4xf32>, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #0 has no memory space}}
  "penguin.bitcast"(%a, %b) : (memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c2(%a: memref<4xi8, "dram">, %b: memref<4xi1, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #1 has dtype i1, expected i8: i1 has no other bit pattern (C2)}}
  "penguin.bitcast"(%a, %b) : (memref<4xi8, "dram">, memref<4xi1, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c3_same_width(%a: memref<4xf32, "dram">, %b: memref<2x2xi32, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #1 has rank 2, expected 1 for f32 to i32 (C3)}}
  "penguin.bitcast"(%a, %b) : (memref<4xf32, "dram">, memref<2x2xi32, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c3_narrowing(%a: memref<4xf32, "dram">, %b: memref<4x4xi16, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #1 dim 1 is 4, expected 2 for f32 to i16 (C3)}}
  "penguin.bitcast"(%a, %b) : (memref<4xf32, "dram">, memref<4x4xi16, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c3_widening(%a: memref<4x3xi8, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #0 has last dim 3, expected last dim 4 to make one f32 (C3)}}
  "penguin.bitcast"(%a, %b) : (memref<4x3xi8, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @bitcast_c3_widening_scalar(%a: memref<i8, "dram">, %b: memref<f32, "dram">) {
  // expected-error@+1 {{'penguin.bitcast' op operand #0 has rank 0, expected last dim 4 to make one f32 (C3)}}
  "penguin.bitcast"(%a, %b) : (memref<i8, "dram">, memref<f32, "dram">) -> ()
  return
}

// -----

func.func @concat_c1(%a: memref<4xf32>, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #0 has no memory space}}
  "penguin.concat"(%a, %b) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c2(%a: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op has no sources, expected at least one (C2)}}
  "penguin.concat"(%a) {axis = 0 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c3(%a: memref<4xf32, "dram">, %b: memref<4xbf16, "dram">, %c: memref<8xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #1 has dtype bf16, expected f32 to match operand #0 (C3)}}
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xbf16, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c4_type(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<8xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op axis is 0 : i32, expected an i64 (C4)}}
  "penguin.concat"(%a, %b, %c) {axis = 0 : i32, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c4_range(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<8xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op axis is 1, expected 0 to 0 (C4)}}
  "penguin.concat"(%a, %b, %c) {axis = 1 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c5(%a: memref<4x9xf32, "dram">, %b: memref<4x7xf32, "dram">, %c: memref<8x9xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #1 dim 1 is 7, expected 9 to match operand #2 (C5)}}
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x9xf32, "dram">, memref<4x7xf32, "dram">, memref<8x9xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c5_rank(%a: memref<4x9xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<8x9xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #1 has rank 1, expected 2 to match operand #2 (C5)}}
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x9xf32, "dram">, memref<4xf32, "dram">, memref<8x9xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_c6(%a: memref<4x9xf32, "dram">, %b: memref<4x9xf32, "dram">, %c: memref<7x9xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op operand #2 dim 0 is 7, expected 8, the sum over the sources (C6)}}
  "penguin.concat"(%a, %b, %c) {axis = 0 : i64, operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4x9xf32, "dram">, memref<4x9xf32, "dram">, memref<7x9xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c1(%a: memref<8xf32, "dram">, %b: memref<4xf32>) {
  // expected-error@+1 {{'penguin.slice' op operand #1 has no memory space}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32>) -> ()
  return
}

// -----

func.func @slice_c2(%a: memref<8xf32, "dram">, %b: memref<4xf16, "dram">) {
  // expected-error@+1 {{'penguin.slice' op operand #1 has dtype f16, expected f32 to match operand #0 (C2)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf16, "dram">) -> ()
  return
}

// -----

func.func @slice_c3(%a: memref<8xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op access is "nidm", expected one of ndim flattened, did you mean ndim? (C3)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "nidm"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c4_type(%a: memref<8xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op starts is array<i32: 0>, expected array<i64: ...> (C4)}}
  "penguin.slice"(%a, %b) {starts = array<i32: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c4_length(%a: memref<8xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op limits has 2 entries, expected 1 for the rank of operand #0 (C4)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4, 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c4_flattened(%a: memref<4x4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op starts has 2 entries, expected 1 for a flattened access (C4)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0, 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = "flattened"} : (memref<4x4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c5(%a: memref<4x8xf32, "dram">, %b: memref<4x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op dim 1 takes 5 to 9, expected a range within 0 to 8 (C5)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0, 5>, limits = array<i64: 4, 9>, strides = array<i64: 1, 1>, access = "ndim"} : (memref<4x8xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c5_order(%a: memref<8xf32, "dram">, %b: memref<0xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op dim 0 takes 5 to 4, expected a range within 0 to 8 (C5)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 5>, limits = array<i64: 4>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<0xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c6(%a: memref<8xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op strides dim 0 is 0, expected at least 1 (C6)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 0>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c7(%a: memref<8xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op operand #1 dim 0 is 4, expected 3 for this slice (C7)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 1>, limits = array<i64: 8>, strides = array<i64: 3>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_c7_flattened(%a: memref<4x4xf32, "dram">, %b: memref<2x2xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op operand #1 has 4 elements, expected 6 for this slice (C7)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 16>, strides = array<i64: 3>, access = "flattened"} : (memref<4x4xf32, "dram">, memref<2x2xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c1(%a: memref<4xf32>, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op operand #0 has no memory space}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 0>} : (memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c2(%a: memref<4x3xf32, "dram">, %b: memref<3x4xf16, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op operand #1 has dtype f16, expected f32 to match operand #0 (C2)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>} : (memref<4x3xf32, "dram">, memref<3x4xf16, "dram">) -> ()
  return
}

// -----

func.func @transpose_c3(%a: memref<4x3xf32, "dram">, %b: memref<3x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op permutation has 1 entries, expected 2, the rank of operand #0 (C3)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c4_twice(%a: memref<4x3xf32, "dram">, %b: memref<3x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op permutation has axis 1 twice, expected distinct axes (C4)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 1>} : (memref<4x3xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c4_range(%a: memref<4x3xf32, "dram">, %b: memref<3x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op permutation has axis 2, expected 0 to 1 (C4)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 2>} : (memref<4x3xf32, "dram">, memref<3x4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c5(%a: memref<4x3xf32, "dram">, %b: memref<4x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op operand #1 dim 0 is 4, expected 3 for this permutation (C5)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>} : (memref<4x3xf32, "dram">, memref<4x3xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c5_count(%a: memref<4x3xf32, "dram">, %b: memref<2x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op operand #1 has 10 elements, expected 12: OffloadedTranspose - src and dst must have same number of elements (C5)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: 2, 6>} : (memref<4x3xf32, "dram">, memref<2x5xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c6_count(%a: memref<4x3xf32, "dram">, %b: memref<12xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op src_shape is [2, 5], expected a shape of 12 elements to match operand #0 (C6)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: 2, 5>} : (memref<4x3xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c6_negative(%a: memref<4x3xf32, "dram">, %b: memref<12xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op src_shape is [-2, -6], expected a shape of 12 elements to match operand #0 (C6)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: -2, -6>} : (memref<4x3xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c6_kind(%a: memref<4x3xf32, "dram">, %b: memref<12xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op src_shape is 12 : i64, expected array<i64: ...> (C6)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 0>, src_shape = 12 : i64} : (memref<4x3xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c3_src_shape(%a: memref<4x3xf32, "dram">, %b: memref<12xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op permutation has 2 entries, expected 3, the length of src_shape (C3)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 0>, src_shape = array<i64: 2, 2, 3>} : (memref<4x3xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_c4_src_shape(%a: memref<4x3xf32, "dram">, %b: memref<12xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op permutation has axis 2, expected 0 to 1 (C4)}}
  "penguin.transpose"(%a, %b) {permutation = array<i64: 1, 2>, src_shape = array<i64: 2, 6>} : (memref<4x3xf32, "dram">, memref<12xf32, "dram">) -> ()
  return
}

// -----

func.func @broadcast_c1(%a: memref<4xf32>, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op operand #0 has no memory space}}
  "penguin.broadcast"(%a, %b) {dims = array<i64: 0>} : (memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @broadcast_c2(%a: memref<4xi8, "dram">, %b: memref<4xui8, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op operand #1 has dtype ui8, expected i8 to match operand #0 (C2)}}
  "penguin.broadcast"(%a, %b) {dims = array<i64: 0>} : (memref<4xi8, "dram">, memref<4xui8, "dram">) -> ()
  return
}

// -----

func.func @broadcast_c3(%a: memref<4xf32, "dram">, %b: memref<2x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op dims has 2 entries, expected 1, the rank of operand #0 (C3)}}
  "penguin.broadcast"(%a, %b) {dims = array<i64: 0, 1>} : (memref<4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// -----

func.func @broadcast_c4(%a: memref<4xf32, "dram">, %b: memref<2x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op dims has axis -1, expected 0 to 1 (C4)}}
  "penguin.broadcast"(%a, %b) {dims = array<i64: -1>} : (memref<4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  return
}

// -----

func.func @broadcast_c5(%a: memref<4xf32, "dram">, %b: memref<2x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op operand #0 dim 0 is 4, expected 1 or 5 to match operand #1 dim 1 (C5)}}
  "penguin.broadcast"(%a, %b) {dims = array<i64: 1>} : (memref<4xf32, "dram">, memref<2x5xf32, "dram">) -> ()
  return
}

// -----

func.func @memset_c1(%a: memref<4xf32>) {
  // expected-error@+1 {{'penguin.memset' op operand #0 has no memory space}}
  "penguin.memset"(%a) {value = 0.0 : f32} : (memref<4xf32>) -> ()
  return
}

// -----

func.func @memset_c2_kind(%a: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memset' op value is "0", expected a number (C2)}}
  "penguin.memset"(%a) {value = "0"} : (memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @memset_c2_type(%a: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memset' op value has type bf16, expected f32 to match operand #0 (C2)}}
  "penguin.memset"(%a) {value = 0.0 : bf16} : (memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_no_limits(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op has no limits, expected array<i64: ...> (C4)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, strides = array<i64: 1>, access = "ndim"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_no_access(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op has no access, expected a string (C3)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @slice_access_type(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.slice' op access is 1 : i64, expected a string (C3)}}
  "penguin.slice"(%a, %b) {starts = array<i64: 0>, limits = array<i64: 4>, strides = array<i64: 1>, access = 1 : i64} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @transpose_no_permutation(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.transpose' op has no permutation, expected array<i64: ...> (C3)}}
  "penguin.transpose"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @broadcast_no_dims(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.broadcast' op has no dims, expected array<i64: ...> (C3)}}
  "penguin.broadcast"(%a, %b) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_no_axis(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op has no axis, expected an i64 (C4)}}
  "penguin.concat"(%a, %b) {operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @concat_axis_type(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.concat' op axis is "0", expected an i64 (C4)}}
  "penguin.concat"(%a, %b) {axis = "0", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @memset_no_value(%a: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.memset' op has no value, expected a number (C2)}}
  "penguin.memset"(%a) : (memref<4xf32, "dram">) -> ()
  return
}
