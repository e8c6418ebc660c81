// RUN: penguin-opt --split-input-file --verify-diagnostics %s
// One case per rule of the verifier; test/unit/test_bir_verifier.py has the others.

func.func @c1_scalar_without_operator() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x1xf32, "sbuf">
  // expected-error@+1 {{'bir.TensorScalarPtr' op has 1 scalars, expected 2 for op1 mult (C1)}}
  "bir.TensorScalarPtr"(%alloc, %alloc_1, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op0 = "add", op1 = "mult", operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (memref<128x512xf32, "sbuf">, memref<128x1xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c2_one_pattern_per_operand(%a: memref<128x512xf32, "sbuf">, %b: memref<128x512xf32, "sbuf">) {
  // expected-error@+1 {{'bir.Reciprocal' op access has 1 patterns, expected 2 (C2)}}
  "bir.Reciprocal"(%a, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c3_no_loop(%a: memref<128x512xf32, "sbuf">, %b: memref<128x512xf32, "sbuf">, %i: index) {
  // expected-error@+1 {{'bir.Reciprocal' op axes[0] is not the variable of a bir.loop (C3)}}
  "bir.Reciprocal"(%a, %b, %i) {access = [#bir.ap<"float32", affine_map<(d0) -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<(d0) -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, index) -> ()
  return
}

// -----

func.func @c4_engine() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op Reciprocal runs on PE, expected DVE (trn2) (C4)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "PE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c5_unknown_attribute(%a: memref<128x512xf32, "sbuf">, %b: memref<128x512xf32, "sbuf">) {
  // expected-error@+1 {{'bir.Reciprocal' op has attribute 'func', expected none (C5)}}
  "bir.Reciprocal"(%a, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", func = "Exp"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c6_no_tile(%a: memref<512xf32, "sbuf">, %b: memref<512xf32, "sbuf">) {
  // expected-error@+1 {{'bir.Reciprocal' op ins[0] is a tile of rank 1, expected partitions x elements (C6)}}
  "bir.Reciprocal"(%a, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<512xf32, "sbuf">, memref<512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c7_base() {
  %alloc = memref.alloc() {bir.addr = 0 : i64, bir.base = 32 : i64} : memref<128x8xf32, "sbuf">
  // expected-error@+1 {{'bir.Memset' op outs[0] has 128 partitions from partition 32, expected at most 128 (C7)}}
  "bir.Memset"(%alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[8, 128], [1, 8]]>], constant = 0.000000e+00 : f32, engine = "DVE", mode = "Const"} : (memref<128x8xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c8_sbuf() {
  %alloc = memref.alloc() {bir.addr = 212800 : i64, bir.base = 0 : i64} : memref<128x64xf32, "sbuf">
  // expected-error@+1 {{'bir.Memset' op outs[0] ends at byte 213056 of a partition, expected at most 212984 (trn2) (C8)}}
  "bir.Memset"(%alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[64, 128], [1, 64]]>], constant = 0.000000e+00 : f32, engine = "DVE", mode = "Const"} : (memref<128x64xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c9_bank() {
  %alloc = memref.alloc() {bir.addr = 2048 : i64, bir.bank = 2 : i64, bir.base = 0 : i64} : memref<128x8xf32, "psum">
  // expected-error@+1 {{'bir.Memset' op outs[0] is in bank 2 at byte 2048, expected bank 1 (C9)}}
  "bir.Memset"(%alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[8, 128], [1, 8]]>], constant = 0.000000e+00 : f32, engine = "DVE", mode = "Const"} : (memref<128x8xf32, "psum">) -> ()
  return
}

// -----

func.func @c10_width() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op ins[0] is read as bfloat16 of 2 bytes, expected 4 bytes as in f32 (C10)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"bfloat16", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c11_pairs_on_an_engine() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op ins[0] has 5 pairs, expected at most 4 (C11)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [256, 2], [16, 16], [4, 4], [1, 4]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c12_num(%arg0: memref<1024x512xf32, "dram">, %arg1: memref<1024x512xf32, "dram">) {
  // expected-error@+1 {{'bir.DMACopy' op ins[0] pair #0 has num 65536, expected 1 to 65535 (C12)}}
  "bir.DMACopy"(%arg0, %arg1) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[1, 65536]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 65536]]>], engine = "DMA", mode = "Copy"} : (memref<1024x512xf32, "dram">, memref<1024x512xf32, "dram">) -> ()
  return
}

// -----

func.func @c13_dram() {
  %alloc = memref.alloc() : memref<4xf32, "dram">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Load' op ins[0] touches elements 0 to 4, expected 0 to 3 (C13)}}
  "bir.Load"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[4, 1], [1, 5]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 1], [1, 5]]>], engine = "DMA"} : (memref<4xf32, "dram">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c14_partition_step() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op outs[0] has partition step 1024, expected 512 (C14)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 64], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1024, 64], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c15_start() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op outs[0] has 32 partitions from partition 16, expected start 0 32 64 96 for 32 partitions (C15)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 32], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (8192)>, [[512, 32], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c16_free() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Reciprocal' op outs[0] touches free elements 300 to 555, expected 0 to 511 (C16)}}
  "bir.Reciprocal"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 256]]>, #bir.ap<"float32", affine_map<() -> (300)>, [[512, 128], [1, 256]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c17_elements(%arg0: memref<1024x512xf32, "dram">) {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Load' op ins[0] has 32768 elements, expected 65536 as outs[0] (C17)}}
  "bir.Load"(%arg0, %alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 256]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DMA"} : (memref<1024x512xf32, "dram">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c18_load_from_sbuf() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.Load' op ins[0] is in sbuf, expected dram on DMA (C18)}}
  "bir.Load"(%alloc_0, %alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DMA"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c19_both_in_psum() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "psum">
  %alloc_1 = memref.alloc() : memref<128x512xf32, "psum">
  // expected-error@+1 {{'bir.TensorTensor' op ins[0] and ins[1] are in psum, expected at most one (C19)}}
  "bir.TensorTensor"(%alloc_0, %alloc_1, %alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op = "add"} : (memref<128x512xf32, "psum">, memref<128x512xf32, "psum">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c20_k() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "psum">
  // expected-error@+1 {{'bir.Matmult' op has K 128 (moving) and 64 (stationary), expected one K (C20)}}
  "bir.Matmult"(%alloc, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 64], [1, 128]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], accumulation_flag = [], engine = "PE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "psum">) -> ()
  return
}

