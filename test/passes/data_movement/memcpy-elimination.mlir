// RUN: penguin-opt %s --memcpy-elimination >%t.once
// RUN: filecheck %s <%t.once
// RUN: not grep penguin.memcpy %t.once
// RUN: penguin-opt %t.once --memcpy-elimination >%t.twice
// RUN: diff %t.once %t.twice

!flat = memref<48xf32, "dram">
!wide = memref<4x12xf32, "dram">
!cube = memref<4x2x6xf32, "dram">

// fuse_dst, joining dimensions: the loads of the destination read the source.
// CHECK-LABEL: func.func @joined
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 12 {
// CHECK-NEXT: affine.load %arg0[%[[I]] * 12 + %[[J]]] : memref<48xf32, "dram">
func.func @joined(%x: !flat {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// fuse_dst, splitting a dimension along a loop: no division is left.
// CHECK-LABEL: func.func @split
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 6 {
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]], %[[K]]] : memref<4x2x6xf32, "dram">
func.func @split(%x: !cube {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !flat
  "penguin.memcpy"(%x, %t) : (!cube, !flat) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 6 {
        %v = affine.load %t[%i * 12 + %j * 6 + %k] : !flat
        affine.store %v, %o[%i * 12 + %j * 6 + %k] : !flat
      }
    }
  }
  return
}

