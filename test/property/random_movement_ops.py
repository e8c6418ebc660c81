"""Buffers of a random kernel and tensor ops on them; `random_buffers` adds the nests."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from penguin import dtypes

# Elements of a buffer.
LIMIT = 64
SHAPES = [(1,), (6,), (8,), (12,), (2, 3), (3, 4), (4, 4), (2, 6), (6, 2), (2, 2, 3), (2, 3, 4)]
KINDS = ["i32", "i32", "i32", "i16", "f32"]


@dataclass(eq=False)
class Buffer:
    """A memref value; a view has the buffer that it is one of as `base`."""

    name: str
    shape: tuple[int, ...]
    kind: str
    space: str
    is_io: bool = False
    base: "Buffer | None" = None
    is_read: bool = False
    is_input: bool = False

    @property
    def type(self) -> str:
        return f'memref<{"".join(f"{n}x" for n in self.shape)}{self.kind}, "{self.space}">'

    @property
    def root(self) -> "Buffer":
        return self if self.base is None else self.base

    @property
    def count(self) -> int:
        return math.prod(self.shape)


@dataclass
class Movement:
    """Buffers, and ops on whole ones: one text per step of the function's body."""

    rng: random.Random
    aliases: bool = True
    chunks: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    inputs: list[np.ndarray] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    number: int = 0

    def __post_init__(self) -> None:
        self.numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        self.lines: list[str] = []
        self.given: list[Buffer] = []

    @property
    def text(self) -> str:
        head = f"func.func @main({', '.join(self.arguments)}) attributes {{penguin.kernel}} {{"
        return "\n".join([*self.constants, head, *self.chunks, "return", "}", ""])

    # -- small choices -----------------------------------------------------------------------

    def often(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"%{prefix}{self.number}"

    def step(self, *lines: str) -> None:
        self.chunks.append("\n".join(lines))

    def known(self, wanted: Callable[[Buffer], bool] = lambda b: True) -> "Buffer | None":
        """A buffer that something was written to; rather a recent one."""
        found = [b for b in self.buffers if wanted(b)]
        if not found:
            return None
        return self.rng.choice(found[-4:] if self.often(0.6) else found)

    # -- buffers -----------------------------------------------------------------------------

    def numbers_of(self, shape: Sequence[int], kind: str) -> np.ndarray:
        return self.numbers.integers(-9, 10, shape).astype(dtypes.BY_MLIR[kind].numpy)

    def input(self) -> Buffer:
        buffer = Buffer(self.fresh("in"), self.rng.choice(SHAPES), self.rng.choice(KINDS), "dram")
        buffer.is_io = buffer.is_input = True
        self.arguments.append(f'{buffer.name}: {buffer.type} {{penguin.io = "input"}}')
        self.inputs.append(self.numbers_of(buffer.shape, buffer.kind))
        self.given.append(buffer)
        self.buffers.append(buffer)
        return buffer

    def output(self, shape: tuple[int, ...], kind: str) -> Buffer:
        buffer = Buffer(self.fresh("out"), shape, kind, "dram", is_io=True)
        self.arguments.append(f'{buffer.name}: {buffer.type} {{penguin.io = "output"}}')
        return buffer

    def in_place(self) -> None:
        """An output in the buffer of an input."""
        number = self.rng.randrange(len(self.given))
        given = self.given[number]
        buffer = Buffer(self.fresh("out"), given.shape, given.kind, "dram", is_io=True)
        facts = f'{{penguin.io = "output", penguin.alias = {number} : i64}}'
        self.arguments.append(f"{buffer.name}: {buffer.type} {facts}")
        self.buffers.append(buffer)

    def constant(self) -> None:
        shape, kind = self.rng.choice(SHAPES), self.rng.choice(KINDS)
        buffer = Buffer(self.fresh("c"), shape, kind, "dram", is_input=True)
        data = self.numbers_of(shape, kind)
        symbol = f"@const{len(self.constants)}"
        one = float(data.flat[0]) if kind == "f32" else int(data.flat[0])
        values = one if data.size == 1 else f'"0x{data.tobytes().hex().upper()}"'
        self.constants.append(f"memref.global constant {symbol} : {buffer.type} = dense<{values}>")
        self.step(f"{buffer.name} = memref.get_global {symbol} : {buffer.type}")
        self.buffers.append(buffer)

    def target(self, shape: tuple[int, ...], kind: str, srcs: Sequence[Buffer] = ()) -> Buffer:
        """Where a result goes: a new buffer, an output, or one that is there already."""
        roots = [src.root for src in srcs]
        if self.often(0.3):
            found = self.known(
                lambda b: b.shape == shape and b.kind == kind and not b.is_input
                and (b.root not in roots or self.often(0.05))
            )  # fmt: skip
            if found is not None:
                return found
        if self.often(0.12) and len(self.arguments) < 9:
            buffer = self.output(shape, kind)
        else:
            buffer = Buffer(self.fresh("t"), shape, kind, "sbuf" if self.often(0.03) else "dram")
            remat = " {penguin.remat}" if self.often(0.02) else ""
            self.step(f"{buffer.name} = memref.alloc(){remat} : {buffer.type}")
        self.buffers.append(buffer)
        return buffer

    def seen_as(self, buffer: Buffer, shape: tuple[int, ...]) -> Buffer:
        """The buffer, or a view of it under a shape."""
        if shape == buffer.shape:
            return buffer
        root = buffer.root
        view = Buffer(self.fresh("w"), shape, root.kind, root.space, root.is_io, root)
        view.is_input = buffer.is_input
        strides, stride = [], 1
        for extent in reversed(shape):
            strides.insert(0, stride)
            stride *= extent
        self.step(
            f"{view.name} = memref.reinterpret_cast {root.name} to offset: [0], sizes: "
            f"{list(shape)}, strides: {strides} : {root.type} to {view.type}"
        )
        return view

    # -- offloaded ops -----------------------------------------------------------------------

    def op(self, name: str, srcs: Sequence[Buffer], dst: Buffer, **facts: str) -> None:
        if self.often(0.06):
            new = self.reshaped(dst.shape) if name in ("memcpy", "memset") else dst.shape
            dst = self.seen_as(dst, new)
        if name == "memcpy" and self.often(0.06):
            srcs = [self.seen_as(srcs[0], self.reshaped(srcs[0].shape))]
        for src in srcs:
            src.root.is_read = src.is_read = True
        if self.often(0.03):
            facts["penguin.barrier"] = "unit"
        texts = ", ".join(f"{k} = {v}" if v != "unit" else k for k, v in facts.items())
        operands = [*srcs, dst]
        line = (
            f'"penguin.{name}"({", ".join(b.name for b in operands)}) {{{texts}}} : '
            f"({', '.join(b.type for b in operands)}) -> ()"
        )
        if self.often(0.03):
            loop = self.loop(3)
            self.step(self.opened(loop), line, "}")
        else:
            self.step(line)

    def reshaped(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        count = math.prod(shape)
        return self.rng.choice([s for s in [*SHAPES, (count,)] if math.prod(s) == count])

    def memcpy(self, src: Buffer) -> None:
        shape = self.reshaped(src.shape) if self.often(0.7) else src.shape
        self.op("memcpy", [src], self.target(shape, src.kind, [src]))

    def memcast(self, src: Buffer) -> None:
        kind = self.rng.choice([k for k in ("i32", "i16", "i8", "f32") if k != src.kind])
        self.op("memcast", [src], self.target(src.shape, kind, [src]))

    def transpose(self, src: Buffer) -> None:
        order = self.rng.sample(range(len(src.shape)), len(src.shape))
        dst = self.target(tuple(src.shape[d] for d in order), src.kind, [src])
        self.op("transpose", [src], dst, permutation=ints(order))

    def broadcast(self, src: Buffer) -> None:
        at = self.rng.randint(0, len(src.shape))
        shape = [*src.shape[:at], self.rng.choice((2, 3)), *src.shape[at:]]
        if math.prod(shape) > LIMIT:
            return
        dims = [d + (d >= at) for d in range(len(src.shape))]
        self.op("broadcast", [src], self.target(tuple(shape), src.kind, [src]), dims=ints(dims))

    def slice(self, src: Buffer) -> None:
        flat = self.often(0.3)
        boxes = []
        for extent in (src.count,) if flat else src.shape:
            start = self.rng.randrange(extent) if self.often(0.6) else 0
            limit = self.rng.randint(start + 1, extent) if self.often(0.6) else extent
            boxes.append((start, limit, self.rng.choice((1, 1, 1, 2))))
        counts = tuple(len(range(*box)) for box in boxes)
        shape = self.reshaped(counts) if flat else counts
        starts, limits, strides = (ints(list(x)) for x in zip(*boxes, strict=True))
        access = '"flattened"' if flat else '"ndim"'
        dst = self.target(shape, src.kind, [src])
        self.op("slice", [src], dst, starts=starts, limits=limits, strides=strides, access=access)

    def concat(self, src: Buffer) -> None:
        axis = self.rng.randrange(len(src.shape))

        def fits(other: Buffer) -> bool:
            return (
                other.kind == src.kind and len(other.shape) == len(src.shape)
                and without(other.shape, axis) == without(src.shape, axis)
            )  # fmt: skip

        srcs = [src, *(self.known(fits) or src for _ in range(self.rng.choice((0, 1, 1, 2))))]
        self.rng.shuffle(srcs)
        shape = list(src.shape)
        shape[axis] = sum(b.shape[axis] for b in srcs)
        if math.prod(shape) > LIMIT:
            return
        sizes = [1] * len(srcs) + [0] * (16 - len(srcs)) + [1]
        dst = self.target(tuple(shape), src.kind, srcs)
        segments = f"array<i32: {', '.join(map(str, sizes))}>"
        self.op("concat", srcs, dst, axis=f"{axis} : i64", operandSegmentSizes=segments)

    def memset(self, like: Buffer) -> None:
        value = f"{self.rng.randint(-5, 5)}{'.0' if like.kind == 'f32' else ''} : {like.kind}"
        self.op("memset", [], self.target(like.shape, like.kind), value=value)

    def compute(self, src: Buffer) -> None:
        """An op that uses its tensors as wholes."""
        dst = self.target(src.shape, src.kind, [src])
        way = self.rng.random()
        other = self.known(lambda b: b.shape == src.shape and b.kind == src.kind)
        if way < 0.4 and other is not None:
            self.op("binary", [src, other], dst, function='"maximum"')
        elif way < 0.7:
            self.op("unary", [src], dst, function='"negate"')
        else:
            self.op("reverse", [src], dst, axes=ints([self.rng.randrange(len(src.shape))]))


def ints(values: Sequence[int]) -> str:
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def without(shape: Sequence[int], axis: int) -> list[int]:
    return [extent for dim, extent in enumerate(shape) if dim != axis]
