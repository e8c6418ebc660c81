// Every candidate stays, and the IR with it.
// RUN: penguin-opt %s >%t.before
// RUN: penguin-opt '--concat-op-elimination=disable-degraded-fusion=true' --remark-format=emitRemark --remarks-filter=. %s >%t.after 2>%t.remarks
// RUN: diff %t.before %t.after
// RUN: filecheck %s <%t.remarks
// RUN: not grep Passed %t.remarks
// RUN: penguin-opt --concat-op-elimination %s | filecheck %s --check-prefix=DEFAULT

!src = memref<4x3xf32, "dram">
!dst = memref<4x8xf32, "dram">
!more = memref<4x5xf32, "dram">

// BOUNDARY
// CHECK: [Missed] Boundary | Category:data-movement:concat-op-elimination | Function=boundary | Reason="both ends are seen from outside, or share a buffer with what is", Bytes=128, Op="penguin.concat", From="x, y", To="o"
func.func @boundary(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  "penguin.concat"(%x, %y, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}} | Function=space | Reason="the two ends are in different memories", Bytes=128, Op="penguin.concat", From="x, y", To="t"
func.func @space(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x8xf32, "sbuf">
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, memref<4x8xf32, "sbuf">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : memref<4x8xf32, "sbuf">
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// DEFINED_TWICE: the loads would not see the second definition.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=defined_twice | Reason="the tensor is defined by more than one op", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @defined_twice(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %c: memref<f32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  %e = affine.load %c[] : memref<f32, "dram">
  affine.store %e, %t[0, 0] : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// REMATERIALISED: the tensor was made again on purpose.
// CHECK: [Missed] Rematerialised | {{.*}} | Function=rematerialised | Reason="the tensor is rematerialised", Bytes=128, Op="penguin.concat", From="x, y", To="t"
func.func @rematerialised(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t", penguin.remat} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// GENERIC: a computed index.
// CHECK: [Missed] Generic | {{.*}} | Function=generic | Reason="used by a generic access or an opaque op", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @generic(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %n: index, %o: memref<4xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    %v = memref.load %t[%i, %n] : !dst
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// WHOLE
// CHECK: [Missed] Whole | {{.*}} | Function=whole | Reason="used as a whole by an op that cannot take the element order of the other tensor", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @whole(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (!dst, !dst) -> ()
  return
}

// ADDRESS: how often the inner loop runs is not constant.
// CHECK: [Missed] Address | {{.*}} | Function=address | Reason="failed access folding: the address is not affine without divisions", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @address(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// OVERWRITTEN: the load wants what the source was at the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=read_after_overwrite | Reason="the tensor that would be read is overwritten before the last read", Bytes=128, Op="penguin.concat", From="s, y", To="t", Tensor="s"
func.func @read_after_overwrite(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.concat"(%s, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %s[%i, %j] : !src
      affine.store %v, %p[%i, %j] : !src
    }
  }
  return
}

// Two readers, one of them later than the overwrite.
// CHECK: [Missed] Overwritten | {{.*}} | Function=one_reader_is_later | Reason="the tensor that would be read is overwritten before the last read", Bytes=128, Op="penguin.concat", From="s, y", To="t", Tensor="s"
func.func @one_reader_is_later(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}, %q: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.concat"(%s, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %q[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %s[%i, %j] : !src
      affine.store %v, %p[%i, %j] : !src
    }
  }
  return
}

// ALIASED_STORE: the output is the buffer of the input, and stored to before the last load.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_store | Reason="an aliased output is stored to before the last read of its input", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="o"
func.func @aliased_store(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %z: !src {penguin.io = "input"}, %o: !src {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !dst {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %o[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %p[%i, %j] : !dst
    }
  }
  return
}

// READ_BEFORE: the old content of the destination is read before the copy.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=read_before | Reason="the tensor that would be written is still used before the copy", Bytes=128, Op="penguin.concat", From="s, y", To="o", Tensor="o"
func.func @read_before(%x: !src {penguin.io = "input"}, %w: !more {penguin.io = "input"}, %z: !dst {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %y = memref.alloc() {penguin.name = "y"} : !more
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %z[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %v = affine.load %w[%i, %j] : !more
      affine.store %v, %y[%i, %j] : !more
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %o[%i, %j] : !dst
      affine.store %v, %p[%i, %j] : !dst
    }
  }
  "penguin.concat"(%s, %y, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier | Reason="a barrier is between", Bytes=128, Op="penguin.concat", From="x, y", To="t"
func.func @barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: memref<f32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (memref<f32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// CHECK: [Missed] Barrier | {{.*}} | Function=the_op_is_a_barrier | Reason="a barrier is between", Bytes=128, Op="penguin.concat", From="x, y", To="t"
func.func @the_op_is_a_barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>, penguin.barrier} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// SPANS: cut in two at the inner loop, the nest would not write the overlapping elements in order.
// CHECK: [Missed] Spans | {{.*}} | Function=spans | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @spans(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: memref<11xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i + %j] : memref<11xf32, "dram">
    }
  }
  return
}

// The inner loop carries a sum, which is not the sum of two halves.
// CHECK: [Missed] Spans | {{.*}} | Function=spans_in_order | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=128, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @spans_in_order(%x: !src {penguin.io = "input", penguin.name = "x"}, %y: !more {penguin.io = "input", penguin.name = "y"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %i = 0 to 4 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %z) -> f32 {
      %v = affine.load %t[%i, %j] : !dst
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// One loop over all rows would be cut in more than 16 pieces.
// CHECK: [Missed] Spans | {{.*}} | Function=too_many_pieces | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=640, Op="penguin.concat", From="x, y", To="t", Tensor="t"
func.func @too_many_pieces(%x: memref<20x3xf32, "dram"> {penguin.io = "input", penguin.name = "x"}, %y: memref<20x5xf32, "dram"> {penguin.io = "input", penguin.name = "y"}, %o: memref<160xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<20x8xf32, "dram">
  "penguin.concat"(%x, %y, %t) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<20x3xf32, "dram">, memref<20x5xf32, "dram">, memref<20x8xf32, "dram">) -> ()
  affine.for %k = 0 to 160 {
    %v = affine.load %t[%k floordiv 8, %k mod 8] : memref<20x8xf32, "dram">
    affine.store %v, %o[%k] : memref<160xf32, "dram">
  }
  return
}

// DEGRADED: by `disable-degraded-fusion`: columns that are read again and again get longer strides.
// CHECK: [Missed] Degraded | {{.*}} | Function=degraded | Reason="the fusion would be degraded: it would make a worse loop nest", Bytes=128, Op="penguin.concat", From="s, y", To="o", Tensor="s"
// DEFAULT-LABEL: func.func @degraded
// DEFAULT-NOT: penguin.concat
// DEFAULT: return
func.func @degraded(%x: !src {penguin.io = "input"}, %z: !more {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: memref<2x4x3xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %y = memref.alloc() {penguin.name = "y"} : !more
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %v = affine.load %z[%i, %j] : !more
      affine.store %v, %y[%i, %j] : !more
    }
  }
  "penguin.concat"(%s, %y, %o) {axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (!src, !more, !dst) -> ()
  affine.for %r = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %i = 0 to 4 {
        %v = affine.load %s[%i, %j] : !src
        affine.store %v, %p[%r, %i, %j] : memref<2x4x3xf32, "dram">
      }
    }
  }
  return
}

// CHECK-NOT: [Missed]
