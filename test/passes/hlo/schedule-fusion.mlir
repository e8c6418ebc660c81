// RUN: penguin-opt --schedule-fusion %s > %t.once
// RUN: filecheck %s < %t.once
// RUN: penguin-opt --schedule-fusion %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: %to_mhlo %s | penguin-opt --schedule-fusion > %t.mhlo
// RUN: filecheck %s --check-prefix=MHLO < %t.mhlo
// RUN: penguin-opt --schedule-fusion %t.mhlo > %t.mhlo.twice
// RUN: diff %t.mhlo %t.mhlo.twice
// RUN: penguin-opt --schedule-fusion --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// The counter goes on over the functions of a module.
// STATS-DAG: (S) 3 fused - Number of ScheduleFusion clusters
// STATS-DAG: (S) 6 moved - Number of operations moved

// The two are brought together; what needs the gathered value only goes behind, what does not need
// it before.

// CHECK-LABEL: func.func @direct(
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %arg1
// CHECK-NEXT:    %[[F:.*]]:2 = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "ScheduleFusion", decomposition = @hilo.genComposite0} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[F]]#1
// CHECK-NEXT:    return %[[F]]#0, %[[E]], %[[N]]
// MHLO-LABEL: func.func @direct(
// MHLO-NEXT:    %[[E:.*]] = mhlo.exponential %arg1
// MHLO-NEXT:    %[[F:.*]]:2 = "mhlo.fusion"(%arg0) ({
// MHLO-NEXT:    ^bb0(%[[A:.*]]: tensor<4x8xf32>):
// MHLO-NEXT:      %[[G:.*]] = "mhlo.all_gather"(%[[A]])
// MHLO-NEXT:      %[[S:.*]] = "mhlo.reduce_scatter"(%[[G]])
// MHLO:           mhlo.return %[[S]], %[[G]]
// MHLO-NEXT:    }) {FusionKind = "ScheduleFusion"}
// MHLO-NEXT:    %[[N:.*]] = mhlo.negate %[[F]]#1
func.func @direct(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) {
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

// Compute on the way stays there; the rest leaves the window, in its old order. No fusion.

// CHECK-LABEL: func.func @through_compute(
// CHECK-NEXT:    %[[E:.*]] = stablehlo.exponential %arg1
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[G]], %[[E]]
// CHECK-NEXT:    %[[S:.*]] = "stablehlo.reduce_scatter"(%[[M]])
// CHECK:         %[[N:.*]] = stablehlo.negate %[[G]]
// CHECK-NEXT:    %[[A:.*]] = stablehlo.abs %[[N]]
// CHECK-NEXT:    return
// MHLO-LABEL: func.func @through_compute(
// MHLO-NEXT:    %[[E:.*]] = mhlo.exponential %arg1
// MHLO-NEXT:    %[[G:.*]] = "mhlo.all_gather"(%arg0)
// MHLO-NEXT:    %[[M:.*]] = mhlo.multiply %[[G]], %[[E]]
// MHLO-NEXT:    %[[S:.*]] = "mhlo.reduce_scatter"(%[[M]])
// MHLO:         %[[N:.*]] = mhlo.negate %[[G]]
// MHLO-NEXT:    %[[A:.*]] = mhlo.abs %[[N]]
// MHLO-NEXT:    return
func.func @through_compute(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %n = stablehlo.negate %g : tensor<8x8xf32>
  %a = stablehlo.abs %n : tensor<8x8xf32>
  %e = stablehlo.exponential %y : tensor<8x8xf32>
  %m = stablehlo.multiply %g, %e : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%m) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s, %a : tensor<4x8xf32>, tensor<8x8xf32>
}

// Two pairs in a row, the second on the result of the first.

// CHECK-LABEL: func.func @pairs(
// CHECK-NEXT:    %[[A:.*]] = stablehlo.composite "composite.Fused" %arg0 {CompositeKind = "ScheduleFusion", decomposition = @hilo.genComposite1}
// CHECK-NEXT:    %[[B:.*]] = stablehlo.composite "composite.Fused" %[[A]] {CompositeKind = "ScheduleFusion", decomposition = @hilo.genComposite2}
// CHECK-NEXT:    return %[[B]]
// MHLO-LABEL: func.func @pairs(
// MHLO-NEXT:    %[[A:.*]] = "mhlo.fusion"(%arg0)
// MHLO:         %[[B:.*]] = "mhlo.fusion"(%[[A]])
// MHLO:         return %[[B]]
func.func @pairs(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %h = "stablehlo.all_gather"(%s) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %u = "stablehlo.reduce_scatter"(%h) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %u : tensor<4x8xf32>
}

// CHECK:       func.func private @hilo.genComposite0(%[[A:.*]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.all_gather"(%[[A]])
// CHECK-NEXT:    %[[S:.*]] = "stablehlo.reduce_scatter"(%[[G]])
// CHECK:         return %[[S]], %[[G]]
