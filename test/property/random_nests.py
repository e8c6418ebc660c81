"""Random affine nests with reductions, with their inputs and, by numpy, their results.

Parallel loops around up to three reductions of one or two loops each, and an epilogue. Accesses are
strided, reversed, transposed, broadcast, offset or divided. Values are whole numbers and small, so
that every order of summation gives the same; nests with `math.exp` are not `exact`.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from penguin import dtypes

EXTENTS = (1, 2, 3, 7, 31, 64, 127, 128, 129, 130, 257, 513, 1025)
LIMIT = 1 << 13
_EXACT = 1 << 22
# Name in `arith`, what numpy calls it, and the value to start from.
_FLOAT_COMBINES = {
    "addf": (np.add, 0),
    "maximumf": (np.maximum, -math.inf),
    "minimumf": (np.minimum, math.inf),
    "mulf": (np.multiply, 1),
    "subf": (np.subtract, 0),
}
_INT_COMBINES = {
    "addi": (np.add, 0),
    "maxsi": (np.maximum, -(1 << 31)),
    "minsi": (np.minimum, 0),
    "muli": (np.multiply, 1),
    "xori": (np.bitwise_xor, 0),
    "subi": (np.subtract, 0),
}


@dataclass(frozen=True)
class Loop:
    """A loop of the text; `walk` are the values that its variable takes."""

    name: str
    walk: range


@dataclass(frozen=True)
class Scalar:
    """An SSA value, over the loops that are open where it stands."""

    name: str
    data: np.ndarray


@dataclass
class Nest:
    rng: random.Random
    lines: list[str] = field(default_factory=list)
    inputs: list[np.ndarray] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    expected: list[np.ndarray] = field(default_factory=list)
    exact: bool = True
    number: int = 0

    def __post_init__(self) -> None:
        self.numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        self.outputs: list[str] = []
        self.cleared: list[str] = []
        self.is_float = self.rng.random() < 0.7
        self.kind = "f32" if self.is_float else "i32"
        self.wide = np.float64 if self.is_float else np.int64

    @property
    def text(self) -> str:
        arguments = ", ".join(self.arguments + self.outputs)
        body = "\n".join(self.cleared + self.lines)
        return (
            f"func.func @main({arguments}) attributes {{penguin.kernel}} {{\n{body}\nreturn\n}}\n"
        )

    # -- parts -------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"%{prefix}{self.number}"

    def emit(self, text: str, data: np.ndarray) -> Scalar:
        name = self.fresh("s")
        self.lines.append(f"{name} = {text}")
        if not self.is_float:
            data = data.astype(np.int64).astype(np.int32).astype(np.int64)
        return Scalar(name, data)

    def constant(self, value: float) -> Scalar:
        if not self.is_float:
            return self.emit(f"arith.constant {int(value)} : i32", np.array(value))
        bits = np.array(value, np.float32).view(np.uint32)
        text = f"0x{int(bits):08X}" if math.isinf(value) else f"{float(value)}"
        return self.emit(f"arith.constant {text} : f32", np.array(value, np.float64))

    def loop(self, limit: int) -> Loop:
        extent = self.rng.choice([n for n in EXTENTS if n <= max(limit, 1)])
        step = self.rng.choice((1, 1, 1, 1, 2, 3))
        lower = self.rng.choice((0, 0, 0, 1, 5))
        return Loop(self.fresh("i"), range(lower, lower + (extent - 1) * step + 1, step))

    def grid(self, loops: Sequence[Loop]) -> list[np.ndarray]:
        return list(np.meshgrid(*(np.array(lp.walk) for lp in loops), indexing="ij", sparse=True))

    def index(self, loops: Sequence[Loop]) -> tuple[str, np.ndarray]:
        """One index: its text and its values, which start at zero or above."""
        grid = self.grid(loops)
        if not loops or self.rng.random() < 0.08:
            value = self.rng.randrange(3)
            return str(value), np.array(value)
        chosen = self.rng.sample(
            range(len(loops)), 1 if self.rng.random() < 0.8 else min(2, len(loops))
        )
        text, data = [], np.array(0)
        for k in chosen:
            factor = self.rng.choice((1, 1, 1, 1, 2, 3, -1))
            text.append(f"{loops[k].name} * {factor}")
            data = data + grid[k] * factor
        offset = -int(data.min()) + self.rng.choice((0, 0, 0, 1, 4))
        inner = f"{' + '.join(text)} + {offset}"
        data = data + offset
        way = self.rng.random()
        divisor = self.rng.choice((2, 3, 5, 8, 64))
        if way < 0.07:
            return f"({inner}) floordiv {divisor}", data // divisor
        if way < 0.14:
            return f"({inner}) mod {divisor}", data % divisor
        return inner, data

    def load(self, loops: Sequence[Loop], signs: bool = False) -> Scalar:
        """A load whose indices follow some of the loops, from a new input."""
        kinds = ["f32", "f32", "bf16"] if self.is_float else ["i32", "i32", "i8"]
        kind = self.rng.choice(kinds)
        followed = [lp for lp in loops if self.rng.random() < 0.75]
        self.rng.shuffle(followed)
        if self.rng.random() < 0.75:
            found = [self.index([lp]) for lp in followed]
        else:
            found = [self.index(followed) for _ in range(self.rng.randint(0, 3))]
        extents = [int(data.max()) + 1 + self.rng.choice((0, 0, 2)) for _, data in found]
        if math.prod(extents) > 1 << 20:
            return self.constant(1)
        values = (
            self.numbers.choice([-1, 1], extents)
            if signs
            else self.numbers.integers(-3, 4, extents)
        )
        array = np.asarray(values).astype(dtypes.BY_MLIR[kind].numpy)
        name = f"%m{len(self.inputs)}"
        type_ = f'memref<{"".join(f"{n}x" for n in extents)}{kind}, "dram">'
        self.inputs.append(array)
        self.arguments.append(f'{name}: {type_} {{penguin.io = "input"}}')
        texts = ", ".join(text for text, _ in found)
        indices = []
        for which, (_, data) in enumerate(found):
            own = [followed[which]] if len(found) == len(followed) and data.ndim == 1 else followed
            if data.ndim == 0:
                indices.append(data)
                continue
            order = [loops.index(lp) for lp in own]
            moved = np.transpose(data, np.argsort(order))
            shape = [1] * len(loops)
            for place, extent in zip(sorted(order), moved.shape, strict=True):
                shape[place] = extent
            indices.append(moved.reshape(shape))
        data = array[tuple(indices)] if indices else array.reshape([1] * len(loops))
        loaded = self.emit(f"affine.load {name}[{texts}] : {type_}", data.astype(self.wide))
        if kind == self.kind:
            return loaded
        op = "extf" if self.is_float else "extsi"
        return self.emit(f"arith.{op} {loaded.name} : {kind} to {self.kind}", loaded.data)

    def binary(self, name: str, x: Scalar, y: Scalar) -> Scalar:
        table = _FLOAT_COMBINES if self.is_float else _INT_COMBINES
        data = table[name][0](x.data, y.data)
        return self.emit(f"arith.{name} {x.name}, {y.name} : {self.kind}", data)

    def named(self, name: str) -> str:
        return name + ("f" if self.is_float else "i")

    def expanded(self, scalar: Scalar, outer: int, inner: int) -> Scalar:
        """A value of the outer loops, with axes for the inner ones."""
        data = scalar.data
        return Scalar(scalar.name, data.reshape(data.shape + (1,) * inner) if data.ndim else data)

    def value(self, loops: Sequence[Loop], known: Sequence[Scalar], signs: bool) -> Scalar:
        """What is combined: mostly a product."""
        x = self.load(loops, signs)
        way = self.rng.random()
        if signs or way < 0.15:
            return x
        y = self.load(loops)
        if way < 0.25 and self.is_float and np.abs(x.data).max(initial=0) < 20:
            self.exact = False
            x = self.emit(f"math.exp {x.name} : f32", np.exp(x.data))
        elif way < 0.35:
            x = self.binary(self.named("sub"), x, self.load(loops))
        elif way < 0.45 and known:
            x = self.binary(self.named("sub"), x, self.rng.choice(known))
        elif way < 0.55 and known:
            y = self.rng.choice(known)
        return self.binary(self.named("mul"), x, y)

    def reduction(self, outer: Sequence[Loop], known: Sequence[Scalar], budget: int) -> Scalar:
        loops = [self.loop(budget)]
        if self.rng.random() < 0.35:
            loops.append(self.loop(budget // len(loops[0].walk)))
        table = _FLOAT_COMBINES if self.is_float else _INT_COMBINES
        names = list(table)
        name = self.rng.choice([names[0], names[0], *names])
        function, start = table[name]
        product = name in ("mulf", "muli")
        if self.rng.random() < 0.3 and not product:
            start = 2
        init = (
            self.rng.choice(known) if known and self.rng.random() < 0.15 else self.constant(start)
        )
        before, names_ = init.name, []
        for lp in loops:
            argument = self.fresh("a")
            result = self.fresh("r")
            names_.append(result)
            self.lines.append(
                f"{result} = affine.for {lp.name} = {lp.walk.start} to {lp.walk.stop} "
                f"step {lp.walk.step} iter_args({argument} = {before}) -> ({self.kind}) {{"
            )
            before = argument
        every = [*outer, *loops]
        inside = [self.expanded(s, len(outer), len(loops)) for s in known]
        value = self.value(every, inside, product)
        swapped = self.rng.random() < 0.3
        pair = (value.name, before) if swapped else (before, value.name)
        new = self.fresh("s")
        self.lines.append(f"{new} = arith.{name} {pair[0]}, {pair[1]} : {self.kind}")
        for result in [*reversed(names_[1:]), None]:
            self.lines.append(f"affine.yield {new} : {self.kind}\n}}")
            new = result
        shape = [len(lp.walk) for lp in every]
        data = np.broadcast_to(value.data, shape).reshape([*shape[: len(outer)], -1])
        total = np.broadcast_to(init.data, shape[: len(outer)]).astype(self.wide)
        if (
            name.startswith(("add", "sub"))
            and self.is_float
            and (
                np.abs(data).sum(-1).max(initial=0) > _EXACT
                or np.abs(total).max(initial=0) > _EXACT
            )
        ):
            self.exact = False
        if product and self.is_float and np.abs(total).max(initial=0) > _EXACT:
            self.exact = False
        for k in range(data.shape[-1]):
            item = data[..., k]
            total = function(item, total) if swapped else function(total, item)
            if not self.is_float:
                total = total.astype(np.int32).astype(np.int64)
        return Scalar(names_[0], total)

    def epilogue(self, outer: Sequence[Loop], known: list[Scalar]) -> Scalar:
        x = known[-1]
        for _ in range(self.rng.randrange(3)):
            other = self.rng.choice([self.load(outer), self.constant(2), *known])
            name = (
                self.named("add")
                if self.rng.random() < 0.6
                else ("maximumf" if self.is_float else "maxsi")
            )
            x = self.binary(name, x, other)
            known.append(x)
        return x

    def store(self, outer: Sequence[Loop], value: Scalar) -> None:
        order = self.rng.sample(range(len(outer)), len(outer))
        if self.rng.random() < 0.6:
            order.sort()
        shape, text, indices = [], [], []
        grid = self.grid(outer)
        for k in order:
            lp = outer[k]
            offset = self.rng.choice((0, 0, 1))
            if self.rng.random() < 0.15:
                text.append(f"-1 * {lp.name} + {lp.walk[-1] + offset}")
                indices.append(lp.walk[-1] + offset - grid[k])
            else:
                text.append(f"{lp.name} + {offset}")
                indices.append(grid[k] + offset)
            shape.append(int(np.max(indices[-1])) + 1)
        if math.prod(shape) > 1 << 20:
            raise OverflowError
        name = f"%o{len(self.outputs)}"
        type_ = f'memref<{"".join(f"{n}x" for n in shape)}{self.kind}, "dram">'
        self.outputs.append(f'{name}: {type_} {{penguin.io = "output"}}')
        self.lines.append(f"affine.store {value.name}, {name}[{', '.join(text)}] : {type_}")
        self.clear(name, type_, shape)
        dtype = np.float32 if self.is_float else np.int32
        written = np.zeros(shape, dtype)
        written[tuple(indices)] = np.broadcast_to(value.data, [len(lp.walk) for lp in outer])
        self.expected.append(written)

    def clear(self, name: str, type_: str, shape: Sequence[int]) -> None:
        """A nest before all others that fills an output with zeros."""
        zero, axes = self.fresh("s"), [self.fresh("i") for _ in shape]
        loops = [f"affine.for {i} = 0 to {n} {{" for i, n in zip(axes, shape, strict=True)]
        number = "0.0" if self.is_float else "0"
        self.cleared += [
            f"{zero} = arith.constant {number} : {self.kind}",
            *loops,
            f"affine.store {zero}, {name}[{', '.join(axes)}] : {type_}",
            *("}" for _ in shape),
        ]


def nest(rng: random.Random) -> Nest:
    """A kernel of one nest. Elements of outputs that it does not store to stay zero."""
    found = Nest(rng)
    outer: list[Loop] = []
    size = 1
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        outer.append(found.loop(LIMIT // size))
        size *= len(outer[-1].walk)
    for lp in outer:
        found.lines.append(
            f"affine.for {lp.name} = {lp.walk.start} to {lp.walk.stop} step {lp.walk.step} {{"
        )
    known: list[Scalar] = []
    if rng.random() < 0.3:
        known.append(found.load(outer))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        known.append(found.reduction(outer, known, max(1, LIMIT // size)))
        if rng.random() < 0.3:
            found.store(outer, known[-1])
    found.store(outer, found.epilogue(outer, known))
    found.lines.extend("}" for _ in outer)
    return found
