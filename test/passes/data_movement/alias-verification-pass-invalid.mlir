// RUN: penguin-opt --alias-verification-pass --split-input-file --verify-diagnostics %s
// RUN: not penguin-opt --alias-verification-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}[PGA001]
// expected-error@+1 {{argument #1 has penguin.alias = 7 : i64, expected the number of an input, an i64 below 2}}
func.func @l1_range(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 7 : i64}) attributes {penguin.kernel} {
  return
}

// -----

// expected-error@+1 {{argument #1 has penguin.alias = 0 : i32, expected the number of an input, an i64 below 2}}
func.func @l1_type(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i32}) attributes {penguin.kernel} {
  return
}

// -----

// CHECK: error: {{.*}}[PGA002]
// expected-error@+1 {{argument #1 has type memref<2x2xf32, "dram">, expected memref<4x8xf32, "dram"> to share the buffer of argument #0}}
func.func @l2_argument(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<2x2xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  return
}

// -----

func.func @l2_allocation(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // expected-error@+1 {{'memref.alloc' op has type memref<2x2xf32, "dram">, expected memref<4x8xf32, "dram"> to share the buffer of "o"}}
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "o"} : memref<2x2xf32, "dram">
  return
}

// -----

// CHECK: error: {{.*}}[PGA003]
// CHECK: note: argument #1 is here
// expected-note@+2 {{argument #1 is here}}
// expected-error@+1 {{argument #2 has penguin.alias = 0, as has argument #1: expected one output for one input}}
func.func @l3_twice(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}, %p: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "p", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  return
}

// -----

// CHECK: error: {{.*}}[PGA004]
// expected-note@+2 {{argument #1 is here}}
// expected-error@+1 {{argument #1 has penguin.alias = 1, which is no input itself: an alias cycle}}
func.func @l4_output(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 1 : i64}) attributes {penguin.kernel} {
  return
}

// -----

// expected-error@+1 {{argument #0 is no output and has penguin.alias = 1: an alias cycle}}
func.func @l4_input(%a: memref<4x8xf32, "dram"> {penguin.alias = 1 : i64, penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}) attributes {penguin.kernel} {
  return
}

// -----

func.func @l4_allocations(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // expected-error@+1 {{'memref.alloc' op is in an alias cycle: t -> u -> t}}
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "u"} : memref<4x8xf32, "dram">
  %u = memref.alloc() {penguin.name = "u", penguin.must_alias = "t"} : memref<4x8xf32, "dram">
  return
}

// -----

// CHECK: error: {{.*}}[PGA005]
func.func @l5_name(%a: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "a"}, %b: memref<4x8xf32, "dram"> {penguin.io = "input", penguin.name = "b"}, %o: memref<4x8xf32, "dram"> {penguin.io = "output", penguin.name = "o", penguin.alias = 0 : i64}) attributes {penguin.kernel} {
  // expected-error@+1 {{'memref.alloc' op has penguin.must_alias = "nothing", but 0 tensors have that name, expected 1}}
  %t = memref.alloc() {penguin.name = "t", penguin.must_alias = "nothing"} : memref<4x8xf32, "dram">
  return
}
