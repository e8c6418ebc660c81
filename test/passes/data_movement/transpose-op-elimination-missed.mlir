// Every candidate stays, and the IR with it.
// RUN: penguin-opt %s >%t.before
// RUN: penguin-opt '--transpose-op-elimination=disable-degraded-fusion=true' --remark-format=emitRemark --remarks-filter=. %s >%t.after 2>%t.remarks
// RUN: diff %t.before %t.after
// RUN: filecheck %s <%t.remarks
// RUN: not grep Passed %t.remarks
// RUN: penguin-opt --transpose-op-elimination %s | filecheck %s --check-prefix=DEFAULT

!src = memref<4x6xf32, "dram">
!dst = memref<6x4xf32, "dram">

// SPACE
// CHECK: [Missed] Space | Category:data-movement:transpose-op-elimination | Function=space | Reason="the two ends are in different memories", Bytes=96, Op="penguin.transpose", From="x", To="t"
func.func @space(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<6x4xf32, "sbuf">
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, memref<6x4xf32, "sbuf">) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : memref<6x4xf32, "sbuf">
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// DEFINED_TWICE: the loads would not see the second definition.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=defined_twice | Reason="the tensor is defined by more than one op", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
func.func @defined_twice(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %c: memref<f32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  %e = affine.load %c[] : memref<f32, "dram">
  affine.store %e, %t[0, 0] : !dst
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// REMATERIALISED: the tensor was made again on purpose.
// CHECK: [Missed] Rematerialised | {{.*}} | Function=rematerialised | Reason="the tensor is rematerialised", Bytes=96, Op="penguin.transpose", From="x", To="t"
func.func @rematerialised(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t", penguin.remat} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// WHOLE
// CHECK: [Missed] Whole | {{.*}} | Function=whole | Reason="used as a whole by an op that cannot take the element order of the other tensor", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
func.func @whole(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (!dst, !dst) -> ()
  return
}

// OVERWRITTEN: the load wants what the source was at the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=read_after_overwrite | Reason="the tensor that would be read is overwritten before the last read", Bytes=96, Op="penguin.transpose", From="s", To="t", Tensor="s"
func.func @read_after_overwrite(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %z[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %s[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %p[%i, %j] : !src
    }
  }
  return
}

// Two readers, one of them later than the overwrite.
// CHECK: [Missed] Overwritten | {{.*}} | Function=one_reader_is_later | Reason="the tensor that would be read is overwritten before the last read", Bytes=96, Op="penguin.transpose", From="s", To="t", Tensor="s"
func.func @one_reader_is_later(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}, %q: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  "penguin.transpose"(%s, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %z[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %q[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %s[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %p[%i, %j] : !src
    }
  }
  return
}

// ALIASED_STORE: the output is the buffer of the input, and stored to before the last load.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_store | Reason="an aliased output is stored to before the last read of its input", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="o"
func.func @aliased_store(%x: !src {penguin.io = "input", penguin.name = "x"}, %z: !src {penguin.io = "input"}, %o: !src {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !dst {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %z[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %p[%i, %j] : !dst
    }
  }
  return
}

// READ_BEFORE: the old content of the destination is read before the copy.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=read_before | Reason="the tensor that would be written is still used before the copy", Bytes=96, Op="penguin.transpose", From="s", To="o", Tensor="o"
func.func @read_before(%x: !src {penguin.io = "input"}, %z: !dst {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %z[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : !src
      %n = arith.negf %v : f32
      affine.store %n, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %o[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %p[%i, %j] : !dst
    }
  }
  "penguin.transpose"(%s, %o) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier | Reason="a barrier is between", Bytes=96, Op="penguin.transpose", From="x", To="t"
func.func @barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: memref<f32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (memref<f32, "dram">) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// CHECK: [Missed] Barrier | {{.*}} | Function=the_op_is_a_barrier | Reason="a barrier is between", Bytes=96, Op="penguin.transpose", From="x", To="t"
func.func @the_op_is_a_barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>, penguin.barrier} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// ADDRESS: how often the inner loop runs is not constant.
// CHECK: [Missed] Address | {{.*}} | Function=address | Reason="failed access folding: the address is not affine without divisions", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
func.func @address(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %t[%i, %j] : !dst
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : !dst
    }
  }
  return
}

// One loop over all elements, which is marked and so not split: a division that was not there.
// CHECK: [Missed] Address | {{.*}} | Function=one_loop | Reason="failed access folding: the address is not affine without divisions", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
func.func @one_loop(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k floordiv 4, %k mod 4] : !dst
    %n = arith.negf %v : f32
    affine.store %n, %o[%k floordiv 4, %k mod 4] : !dst
  } {penguin.axis = "free"}
  return
}

// BOUNDARY: both ends are one buffer.
// CHECK: [Missed] Boundary | {{.*}} | Function=in_place | Reason="both ends are seen from outside, or share a buffer with what is", Bytes=64, Op="penguin.transpose", From="t", To="t"
func.func @in_place(%x: memref<4x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x4xf32, "dram">
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<4x4xf32, "dram">
      %n = arith.negf %v : f32
      affine.store %n, %t[%i, %j] : memref<4x4xf32, "dram">
    }
  }
  "penguin.transpose"(%t, %t) {permutation = array<i64: 1, 0>} : (memref<4x4xf32, "dram">, memref<4x4xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : memref<4x4xf32, "dram">
      %n = arith.negf %v : f32
      affine.store %n, %o[%i, %j] : memref<4x4xf32, "dram">
    }
  }
  return
}

// DRAM_TO_DRAM: from a kernel input to a kernel output.
// CHECK: [Missed] DramToDram | {{.*}} | Function=input_to_output | Reason="sandwiched between DRAM copies: left to the DRAM-to-DRAM transpose", Bytes=96, Op="penguin.transpose", From="x", To="o"
func.func @input_to_output(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  "penguin.transpose"(%x, %o) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  return
}

// GENERIC: a computed index.
// CHECK: [Missed] Generic | {{.*}} | Function=generic | Reason="used by a generic access or an opaque op", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
func.func @generic(%x: !src {penguin.io = "input", penguin.name = "x"}, %n: index, %o: memref<6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %i = 0 to 6 {
    %v = memref.load %t[%i, %n] : !dst
    %w = arith.negf %v : f32
    affine.store %w, %o[%i] : memref<6xf32, "dram">
  }
  return
}

// DEGRADED: by `disable-degraded-fusion`: rows that are read again and again become columns.
// CHECK: [Missed] Degraded | {{.*}} | Function=degraded | Reason="the fusion would be degraded: it would make a worse loop nest", Bytes=96, Op="penguin.transpose", From="x", To="t", Tensor="t"
// DEFAULT-LABEL: func.func @degraded
// DEFAULT-NOT: penguin.transpose
// DEFAULT: return
func.func @degraded(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: memref<2x6x4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.transpose"(%x, %t) {permutation = array<i64: 1, 0>} : (!src, !dst) -> ()
  affine.for %r = 0 to 2 {
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 4 {
        %v = affine.load %t[%i, %j] : !dst
        %n = arith.negf %v : f32
        affine.store %n, %o[%r, %i, %j] : memref<2x6x4xf32, "dram">
      }
    }
  }
  return
}

// CHECK-NOT: [Missed]
