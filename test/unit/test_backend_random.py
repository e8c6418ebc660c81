"""Random nests down to BIR, against an interpreter that runs one scalar op after the other.

The nests (`test_interp_affine.random_nest`) are made to be awkward: imperfect, with divisions,
dependences through memory, values of outer loops used in inner ones.
"""

import random

import numpy as np
import pytest
import scalar_interpreter
from interp_kernels import kernel
from test_interp_affine import random_nest

from penguin import bir, sim
from penguin.mlir import parse
from penguin.passlib import run_pipeline

_DOWN = "builtin.module(func.func(late-lower-tensor-op,layout-tiling,select-instructions,allocate))"
_CLEAR = "".join(f'"penguin.memset"(%{m}) {{value = 0.0 : f32}} : (T({m})) -> ()\n' for m in "pq")
_ARGUMENTS = "x: 32x32xf32, out p: 32x32xf32, out q: 32x32xf32"


@pytest.mark.parametrize("seed", range(6))
def test_random_nests(context, seed):
    x = np.random.default_rng(seed).integers(-9, 9, (32, 32)).astype(np.float32)
    rng = random.Random(seed)
    done = 0
    for _ in range(50):
        body = random_nest(rng)
        if "affine.if" in body or "min affine_map" in body:
            # Neither has instructions; `select-instructions-invalid.mlir` has the errors.
            continue
        module = parse(kernel(_ARGUMENTS, _CLEAR + body))
        run_pipeline(module, _DOWN)
        actual = sim.run(bir.from_mlir(module), [x])
        expected = scalar_interpreter.run(parse(kernel(_ARGUMENTS, body)), [x])[1:]
        for a, e in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(a, e, err_msg=body)
        done += 1
    assert done > 10
