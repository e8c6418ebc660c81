// RUN: penguin-opt --live-range-analysis %s 2>%t.ranges >%t.after
// RUN: filecheck %s --check-prefixes=CHECK,HLO < %t.ranges
// RUN: %to_mhlo %s | penguin-opt --live-range-analysis 2>%t.mhlo >%t.mhlo.after
// RUN: filecheck %s --check-prefixes=CHECK,MHLO < %t.mhlo
// RUN: penguin-opt --live-range-analysis --remark-format=emitRemark --remarks-filter-analyse=. %s 2>&1 >%t | filecheck %s --check-prefix=REMARK
// RUN: penguin-opt --live-range-analysis --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// stdout has the module as it was; what is printed is the same each time.
// RUN: penguin-opt %s > %t.before
// RUN: diff %t.before %t.after
// RUN: penguin-opt --live-range-analysis %s 2>%t.again >%t
// RUN: diff %t.ranges %t.again
// RUN: %to_mhlo %s | penguin-opt > %t.mhlo.before
// RUN: diff %t.mhlo.before %t.mhlo.after

// STATS: (S) {{ *}}21 values - Number of values with a live range
// STATS: (S) {{ *}}416 peak-bytes - Most bytes live at one op of a function (bytes)

// The lines are located at the op that defines the value. Op 0 has both arguments and its result,
// 96 + 192 + 128 bytes; op 1 has 128 + 128, op 2 has 128 + 32.
// HLO:        live-range-analysis.mlir:34:1: remark: @straight: %arg0 Liverange = [0, 0], 96 bytes (argument)
// HLO-NEXT:   live-range-analysis.mlir:34:1: remark: @straight: %arg1 Liverange = [0, 0], 192 bytes (argument)
// HLO-NEXT:   live-range-analysis.mlir:35:8: remark: @straight: %0 Liverange = [0, 1], 128 bytes (stablehlo.dot)
// HLO-NEXT:   live-range-analysis.mlir:36:8: remark: @straight: %1 Liverange = [1, 3], 128 bytes (stablehlo.logistic)
// HLO-NEXT:   live-range-analysis.mlir:37:8: remark: @straight: %2 Liverange = [2, 3], 32 bytes (stablehlo.compare)
// HLO-NEXT:   live-range-analysis.mlir:35:8: remark: @straight: peak of 416 live bytes at op 0 of 4 (stablehlo.dot)
// MHLO:       <stdin>:34:1: remark: @straight: %arg0 Liverange = [0, 0], 96 bytes (argument)
// MHLO-NEXT:  <stdin>:34:1: remark: @straight: %arg1 Liverange = [0, 0], 192 bytes (argument)
// MHLO-NEXT:  <stdin>:35:8: remark: @straight: %0 Liverange = [0, 1], 128 bytes (mhlo.dot)
// MHLO:       <stdin>:35:8: remark: @straight: peak of 416 live bytes at op 0 of 4 (mhlo.dot)
// REMARK:     live-range-analysis.mlir:35:8: remark: [Analysis] PeakLiveBytes | Category:hlo:live-range-analysis | Function=straight | Bytes=416, Op=0
func.func @straight(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi1>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  %p = stablehlo.compare GT, %l, %l : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return %l, %p : tensor<4x8xf32>, tensor<4x8xi1>
}

// A loop. Its ops have numbers, before its own, 9; what it uses from outside lives to 9, the carried
// values' arguments stand for its operands. An argument without use lives at op 0. Ops 7 and 9 have
// 4 + 16 (carried) + 16 + 4 (constants) + 20 (new) bytes each: the first of them is named. Inside the
// reduce nothing counts. A token has no bytes.
// CHECK:      @loop: %arg0 Liverange = [0, 9], 4 bytes (argument)
// CHECK-NEXT: @loop: %arg1 Liverange = [0, 9], 16 bytes (argument)
// CHECK-NEXT: @loop: %arg2 Liverange = [0, 0], 2 bytes (argument)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [0, 12], 0 bytes, no static tensor ({{.*}}hlo.create_token)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [1, 9], 16 bytes ({{.*}}hlo.constant)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [2, 9], 4 bytes ({{.*}}hlo.constant)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [3, 4], 4 bytes ({{.*}}hlo.constant)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [4, 5], 1 bytes ({{.*}}hlo.compare)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [6, 8], 16 bytes ({{.*}}hlo.multiply)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [7, 8], 4 bytes ({{.*}}hlo.add)
// CHECK-NEXT: @loop: %{{.*}}#0 Liverange = [9, 9], 4 bytes ({{.*}}hlo.while)
// CHECK-NEXT: @loop: %{{.*}}#1 Liverange = [9, 12], 16 bytes ({{.*}}hlo.while)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [10, 11], 4 bytes ({{.*}}hlo.constant)
// CHECK-NEXT: @loop: %{{.*}} Liverange = [11, 11], 4 bytes ({{.*}}hlo.reduce)
// CHECK-NEXT: @loop: peak of 60 live bytes at op 7 of 13 ({{.*}}hlo.add)
func.func @loop(%n: tensor<i32>, %x: tensor<4xf32>, %unused: tensor<2xi1>) -> (tensor<4xf32>, !stablehlo.token) {
  %token = "stablehlo.create_token"() : () -> !stablehlo.token
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %b = stablehlo.multiply %a, %two : tensor<4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    "stablehlo.return"(%j, %b) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%r#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r#1, %token : tensor<4xf32>, !stablehlo.token
}

// A function that only returns its argument; a declaration has no values.
// CHECK:      @identity: %arg0 Liverange = [0, 0], 8 bytes (argument)
// CHECK-NEXT: @identity: peak of 8 live bytes at op 0 of 1 (func.return)
// CHECK-NEXT: @nothing: peak of 0 live bytes at op 0 of 1 (func.return)
// CHECK-NOT:  Liverange
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @identity(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  return %x : tensor<4xbf16>
}
func.func @nothing() {
  return
}
