// RUN: penguin-opt %s | penguin-opt | filecheck %s

// CHECK-LABEL: func.func @load
// CHECK: "bir.Load"({{.*}}) {access = [#bir.ap<"float32", #{{.*}}>, #bir.ap<"float32", #{{.*}}>], engine = "DMA"}
func.func @load(%arg0: memref<1024x512xf32, "dram">) {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  "bir.Load"(%arg0, %alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DMA"} : (memref<1024x512xf32, "dram">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @copy_in_dram
// CHECK: "bir.DMACopy"({{.*}}) {access = {{.*}}0, 65535{{.*}}1, 65535{{.*}}, engine = "DMA", mode = "Copy"}
func.func @copy_in_dram(%arg0: memref<1024x512xf32, "dram">, %arg1: memref<1024x512xf32, "dram">) {
  "bir.DMACopy"(%arg0, %arg1) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[0, 65535]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 65535]]>], engine = "DMA", mode = "Copy"} : (memref<1024x512xf32, "dram">, memref<1024x512xf32, "dram">) -> ()
  return
}

// CHECK-LABEL: func.func @memset_limits
// CHECK: "bir.Memset"({{.*}}) {access = {{.*}}, constant = 255 : i64, engine = "DVE", mode = "Const"} : (memref<128x512xui8, "sbuf">) -> ()
func.func @memset_limits() {
  %alloc = memref.alloc() : memref<128x512xui8, "sbuf">
  "bir.Memset"(%alloc) {access = [#bir.ap<"uint8", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], constant = 255 : i64, engine = "DVE", mode = "Const"} : (memref<128x512xui8, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @reversed_in_place
// CHECK: "bir.TensorCopy"({{.*}}) {access = {{.*}}512, 128], [-1, 512{{.*}}, engine = "DVE"}
func.func @reversed_in_place() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  "bir.TensorCopy"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (511)>, [[512, 128], [-1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @one_in_psum
// CHECK: "bir.TensorTensor"({{.*}}) {access = {{.*}}, engine = "DVE", op = "add"}
func.func @one_in_psum() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x512xf32, "psum">
  "bir.TensorTensor"(%alloc_1, %alloc_0, %alloc) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op = "add"} : (memref<128x512xf32, "psum">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @integer_immediate
// CHECK: "bir.TensorScalar"({{.*}}) {access = {{.*}}, const0 = 7 : i64, engine = "Pool", op0 = "add"}
func.func @integer_immediate() {
  %alloc = memref.alloc() : memref<128x512xi32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xi32, "sbuf">
  "bir.TensorScalar"(%alloc_0, %alloc) {access = [#bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], const0 = 7 : i64, engine = "Pool", op0 = "add"} : (memref<128x512xi32, "sbuf">, memref<128x512xi32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @unary_after_scalar
// CHECK: "bir.TensorScalarPtr"({{.*}}) {access = {{.*}}, engine = "DVE", op0 = "mult", op1 = "abs", operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}
func.func @unary_after_scalar() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x1xf32, "sbuf">
  "bir.TensorScalarPtr"(%alloc, %alloc_1, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE", op0 = "mult", op1 = "abs", operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (memref<128x512xf32, "sbuf">, memref<128x1xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @reduce_two
// CHECK: "bir.TensorReduce"({{.*}}) {access = {{.*}}, axis = "XY", engine = "DVE", op = "max"}
func.func @reduce_two() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  "bir.TensorReduce"(%alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [64, 8], [8, 8], [1, 8]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 8]]>], axis = "XY", engine = "DVE", op = "max"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @activation_with_bias
// CHECK: "bir.Activation"({{.*}}) {access = {{.*}}"bfloat16"{{.*}}, engine = "Activation", func = "Gelu", operandSegmentSizes = array<i32: 1, 1, 1, 0>, scale = 5.000000e-01 : f32}
func.func @activation_with_bias() {
  %alloc = memref.alloc() : memref<128x1xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xbf16, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x512xf32, "psum">
  "bir.Activation"(%alloc_1, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"bfloat16", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], alpha = 0.000000e+00 : f32, engine = "Activation", func = "Gelu", operandSegmentSizes = array<i32: 1, 1, 1, 0>, scale = 5.000000e-01 : f32} : (memref<128x512xf32, "psum">, memref<128x1xf32, "sbuf">, memref<128x512xbf16, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @quadrants
// CHECK: "bir.loop"() ({
// CHECK-NEXT: ^bb0(%[[AXIS:.*]]: index):
// CHECK: "bir.Reciprocal"(%{{.*}}, %{{.*}}, %[[AXIS]]) {access = {{.*}}, engine = "DVE"}
// CHECK: {lower = 0 : i64, step = 1 : i64, upper = 4 : i64}
func.func @quadrants() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  "bir.loop"() ({
  ^bb0(%arg0: index):
    "bir.Reciprocal"(%alloc, %alloc_0, %arg0) {access = [#bir.ap<"float32", affine_map<(d0) -> (0)>, [[512, 32], [1, 512]]>, #bir.ap<"float32", affine_map<(d0) -> (d0 * 16384)>, [[512, 32], [1, 512]]>], engine = "DVE"} : (memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">, index) -> ()
  }) {lower = 0 : i64, step = 1 : i64, upper = 4 : i64} : () -> ()
  return
}

// CHECK-LABEL: func.func @matmult_16_bit
// CHECK: "bir.Matmult"({{.*}}) {access = {{.*}}"float16"{{.*}}, accumulation_flag = [], engine = "PE"}
func.func @matmult_16_bit() {
  %alloc = memref.alloc() : memref<128x512xbf16, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xbf16, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x512xf32, "psum">
  "bir.Matmult"(%alloc, %alloc_0, %alloc_1) {access = [#bir.ap<"bfloat16", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float16", affine_map<() -> (0)>, [[512, 128], [1, 7]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 7], [1, 512]]>], accumulation_flag = [], engine = "PE"} : (memref<128x512xbf16, "sbuf">, memref<128x512xbf16, "sbuf">, memref<128x512xf32, "psum">) -> ()
  return
}

// CHECK-LABEL: func.func @iota
// CHECK: "bir.Iota"({{.*}}) {access = {{.*}}, base = -1 : i64, channel_multiplier = 512 : i64, engine = "Pool", pattern = {{.*}}32, 16], [1, 32{{.*}}}
func.func @iota() {
  %alloc = memref.alloc() : memref<128x512xi32, "sbuf">
  "bir.Iota"(%alloc) {access = [#bir.ap<"int32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], base = -1 : i64, channel_multiplier = 512 : i64, engine = "Pool", pattern = [[32, 16], [1, 32]]} : (memref<128x512xi32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @predicated
// CHECK: "bir.CopyPredicated"({{.*}}) {access = {{.*}}, engine = "DVE"} : (memref<128x512xui8, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
func.func @predicated() {
  %alloc = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  %alloc_1 = memref.alloc() : memref<128x512xui8, "sbuf">
  "bir.CopyPredicated"(%alloc_1, %alloc, %alloc_0) {access = [#bir.ap<"uint8", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], engine = "DVE"} : (memref<128x512xui8, "sbuf">, memref<128x512xf32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}

// CHECK-LABEL: func.func @gather
// CHECK: "bir.GenericIndirectLoad"({{.*}}) {access = [#bir.ap<"float32", #{{.*}}, {{.*}}512, 128], [1, 512{{.*}}>, #bir.ap<"uint32", {{.*}}], dge_type = "SWDGE", engine = "Pool", indirect_dims = ["W"]}
func.func @gather(%arg0: memref<1024x512xf32, "dram">) {
  %alloc = memref.alloc() : memref<128x1xi32, "sbuf">
  %alloc_0 = memref.alloc() : memref<128x512xf32, "sbuf">
  "bir.GenericIndirectLoad"(%arg0, %alloc, %alloc_0) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>, #bir.ap<"uint32", affine_map<() -> (0)>, [[1, 128], [1, 1]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>], dge_type = "SWDGE", engine = "Pool", indirect_dims = ["W"]} : (memref<1024x512xf32, "dram">, memref<128x1xi32, "sbuf">, memref<128x512xf32, "sbuf">) -> ()
  return
}
