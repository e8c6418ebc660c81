"""The loop level: hand-made nests against numpy, random ones against a scalar interpreter."""

import random

import ml_dtypes
import numpy as np
import pytest
import scalar_interpreter

from penguin import interp
from penguin.errors import UserError
from penguin.interp import affine
from penguin.mlir import parse

BF16 = ml_dtypes.bfloat16


@pytest.fixture(params=[4 << 20, 5], ids=["whole", "pieces"])
def limit(request, monkeypatch):
    """Every nest also in pieces of at most five elements."""
    monkeypatch.setattr(affine, "LIMIT", request.param)


def kernel(arguments, body):
    """`arguments` is like "a: 8x6xf32, out o: 48xf32"; T(x) in the body is x's memref type."""
    parts, types = [], {}
    for argument in arguments.split(", "):
        name, type_ = argument.split(": ")
        kind = "output" if name.startswith("out ") else "input"
        name = name.removeprefix("out ")
        types[name] = f'memref<{type_}, "dram">'
        parts.append(f'%{name}: {types[name]} {{penguin.io = "{kind}"}}')
    for name, type_ in types.items():
        body = body.replace(f"T({name})", type_)
    signature = f"func.func @main({', '.join(parts)}) attributes {{penguin.kernel}}"
    return f"{signature} {{\n{body}\n  return\n}}\n"


def run(arguments, body, *inputs):
    outputs = interp.run(parse(kernel(arguments, body)), inputs)
    return outputs[0] if len(outputs) == 1 else outputs


def randoms(*shape, dtype=np.float32):
    """Small whole numbers: exact in every dtype and order of summation."""
    return np.random.default_rng(5).integers(-8, 8, shape).astype(dtype)


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
    monkeypatch.setattr(affine, "LIMIT", 25)
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


_ACCUMULATIONS = [
    ("addf", "f32", np.add),
    ("mulf", "f32", np.multiply),
    ("maximumf", "bf16", np.maximum),
    ("minimumf", "f16", np.minimum),
    ("addi", "i8", np.add),
    ("muli", "i32", np.multiply),
    ("maxsi", "i16", np.maximum),
    ("minsi", "i8", np.minimum),
    ("andi", "i32", np.bitwise_and),
    ("ori", "i1", np.bitwise_or),
    ("xori", "i8", np.bitwise_xor),
]
_NUMPY = {
    "f32": np.float32,
    "bf16": BF16,
    "f16": np.float16,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
}


@pytest.mark.parametrize(("name", "dtype", "function"), _ACCUMULATIONS)
@pytest.mark.parametrize("masked", [False, True], ids=["full", "masked"])
def test_reductions(context, limit, name, dtype, function, masked):
    """Over two dimensions, the accumulator passed from loop to loop; or over a triangle."""
    x = randoms(3, 4, 5).astype(_NUMPY[dtype])
    init = np.array(1).astype(_NUMPY[dtype])
    upper = "affine_map<(d0) -> (d0 + 2)>(%j)" if masked else "5"
    actual = run(
        f"x: 3x4x5x{dtype}, s: {dtype}, out o: 3x{dtype}",
        f"""
        %start = affine.load %s[] : T(s)
        affine.for %i = 0 to 3 {{
          %r = affine.for %j = 0 to 4 iter_args(%a = %start) -> {dtype} {{
            %q = affine.for %k = 0 to {upper} iter_args(%b = %a) -> {dtype} {{
              %v = affine.load %x[%i, %j, %k] : T(x)
              %c = arith.{name} %v, %b : {dtype}
              affine.yield %c : {dtype}
            }}
            affine.yield %q : {dtype}
          }}
          affine.store %r, %o[%i] : T(o)
        }}
        """,
        x,
        init,
    )
    for i in range(3):
        total = init
        for j in range(4):
            for k in range(j + 2 if masked else 5):
                total = function(total, x[i, j, k])
        assert actual[i] == total


@pytest.mark.parametrize(("op", "function"), [("maxui", max), ("minui", min)])
def test_unsigned_reductions(context, op, function):
    """i8 bits read as unsigned: -1 is 255."""
    x = np.array([-1, 3, 127, -128], np.int8)
    actual = run(
        "x: 4xi8, out o: i8",
        f"""
        %start = arith.constant 5 : i8
        %r = affine.for %i = 0 to 4 iter_args(%a = %start) -> i8 {{
          %v = affine.load %x[%i] : T(x)
          %c = arith.{op} %a, %v : i8
          affine.yield %c : i8
        }}
        affine.store %r, %o[] : T(o)
        """,
        x,
    )
    assert int(actual) % 256 == function([5, *(int(v) % 256 for v in x)])