// One loop over a tensor of several dimensions: indices with divisions, one flat address.
// CHECK-LABEL: func.func @quasi_affine
// CHECK: affine.for %[[K:.*]] = 0 to 48 {
// CHECK-NEXT: affine.load %arg0[%[[K]] floordiv 12, %[[K]] mod 12] : memref<4x12xf32, "dram">
func.func @quasi_affine(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !flat
  "penguin.memcpy"(%x, %t) : (!wide, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// Loops that do not count from 0 by 1.
// CHECK-LABEL: func.func @lower_bound_and_step
// CHECK: affine.for %[[I:.*]] = 1 to 4 step 2 {
// CHECK-NEXT: affine.for %[[J:.*]] = 2 to 12 {
// CHECK-NEXT: affine.load %arg0[%[[I]] * 12 + %[[J]]] : memref<48xf32, "dram">
func.func @lower_bound_and_step(%x: !flat {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %i = 1 to 4 step 2 {
    affine.for %j = 2 to 12 {
      %v = affine.load %t[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// fuse_src: the stores to the source write the destination.
// CHECK-LABEL: func.func @producer
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 12 {
// CHECK: affine.store %{{.*}}, %arg1[%[[I]] * 12 + %[[J]]] : memref<48xf32, "dram">
func.func @producer(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}

// fuse_src with other loads of the source, before and after the copy: they follow the stores.
// CHECK-LABEL: func.func @producer_with_readers
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %arg1[%{{.*}}]
// CHECK: affine.load %arg1[%{{.*}} * 12]
// CHECK-NEXT: affine.store %{{.*}}, %arg2
// CHECK: affine.load %arg1[%{{.*}} * 12 + 1]
// CHECK-NEXT: affine.store %{{.*}}, %arg3
func.func @producer_with_readers(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"},
    %p: memref<4xf32, "dram"> {penguin.io = "output"}, %q: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i, 0] : !wide
    affine.store %v, %p[%i] : memref<4xf32, "dram">
  }
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %t[%i, 1] : !wide
    affine.store %v, %q[%i] : memref<4xf32, "dram">
  }
  return
}

// A sum in memory: initialised, then added to, then copied out.
// CHECK-LABEL: func.func @accumulated
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.store %{{.*}}, %arg1[0, %[[I]]]
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 12 {
// CHECK: affine.load %arg1[0, %[[I]]]
// CHECK: affine.store %{{.*}}, %arg1[0, %[[I]]]
func.func @accumulated(%x: !wide {penguin.io = "input"}, %o: memref<1x4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4xf32, "dram">
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %zero, %t[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i, %j] : !wide
      %s = affine.load %t[%i] : memref<4xf32, "dram">
      %r = arith.addf %s, %v : f32
      affine.store %r, %t[%i] : memref<4xf32, "dram">
    }
  }
  "penguin.memcpy"(%t, %o) : (memref<4xf32, "dram">, memref<1x4xf32, "dram">) -> ()
  return
}

// Between internal tensors; the copy goes, and one of the two buffers with it.
// CHECK-LABEL: func.func @internal
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %alloc[%{{.*}}, %{{.*}}] : memref<4x12xf32, "dram">
// CHECK: affine.load %alloc[%{{.*}} floordiv 12, %{{.*}} mod 12] : memref<4x12xf32, "dram">
func.func @internal(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  %u = memref.alloc() : !flat
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%t, %u) : (!wide, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %u[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// An op that takes the destination as a whole gets a view of the source.
// CHECK-LABEL: func.func @view_of_source
// CHECK: %[[V:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 12], strides: [12, 1] : memref<48xf32, "dram"> to memref<4x12xf32, "dram">
// CHECK-NOT: memref.alloc
// CHECK: "penguin.unary"(%[[V]], %arg1)
func.func @view_of_source(%x: !flat {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (!wide, !wide) -> ()
  return
}

// An op that fills the source as a whole fills a view of the destination.
// CHECK-LABEL: func.func @view_of_destination
// CHECK: %[[V:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [4, 12], strides: [12, 1]
// CHECK-NOT: memref.alloc
// CHECK: "penguin.unary"(%arg0, %[[V]])
func.func @view_of_destination(%x: !wide {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  "penguin.unary"(%x, %t) {function = "negate"} : (!wide, !wide) -> ()
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}

// One view for all uses of one shape, and none for the same shape.
// CHECK-LABEL: func.func @views_are_shared
// CHECK-COUNT-1: memref.reinterpret_cast
// CHECK-NOT: memref.reinterpret_cast
// CHECK: "penguin.unary"(%[[V:.*]], %arg1)
// CHECK-NEXT: "penguin.unary"(%[[V]], %arg2)
// CHECK-NEXT: "penguin.unary"(%arg0, %arg3)
func.func @views_are_shared(%x: !flat {penguin.io = "input"}, %o: !wide {penguin.io = "output"},
    %p: !wide {penguin.io = "output"}, %q: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  %u = memref.alloc() : !flat
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  "penguin.memcpy"(%t, %u) : (!wide, !flat) -> ()
  "penguin.unary"(%t, %o) {function = "negate"} : (!wide, !wide) -> ()
  "penguin.unary"(%t, %p) {function = "abs"} : (!wide, !wide) -> ()
  "penguin.unary"(%u, %q) {function = "abs"} : (!flat, !flat) -> ()
  return
}

// A load through a view of the destination.
// CHECK-LABEL: func.func @through_a_view
// CHECK-NOT: memref.reinterpret_cast
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}}] : memref<48xf32, "dram">
func.func @through_a_view(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %t = memref.alloc() : !wide
  %w = memref.reinterpret_cast %t to offset: [0], sizes: [48], strides: [1] : !wide to !flat
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %w[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  return
}

// A chain from an input collapses into its last readers.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}}, %{{.*}}] : memref<4x12xf32, "dram">
func.func @chain(%x: !wide {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %a = memref.alloc() : !flat
  %b = memref.alloc() : !cube
  %c = memref.alloc() : !wide
  "penguin.memcpy"(%x, %a) : (!wide, !flat) -> ()
  "penguin.memcpy"(%a, %b) : (!flat, !cube) -> ()
  "penguin.memcpy"(%b, %c) : (!cube, !wide) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %c[%i, %j] : !wide
      affine.store %v, %o[%i, %j] : !wide
    }
  }
  return
}

// A chain to an output collapses into its first writer.
// CHECK-LABEL: func.func @chain_to_output
// CHECK-NOT: memref.alloc
// CHECK: affine.store %{{.*}}, %arg1[%{{.*}}, %{{.*}}] : memref<4x12xf32, "dram">
func.func @chain_to_output(%x: !wide {penguin.io = "input"}, %o: !wide {penguin.io = "output"}) {
  %a = memref.alloc() : !wide
  %b = memref.alloc() : !flat
  %c = memref.alloc() : !cube
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i, %j] : !wide
      affine.store %v, %a[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%a, %b) : (!wide, !flat) -> ()
  "penguin.memcpy"(%b, %c) : (!flat, !cube) -> ()
  "penguin.memcpy"(%c, %o) : (!cube, !wide) -> ()
  return
}

// Unit dimensions come and go without arithmetic.
// CHECK-LABEL: func.func @unit_dims
// CHECK: affine.load %arg0[%{{[^ +*]*}}] : memref<8xf32, "dram">
// CHECK: affine.store %{{.*}}, %arg1[%{{[^ +*]*}}, 0] : memref<8x1xf32, "dram">
func.func @unit_dims(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<8x1xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<1x8x1xf32, "dram">
  %u = memref.alloc() : memref<1x8xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<8xf32, "dram">, memref<1x8x1xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %t[0, %i, 0] : memref<1x8x1xf32, "dram">
    affine.store %v, %u[0, %i] : memref<1x8xf32, "dram">
  }
  "penguin.memcpy"(%u, %o) : (memref<1x8xf32, "dram">, memref<8x1xf32, "dram">) -> ()
  return
}

// Tensors without dimensions, outside of any loop.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: %[[V:.*]] = affine.load %arg0[] : memref<f32, "dram">
// CHECK-NEXT: affine.store %[[V]], %arg1[0, 0] : memref<1x1xf32, "dram">
// CHECK-NEXT: return
func.func @scalar(%x: memref<f32, "dram"> {penguin.io = "input"}, %o: memref<1x1xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<1xf32, "dram">
  %u = memref.alloc() : memref<f32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<f32, "dram">, memref<1xf32, "dram">) -> ()
  %v = affine.load %t[0] : memref<1xf32, "dram">
  affine.store %v, %u[] : memref<f32, "dram">
  "penguin.memcpy"(%u, %o) : (memref<f32, "dram">, memref<1x1xf32, "dram">) -> ()
  return
}

// Nothing to move, and nothing to divide by.
// CHECK-LABEL: func.func @empty
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0
func.func @empty(%x: memref<0x4xf32, "dram"> {penguin.io = "input"}, %o: memref<4x0xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4x0xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<0x4xf32, "dram">, memref<4x0xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 0 {
      %v = affine.load %t[%i, %j] : memref<4x0xf32, "dram">
      affine.store %v, %o[%i, %j] : memref<4x0xf32, "dram">
    }
  }
  return
}

// A constant may be read in the place of its copy.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: memref.alloc
// CHECK: affine.load %{{.*}}[%{{.*}} * 2 + %{{.*}}] : memref<4xf32, "dram">
memref.global "private" constant @weights : memref<4xf32, "dram"> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @constant(%o: memref<2x2xf32, "dram"> {penguin.io = "output"}) {
  %w = memref.get_global @weights : memref<4xf32, "dram">
  %t = memref.alloc() : memref<2x2xf32, "dram">
  "penguin.memcpy"(%w, %t) : (memref<4xf32, "dram">, memref<2x2xf32, "dram">) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %v = affine.load %t[%i, %j] : memref<2x2xf32, "dram">
      affine.store %v, %o[%i, %j] : memref<2x2xf32, "dram">
    }
  }
  return
}

