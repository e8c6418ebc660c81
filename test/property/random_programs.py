"""Random StableHLO programs with their inputs and, by numpy, their results.

`program(rng)` draws shapes from extents at the edges of tiles. Float values are whole numbers small
enough to be exact in their dtype, in every order of summation, so results are compared bit by bit
and no comparison or conversion is decided by rounding. Values behind an inexact function are
*rounded* ones: they are only moved, scaled and compared by the tolerance table.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from penguin import dtypes

EXTENTS = (1, 2, 3, 7, 31, 64, 127, 128, 129, 130, 257, 513, 1025)
LIMIT = 1 << 14
FLOATS = ("f32", "bf16", "f16")
INTEGERS = ("i8", "i16", "i32", "ui8", "ui16", "ui32")
_EXACT = {"f32": 1 << 22, "bf16": 1 << 8, "f16": 1 << 11}
_ROUNDED_UNARY = {
    "exponential": (np.exp, -8, 8),
    "tanh": (np.tanh, -1e6, 1e6),
    "logistic": (lambda x: 1 / (1 + np.exp(-x)), -30, 30),
    "sqrt": (np.sqrt, 0, 1e6),
    "log": (np.log, 1, 1e6),
    "sine": (np.sin, -60, 60),
}


@dataclass(eq=False)
class Value:
    name: str
    data: np.ndarray
    kind: str
    exact: bool = True

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def type(self) -> str:
        return tensor(self.shape, self.kind)


def tensor(shape: Sequence[int], kind: str) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{kind}>"


@dataclass
class Program:
    rng: random.Random
    lines: list[str] = field(default_factory=list)
    arguments: list[Value] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    number: int = 0
    extents: Sequence[int] = EXTENTS
    limit: int = LIMIT

    def __post_init__(self) -> None:
        self.numbers = np.random.default_rng(self.rng.randrange(1 << 30))

    @property
    def text(self) -> str:
        arguments = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        types = ", ".join(v.type for v in self.results)
        names = ", ".join(v.name for v in self.results)
        body = "\n".join(f"  {line}" for line in self.lines)
        head = f"func.func public @main({arguments}) -> ({types})"
        return f"{head} {{\n{body}\n  return {names} : {types}\n}}\n"

    @property
    def inputs(self) -> list[np.ndarray]:
        return [v.data for v in self.arguments]

    @property
    def expected(self) -> list[np.ndarray]:
        return [v.data for v in self.results]

    # -- values ------------------------------------------------------------------------------

    def numbers_of(self, shape: Sequence[int], kind: str) -> np.ndarray:
        dtype = dtypes.BY_MLIR[kind].numpy
        if kind == "i1":
            return self.numbers.integers(0, 2, shape).astype(dtype)
        if kind in FLOATS:
            return self.numbers.integers(-3, 4, shape).astype(dtype)
        info = np.iinfo(dtype)
        low, high = self.rng.choice([(-5, 6), (info.min, info.max + 1)])
        return self.numbers.integers(max(low, info.min), high, shape).astype(dtype)

    def argument(self, shape: Sequence[int], kind: str) -> Value:
        value = Value(f"%arg{len(self.arguments)}", self.numbers_of(shape, kind), kind)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def constant(self, shape: Sequence[int], kind: str) -> Value:
        if self.rng.random() < 0.6 or kind == "i1" or math.prod(shape) <= 1:
            one = self.numbers_of((), kind)
            text = str(bool(one)).lower() if kind == "i1" else str(int(one))
            text = f"{text}.0" if kind in FLOATS else text
            data = np.full(shape, one)
        else:
            data = self.numbers_of(shape, kind)
            text = f'"0x{data.tobytes().hex().upper()}"'
        return self.emit(f"stablehlo.constant dense<{text}> : {tensor(shape, kind)}", data, kind)

    def fresh(self, shape: Sequence[int], kind: str) -> Value:
        """Another value of a shape: known, an argument, a constant, a broadcast or an iota."""
        known = [v for v in self.values if v.shape == tuple(shape) and v.kind == kind and v.exact]
        way = self.rng.random()
        if known and way < 0.4:
            return self.rng.choice(known)
        if shape and way < 0.6:
            kept = [d for d in range(len(shape)) if self.rng.random() < 0.5]
            small = self.fresh_leaf([shape[d] for d in kept], kind)
            return self.broadcast(small, shape, kept)
        if shape and kind != "i1" and way < 0.65 and max(shape) < 100:
            return self.iota(shape, kind)
        return self.fresh_leaf(shape, kind)

    def fresh_leaf(self, shape: Sequence[int], kind: str) -> Value:
        return self.rng.choice([self.argument, self.constant])(shape, kind)

    def emit(self, text: str, data: np.ndarray, kind: str, exact: bool = True) -> Value:
        dtype = dtypes.BY_MLIR[kind].numpy
        value = Value(f"%v{self.number}", np.asarray(data).astype(dtype), kind, exact)
        self.number += 1
        self.lines.append(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def fits(self, data: np.ndarray, kind: str) -> bool:
        return kind not in FLOATS or bool(np.abs(data).max(initial=0) <= _EXACT[kind])

    def pick(self, kinds: Sequence[str] | None = None, exact: bool = False) -> Value:
        found = [
            v for v in self.values if (kinds is None or v.kind in kinds) and (v.exact or not exact)
        ]
        if not found:
            kind = self.rng.choice(kinds)
            return self.argument(self.shape(), kind)
        return found[-1] if self.rng.random() < 0.6 else self.rng.choice(found)

    def shape(self) -> tuple[int, ...]:
        extents: list[int] = []
        for _ in range(self.rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))):
            fits = [n for n in self.extents if n * math.prod(extents) <= self.limit]
            extents.append(self.rng.choice(fits))
        self.rng.shuffle(extents)
        return tuple(extents)

    def subset(self, n: int) -> list[int]:
        return [d for d in range(n) if self.rng.random() < 0.5]

    # -- ops ---------------------------------------------------------------------------------

    def step(self) -> Value | None:
        ops = [
            *(self.binary, self.binary, self.unary, self.compare, self.select, self.clamp),
            *(self.broadcasts, self.reshape, self.transpose, self.reverse, self.convert),
            *(self.reduce, self.reduce, self.dot, self.dot, self.pad, self.slice, self.concat),
        ]
        return self.rng.choice(ops)()

    def binary(self) -> Value | None:
        x = self.pick()
        y = self.fresh(x.shape, x.kind)
        if x.exact and self.rng.random() < 0.5:
            x, y = y, x
        kind = x.kind
        if kind == "i1":
            name, function = self.rng.choice(
                [("and", np.logical_and), ("or", np.logical_or), ("xor", np.logical_xor)]
            )
            return self.emit(
                f"stablehlo.{name} {x.name}, {y.name} : {x.type}", function(x.data, y.data), kind
            )
        exact = x.exact and y.exact
        names = ["multiply", "maximum", "minimum"]
        if exact:
            names += ["add", "subtract"]
        if kind in INTEGERS:
            names += ["divide", "remainder", "and", "or", "xor", "shift_left"]
            names += ["shift_right_logical", "shift_right_arithmetic"]
        name = self.rng.choice(names)
        data = apply_binary(name, x.data, y.data)
        if not self.fits(data, kind):
            return None
        return self.emit(f"stablehlo.{name} {x.name}, {y.name} : {x.type}", data, kind, exact)

    def unary(self) -> Value | None:
        x = self.pick((*FLOATS, *INTEGERS))
        wide = x.data.astype(np.float64 if x.kind in FLOATS else np.int64)
        if x.kind in FLOATS and x.exact and self.rng.random() < 0.5:
            name = self.rng.choice(list(_ROUNDED_UNARY))
            function, low, high = _ROUNDED_UNARY[name]
            if wide.size and (wide.min() < low or wide.max() > high):
                return None
            return self.emit(f"stablehlo.{name} {x.name} : {x.type}", function(wide), x.kind, False)
        if x.kind in INTEGERS and self.rng.random() < 0.4:
            name = self.rng.choice(["not", "popcnt", "count_leading_zeros"])
            bits = 8 * x.data.dtype.itemsize
            pattern = wide & ((1 << bits) - 1)
            counted = np.bitwise_count(pattern)
            length = np.ceil(np.log2(pattern + 1.0)).astype(np.int64)
            data = {"not": ~x.data, "popcnt": counted, "count_leading_zeros": bits - length}[name]
            return self.emit(f"stablehlo.{name} {x.name} : {x.type}", data, x.kind)
        names = {"negate": np.negative}
        if not x.kind.startswith("ui"):
            names["abs"] = np.abs
            if x.exact:
                names["sign"] = np.sign
        name = self.rng.choice(list(names))
        return self.emit(
            f"stablehlo.{name} {x.name} : {x.type}", names[name](wide), x.kind, x.exact
        )

    def compare(self) -> Value:
        x = self.pick(exact=True)
        y = self.fresh(x.shape, x.kind)
        signed = "FLOAT" if x.kind in FLOATS else "SIGNED"
        signed = "UNSIGNED" if x.kind == "i1" or x.kind.startswith("ui") else signed
        function = self.rng.choice(["equal", "not_equal", "less", "less_equal", "greater"])
        text = {"equal": "EQ", "not_equal": "NE", "less": "LT", "less_equal": "LE", "greater": "GT"}
        data = getattr(np, function)(x.data, y.data)
        result = tensor(x.shape, "i1")
        return self.emit(
            f"stablehlo.compare {text[function]}, {x.name}, {y.name}, {signed} : "
            f"({x.type}, {y.type}) -> {result}",
            data,
            "i1",
        )

    def select(self) -> Value:
        x = self.pick()
        y = self.fresh(x.shape, x.kind)
        p = self.fresh(() if self.rng.random() < 0.2 else x.shape, "i1")
        return self.emit(
            f"stablehlo.select {p.name}, {x.name}, {y.name} : {p.type}, {x.type}",
            np.where(p.data, x.data, y.data),
            x.kind,
            x.exact,
        )

    def clamp(self) -> Value:
        x = self.pick((*FLOATS, *INTEGERS))
        low, high = (
            self.fresh_leaf(() if self.rng.random() < 0.7 else x.shape, x.kind) for _ in range(2)
        )
        return self.emit(
            f"stablehlo.clamp {low.name}, {x.name}, {high.name} : "
            f"({low.type}, {x.type}, {high.type}) -> {x.type}",
            np.minimum(np.maximum(x.data, low.data), high.data),
            x.kind,
            x.exact,
        )

    def broadcast(self, x: Value, shape: Sequence[int], dims: Sequence[int]) -> Value:
        between = [1] * len(shape)
        order = np.argsort(dims) if dims else []
        for d, n in zip(dims, x.shape, strict=True):
            between[d] = n
        data = np.broadcast_to(np.transpose(x.data, order).reshape(between), shape)
        return self.emit(
            f"stablehlo.broadcast_in_dim {x.name}, dims = {list(dims)} : "
            f"({x.type}) -> {tensor(shape, x.kind)}",
            data,
            x.kind,
            x.exact,
        )

    def broadcasts(self) -> Value | None:
        x = self.pick()
        rank = len(x.shape) + self.rng.randrange(3)
        if rank > 5:
            return None
        dims = self.rng.sample(range(rank), len(x.shape))
        if self.rng.random() < 0.6:
            dims.sort()
        shape = [1] * rank
        for d, n in zip(dims, x.shape, strict=True):
            shape[d] = n
        for d in range(rank):
            fits = [n for n in self.extents if math.prod(shape) * n <= self.limit]
            if shape[d] == 1 and fits and self.rng.random() < 0.8:
                shape[d] = self.rng.choice(fits)
        return self.broadcast(x, shape, dims)

    def iota(self, shape: Sequence[int], kind: str) -> Value:
        axis = self.rng.randrange(len(shape))
        walk = [1] * len(shape)
        walk[axis] = shape[axis]
        data = np.broadcast_to(np.arange(shape[axis]).reshape(walk), shape)
        return self.emit(f"stablehlo.iota dim = {axis} : {tensor(shape, kind)}", data, kind)

    def reshape(self) -> Value:
        x = self.pick()
        rest, shape = x.data.size, []
        for _ in range(self.rng.randrange(4)):
            divisors = [d for d in range(1, rest + 1) if rest % d == 0]
            shape.append(self.rng.choice(divisors))
            rest //= shape[-1]
        if rest > 1 or self.rng.random() < 0.2:
            shape.append(rest)
        self.rng.shuffle(shape)
        return self.emit(
            f"stablehlo.reshape {x.name} : ({x.type}) -> {tensor(shape, x.kind)}",
            x.data.reshape(shape),
            x.kind,
            x.exact,
        )

    def transpose(self) -> Value:
        x = self.pick()
        order = self.rng.sample(range(len(x.shape)), len(x.shape))
        data = np.transpose(x.data, order)
        return self.emit(
            f"stablehlo.transpose {x.name}, dims = {order} : "
            f"({x.type}) -> {tensor(data.shape, x.kind)}",
            data,
            x.kind,
            x.exact,
        )

    def reverse(self) -> Value:
        x = self.pick()
        dims = self.subset(len(x.shape))
        text = f"stablehlo.reverse {x.name}, dims = {dims} : {x.type}"
        return self.emit(text, np.flip(x.data, tuple(dims)), x.kind, x.exact)

    def convert(self) -> Value | None:
        x = self.pick()
        kind = self.rng.choice([*FLOATS, *INTEGERS, "i1"])
        if kind == x.kind or (not x.exact and kind not in FLOATS):
            return None
        wide = x.data.astype(np.float64 if x.kind in FLOATS else np.int64)
        exact = x.exact
        if kind in FLOATS:
            exact = exact and self.fits(wide, kind)
            if (
                not self.fits(wide, "f32")
                or not np.isfinite(wide.astype(dtypes.BY_MLIR[kind].numpy).astype(np.float32)).all()
            ):
                return None
        elif kind == "i1":
            wide = wide != 0
        elif x.kind in FLOATS:
            info = np.iinfo(dtypes.BY_MLIR[kind].numpy)
            wide = np.clip(wide, info.min, info.max)
            if (wide != x.data.astype(np.float64)).any():
                return None
        text = f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.shape, kind)}"
        return self.emit(text, wide, kind, exact)

    def reduce(self) -> Value | None:
        x = self.pick()
        if not x.shape:
            # XLA and the specification differ on the use of the initial value.
            return None
        dims = self.subset(len(x.shape)) or list(range(len(x.shape)))
        if x.kind == "i1":
            name = self.rng.choice(["and", "or"])
        elif x.kind in FLOATS:
            name = self.rng.choice(["add", "multiply"] if x.exact else ["maximum"])
            name = self.rng.choice([name, "maximum", "minimum"])
        else:
            name = self.rng.choice(["add", "add", "multiply", "maximum", "minimum", "and", "or"])
        init = self.constant((), x.kind)
        data = self.fold(name, x, init, tuple(dims))
        if data is None:
            return None
        return self.emit(
            f"stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{name} across "
            f"dimensions = {dims} : ({x.type}, {init.type}) -> {tensor(data.shape, x.kind)}",
            data,
            x.kind,
            x.exact,
        )

    def fold(self, name: str, x: Value, init: Value, dims: tuple[int, ...]) -> np.ndarray | None:
        wide = x.data.astype(np.float64) if x.kind in FLOATS else x.data
        if name in ("add", "multiply") and x.kind in FLOATS:
            size = (
                np.abs(wide).sum(dims) if name == "add" else np.maximum(np.abs(wide), 1).prod(dims)
            )
            size = size + 4 if name == "add" else size * 4
            if not self.fits(size, x.kind):
                return None
        ufunc = {
            "add": np.add,
            "multiply": np.multiply,
            "maximum": np.maximum,
            "minimum": np.minimum,
            "and": np.logical_and if x.kind == "i1" else np.bitwise_and,
            "or": np.logical_or if x.kind == "i1" else np.bitwise_or,
        }[name]
        if not dims:
            return ufunc(wide, init.data.astype(wide.dtype))
        folded = ufunc.reduce(wide, axis=dims, dtype=wide.dtype)
        return ufunc(folded, init.data.astype(wide.dtype))

    def dot(self) -> Value | None:
        x = self.pick((*FLOATS, *INTEGERS), exact=True)
        roles = [self.rng.choice("bcf") for _ in x.shape]
        if self.rng.random() < 0.5:
            roles = ["f" if r == "b" else r for r in roles]
        batch = [d for d, r in enumerate(roles) if r == "b"]
        contract = [d for d, r in enumerate(roles) if r == "c"]
        self.rng.shuffle(batch)
        self.rng.shuffle(contract)
        other: list[tuple[str, int, int]] = [("b", d, x.shape[d]) for d in batch]
        other += [("c", d, x.shape[d]) for d in contract]
        size = math.prod(n for _, _, n in other)
        free = math.prod(n for d, n in enumerate(x.shape) if roles[d] == "f")
        for k in range(self.rng.randrange(3)):
            fits = [n for n in self.extents if max(size, free) * n <= self.limit]
            if fits and len(other) < 4:
                other.append(("f", -k, self.rng.choice(fits)))
                size, free = size * other[-1][2], free * other[-1][2]
        self.rng.shuffle(other)
        y = self.fresh([n for _, _, n in other], x.kind)
        where = {(role, d): i for i, (role, d, _) in enumerate(other)}
        y_batch = [where["b", d] for d in batch]
        y_contract = [where["c", d] for d in contract]
        kind = x.kind
        if kind in ("bf16", "f16", "i8", "ui8", "i16") and self.rng.random() < 0.5:
            kind = "f32" if kind in FLOATS else ("ui32" if kind == "ui8" else "i32")
        letters = "abcdefghijklmnop"
        left = list(letters[: len(x.shape)])
        right = list(letters[8 : 8 + len(other)])
        for a, b in zip(batch + contract, y_batch + y_contract, strict=True):
            right[b] = left[a]
        out = [left[d] for d in batch]
        out += [left[d] for d, r in enumerate(roles) if r == "f"]
        out += [right[i] for i, (role, _, _) in enumerate(other) if role == "f"]
        equation = f"{''.join(left)},{''.join(right)}->{''.join(out)}"
        wide = np.float64 if x.kind in FLOATS else np.int64
        with np.errstate(over="ignore"):
            a, b = x.data.astype(wide), y.data.astype(wide)
            data = np.einsum(equation, a, b, optimize=True)
            if x.kind in FLOATS:
                size_ = np.einsum(equation, np.abs(a), np.abs(b), optimize=True)
                if not self.fits(size_, kind):
                    return None
        pairs = f"batching_dims = {batch} x {y_batch}, " if batch else ""
        return self.emit(
            f"stablehlo.dot_general {x.name}, {y.name}, {pairs}contracting_dims = "
            f"{contract} x {y_contract} : ({x.type}, {y.type}) -> {tensor(data.shape, kind)}",
            data,
            kind,
        )

    def pad(self) -> Value | None:
        x = self.pick()
        value = self.constant((), x.kind)
        low, high, interior, shape = [], [], [], []
        for n in x.shape:
            low.append(self.rng.choice((0, 0, 1, 2, 5, -1)))
            high.append(self.rng.choice((0, 0, 1, 3, 126, -1)))
            interior.append(self.rng.choice((0, 0, 0, 1, 2)))
            shape.append(low[-1] + high[-1] + n + max(n - 1, 0) * interior[-1])
        if any(n < 1 for n in shape) or math.prod(shape) > self.limit:
            return None
        inner = [n + max(n - 1, 0) * i for n, i in zip(x.shape, interior, strict=True)]
        wide = np.full(inner, value.data, x.data.dtype)
        wide[tuple(slice(None, None, i + 1) for i in interior)] = x.data
        for d, (below, above) in enumerate(zip(low, high, strict=True)):
            width = [(0, 0)] * len(shape)
            width[d] = (max(below, 0), max(above, 0))
            wide = np.pad(wide, width, constant_values=value.data)
            stop = wide.shape[d] + min(above, 0)
            wide = np.take(wide, range(max(-below, 0), stop), axis=d)
        return self.emit(
            f"stablehlo.pad {x.name}, {value.name}, low = {low}, high = {high}, "
            f"interior = {interior} : ({x.type}, {value.type}) -> {tensor(shape, x.kind)}",
            wide,
            x.kind,
            x.exact,
        )

    def slice(self) -> Value:
        x = self.pick()
        parts, text = [], []
        for n in x.shape:
            start = self.rng.randrange(n) if self.rng.random() < 0.5 else 0
            stop = self.rng.randint(start + 1, n) if self.rng.random() < 0.5 else n
            stride = self.rng.choice((1, 1, 1, 2, 3, 5))
            parts.append(slice(start, stop, stride))
            text.append(f"{start}:{stop}:{stride}")
        data = x.data[tuple(parts)]
        return self.emit(
            f"stablehlo.slice {x.name} [{', '.join(text)}] : "
            f"({x.type}) -> {tensor(data.shape, x.kind)}",
            data,
            x.kind,
            x.exact,
        )

    def concat(self) -> Value | None:
        x = self.pick()
        if not x.shape:
            return None
        axis = self.rng.randrange(len(x.shape))
        parts = [x]
        for _ in range(self.rng.randint(1, 2)):
            shape = list(x.shape)
            shape[axis] = self.rng.choice((1, 2, 3, 64, 129))
            if math.prod(shape) > self.limit:
                return None
            parts.append(self.fresh(shape, x.kind))
        self.rng.shuffle(parts)
        data = np.concatenate([p.data for p in parts], axis)
        if data.size > 2 * self.limit:
            return None
        return self.emit(
            f"stablehlo.concatenate {', '.join(p.name for p in parts)}, dim = {axis} : "
            f"({', '.join(p.type for p in parts)}) -> {tensor(data.shape, x.kind)}",
            data,
            x.kind,
            x.exact,
        )


def apply_binary(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Exact floats as float64; integers in their dtype, with StableHLO's corner cases."""
    if x.dtype.kind not in "iu":
        x, y = x.astype(np.float64), y.astype(np.float64)
        names = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}
        return (names | {"maximum": np.maximum, "minimum": np.minimum})[name](x, y)
    bits = 8 * x.dtype.itemsize
    if name in ("divide", "remainder"):
        a, b = x.astype(np.int64), y.astype(np.int64)
        safe = np.where(b == 0, 1, b)
        quotient = np.abs(a) // np.abs(safe) * np.sign(a) * np.sign(safe)
        remainder = a - quotient * safe
        found = (
            np.where(b == 0, -1, quotient) if name == "divide" else np.where(b == 0, a, remainder)
        )
        return found.astype(x.dtype)
    if name.startswith("shift"):
        amount = y.view(f"u{x.dtype.itemsize}")
        inside = np.minimum(amount, bits - 1)
        if name == "shift_left":
            return np.where(amount < bits, x << inside.astype(x.dtype), 0).astype(x.dtype)
        if name == "shift_right_logical":
            pattern = x.view(f"u{x.dtype.itemsize}")
            return np.where(amount < bits, pattern >> inside, 0).astype(x.dtype)
        return (x.view(f"i{x.dtype.itemsize}") >> inside.astype(f"i{x.dtype.itemsize}")).astype(
            x.dtype
        )
    names = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}
    names |= {"maximum": np.maximum, "minimum": np.minimum}
    names |= {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
    return names[name](x, y)


def program(rng: random.Random) -> Program:
    """A program of 3 to 12 ops."""
    found = Program(rng)
    kind = rng.choice([*FLOATS, *FLOATS, *INTEGERS, "i1"])
    found.argument(found.shape(), kind)
    wanted = rng.randint(3, 12)
    with np.errstate(all="ignore"):
        done = [value for _ in range(wanted) if (value := found.step()) is not None]
    done = done or [found.argument(found.shape(), "f32")]
    found.results = [done[-1], *rng.sample(done, min(len(done), rng.randrange(3)))]
    return found
