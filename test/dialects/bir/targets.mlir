// RUN: penguin-opt --split-input-file --verify-diagnostics %s
// The module's target decides what is legal; trn2 if it has none.

module attributes {bir.target = "trn3"} {
  func.func @wide_moving(%a: memref<128x4096xf32, "sbuf">, %b: memref<128x128xf32, "sbuf">, %p: memref<128x4096xf32, "psum">) {
    "bir.Matmult"(%a, %b, %p) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[4096, 128], [1, 4096]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[128, 128], [1, 128]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[4096, 128], [1, 4096]]>], engine = "PE"} : (memref<128x4096xf32, "sbuf">, memref<128x128xf32, "sbuf">, memref<128x4096xf32, "psum">) -> ()
    return
  }
}

// -----

func.func @wide_moving(%a: memref<128x4096xf32, "sbuf">, %b: memref<128x128xf32, "sbuf">, %p: memref<128x4096xf32, "psum">) {
  // expected-error@+1 {{'bir.Matmult' op has N 4096, expected at most 512 (trn2) (C20)}}
  "bir.Matmult"(%a, %b, %p) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[4096, 128], [1, 4096]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[128, 128], [1, 128]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[4096, 128], [1, 4096]]>], engine = "PE"} : (memref<128x4096xf32, "sbuf">, memref<128x128xf32, "sbuf">, memref<128x4096xf32, "psum">) -> ()
  return
}

// -----

module attributes {bir.target = "trn1"} {
  func.func @abs(%a: memref<128x8xf32, "sbuf">) {
    // expected-error@+1 {{'bir.TensorScalar' op TensorScalar abs runs on DVE, expected another target (trn1) (C4)}}
    "bir.TensorScalar"(%a, %a) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[8, 128], [1, 8]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[8, 128], [1, 8]]>], engine = "DVE", op0 = "abs"} : (memref<128x8xf32, "sbuf">, memref<128x8xf32, "sbuf">) -> ()
    return
  }
}
