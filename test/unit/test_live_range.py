"""Peaks of live bytes against a count that looks at every value at every op."""

from pathlib import Path

import numpy as np
import pytest

from penguin import dtypes, frontend, mlir
from penguin.analysis.live_range import liveness

# Bytes per element, written down: the analysis derives them from the type's name.
_BYTES = {
    **{"i1": 1, "i4": 1, "ui4": 1, "i8": 1, "ui8": 1, "f8E4M3FN": 1, "f8E5M2": 1, "f4E2M1FN": 1},
    **{"i16": 2, "ui16": 2, "f16": 2, "bf16": 2, "i32": 4, "ui32": 4, "f32": 4},
    **{"i64": 8, "ui64": 8, "f64": 8, "complex<f32>": 8, "complex<f64>": 16},
}


def _brute_force(function: object) -> list[int]:
    """Per op in post-order: the bytes of all values that are defined by then and still needed."""
    ops = mlir.walk(function)[:-1]
    number = {op: n for n, op in enumerate(ops)}
    found = []
    for op in [*ops, function.operation]:
        found += [(result, number[op], op.block) for result in op.results]
        for region in op.regions:
            for block in region.blocks:
                found += [(arg, number[_first_of(block)], block) for arg in block.arguments]
    first = np.array([defined for _, defined, _ in found], int)
    last = np.array(
        [
            max([defined, *(number[_ancestor(use.owner, block)] for use in value.uses)])
            for value, defined, block in found
        ],
        int,
    )
    sizes = np.array([_size(value.type) for value, _, _ in found], np.int64)
    return [int(sizes[(first <= n) & (n <= last)].sum()) for n in range(len(ops))]


def _first_of(block: object) -> object:
    """The first op of a block in post-order."""
    op = next(iter(block.operations)).operation
    for region in op.regions:
        for inner in region.blocks:
            return _first_of(inner)
    return op


def _ancestor(op: object, block: object) -> object:
    """The op of the block that has this one in its regions, or is it."""
    op = op.operation
    while op.block != block:
        op = op.parent.operation
    return op


def _size(type_: object) -> int:
    if not hasattr(type_, "element_type"):
        return 0
    return int(np.prod(type_.shape, dtype=np.int64)) * _BYTES[str(type_.element_type)]


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


@pytest.mark.parametrize("element", sorted(_BYTES))
def test_sizes(element: str) -> None:
    text = f"func.func @main(%x: tensor<3x5x{element}>, %y: tensor<{element}>) {{ return }}"
    with mlir.context():
        module = mlir.parse(text)
        (function,) = _functions(module)
        sizes = [each.size for each in liveness(function).ranges]
    assert sizes == [15 * _BYTES[element], _BYTES[element]]


def test_sizes_are_those_of_the_dtypes() -> None:
    assert {t.mlir: t.itemsize for t in dtypes.TABLE} == {
        t.mlir: _BYTES[t.mlir] for t in dtypes.TABLE
    }


def test_what_has_no_size() -> None:
    types = (
        "!stablehlo.token",
        "tuple<tensor<4xf32>>",
        "tensor<?xf32>",
        "tensor<*xf32>",
        "tensor<4x!quant.uniform<i8:f32, 0.5>>",
    )
    arguments = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(types))
    with mlir.context():
        module = mlir.parse(f"func.func @main({arguments}) {{ return }}")
        (function,) = _functions(module)
        found = liveness(function)
        assert [each.size for each in found.ranges] == [None] * len(types)
        assert found.peak() == (0, 0)


def test_regions_nested_deeper_than_python_goes() -> None:
    depth = 2000
    lines = [f'%r{n} = "stablehlo.if"(%p) ({{' for n in range(depth)]
    lines.append("%z = stablehlo.add %x, %x : tensor<4xf32>")
    lines.append('"stablehlo.return"(%z) : (tensor<4xf32>) -> ()')
    for n in reversed(range(depth)):
        lines.append('}, { "stablehlo.return"(%x) : (tensor<4xf32>) -> () })')
        lines.append(": (tensor<i1>) -> tensor<4xf32>")
        lines.append(f'"stablehlo.return"(%r{n}) : (tensor<4xf32>) -> ()' if n else "return")
    text = "func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) {\n" + "\n".join(lines) + "\n}"
    with mlir.context():
        module = mlir.parse(text)
        (function,) = _functions(module)
        found = liveness(function)
        # Per level the `if` and two returns, of which one is the function's; and the add.
        assert len(found.ops) == 3 * depth + 2
        # Both arguments live until the outermost `if`, the last op but one.
        assert [each.last for each in found.ranges[:2]] == [3 * depth, 3 * depth]


@pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
def test_models(shared: Path, dialect: str) -> None:
    paths = sorted((shared / "models").glob("*.mlir"))
    assert paths
    for path in paths:
        with mlir.context():
            module = frontend.parse(path)
            if dialect == "mhlo":
                module = mlir.mhlo.parse(mlir.to_bytecode(module.operation))
                mlir.run_upstream("builtin.module(stablehlo-legalize-to-hlo)", module)
            for function in _functions(module):
                assert liveness(function).live_bytes() == _brute_force(function), path.name
