// RUN: penguin-opt --memcpy-elimination --remark-format=emitRemark --remarks-filter-missed=. %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: penguin-opt --tensor-op-simplifier --dead-store-elimination --dead-code-elimination --slice-op-elimination --pad-elimination %s | FileCheck %s
// RUN: penguin-opt --alias-dependency-induction --optimize-aliased-copy-chain --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t.after | FileCheck --check-prefix=CHAIN %s

// What an op makes of a tensor may be the tensor, also if nothing else is known of the op: a store
// to it between the copy and the copy's use is a store to the source.

// REMARK: [Missed] {{.*}} | Function=stored_through_a_view | {{.*}}Op="penguin.memcpy", From="s", To="t"

// REMARK: [Missed] {{.*}} | Function=carried | {{.*}}Op="penguin.memcpy", From="s", To="t"
// REMARK: [Missed] {{.*}} | Function=chosen | {{.*}}Op="penguin.memcpy", From="s", To="t"

// CHECK-LABEL: @stored_through_a_view
// CHECK: penguin.memcpy
// CHECK: affine.store
// CHECK: affine.load %alloc_0
func.func @stored_through_a_view(%a: memref<2x4xf32, "dram"> {penguin.io = "input"}, %o: memref<2x4xf32, "dram"> {penguin.io = "output"}) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() {penguin.name = "s"} : memref<2x4xf32, "dram">
  %v = memref.collapse_shape %s [[0, 1]] : memref<2x4xf32, "dram"> into memref<8xf32, "dram">
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<2x4xf32, "dram">
      affine.store %x, %s[%i, %j] : memref<2x4xf32, "dram">
    }
  }
  %t = memref.alloc() {penguin.name = "t"} : memref<2x4xf32, "dram">
  "penguin.memcpy"(%s, %t) : (memref<2x4xf32, "dram">, memref<2x4xf32, "dram">) -> ()
  affine.for %k = 0 to 8 {
    affine.store %zero, %v[%k] : memref<8xf32, "dram">
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %x = affine.load %t[%i, %j] : memref<2x4xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<2x4xf32, "dram">
    }
  }
  return
}

// CHECK-LABEL: @carried
// CHECK: penguin.memcpy
// CHECK: affine.load %alloc_0
func.func @carried(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() {penguin.name = "s"} : memref<4xf32, "dram">
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32, "dram">
    affine.store %x, %s[%i] : memref<4xf32, "dram">
  }
  %t = memref.alloc() {penguin.name = "t"} : memref<4xf32, "dram">
  "penguin.memcpy"(%s, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  %r = affine.for %k = 0 to 4 iter_args(%v = %s) -> memref<4xf32, "dram"> {
    affine.store %zero, %v[%k] : memref<4xf32, "dram">
    affine.yield %v : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %t[%i] : memref<4xf32, "dram">
    affine.store %x, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// CHECK-LABEL: @chosen
// CHECK: penguin.memcpy
// CHECK: affine.load %alloc_1
func.func @chosen(%a: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}, %c: i1) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() {penguin.name = "s"} : memref<4xf32, "dram">
  %u = memref.alloc() {penguin.name = "u"} : memref<4xf32, "dram">
  %v = scf.if %c -> memref<4xf32, "dram"> {
    scf.yield %s : memref<4xf32, "dram">
  } else {
    scf.yield %u : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32, "dram">
    affine.store %x, %s[%i] : memref<4xf32, "dram">
  }
  %t = memref.alloc() {penguin.name = "t"} : memref<4xf32, "dram">
  "penguin.memcpy"(%s, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  affine.for %k = 0 to 4 {
    affine.store %zero, %v[%k] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %t[%i] : memref<4xf32, "dram">
    affine.store %x, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// A copy between two tensors of which a third may be either copies something.

// CHECK-LABEL: @may_is_not_must
// CHECK: penguin.memcpy
func.func @may_is_not_must(%s: memref<4xf32, "dram"> {penguin.io = "input"}, %u: memref<4xf32, "dram"> {penguin.io = "output"}, %c: i1) {
  %zero = arith.constant 0.0 : f32
  %v = scf.if %c -> memref<4xf32, "dram"> {
    scf.yield %s : memref<4xf32, "dram">
  } else {
    scf.yield %u : memref<4xf32, "dram">
  }
  affine.store %zero, %v[0] : memref<4xf32, "dram">
  "penguin.memcpy"(%s, %u) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// Nor does a write of the one make an earlier write of the other dead.

// CHECK-LABEL: @written_one_after_the_other
// CHECK: penguin.memset
// CHECK: penguin.memset
func.func @written_one_after_the_other(%s: memref<4xf32, "dram"> {penguin.io = "output"}, %u: memref<4xf32, "dram"> {penguin.io = "output"}, %c: i1) {
  %v = scf.if %c -> memref<4xf32, "dram"> {
    scf.yield %s : memref<4xf32, "dram">
  } else {
    scf.yield %u : memref<4xf32, "dram">
  }
  "penguin.memset"(%s) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  "penguin.memset"(%u) {value = 1.0 : f32} : (memref<4xf32, "dram">) -> ()
  return
}

// A chain does not move into a buffer that something unknown may write at any time.

// CHAIN-NOT: MustAlias
// CHAIN: [Missed] View | {{.*}} | Function=view_of_an_aliased_output | {{.*}}Output="o", Tensor="a"

// CHECK-LABEL: @view_of_an_aliased_output
// CHECK: penguin.memcpy
func.func @view_of_an_aliased_output(%a: memref<8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) {
  %v = memref.expand_shape %o [[0, 1]] output_shape [2, 4] : memref<8xf32, "dram"> into memref<2x4xf32, "dram">
  %t = memref.alloc() {penguin.name = "t"} : memref<8xf32, "dram">
  "penguin.unary"(%a, %t) {function = "negate"} : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  %z = arith.constant 0.0 : f32
  affine.store %z, %v[0, 0] : memref<2x4xf32, "dram">
  "penguin.memcpy"(%t, %o) : (memref<8xf32, "dram">, memref<8xf32, "dram">) -> ()
  return
}
