// Every candidate stays, and the IR with it.
// RUN: penguin-opt %s >%t.before
// RUN: penguin-opt '--slice-op-elimination=disable-degraded-fusion=true' --remark-format=emitRemark --remarks-filter=. %s >%t.after 2>%t.remarks
// RUN: diff %t.before %t.after
// RUN: filecheck %s <%t.remarks
// RUN: not grep Passed %t.remarks
// RUN: penguin-opt --slice-op-elimination %s | filecheck %s --check-prefix=DEFAULT

!src = memref<4x8xf32, "dram">
!dst = memref<4x6xf32, "dram">

// BOUNDARY
// CHECK: [Missed] Boundary | Category:data-movement:slice-op-elimination | Function=boundary | Reason="both ends are seen from outside, or share a buffer with what is", Bytes=96, Op="penguin.slice", From="x", To="o"
func.func @boundary(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  "penguin.slice"(%x, %o) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}} | Function=space | Reason="the two ends are in different memories", Bytes=96, Op="penguin.slice", From="x", To="t"
func.func @space(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x6xf32, "sbuf">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, memref<4x6xf32, "sbuf">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : memref<4x6xf32, "sbuf">
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// DEFINED_TWICE: the loads would not see the second definition.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=defined_twice | Reason="the tensor is defined by more than one op", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @defined_twice(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %c: memref<f32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  %e = affine.load %c[] : memref<f32, "dram">
  affine.store %e, %t[0, 0] : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// REMATERIALISED: the tensor was made again on purpose.
// CHECK: [Missed] Rematerialised | {{.*}} | Function=rematerialised | Reason="the tensor is rematerialised", Bytes=96, Op="penguin.slice", From="x", To="t"
func.func @rematerialised(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t", penguin.remat} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// GENERIC: a computed index.
// CHECK: [Missed] Generic | {{.*}} | Function=generic | Reason="used by a generic access or an opaque op", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @generic(%x: !src {penguin.io = "input", penguin.name = "x"}, %n: index, %o: memref<4xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    %v = memref.load %t[%i, %n] : !dst
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// WHOLE
// CHECK: [Missed] Whole | {{.*}} | Function=whole | Reason="used as a whole by an op that cannot take the element order of the other tensor", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @whole(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (!dst, !dst) -> ()
  return
}

// ADDRESS: how often the inner loop runs is not constant.
// CHECK: [Missed] Address | {{.*}} | Function=address | Reason="failed access folding: the address is not affine without divisions", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @address(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// OVERWRITTEN: the load wants what the source was at the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=read_after_overwrite | Reason="the tensor that would be read is overwritten before the last read", Bytes=96, Op="penguin.slice", From="s", To="t", Tensor="s"
func.func @read_after_overwrite(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.slice"(%s, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %s[%i, %j] : !src
      affine.store %v, %p[%i, %j] : !src
    }
  }
  return
}

// Two readers, one of them later than the overwrite.
// CHECK: [Missed] Overwritten | {{.*}} | Function=one_reader_is_later | Reason="the tensor that would be read is overwritten before the last read", Bytes=96, Op="penguin.slice", From="s", To="t", Tensor="s"
func.func @one_reader_is_later(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: !src {penguin.io = "input"}, %p: !src {penguin.io = "output"}, %q: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.slice"(%s, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %q[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %s[%i, %j] : !src
      affine.store %v, %p[%i, %j] : !src
    }
  }
  return
}

