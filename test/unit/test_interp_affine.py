"""The loop level: hand-made nests against numpy, random ones against a scalar interpreter."""

import random

import numpy as np
import pytest
import scalar_interpreter
from interp_kernels import kernel, randoms, run

from penguin.interp import nests
from penguin.mlir import parse


@pytest.fixture(params=[nests.LIMIT, 5], ids=["whole", "pieces"])
def limit(request, monkeypatch):
    """Every nest also in pieces of at most five elements."""
    monkeypatch.setattr(nests, "LIMIT", request.param)


def test_levels_mix_in_one_kernel(context, limit):
    x = randoms(8, 6)
    actual = run(
        "a: 8x6xf32, out o: 48xf32",
        """
        %t = memref.alloc() {penguin.name = "t"} : memref<8x6xf32, "dram">
        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 6 {
            %x = affine.load %a[%i, %j] : T(a)
            %y = arith.addf %x, %x : f32
            affine.store %y, %t[%i, %j] : memref<8x6xf32, "dram">
          } {penguin.axis = "free"}
        } {penguin.axis = "partition"}
        "penguin.memcpy"(%t, %o) : (memref<8x6xf32, "dram">, T(o)) -> ()
        """,
        x,
    )
    np.testing.assert_array_equal(actual, 2 * x.reshape(-1))


def test_carried_through_memory(context, limit):
    """Running sums: iteration i reads what iteration i - 1 wrote."""
    x = randoms(9)
    actual = run(
        "x: 9xf32, out o: 9xf32",
        """
        %first = affine.load %x[0] : T(x)
        affine.store %first, %o[0] : T(o)
        affine.for %i = 1 to 9 {
          %before = affine.load %o[%i - 1] : T(o)
          %more = affine.load %x[%i] : T(x)
          %sum = arith.addf %before, %more : f32
          affine.store %sum, %o[%i] : T(o)
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, np.cumsum(x))


def test_accumulator_in_memory(context, limit):
    x = randoms(4, 7)
    actual = run(
        "x: 4x7xf32, out o: 4xf32",
        """
        "penguin.memset"(%o) {value = 1.0 : f32} : (T(o)) -> ()
        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 7 {
            %a = affine.load %o[%i] : T(o)
            %b = affine.load %x[%i, %j] : T(x)
            %c = arith.addf %a, %b : f32
            affine.store %c, %o[%i] : T(o)
          }
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, 1 + x.sum(1))


def test_load_before_a_store_to_the_same_element(context, limit):
    """A swap: what was loaded must not change when the element is overwritten."""
    x, y = randoms(6), randoms(6) + 20
    actual = run(
        "x: 6xf32, y: 6xf32, out p: 6xf32, out q: 6xf32",
        """
        "penguin.memcpy"(%x, %p) : (T(x), T(p)) -> ()
        "penguin.memcpy"(%y, %q) : (T(y), T(q)) -> ()
        affine.for %i = 0 to 6 {
          %a = affine.load %p[%i] : T(p)
          %b = affine.load %q[%i] : T(q)
          affine.store %b, %p[%i] : T(p)
          affine.store %a, %q[%i] : T(q)
        }
        """,
        x,
        y,
    )
    np.testing.assert_array_equal(actual, [y, x])


def test_scalar_loaded_before_it_is_overwritten(context):
    x = np.array(3, np.float32)
    actual = run(
        "x: f32, out p: f32, out q: f32",
        """
        "penguin.memcpy"(%x, %p) : (T(x), T(p)) -> ()
        %old = affine.load %p[] : T(p)
        %new = arith.addf %old, %old : f32
        affine.store %new, %p[] : T(p)
        affine.store %old, %q[] : T(q)
        """,
        x,
    )
    assert [float(a) for a in actual] == [6, 3]


def test_last_store_wins(context, limit):
    """Several iterations store to one element, through a loop the map ignores and through i + j."""
    x = randoms(5, 4)
    p, q = run(
        "x: 5x4xf32, out p: 4xf32, out q: 8xf32",
        """
        affine.for %i = 0 to 5 {
          affine.for %j = 0 to 4 {
            %a = affine.load %x[%i, %j] : T(x)
            affine.store %a, %p[%j] : T(p)
            affine.store %a, %q[%i + %j] : T(q)
          }
        }
        """,
        x,
    )
    np.testing.assert_array_equal(p, x[-1])
    expected = np.zeros(8, np.float32)
    for i in range(5):
        for j in range(4):
            expected[i + j] = x[i, j]
    np.testing.assert_array_equal(q, expected)


