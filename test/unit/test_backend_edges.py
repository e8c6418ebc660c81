"""Nests that random programs found the back end to crash on or to refuse, in their least form."""

import numpy as np
import pytest

from penguin import bir, interp, mlir, sim
from penguin.passlib import run_pipeline

RNG = np.random.default_rng(3)


def memref(*shape, kind="f32"):
    return f'memref<{"".join(f"{n}x" for n in shape)}{kind}, "dram">'


def check(body, inputs, expected, max_free=2048):
    """Runs a body on inputs `%m0`, `%m1`...; returns the program and the tiled nest's text."""
    kinds = {np.dtype(np.float32): "f32", np.dtype(np.int32): "i32"}
    arguments = [
        f'%{name}: {memref(*a.shape, kind=kinds[a.dtype])} {{penguin.io = "{io}"}}'
        for name, a, io in [
            *((f"m{k}", a, "input") for k, a in enumerate(inputs)),
            ("o", expected, "output"),
        ]
    ]
    head = f"func.func @main({', '.join(arguments)}) attributes {{penguin.kernel}}"
    with mlir.context():
        module = mlir.parse(f"{head} {{\n{body}\nreturn\n}}")
        tiling = f"layout-tiling{{max-free={max_free}}}"
        run_pipeline(module, f"builtin.module(func.func({tiling}))")
        (tiled,) = interp.run(module, inputs)
        np.testing.assert_allclose(tiled, expected, rtol=1e-4, atol=1e-4)
        text = str(module)
        run_pipeline(module, "builtin.module(func.func(select-instructions,allocate))")
        program = bir.from_mlir(module)
        (selected,) = sim.run(program, inputs)
        np.testing.assert_allclose(selected, expected, rtol=1e-4, atol=1e-4)
    return program, text


def whole(*shape):
    return RNG.integers(-4, 5, shape).astype(np.float32)


def test_a_reduction_to_a_scalar_that_no_instruction_folds():
    """A product of integers: nothing is marked, so the nest runs in order."""
    body = f"""%one = arith.constant 1 : i32
    %r = affine.for %k = 0 to 40 iter_args(%a = %one) -> (i32) {{
      %x = affine.load %m0[%k] : {memref(40, kind="i32")}
      %p = arith.muli %a, %x : i32
      affine.yield %p : i32
    }}
    affine.store %r, %o[] : {memref(kind="i32")}"""
    x = RNG.integers(-99, 99, 40).astype(np.int32) | 1
    with np.errstate(over="ignore"):
        _, tiled = check(body, [x], np.array(np.multiply.reduce(x), np.int32))
    assert 'penguin.axis = "sequential"' in tiled


def test_the_lanes_of_a_rest_of_one_go_to_another_loop():
    body = f"""affine.for %i = 0 to 7 {{ affine.for %j = 0 to 129 {{
      %x = affine.load %m0[%j, %i] : {memref(129, 7)}
      %y = arith.addf %x, %x : f32
      affine.store %y, %o[%i, %j] : {memref(7, 129)}
    }} }}"""
    x = whole(129, 7)
    program, _ = check(body, [x], 2 * x.T, max_free=1)
    loops = [item for item, _ in program.main.walk() if isinstance(item, bir.Loop)]
    # One over %i around the 128 lanes of %j; the column that is left over needs none.
    assert len(loops) == 1


@pytest.mark.parametrize("factors", ["%d, %y", "%y, %d"])
def test_a_factor_uses_a_value_of_the_free_axis(factors):
    """q follows %j: whichever factor it is in, that one is not stationary."""
    body = f"""affine.for %j = 0 to 5 {{
      %zero = arith.constant 0.0 : f32
      %q = affine.load %m2[%j] : {memref(5)}
      %s = affine.for %k = 0 to 64 iter_args(%a = %zero) -> (f32) {{
        %x = affine.load %m0[%k] : {memref(64)}
        %y = affine.load %m1[%k] : {memref(64)}
        %d = arith.subf %x, %q : f32
        %p = arith.mulf {factors} : f32
        %t = arith.addf %a, %p : f32
        affine.yield %t : f32
      }}
      affine.store %s, %o[%j] : {memref(5)}
    }}"""
    x, y, q = whole(64), whole(64), whole(5)
    check(body, [x, y, q], (x - q[:, None]) @ y)


def test_a_factor_is_a_value_of_the_outer_loops():
    body = f"""affine.for %i = 0 to 130 {{ affine.for %j = 0 to 31 {{
      %zero = arith.constant 0.0 : f32
      %q = affine.load %m1[%j] : {memref(31)}
      %s = affine.for %k = 0 to 3 iter_args(%a = %zero) -> (f32) {{
        %x = affine.load %m0[%k, %i] : {memref(3, 130)}
        %p = arith.mulf %x, %q : f32
        %t = arith.addf %a, %p : f32
        affine.yield %t : f32
      }}
      affine.store %s, %o[%i, %j] : {memref(130, 31)}
    }} }}"""
    x, q = whole(3, 130), whole(31)
    check(body, [x, q], x.sum(0)[:, None] * q)


def test_a_factor_uses_the_result_of_another_reduction():
    """The first one cannot be folded, the second would be a matmul if its factor were free."""
    body = f"""affine.for %i = 0 to 127 {{ affine.for %j = 0 to 5 {{
      %zero = arith.constant 0.0 : f32
      %r = affine.for %k = 0 to 3 iter_args(%a = %zero) -> (f32) {{
        %x = affine.load %m0[%i, %k] : {memref(127, 3)}
        %d = arith.subf %x, %a : f32
        affine.yield %d : f32
      }}
      %s = affine.for %k = 0 to 128 iter_args(%a = %zero) -> (f32) {{
        %y = affine.load %m1[%k, %j] : {memref(128, 5)}
        %z = affine.load %m2[%i] : {memref(127)}
        %d = arith.subf %z, %r : f32
        %p = arith.mulf %d, %y : f32
        %t = arith.addf %a, %p : f32
        affine.yield %t : f32
      }}
      affine.store %s, %o[%i, %j] : {memref(127, 5)}
    }} }}"""
    x, y, z = whole(127, 3), whole(128, 5), whole(127)
    check(body, [x, y, z], np.outer(z - (x[:, 2] - x[:, 1] + x[:, 0]), y.sum(0)))


def test_more_divisions_than_variants():
    """Five divisions of two loops: too many parts to tile, few enough to run in order."""
    moduli = "%i floordiv 5, %i mod 8, (30 - %i) mod 8, %j mod 3, %j mod 8"
    body = f"""affine.for %i = 0 to 31 {{ affine.for %j = 0 to 257 {{
      %x = affine.load %m0[{moduli}] : {memref(7, 8, 8, 3, 8)}
      %y = arith.addf %x, %x : f32
      affine.store %y, %o[%i, %j] : {memref(31, 257)}
    }} }}"""
    x = whole(7, 8, 8, 3, 8)
    i, j = np.ogrid[:31, :257]
    check(body, [x], 2 * x[i // 5, i % 8, (30 - i) % 8, j % 3, j % 8])
