// RUN: penguin-opt --stablehlo-schedule-fusion=max-ops=4 --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// NO_ALL_GATHER
// CHECK: [Missed] NoAllGather | Category:hlo:stablehlo-schedule-fusion | Function=no_all_gather | Reason="no all_gather is among the producers of the reduce_scatter"
func.func @no_all_gather(%g: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %n = stablehlo.negate %g : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%n) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// BOUNDARY
// CHECK: [Missed] Boundary | Category:hlo:stablehlo-schedule-fusion | Function=boundary | Reason="another collective ends the search for the all_gather"
func.func @boundary(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %r = "stablehlo.all_reduce"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%r) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// TOO_FAR
// CHECK: [Missed] TooFar | Category:hlo:stablehlo-schedule-fusion | Function=too_far | Reason="more operations would have to be looked at than max-ops allows"
func.func @too_far(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %a = stablehlo.negate %g : tensor<8x8xf32>
  %b = stablehlo.negate %a : tensor<8x8xf32>
  %c = stablehlo.negate %b : tensor<8x8xf32>
  %d = stablehlo.negate %c : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%d) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// COMMUNICATION
// CHECK: [Missed] Communication | Category:hlo:stablehlo-schedule-fusion | Function=communication | Reason="communication or a side effect stands between the two collectives"
func.func @communication(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %r = "stablehlo.all_reduce"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s, %r : tensor<4x8xf32>, tensor<8x8xf32>
}

// COMPUTE_BETWEEN
// CHECK: [Missed] ComputeBetween | Category:hlo:stablehlo-schedule-fusion | Function=compute_between | Reason="the reduce_scatter depends on the all_gather through compute"
func.func @compute_between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %n = stablehlo.negate %g : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"(%n) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// CHECK-NOT: [Missed]
