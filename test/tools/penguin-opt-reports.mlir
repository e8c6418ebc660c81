// Timing, statistics and remarks: as text, as JSON, to files.
// RUN: penguin-opt %s --pass-pipeline='builtin.module(cse,func.func(canonicalize,cse))' --mlir-timing -o /dev/null 2>&1 | filecheck %s --check-prefix=TREE
// RUN: penguin-opt %s --cse --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | filecheck %s --check-prefix=LIST
// RUN: penguin-opt %s --cse --mlir-timing --mlir-output-format=json --report-output-file=%t.json -o /dev/null && filecheck %s --check-prefix=JSON < %t.json
// RUN: penguin-opt %s --cse --trace-out=%t.trace.json -o /dev/null && filecheck %s --check-prefix=TRACE < %t.trace.json
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --test-fold --mlir-pass-statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --test-fold --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS-LIST
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --mlir-pass-statistics --mlir-output-format=json -o /dev/null 2>&1 | filecheck %s --check-prefix=STATS-JSON
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --remarks-filter-missed=test --remark-format=yaml -o /dev/null 2>&1 | filecheck %s --check-prefix=YAML
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --remarks-output-file=%t.yaml -o /dev/null && filecheck %s --check-prefix=YAML < %t.yaml
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --test-fold --remarks-filter-missed=test -o /dev/null 2>&1 | filecheck %s --check-prefix=FINAL
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --test-fold --remarks-filter-missed=test --remark-policy=all -o /dev/null 2>&1 | filecheck %s --check-prefix=ALL
// RUN: penguin-opt %s --load-pass-plugin=%S/../passes/framework/Inputs/framework_passes.py --test-fold --remarks-filter=other-pass -o /dev/null 2>&1 | filecheck %s --check-prefix=SILENT --allow-empty

// Nine ops: a module, two functions, two returns, a constant, a call, two additions; canonicalization removes two.
// TREE: ... Execution time report ...
// TREE: Total Execution Time:
// TREE: Parser
// TREE-NEXT: 9 -> 9 {{.*}}MB  Cse
// TREE-NEXT: 'func.func' Pipeline
// TREE-NEXT: 9 -> 7 {{.*}}MB    Canonicalize
// TREE-NEXT: 7 -> 7 {{.*}}MB    Cse
// TREE: Output
// TREE-NEXT: Rest
// TREE-NEXT: (100.0%) {{.*}}Total
// LIST: ----Name----
// LIST-DAG: {{^ +[0-9.]+ \( *[0-9.]+%\) .*}}Cse
// LIST-DAG: {{.*}}Parser
// LIST: Total
// JSON: "name": "Cse"
// JSON-NEXT: "depth": 0
// JSON-NEXT: "ops": {
// JSON-NEXT: "before": 9,
// JSON-NEXT: "after": 9
// JSON-NEXT: },
// JSON-NEXT: "peak_rss_bytes":
// JSON: "name": "Total"
// TRACE: "traceEvents": [
// TRACE: "name": "Parser",
// TRACE: "ts": 0.0,
// TRACE: "name": "Cse",
// TRACE-NEXT: "ph": "X",
// TRACE: "ops before": 9,
// TRACE: "name": "Output",
// STATS: ... Pass statistics report ...
// STATS: 'builtin.module' Pipeline
// STATS-NEXT: {{^  }}'func.func' Pipeline
// STATS-NEXT: {{^    }}TestFold
// STATS-NEXT: {{^      }}(S) 1 folded - Number of additions folded
// STATS: {{^    }}TestFold
// STATS-NEXT: {{^      }}(S) 0 folded - Number of additions folded
// STATS-LIST: {{^}}TestFold
// STATS-LIST-NEXT: {{^  }}(S) 1 folded - Number of additions folded
// STATS-LIST-NOT: TestFold
// STATS-JSON: "pass": "test-fold",
// STATS-JSON-NEXT: "name": "folded",
// STATS-JSON-NEXT: "text": "Number of additions folded",
// STATS-JSON-NEXT: "unit": "count",
// STATS-JSON-NEXT: "value": 1
// YAML: --- !Missed
// YAML-NEXT: Pass:            'framework_passes:test-fold'
// YAML-NEXT: Name:            NotConstant
// YAML-NEXT: DebugLoc:        { File: '{{.*}}penguin-opt-reports.mlir', Line: [[# @LINE + 20]], Column: 8 }
// YAML-NEXT: Function:        callee
// YAML-NEXT: Args:
// YAML-NEXT:   - Reason:          'the right operand is not a constant'
// YAML-NEXT:   - Bytes:           '4'
// YAML-NEXT:   - Op:              'arith.addi'
// YAML-NEXT: ...
// FINAL: [Missed] NotConstant
// FINAL-NOT: [Missed]
// ALL: [Missed] NotConstant
// ALL: [Missed] NotConstant
// SILENT-NOT: remark
func.func @main(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %s = arith.addi %x, %zero : i32
  %r = func.call @callee(%s) : (i32) -> i32
  return %r : i32
}

func.func private @callee(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
