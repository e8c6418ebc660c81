// Every copy stays, and the IR with it.
// RUN: penguin-opt %s >%t.before
// RUN: penguin-opt --memcpy-elimination=big-tensor-threshold-one-d=60 --remark-format=emitRemark --remarks-filter=. %s >%t.after 2>%t.remarks
// RUN: diff %t.before %t.after
// RUN: filecheck %s <%t.remarks
// RUN: not grep Passed %t.remarks
// RUN: penguin-opt --memcpy-elimination --mlir-pass-statistics %s 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: 1 failed-access-folding - Number of failure in access folding
// STATS: 1 remated - Number of remated tensors skipped

!flat = memref<48xf32, "dram">
!wide = memref<4x12xf32, "dram">

// BOUNDARY
// CHECK: remark: [Missed] Boundary | Category:data-movement:memcpy-elimination | Function=boundary | Reason="both ends are seen from outside, or share a buffer with what is", Bytes=192, Op="penguin.memcpy", From="x", To="o"
func.func @boundary(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !wide {penguin.io = "output", penguin.name = "o"}) {
  "penguin.memcpy"(%x, %o) : (!flat, !wide) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}} | Function=space | Reason="the two ends are in different memories", Bytes=192, Op="penguin.memcpy", From="x", To="t"
func.func @space(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<48xf32, "sbuf">
  "penguin.memcpy"(%x, %t) : (!flat, memref<48xf32, "sbuf">) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : memref<48xf32, "sbuf">
    affine.store %v, %o[%k] : !flat
  }
  return
}

// DEFINED_TWICE: the loads would not see the second definition.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=defined_twice | Reason="the tensor is defined by more than one op", Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="t"
// CHECK-SAME: Also="both ends are seen from outside
// CHECK-SAME: At="{{.*}}memcpy-elimination-missed.mlir:{{[0-9]+}}:3"
func.func @defined_twice(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}, %c: memref<f32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !flat) -> ()
  %e = affine.load %c[] : memref<f32, "dram">
  affine.store %e, %t[0] : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// REMATERIALISED: the tensor was made again on purpose.
// CHECK: [Missed] Rematerialised | {{.*}} | Function=rematerialised | Reason="the tensor is rematerialised", Bytes=192, Op="penguin.memcpy", From="x", To="t"
func.func @rematerialised(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t", penguin.remat} : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// GENERIC
// CHECK: [Missed] Generic | {{.*}} | Function=generic | Reason="used by a generic access or an opaque op", Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="t"
// CHECK-SAME: At="{{.*}}memcpy-elimination-missed.mlir:{{[0-9]+}}:10"
func.func @generic(%x: !flat {penguin.io = "input", penguin.name = "x"}, %n: memref<4xi32, "dram"> {penguin.io = "input"},
    %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    %a = affine.load %n[%i] : memref<4xi32, "dram">
    %j = arith.index_cast %a : i32 to index
    %v = memref.load %t[%i, %j] : !wide
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// What other blocks do is not followed.
// CHECK: [Missed] Generic | {{.*}} | Function=other_block | {{.*}}, Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="t"
func.func @other_block(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  %u = memref.alloc() : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !flat) -> ()
  cf.br ^bb1
^bb1:
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %u[%k] : !flat
  }
  "penguin.memcpy"(%u, %o) : (!flat, !flat) -> ()
  return
}

