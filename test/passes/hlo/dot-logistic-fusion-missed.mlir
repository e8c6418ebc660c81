// RUN: penguin-opt --dot-logistic-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --dot-logistic-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// NO_DOT
// CHECK: [Missed] NoDot | Category:hlo:dot-logistic-fusion | Function=bias | Reason="the operand of the logistic is no dot of this block"
func.func @bias(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %d = stablehlo.add %x, %x : tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  return %l : tensor<4x8xf32>
}

// LOGISTIC_USES
// CHECK: [Missed] LogisticUses | Category:hlo:dot-logistic-fusion | Function=uses | Reason="the logistic has not exactly one use"
func.func @uses(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  return %l, %l : tensor<4x8xf32>, tensor<4x8xf32>
}

// RESHAPE_USES
// CHECK: [Missed] ReshapeUses | Category:hlo:dot-logistic-fusion | Function=reshape_uses | Reason="the reshape of the dot has not two uses, the logistic and a multiply"
func.func @reshape_uses(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> tensor<2x2x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  return %l : tensor<2x2x8xf32>
}

// NO_MULTIPLY
// CHECK: [Missed] NoMultiply | Category:hlo:dot-logistic-fusion | Function=no_multiply | Reason="the user of the logistic is not the multiply that uses the reshape"
func.func @no_multiply(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %o: tensor<2x2x8xf32>) -> (tensor<2x2x8xf32>, tensor<2x2x8xf32>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  %m = stablehlo.multiply %s, %o : tensor<2x2x8xf32>
  %n = stablehlo.negate %l : tensor<2x2x8xf32>
  return %m, %n : tensor<2x2x8xf32>, tensor<2x2x8xf32>
}

// LOGISTIC_USES, of one behind a reshape: the multiply squares it.
// CHECK: [Missed] LogisticUses | Category:hlo:dot-logistic-fusion | Function=squared |
func.func @squared(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %o: tensor<2x2x8xf32>) -> (tensor<2x2x8xf32>, tensor<2x2x8xf32>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %d : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  %m = stablehlo.multiply %s, %o : tensor<2x2x8xf32>
  %n = stablehlo.multiply %l, %l : tensor<2x2x8xf32>
  return %m, %n : tensor<2x2x8xf32>, tensor<2x2x8xf32>
}

// NO_DOT, because a reshape of something else is between.
// CHECK: [Missed] NoDot | Category:hlo:dot-logistic-fusion | Function=reshape |
func.func @reshape(%x: tensor<4x8xf32>) -> tensor<2x2x8xf32> {
  %s = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %l = stablehlo.logistic %s : tensor<2x2x8xf32>
  %m = stablehlo.multiply %s, %l : tensor<2x2x8xf32>
  return %m : tensor<2x2x8xf32>
}

// NO_DOT in this block: it is outside of the branch.
// CHECK: [Missed] NoDot | Category:hlo:dot-logistic-fusion | Function=block |
func.func @block(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %p: tensor<i1>) -> tensor<4x8xf32> {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %i = "stablehlo.if"(%p) ({
    %l = stablehlo.logistic %d : tensor<4x8xf32>
    "stablehlo.return"(%l) : (tensor<4x8xf32>) -> ()
  }, {
    "stablehlo.return"(%d) : (tensor<4x8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4x8xf32>
  return %i : tensor<4x8xf32>
}

// The second logistic of a dot.
// CHECK: [Missed] Taken | Category:hlo:dot-logistic-fusion | Function=taken | Reason="another fusion has taken one of the operations"
func.func @taken(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %d = "stablehlo.dot"(%x, %w) : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %l = stablehlo.logistic %d : tensor<4x8xf32>
  %k = stablehlo.logistic %d : tensor<4x8xf32>
  return %l, %k : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-NOT: [Missed]
