"""Cutting and splitting loops of awkward nests, against an interpreter of one op at a time."""

import random
from math import prod

import numpy as np
import pytest
import scalar_interpreter
from interp_kernels import kernel
from test_interp_affine import random_nest

from penguin import interp
from penguin.analysis.dependence import may_reorder
from penguin.analysis.tensor_uses import TensorUses
from penguin.mlir import ir, parse
from penguin.passes.data_movement._addresses import can_cut_by_forms
from penguin.passes.data_movement._rewriter import Rewriter

ARGUMENTS = "x: 32x32xf32, out p: 32x32xf32, out q: 32x32xf32"
X = np.random.default_rng(3).integers(-9, 9, (32, 32)).astype(np.float32)


def outputs(module: ir.Module) -> list[np.ndarray]:
    return scalar_interpreter.run(module, [X])[1:]


def rewriter_of(module: ir.Module) -> Rewriter:
    return Rewriter(TensorUses(module.body.operations[0].operation))


def check(module: ir.Module, expected: list[np.ndarray]) -> None:
    assert module.operation.verify()
    for actual, wanted in zip(outputs(module), expected, strict=True):
        np.testing.assert_array_equal(actual, wanted, err_msg=str(module))


@pytest.mark.parametrize("seed", range(4))
def test_cuts(context, seed):
    """Wherever the answer is yes, for all places of the cut or for one."""
    rng = random.Random(seed)
    inner = 0
    for _ in range(40):
        text = kernel(ARGUMENTS, random_nest(rng))
        module = parse(text)
        expected = outputs(module)
        (step,) = rewriter_of(module).uses.steps
        for loop in step.loops.values():
            anywhere = may_reorder(step, loop.key)
            paths = [access.path for access in step.accesses if loop in access.path]
            if any(can_cut_by_forms(step, path, loop.key) for path in paths):
                assert anywhere
            for at in range(1, loop.extent or 0):
                here = may_reorder(step, loop.key, at)
                assert here or not anywhere
                if here:
                    other = parse(text)
                    rewriter = rewriter_of(other)
                    (its,) = rewriter.uses.steps
                    rewriter.cut(its, loop.key, at)
                    assert len(rewriter.uses.steps) == 2
                    check(other, expected)
                    inner += loop.key > 0
    assert inner


def _same(uses: TensorUses, again: TensorUses) -> bool:
    """Whether the analysis is as if it were made anew."""
    pairs = zip(uses.steps, again.steps, strict=True)
    return all(
        sorted(str(a.op) for a in one.accesses) == sorted(str(a.op) for a in other.accesses)
        and one.extents == other.extents
        for one, other in pairs
    )


@pytest.mark.parametrize("seed", range(4))
def test_splits(context, seed):
    rng = random.Random(seed)
    done = 0
    for _ in range(40):
        module = parse(kernel(ARGUMENTS, random_nest(rng)))
        expected = outputs(module)
        rewriter = rewriter_of(module)
        for _ in range(3):
            (step,) = rewriter.uses.steps
            choices = [
                (loop.key, factor)
                for loop in step.loops.values()
                for factor in range(1, (loop.extent or 0) + 1)
                if loop.extent % factor == 0
            ]
            if not choices:
                break
            before = prod(loop.extent or 1 for loop in step.loops.values())
            step = rewriter.split_loop(step, *rng.choice(choices))
            assert rewriter.uses.steps == [step]
            assert prod(loop.extent or 1 for loop in step.loops.values()) == before
            check(module, expected)
            done += 1
        assert _same(rewriter.uses, rewriter_of(module).uses)
    assert done > 60


_CARRIED = """
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {{
    %s = affine.for %j = {bounds} iter_args(%a = %z) -> (f32) {{
      %v = affine.load %x[%i, %j] : memref<4x40xf32, "dram">
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }} {{penguin.note}}
    affine.store %s, %o[%i] : memref<4xf32, "dram">
  }}
"""


@pytest.mark.parametrize("bounds", ["0 to 12", "3 to 15", "4 to 40 step 3"])
def test_what_a_loop_carries_goes_through_both(context, bounds):
    body = _CARRIED.format(bounds=bounds)
    module = parse(kernel("x: 4x40xf32, out o: 4xf32", body))
    x = np.random.default_rng(1).integers(-9, 9, (4, 40)).astype(np.float32)
    expected = interp.run(module, [x])
    rewriter = rewriter_of(module)
    step = rewriter.split_loop(rewriter.uses.steps[-1], 1, 4)
    assert [loop.extent for loop in step.loops.values()] == [4, 3, 4]
    assert [loop.carries for loop in step.loops.values()] == [False, True, True]
    assert ["penguin.note" in loop.op.attributes for loop in step.loops.values()] == [
        False,
        True,
        False,
    ]
    assert "affine.apply" not in str(module)
    assert module.operation.verify()
    np.testing.assert_array_equal(interp.run(module, [x])[0], expected[0])


def test_values_made_from_the_variable_stay(context):
    module = parse(
        kernel(
            "x: 32x32xf32, out p: 32x32xf32",
            """
  affine.for %i = 2 to 26 step 2 {
    %k = affine.apply affine_map<(d0) -> (d0 * 2 - d0 floordiv 3)>(%i)
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
      %v = affine.load %x[%i, 0] : memref<32x32xf32, "dram">
      affine.store %v, %p[%k mod 32, %i] : memref<32x32xf32, "dram">
    }
  }
""",
        )
    )
    expected = outputs(module)
    rewriter = rewriter_of(module)
    rewriter.split_loop(rewriter.uses.steps[-1], 0, 4)
    check(module, expected)
    assert str(module).count("affine.apply") >= 1