// A copy that nobody reads.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%x: !flat {penguin.io = "input"}) {
  %t = memref.alloc() : !wide
  "penguin.memcpy"(%x, %t) : (!flat, !wide) -> ()
  return
}

// The source is overwritten only after the last load of the copy.
// CHECK-LABEL: func.func @overwritten_later
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.load %alloc
// CHECK: affine.store %{{.*}}, %arg2
// CHECK: affine.load %alloc
// CHECK-NEXT: affine.store %{{.*}}, %arg3
// CHECK: affine.load %arg1
// CHECK-NEXT: affine.store %{{.*}}, %alloc
func.func @overwritten_later(%x: !flat {penguin.io = "input"}, %y: !flat {penguin.io = "input"},
    %o: !flat {penguin.io = "output"}, %p: !flat {penguin.io = "output"}, %q: !flat {penguin.io = "output"}) {
  %s = memref.alloc() : !flat
  %t = memref.alloc() : !flat
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
    %v = affine.load %t[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %y[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %s[%k] : !flat
    affine.store %v, %q[%k] : !flat
  }
  return
}

// A buffer that is read in the place of another has to live as long.
// CHECK-LABEL: func.func @deallocated
// CHECK: affine.store
// CHECK-NOT: memref.dealloc
// CHECK: affine.load %alloc
// CHECK: return
func.func @deallocated(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output"}) {
  %s = memref.alloc() : !flat
  %t = memref.alloc() : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %s[%k] : !flat
  }
  "penguin.memcpy"(%s, %t) : (!flat, !flat) -> ()
  memref.dealloc %s : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %t[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  memref.dealloc %t : !flat
  return
}

// The old content of the destination is read between producer and copy: the producer moves behind
// that. `%d` is defined twice, so its loads cannot read `%t`.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0
// CHECK-NEXT: affine.store %{{.*}}, %alloc
// CHECK: affine.load %alloc
// CHECK-NEXT: affine.store %{{.*}}, %arg2
// CHECK: affine.load %arg1
// CHECK-NEXT: affine.store %{{.*}}, %alloc[%{{.*}} * 12 + %{{.*}}]
// CHECK: affine.load %alloc
// CHECK-NEXT: affine.store %{{.*}}, %arg3
func.func @moved(%x: !flat {penguin.io = "input"}, %y: !wide {penguin.io = "input"},
    %o: !flat {penguin.io = "output"}, %p: !flat {penguin.io = "output"}) {
  %d = memref.alloc() : !flat
  %t = memref.alloc() : !wide
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    affine.store %v, %d[%k] : !flat
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %y[%i, %j] : !wide
      affine.store %v, %t[%i, %j] : !wide
    }
  }
  affine.for %k = 0 to 48 {
    %v = affine.load %d[%k] : !flat
    affine.store %v, %o[%k] : !flat
  }
  "penguin.memcpy"(%t, %d) : (!wide, !flat) -> ()
  affine.for %k = 0 to 48 {
    %v = affine.load %d[%k] : !flat
    affine.store %v, %p[%k] : !flat
  }
  return
}

