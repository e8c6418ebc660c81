"""Movement ops on every dtype: lowered to loops, executed, equal to numpy."""

import itertools
import math

import hypothesis.strategies as st
import lowering_kernels as lk
import numpy as np
import pytest
from hypothesis import given

from penguin import dtypes
from penguin.nests import indexing
from penguin.nests.indexing import Index

ALL = list(dtypes.TABLE)


def ids(dtype: dtypes.DType) -> str:
    return dtype.mlir


def numbered(shape: tuple[int, ...], dtype: np.dtype | type = np.int32) -> np.ndarray:
    return np.arange(1, math.prod(shape) + 1).reshape(shape).astype(dtype)


class Cases:
    """A kernel whose outputs must equal the arrays given with them."""

    def __init__(self, dtype: str = "i32") -> None:
        self.dtype = dtypes.BY_MLIR[dtype]
        self.kernel = lk.Kernel()
        self.expected: list[np.ndarray] = []

    def case(self, op: str, srcs: list[np.ndarray], want: np.ndarray, **attributes: object) -> None:
        names = [self.kernel.input(src.astype(self.dtype.numpy)) for src in srcs]
        out = self.kernel.output(want.shape, self.dtype.mlir)
        self.kernel.op(op, names, out, **attributes)
        self.expected.append(want.astype(self.dtype.numpy))

    def check(self) -> None:
        for number, (actual, want) in enumerate(
            zip(lk.run(self.kernel), self.expected, strict=True)
        ):
            np.testing.assert_array_equal(actual, want, f"output {number}")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("dtype", ALL, ids=ids)
def test_every_op_on_every_dtype(dtype: dtypes.DType) -> None:
    x, y = numbered((3, 4), np.int64) % 2, numbered((2, 4), np.int64) % 2
    if dtype.mlir != "i1":
        x, y = numbered((3, 4)), numbered((2, 4)) * 3
    cases = Cases(dtype.mlir)
    cases.case("memcpy", [x], x)
    cases.case("memcpy", [x], x.reshape(2, 6))
    cases.case("transpose", [x], x.T, permutation=[1, 0])
    cases.case("reverse", [x], x[:, ::-1], axes=[1])
    cases.case("broadcast", [x[0]], np.broadcast_to(x[0], (2, 4)), dims=[1])
    cases.case(
        "slice", [x], x[1:3, 0:4:2], starts=[1, 0], limits=[3, 4], strides=[1, 2], access="ndim"
    )
    cases.case(
        "pad",
        [x, np.array(1)],
        np.pad(x, [(1, 0), (0, 2)], constant_values=1),
        low=[1, 0],
        high=[0, 2],
        interior=[0, 0],
    )
    segments = f"array<i32: 1, 1, {'0, ' * 14}1>"
    cases.case("concat", [x, y], np.concatenate([x, y]), segments=segments, axis=0)
    value = "true" if dtype.mlir == "i1" else f"{'1.0' if dtype.is_float else '1'} : {dtype.mlir}"
    name = cases.kernel.output((2, 3), dtype.mlir)
    cases.kernel.lines.append(
        f'"penguin.memset"({name}) {{value = {value}}} : ({cases.kernel.types[name]}) -> ()'
    )
    cases.expected.append(np.ones((2, 3), dtype.numpy))
    if dtype.mlir != "i1":
        for axis in (0, 1):
            iota = np.indices((3, 5))[axis]
            cases.case("iota", [], iota, axis=axis)
    cases.check()


@pytest.mark.usefixtures("context")
def test_memset_values() -> None:
    kernel = lk.Kernel()
    values = {"ui8": 200, "i8": -7, "ui32": 4294967295, "f32": -0.0, "bf16": math.inf}
    texts = {"f32": "-0.0 : f32", "bf16": "0x7F80 : bf16"}
    for dtype, value in values.items():
        name = kernel.output((2,), dtype)
        text = texts.get(dtype, f"{value} : {dtype}")
        kernel.lines.append(
            f'"penguin.memset"({name}) {{value = {text}}} : ({kernel.types[name]}) -> ()'
        )
    for actual, (dtype, value) in zip(lk.run(kernel), values.items(), strict=True):
        want = np.full(2, value, dtypes.BY_MLIR[dtype].numpy)
        assert actual.tobytes() == want.tobytes()


@pytest.mark.usefixtures("context")
def test_scalars_and_unit_dimensions() -> None:
    x = numbered((1, 3, 1))
    cases = Cases()
    cases.case("memcpy", [x[0, 0]], x[0, 0].reshape(()))
    cases.case("memcpy", [x[0, 0, 0]], x[:, :1])
    cases.case("transpose", [x], x.transpose(1, 2, 0), permutation=[1, 2, 0])
    cases.case("reverse", [x], x[:, ::-1], axes=[0, 1, 2])
    cases.case("broadcast", [x[0, 0, 0]], np.full((2, 2), x[0, 0, 0]), dims=[])
    cases.case("broadcast", [x], np.broadcast_to(x, (4, 3, 2)), dims=[0, 1, 2])
    cases.case("iota", [], np.zeros((1, 3)), axis=0)
    nothing: list[int] = []
    cases.case("pad", [x[0, 0, 0], np.array(9)], x[0, 0, 0], low=nothing, high=nothing,
               interior=nothing)  # fmt: skip
    cases.check()


