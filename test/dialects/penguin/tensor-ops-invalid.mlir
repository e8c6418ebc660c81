// RUN: penguin-opt --split-input-file --verify-diagnostics %s

func.func @contract_c1(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x5xf32>) {
  // expected-error@+1 {{'penguin.tensor_contract' op operand #2 has no memory space}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x5xf32>) -> ()
  return
}

// -----

func.func @contract_c2_kind(%a: memref<4x3xi1, "dram">, %b: memref<3x5xi1, "dram">, %c: memref<4x5xi1, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op operand #0 has dtype i1, expected a float or signed or unsigned dtype for a contraction (C2)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x3xi1, "dram">, memref<3x5xi1, "dram">, memref<4x5xi1, "dram">) -> ()
  return
}

// -----

func.func @contract_c2_mixed(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x5xi32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op operand #2 has dtype i32, expected a float to match operand #0 (C2)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x5xi32, "dram">) -> ()
  return
}

// -----

func.func @contract_c3_range(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op rhs_batch_axes, rhs_contract_axes and rhs_free_axes has axis 2, expected 0 to 1 (C3)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 2>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x5xf32, "dram">) -> ()
  return
}

// -----

func.func @contract_c3_twice(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op lhs_batch_axes, lhs_contract_axes and lhs_free_axes has axis 1 twice, expected distinct axes (C3)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 1>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x5xf32, "dram">) -> ()
  return
}

// -----

func.func @contract_c3_missing(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op lhs_batch_axes, lhs_contract_axes and lhs_free_axes has 1 entries, expected 2, the rank of operand #0 (C3)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x5xf32, "dram">) -> ()
  return
}

// -----

func.func @contract_c4(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<4x3x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op rhs_contract_axes has 1 entries, expected 0 to match lhs_contract_axes (C4)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0, 1>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<4x3x5xf32, "dram">) -> ()
  return
}

// -----

func.func @contract_c5(%a: memref<4x3xf32, "dram">, %b: memref<6x5xf32, "dram">, %c: memref<4x5xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op operand #1 dim 0 is 6, expected 3 to match operand #0 dim 1 (C5)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<6x5xf32, "dram">, memref<4x5xf32, "dram">) -> ()
  return
}

// -----

