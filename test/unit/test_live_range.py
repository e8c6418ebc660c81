"""Peaks of live bytes against a count that looks at every value at every op."""

from pathlib import Path

import numpy as np
import pytest

from penguin import dtypes, frontend, mlir
from penguin.analysis.live_range import liveness


def _brute_force(function: object) -> list[int]:
    """Per op in post-order: the bytes of all values that are defined by then and still needed."""
    ops = mlir.walk(function)[:-1]
    body = function.operation.regions[0].blocks[0]
    values = [(argument, 0, body) for argument in body.arguments]
    for number, op in enumerate(ops):
        values += [(result, number, op.block) for result in op.results]
        for region in op.regions:
            inside = [n for n, o in enumerate(ops[:number]) if _within(o, op)]
            for block in region.blocks:
                own = [n for n in inside if _block_of(ops[n], op) == block]
                values += [(argument, min(own), block) for argument in block.arguments]
    total = [0] * len(ops)
    for value, first, block in values:
        last = first
        for use in value.uses:
            user = use.owner.operation
            while user.block != block:
                user = user.parent.operation
            last = max(last, next(n for n, op in enumerate(ops) if op == user))
        for number in range(first, last + 1):
            total[number] += _size(value.type)
    return total


def _within(op: object, outer: object) -> bool:
    while op is not None and op.operation.parent is not None:
        op = op.operation.parent.operation
        if op == outer:
            return True
    return False


def _block_of(op: object, outer: object) -> object:
    """The block of `outer` that an op is in, however deep."""
    while op.operation.parent.operation != outer:
        op = op.operation.parent.operation
    return op.operation.block


def _size(type_: object) -> int:
    dtype = dtypes.of(getattr(type_, "element_type", None))
    return 0 if dtype is None else int(np.prod(type_.shape, dtype=np.int64)) * dtype.itemsize


def _functions(module: object) -> list:
    return [f.operation for f in module.body.operations if len(f.operation.regions[0].blocks)]


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = ["tensor<4xf32>", "tensor<64xf32>", "tensor<16xf32>"]
    names = {kind: [f"%a{n}"] for n, kind in enumerate(kinds)}
    lines = []
    for n in range(40):
        kind = kinds[int(rng.integers(3))]
        one, two = (names[kind][int(rng.integers(len(names[kind])))] for _ in range(2))
        lines.append(f"%v{n} = stablehlo.add {one}, {two} : {kind}")
        names[kind].append(f"%v{n}")
    arguments = ", ".join(f"%a{n}: {kind}" for n, kind in enumerate(kinds))
    text = f"func.func @main({arguments}) {{\n" + "\n".join(lines) + "\nreturn\n}"
    with mlir.context():
        module = mlir.parse(text)
        (function,) = _functions(module)
        found = liveness(function)
        assert found.live_bytes() == _brute_force(function)
        assert found.peak()[0] == max(_brute_force(function))


@pytest.mark.parametrize("name", ["micro_norms", "flax_lstm", "tp_mlp_spmd", "ring_attention_spmd"])
@pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
def test_models(shared: Path, name: str, dialect: str) -> None:
    with mlir.context():
        module = frontend.parse(shared / "models" / f"{name}.mlir")
        if dialect == "mhlo":
            module = mlir.mhlo.parse(mlir.to_bytecode(module.operation))
            mlir.run_upstream("builtin.module(stablehlo-legalize-to-hlo)", module)
        for function in _functions(module):
            assert liveness(function).live_bytes() == _brute_force(function)