// ALIASED_STORE: the output is the buffer of the input, and stored to before the last load.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_store | Reason="an aliased output is stored to before the last read of its input", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="o"
func.func @aliased_store(%x: !src {penguin.io = "input", penguin.name = "x"}, %z: !src {penguin.io = "input"}, %o: !src {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !dst {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %z[%i, %j] : !src
      affine.store %v, %o[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %p[%i, %j] : !dst
    }
  }
  return
}

// READ_BEFORE: the old content of the destination is read before the copy.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=read_before | Reason="the tensor that would be written is still used before the copy", Bytes=96, Op="penguin.slice", From="s", To="o", Tensor="o"
func.func @read_before(%x: !src {penguin.io = "input"}, %z: !dst {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %z[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %o[%i, %j] : !dst
      affine.store %v, %p[%i, %j] : !dst
    }
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier | Reason="a barrier is between", Bytes=96, Op="penguin.slice", From="x", To="t"
func.func @barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: memref<f32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (memref<f32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// CHECK: [Missed] Barrier | {{.*}} | Function=the_op_is_a_barrier | Reason="a barrier is between", Bytes=96, Op="penguin.slice", From="x", To="t"
func.func @the_op_is_a_barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim", penguin.barrier} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// One loop over all elements, which is marked and so not split: a division that was not there.
// CHECK: [Missed] Address | {{.*}} | Function=one_loop | Reason="failed access folding: the address is not affine without divisions", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @one_loop(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k floordiv 6, %k mod 6] : !dst
    affine.store %v, %o[%k floordiv 6, %k mod 6] : !dst
  } {penguin.axis = "free"}
  return
}

// SPANS: every other store is in the slice, and no loop can be cut so.
// CHECK: [Missed] Spans | {{.*}} | Function=strided_stores | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=16, Op="penguin.slice", From="s", To="o", Tensor="s"
func.func @strided_stores(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) {
  %s = memref.alloc() {penguin.name = "s"} : memref<8xf32, "dram">
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %s[%i] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 0>, limits = array<i64: 8>, strides = array<i64: 2>, access = "ndim"} : (memref<8xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}

// Stores that overlap, and so have to stay in order: no cut at the inner loop.
// CHECK: [Missed] Spans | {{.*}} | Function=overlapping_stores | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=24, Op="penguin.slice", From="s", To="o", Tensor="s"
func.func @overlapping_stores(%x: memref<2x7xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) {
  %s = memref.alloc() {penguin.name = "s"} : memref<8xf32, "dram">
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<2x7xf32, "dram">
      affine.store %v, %s[%i + %j] : memref<8xf32, "dram">
    }
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 1>, limits = array<i64: 7>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// A load of what is outside of the slice.
// CHECK: [Missed] Spans | {{.*}} | Function=other_load | Reason="an access spans more than one source, and its nest cannot be cut", Bytes=24, Op="penguin.slice", From="s", To="o", Tensor="s"
func.func @other_load(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "o"}, %p: memref<1xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : memref<8xf32, "dram">
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %s[%i] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 1>, limits = array<i64: 7>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  %v = affine.load %s[7] : memref<8xf32, "dram">
  affine.store %v, %p[0] : memref<1xf32, "dram">
  return
}

// Overlapping slices to two outputs: an element would have to be stored to both.
// CHECK: [Missed] Whole | {{.*}} | Function=overlapping_slices | Reason="used as a whole by an op that cannot take the element order of the other tensor", Bytes=24, Op="penguin.slice", From="s", To="o", Tensor="s"
// CHECK: [Missed] Whole | {{.*}} | Function=overlapping_slices | Reason="used as a whole by an op that cannot take the element order of the other tensor", Bytes=24, Op="penguin.slice", From="s", To="p", Tensor="s"
func.func @overlapping_slices(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "o"}, %p: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "p"}) {
  %s = memref.alloc() {penguin.name = "s"} : memref<8xf32, "dram">
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %s[%i] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 0>, limits = array<i64: 6>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  "penguin.slice"(%s, %p) {starts = array<i64: 2>, limits = array<i64: 8>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// Two slices into one tensor: the second counts, for the elements read in between the first.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=slices_in_order | Reason="the tensor is defined by more than one op", Bytes=24, Op="penguin.slice", From="x", To="t", Tensor="t"
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=slices_in_order | Reason="the tensor is defined by more than one op", Bytes=24, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @slices_in_order(%x: memref<8xf32, "dram"> {penguin.io = "input", penguin.name = "x"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}, %p: memref<6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<6xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0>, limits = array<i64: 6>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  affine.for %i = 0 to 6 {
    %v = affine.load %t[%i] : memref<6xf32, "dram">
    affine.store %v, %o[%i] : memref<6xf32, "dram">
  }
  "penguin.slice"(%x, %t) {starts = array<i64: 2>, limits = array<i64: 8>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  affine.for %i = 0 to 6 {
    %v = affine.load %t[%i] : memref<6xf32, "dram">
    affine.store %v, %p[%i] : memref<6xf32, "dram">
  }
  return
}

// MATMUL: the load feeds a contraction.
// CHECK: [Missed] Matmul | {{.*}} | Function=matmul | Reason="a matmul load needs the slice as it is", Bytes=96, Op="penguin.slice", From="x", To="t", Tensor="t"
func.func @matmul(%x: !src {penguin.io = "input", penguin.name = "x"}, %w: memref<6x3xf32, "dram"> {penguin.io = "input"}, %o: memref<4x3xf32, "dram"> {penguin.io = "output"}) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %s = affine.for %k = 0 to 6 iter_args(%a = %z) -> f32 {
        %v = affine.load %t[%i, %k] : !dst
        %u = affine.load %w[%k, %j] : memref<6x3xf32, "dram">
        %m = arith.mulf %v, %u : f32
        %b = arith.addf %a, %m : f32
        affine.yield %b : f32
      }
      affine.store %s, %o[%i, %j] : memref<4x3xf32, "dram">
    }
  }
  return
}

// DEGRADED: by `disable-degraded-fusion`: what is read again and again is read in strides of 3.
// CHECK: [Missed] Degraded | {{.*}} | Function=degraded | Reason="the fusion would be degraded: it would make a worse loop nest", Bytes=32, Op="penguin.slice", From="x", To="t", Tensor="t"
// DEFAULT-LABEL: func.func @degraded
// DEFAULT-NOT: penguin.slice
// DEFAULT: return
func.func @degraded(%x: memref<24xf32, "dram"> {penguin.io = "input", penguin.name = "x"}, %o: memref<2x8xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<8xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0>, limits = array<i64: 24>, strides = array<i64: 3>, access = "ndim"} : (memref<24xf32, "dram">, memref<8xf32, "dram">) -> ()
  affine.for %r = 0 to 2 {
    affine.for %i = 0 to 8 {
      %v = affine.load %t[%i] : memref<8xf32, "dram">
      affine.store %v, %o[%r, %i] : memref<2x8xf32, "dram">
    }
  }
  return
}

// CHECK-NOT: [Missed]
