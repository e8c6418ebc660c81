// What is printed beside the result: on stderr, or to a file.
// RUN: penguin-compile %s --report -o %t.bir 2>&1 | filecheck %s --check-prefix=REPORT
// RUN: penguin-compile %s --report 2>/dev/null | diff - %t.bir
// RUN: penguin-compile %s --emit=loops --report -o /dev/null 2>&1 | filecheck %s --check-prefix=LOOPS
// RUN: penguin-compile %s --report-file=%t.json -o /dev/null
// RUN: %python -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d["cost"]["flops"], d["stayed"])' %t.json | filecheck %s --check-prefix=JSON
// RUN: penguin-compile %s --report-file=%t.txt -o /dev/null && filecheck %s --check-prefix=REPORT < %t.txt
// RUN: penguin-compile %s --report=copies -o %t.2.bir 2>&1 | filecheck %s --check-prefix=COPIES
// RUN: penguin-compile %s --report=copies --report-file=%t.2.txt -o %t.2.bir 2>&1 | diff - %t.2.txt
// RUN: diff %t.bir %t.2.bir
// RUN: penguin-compile %s --report=copies --report-file=%t.2.json -o /dev/null 2>/dev/null
// RUN: %python -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d["total"], sorted(d))' %t.2.json | filecheck %s --check-prefix=COPIES-JSON
// RUN: penguin-compile %s --report=copies --emit=stablehlo -o /dev/null 2>&1 | filecheck %s --check-prefix=ABOVE
// RUN: not penguin-compile %s --report=copys 2>&1 | filecheck %s --check-prefix=KIND

// RUN: penguin-compile %s --compare -o /dev/null 2>&1 | filecheck %s --check-prefix=JAX
// RUN: penguin-compile %s --compare=reference --seed=7 -o /dev/null 2>&1 | filecheck %s --check-prefix=REFERENCE
// RUN: penguin-compile %s --emit=tiled --compare=reference -o /dev/null 2>&1 | filecheck %s --check-prefix=REFERENCE
// RUN: penguin-compile %s --mlir-timing -o /dev/null 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: penguin-compile %s --verbose -o /dev/null 2>&1 | filecheck %s --check-prefix=VERBOSE
// RUN: penguin-compile %s --verify-semantics=3 -o /dev/null 2>&1 | filecheck %s --check-prefix=QUIET --allow-empty
// RUN: penguin-compile --list-ops | filecheck %s --check-prefix=OPS
// RUN: penguin-compile --help | filecheck %s --check-prefix=HELP
// RUN: penguin-compile --explain=pgr208 | filecheck %s --check-prefix=PAGE
// RUN: penguin-compile --version | filecheck %s --check-prefix=VERSION

// An output that is an input stays a copy of 128 bytes, and one addition of 32 elements is made.
// REPORT: penguin-compile-report.mlir: compiled to bir in {{[0-9.]+}} s
// REPORT: hlo-to-penguin
// REPORT: Copies, casts and other data movement that stayed
// REPORT: penguin.memcpy 1 128
// REPORT: Instructions
// REPORT: TensorTensor
// REPORT: Estimate by engine
// REPORT: FLOPs 32
// REPORT: Memory
// REPORT: sbuf
// LOOPS: penguin.memcpy 1 128
// LOOPS-NOT: Instructions
// JSON: 32 [{{.*}}{'op': 'penguin.memcpy', 'count': 1, 'bytes': 128}{{.*}}]
// COPIES: penguin-compile-report.mlir: compiled to bir, 1 op, 128 bytes of data movement left
// COPIES-NEXT: Copies that stayed: 1 op, 128 bytes
// COPIES: 128 penguin.memcpy arg0:32xf32 -> out1:32xf32 {{.*}}penguin-compile-report.mlir:{{[0-9]+}}:3
// COPIES: Other data movement, which no pass answers for
// COPIES: Passes
// COPIES-JSON: {'ops': 1, 'bytes': 128} ['copies', 'level', 'model', 'passes', 'tensor level', 'total', 'unclaimed']
// ABOVE: compiled to stablehlo, never at the tensor level: no copies to report
// KIND: --report expects one of summary, copies, got 'copys' [PGP011]

// JAX: compared with jax
// JAX-NEXT: out0 f32[4, 8] abs 0 rel 0 tolerance 0.0001 ok
// REFERENCE: compared with reference
// REFERENCE-NEXT: out0 f32[4, 8] abs 0 rel 0 tolerance 0.0001 ok

// TIMING: Parser
// TIMING: HloToPenguin
// TIMING: Allocate
// VERBOSE: [1/{{[0-9]+}}] inline-calls
// VERBOSE: ] allocate
// QUIET-NOT: {{.}}

// OPS: operation dtypes limits
// OPS: stablehlo.add f32 bf16 f16 i1 i8 i16 i32 ui8 ui16 ui32
// OPS: stablehlo.dot_general
// HELP: USAGE: penguin-compile [flags] MODEL
// HELP: --emit
// HELP: --compare[=jax|reference]
// PAGE: # PGR208
// VERSION: penguin-compile
// VERSION: torch-mlir

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<32xf32>) {
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %z = stablehlo.add %y, %y : tensor<8x4xf32>
  %r = stablehlo.transpose %z, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  return %r, %s : tensor<4x8xf32>, tensor<32xf32>
}
