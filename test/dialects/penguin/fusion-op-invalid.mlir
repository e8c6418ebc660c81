// RUN: penguin-opt --split-input-file --verify-diagnostics %s

func.func @c1_operand(%x: memref<4xf64, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op operand #0 has element type f64, expected one of}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf64, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf64, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf64, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c1_local(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op 'memref.alloc' in its body has no memory space, expected}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %l = memref.alloc() : memref<4xf32>
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c2_no_dst(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op has no dsts, expected at least one (C2)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c2_blocks(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op has 2 blocks, expected 1 (C2)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "cf.br"() [^next] : () -> ()
    ^next:
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c2_count(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op has 1 block arguments, expected 2, one per operand (C2)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">):
    "penguin.unary"(%s, %s) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c2_types(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op block argument #1 has type memref<5xf32, "dram">, expected memref<4xf32, "dram"> to match operand #1 (C2)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<5xf32, "dram">):
    "penguin.unary"(%s, %s) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c3_kind(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op kind is "ElementWiseFusion", expected one of ElementWiseFusionOp ReduceFusionOp TensorContractFusionOp, did you mean ElementWiseFusionOp? (C3)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusion", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c3_label(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op label is "Loop", expected one of Elementwise MulRedSqrt DotFusion DotSoftmax (C3)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Loop", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c3_hilo(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op hilo_fusion_op is "DotFusion", expected one of}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "DotFusion",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c3_schedule(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op hilo_fusion_op is "ScheduleFusion", which has no op of its own (C3)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "ScheduleFusion",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c3_reduce_dims(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op reduce_dims is 1 : i64, expected array<i64: ...> (C3)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise", reduce_dims = 1 : i64,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c4_no_block(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op fusion op is empty (C4)}}
  "penguin.fusion"(%x, %y) ({
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c4_empty(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op fusion op is empty (C4)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c4_locals_only(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op fusion op is empty (C4)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %l = memref.alloc() : memref<4xf32, "dram">
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c5_internal(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op internal inst(s) must be TensorOp, found 'memref.copy' (C5)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    memref.copy %s, %d : memref<4xf32, "dram"> to memref<4xf32, "dram">
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c5_nested(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op internal inst(s) must be TensorOp, found 'penguin.fusion' (C5)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.fusion"(%s, %d) ({
    ^bb0(%a: memref<4xf32, "dram">, %b: memref<4xf32, "dram">):
    "penguin.unary"(%a, %b) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Log1p", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c5_local(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op local inst must be tensor op, found 'arith.constant' (C5)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %c = arith.constant 0 : index
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c6_load_from_dst(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op cannot load from a dst tensor inside the fusion op: operand #0 of 'penguin.unary' (C6)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    %l = memref.alloc() : memref<4xf32, "dram">
    "penguin.unary"(%d, %l) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c7_store_to_src(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op cannot store to a src tensor inside the fusion op: operand #1 of 'penguin.unary' (C7)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %s) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

memref.global "private" constant @cst : memref<4xf32, "dram"> = dense<1.0>
func.func @c7_store_to_constant(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op cannot store to a src tensor inside the fusion op: operand #1 of 'penguin.unary' (C7)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %c = memref.get_global @cst : memref<4xf32, "dram">
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %c) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c8_two_writers(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op Function in TensorOp must have a single user: operand #1 of 'penguin.unary' is written twice (C8)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %d) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c8_no_writer(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">, %z: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op Function in TensorOp must have a single user: nothing writes block argument #2 (C8)}}
  "penguin.fusion"(%x, %y, %z) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">, %e: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c8_unwritten_local(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op Function in TensorOp must have a single user: nothing writes a memref<4xf32, "dram"> of its body (C8)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %l = memref.alloc() : memref<4xf32, "dram">
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c8_read_first(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op Function in TensorOp must have a single user: operand #0 of 'penguin.unary' is read before it is written (C8)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %l = memref.alloc() : memref<4xf32, "dram">
    "penguin.unary"(%l, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%s, %l) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c8_in_place(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op Function in TensorOp must have a single user: operand #0 of 'penguin.unary' is read before it is written (C8)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %l = memref.alloc() : memref<4xf32, "dram">
    "penguin.unary"(%l, %l) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
    "penguin.unary"(%l, %d) {function = "abs"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

memref.global "private" @cst : memref<4xf32, "dram"> = dense<1.0>
func.func @c9_local_shape(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op local tensor shapes are not compatible with op.shape: 'memref.get_global' is memref<?xf32, "dram">, expected a static shape (C9)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    %c = memref.get_global @cst : memref<?xf32, "dram">
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

func.func @c10_kind(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-error@+1 {{'penguin.fusion' op kind is "ReduceFusionOp", expected ElementWiseFusionOp for this body (C10)}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    "penguin.unary"(%s, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ReduceFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// -----

// The body sees nothing but its arguments: MLIR's own message.
func.func @isolated(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  // expected-note@+1 {{required by region isolation constraints}}
  "penguin.fusion"(%x, %y) ({
  ^bb0(%s: memref<4xf32, "dram">, %d: memref<4xf32, "dram">):
    // expected-error@+1 {{using value defined outside the region}}
    "penguin.unary"(%x, %d) {function = "tanh"} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  }) {kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
