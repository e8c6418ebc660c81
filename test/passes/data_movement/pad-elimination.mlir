// RUN: penguin-opt --pad-elimination --split-input-file --verify-semantics %s | FileCheck %s

// The consumer reads the inside only.

// CHECK-LABEL: @l1_never_read
// CHECK-NOT: affine.store %cst
// CHECK: affine.for %{{.*}} = 0 to 8
// CHECK: affine.for %{{.*}} = 0 to 8
func.func @l1_never_read(%x: memref<8xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %o: memref<8xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() {penguin.name = "t0"} : memref<10xf32, "dram">
  affine.for %i = 0 to 10 {
    affine.store %zero, %p[%i] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %p[%i + 1] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %p[%i + 1] : memref<10xf32, "dram">
    affine.store %v, %o[%i] : memref<8xf32, "dram">
  }
  return
}

// -----

// A memset has written the value; the nest writes it again.

// CHECK-LABEL: @l2_there_already
// CHECK: penguin.memset
// CHECK: penguin.memset
// CHECK-NOT: affine.for
// CHECK: return
func.func @l2_there_already(%o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %s = memref.alloc() {penguin.name = "t0"} : memref<f32, "dram">
  "penguin.memset"(%s) {value = 2.0 : f32} : (memref<f32, "dram">) -> ()
  "penguin.memset"(%o) {value = 2.0 : f32} : (memref<6xf32, "dram">) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %s[] : memref<f32, "dram">
    affine.store %v, %o[%i + 1] : memref<6xf32, "dram">
  }
  return
}

// -----

// The inside of a padded tensor of padding is padding.

// CHECK-LABEL: @l2_padding_inside_of_padding
// CHECK: affine.for %{{.*}} = 0 to 6
// CHECK-NOT: affine.for
func.func @l2_padding_inside_of_padding(%o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %one, %o[%i] : memref<6xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    affine.store %one, %o[%i + 1] : memref<6xf32, "dram">
  }
  return
}

// -----

// Another value: it is no padding that is there already.

// CHECK-LABEL: @l2_another_value
// CHECK-COUNT-2: affine.for
func.func @l2_another_value(%o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %one, %o[%i] : memref<6xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    affine.store %two, %o[%i + 1] : memref<6xf32, "dram">
  }
  return
}

// -----

// Overwritten in between: the second nest brings the value back.

// CHECK-LABEL: @l2_overwritten_since
// CHECK-COUNT-3: affine.for
func.func @l2_overwritten_since(%x: memref<6xf32, "dram"> {penguin.io = "input", penguin.name = "arg0"}, %o: memref<6xf32, "dram"> {penguin.io = "output", penguin.name = "out0"}) attributes {penguin.kernel} {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 6 {
    affine.store %one, %o[%i] : memref<6xf32, "dram">
  }
  affine.for %i = 0 to 3 {
    %v = affine.load %x[%i] : memref<6xf32, "dram">
    affine.store %v, %o[%i * 2] : memref<6xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    affine.store %one, %o[%i + 1] : memref<6xf32, "dram">
  }
  return
}
