// RUN: penguin-opt --sub-exp-fusion --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s
// RUN: %to_mhlo %s | penguin-opt --sub-exp-fusion --remark-format=emitRemark --remarks-filter-missed=. 2>&1 >%t | filecheck %s

// OPERAND_ORDER
// CHECK: [Missed] OperandOrder | Category:hlo:sub-exp-fusion | Function=order | Reason="the operands of the add are not a maximum and the log, in this order"
func.func @order(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %l, %m : tensor<8xf32>
  return %r : tensor<8xf32>
}

// NO_EXPONENTIALS
// CHECK: [Missed] NoExponentials | Category:hlo:sub-exp-fusion | Function=one_exponential | Reason="the log is not of two exponentials of subtracts"
func.func @one_exponential(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.negate %t : tensor<8xf32>
  %u = stablehlo.add %e, %t : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r : tensor<8xf32>
}

// OTHER_OPERANDS
// CHECK: [Missed] OtherOperands | Category:hlo:sub-exp-fusion | Function=commuted | Reason="the subtracts do not take the operands of the maximum in order"
func.func @commuted(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %m = stablehlo.maximum %b, %a : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r : tensor<8xf32>
}

// OTHER_MAXIMUM
// CHECK: [Missed] OtherMaximum | Category:hlo:sub-exp-fusion | Function=other_maximum | Reason="the subtracts do not both subtract the maximum"
func.func @other_maximum(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %a : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r : tensor<8xf32>
}

// EXPONENTIAL_USES
// CHECK: [Missed] ExponentialUses | Category:hlo:sub-exp-fusion | Function=exponential_uses | Reason="an exponential has more than one use"
func.func @exponential_uses(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %s = stablehlo.subtract %a, %m : tensor<8xf32>
  %e = stablehlo.exponential %s : tensor<8xf32>
  %t = stablehlo.subtract %b, %m : tensor<8xf32>
  %f = stablehlo.exponential %t : tensor<8xf32>
  %u = stablehlo.add %e, %f : tensor<8xf32>
  %l = stablehlo.log %u : tensor<8xf32>
  %r = stablehlo.add %m, %l : tensor<8xf32>
  return %r, %e : tensor<8xf32>, tensor<8xf32>
}

// OTHER_BLOCK
// CHECK: [Missed] OtherBlock | Category:hlo:sub-exp-fusion | Function=other_block | Reason="the operations are not in one block"
func.func @other_block(%a: tensor<8xf32>, %b: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %m = stablehlo.maximum %a, %b : tensor<8xf32>
  %c = "stablehlo.if"(%p) ({
    %s = stablehlo.subtract %a, %m : tensor<8xf32>
    %e = stablehlo.exponential %s : tensor<8xf32>
    %t = stablehlo.subtract %b, %m : tensor<8xf32>
    %f = stablehlo.exponential %t : tensor<8xf32>
    %u = stablehlo.add %e, %f : tensor<8xf32>
    %l = stablehlo.log %u : tensor<8xf32>
    %r = stablehlo.add %m, %l : tensor<8xf32>
    "stablehlo.return"(%r) : (tensor<8xf32>) -> ()
  }, {
    "stablehlo.return"(%m) : (tensor<8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-NOT: [Missed]
