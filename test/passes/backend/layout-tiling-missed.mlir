// RUN: penguin-opt --layout-tiling %s | filecheck %s
// RUN: penguin-opt --layout-tiling --remarks-filter=layout-tiling %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// NOT_AFFINE
// REMARK: [Missed] NotAffine {{.*}} Function=l1_not_affine {{.*}}Reason="bounds or indices are not affine in the nest's loops"
// CHECK-LABEL: func.func @l1_not_affine
// CHECK: } {penguin.axis = "sequential"}
func.func @l1_not_affine(%a: memref<8xf32, "dram">, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<8xf32, "dram">
    affine.store %x, %a[%i] : memref<8xf32, "dram">
  }
  return
}

// DIVISION: two loops meet in the division, and enumerating one of them would take 600 parts.
// REMARK: [Missed] Division {{.*}} Function=l2_division {{.*}}Reason="a division in an access cannot be removed by splitting loops"
// CHECK-LABEL: func.func @l2_division
// CHECK: } {penguin.axis = "sequential"}
func.func @l2_division(%a: memref<2xf32, "dram">, %o: memref<600x601xf32, "dram">) {
  affine.for %i = 0 to 600 {
    affine.for %j = 0 to 601 {
      %x = affine.load %a[(%i + %j) floordiv 1000] : memref<2xf32, "dram">
      %y = arith.negf %x : f32
      affine.store %y, %o[%i, %j] : memref<600x601xf32, "dram">
    }
  }
  return
}

// DEPENDENCE: each iteration reads what the one before wrote.
// REMARK: [Missed] Dependence {{.*}} Function=l3_recurrence {{.*}}Reason="iterations may depend on each other through memory"
// CHECK-LABEL: func.func @l3_recurrence
// CHECK: } {penguin.axis = "sequential"}
func.func @l3_recurrence(%a: memref<9xf32, "dram">) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xf32, "dram">
    %y = arith.negf %x : f32
    affine.store %y, %a[%i + 1] : memref<9xf32, "dram">
  }
  return
}

// All iterations write one element: the last one wins.
// REMARK: [Missed] Dependence {{.*}} Function=l3_same_element
// CHECK-LABEL: func.func @l3_same_element
// CHECK: } {penguin.axis = "sequential"}
func.func @l3_same_element(%a: memref<9xf32, "dram">, %o: memref<f32, "dram">) {
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xf32, "dram">
    %y = arith.negf %x : f32
    affine.store %y, %o[] : memref<f32, "dram">
  }
  return
}

// COMBINE: a product of integers wraps around, which no fold of the hardware does. The lanes stay.
// REMARK: [Missed] Combine {{.*}} Function=l4_combine {{.*}}Reason="an accumulator is combined in a way that the hardware does not fold"
// CHECK-LABEL: func.func @l4_combine
// CHECK: affine.for {{.*}} iter_args
// CHECK-NOT: penguin.axis
// CHECK: affine.store
// CHECK: } {penguin.axis = "partition"}
func.func @l4_combine(%a: memref<128x6xi32, "dram">, %o: memref<128xi32, "dram">) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 128 {
    %r = affine.for %k = 0 to 6 iter_args(%acc = %one) -> i32 {
      %x = affine.load %a[%i, %k] : memref<128x6xi32, "dram">
      %p = arith.muli %acc, %x : i32
      affine.yield %p : i32
    }
    affine.store %r, %o[%i] : memref<128xi32, "dram">
  }
  return
}

// DEPENDENCE: where a generic access reads, data decides, so it may read what another iteration wrote.
// REMARK: [Missed] Dependence {{.*}} Function=l3_generic_access
// CHECK-LABEL: func.func @l3_generic_access
// CHECK: } {penguin.axis = "sequential"}
func.func @l3_generic_access(%a: memref<9xf32, "dram">, %n: memref<9xi32, "dram">) {
  affine.for %i = 0 to 9 {
    %k = affine.load %n[%i] : memref<9xi32, "dram">
    %j = arith.index_cast %k : i32 to index
    %x = memref.load %a[%j] : memref<9xf32, "dram">
    affine.store %x, %a[%i] : memref<9xf32, "dram">
  }
  return
}
