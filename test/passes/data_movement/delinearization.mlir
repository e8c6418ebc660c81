// RUN: penguin-opt --split-input-file --delinearization --verify-semantics %s | filecheck %s

// CHECK-LABEL: func.func @flat
// CHECK: %[[T:[a-z0-9_]+]] = memref.alloc() : memref<12x64xf32, "dram">
// CHECK: affine.store %{{.*}}, %[[T]][%{{.*}}, %{{.*}}]
// CHECK: affine.load %[[T]][%{{.*}}, -%{{.*}} + 63]
// CHECK: affine.load %[[T]][%{{.*}}, 3]
func.func @flat(%a: memref<12x64xf32, "dram"> {penguin.io = "input"},
                %x: memref<12x64xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<768xf32, "dram">
  affine.for %h = 0 to 12 {
    affine.for %d = 0 to 64 {
      %v = affine.load %a[%h, %d] : memref<12x64xf32, "dram">
      affine.store %v, %t[%h * 64 + %d] : memref<768xf32, "dram">
    }
  }
  affine.for %h = 0 to 12 {
    affine.for %d = 0 to 64 {
      %v = affine.load %t[%h * 64 + 63 - %d] : memref<768xf32, "dram">
      %w = affine.load %t[%h * 64 + 3] : memref<768xf32, "dram">
      %s = arith.addf %v, %w : f32
      affine.store %s, %x[%h, %d] : memref<12x64xf32, "dram">
    }
  }
  return
}

// -----

// Three dimensions in one.
// CHECK-LABEL: func.func @twice
// CHECK: memref.alloc() : memref<1x2x3x4xf32, "dram">
// CHECK: affine.store %{{.*}}, %{{.*}}[0, %{{.*}}, %{{.*}}, %{{.*}}] : memref<1x2x3x4xf32, "dram">
func.func @twice(%a: memref<2x3x4xf32, "dram"> {penguin.io = "input"},
                 %x: memref<2x3x4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<1x24xf32, "dram">
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %v = affine.load %a[%i, %j, %k] : memref<2x3x4xf32, "dram">
        affine.store %v, %t[0, %i * 12 + %j * 4 + %k] : memref<1x24xf32, "dram">
      }
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %v = affine.load %t[0, %i * 12 + %j * 4 + %k] : memref<1x24xf32, "dram">
        affine.store %v, %x[%i, %j, %k] : memref<2x3x4xf32, "dram">
      }
    }
  }
  return
}