def test_halves_round_at_every_step_of_a_sum(context):
    """256 + 1 + 1 + ... stays 256 in bfloat16, though the exact sum does not."""
    x = np.ones(64, BF16)
    actual = run(
        "x: 64xbf16, out o: bf16",
        """
        %start = arith.constant 2.56e+02 : bf16
        %r = affine.for %i = 0 to 64 iter_args(%a = %start) -> bf16 {
          %v = affine.load %x[%i] : T(x)
          %c = arith.addf %a, %v : bf16
          affine.yield %c : bf16
        }
        affine.store %r, %o[] : T(o)
        """,
        x,
    )
    assert float(actual) == 256


@pytest.mark.parametrize("layout", ["batch", "outer", "broadcast", "dot"])
@pytest.mark.parametrize("dtype", ["f32", "i32"])
def test_contractions(context, limit, layout, dtype):
    """With a batch axis, without, with operands that ignore a loop, and one dot per element."""
    a_map, b_map, spec = {
        "batch": ("%i, %j, %k", "%i, %l, %k", "ijk,ilk->ijl"),
        "outer": ("%j, %i, %k", "%k, %l, 0", "jik,klz->ijl"),
        "broadcast": ("%j, %k, 1", "%k, 2, %l", "jk,kl->ijl"),
        "dot": ("%i, %j, %k", "%k, %j, %i", "ijk,kji->ijl"),
    }[layout]
    a, b = randoms(4, 4, 4, dtype=np.int32), randoms(4, 4, 4, dtype=np.int32) + 3
    if layout == "outer":
        expected = np.einsum("jik,kl->ijl", a, b[:, :, 0])
    elif layout == "broadcast":
        expected = np.broadcast_to(np.einsum("jk,kl->jl", a[:, :, 1], b[:, 2, :]), (4, 4, 4))
    elif layout == "dot":
        expected = np.repeat(np.einsum("ijk,kji->ij", a, b)[:, :, None], 4, 2)
    else:
        expected = np.einsum(spec, a, b)
    mul, add, zero = ("mulf", "addf", "0.0") if dtype == "f32" else ("muli", "addi", "0")
    actual = run(
        f"a: 4x4x4x{dtype}, b: 4x4x4x{dtype}, out o: 4x4x4x{dtype}",
        f"""
        %zero = arith.constant {zero} : {dtype}
        affine.for %i = 0 to 4 {{
          affine.for %j = 0 to 4 {{
            affine.for %l = 0 to 4 {{
              %r = affine.for %k = 0 to 4 iter_args(%s = %zero) -> {dtype} {{
                %x = affine.load %a[{a_map}] : T(a)
                %y = affine.load %b[{b_map}] : T(b)
                %p = arith.{mul} %x, %y : {dtype}
                %t = arith.{add} %s, %p : {dtype}
                affine.yield %t : {dtype}
              }}
              affine.store %r, %o[%i, %j, %l] : T(o)
            }}
          }}
        }}
        """,
        a.astype(_NUMPY[dtype]),
        b.astype(_NUMPY[dtype]),
    )
    np.testing.assert_array_equal(actual, expected)


def test_contraction_of_constant_factors(context):
    """Neither factor depends on the reduced loop: the product counts once per iteration."""
    actual = run(
        "x: 3xf32, out o: 3xf32",
        """
        %zero = arith.constant 0.0 : f32
        affine.for %i = 0 to 3 {
          %x0 = affine.load %x[%i] : T(x)
          %r = affine.for %k = 0 to 10 iter_args(%s = %zero) -> f32 {
            %p = arith.mulf %x0, %x0 : f32
            %t = arith.addf %s, %p : f32
            affine.yield %t : f32
          }
          affine.store %r, %o[%i] : T(o)
        }
        """,
        np.array([1, 2, 3], np.float32),
    )
    np.testing.assert_array_equal(actual, [10, 40, 90])


