// RUN: penguin-opt %s --slice-op-elimination=fuse-matmul-loads=true >%t.once
// RUN: filecheck %s <%t.once
// RUN: not grep penguin.slice %t.once
// RUN: penguin-opt %t.once --slice-op-elimination=fuse-matmul-loads=true >%t.twice
// RUN: diff %t.once %t.twice
// RUN: penguin-opt %s --slice-op-elimination | filecheck %s --check-prefix=MATMUL
// RUN: penguin-opt %s --slice-op-elimination=fuse-matmul-loads=true --mlir-pass-statistics 2>&1 >%t | filecheck %s --check-prefix=STATS

// STATS: 4 cuts - Number of loop nests cut

!src = memref<4x8xf32, "dram">
!dst = memref<2x3xf32, "dram">

// fuse_dst, per dimension: the consumer reads the parent at the offset and with the stride.
// CHECK-LABEL: func.func @ndim
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]] * 2 + 1, %[[J:.*]] * 3 + 1] : memref<4x8xf32, "dram">
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @ndim(%x: !src {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 1, 1>, limits = array<i64: 4, 8>, strides = array<i64: 2, 3>, access = "ndim"} : (!src, !dst) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// fuse_dst by element number: element 4 + 3 * (3 i + j) of the parent.
// CHECK-LABEL: func.func @flattened
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[K:.*]] * 9 + %[[J:.*]] * 3 + 4] : memref<32xf32, "dram">
func.func @flattened(%x: memref<32xf32, "dram"> {penguin.io = "input"}, %o: !dst {penguin.io = "output"}) {
  %t = memref.alloc() : !dst
  "penguin.slice"(%x, %t) {starts = array<i64: 4>, limits = array<i64: 20>, strides = array<i64: 3>, access = "flattened"} : (memref<32xf32, "dram">, !dst) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %v = affine.load %t[%i, %j] : !dst
      affine.store %v, %o[%i, %j] : !dst
    }
  }
  return
}

// The same from a parent of two dimensions: the rows of the slice are rows of it.
// CHECK-LABEL: func.func @flattened_from_rows
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]] + 1, %[[J:.*]] * 2] : memref<4x8xf32, "dram">
func.func @flattened_from_rows(%x: !src {penguin.io = "input"}, %o: memref<2x4xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<2x4xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 8>, limits = array<i64: 24>, strides = array<i64: 2>, access = "flattened"} : (!src, memref<2x4xf32, "dram">) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : memref<2x4xf32, "dram">
      affine.store %v, %o[%i, %j] : memref<2x4xf32, "dram">
    }
  }
  return
}

// fuse_src: the producer of the parent writes the slab; the stores before and behind it go. The nest
// is cut where the slab begins and ends.
// CHECK-LABEL: func.func @producer
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 2 to 5 {
// CHECK-NEXT: affine.load %arg0[%[[I]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]] - 2] : memref<3xf32, "dram">
// CHECK-NOT: affine.for
// CHECK: return
func.func @producer(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<3xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : memref<8xf32, "dram">
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %s[%i] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 2>, limits = array<i64: 5>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<3xf32, "dram">) -> ()
  return
}

// fuse_src with a stride that the stores have, too; a row that is not in the slab is not stored.
// CHECK-LABEL: func.func @producer_strided
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[J:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load
// CHECK-NEXT: affine.store %{{.*}}, %arg1[0, %[[J]]] : memref<1x4xf32, "dram">
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @producer_strided(%x: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<1x4xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : memref<2x8xf32, "dram">
  affine.for %j = 0 to 4 {
    %v = affine.load %x[%j] : memref<4xf32, "dram">
    affine.store %v, %s[0, %j * 2] : memref<2x8xf32, "dram">
    affine.store %v, %s[1, %j * 2] : memref<2x8xf32, "dram">
    affine.store %v, %s[1, %j * 2 + 1] : memref<2x8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 1, 1>, limits = array<i64: 2, 8>, strides = array<i64: 1, 2>, access = "ndim"} : (memref<2x8xf32, "dram">, memref<1x4xf32, "dram">) -> ()
  return
}

// fuse_src by element number.
// CHECK-LABEL: func.func @producer_flattened
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 1 to 3 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT: affine.store %{{.*}}, %arg1[%[[I]] * 8 + %[[J]] - 8] : memref<16xf32, "dram">
// CHECK-NOT: affine.for
// CHECK: return
func.func @producer_flattened(%x: !src {penguin.io = "input"}, %o: memref<16xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : !src
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : !src
      affine.store %v, %s[%i, %j] : !src
    }
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 8>, limits = array<i64: 24>, strides = array<i64: 1>, access = "flattened"} : (!src, memref<16xf32, "dram">) -> ()
  return
}

// Two producers of overlapping parts stay in order.
// CHECK-LABEL: func.func @overlapping_producers
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load %arg0
// CHECK-NEXT: affine.store %{{.*}}, %arg2[%[[I]]]
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.load %arg1
// CHECK-NEXT: affine.store %{{.*}}, %arg2[%[[I]] + 2]
func.func @overlapping_producers(%x: memref<4xf32, "dram"> {penguin.io = "input"}, %y: memref<4xf32, "dram"> {penguin.io = "input"}, %o: memref<6xf32, "dram"> {penguin.io = "output"}) {
  %s = memref.alloc() : memref<8xf32, "dram">
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32, "dram">
    affine.store %v, %s[%i + 1] : memref<8xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %y[%i] : memref<4xf32, "dram">
    affine.store %v, %s[%i + 3] : memref<8xf32, "dram">
  }
  "penguin.slice"(%s, %o) {starts = array<i64: 1>, limits = array<i64: 7>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<6xf32, "dram">) -> ()
  return
}