func.func @contract_c6(%a: memref<4x3xf32, "dram">, %b: memref<3x5xf32, "dram">, %c: memref<5x4xf32, "dram">) {
  // expected-error@+1 {{'penguin.tensor_contract' op operand #2 dim 0 is 5, expected 4 for these axes (C6)}}
  "penguin.tensor_contract"(%a, %b, %c) {lhs_batch_axes = array<i64>, rhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, rhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 0>, rhs_free_axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<3x5xf32, "dram">, memref<5x4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c1(%a: memref<4x3xf32>, %b: memref<f32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op operand #0 has no memory space}}
  "penguin.reduce"(%a, %b, %c) {function = "add", axes = array<i64: 1>} : (memref<4x3xf32>, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c2(%a: memref<4x3xbf16, "dram">, %b: memref<f32, "dram">, %c: memref<4xbf16, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op operand #1 has dtype f32, expected bf16 to match operand #0 (C2)}}
  "penguin.reduce"(%a, %b, %c) {function = "add", axes = array<i64: 1>} : (memref<4x3xbf16, "dram">, memref<f32, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// -----

func.func @reduce_c3(%a: memref<4x3xf32, "dram">, %b: memref<f32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op function is "max", expected one of add multiply maximum minimum and or}}
  "penguin.reduce"(%a, %b, %c) {function = "max", axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c4(%a: memref<4x3xf32, "dram">, %b: memref<f32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op operand #0 has dtype f32, expected a signed or unsigned or i1 dtype for and (C4)}}
  "penguin.reduce"(%a, %b, %c) {function = "and", axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c5(%a: memref<4x3xf32, "dram">, %b: memref<f32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op axes has axis 2, expected 0 to 1 (C5)}}
  "penguin.reduce"(%a, %b, %c) {function = "add", axes = array<i64: 2>} : (memref<4x3xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c6(%a: memref<4x3xf32, "dram">, %b: memref<1xf32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op operand #1 has rank 1, expected 0 (C6)}}
  "penguin.reduce"(%a, %b, %c) {function = "add", axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<1xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @reduce_c7(%a: memref<4x3xf32, "dram">, %b: memref<f32, "dram">, %c: memref<3xf32, "dram">) {
  // expected-error@+1 {{'penguin.reduce' op operand #2 dim 0 is 3, expected 4 for these axes (C7)}}
  "penguin.reduce"(%a, %b, %c) {function = "add", axes = array<i64: 1>} : (memref<4x3xf32, "dram">, memref<f32, "dram">, memref<3xf32, "dram">) -> ()
  return
}

// -----

func.func @unary_c1(%a: memref<4xf32>, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.unary' op operand #0 has no memory space}}
  "penguin.unary"(%a, %b) {function = "tanh"} : (memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @unary_c2(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.unary' op function is "exponental", expected one of abs cbrt ceil cosine count_leading_zeros exponential exponential_minus_one floor is_finite log log_plus_one logistic negate not popcnt round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh, did you mean exponential? (C2)}}
  "penguin.unary"(%a, %b) {function = "exponental"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @unary_c3(%a: memref<4xi32, "dram">, %b: memref<4xi32, "dram">) {
  // expected-error@+1 {{'penguin.unary' op operand #0 has dtype i32, expected a float dtype for tanh (C3)}}
  "penguin.unary"(%a, %b) {function = "tanh"} : (memref<4xi32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// -----

func.func @unary_c4(%a: memref<4xf32, "dram">, %b: memref<4xbf16, "dram">) {
  // expected-error@+1 {{'penguin.unary' op operand #1 has dtype bf16, expected f32 to match operand #0 (C4)}}
  "penguin.unary"(%a, %b) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xbf16, "dram">) -> ()
  return
}

// -----

func.func @unary_c4_predicate(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.unary' op operand #1 has dtype f32, expected i1 (C4)}}
  "penguin.unary"(%a, %b) {function = "is_finite"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @unary_c5(%a: memref<4xf32, "dram">, %b: memref<5xf32, "dram">) {
  // expected-error@+1 {{'penguin.unary' op operand #1 dim 0 is 5, expected 4 to match operand #0 (C5)}}
  "penguin.unary"(%a, %b) {function = "tanh"} : (memref<4xf32, "dram">, memref<5xf32, "dram">) -> ()
  return
}

// -----

func.func @binary_c1(%a: memref<4xf32, "dram">, %b: memref<4xf32>, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.binary' op operand #1 has no memory space}}
  "penguin.binary"(%a, %b, %c) {function = "add"} : (memref<4xf32, "dram">, memref<4xf32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @binary_c2(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.binary' op function is "sub", expected one of add subtract}}
  "penguin.binary"(%a, %b, %c) {function = "sub"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @binary_c3(%a: memref<4xi1, "dram">, %b: memref<4xi1, "dram">, %c: memref<4xi1, "dram">) {
  // expected-error@+1 {{'penguin.binary' op operand #0 has dtype i1, expected a float or signed or unsigned dtype for subtract (C3)}}
  "penguin.binary"(%a, %b, %c) {function = "subtract"} : (memref<4xi1, "dram">, memref<4xi1, "dram">, memref<4xi1, "dram">) -> ()
  return
}

// -----

func.func @binary_c4(%a: memref<4xi8, "dram">, %b: memref<4xui8, "dram">, %c: memref<4xi8, "dram">) {
  // expected-error@+1 {{'penguin.binary' op operand #1 has dtype ui8, expected i8 to match operand #0 (C4)}}
  "penguin.binary"(%a, %b, %c) {function = "add"} : (memref<4xi8, "dram">, memref<4xui8, "dram">, memref<4xi8, "dram">) -> ()
  return
}

// -----

func.func @binary_c5(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.binary' op operand #2 has dtype f32, expected i1 (C5)}}
  "penguin.binary"(%a, %b, %c) {function = "compare_lt"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @binary_c6(%a: memref<4x2xf32, "dram">, %b: memref<2xf32, "dram">, %c: memref<4x2xf32, "dram">) {
  // expected-error@+1 {{'penguin.binary' op operand #1 has rank 1, expected 2 to match operand #0 (C6)}}
  "penguin.binary"(%a, %b, %c) {function = "add"} : (memref<4x2xf32, "dram">, memref<2xf32, "dram">, memref<4x2xf32, "dram">) -> ()
  return
}

// -----

func.func @ternary_c1(%a: memref<f32, "dram">, %b: memref<4xf32, "dram">, %c: memref<f32>, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.ternary' op operand #2 has no memory space}}
  "penguin.ternary"(%a, %b, %c, %d) {function = "clamp"} : (memref<f32, "dram">, memref<4xf32, "dram">, memref<f32>, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @ternary_c2(%a: memref<f32, "dram">, %b: memref<4xf32, "dram">, %c: memref<f32, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.ternary' op function is "clip", expected one of clamp}}
  "penguin.ternary"(%a, %b, %c, %d) {function = "clip"} : (memref<f32, "dram">, memref<4xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @ternary_c3(%a: memref<f32, "dram">, %b: memref<4xf32, "dram">, %c: memref<bf16, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.ternary' op operand #2 has dtype bf16, expected f32 to match operand #1 (C3)}}
  "penguin.ternary"(%a, %b, %c, %d) {function = "clamp"} : (memref<f32, "dram">, memref<4xf32, "dram">, memref<bf16, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @ternary_c4(%a: memref<3xf32, "dram">, %b: memref<4xf32, "dram">, %c: memref<f32, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.ternary' op operand #0 dim 0 is 3, expected 4 to match operand #1 (C4)}}
  "penguin.ternary"(%a, %b, %c, %d) {function = "clamp"} : (memref<3xf32, "dram">, memref<4xf32, "dram">, memref<f32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @ternary_c5(%a: memref<f32, "dram">, %b: memref<4xf32, "dram">, %c: memref<f32, "dram">, %d: memref<5xf32, "dram">) {
  // expected-error@+1 {{'penguin.ternary' op operand #3 dim 0 is 5, expected 4 to match operand #1 (C5)}}
  "penguin.ternary"(%a, %b, %c, %d) {function = "clamp"} : (memref<f32, "dram">, memref<4xf32, "dram">, memref<f32, "dram">, memref<5xf32, "dram">) -> ()
  return
}

// -----

func.func @select_c1(%a: memref<i1>, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.select' op operand #0 has no memory space}}
  "penguin.select"(%a, %b, %c, %d) : (memref<i1>, memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @select_c2(%a: memref<4xi8, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.select' op operand #0 has dtype i8, expected i1 (C2)}}
  "penguin.select"(%a, %b, %c, %d) : (memref<4xi8, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @select_c3(%a: memref<4xi1, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf16, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.select' op operand #2 has dtype f16, expected f32 to match operand #1 (C3)}}
  "penguin.select"(%a, %b, %c, %d) : (memref<4xi1, "dram">, memref<4xf32, "dram">, memref<4xf16, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @select_c4(%a: memref<3xi1, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">, %d: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.select' op operand #0 dim 0 is 3, expected 4 to match operand #1 (C4)}}
  "penguin.select"(%a, %b, %c, %d) : (memref<3xi1, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @select_c5(%a: memref<4xi1, "dram">, %b: memref<4xf32, "dram">, %c: memref<4xf32, "dram">, %d: memref<5xf32, "dram">) {
  // expected-error@+1 {{'penguin.select' op operand #3 dim 0 is 5, expected 4 to match operand #1 (C5)}}
  "penguin.select"(%a, %b, %c, %d) : (memref<4xi1, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">, memref<5xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c1(%a: memref<4xf32>, %b: memref<f32, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op operand #0 has no memory space}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: 0>} : (memref<4xf32>, memref<f32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c2(%a: memref<4xf32, "dram">, %b: memref<bf16, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op operand #1 has dtype bf16, expected f32 to match operand #0 (C2)}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: 0>} : (memref<4xf32, "dram">, memref<bf16, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c3(%a: memref<4xf32, "dram">, %b: memref<1xf32, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op operand #1 has rank 1, expected 0 (C3)}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: 0>} : (memref<4xf32, "dram">, memref<1xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c4(%a: memref<4xf32, "dram">, %b: memref<f32, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op high has 2 entries, expected 1, the rank of operand #0 (C4)}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1, 0>, interior = array<i64: 0>} : (memref<4xf32, "dram">, memref<f32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c5(%a: memref<4xf32, "dram">, %b: memref<f32, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op interior dim 0 is -1, expected at least 0 (C5)}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: -1>} : (memref<4xf32, "dram">, memref<f32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @pad_c6(%a: memref<4xf32, "dram">, %b: memref<f32, "dram">, %c: memref<6xf32, "dram">) {
  // expected-error@+1 {{'penguin.pad' op operand #2 dim 0 is 6, expected 12 for this padding (C6)}}
  "penguin.pad"(%a, %b, %c) {low = array<i64: 1>, high = array<i64: 1>, interior = array<i64: 2>} : (memref<4xf32, "dram">, memref<f32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// -----

func.func @iota_c1(%a: memref<4xi32>) {
  // expected-error@+1 {{'penguin.iota' op operand #0 has no memory space}}
  "penguin.iota"(%a) {axis = 0 : i64} : (memref<4xi32>) -> ()
  return
}

// -----

func.func @iota_c2(%a: memref<4xi1, "dram">) {
  // expected-error@+1 {{'penguin.iota' op operand #0 has dtype i1, expected a float or signed or unsigned dtype for iota (C2)}}
  "penguin.iota"(%a) {axis = 0 : i64} : (memref<4xi1, "dram">) -> ()
  return
}

// -----

func.func @iota_c3(%a: memref<4xi32, "dram">) {
  // expected-error@+1 {{'penguin.iota' op axis is 1, expected 0 to 0 (C3)}}
  "penguin.iota"(%a) {axis = 1 : i64} : (memref<4xi32, "dram">) -> ()
  return
}

// -----

func.func @reverse_c1(%a: memref<4xf32, "dram">, %b: memref<4xf32>) {
  // expected-error@+1 {{'penguin.reverse' op operand #1 has no memory space}}
  "penguin.reverse"(%a, %b) {axes = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xf32>) -> ()
  return
}

// -----

func.func @reverse_c2(%a: memref<4xf32, "dram">, %b: memref<4xi32, "dram">) {
  // expected-error@+1 {{'penguin.reverse' op operand #1 has dtype i32, expected f32 to match operand #0 (C2)}}
  "penguin.reverse"(%a, %b) {axes = array<i64: 0>} : (memref<4xf32, "dram">, memref<4xi32, "dram">) -> ()
  return
}

// -----

func.func @reverse_c3(%a: memref<4xf32, "dram">, %b: memref<5xf32, "dram">) {
  // expected-error@+1 {{'penguin.reverse' op operand #1 dim 0 is 5, expected 4 to match operand #0 (C3)}}
  "penguin.reverse"(%a, %b) {axes = array<i64: 0>} : (memref<4xf32, "dram">, memref<5xf32, "dram">) -> ()
  return
}

// -----

func.func @reverse_c4(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.reverse' op axes has axis 0 twice, expected distinct axes (C4)}}
  "penguin.reverse"(%a, %b) {axes = array<i64: 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c1(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32>) {
  // expected-error@+1 {{'penguin.gather' op operand #2 has no memory space, expected "dram", "sbuf" or "psum" (C1)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32>) -> ()
  return
}

// -----

func.func @gather_c2_floats(%a: memref<40x6xf32, "dram">, %i: memref<7x1xf32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand #1 has dtype f32, expected a signed or unsigned dtype for the starts of a gather (C2)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xf32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c3(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xbf16, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand #2 has dtype bf16, expected f32 to match operand #0 (C3)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xbf16, "dram">) -> ()
  return
}

// -----

func.func @gather_c4_list(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op slice_sizes is array<i32: 1, 6>, expected array<i64: ...> (C4)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i32: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c4_length(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op slice_sizes has 1 entries, expected 2, the rank of operand #0 (C4)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c4_range(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op slice_sizes dim 1 is 7, expected 0 to 6 (C4)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 7>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c5_axis(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op collapsed_slice_dims has axis 2, expected 0 to 1 (C5)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 2>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c5_order(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op collapsed_slice_dims is [1, 0], expected ascending axes (C5)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64>, collapsed_slice_dims = array<i64: 1, 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 1>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c5_both(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand_batching_dims has axis 0, which is in collapsed_slice_dims (C5)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c5_size(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op slice_sizes dim 0 is 2, expected 1 as it is in collapsed_slice_dims (C5)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 2, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c6_type(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op index_vector_dim is 1 : i32, expected an i64 (C6)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i32, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c6_range(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op index_vector_dim is 3, expected 0 to 2 (C6)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 3 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c7_twice(%a: memref<40x6xf32, "dram">, %i: memref<7x2xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_index_map has axis 0 twice, expected distinct axes (C7)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0, 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x2xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c7_batching(%a: memref<4x6xf32, "dram">, %i: memref<4x7x1xi32, "dram">, %d: memref<4x7x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_index_map has axis 0, which is in operand_batching_dims (C7)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 3>} : (memref<4x6xf32, "dram">, memref<4x7x1xi32, "dram">, memref<4x7x3xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c7_length(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_index_map has 2 entries, expected 1, the components of a start (C7)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0, 1>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c7_implicit(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_index_map has 2 entries, expected 1, the components of a start (C7)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0, 1>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c8_axis(%a: memref<4x6xf32, "dram">, %i: memref<4x7x1xi32, "dram">, %d: memref<4x7x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_indices_batching_dims has axis 3, expected 0 to 2 (C8)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 3>, start_index_map = array<i64: 1>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 3>} : (memref<4x6xf32, "dram">, memref<4x7x1xi32, "dram">, memref<4x7x3xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c8_vector(%a: memref<4x6xf32, "dram">, %i: memref<4x7x1xi32, "dram">, %d: memref<4x7x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_indices_batching_dims has axis 2, which is index_vector_dim (C8)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 2>, start_index_map = array<i64: 1>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 3>} : (memref<4x6xf32, "dram">, memref<4x7x1xi32, "dram">, memref<4x7x3xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c8_length(%a: memref<4x6xf32, "dram">, %i: memref<4x7x1xi32, "dram">, %d: memref<4x7x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op start_indices_batching_dims has 0 entries, expected 1 to match operand_batching_dims (C8)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 1>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 3>} : (memref<4x6xf32, "dram">, memref<4x7x1xi32, "dram">, memref<4x7x3xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c8_extent(%a: memref<4x6xf32, "dram">, %i: memref<4x7x1xi32, "dram">, %d: memref<4x7x3xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand #1 dim 1 is 7, expected 4 to match operand #0 dim 0 (C8)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64: 0>, start_indices_batching_dims = array<i64: 1>, start_index_map = array<i64: 1>, index_vector_dim = 2 : i64, slice_sizes = array<i64: 1, 3>} : (memref<4x6xf32, "dram">, memref<4x7x1xi32, "dram">, memref<4x7x3xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c9_axis(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op offset_dims has axis 2, expected 0 to 1 (C9)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c9_order(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x40x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op offset_dims is [2, 1], expected ascending axes (C9)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 2, 1>, collapsed_slice_dims = array<i64>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x40x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c9_length(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7x6xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op offset_dims has 0 entries, expected 1, the dimensions of a slice (C9)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7x6xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c10_extent(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<6x7xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand #2 dim 0 is 6, expected 7 for these starts and slices (C10)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<6x7xf32, "dram">) -> ()
  return
}

// -----

func.func @gather_c10_rank(%a: memref<40x6xf32, "dram">, %i: memref<7x1xi32, "dram">, %d: memref<7xf32, "dram">) {
  // expected-error@+1 {{'penguin.gather' op operand #2 has rank 1, expected 2 for these starts and slices (C10)}}
  "penguin.gather"(%a, %i, %d) {offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : i64, slice_sizes = array<i64: 1, 6>} : (memref<40x6xf32, "dram">, memref<7x1xi32, "dram">, memref<7xf32, "dram">) -> ()
  return
}
