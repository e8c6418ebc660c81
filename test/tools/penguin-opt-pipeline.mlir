// Pipelines as text and as flags, named pipelines, printing them.
// RUN: penguin-opt %s --pass-pipeline='builtin.module( func.func( cse , canonicalize{max-iterations=3 top-down=false} ), symbol-dce )' --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: penguin-opt %s --cse --canonicalize=max-iterations=3 --symbol-dce --cse --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=FLAGS
// RUN: penguin-opt %s -cse -dump-pass-pipeline -o /dev/null 2>&1 | filecheck %s --check-prefix=ONE-DASH
// RUN: penguin-opt %s --lower-tensor-op --inline-calls --lower-tensor-op --late-lower-tensor-op --dump-pass-pipeline --disable-pass=lower-tensor-op,late-lower-tensor-op 2>&1 | filecheck %s --check-prefix=DISABLED
// RUN: penguin-opt %s --penguin-to-tensor-pipeline --dump-pass-pipeline 2>&1 | filecheck %s --check-prefix=NAMED
// RUN: penguin-opt %s --pass-pipeline='any(cse)' | filecheck %s --check-prefix=ANY
// RUN: penguin-opt %s --pass-pipeline='builtin.module()' | filecheck %s --check-prefix=NONE
// RUN: not penguin-opt %s --pass-pipeline='builtin.module(func.func(cse)' 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not penguin-opt %s --pass-pipeline='builtin.module(cse,lower-tensr-op)' 2>&1 | filecheck %s --check-prefix=TYPO
// RUN: not penguin-opt %s --pass-pipeline='builtin.module(cse,canonicalize{top-dwn=true})' 2>&1 | filecheck %s --check-prefix=UPSTREAM-OPTION
// RUN: not penguin-opt %s --pass-pipeline='builtin.module(func.func(inline-calls))' 2>&1 | filecheck %s --check-prefix=NEST
// RUN: not penguin-opt %s --pass-pipeline='cse' 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: not penguin-opt %s --pass-pipeline='func.func(cse)' 2>&1 | filecheck %s --check-prefix=ROOT
// RUN: not penguin-opt %s --pass-pipeline='builtin.module(cse)' --cse 2>&1 | filecheck %s --check-prefix=BOTH

// TEXT: builtin.module(func.func(cse,canonicalize{max-iterations=3 top-down=false}),symbol-dce)
// TEXT: stablehlo.constant
// TEXT-NOT: stablehlo.constant
// FLAGS: builtin.module(cse,canonicalize{max-iterations=3},symbol-dce,cse)
// ONE-DASH: builtin.module(cse)
// DISABLED: {{^}}builtin.module(inline-calls){{$}}
// NAMED: builtin.module(inline-calls,legalize-chlo,simplify-hlo,neuron-op-fusion,schedule-fusion,fusion-to-composite,hlo-to-penguin)
// NAMED: penguin.binary
// ANY: stablehlo.constant
// ANY-NOT: stablehlo.constant
// NONE: stablehlo.constant
// NONE: stablehlo.constant
// OPEN: --pass-pipeline:1:15: error: expected ',' or ')' to close 'builtin.module(', the pipeline ends [PGP001]
// OPEN-NEXT: note: builtin.module(func.func(cse)
// OPEN-NEXT: {{^}}                      ^
// TYPO: --pass-pipeline:1:20: error: unknown pass 'lower-tensr-op', did you mean 'lower-tensor-op'? [PGP002]
// TYPO-NEXT: note: builtin.module(cse,lower-tensr-op)
// TYPO-NEXT: {{^}}                           ^
// UPSTREAM-OPTION: --pass-pipeline:1:33: error: upstream pass 'canonicalize': no such option top-dwn [PGP008]
// NEST: pass 'inline-calls' runs on 'builtin.module', but is nested in 'func.func' [PGP005]
// ANCHOR: expected a pipeline wrapped in its anchor op, for example 'builtin.module(...)' [PGP001]
// ROOT: penguin-opt-pipeline.mlir: error: the pipeline is anchored on 'func.func', the input is a 'builtin.module' [PGP007]
// BOTH: --pass-pipeline cannot be used together with --cse [PGP011]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %c = stablehlo.add %a, %x : tensor<f32>
  %d = stablehlo.add %b, %c : tensor<f32>
  return %d : tensor<f32>
}