def test_accumulators_that_are_no_reduction(context, limit):
    """Two accumulators that swap, vectorised over the outer loop."""
    x = randoms(3)
    actual = run(
        "x: 3xf32, out o: 3xf32",
        """
        %one = arith.constant 1.0 : f32
        affine.for %i = 0 to 3 {
          %v = affine.load %x[%i] : T(x)
          %r:2 = affine.for %k = 0 to 5 iter_args(%a = %v, %b = %one) -> (f32, f32) {
            %c = arith.addf %a, %b : f32
            affine.yield %b, %c : f32, f32
          }
          affine.store %r#0, %o[%i] : T(o)
        }
        """,
        x,
    )
    a, b = x, np.ones(3, np.float32)
    for _ in range(5):
        a, b = b, a + b
    np.testing.assert_array_equal(actual, a)


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


_BF16_BITS = "".join(np.arange(256, dtype=BF16).tobytes().hex())


@pytest.mark.parametrize(
    ("type_", "literal", "expected"),
    [
        ("3xbf16", "dense<[1.0, 0x7F80, -2.5]>", np.array([1, np.inf, -2.5], BF16)),
        ("2x2xbf16", "dense<1.5>", np.full((2, 2), 1.5, BF16)),
        ("256xbf16", f'dense<"0x{_BF16_BITS}">', np.arange(256, dtype=BF16)),
        ("2xf32", "dense_resource<blob>", np.array([1, 2], np.float32)),
        ("2xui8", "dense<[1, 255]>", np.array([1, 255], np.uint8)),
        ("9xi1", "dense<true>", np.ones(9, np.bool_)),
        ("3xi1", "dense<[true, false, true]>", np.array([True, False, True])),
        ("i16", "dense<-7>", np.array(-7, np.int16)),
    ],
)
def test_constants(context, type_, literal, expected):
    memref = f'memref<{type_}, "dram">'
    text = kernel(
        f"out o: {type_}",
        f"%c = memref.get_global @c : {memref}\n"
        f'"penguin.memcpy"(%c, %o) : ({memref}, {memref}) -> ()',
    )
    text += f'memref.global "private" constant @c : {memref} = {literal}\n'
    text += '{-# dialect_resources: {builtin: {blob: "0x040000000000803F00000040"}} #-}'
    (actual,) = interp.run(parse(text), [])
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)


_UNKNOWN = """
%c = arith.constant 0 : index
%d = memref.dim %x, %c : T(x)
"""
_OUTSIDE = """
affine.for %i = 0 to 4 {
  %a = affine.load %x[%i + 1] : T(x)
  affine.store %a, %o[%i] : T(o)
}
"""


@pytest.mark.parametrize(
    ("body", "inputs", "code", "message"),
    [
        (_UNKNOWN, [randoms(4)], "PGR001", "'memref.dim' op has no interpretation"),
        (_OUTSIDE, [randoms(4)], "PGR004", "'affine.load' op index is 4, expected 0 to 3"),
        ("", [], "PGR003", "got 0 inputs, expected 1"),
        ("", [randoms(5)], "PGR003", 'input #0 is float32[5], expected memref<4xf32, "dram">'),
        ("", [randoms(4, dtype=np.int8)], "PGR003", "input #0 is int8[4], expected memref<4xf32"),
    ],
)
def test_user_errors_are_located(context, body, inputs, code, message):
    with pytest.raises(UserError) as caught:
        run("x: 4xf32, out o: 4xf32", body, *inputs)
    (found,) = caught.value.diagnostics
    assert found.code == code and message in found.message
    assert ":" in found.location


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main() { return }", "has 0 functions with penguin.kernel"),
        (
            'func.func @main(%x: memref<4xf32, "dram">) attributes {penguin.kernel} { return }',
            "argument #0 has no penguin.io",
        ),
    ],
)
def test_what_is_no_kernel(context, text, message):
    with pytest.raises(UserError, match=message) as caught:
        interp.run(parse(text), [])
    assert caught.value.diagnostics[0].code == "PGR002"


def test_inputs_stay_as_they_are(context):
    x = randoms(4)
    before = x.copy()
    run("x: 4xf32, out o: 4xf32", '"penguin.memset"(%x) {value = 0.0 : f32} : (T(x)) -> ()', x)
    np.testing.assert_array_equal(x, before)


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
