// RUN: penguin-opt --hlo-to-penguin --split-input-file %s | filecheck %s
// RUN: penguin-opt --hlo-to-penguin --mlir-print-debuginfo --split-input-file %s | filecheck %s --check-prefix=LOC

// The frame: inputs, outputs, buffers with names; locations stay.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"},
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<32xf32, "dram"> {penguin.io = "output", penguin.name = "out0"})
// CHECK-SAME: attributes {penguin.kernel}
// CHECK-NEXT: %[[T0:.*]] = memref.alloc() {penguin.name = "t0"} : memref<4x8xf32, "dram">
// CHECK-NEXT: "penguin.unary"(%[[A]], %[[T0]]) {function = "tanh"}
// CHECK-NEXT: %[[T1:.*]] = memref.alloc() {penguin.name = "t1"} : memref<32xf32, "dram">
// CHECK-NEXT: "penguin.memcpy"(%[[T0]], %[[T1]])
// CHECK-NEXT: "penguin.memcpy"(%[[T1]], %[[O]])
// CHECK-NEXT: return{{$}}
// LOC-LABEL: func.func @main
// LOC: "penguin.unary"{{.*}} loc(#[[TANH:loc[0-9]+]])
// LOC: "penguin.memcpy"(%alloc, %alloc_0){{.*}} loc(#[[RESHAPE:loc[0-9]+]])
// LOC: #[[TANH]] = loc("jit(f)/tanh")
// LOC: #[[RESHAPE]] = loc("jit(f)/reshape")
func.func public @main(%a: tensor<4x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<32xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.tanh %a : tensor<4x8xf32> loc("jit(f)/tanh")
  %1 = stablehlo.reshape %0 : (tensor<4x8xf32>) -> tensor<32xf32> loc("jit(f)/reshape")
  return %1 : tensor<32xf32>
}

// -----

