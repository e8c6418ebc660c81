// The parts of an input are processed one by one; line numbers are those of the file.
// RUN: penguin-opt %s --split-input-file | filecheck %s
// RUN: penguin-opt %s --split-input-file --output-split-marker=======MARK | filecheck %s --check-prefix=MARK
// RUN: penguin-opt %s --split-input-file --mlir-print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: penguin-opt %s --split-input-file="// +++++" --allow-unregistered-dialect | filecheck %s --check-prefix=OTHER

// CHECK-LABEL: func.func @first
// CHECK: {{^}}// -----{{$}}
// CHECK-LABEL: func.func @second
// CHECK-NOT: // -----
// MARK: {{^}}======MARK{{$}}
// OTHER-LABEL: func.func @first
// OTHER-NOT: // -----
// OTHER: func.func @second
// LOC: penguin-opt-split.mlir":[[# @LINE + 1]]:1
func.func @first() { return }
// -----
// LOC: penguin-opt-split.mlir":[[# @LINE + 1]]:1
func.func @second() {
  return
}

