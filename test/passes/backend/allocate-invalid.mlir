// RUN: penguin-opt --allocate --verify-diagnostics %s

func.func @l1_full(%x: memref<1x50000xf32, "dram">) {
  %a = memref.alloc() : memref<1x50000xf32, "sbuf">
  // expected-error@+1 {{SBUF is full: 400000 bytes per partition are live here, target trn2 has 212984}}
  %b = memref.alloc() : memref<1x50000xf32, "sbuf">
  "bir.Load"(%x, %a) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>], engine = "DMA"} : (memref<1x50000xf32, "dram">, memref<1x50000xf32, "sbuf">) -> ()
  "bir.Load"(%x, %b) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>], engine = "DMA"} : (memref<1x50000xf32, "dram">, memref<1x50000xf32, "sbuf">) -> ()
  "bir.TensorTensor"(%a, %b, %a) {access = [#bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>, #bir.ap<"float32", affine_map<() -> (0)>, [[50000, 1], [1, 50000]]>], engine = "DVE", op = "add"} : (memref<1x50000xf32, "sbuf">, memref<1x50000xf32, "sbuf">, memref<1x50000xf32, "sbuf">) -> ()
  return
}
