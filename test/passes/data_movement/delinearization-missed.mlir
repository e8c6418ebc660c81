// RUN: penguin-opt --delinearization --remark-format=emitRemark --remarks-filter-missed=. %s 2>&1 >%t | filecheck %s

// GENERIC
// CHECK: [Missed] Generic | {{.*}}Function=generic | Reason="there exists a generic access on `tensor` on the dimension undergoing a reshape"
func.func @generic(%a: memref<12x64xf32, "dram"> {penguin.io = "input"},
                   %n: memref<1xi32, "dram"> {penguin.io = "input"},
                   %x: memref<1xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<768xf32, "dram">
  affine.for %h = 0 to 12 {
    affine.for %d = 0 to 64 {
      %v = affine.load %a[%h, %d] : memref<12x64xf32, "dram">
      affine.store %v, %t[%h * 64 + %d] : memref<768xf32, "dram">
    }
  }
  %k = affine.load %n[0] : memref<1xi32, "dram">
  %i = arith.index_cast %k : i32 to index
  %v = memref.load %t[%i] : memref<768xf32, "dram">
  affine.store %v, %x[0] : memref<1xf32, "dram">
  return
}

// TENSOR_OP
// CHECK: [Missed] TensorOp | {{.*}}Function=tensor_op | Reason="there exists a tensor op / opaque op usage of `tensor`"
func.func @tensor_op(%a: memref<12x64xf32, "dram"> {penguin.io = "input"},
                     %x: memref<768xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<768xf32, "dram">
  affine.for %h = 0 to 12 {
    affine.for %d = 0 to 64 {
      %v = affine.load %a[%h, %d] : memref<12x64xf32, "dram">
      affine.store %v, %t[%h * 64 + %d] : memref<768xf32, "dram">
    }
  }
  "penguin.unary"(%t, %x) {function = "tanh"} : (memref<768xf32, "dram">, memref<768xf32, "dram">) -> ()
  return
}

// NO_AFFINE
// CHECK: [Missed] NoAffine | {{.*}}Function=no_affine | Reason="the tensor does not have any affine accesses"
func.func @no_affine(%x: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<768xf32, "dram">
  "penguin.memset"(%x) {value = 0.0 : f32} : (memref<4xf32, "dram">) -> ()
  return
}

// NOT_FULLY_ACCESSED
// CHECK: [Missed] NotFullyAccessed | {{.*}}Function=not_fully | Reason="affine accesses on delinearized dims are not fully accessed"
func.func @not_fully(%a: memref<12x64xf32, "dram"> {penguin.io = "input"},
                     %x: memref<11x64xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  %t = memref.alloc() : memref<768xf32, "dram">
  affine.for %h = 0 to 12 {
    affine.for %d = 0 to 64 {
      %v = affine.load %a[%h, %d] : memref<12x64xf32, "dram">
      affine.store %v, %t[%h * 64 + %d] : memref<768xf32, "dram">
    }
  }
  affine.for %h = 0 to 11 {
    affine.for %d = 0 to 64 {
      %v = affine.load %t[%h * 64 + %d + 5] : memref<768xf32, "dram">
      affine.store %v, %x[%h, %d] : memref<11x64xf32, "dram">
    }
  }
  return
}
