// RUN: penguin-opt --schedule-fusion --verify-semantics %s | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --schedule-fusion --fusion-to-composite --mhlo-to-stablehlo --verify-semantics | filecheck %s

// Two ranks, in lockstep.

// CHECK: CompositeKind = "ScheduleFusion"
func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %e = stablehlo.exponential %y : tensor<4x8xf32>
  %n = stablehlo.negate %g : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s, %e, %n : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>
}
