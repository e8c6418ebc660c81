// RUN: penguin-opt --pad-elimination --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | FileCheck %s
// RUN: FileCheck --check-prefix=IR %s <%t

// READ
// CHECK: [Missed] Read | Category:data-movement:pad-elimination | Function=read | Reason="the padding is read", Bytes=40, Op="affine.for", To="t0"
// IR-LABEL: @read
// IR-COUNT-3: affine.for
func.func private @read(%x: memref<8xf32, "dram">, %o: memref<9xf32, "dram">) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() {penguin.name = "t0"} : memref<10xf32, "dram">
  affine.for %i = 0 to 10 {
    affine.store %zero, %p[%i] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32, "dram">
    affine.store %v, %p[%i + 1] : memref<10xf32, "dram">
  }
  affine.for %i = 0 to 9 {
    %v = affine.load %p[%i + 1] : memref<10xf32, "dram">
    affine.store %v, %o[%i] : memref<9xf32, "dram">
  }
  return
}

// GENERIC
// CHECK: [Missed] Generic | {{.*}} Function=generic | Reason="used by a generic access or an opaque op"
// IR-LABEL: @generic
func.func private @generic(%x: memref<2xf32, "dram">, %o: memref<f32, "dram">, %at: index) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
  affine.for %i = 0 to 4 {
    affine.store %zero, %p[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 2 {
    %v = affine.load %x[%i] : memref<2xf32, "dram">
    affine.store %v, %p[%i + 1] : memref<4xf32, "dram">
  }
  %v = memref.load %p[%at] : memref<4xf32, "dram">
  affine.store %v, %o[] : memref<f32, "dram">
  return
}

// ADDRESS
// CHECK: [Missed] Address | {{.*}} Function=address | Reason="an address is not affine"
// IR-LABEL: @address
func.func private @address(%x: memref<2xf32, "dram">, %o: memref<3xf32, "dram">, %n: index) {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() {penguin.name = "t0"} : memref<4xf32, "dram">
  affine.for %i = 0 to 4 {
    affine.store %zero, %p[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 2 {
    %v = affine.load %x[%i] : memref<2xf32, "dram">
    affine.store %v, %p[%i + 1] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to %n {
    %v = affine.load %p[%i] : memref<4xf32, "dram">
    affine.store %v, %o[%i] : memref<3xf32, "dram">
  }
  return
}

func.func @main() {
  return
}
