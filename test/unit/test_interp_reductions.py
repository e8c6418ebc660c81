"""Accumulating loops of the interpreter: reductions, contractions, and what is neither."""

import ml_dtypes
import numpy as np
import pytest
from interp_kernels import randoms, run

from penguin.interp import nests

BF16 = ml_dtypes.bfloat16


@pytest.fixture(params=[nests.LIMIT, 5], ids=["whole", "pieces"])
def limit(request, monkeypatch):
    """Every nest also in pieces of at most five elements."""
    monkeypatch.setattr(nests, "LIMIT", request.param)


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


def test_no_loop_runs_one_iteration_at_a_time(context, monkeypatch):
    """A contraction, a row maximum and an elementwise op: each loop is entered once."""
    entered = []
    at = nests.Loop._at
    monkeypatch.setattr(
        nests.Loop, "_at", lambda self, *args: (entered.append(self), at(self, *args))
    )
    a, b = randoms(32, 48), randoms(48, 24)
    product, largest = run(
        "a: 32x48xf32, b: 48x24xf32, out o: 32x24xf32, out m: 32xf32",
        """
        %zero = arith.constant 0.0 : f32
        affine.for %i = 0 to 32 {
          affine.for %j = 0 to 24 {
            %r = affine.for %k = 0 to 48 iter_args(%s = %zero) -> f32 {
              %x = affine.load %a[%i, %k] : T(a)
              %y = affine.load %b[%k, %j] : T(b)
              %p = arith.mulf %x, %y : f32
              %t = arith.addf %s, %p : f32
              affine.yield %t : f32
            }
            affine.store %r, %o[%i, %j] : T(o)
          }
        }
        affine.for %i = 0 to 32 {
          %r = affine.for %j = 0 to 24 iter_args(%s = %zero) -> f32 {
            %x = affine.load %o[%i, %j] : T(o)
            %t = arith.maximumf %s, %x : f32
            affine.yield %t : f32
          }
          affine.store %r, %m[%i] : T(m)
        }
        affine.for %i = 0 to 32 {
          affine.for %j = 0 to 24 {
            %x = affine.load %o[%i, %j] : T(o)
            %y = arith.negf %x : f32
            affine.store %y, %o[%i, %j] : T(o)
          }
        }
        """,
        a,
        b,
    )
    np.testing.assert_array_equal(product, -(a @ b))
    np.testing.assert_array_equal(largest, np.maximum(a @ b, 0).max(1))
    assert len(entered) == 3 + 2 + 2
