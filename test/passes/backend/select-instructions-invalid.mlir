// RUN: penguin-opt --layout-tiling --select-instructions --split-input-file --verify-diagnostics %s

func.func @l1_bounds(%a: memref<8xf32, "dram">, %n: index) {
  // expected-error@+1 {{cannot select instructions: the loop's bounds are not constant}}
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<8xf32, "dram">
    affine.store %x, %a[%i] : memref<8xf32, "dram">
  }
  return
}

// -----

func.func @l2_no_sequence(%a: memref<8xf32, "dram">) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32, "dram">
    // expected-error@+1 {{cannot select instructions: 'math.acosh' has no instruction sequence}}
    %y = math.acosh %x : f32
    affine.store %y, %a[%i] : memref<8xf32, "dram">
  }
  return
}

// -----

func.func @l2_dtype(%a: memref<8xf64, "dram">) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot select instructions: no instruction handles elements of type f64}}
    %x = affine.load %a[%i] : memref<8xf64, "dram">
    %y = arith.negf %x : f64
    affine.store %y, %a[%i] : memref<8xf64, "dram">
  }
  return
}

// -----

func.func @l1_condition(%a: memref<8xf32, "dram">) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot select instructions: 'affine.if' is neither an affine.for nor a scalar op}}
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
      %x = affine.load %a[%i] : memref<8xf32, "dram">
      affine.store %x, %a[%i] : memref<8xf32, "dram">
    }
  }
  return
}

// -----

func.func @l1_triangle(%a: memref<8x8xf32, "dram">) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot select instructions: the loop's bounds are not constant}}
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<8x8xf32, "dram">
      affine.store %x, %a[%i, %j] : memref<8x8xf32, "dram">
    }
  }
  return
}
