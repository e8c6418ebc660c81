// The kernel computes what the function did: executed by StableHLO's interpreter, then by ours.
// RUN: penguin-opt --hlo-to-penguin --verify-semantics --split-input-file %s -o /dev/null
// RUN: penguin-opt --hlo-to-penguin --verify-semantics=11 --split-input-file %s -o /dev/null

func.func @movement(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>, %c: tensor<f32>)
    -> (tensor<3x5x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x7xf32>, tensor<3x6xf32>, tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  %3 = stablehlo.slice %a [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %4 = stablehlo.concatenate %a, %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x7xf32>
  %5 = stablehlo.pad %a, %c, low = [1, 0], high = [0, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %6 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %a : tensor<3x5x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x7xf32>, tensor<3x6xf32>, tensor<3x2xf32>, tensor<2x3xf32>
}

// -----

func.func @compute(%a: tensor<2x3x4x5xbf16>, %b: tensor<3x5x6x2xbf16>, %f: tensor<4xf32>, %g: tensor<4xf32>, %i: tensor<3x4xi32>, %p: tensor<i1>, %q: tensor<4xi1>)
    -> (tensor<3x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<i32>, tensor<i1>, tensor<3x4xi32>, tensor<4xui8>, tensor<3xi32>, tensor<4x2xi16>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0, 3] x [3, 1] : (tensor<2x3x4x5xbf16>, tensor<3x5x6x2xbf16>) -> tensor<3x4x6xf32>
  %less = stablehlo.compare LT, %f, %g, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.select %less, %f, %g : tensor<4xi1>, tensor<4xf32>
  %2 = stablehlo.select %p, %f, %g : tensor<i1>, tensor<4xf32>
  %low = stablehlo.constant dense<-0.5> : tensor<f32>
  %high = stablehlo.constant dense<[0.5, 0.25, 0.0, 2.0]> : tensor<4xf32>
  %3 = stablehlo.clamp %low, %f, %high : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.reduce(%i init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
  %5 = stablehlo.reduce(%i init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %6 = stablehlo.reduce(%q init: %false) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
  %7 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %8 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xui8>
  %v = stablehlo.constant dense<[1, -2, 3, 4]> : tensor<4xi32>
  %9 = stablehlo.dot %i, %v : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3xi32>
  %10 = stablehlo.bitcast_convert %f : (tensor<4xf32>) -> tensor<4x2xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<i32>, tensor<i1>, tensor<3x4xi32>, tensor<4xui8>, tensor<3xi32>, tensor<4x2xi16>
}

// -----

// Starts outside of the source on both sides; components in another order than the dimensions; an
// index_vector_dim that is not the last one; batching dimensions; windows.
func.func @gather(%a: tensor<5x6x4xf32>, %i: tensor<3x1xi32>, %j: tensor<2x7xi8>, %k: tensor<4x3x5xui16>)
    -> (tensor<3x6x4xf32>, tensor<7x3xf32>, tensor<4x2x3x5xf32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6, 4>}> : (tensor<5x6x4xf32>, tensor<3x1xi32>) -> tensor<3x6x4xf32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [2, 0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<5x6x4xf32>, tensor<2x7xi8>) -> tensor<7x3xf32>
  %2 = "stablehlo.gather"(%a, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [2, 0], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 2, 1>}> : (tensor<5x6x4xf32>, tensor<4x3x5xui16>) -> tensor<4x2x3x5xf32>
  return %0, %1, %2 : tensor<3x6x4xf32>, tensor<7x3xf32>, tensor<4x2x3x5xf32>
}
