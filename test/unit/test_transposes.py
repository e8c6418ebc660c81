"""Transposes between reshapes: interpreted, lowered, folded; always what numpy says."""

import math
import random

import numpy as np
import pytest
from interp_kernels import kernel

from penguin import driver, interp
from penguin.analysis.affine_form import Form, Space
from penguin.analysis.movement import Found, Movement
from penguin.mlir import parse, walk
from penguin.nests.transposes import basis, split
from penguin.passlib import run_pipeline

pytestmark = pytest.mark.usefixtures("context")


def dims(shape):
    return "".join(f"{n}x" for n in shape)


def some_shape(count, rng):
    shape = []
    while count > 1:
        shape.append(rng.choice([d for d in range(2, count + 1) if count % d == 0]))
        count //= shape[-1]
    for _ in range(rng.randrange(3)):
        shape.insert(rng.randrange(len(shape) + 1), 1)
    return tuple(shape)


class Case:
    """Shapes of one element count, and the program of one transpose between them."""

    def __init__(self, seed):
        rng = random.Random(seed)
        count = rng.choice([1, 6, 12, 24, 30, 48, 60, 72])
        self.src, self.shape, self.dst = (some_shape(count, rng) for _ in range(3))
        self.permutation = list(range(len(self.shape)))
        rng.shuffle(self.permutation)
        self.input = np.arange(count, dtype=np.float32).reshape(self.src)
        turned = self.input.reshape(self.shape).transpose(self.permutation)
        self.expected = turned.reshape(self.dst)

    def op(self, src, dst):
        lists = [
            f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"
            for values in (self.permutation, self.shape)
        ]
        types = ", ".join(f'memref<{dims(shape)}f32, "dram">' for shape in (self.src, self.dst))
        return (
            f'"penguin.transpose"({src}, {dst}) {{permutation = {lists[0]},'
            f" src_shape = {lists[1]}}} : ({types}) -> ()\n"
        )

    @property
    def alone(self):
        return kernel(f"a: {dims(self.src)}f32, out o: {dims(self.dst)}f32", self.op("%a", "%o"))

    @property
    def between(self):
        """Between two element-wise ops, for the passes that fold it into them."""
        types = [f'memref<{dims(shape)}f32, "dram">' for shape in (self.src, self.dst)]
        body = f"%s = memref.alloc() : {types[0]}\n%d = memref.alloc() : {types[1]}\n"
        for a, b, type_ in (("%a", "%s", types[0]), ("%d", "%o", types[1])):
            use = f'"penguin.unary"({a}, {b}) {{function = "negate"}} : ({type_}, {type_}) -> ()\n'
            body += use + (self.op("%s", "%d") if a == "%a" else "")
        return kernel(f"a: {dims(self.src)}f32, out o: {dims(self.dst)}f32", body)


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_every_level_equals_numpy(first):
    for seed in range(first, first + 20):
        case = Case(seed)
        module = parse(case.alone)
        reached = [("penguin", interp.run(module, [case.input]))]

        def after(level, module, case=case, reached=reached):
            if level != "bir":
                reached.append((level, interp.run(module, [case.input])))

        compiled = driver.compile(module, after_stage=after)
        reached.append(("bir", compiled.run([case.input])))
        for level, outputs in reached:
            np.testing.assert_array_equal(outputs[0], case.expected, f"{level}\n{case.alone}")


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_folding_equals_numpy(first):
    """As a load map, and by the elimination of transposes."""
    for seed in range(first, first + 20):
        case = Case(seed)
        for passes in (
            "lower-tensor-op{load-maps=transpose}",
            "lower-tensor-op,transpose-op-elimination",
        ):
            module = parse(case.between)
            run_pipeline(module, f"builtin.module(func.func({passes},late-lower-tensor-op))")
            assert not any(op.name.startswith("penguin.") for op in walk(module.operation))
            actual = interp.run(module, [case.input])[0]
            np.testing.assert_array_equal(actual, case.expected, f"{passes}\n{case.between}")


@pytest.mark.parametrize("seed", range(60))
def test_movement_goes_both_ways(seed):
    case = Case(seed)
    module = parse(case.alone)
    (op,) = walk(module.operation, "penguin.transpose")
    movement = Movement(op)
    for start, end, step in (
        (case.dst, case.src, lambda at, space: movement.source(at, space)),
        (case.src, case.dst, lambda at, space: movement.target(0, at, space)),
    ):
        space = Space(dict(enumerate(start)))
        at = tuple(Form.variable(dim) if n > 1 else Form() for dim, n in enumerate(start))
        answer = step(at, space)
        assert isinstance(answer, Found) and len(answer.forms) == len(end)
        for index in np.ndindex(*start):
            fixed = [
                space.substitute(form, lambda dim, index=index: Form(index[dim])).const
                for form in answer.forms
            ]
            here, there = (index, tuple(fixed)) if end is case.src else (tuple(fixed), index)
            assert case.input[there] == case.expected[here]


@pytest.mark.parametrize("seed", range(200))
def test_what_is_split_has_a_basis(seed):
    case = Case(seed)
    permuted = tuple(case.shape[dim] for dim in case.permutation)
    needed = split(case.src, case.shape, case.permutation, case.dst)
    src = case.shape if needed.src else case.src
    dst = permuted if needed.dst else case.dst
    found = basis(src, case.shape, case.permutation, dst)
    assert math.prod(found.extents) == case.input.size
    assert all(i.divisor == 1 and i.modulus == 0 for i in (*found.src, *found.dst))
    if not any(needed):
        assert not any(split(src, case.shape, case.permutation, dst))
