// RUN: penguin-opt --layout-tiling --split-input-file %s | filecheck %s

// Both loops walk memory as one: 128 lanes, contiguous runs.
// CHECK-LABEL: func.func @l1_elementwise
// CHECK: affine.for %[[P:.*]] = 0 to 128 {
// CHECK-NEXT: affine.for %[[F:.*]] = 0 to 128 {
// CHECK-NEXT: affine.load
// CHECK-NEXT: math.exp
// CHECK-NEXT: affine.store
// CHECK-NEXT: } {penguin.axis = "free"}
// CHECK-NEXT: } {penguin.axis = "partition"}
func.func @l1_elementwise(%a: memref<256x64xf32, "dram">, %o: memref<256x64xf32, "dram">) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<256x64xf32, "dram">
      %y = math.exp %x : f32
      affine.store %y, %o[%i, %j] : memref<256x64xf32, "dram">
    }
  }
  return
}

// -----

// 131 rows have no divisor near 128: a tile of 128 and a rest of 3.
// CHECK-LABEL: func.func @rest
// CHECK: affine.for {{.*}} = 0 to 128 {
// CHECK: } {penguin.axis = "partition"}
// CHECK: affine.for {{.*}} = 0 to 3 {
// CHECK: affine.load %{{.*}}[%{{.*}} + 128, %{{.*}}]
// CHECK: } {penguin.axis = "partition"}
func.func @rest(%a: memref<131x64xf32, "dram">, %o: memref<64x131xf32, "dram">) {
  affine.for %i = 0 to 131 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<131x64xf32, "dram">
      %y = math.exp %x : f32
      affine.store %y, %o[%j, %i] : memref<64x131xf32, "dram">
    }
  }
  return
}

// -----

// A copy takes as many loops as a DMA has dimensions, and no partition axis.
// CHECK-LABEL: func.func @copy
// CHECK: affine.for {{.*}} = 0 to 8 {
// CHECK-NEXT: affine.for {{.*}} = 0 to 6 {
// CHECK-NOT: partition
// CHECK: } {penguin.axis = "free"}
// CHECK-NEXT: } {penguin.axis = "free"}
func.func @copy(%a: memref<6x8xf32, "dram">, %o: memref<8x6xf32, "dram">) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%j, %i] : memref<6x8xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<8x6xf32, "dram">
    }
  }
  return
}

// -----

// K on the partitions of both operands, M of the output on its partitions, N free.
// CHECK-LABEL: func.func @contraction
// CHECK: affine.for %[[M1:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[M0:.*]] = 0 to 128 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 32 {
// CHECK: affine.for %[[K1:.*]] = 0 to 3 iter_args
// CHECK-NEXT: affine.for %[[K0:.*]] = 0 to 100 iter_args
// CHECK: } {penguin.axis = "contract"}
// CHECK: } {penguin.axis = "free"}
// CHECK-NEXT: } {penguin.axis = "partition"}
func.func @contraction(%a: memref<256x300xf32, "dram">, %b: memref<300x32xf32, "dram">, %o: memref<256x32xf32, "dram">) {
  %zero = arith.constant 0.0 : f32
  affine.for %m = 0 to 256 {
    affine.for %n = 0 to 32 {
      %r = affine.for %k = 0 to 300 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%m, %k] : memref<256x300xf32, "dram">
        %y = affine.load %b[%k, %n] : memref<300x32xf32, "dram">
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc, %p : f32
        affine.yield %s : f32
      }
      affine.store %r, %o[%m, %n] : memref<256x32xf32, "dram">
    }
  }
  return
}

// -----