def test_last_store_wins_under_a_condition(context, monkeypatch):
    """i = 0 stores rows 5 to 9, then i = 1 rows 0 to 4, even where only j has to run in pieces."""
    monkeypatch.setattr(nests, "LIMIT", 25)
    x = randoms(10, 3)
    actual = run(
        "x: 10x3xf32, out o: 5x3xf32",
        """
        affine.for %i = 0 to 2 {
          affine.for %j = 0 to 10 {
            affine.if affine_set<(d0, d1) : ((d1 + d0 * 5) mod 10 - 5 >= 0)>(%i, %j) {
              affine.for %k = 0 to 3 {
                %a = affine.load %x[%j, %k] : T(x)
                affine.store %a, %o[%j mod 5, %k] : T(o)
              }
            }
          }
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, x[:5])


def test_two_stores_to_overlapping_elements(context, limit):
    """Store A of iteration 1 comes after store B of iteration 0."""
    x = randoms(6)
    actual = run(
        "x: 6xf32, out o: 7xf32",
        """
        affine.for %i = 0 to 6 {
          %a = affine.load %x[%i] : T(x)
          %b = arith.negf %a : f32
          affine.store %a, %o[%i] : T(o)
          affine.store %b, %o[%i + 1] : T(o)
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, [*x, -x[-1]])


def test_quasi_affine_maps_and_steps(context, limit):
    x = randoms(48)
    actual = run(
        "x: 48xf32, out o: 6x8xf32",
        """
        affine.for %i = 0 to 48 step 2 {
          %k = affine.apply affine_map<(d0) -> (-d0 + 47)>(%i)
          %a = affine.load %x[%k] : T(x)
          affine.store %a, %o[%i floordiv 8, %i mod 8] : T(o)
          affine.store %a, %o[(%i + 1) floordiv 8, (%i + 1) mod 8] : T(o)
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, np.repeat(x[::-1][::2], 2).reshape(6, 8))


def test_bounds_that_depend_on_loops(context, limit):
    """The strip-mined loop and the triangle."""
    x = randoms(10)
    p, q = run(
        "x: 10xf32, out p: 10xf32, out q: 10x10xf32",
        """
        "penguin.memset"(%q) {value = 0.0 : f32} : (T(q)) -> ()
        affine.for %t = 0 to 10 step 4 {
          affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
            %a = affine.load %x[%i] : T(x)
            affine.store %a, %p[%i] : T(p)
          }
        }
        affine.for %i = 0 to 10 {
          affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
            %a = affine.load %x[%i - %j] : T(x)
            affine.store %a, %q[%i, %j] : T(q)
          }
        }
        """,
        x,
    )
    np.testing.assert_array_equal(p, x)
    np.testing.assert_array_equal(
        q, [[x[i - j] if j <= i else 0 for j in range(10)] for i in range(10)]
    )


def test_if_masks_accesses_and_selects_results(context, limit):
    """Where the condition is off, the index of the load is outside."""
    x = randoms(8)
    actual = run(
        "x: 8xf32, out o: 12xf32",
        """
        %zero = arith.constant 0.0 : f32
        affine.for %i = 0 to 12 {
          %v = affine.if affine_set<(d0) : (d0 - 2 >= 0, -d0 + 9 >= 0)>(%i) -> f32 {
            %a = affine.load %x[%i - 2] : T(x)
            affine.yield %a : f32
          } else {
            affine.yield %zero : f32
          }
          affine.store %v, %o[%i] : T(o)
          affine.if affine_set<(d0) : (d0 mod 5 == 0)>(%i) {
            affine.store %zero, %o[%i] : T(o)
          }
        }
        """,
        x,
    )
    expected = np.pad(x, 2)
    expected[::5] = 0
    np.testing.assert_array_equal(actual, expected)


def test_empty_loops(context):
    x = randoms(3)
    p, q = run(
        "x: 3xf32, out p: f32, out q: 3xf32",
        """
        %one = arith.constant 1.0 : f32
        %r = affine.for %i = 3 to 3 iter_args(%a = %one) -> f32 {
          %v = affine.load %x[%i] : T(x)
          %c = arith.addf %a, %v : f32
          affine.yield %c : f32
        }
        affine.store %r, %p[] : T(p)
        "penguin.memcpy"(%x, %q) : (T(x), T(q)) -> ()
        affine.for %i = 0 to 0 {
          affine.store %one, %q[%i] : T(q)
        }
        """,
        x,
    )
    assert p == 1
    np.testing.assert_array_equal(q, x)


def test_computed_indices(context, limit):
    """A gather through memref.load, and index arithmetic that stays affine."""
    x, at = randoms(10), np.array([7, 0, 3, 3], np.int32)
    actual = run(
        "x: 10xf32, n: 4xi32, out o: 8xf32",
        """
        %two = arith.constant 2 : index
        affine.for %i = 0 to 4 {
          %k = affine.load %n[%i] : T(n)
          %j = arith.index_cast %k : i32 to index
          %v = memref.load %x[%j] : T(x)
          %d = arith.muli %i, %two : index
          memref.store %v, %o[%d] : T(o)
          %one = arith.constant 1 : index
          %e = arith.addi %d, %one : index
          memref.store %v, %o[%e] : T(o)
        }
        """,
        x,
        at,
    )
    np.testing.assert_array_equal(actual, np.repeat(x[at], 2))


def test_unsigned_through_casts(context):
    x = np.array([0, 100, 200, 255], np.uint8)
    actual = run(
        "x: 4xui8, out o: 4xui8",
        """
        %two = arith.constant 3 : i8
        affine.for %i = 0 to 4 {
          %a = affine.load %x[%i] : T(x)
          %b = builtin.unrealized_conversion_cast %a : ui8 to i8
          %c = arith.divui %b, %two : i8
          %d = builtin.unrealized_conversion_cast %c : i8 to ui8
          affine.store %d, %o[%i] : T(o)
        }
        """,
        x,
    )
    np.testing.assert_array_equal(actual, x // 3)


def test_alloc_in_a_loop_is_fresh_each_time(context):
    actual = run(
        "x: 3xf32, out o: 3xf32",
        """
        affine.for %i = 0 to 3 {
          %t = memref.alloc() : memref<2xf32, "sbuf">
          %a = affine.load %x[%i] : T(x)
          affine.store %a, %t[0] : memref<2xf32, "sbuf">
          %b = affine.load %t[1] : memref<2xf32, "sbuf">
          affine.store %b, %o[%i] : T(o)
        }
        """,
        randoms(3),
    )
    assert np.isnan(actual).all(), "a read before a write must show"


_INDICES = [
    "{0}",
    "{0} + {1}",
    "{0} + 1",
    "{0} * 2 + {1}",
    "{0} * 5 + {1}",
    "{0} * 5 + {1} + 1",
    "9 - {0}",
    "({0} + {1} * 3) mod 7",
    "{0} floordiv 2",
    "{0} + {1} floordiv 2",
    "3",
]
_CONDITIONS = ["d0 - 2 >= 0", "d0 mod 2 == 0", "d0 - d1 >= 0"]
_SQUARE = 'memref<32x32xf32, "dram">'


def random_nest(rng):
    """Loops within loops, statements `m[..] = m'[..] op value` at every depth, few memrefs."""
    lines, values = [], iter(range(1000))
    sources = rng.choice(["x", "x", "xp", "xpq"])
    targets = rng.choice(["p", "pq"])

    def index(loops):
        return rng.choice(_INDICES).format(rng.choice(loops), rng.choice(loops))

    def cell(memrefs, loops):
        return f"%{rng.choice(memrefs)}[{index(loops)}, {index(loops)}] : {_SQUARE}"

    def statement(loops, known):
        a, b, c = (f"%v{next(values)}" for _ in range(3))
        lines.append(f"{a} = affine.load {cell(sources, loops)}")
        lines.append(f"{b} = affine.load {cell(sources, loops)}")
        known += [a, b]
        lines.append(f"{c} = arith.{rng.choice(['addf', 'subf'])} {a}, {rng.choice(known)} : f32")
        lines.append(f"affine.store {rng.choice([*known[-3:], c, c])}, {cell(targets, loops)}")

    def block(loops, known, depth):
        for _ in range(rng.randint(0 if depth else 1, 2)):
            if rng.random() < 0.25:
                condition, pair = rng.choice(_CONDITIONS), (rng.choice(loops), rng.choice(loops))
                lines.append(
                    f"affine.if affine_set<(d0, d1) : ({condition})>({', '.join(pair)}) {{"
                )
                statement(loops, list(known))
                lines.append("}")
            else:
                statement(loops, known)
        if depth:
            nest(loops, known, depth - 1)

    def nest(loops, known, depth):
        loop = ("%i", "%j", "%k")[len(loops)]
        upper = str(rng.randint(2, 5))
        if loops and rng.random() < 0.3:
            upper = f"min affine_map<(d0) -> (d0 + 1, {upper})>({rng.choice(loops)})"
        lines.append(f"affine.for {loop} = 0 to {upper} step {rng.choice([1, 1, 1, 2])} {{")
        block([*loops, loop], list(known), depth)
        lines.append("}")

    nest([], [], rng.choice([0, 1, 1, 2]))
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(8))
def test_random_nests_like_one_scalar_at_a_time(context, limit, seed):
    x = np.random.default_rng(seed).integers(-9, 9, (32, 32)).astype(np.float32)
    clear = '"penguin.memset"(%p) {value = 0.0 : f32} : (T(p)) -> ()\n'
    clear += clear.replace("%p", "%q")
    rng = random.Random(seed)
    for _ in range(50):
        body = random_nest(rng)
        arguments = "x: 32x32xf32, out p: 32x32xf32, out q: 32x32xf32"
        actual = run(arguments, clear + body, x)
        expected = scalar_interpreter.run(parse(kernel(arguments, body)), [x])[1:]
        for a, e in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(a, e, err_msg=body)