// Results that are arguments, constants, or one value twice: each is copied.
// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[A:[a-z0-9]+]]: {{[^,]*}}, "dram"> {penguin.io = "input"
// CHECK-SAME: %[[O0:[a-z0-9]+]]: {{[^,]*}}, "dram"> {penguin.io = "output", penguin.name = "out0"}
// CHECK-SAME: %[[O1:[a-z0-9]+]]: {{[^,]*}}, "dram"> {penguin.io = "output", penguin.name = "out1"}
// CHECK-SAME: %[[O2:[a-z0-9]+]]: {{[^,]*}}, "dram"> {penguin.io = "output", penguin.name = "out2"}
// CHECK: %[[C:.*]] = memref.alloc()
// CHECK-NEXT: "penguin.memset"(%[[C]]) {value = 1.000000e+00 : bf16}
// CHECK-NEXT: "penguin.memcpy"(%[[A]], %[[O0]])
// CHECK-NEXT: "penguin.memcpy"(%[[C]], %[[O1]])
// CHECK-NEXT: "penguin.memcpy"(%[[A]], %[[O2]])
// CHECK-NEXT: return
func.func @results(%a: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %c = stablehlo.constant dense<1.0> : tensor<4xbf16>
  return %a, %c, %a : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// -----

// A kernel without arguments or results.
// CHECK-LABEL: func.func @nothing() attributes {penguin.kernel} {
// CHECK-NEXT: return
func.func @nothing() {
  return
}

// -----

// A private function becomes a kernel of its own, as does each public one.
// CHECK: func.func @first({{.*}}) attributes {penguin.kernel}
// CHECK: func.func @second({{.*}}) attributes {penguin.kernel}
func.func @first(%a: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}
func.func @second(%a: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}

// -----

// Dense data is a global, equal data one global; a taken name is not used.
// CHECK: memref.global "private" constant @cst_0 : memref<2xi32, "dram"> = dense<[1, 2]>
// CHECK: memref.global "private" constant @cst_2 : memref<2xi1, "dram"> = dense<[true, false]>
// CHECK: memref.global "private" constant @cst_3 : memref<2xui8, "dram"> = dense_resource<data>
// CHECK: memref.global "private" constant @cst_4 : memref<0xf32, "dram"> = dense<>
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: memref.get_global @cst_0 : memref<2xi32, "dram">
// CHECK-NEXT: memref.get_global @cst_0 : memref<2xi32, "dram">
// CHECK-NEXT: memref.get_global @cst_2 : memref<2xi1, "dram">
// CHECK-NEXT: memref.get_global @cst_3 : memref<2xui8, "dram">
// CHECK-NEXT: memref.get_global @cst_4 : memref<0xf32, "dram">
// CHECK-NEXT: memref.alloc() {penguin.name = "t0"} : memref<3xi1, "dram">
// CHECK-NEXT: "penguin.memset"({{.*}}) {value = true}
// CHECK-NEXT: memref.alloc() {penguin.name = "t1"} : memref<ui16, "dram">
// CHECK-NEXT: "penguin.memset"({{.*}}) {value = 65535 : ui16}
// CHECK-NEXT: memref.alloc() {penguin.name = "t2"} : memref<2x2xf16, "dram">
// CHECK-NEXT: "penguin.memset"({{.*}}) {value = 0xFC00 : f16}
func.func @constants() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %3 = stablehlo.constant dense_resource<data> : tensor<2xui8>
  %4 = stablehlo.constant dense<> : tensor<0xf32>
  %5 = stablehlo.constant dense<true> : tensor<3xi1>
  %6 = stablehlo.constant dense<65535> : tensor<ui16>
  %7 = stablehlo.constant dense<0xFC00> : tensor<2x2xf16>
  return
}
func.func @cst_1() {
  return
}
{-# dialect_resources: { builtin: { data: "0x040000000107" } } #-}

// -----

// CHECK-LABEL: func.func @converts(
// CHECK: "penguin.memcast"({{.*}}) : (memref<4xf32, "dram">, memref<4xui8, "dram">)
// CHECK: "penguin.memcpy"({{.*}}) : (memref<4xf32, "dram">, memref<4xf32, "dram">)
// CHECK: "penguin.bitcast"({{.*}}) : (memref<4xf32, "dram">, memref<4x2xi16, "dram">)
// CHECK: "penguin.memcpy"({{.*}}) : (memref<4xf32, "dram">, memref<4xf32, "dram">)
func.func @converts(%a: tensor<4xf32>) {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xui8>
  %1 = stablehlo.convert %a : tensor<4xf32>
  %2 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x2xi16>
  %3 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @movement(
// CHECK: "penguin.broadcast"({{.*}}) {dims = array<i64: 2, 0>}
// CHECK: "penguin.transpose"({{.*}}) {permutation = array<i64: 1, 0>}
// CHECK: "penguin.reverse"({{.*}}) {axes = array<i64: 0, 1>}
// CHECK: "penguin.slice"({{.*}}) {access = "ndim", limits = array<i64: 2, 3>, starts = array<i64: 0, 1>, strides = array<i64: 1, 2>}
// CHECK: "penguin.concat"(%arg0, %arg0, %arg1, %{{.*}}) {axis = 1 : i64
// CHECK: "penguin.pad"(%arg0, %arg2, %{{.*}}) {high = array<i64: 0, -1>, interior = array<i64: 0, 2>, low = array<i64: 1, 0>}
// CHECK: "penguin.iota"({{.*}}) {axis = 1 : i64}
func.func @movement(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>, %c: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  %3 = stablehlo.slice %a [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %4 = stablehlo.concatenate %a, %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x7xf32>
  %5 = stablehlo.pad %a, %c, low = [1, 0], high = [0, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %6 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  return
}

// -----

// CHECK-LABEL: func.func @elementwise(
// CHECK: "penguin.binary"(%arg0, %arg1, %{{.*}}) {function = "power"}
// CHECK: "penguin.binary"(%arg0, %arg1, %{{.*}}) {function = "compare_lt"} : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xi1, "dram">)
// CHECK: "penguin.binary"(%arg0, %arg1, %{{.*}}) {function = "compare_ne"}
// CHECK: "penguin.select"(%[[P:.*]], %arg0, %arg1, %{{.*}})
// CHECK: "penguin.select"(%arg3, %arg0, %arg1, %{{.*}}) : (memref<i1, "dram">
// CHECK: "penguin.ternary"(%arg2, %arg0, %arg1, %{{.*}}) {function = "clamp"}
// CHECK: "penguin.unary"(%arg0, %{{.*}}) {function = "is_finite"} : (memref<4xf32, "dram">, memref<4xi1, "dram">)
func.func @elementwise(%a: tensor<4xf32>, %b: tensor<4xf32>, %s: tensor<f32>, %p: tensor<i1>) {
  %0 = stablehlo.power %a, %b : tensor<4xf32>
  %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare NE, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.select %1, %a, %b : tensor<4xi1>, tensor<4xf32>
  %4 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
  %5 = stablehlo.clamp %s, %a, %b : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

// CHECK-LABEL: func.func @contractions(
// CHECK: "penguin.tensor_contract"(%arg0, %arg1, %{{.*}}) {lhs_batch_axes = array<i64: 1>, lhs_contract_axes = array<i64: 0, 3>, lhs_free_axes = array<i64: 2>, rhs_batch_axes = array<i64: 0>, rhs_contract_axes = array<i64: 3, 1>, rhs_free_axes = array<i64: 2>}
// CHECK-SAME: memref<3x4x6xf32, "dram">
// CHECK: "penguin.tensor_contract"(%arg2, %arg2, %{{.*}}) {lhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64>, rhs_batch_axes = array<i64>, rhs_contract_axes = array<i64: 0>, rhs_free_axes = array<i64>}
// CHECK-SAME: (memref<7xi8, "dram">, memref<7xi8, "dram">, memref<i32, "dram">)
// CHECK: "penguin.tensor_contract"(%arg3, %arg2, %{{.*}}) {lhs_batch_axes = array<i64>, lhs_contract_axes = array<i64: 1>, lhs_free_axes = array<i64: 0>, rhs_batch_axes = array<i64>, rhs_contract_axes = array<i64: 0>, rhs_free_axes = array<i64>}
// CHECK: "penguin.tensor_contract"(%arg0, %arg1, %{{.*}}) {lhs_batch_axes = array<i64: 1>, lhs_contract_axes = array<i64: 0>, lhs_free_axes = array<i64: 2, 3>, rhs_batch_axes = array<i64: 0>, rhs_contract_axes = array<i64: 3>, rhs_free_axes = array<i64: 1, 2>}
func.func @contractions(%a: tensor<2x3x4x5xbf16>, %b: tensor<3x5x6x2xbf16>, %v: tensor<7xi8>, %m: tensor<9x7xi8>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0, 3] x [3, 1] : (tensor<2x3x4x5xbf16>, tensor<3x5x6x2xbf16>) -> tensor<3x4x6xf32>
  %1 = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<7xi8>, tensor<7xi8>) -> tensor<i32>
  %2 = stablehlo.dot %m, %v : (tensor<9x7xi8>, tensor<7xi8>) -> tensor<9xi8>
  %3 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0] x [3] : (tensor<2x3x4x5xbf16>, tensor<3x5x6x2xbf16>) -> tensor<3x4x5x5x6xbf16>
  return
}

// -----

// The body's operands may stand in either order.
// CHECK-LABEL: func.func @reductions(
// CHECK: "penguin.reduce"(%arg0, %arg1, %{{.*}}) {axes = array<i64: 0, 2>, function = "add"} : (memref<2x3x4xf32, "dram">, memref<f32, "dram">, memref<3xf32, "dram">)
// CHECK: "penguin.reduce"(%arg0, %arg1, %{{.*}}) {axes = array<i64: 1>, function = "maximum"}
// CHECK: "penguin.reduce"(%arg2, %arg3, %{{.*}}) {axes = array<i64: 0>, function = "or"}
func.func @reductions(%a: tensor<2x3x4xf32>, %i: tensor<f32>, %b: tensor<5xi1>, %f: tensor<i1>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %m = stablehlo.maximum %y, %x : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }
  %2 = stablehlo.reduce(%b init: %f) applies stablehlo.or across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
  return
}

// -----

// Sources of more than 16 types in a row: by way of a partial concatenation.
// CHECK-LABEL: func.func @concatenate_many_types(
// CHECK: %[[FIRST:.*]] = memref.alloc() {{.*}} : memref<136xf32, "dram">
// CHECK-NEXT: "penguin.concat"(%arg0, {{.*}}, %arg15, %[[FIRST]]) {axis = 0 : i64
// CHECK: %[[REST:.*]] = memref.alloc() {{.*}} : memref<35xf32, "dram">
// CHECK-NEXT: "penguin.concat"(%arg16, %arg17, %[[REST]]) {axis = 0 : i64
// CHECK: %[[ALL:.*]] = memref.alloc() {{.*}} : memref<171xf32, "dram">
// CHECK-NEXT: "penguin.concat"(%[[FIRST]], %[[REST]], %[[ALL]]) {axis = 0 : i64
func.func @concatenate_many_types(%a1: tensor<1xf32>, %a2: tensor<2xf32>, %a3: tensor<3xf32>, %a4: tensor<4xf32>, %a5: tensor<5xf32>, %a6: tensor<6xf32>, %a7: tensor<7xf32>, %a8: tensor<8xf32>, %a9: tensor<9xf32>, %a10: tensor<10xf32>, %a11: tensor<11xf32>, %a12: tensor<12xf32>, %a13: tensor<13xf32>, %a14: tensor<14xf32>, %a15: tensor<15xf32>, %a16: tensor<16xf32>, %a17: tensor<17xf32>, %a18: tensor<18xf32>) {
  %0 = stablehlo.concatenate %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, dim = 0 : (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>, tensor<5xf32>, tensor<6xf32>, tensor<7xf32>, tensor<8xf32>, tensor<9xf32>, tensor<10xf32>, tensor<11xf32>, tensor<12xf32>, tensor<13xf32>, tensor<14xf32>, tensor<15xf32>, tensor<16xf32>, tensor<17xf32>, tensor<18xf32>) -> tensor<171xf32>
  return
}

// -----

// CHECK-LABEL: func.func @gather(
// CHECK: "penguin.gather"(%arg0, %arg1, %{{.*}}) {collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : i64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 4>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}
// CHECK-SAME: : (memref<5x6xbf16, "dram">, memref<7x1xui8, "dram">, memref<7x4xbf16, "dram">)
// CHECK: "penguin.gather"(%arg2, %arg3, %{{.*}}) {collapsed_slice_dims = array<i64>, index_vector_dim = 0 : i64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 3>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 1>}
func.func @gather(%a: tensor<5x6xbf16>, %i: tensor<7x1xui8>, %b: tensor<2x6xf32>, %j: tensor<1x2xi32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x6xbf16>, tensor<7x1xui8>) -> tensor<7x4xbf16>
  %1 = "stablehlo.gather"(%b, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<2x6xf32>, tensor<1x2xi32>) -> tensor<2x3xf32>
  return
}
