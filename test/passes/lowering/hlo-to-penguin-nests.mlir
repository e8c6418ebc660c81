// Offloaded primitives that are not to be emitted: each option alone, then what becomes of all five.
// RUN: penguin-opt %s --hlo-to-penguin=disable-emit-offloaded-memcpy | filecheck %s --check-prefixes=COPY
// RUN: penguin-opt %s --hlo-to-penguin=disable-emit-offloaded-memcast | filecheck %s --check-prefixes=CAST
// RUN: penguin-opt %s --hlo-to-penguin=disable-emit-offloaded-concat | filecheck %s --check-prefixes=CONCAT
// RUN: penguin-opt %s --hlo-to-penguin=disable-emit-offloaded-slice | filecheck %s --check-prefixes=SLICE
// RUN: penguin-opt %s --hlo-to-penguin=disable-emit-offloaded-transpose | filecheck %s --check-prefixes=TRANSPOSE
// RUN: penguin-opt %s '--hlo-to-penguin=disable-emit-offloaded-memcpy disable-emit-offloaded-memcast disable-emit-offloaded-concat disable-emit-offloaded-slice disable-emit-offloaded-transpose' --verify-semantics --mlir-pass-statistics 2>%t.err | filecheck %s --check-prefixes=ALL
// RUN: filecheck %s --check-prefixes=STATS --input-file=%t.err
// RUN: penguin-opt %s '--hlo-to-penguin=disable-emit-offloaded-memcpy disable-emit-offloaded-memcast disable-emit-offloaded-concat disable-emit-offloaded-slice disable-emit-offloaded-transpose' --lower-tensor-op --late-lower-tensor-op --verify-semantics=3 -o /dev/null

// STATS: 8 {{.*}}Number of offloaded ops emitted as loop nests

// COPY-NOT: "penguin.memcpy"(
// COPY: "penguin.memcast"(
// COPY: "penguin.transpose"(
// COPY: affine.for
// COPY: "penguin.slice"(
// COPY: "penguin.concat"(
// COPY: "penguin.fusion"(
// COPY: affine.for

// CAST: affine.for
// CAST: arith.truncf
// CAST: "penguin.transpose"(
// CAST: "penguin.memcpy"(
// CAST: "penguin.slice"(
// CAST: "penguin.concat"(

// CONCAT: "penguin.memcast"(
// CONCAT: "penguin.transpose"(
// CONCAT: "penguin.memcpy"(
// CONCAT: "penguin.slice"(
// CONCAT-NOT: "penguin.concat"(
// CONCAT: affine.store %{{.*}}, %[[T:.*]][%{{.*}}, %{{.*}}] : memref<4x3xbf16, "dram">
// CONCAT: affine.store %{{.*}}, %[[T]][%{{.*}}, 2] : memref<4x3xbf16, "dram">

// SLICE: "penguin.memcast"(
// SLICE: "penguin.transpose"(
// SLICE: "penguin.memcpy"(
// SLICE-NOT: "penguin.slice"(
// SLICE: affine.load %{{.*}}[%{{.*}}, 1] : memref<4x2xbf16, "dram">
// SLICE: "penguin.concat"(

// TRANSPOSE: "penguin.memcast"(
// TRANSPOSE-NOT: "penguin.transpose"(
// TRANSPOSE: affine.load %[[T:.*]][%[[J:.*]], %[[I:.*]]] : memref<2x4xbf16, "dram">
// TRANSPOSE: "penguin.memcpy"(

// A reshape loops over the common refinement of both shapes.
// ALL-LABEL: func.func @main
// ALL-NOT: penguin.mem
// ALL: arith.truncf
// ALL: affine.store %{{.*}}[%{{.*}} * 4 + %{{.*}}] : memref<8xbf16, "dram">
// The body of a fusion has no loops: the conversion stays an op there.
// ALL: "penguin.fusion"(
// ALL-NEXT: ^bb0
// ALL-NEXT: memref.alloc
// ALL-NEXT: "penguin.memcast"(
// ALL-NEXT: "penguin.unary"(
// ALL-NEXT: }) {hilo_fusion_op
// ALL-NOT: "penguin.
// ALL: return
func.func @main(%a: tensor<2x4xf32>) -> (tensor<4x3xbf16>, tensor<8xbf16>, tensor<2x4xf32>) {
  %0 = stablehlo.convert %a : (tensor<2x4xf32>) -> tensor<2x4xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  %2 = stablehlo.reshape %0 : (tensor<2x4xbf16>) -> tensor<8xbf16>
  %3 = stablehlo.slice %1 [0:4, 1:2] : (tensor<4x2xbf16>) -> tensor<4x1xbf16>
  %4 = stablehlo.concatenate %1, %3, dim = 1 : (tensor<4x2xbf16>, tensor<4x1xbf16>) -> tensor<4x3xbf16>
  %5 = stablehlo.composite "composite.Fused" %0 {CompositeKind = "Elementwise", composite_attributes = {}, decomposition = @body, version = 0 : i32} : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  return %4, %2, %5 : tensor<4x3xbf16>, tensor<8xbf16>, tensor<2x4xf32>
}
func.func private @body(%a: tensor<2x4xbf16>) -> tensor<2x4xf32> attributes {genComposite = true} {
  %0 = stablehlo.convert %a : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %1 = stablehlo.tanh %0 : tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