// -----

func.func @c21_dtype() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xbf16, "psum">
  // expected-error@+1 {{'bir.Matmult' op outs[0] is bfloat16, expected float32 (trn2) (C21)}}
  "bir.Matmult"(%alloc, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 128]]>, #bir.ap<"bfloat16", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], accumulation_flag = [], engine = "PE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xbf16, "psum">) -> ()
  return
}

// -----

func.func @c22_dtype() {
  %alloc = memref.alloc() : memref<128x512xi32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "psum">
  // expected-error@+1 {{'bir.Matmult' op ins[0] is int32, expected one of bfloat16 float16 float32 (C22)}}
  "bir.Matmult"(%alloc, %alloc, %alloc_0) {access = [#bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 128]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], accumulation_flag = [], engine = "PE"} : (memref<128x512xi32, "sbuf">, memref<128x512xi32, "sbuf">, memref<128x512xf32, "psum">) -> ()
  return
}

// -----

func.func @c23_position(%a: memref<128x128xf32, "sbuf">, %p: memref<128x128xf32, "psum">) {
  "bir.loop"() ({
  ^bb0(%i: index):
    // expected-error@+1 {{'bir.Matmult' op has accumulation_flag [1], expected distinct positions below 1 (C23)}}
    "bir.Matmult"(%a, %a, %p, %i) {access = [#bir.ap<"float32", affine_map<(d0) -> (0)>, [[128, 128], [1, 128]]>, #bir.ap<"float32", affine_map<(d0) -> (0)>, [[128, 128], [1, 128]]>, #bir.ap<"float32", affine_map<(d0) -> (0)>, [[128, 128], [1, 128]]>], accumulation_flag = [1], engine = "PE"} : (memref<128x128xf32, "sbuf">, memref<128x128xf32, "sbuf">, memref<128x128xf32, "psum">, index) -> ()
  }) {lower = 0 : i64, step = 1 : i64, upper = 2 : i64} : () -> ()
  return
}

// -----

func.func @c24_predicate() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.CopyPredicated' op ins[0] (predicate) is float32, expected an integer dtype (C24)}}
  "bir.CopyPredicated"(%alloc, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c25_scalar() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x1xf32, "sbuf">
  // expected-error@+1 {{'bir.TensorScalarPtr' op ins[1] (scalar0) is 64 x 1, expected 128 x 1 (C25)}}
  "bir.TensorScalarPtr"(%alloc, %alloc_1, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 64], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op0 = "add", operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (memref<128x512xf32, "sbuf">, memref<128x1xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c26_mixed() {
  %alloc = memref.alloc() : memref<128x512xi32, "sbuf">
  // expected-error@+1 {{'bir.TensorScalar' op mixes add and bitwise_and, expected both arithmetic or both bitvec (C26)}}
  "bir.TensorScalar"(%alloc, %alloc) {access = [#bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], const0 = 1 : i64, const1 = 1 : i64, engine = "DVE", op0 = "add", op1 = "bitwise_and"} : (memref<128x512xi32, "sbuf">, memref<128x512xi32, "sbuf">) -> ()
  return
}

// -----

func.func @c27_float() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.TensorTensor' op ins[0] is float32, expected integers of one width for bitwise_and (C27)}}
  "bir.TensorTensor"(%alloc, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op = "bitwise_and"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c28_bitvec_immediate() {
  %alloc = memref.alloc() : memref<128x512xi32, "sbuf">
  // expected-error@+1 {{'bir.TensorScalar' op has const0 1.0, expected an integer for bitwise_and (C28)}}
  "bir.TensorScalar"(%alloc, %alloc) {access = [#bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], const0 = 1.000000e+00 : f32, engine = "DVE", op0 = "bitwise_and"} : (memref<128x512xi32, "sbuf">, memref<128x512xi32, "sbuf">) -> ()
  return
}

// -----

func.func @c29_axis_c_on_dve() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.TensorReduce' op reduces axis C on DVE, expected Pool (C29)}}
  "bir.TensorReduce"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 1], [1, 512]]>], axis = "C", engine = "DVE", op = "add"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c30_step(%arg0: memref<1024x512xf32, "dram">) {
  %alloc = memref.alloc() : memref<128x1xi32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.GenericIndirectLoad' op ins[0] has step 0 for the index, expected at least 1 (C30)}}
  "bir.GenericIndirectLoad"(%arg0, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[0, 128], [1, 512]]>, #bir.ap<"uint32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "Pool"} : (memref<1024x512xf32, "dram">, memref<128x1xi32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// -----

func.func @c5_indirect_dims(%arg0: memref<1024x512xf32, "dram">) {
  %alloc = memref.alloc() : memref<128x1xi32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  // expected-error@+1 {{'bir.GenericIndirectLoad' op has indirect_dims = ["Z"], expected ('W',): nothing else is supported (C5)}}
  "bir.GenericIndirectLoad"(%arg0, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"uint32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "Pool", indirect_dims = ["Z"]} : (memref<1024x512xf32, "dram">, memref<128x1xi32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}
