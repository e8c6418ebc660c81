// One model in every form, and from a form on to the next.
// RUN: penguin-compile %s --emit=stablehlo | filecheck %s --check-prefix=HLO
// RUN: penguin-compile %s --emit=penguin | filecheck %s --check-prefix=PENGUIN
// RUN: penguin-compile %s --emit=loops | filecheck %s --check-prefix=LOOPS
// RUN: penguin-compile %s --emit=tiled | filecheck %s --check-prefix=TILED
// RUN: penguin-compile %s --compile-to=bir-mlir | filecheck %s --check-prefix=MLIR
// RUN: penguin-compile %s | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --target=trn1 | filecheck %s --check-prefix=TRN1
// RUN: penguin-compile %s --emit=penguin,bir | filecheck %s --check-prefix=TWO
// RUN: penguin-compile %s --emit=loops --mlir-print-debuginfo | filecheck %s --check-prefix=PLACES

// RUN: penguin-compile - < %s | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --emit=stablehlo | penguin-compile - | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --emit=penguin | penguin-compile - | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --emit=loops | penguin-compile - | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --emit=tiled | penguin-compile - | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --emit=bir-mlir | penguin-compile - | filecheck %s --check-prefix=BIR
// RUN: penguin-compile %s --target=trn3 | penguin-compile - | filecheck %s --check-prefix=TRN3

// All forms at once; BIR text and JSON are the same program.
// RUN: rm -rf %t && penguin-compile %s --emit=all -o %t
// RUN: ls %t | filecheck %s --check-prefix=FILES
// RUN: penguin-compile %t/program.bir --emit=bir-json | diff - %t/program.json
// RUN: penguin-compile %t/program.json --emit=bir | diff - %t/program.bir
// RUN: penguin-compile %t/bir.mlir | filecheck %s --check-prefix=BIR

// A dump shows how far a model came that does not reach the end.
// RUN: rm -rf %t && penguin-compile %s --emit=loops --dump-compilation-phases-to=%t -o %t.loops
// RUN: diff %t/loops.mlir %t.loops
// RUN: ls %t | filecheck %s --check-prefix=DUMPED

// HLO: func.func public @main(%[[X:.*]]: tensor<4x8xf32>) -> tensor<8x4xf32>
// HLO-NOT: call
// HLO: %[[Y:.*]] = stablehlo.add %[[X]], %[[X]]
// HLO: stablehlo.transpose %[[Y]]

// PENGUIN: "penguin.binary"
// PENGUIN: "penguin.transpose"
// PENGUIN-NOT: stablehlo

// LOOPS: affine.for
// LOOPS: arith.addf
// LOOPS-NOT: penguin.transpose
// LOOPS-NOT: penguin.axis
// TILED: penguin.axis = "partition"

// MLIR: bir.target = "trn2"
// MLIR: "bir.TensorTensor"

// BIR: module trn2
// BIR: func main {
// BIR-NEXT: input dram float32 arg0[4,8]
// BIR-NEXT: output dram float32 out0[8,4]
// BIR: DMA.Load float32 {{.*}} = float32 arg0
// BIR: TensorTensor
// BIR: float32 out0
// TRN1: module trn1
// TRN3: module trn3

// TWO: // -----// penguin //----- //
// TWO: "penguin.binary"
// TWO: // -----// bir //----- //
// TWO: module trn2

// PLACES: loc("{{.*}}penguin-compile.mlir":{{[0-9]+}}:{{[0-9]+}})
// PLACES: arith.addf {{.*}} loc(#{{.*}})

// FILES: bir.mlir
// FILES-NEXT: loops.mlir
// FILES-NEXT: penguin.mlir
// FILES-NEXT: program.bir
// FILES-NEXT: program.json
// FILES-NEXT: stablehlo.mlir
// FILES-NEXT: tiled.mlir

// DUMPED: loops.mlir
// DUMPED-NEXT: penguin.mlir
// DUMPED-NEXT: stablehlo.mlir
// DUMPED-NOT: {{.}}

func.func public @main(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %y = call @twice(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %z : tensor<8x4xf32>
}
func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = stablehlo.add %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