// A slice of a slice: offsets add up, strides multiply.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%{{.*}} * 6 + 5] : memref<24xf32, "dram">
func.func @chain(%x: memref<24xf32, "dram"> {penguin.io = "input"}, %o: memref<3xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<11xf32, "dram">
  %u = memref.alloc() : memref<3xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 1>, limits = array<i64: 23>, strides = array<i64: 2>, access = "ndim"} : (memref<24xf32, "dram">, memref<11xf32, "dram">) -> ()
  "penguin.slice"(%t, %u) {starts = array<i64: 2>, limits = array<i64: 9>, strides = array<i64: 3>, access = "ndim"} : (memref<11xf32, "dram">, memref<3xf32, "dram">) -> ()
  affine.for %i = 0 to 3 {
    %v = affine.load %u[%i] : memref<3xf32, "dram">
    affine.store %v, %o[%i] : memref<3xf32, "dram">
  }
  return
}

// Overlapping slices, each read on its own.
// CHECK-LABEL: func.func @overlapping_readers
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[%[[I:.*]]] : memref<8xf32, "dram">
// CHECK-NEXT: affine.load %arg0[%[[I]] + 1] : memref<8xf32, "dram">
func.func @overlapping_readers(%x: memref<8xf32, "dram"> {penguin.io = "input"}, %o: memref<7xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<7xf32, "dram">
  %u = memref.alloc() : memref<7xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0>, limits = array<i64: 7>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<7xf32, "dram">) -> ()
  "penguin.slice"(%x, %u) {starts = array<i64: 1>, limits = array<i64: 8>, strides = array<i64: 1>, access = "ndim"} : (memref<8xf32, "dram">, memref<7xf32, "dram">) -> ()
  affine.for %i = 0 to 7 {
    %v = affine.load %t[%i] : memref<7xf32, "dram">
    %w = affine.load %u[%i] : memref<7xf32, "dram">
    %s = arith.subf %w, %v : f32
    affine.store %s, %o[%i] : memref<7xf32, "dram">
  }
  return
}

// One element along a dimension: a constant index.
// CHECK-LABEL: func.func @unit_dim
// CHECK-NOT: memref.alloc
// CHECK: affine.load %arg0[3, %{{[^ +*]*}}] : memref<4x8xf32, "dram">
func.func @unit_dim(%x: !src {penguin.io = "input"}, %o: memref<8xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<1x8xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 3, 0>, limits = array<i64: 4, 8>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, memref<1x8xf32, "dram">) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %t[0, %i] : memref<1x8xf32, "dram">
    affine.store %v, %o[%i] : memref<8xf32, "dram">
  }
  return
}

// A product of what is loaded, summed up: a contraction, whose load reads the parent only if the
// option says so. A sum of what is loaded is none.
// CHECK-LABEL: func.func @matmul
// CHECK: affine.load %arg0[%{{.*}}, %{{.*}} + 2]
// MATMUL-LABEL: func.func @matmul
// MATMUL: "penguin.slice"
// MATMUL-LABEL: func.func @sum
// MATMUL-NOT: "penguin.slice"
func.func @matmul(%x: !src {penguin.io = "input"}, %w: memref<6x3xf32, "dram"> {penguin.io = "input"}, %o: memref<4x3xf32, "dram"> {penguin.io = "output"}) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 2>, limits = array<i64: 4, 8>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, memref<4x6xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %s = affine.for %k = 0 to 6 iter_args(%a = %z) -> f32 {
        %v = affine.load %t[%i, %k] : memref<4x6xf32, "dram">
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
func.func @sum(%x: !src {penguin.io = "input"}, %o: memref<4xf32, "dram"> {penguin.io = "output"}) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 2>, limits = array<i64: 4, 8>, strides = array<i64: 1, 1>, access = "ndim"} : (!src, memref<4x6xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %s = affine.for %k = 0 to 6 iter_args(%a = %z) -> f32 {
      %v = affine.load %t[%i, %k] : memref<4x6xf32, "dram">
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %s, %o[%i] : memref<4xf32, "dram">
  }
  return
}

// One loop over all elements is split so that no division is left.
// CHECK-LABEL: func.func @one_loop
// CHECK-NOT: memref.alloc
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 6 {
// CHECK-NEXT: affine.load %arg0[%[[I]], %[[J]] + 1]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @one_loop(%x: memref<4x8xf32, "dram"> {penguin.io = "input"}, %o: memref<4x6xf32, "dram"> {penguin.io = "output"}) {
  %t = memref.alloc() : memref<4x6xf32, "dram">
  "penguin.slice"(%x, %t) {starts = array<i64: 0, 1>, limits = array<i64: 4, 7>, strides = array<i64: 1, 1>, access = "ndim"} : (memref<4x8xf32, "dram">, memref<4x6xf32, "dram">) -> ()
  affine.for %k = 0 to 24 {
    %v = affine.load %t[%k floordiv 6, %k mod 6] : memref<4x6xf32, "dram">
    affine.store %v, %o[%k floordiv 6, %k mod 6] : memref<4x6xf32, "dram">
  }
  return
}