// Too few rows to keep the lanes busy: the sum itself goes over the partitions.
// CHECK-LABEL: func.func @across
// CHECK: affine.for {{.*}} = 0 to 125 iter_args
// CHECK-NEXT: affine.for {{.*}} = 0 to 40 iter_args
// CHECK: } {penguin.axis = "free"}
// CHECK: } {penguin.axis = "contract"}
func.func @across(%a: memref<5000xf32, "dram">, %o: memref<f32, "dram">) {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %k = 0 to 5000 iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%k] : memref<5000xf32, "dram">
    %s = arith.addf %acc, %x : f32
    affine.yield %s : f32
  }
  affine.store %r, %o[] : memref<f32, "dram">
  return
}

// -----

// The row index is divided by 5: the loop over 10 becomes 2 x 5, the 5 rows then walk with %j.
// CHECK-LABEL: func.func @l2_division
// CHECK: affine.for %[[A:.*]] = 0 to 20 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 2 {
// CHECK-NEXT: affine.load %{{.*}}[%[[A]] floordiv 4, %[[A]] mod 4, %[[B]]]
// CHECK: affine.store %{{.*}}, %{{.*}}[%[[B]] * 5 + %[[A]] floordiv 4, %[[A]] mod 4]
func.func @l2_division(%a: memref<5x4x2xf32, "dram">, %o: memref<10x4xf32, "dram">) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i mod 5, %j, %i floordiv 5] : memref<5x4x2xf32, "dram">
      %y = arith.negf %x : f32
      affine.store %y, %o[%i, %j] : memref<10x4xf32, "dram">
    }
  }
  return
}

// -----

// Rows that data names: their numbers go to the lanes, the rows are free. (There are more columns.)
// CHECK-LABEL: func.func @gather_rows
// CHECK: affine.for %[[P:.*]] = 0 to 100 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[F:.*]] = 0 to 500 {
// CHECK-NEXT: %[[K:.*]] = affine.load %arg1[%[[P]] * 2 + %[[N]]]
// CHECK-NEXT: %[[J:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK-NEXT: %[[C:.*]] = affine.apply #{{.*}}(%[[F]])
// CHECK-NEXT: memref.load %arg0[%[[J]], %[[C]]]
// CHECK: } {penguin.axis = "free"}
// CHECK-NEXT: } {penguin.axis = "free"}
// CHECK-NEXT: } {penguin.axis = "partition"}
func.func @gather_rows(%a: memref<40x500xf32, "dram">, %n: memref<200xi32, "dram">, %o: memref<200x500xf32, "dram">) {
  affine.for %i = 0 to 200 {
    affine.for %c = 0 to 500 {
      %k = affine.load %n[%i] : memref<200xi32, "dram">
      %j = arith.index_cast %k : i32 to index
      %x = memref.load %a[%j, %c] : memref<40x500xf32, "dram">
      affine.store %x, %o[%i, %c] : memref<200x500xf32, "dram">
    }
  }
  return
}

// -----

// Few rows leave the lanes to the columns. A sum of an index and a loop; a generic access that is
// affine after all.
// CHECK-LABEL: func.func @gather_few
// CHECK: affine.for %[[P:.*]] = 0 to 125 {
// CHECK: %[[C:.*]] = affine.apply #{{.*}}(%[[P]], %{{.*}})
// CHECK: arith.addi
// CHECK: memref.load
// CHECK: affine.load %arg3
// CHECK: } {penguin.axis = "partition"}
func.func @gather_few(%a: memref<600xf32, "dram">, %n: memref<2xi32, "dram">, %o: memref<2x500xf32, "dram">, %b: memref<500xf32, "dram">) {
  affine.for %i = 0 to 2 {
    affine.for %c = 0 to 500 {
      %k = affine.load %n[%i] : memref<2xi32, "dram">
      %j = arith.index_cast %k : i32 to index
      %l = arith.addi %j, %c : index
      %x = memref.load %a[%l] : memref<600xf32, "dram">
      %y = memref.load %b[%c] : memref<500xf32, "dram">
      %z = arith.addf %x, %y : f32
      affine.store %z, %o[%i, %c] : memref<2x500xf32, "dram">
    }
  }
  return
}
