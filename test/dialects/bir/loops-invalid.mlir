// RUN: penguin-opt --split-input-file --verify-diagnostics %s

func.func @c1_step() {
  // expected-error@+1 {{'bir.loop' op has step 0, expected at least 1 (C1)}}
  "bir.loop"() ({
  ^bb0(%i: index):
  }) {lower = 0 : i64, upper = 2 : i64, step = 0 : i64} : () -> ()
  return
}

// -----

func.func @c2_no_iteration() {
  // expected-error@+1 {{'bir.loop' op runs from 2 to 2, expected at least one iteration (C2)}}
  "bir.loop"() ({
  ^bb0(%i: index):
  }) {lower = 2 : i64, upper = 2 : i64, step = 1 : i64} : () -> ()
  return
}

// -----

func.func @c3_argument() {
  // expected-error@+1 {{'bir.loop' op has block arguments (i32), expected (index) (C3)}}
  "bir.loop"() ({
  ^bb0(%i: i32):
  }) {lower = 0 : i64, upper = 2 : i64, step = 1 : i64} : () -> ()
  return
}

// -----

func.func @c4_body() {
  // expected-error@+1 {{'bir.loop' op has 'arith.constant' in its body, expected instructions, loops and tiles (C4)}}
  "bir.loop"() ({
  ^bb0(%i: index):
    %c = arith.constant 1 : index
  }) {lower = 0 : i64, upper = 2 : i64, step = 1 : i64} : () -> ()
  return
}
