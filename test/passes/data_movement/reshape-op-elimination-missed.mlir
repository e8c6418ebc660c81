// Every candidate stays, and the IR with it.
// RUN: penguin-opt %s >%t.before
// RUN: penguin-opt '--reshape-op-elimination=big-tensor-threshold-one-d=60' --remark-format=emitRemark --remarks-filter=. %s >%t.after 2>%t.remarks
// RUN: diff %t.before %t.after
// RUN: filecheck %s <%t.remarks
// RUN: not grep Passed %t.remarks
// RUN: penguin-opt --reshape-op-elimination %s | filecheck %s --check-prefix=DEFAULT

!src = memref<24xf32, "dram">
!dst = memref<4x6xf32, "dram">

// BOUNDARY
// CHECK: [Missed] Boundary | Category:data-movement:reshape-op-elimination | Function=boundary | Reason="both ends are seen from outside, or share a buffer with what is", Bytes=96, Op="penguin.memcpy", From="x", To="o"
func.func @boundary(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  "penguin.memcpy"(%x, %o) : (!src, !dst) -> ()
  return
}

// SPACE
// CHECK: [Missed] Space | {{.*}} | Function=space | Reason="the two ends are in different memories", Bytes=96, Op="penguin.memcpy", From="x", To="t"
func.func @space(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : memref<4x6xf32, "sbuf">
  "penguin.memcpy"(%x, %t) : (!src, memref<4x6xf32, "sbuf">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : memref<4x6xf32, "sbuf">
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// DEFINED_TWICE: the loads would not see the second definition.
// CHECK: [Missed] DefinedTwice | {{.*}} | Function=defined_twice | Reason="the tensor is defined by more than one op", Bytes=96, Op="penguin.memcpy", From="x", To="t", Tensor="t"
func.func @defined_twice(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %c: memref<f32, "dram"> {penguin.io = "input"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
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
// CHECK: [Missed] Rematerialised | {{.*}} | Function=rematerialised | Reason="the tensor is rematerialised", Bytes=96, Op="penguin.memcpy", From="x", To="t"
func.func @rematerialised(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t", penguin.remat} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// GENERIC: a computed index.
// CHECK: [Missed] Generic | {{.*}} | Function=generic | Reason="used by a generic access or an opaque op", Bytes=96, Op="penguin.memcpy", From="x", To="t", Tensor="t"
func.func @generic(%x: !src {penguin.io = "input", penguin.name = "x"}, %n: index, %o: memref<4xf32, "dram"> {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    %v = memref.load %t[%i, %n] : !dst
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// ADDRESS: how often the inner loop runs is not constant.
// CHECK: [Missed] Address | {{.*}} | Function=address | Reason="failed access folding: the address is not affine without divisions", Bytes=96, Op="penguin.memcpy", From="x", To="t", Tensor="t"
func.func @address(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// ALIASED_STORE: the output is the buffer of the input, and stored to before the last load.
// CHECK: [Missed] AliasedStore | {{.*}} | Function=aliased_store | Reason="an aliased output is stored to before the last read of its input", Bytes=96, Op="penguin.memcpy", From="x", To="t", Tensor="o"
func.func @aliased_store(%x: !src {penguin.io = "input", penguin.name = "x"}, %z: !src {penguin.io = "input"}, %o: !src {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: !dst {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
  affine.for %i = 0 to 24 {
    %v = affine.load %z[%i] : !src
    affine.store %v, %o[%i] : !src
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
// CHECK: [Missed] ReadBefore | {{.*}} | Function=read_before | Reason="the tensor that would be written is still used before the copy", Bytes=96, Op="penguin.memcpy", From="s", To="o", Tensor="o"
func.func @read_before(%x: !src {penguin.io = "input"}, %z: !dst {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %z[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  affine.for %i = 0 to 24 {
    %v = affine.load %x[%i] : !src
    affine.store %v, %s[%i] : !src
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %o[%i, %j] : !dst
      affine.store %v, %p[%i, %j] : !dst
    }
  }
  "penguin.memcpy"(%s, %o) : (!src, !dst) -> ()
  return
}

// BARRIER
// CHECK: [Missed] Barrier | {{.*}} | Function=barrier | Reason="a barrier is between", Bytes=96, Op="penguin.memcpy", From="x", To="t"
func.func @barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %z: memref<f32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) : (!src, !dst) -> ()
  "penguin.memset"(%z) {value = 0.0 : f32, penguin.barrier} : (memref<f32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// CHECK: [Missed] Barrier | {{.*}} | Function=the_op_is_a_barrier | Reason="a barrier is between", Bytes=96, Op="penguin.memcpy", From="x", To="t"
func.func @the_op_is_a_barrier(%x: !src {penguin.io = "input", penguin.name = "x"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %t = memref.alloc() {penguin.name = "t"} : !dst
  "penguin.memcpy"(%x, %t) {penguin.barrier} : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// NOT_IO: memcpy-elimination folds such copies; this pass is the rule for kernel boundaries alone.
// CHECK: [Missed] NotIo | {{.*}} | Function=not_io | Reason="Either src/dst must be IO", Bytes=96, Op="penguin.memcpy", From="s", To="t"
func.func @not_io(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  %t = memref.alloc() {penguin.name = "t"} : !dst
  affine.for %i = 0 to 24 {
    %v = affine.load %x[%i] : !src
    affine.store %v, %s[%i] : !src
  }
  "penguin.memcpy"(%s, %t) : (!src, !dst) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// OTHER_LOADS: "no other loads of the src tensor".
// CHECK: [Missed] OtherLoads | {{.*}} | Function=other_loads | Reason="the source has other loads than the copy to the kernel's output", Bytes=96, Op="penguin.memcpy", From="s", To="o", Tensor="s"
func.func @other_loads(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}, %p: !src {penguin.io = "output"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  affine.for %i = 0 to 24 {
    %v = affine.load %x[%i] : !src
    affine.store %v, %s[%i] : !src
  }
  "penguin.memcpy"(%s, %o) : (!src, !dst) -> ()
  affine.for %i = 0 to 24 {
    %v = affine.load %s[%i] : !src
    affine.store %v, %p[%i] : !src
  }
  return
}

// OVERWRITTEN: the source is defined once more after the copy.
// CHECK: [Missed] Overwritten | {{.*}} | Function=overwritten | Reason="the tensor that would be read is overwritten before the last read", Bytes=96, Op="penguin.memcpy", From="s", To="o", Tensor="s"
func.func @overwritten(%x: !src {penguin.io = "input"}, %z: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output", penguin.name = "o"}) {
  %s = memref.alloc() {penguin.name = "s"} : !src
  affine.for %i = 0 to 24 {
    %v = affine.load %x[%i] : !src
    affine.store %v, %s[%i] : !src
  }
  "penguin.memcpy"(%s, %o) : (!src, !dst) -> ()
  affine.for %i = 0 to 24 {
    %v = affine.load %z[%i] : !src
    affine.store %v, %s[%i] : !src
  }
  return
}

// DEGRADED: by `big-tensor-threshold-one-d`: 64 elements in one dimension in the place of 8x8.
// CHECK: [Missed] Degraded | {{.*}} | Function=degraded | Reason="the fusion would be degraded: it would make a worse loop nest", Bytes=256, Op="penguin.memcpy", From="x", To="t", Tensor="t"
// DEFAULT-LABEL: func.func @degraded
// DEFAULT-NOT: penguin.memcpy
// DEFAULT: return
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
