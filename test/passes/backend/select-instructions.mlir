// RUN: penguin-opt --layout-tiling --select-instructions --split-input-file %s | filecheck %s

// Load, compute, save; a value that does not follow a free axis is one column.
// CHECK-LABEL: func.func @scale_rows
// CHECK: "bir.Load"{{.*}}64, 100], [1, 64]
// CHECK: "bir.Load"{{.*}}memref<100x1xf32, "sbuf">
// CHECK: "bir.TensorScalarPtr"{{.*}}op0 = "mult"
// CHECK: "bir.Save"
func.func @scale_rows(%a: memref<100x64xf32, "dram">, %r: memref<100xf32, "dram">, %o: memref<100x64xf32, "dram">) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<100x64xf32, "dram">
      %s = affine.load %r[%i] : memref<100xf32, "dram">
      %y = arith.mulf %x, %s : f32
      affine.store %y, %o[%i, %j] : memref<100x64xf32, "dram">
    }
  }
  return
}

// -----

// A nest that only moves data is one DMA from DRAM to DRAM.
// CHECK-LABEL: func.func @transpose
// CHECK-NEXT: "bir.DMACopy"{{.*}}1, 8], [8, 6]{{.*}}[0, 1], [1, 48]
// CHECK-NEXT: return
func.func @transpose(%a: memref<6x8xf32, "dram">, %o: memref<8x6xf32, "dram">) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%j, %i] : memref<6x8xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<8x6xf32, "dram">
    }
  }
  return
}

// -----

// Accumulation in PSUM over the rolled K loop, stationary [K, M], moving [K, N].
// CHECK-LABEL: func.func @matmul
// CHECK: memref.alloc(){{.*}}memref<64x32xf32, "psum">
// CHECK: "bir.loop"() ({
// CHECK: "bir.Matmult"{{.*}}accumulation_flag = [0]
// CHECK: }) {lower = 0 : i64, step = 1 : i64, upper = 2 : i64}
// CHECK: "bir.TensorCopy"{{.*}}"psum"
// CHECK: "bir.Save"
func.func @matmul(%a: memref<64x256xf32, "dram">, %b: memref<256x32xf32, "dram">, %o: memref<64x32xf32, "dram">) {
  %zero = arith.constant 0.0 : f32
  affine.for %m = 0 to 64 {
    affine.for %n = 0 to 32 {
      %r = affine.for %k = 0 to 256 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%m, %k] : memref<64x256xf32, "dram">
        %y = affine.load %b[%k, %n] : memref<256x32xf32, "dram">
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc, %p : f32
        affine.yield %s : f32
      }
      affine.store %r, %o[%m, %n] : memref<64x32xf32, "dram">
    }
  }
  return
}

// -----

// 32-bit integers wrap around, the integer ALU saturates: sums go by halves on Pool.
// CHECK-LABEL: func.func @wrap
// CHECK: op0 = "bitwise_and"
// CHECK: op0 = "logical_shift_right"
// CHECK: "bir.TensorTensor"{{.*}}engine = "Pool"{{.*}}op = "add"
// CHECK: op = "bitwise_or"
func.func @wrap(%a: memref<64xi32, "dram">, %o: memref<64xi32, "dram">) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xi32, "dram">
    %y = arith.addi %x, %x : i32
    affine.store %y, %o[%i] : memref<64xi32, "dram">
  }
  return
}

// -----

// Rows that data names: one DMA moves one to each partition.
// CHECK-LABEL: func.func @gather_rows
// CHECK: %[[K:.*]] = memref.alloc(){{.*}}memref<100x1xi32, "sbuf">
// CHECK-NEXT: "bir.Load"(%arg1, %[[K]])
// CHECK-NEXT: %[[X:.*]] = memref.alloc(){{.*}}memref<100x50xf32, "sbuf">
// CHECK-NEXT: "bir.GenericIndirectLoad"(%arg0, %[[K]], %[[X]]) {{.*}}50, 100], [1, 50]{{.*}}"uint32"{{.*}}dge_type = "SWDGE", engine = "Pool", indirect_dims = ["W"]
// CHECK-NEXT: "bir.Save"(%[[X]], %arg2)
func.func @gather_rows(%a: memref<40x50xf32, "dram">, %n: memref<100xi32, "dram">, %o: memref<100x50xf32, "dram">) {
  affine.for %i = 0 to 100 {
    affine.for %c = 0 to 50 {
      %k = affine.load %n[%i] : memref<100xi32, "dram">
      %j = arith.index_cast %k : i32 to index
      %x = memref.load %a[%j, %c] : memref<40x50xf32, "dram">
      affine.store %x, %o[%i, %c] : memref<100x50xf32, "dram">
    }
  }
  return
}

// -----

// Two computed indices and the lane's own make one: in steps of their common divisor. What differs
// along a free axis is gathered in a loop.
// CHECK-LABEL: func.func @gather_elements
// CHECK: "bir.TensorScalar"{{.*}}const0 = 5 : i64{{.*}}op0 = "mult"
// CHECK: "bir.TensorTensor"{{.*}}op = "add"
// CHECK: "bir.Iota"{{.*}}channel_multiplier = 20
// CHECK: "bir.loop"() ({
// CHECK: "bir.GenericIndirectLoad"{{.*}}4, 100], [1, 1]
// CHECK: }) {lower = 0 : i64, step = 1 : i64, upper = 3 : i64}
func.func @gather_elements(%a: memref<100x4x5x4xf32, "dram">, %n: memref<100x3x2xi32, "dram">, %o: memref<100x3xf32, "dram">) {
  affine.for %i = 0 to 100 {
    affine.for %c = 0 to 3 {
      %k = affine.load %n[%i, %c, 0] : memref<100x3x2xi32, "dram">
      %l = affine.load %n[%i, %c, 1] : memref<100x3x2xi32, "dram">
      %j = arith.index_cast %k : i32 to index
      %m = arith.index_cast %l : i32 to index
      %z = arith.constant 1 : index
      %x = memref.load %a[%i, %j, %m, %z] : memref<100x4x5x4xf32, "dram">
      affine.store %x, %o[%i, %c] : memref<100x3xf32, "dram">
    }
  }
  return
}