@pytest.mark.usefixtures("context")
def test_tensors_without_elements_need_no_code() -> None:
    kernel = lk.Kernel()
    a, b = kernel.input(np.zeros((0, 4), np.int32)), kernel.input(numbered((2, 4)))
    kernel.op("memcpy", [a], kernel.output((4, 0), "i32"))
    kernel.op("unary", [a], kernel.output((0, 4), "i32"), function="negate")
    assert "affine" not in str(lk.lowered(kernel.text()))
    segments = f"array<i32: 1, 1, {'0, ' * 14}1>"
    kernel.op("concat", [a, b], kernel.output((2, 4), "i32"), axis=0, segments=segments)
    np.testing.assert_array_equal(lk.run(kernel)[2], numbered((2, 4)))


PADDINGS = [
    ((5,), [2], [3], [0]),
    ((5,), [0], [0], [0]),
    ((5,), [0], [0], [2]),
    ((5,), [-1], [-2], [0]),
    ((5,), [-1], [-2], [1]),
    ((5,), [-3], [4], [2]),
    ((5,), [4], [-6], [1]),
    ((2,), [-9], [12], [0]),
    ((2,), [12], [-9], [0]),
    ((0,), [2], [1], [3]),
    ((3, 4), [1, -1], [-1, 2], [0, 1]),
    ((1, 2), [0, 1], [3, 1], [4, 1]),
]


def padded(x: np.ndarray, low: list[int], high: list[int], interior: list[int]) -> np.ndarray:
    """Spread out, padded by what is positive, cut by what is negative: numpy slicing only."""
    shape = [n + max(0, n - 1) * i for n, i in zip(x.shape, interior, strict=True)]
    spread = np.full(shape, 99, x.dtype)
    spread[tuple(slice(None, None, i + 1) for i in interior)] = x
    both = list(zip(low, high, strict=True))
    spread = np.pad(spread, [(max(0, a), max(0, b)) for a, b in both], constant_values=99)
    return spread[tuple(slice(max(0, -a), min(0, b) or None) for a, b in both)]


@pytest.mark.usefixtures("context")
def test_pad() -> None:
    cases = Cases()
    for shape, low, high, interior in PADDINGS:
        x = numbered(shape)
        want = padded(x, low, high, interior)
        cases.case("pad", [x, np.array(99)], want, low=low, high=high, interior=interior)
    cases.check()


@pytest.mark.usefixtures("context")
def test_flattened_slices() -> None:
    x = numbered((6, 8))
    cases = Cases()
    for start, limit, stride, shape in [
        (0, 48, 1, (48,)),
        (8, 32, 1, (3, 8)),
        (8, 32, 1, (24,)),
        (5, 45, 3, (7, 2)),
        (3, 48, 16, (3,)),
        (4, 48, 8, (2, 1, 3)),
        (47, 48, 1, ()),
        (0, 48, 2, (4, 6)),
    ]:
        want = x.ravel()[start:limit:stride].reshape(shape)
        cases.case("slice", [x], want, starts=[start], limits=[limit], strides=[stride],
                   access="flattened")  # fmt: skip
    cases.check()


@pytest.mark.usefixtures("context")
def test_reshapes() -> None:
    shapes = [(24,), (4, 6), (6, 4), (2, 3, 4), (4, 3, 2), (1, 24, 1), (8, 1, 3), (2, 12)]
    cases = Cases()
    for src, dst in itertools.product(shapes, shapes):
        x = numbered(src)
        cases.case("memcpy", [x], x.reshape(dst))
    cases.check()


def value_of(index: Index, iteration: tuple[int, ...]) -> int:
    flat = index.offset + sum(c * iteration[position] for position, c in index.terms)
    return flat // index.divisor % index.modulus if index.modulus else flat // index.divisor


def test_reshape_loops() -> None:
    assert indexing.reshape((768,), (12, 64)).extents == (12, 64)
    assert indexing.reshape((12, 64), (768,)).extents == (12, 64)
    assert indexing.reshape((2, 6), (4, 3)).extents == (2, 2, 3)
    assert indexing.reshape((5, 2, 3), (5, 3, 2)).extents == (5, 6)
    assert indexing.reshape((1, 8, 1), (8,)).extents == (8,)
    assert indexing.reshape((), (1, 1)).extents == ()


@st.composite
def factorizations(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    count = draw(st.sampled_from([1, 6, 12, 30, 36, 60, 64, 210]))
    shapes = []
    for _ in range(2):
        rest, shape = count, []
        while rest > 1:
            shape.append(draw(st.sampled_from([d for d in range(2, rest + 1) if rest % d == 0])))
            rest //= shape[-1]
        for _ in range(draw(st.integers(0, 2))):
            shape.insert(draw(st.integers(0, len(shape))), 1)
        shapes.append(tuple(shape))
    return shapes[0], shapes[1]


@given(factorizations())
def test_reshape_visits_elements_in_order(shapes: tuple[tuple[int, ...], ...]) -> None:
    found = indexing.reshape(*shapes)
    for indices, shape in ((found.src, shapes[0]), (found.dst, shapes[1])):
        for number, iteration in enumerate(itertools.product(*map(range, found.extents))):
            at = tuple(value_of(index, iteration) for index in indices)
            assert at == np.unravel_index(number, shape)
    assert math.prod(found.extents) == math.prod(shapes[0])


@given(
    st.integers(1, 6), st.integers(-8, 8), st.integers(-8, 8), st.integers(0, 3)
)  # fmt: skip
def test_padded_span(src: int, low: int, high: int, interior: int) -> None:
    dst = low + src + (src - 1) * interior + high
    if dst < 0:
        return
    places = {i: low + i * (interior + 1) for i in range(src)}
    inside = {i: p for i, p in places.items() if 0 <= p < dst}
    span = indexing.padded(src, dst, low, interior)
    assert {span.src + k: span.dst + k * (interior + 1) for k in range(span.count)} == inside