// Both ends are one buffer: nothing is to be done.
// CHECK-LABEL: func.func @trivial_aliased_copy
// CHECK-NEXT: return
func.func @trivial_aliased_copy(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.alias = 0 : i64}) {
  "penguin.memcpy"(%x, %o) : (!flat, !flat) -> ()
  return
}

// An update in place: each iteration loads the element that it overwrites, before it does.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: affine.for %[[K:.*]] = 0 to 48 {
// CHECK-NEXT: affine.load %arg0[%[[K]]]
// CHECK-NEXT: affine.load %arg1[%[[K]]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.store %{{.*}}, %arg2[%[[K]]]
func.func @in_place(%x: !flat {penguin.io = "input"}, %g: !flat {penguin.io = "input"},
    %o: !flat {penguin.io = "output", penguin.alias = 0 : i64}) {
  %t = memref.alloc() : !flat
  affine.for %k = 0 to 48 {
    %v = affine.load %x[%k] : !flat
    %w = affine.load %g[%k] : !flat
    %r = arith.addf %v, %w : f32
    affine.store %r, %t[%k] : !flat
  }
  "penguin.memcpy"(%t, %o) : (!flat, !flat) -> ()
  return
}

// In place with another shape in between: the element is what counts.
// CHECK-LABEL: func.func @in_place_reshaped
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]] * 12 + %[[J:.*]]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]] * 12 + %[[J]]]
func.func @in_place_reshaped(%x: !flat {penguin.io = "input"}, %o: !flat {penguin.io = "output", penguin.alias = 0 : i64}) {
  %t = memref.alloc() : !wide
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 {
      %v = affine.load %x[%i * 12 + %j] : !flat
      %r = arith.addf %v, %v : f32
      affine.store %r, %t[%i, %j] : !wide
    }
  }
  "penguin.memcpy"(%t, %o) : (!wide, !flat) -> ()
  return
}
