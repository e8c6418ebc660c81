// RUN: penguin-opt --live-range-analysis %s 2>&1 >%t | filecheck %s
// RUN: filecheck %s --check-prefix=MODULE < %t
// RUN: %to_mhlo %s | penguin-opt --live-range-analysis 2>&1 >%t | sed 's/mhlo\./stablehlo./' | filecheck %s
// RUN: penguin-opt --live-range-analysis --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS
// RUN: penguin-opt --live-range-analysis --remark-format=emitRemark --remarks-filter-analyse=. %s 2>&1 >%t | filecheck %s --check-prefix=REMARK

// STATS-DAG: (S) 12 values - Number of values
// STATS-DAG: 384 peak - Largest peak of live bytes
// REMARK: [Analysis] Peak | Category:hlo:live-range-analysis | Function=straight | Bytes=384, Values=5

// The module is unchanged.
// MODULE-LABEL: func.func @straight(
// MODULE-NEXT:    stablehlo.exponential
// MODULE-LABEL: func.func @region(

// 0 exponential, 1 add, 2 negate (dead), 3 multiply, 4 return: three values of 128 bytes live at 1.

// CHECK:      live-range-analysis: @straight
// CHECK-NEXT:   %arg0 Liverange = [0, 3] 128 bytes
// CHECK-NEXT:   %0 Liverange = [0, 1] 128 bytes
// CHECK-NEXT:   %1 Liverange = [1, 3] 128 bytes
// CHECK-NEXT:   %2 Liverange = [2, 2] 128 bytes
// CHECK-NEXT:   %3 Liverange = [3, 4] 128 bytes
// CHECK-NEXT:   peak 384 bytes at 1 'stablehlo.add'
func.func @straight(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = stablehlo.exponential %x : tensor<4x8xf32>
  %b = stablehlo.add %a, %x : tensor<4x8xf32>
  %c = stablehlo.negate %b : tensor<4x8xf32>
  %d = stablehlo.multiply %b, %x : tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// A value used in a region lives to the op with the region: 0 abs, 1 return, 2 return, 3 if, 4 return.

// CHECK:      live-range-analysis: @region
// CHECK-NEXT:   %arg0 Liverange = [0, 3] 8 bytes
// CHECK-NEXT:   %arg1 Liverange = [0, 3] 1 bytes
// CHECK-NEXT:   %{{.*}} Liverange = [0, 1] 8 bytes
// CHECK-NEXT:   %{{.*}} Liverange = [3, 4] 8 bytes
// CHECK-NEXT:   peak 17 bytes at 0 'stablehlo.abs'
func.func @region(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %r = "stablehlo.if"(%p) ({
    %a = stablehlo.abs %x : tensor<2xf32>
    "stablehlo.return"(%a) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Elements of any width count; what has no size is said to have none. A declaration is not printed.

// CHECK:      live-range-analysis: @sizes
// CHECK-NEXT:   %arg0 Liverange = [0, 0] 0 bytes, no static tensor
// CHECK-NEXT:   %arg1 Liverange = [0, 0] 48 bytes
// CHECK-NEXT:   %arg2 Liverange = [0, 0] 16 bytes
// CHECK-NEXT:   peak 64 bytes at 0 'func.return'
// CHECK-NOT:  Liverange
func.func @sizes(%t: !stablehlo.token, %k: tensor<2x3xui64>, %c: tensor<2xcomplex<f32>>) {
  return
}
func.func private @declared(tensor<4xf32>)
