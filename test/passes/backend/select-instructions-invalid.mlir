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

// -----

func.func @l1_scatter(%a: memref<8xf32, "dram">, %n: memref<8xi32, "dram">, %b: memref<8xf32, "dram">) {
  affine.for %i = 0 to 8 {
    %k = affine.load %n[%i] : memref<8xi32, "dram">
    %j = arith.index_cast %k : i32 to index
    %x = affine.load %a[%i] : memref<8xf32, "dram">
    // expected-error@+1 {{cannot select instructions: a store has an index that the nest computes}}
    memref.store %x, %b[%j] : memref<8xf32, "dram">
  }
  return
}

// -----

func.func @l2_index_range(%a: memref<3000000000xi8, "dram">, %n: memref<8xi32, "dram">, %b: memref<8xi8, "dram">) {
  affine.for %i = 0 to 8 {
    %k = affine.load %n[%i] : memref<8xi32, "dram">
    %j = arith.index_cast %k : i32 to index
    // expected-error@+1 {{cannot select instructions: a computed index goes beyond 2^31}}
    %x = memref.load %a[%j] : memref<3000000000xi8, "dram">
    affine.store %x, %b[%i] : memref<8xi8, "dram">
  }
  return
}
