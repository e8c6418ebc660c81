"""Random softmaxes and gates behind a dot: what is fused is what should be, and computes the same.

The programs are put together from the variants that the two passes take, and spoiled now and then
in one place; whether they must be fused is known from the parts. Each is executed before and after,
on both dialects.
"""

import math

import numpy as np
import pytest

from penguin import dtypes, execute, frontend, mlir, ports
from penguin.passlib import run_pipeline
from penguin.passlib.pass_ import Session
from penguin.passlib.remarks import Filter, Kind, Remarks

DIALECTS = pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
_LONGEST_WAY = 8


class Program:
    """A function under construction; every value has the element type f32 or bf16."""

    def __init__(self) -> None:
        self.arguments: list[str] = []
        self.lines: list[str] = []
        self.results: list[tuple[str, str]] = []

    def argument(self, type_: str) -> str:
        name = f"%x{len(self.arguments)}"
        self.arguments.append(f"{name}: {type_}")
        return name

    def op(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.{text}")
        return name

    def text(self) -> str:
        names, types = zip(*self.results, strict=True)
        body = "\n  ".join(self.lines)
        return (
            f"func.func @main({', '.join(self.arguments)}) -> ({', '.join(types)}) {{\n  {body}\n"
            f"  return {', '.join(names)} : {', '.join(types)}\n}}\n"
        )


def tensor(shape: tuple[int, ...], element: str = "f32") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def dot(rng: np.random.Generator, program: Program, shape: tuple[int, ...]) -> str:
    """A dot, or a dot_general with the leading axes as batch, of a shape."""
    *batch, rows, columns = shape
    inner = int(rng.integers(1, 6))
    left, right = tensor((*batch, rows, inner)), tensor((*batch, inner, columns))
    one, two = program.argument(left), program.argument(right)
    types = f"({left}, {right}) -> {tensor(shape)}"
    if not batch and rng.integers(2):
        return program.op(f"dot {one}, {two} : {types}")
    axes = list(range(len(batch)))
    batching = f"batching_dims = {axes} x {axes}, " if batch else ""
    contracting = f"contracting_dims = [{len(batch) + 1}] x [{len(batch)}]"
    return program.op(f"dot_general {one}, {two}, {batching}{contracting} : {types}")


def between(rng: np.random.Generator, program: Program, value: str, shape: tuple[int, ...]) -> str:
    """One or two ops between dot and softmax that keep shape and element type."""
    kind, flat = tensor(shape), tensor((math.prod(shape),))
    choice = int(rng.integers(7))
    if choice == 0:
        return program.op(f"multiply {value}, {program.argument(kind)} : {kind}")
    if choice == 1:
        return program.op(f"add {program.argument(kind)}, {value} : {kind}")
    if choice == 2:
        return program.op(f"tanh {value} : {kind}")
    if choice == 3:
        mask, other = program.argument(tensor(shape, "i1")), program.argument(kind)
        return program.op(f"select {mask}, {value}, {other} : {tensor(shape, 'i1')}, {kind}")
    if choice == 4:
        half = tensor(shape, "bf16")
        value = program.op(f"convert {value} : ({kind}) -> {half}")
        return program.op(f"convert {value} : ({half}) -> {kind}")
    if choice == 5:
        value = program.op(f"reshape {value} : ({kind}) -> {flat}")
        return program.op(f"reshape {value} : ({flat}) -> {kind}")
    turn = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    turned = tensor(tuple(shape[axis] for axis in turn))
    value = program.op(f"transpose {value}, dims = {turn} : ({kind}) -> {turned}")
    return program.op(f"transpose {value}, dims = {turn} : ({turned}) -> {kind}")


def spread(rng: np.random.Generator, program: Program, value: str, shape: tuple[int, ...]) -> str:
    """Row values back to all columns, in one of four ways."""
    row, kept, kind = tensor(shape[:-1]), tensor((*shape[:-1], 1)), tensor(shape)
    axes, all_axes = list(range(len(shape) - 1)), list(range(len(shape)))
    choice = int(rng.integers(4))
    if choice == 0:
        return program.op(f"broadcast_in_dim {value}, dims = {axes} : ({row}) -> {kind}")
    if choice == 1:
        value = program.op(f"broadcast_in_dim {value}, dims = {axes} : ({row}) -> {kept}")
    else:
        value = program.op(f"reshape {value} : ({row}) -> {kept}")
    if choice == 3:
        value = program.op(f"reshape {value} : ({kept}) -> {row}")
        return program.op(f"broadcast_in_dim {value}, dims = {axes} : ({row}) -> {kind}")
    return program.op(f"broadcast_in_dim {value}, dims = {all_axes} : ({kept}) -> {kind}")


def softmax(rng: np.random.Generator, program: Program, shape: tuple[int, ...]) -> int:
    """Appends dot and softmax with the quotient as a result; returns the fusions to be made."""
    kind, row, last = tensor(shape), tensor(shape[:-1]), len(shape) - 1
    lowest = program.op("constant dense<0xFF800000> : tensor<f32>")
    zero = program.op("constant dense<0.0> : tensor<f32>")
    start = len(program.lines)
    value = dot(rng, program, shape)
    for _ in range(int(rng.integers(7))):
        value = between(rng, program, value, shape)
    way = program.lines[start + 1 :]
    # Converts at the end belong to the softmax.
    while way and ".convert " in way[-1]:
        way.pop()
    reduce = f"across dimensions = [{last}] : ({kind}, tensor<f32>) -> {row}"
    logits = value
    value = program.op(f"reduce({logits} init: {lowest}) applies stablehlo.maximum {reduce}")
    guard = int(rng.integers(3))
    if guard:
        bound = program.op(f"constant dense<0xFF800000> : {row}")
        pair = f"{value}, {bound}" if guard == 1 else f"{bound}, {value}"
        value = program.op(f"maximum {pair} : {row}")
    value = program.op(f"subtract {logits}, {spread(rng, program, value, shape)} : {kind}")
    power = program.op(f"exponential {value} : {kind}")
    value = program.op(f"reduce({power} init: {zero}) applies stablehlo.add {reduce}")
    sums = value
    quotient = program.op(f"divide {power}, {spread(rng, program, value, shape)} : {kind}")
    program.results.append((quotient, kind))
    escaping = int(rng.integers(12))
    if escaping < 3:
        escape = ((logits, kind), (power, kind), (sums, row))[escaping]
        program.results.append(escape)
    return int(escaping >= 3 and len(way) <= _LONGEST_WAY)


def gate(rng: np.random.Generator, program: Program) -> tuple[int, int]:
    """Appends dot, reshape, logistic and multiply; returns re-associations and fusions expected."""
    columns = int(rng.choice([4, 6]))
    shape, other = (4, columns), (2, 2, columns) if rng.integers(2) else (2, 2 * columns)
    kind, moved = tensor(shape), tensor(other)
    product = dot(rng, program, shape)
    if rng.integers(2):
        program.results.append((program.op(f"negate {product} : {kind}"), kind))
    reshaped = program.op(f"reshape {product} : ({kind}) -> {moved}")
    logistic = program.op(f"logistic {reshaped} : {moved}")
    pair = [reshaped, logistic] if rng.integers(2) else [logistic, reshaped]
    gated = program.op(f"multiply {pair[0]}, {pair[1]} : {moved}")
    program.results.append((gated, moved))
    escaping = int(rng.integers(6))
    if escaping < 2:
        program.results.append(((reshaped, logistic)[escaping], moved))
    return (1, 1) if escaping >= 2 else (0, 0)


def check(text: str, name: str, dialect: str, fused: int, **passed: int) -> None:
    """Runs a pass: its remarks, the fusions, the results, and that a second run does nothing."""
    remarks = Remarks(Filter(every="."))
    with mlir.context():
        module = mlir.parse(text)
        inputs = ports.random_inputs(ports.signature(module).inputs)
        before = execute.run(module, inputs)
        if dialect == "mhlo":
            module = mlir.mhlo.parse(mlir.to_bytecode(module.operation))
            mlir.run_upstream("builtin.module(stablehlo-legalize-to-hlo)", module)
        run_pipeline(module, f"builtin.module({name})", session=Session(remarks=remarks))
        done = [remark.name for remark in remarks.found if remark.kind is Kind.PASSED]
        assert {key: done.count(key) for key in passed} == passed, text
        kinds = ("mhlo.fusion", "stablehlo.composite")
        assert sum(op.name in kinds for op in mlir.walk(module)) == fused, text
        once = str(module)
        run_pipeline(module, f"builtin.module({name})")
        assert str(module) == once
        after = execute.run(frontend.executable(module), inputs)
    for old, new in zip(before, after, strict=True):
        assert dtypes.compare(new, old).ok


@pytest.mark.parametrize("seed", range(24))
@DIALECTS
def test_softmax(seed: int, dialect: str) -> None:
    rng = np.random.default_rng(seed)
    program = Program()
    shapes = ((4, 8), (2, 3, 5), (1, 7), (2, 2, 1, 4))
    expected = sum(
        softmax(rng, program, shapes[int(rng.integers(len(shapes)))])
        for _ in range(int(rng.integers(1, 4)))
    )
    check(program.text(), "dot-softmax-fusion", dialect, expected, DotSoftmax=expected)


@pytest.mark.parametrize("seed", range(12))
@DIALECTS
def test_gates(seed: int, dialect: str) -> None:
    rng = np.random.default_rng(seed)
    program = Program()
    expected = np.sum([gate(rng, program) for _ in range(int(rng.integers(1, 4)))], axis=0)
    moved, fused = (int(n) for n in expected)
    check(
        program.text(),
        "dot-logistic-fusion",
        dialect,
        fused,
        Reassociated=moved,
        DotLogistic=fused,
    )


@DIALECTS
def test_vectors(dialect: str) -> None:
    """A single row: the reduces keep no axis."""
    program = Program()
    one, two = program.argument("tensor<6xf32>"), program.argument("tensor<6x8xf32>")
    lowest = program.op("constant dense<0xFF800000> : tensor<f32>")
    zero = program.op("constant dense<0.0> : tensor<f32>")
    row = "across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>"
    spreading = "dims = [] : (tensor<f32>) -> tensor<8xf32>"
    logits = program.op(f"dot {one}, {two} : (tensor<6xf32>, tensor<6x8xf32>) -> tensor<8xf32>")
    value = program.op(f"reduce({logits} init: {lowest}) applies stablehlo.maximum {row}")
    value = program.op(f"broadcast_in_dim {value}, {spreading}")
    value = program.op(f"subtract {logits}, {value} : tensor<8xf32>")
    power = program.op(f"exponential {value} : tensor<8xf32>")
    value = program.op(f"reduce({power} init: {zero}) applies stablehlo.add {row}")
    value = program.op(f"broadcast_in_dim {value}, {spreading}")
    program.results.append(
        (program.op(f"divide {power}, {value} : tensor<8xf32>"), "tensor<8xf32>")
    )
    check(program.text(), "dot-softmax-fusion", dialect, 1, DotSoftmax=1)


@DIALECTS
def test_the_reduce_combines_its_two_elements(dialect: str) -> None:
    """A body with one op that adds an element to itself is no sum."""
    text = """func.func @main(%q: tensor<4x6xf32>, %k: tensor<6x8xf32>) -> tensor<4x8xf32> {
      %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %d = stablehlo.dot %q, %k : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
      %m = stablehlo.reduce(%d init: %lowest) applies stablehlo.maximum across dimensions = [1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %n = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
      %u = stablehlo.subtract %d, %n : tensor<4x8xf32>
      %e = stablehlo.exponential %u : tensor<4x8xf32>
      %s = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %b, %b : tensor<f32>
        "stablehlo.return"(%c) : (tensor<f32>) -> ()
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
      %r = stablehlo.divide %e, %t : tensor<4x8xf32>
      return %r : tensor<4x8xf32>
    }"""
    check(text, "dot-softmax-fusion", dialect, 0)