// ADDRESS: how often the inner loop runs is not constant.
// CHECK: [Missed] Address | {{.*}} | Function=address | Reason="failed access folding: the address is not affine without divisions", Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="t"
func.func @address(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 * 2 + 1)>(%i) {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// OVERWRITTEN, read after overwrite: the load wants what the source was at the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=read_after_overwrite | Reason="the tensor that would be read is overwritten before the last read", Bytes=192, Op="penguin.memcpy", From="s", To="t", Tensor="s"
func.func @read_after_overwrite(%x: !flat {penguin.io = "input"}, %y: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}, %p: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %t) : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %y[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %s[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// Two readers, one of them later than the overwrite. Both stay with the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=one_reader_is_later | {{.*}}, Bytes=192, Op="penguin.memcpy", From="s", To="t", Tensor="s"
func.func @one_reader_is_later(%x: !flat {penguin.io = "input"}, %y: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}, %p: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %t) : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %y[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// The nest that loads the copy overwrites its source, at an element that it loads later.
// CHECK: [Missed] Overwritten | {{.*}} | Function=overwritten_by_the_reader | {{.*}}, Bytes=192, Op="penguin.memcpy", From="s", To="t", Tensor="s"
func.func @overwritten_by_the_reader(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %t) : (!flat, !flat) -> ()
  affine.for %k = 0 to 47 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %s[%k + 1] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// The source is written again after it was copied to the output: only the first content is wanted.
// CHECK: [Missed] Overwritten | {{.*}} | Function=written_after_the_copy | {{.*}}, Bytes=192, Op="penguin.memcpy", From="s", To="o", Tensor="s"
func.func @written_after_the_copy(%x: !flat {penguin.io = "input"}, %y: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.name = "o"}, %p: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %o) : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %y[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %s[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// The destination is overwritten, and the source read after that.
// CHECK: [Missed] Overwritten | {{.*}} | Function=source_read_after_overwrite | {{.*}}, Bytes=192, Op="penguin.memcpy", From="s", To="o", Tensor="o"
func.func @source_read_after_overwrite(%x: !flat {penguin.io = "input"}, %c: memref<f32, "dram"> {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.name = "o"}, %p: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %o) : (!flat, !flat) -> ()
  %e = affine.load %c[] : memref<f32, "dram">
  affine.store %e, %o[7] : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %s[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// ALIASED_STORE: the output is the input's buffer, and stored to before the copy is read.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_store | Reason="an aliased output is stored to before the last read of its input", Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="o"
func.func @aliased_store(%x: !flat {penguin.io = "input", penguin.name = "x"}, %g: !flat {penguin.io = "input"},
    %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %g[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// A chain between two aliased ends is not this pass's: each copy is in the way of the other.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_chain | {{.*}}, Bytes=192, Op="penguin.memcpy", From="x", To="t", Tensor="o"
// CHECK: [Missed] ReadBefore | {{.*}} | Function=aliased_chain | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
func.func @aliased_chain(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) {
  %t = memref.alloc() {penguin.name = "t"} : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}

// READ_BEFORE: the destination has its old content until the copy, and that is read. The producer
// cannot move behind the reader, as what it reads is overwritten there.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=read_before | Reason="the tensor that would be written is still used before the copy", Bytes=192, Op="penguin.memcpy", From="s", To="o", Tensor="o"
func.func @read_before(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.name = "o"}, %p: !flat {penguin.io = "output"}) {
  %a = memref.alloc() : !flat
  %s = memref.alloc() {penguin.name = "s"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %a[%k] : !flat
    affine.store %v, %o[-%k + 47] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %a[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %o[%k] : !flat
    affine.store %v, %a[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  "penguin.memcpy"(%s, %o) : (!flat, !flat) -> ()
  return
}

// An output aliased to an input that is still read: another iteration's element.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=alias_still_read | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
func.func @alias_still_read(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[-%k + 47] : !flat
    affine.store %v, %t[%k] : !flat
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}

// As an update in place, but the input is read once more, after the store.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=alias_read_after_store | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
func.func @alias_read_after_store(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    %r = arith.addf %v, %v : f32
    affine.store %r, %t[%k] : !flat
    %w = affine.load %x[%k] : !flat
    affine.store %w, %p[%k] : !flat
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}

// As an update in place, but nobody knows how often.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=alias_updated_often | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
// CHECK: [Missed] ReadBefore | {{.*}} | Function=alias_updated_in_scope | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
func.func @alias_updated_often(%n: index, %x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 1 : i64}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %r = 0 to %n {
    affine.for %k = 0 to 48 {
      %v = affine.load %x[%k] : !flat
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[%k] : !flat
    }
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}
func.func @alias_updated_in_scope(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %r = %zero to %two step %one {
    affine.for %k = 0 to 48 {
      %v = affine.load %x[%k] : !flat
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[%k] : !flat
    }
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}

// As an update in place, but each element is updated twice: the second time from the input again.
// CHECK: [Missed] ReadBefore | {{.*}} | Function=alias_updated_twice | {{.*}}, Bytes=192, Op="penguin.memcpy", From="t", To="o", Tensor="x"
func.func @alias_updated_twice(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  affine.for %r = 0 to 2 {
    affine.for %k = 0 to 48 {
      %v = affine.load %x[%k] : !flat
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[%k] : !flat
    }
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}

// READ_MORE_THAN_ONCE: a reader of the source keeps its producer before the old content's reader.
// CHECK: [Missed] ReadMoreThanOnce | {{.*}} | Function=read_more_than_once | Reason="the producer cannot move to the copy: read before", Bytes=192, Op="penguin.memcpy", From="s", To="o", Tensor="o"
func.func @read_more_than_once(%x: !flat {penguin.io = "input"}, %y: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.name = "o"},
    %p: !flat {penguin.io = "output"}, %q: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %y[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %s[%k] : !flat
    affine.store %v, %q[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %o[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  "penguin.memcpy"(%s, %o) : (!flat, !flat) -> ()
  return
}

// BARRIER: neither side moves across it.
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier_before_the_load | Reason="a barrier is between", Bytes=192, Op="penguin.memcpy", From="x", To="t"
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier_after_the_store | Reason="a barrier is between", Bytes=192, Op="penguin.memcpy", From="s", To="o"
// CHECK: [Missed] Barrier | {{.*}} | Function=the_copy_is_a_barrier | Reason="a barrier is between", Bytes=192, Op="penguin.memcpy", From="x", To="t"
func.func @barrier_before_the_load(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}, %z: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !flat) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (!flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}
func.func @barrier_after_the_store(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.name = "o"}, %z: !flat {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (!flat) -> ()
  "penguin.memcpy"(%s, %o) : (!flat, !flat) -> ()
  return
}
func.func @the_copy_is_a_barrier(%x: !flat {penguin.io = "input", penguin.name = "x"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !flat
  "penguin.memcpy"(%x, %t) {penguin.barrier} : (!flat, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// DEGRADED, by `big-tensor-threshold-one-d`: a tensor of 64 elements in the place of one of 8x8.
// CHECK: [Missed] Degraded | {{.*}} | Function=degraded | Reason="the fusion would be degraded: it would make a worse loop nest", Bytes=256, Op="penguin.memcpy", From="x", To="t", Tensor="t", Refusal="lower_op_to_merged_or_split_loopnest: refusing to lower memcpy using big 1d tensor (use_merge=True)"
func.func @degraded(%x: memref<64xf32, "dram"> {penguin.io = "input", penguin.name = "x"}, %o: memref<8x8xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<8x8xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<64xf32, "dram">, memref<8x8xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : memref<8x8xf32, "dram">
      affine.store %v, %o[%i, %j] : memref<8x8xf32, "dram">
    }
  }
  return
}

// CHECK-NOT: [Missed]
