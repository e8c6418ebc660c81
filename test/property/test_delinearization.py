"""Chains of transposes and reshapes between nests: loops are split, values stay."""

import random

import numpy as np
import pytest

from penguin import execute, mlir
from penguin.passes.data_movement import _rewriter
from penguin.passlib import run_pipeline

CHUNK = 25
_PASSES = (
    "memcpy-elimination",
    "transpose-op-elimination",
    "concat-op-elimination",
    "slice-op-elimination",
)


def _type(shape: tuple[int, ...]) -> str:
    return f'memref<{"".join(f"{n}x" for n in shape)}f32, "dram">'


def _reshaped(rng: random.Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Two dimensions joined, or one split."""
    found = list(shape)
    if len(found) > 1 and rng.random() < 0.6:
        at = rng.randrange(len(found) - 1)
        found[at : at + 2] = [found[at] * found[at + 1]]
    else:
        at = max(range(len(found)), key=lambda d: found[d])
        factors = [f for f in range(2, found[at]) if found[at] % f == 0]
        if factors:
            factor = rng.choice(factors)
            found[at : at + 1] = [factor, found[at] // factor]
    return tuple(found)


class Program:
    """A kernel with one input and one output per chain, and what numpy makes of it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        shape = tuple(rng.choice([1, 2, 3, 4, 6, 8]) for _ in range(rng.randint(1, 4)))
        self.input = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        name, value = "%input", self.input
        for _ in range(rng.randint(2, 7)):
            kinds = [
                self.shuffle,
                self.shuffle,
                self.transpose,
                self.reshape,
                self.nest,
                self.halves,
            ]
            kind = rng.choice(kinds)
            name, value = kind(name, value)
        name, value = self.nest(name, value)
        self.output = value
        if rng.random() < 0.5:
            self.output = value.reshape(_reshaped(rng, value.shape))
        types = f"({_type(value.shape)}, {_type(self.output.shape)}) -> ()"
        self.lines.append(f'"penguin.memcpy"({name}, %output) : {types}')

    def text(self) -> str:
        arguments = ", ".join(
            f'%{io}: {_type(value.shape)} {{penguin.io = "{io}"}}'
            for io, value in (("input", self.input), ("output", self.output))
        )
        body = "\n".join(self.lines)
        return f"func.func @main({arguments}) attributes {{penguin.kernel}} {{\n{body}\nreturn\n}}"

    def new(self, value: np.ndarray) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = memref.alloc() : {_type(value.shape)}")
        return name

    def op(self, kind: str, name: str, old: np.ndarray, new: np.ndarray, attributes: str = ""):
        result = self.new(new)
        types = f"({_type(old.shape)}, {_type(new.shape)}) -> ()"
        self.lines.append(f'"penguin.{kind}"({name}, {result}) {attributes} : {types}')
        return result, new

    def transpose(self, name: str, value: np.ndarray):
        order = list(range(value.ndim))
        self.rng.shuffle(order)
        attribute = f"{{permutation = array<i64: {', '.join(map(str, order))}>}}"
        return self.op("transpose", name, value, value.transpose(order), attribute)

    def reshape(self, name: str, value: np.ndarray):
        return self.op("memcpy", name, value, value.reshape(_reshaped(self.rng, value.shape)))

    def shuffle(self, name: str, value: np.ndarray):
        """Elements change places in an order that only the split shape can tell."""
        shape = value.shape
        name, value = self.transpose(*self.reshape(name, value))
        return self.op("memcpy", name, value, value.reshape(shape))

    def halves(self, name: str, value: np.ndarray):
        """The two parts of a dimension, swapped."""
        axis = max(range(value.ndim), key=lambda d: value.shape[d])
        size = value.shape[axis]
        if size < 2:
            return name, value
        at = self.rng.randrange(1, size)
        parts = []
        for low, high in ((at, size), (0, at)):
            starts = [low if d == axis else 0 for d in range(value.ndim)]
            limits = [high if d == axis else n for d, n in enumerate(value.shape)]
            lists = [("limits", limits), ("starts", starts), ("strides", [1] * value.ndim)]
            texts = [f"{key} = array<i64: {', '.join(map(str, ns))}>" for key, ns in lists]
            piece = value.take(range(low, high), axis)
            attributes = f'{{access = "ndim", {", ".join(texts)}}}'
            parts.append(self.op("slice", name, value, piece, attributes))
        joined = np.concatenate([piece for _, piece in parts], axis)
        result = self.new(joined)
        # Neighbours of one type are in one segment.
        one = parts[0][1].shape == parts[1][1].shape
        segments = ("2, 0, " if one else "1, 1, ") + "0, " * 14 + "1"
        types = ", ".join(_type(v.shape) for v in (parts[0][1], parts[1][1], joined))
        self.lines.append(
            f'"penguin.concat"({parts[0][0]}, {parts[1][0]}, {result}) '
            f"{{axis = {axis} : i64, operandSegmentSizes = array<i32: {segments}>}} "
            f": ({types}) -> ()"
        )
        return result, joined

    def nest(self, name: str, value: np.ndarray):
        """Each element plus its number; loops may be reversed, joined, or carry nothing."""
        result = self.new(value)
        shape = value.shape
        ivs = [f"%i{d}" for d in range(len(shape))]
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        where = list(ivs)
        for d in order:
            step = self.rng.choice([1, 1, 2])
            lower = self.rng.choice([0, 0, 3])
            self.lines.append(
                f"affine.for {ivs[d]} = {lower} to {lower + step * shape[d]} step {step} {{"
            )
            where[d] = (
                f"({ivs[d]} - {lower}) floordiv {step}" if step > 1 else f"{ivs[d]} - {lower}"
            )
        at = ", ".join(where)
        self.lines += [
            f"%v = affine.load {name}[{at}] : {_type(shape)}",
            "%w = arith.addf %v, %v : f32",
            f"affine.store %w, {result}[{at}] : {_type(shape)}",
            *["}"] * len(order),
        ]
        return result, value + value


@pytest.mark.parametrize("first", range(0, 4 * CHUNK, CHUNK))
def test_chains(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"split_loop": 0, "cut": 0}

    def counted(name: str):
        plain = getattr(_rewriter.Rewriter, name)

        def wrapper(*args):
            counts[name] += 1
            return plain(*args)

        monkeypatch.setattr(_rewriter.Rewriter, name, wrapper)

    for name in counts:
        counted(name)
    with mlir.context():
        for seed in range(first, first + CHUNK):
            rng = random.Random(seed)
            program = Program(rng)
            module = mlir.parse(program.text())
            for name in rng.sample(_PASSES * 2, 6):
                run_pipeline(module, f"builtin.module(func.func({name}))")
                module.operation.verify()
                (actual,) = execute.run(module, [program.input])
                assert np.array_equal(actual, program.output), f"seed {seed} after {name}"
    assert all(counts.values()), counts
