"""Random kernels of the tensor and loop levels as text: buffers that are written more than once.

`program(rng)` draws steps one after another: allocations, offloaded ops (also onto buffers that
exist, and in place), affine nests with offsets, strides, reversed, permuted, split and joined
indices, reductions, several stores, stores under `affine.if`, bounds that depend on a loop, tensor
ops inside of loops, loads and stores at computed indices, scalar code outside of loops, views,
barriers, outputs that are read again, outputs in the buffer of an input. Programs that come from
SSA values never write a buffer between a copy of it and the copy's use; these do.

What a program computes is what the interpreter says before a pass. Memory that nobody wrote to
may be read: two runs with different bytes there tell which results do not depend on it.
Values are integers, which wrap, and f32s that are moved and compared: every order gives the same.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from random_movement_ops import KINDS, SHAPES, Buffer, Movement, ints


@dataclass(frozen=True)
class Loop:
    """An open loop; `walk` are the values that its variable may take."""

    name: str
    walk: range


@dataclass
class Kernel(Movement):
    """A program with nests, scalar code and updates between the ops."""

    # -- nests -------------------------------------------------------------------------------

    def loop(self, extent: int) -> Loop:
        step = self.rng.choice((1, 1, 1, 1, 2))
        lower = self.rng.choice((0, 0, 0, 1))
        return Loop(self.fresh("i"), range(lower, lower + (extent - 1) * step + 1, step))

    def opened(self, loop: Loop, carried: str = "") -> str:
        walk = loop.walk
        return f"affine.for {loop.name} = {walk.start} to {walk.stop} step {walk.step} {carried}{{"

    def index(self, loops: Sequence[Loop], extent: int) -> str:
        """An index into a dimension, inside of it for every iteration."""
        for _ in range(4):
            if not loops or self.often(0.05):
                break
            terms = [(loop, self.rng.choice((1, 1, 1, 1, 2, -1))) for loop in self.some(loops)]
            if len(terms) == 2 and self.often(0.7):
                inner = terms[1][0].walk
                terms = [(terms[0][0], len(inner)), (terms[1][0], 1)]
            ends = [sorted((f * lp.walk[0], f * lp.walk[-1])) for lp, f in terms]
            low, high = sum(a for a, _ in ends), sum(b for _, b in ends)
            text = " + ".join(f"{lp.name} * {f}" for lp, f in terms)
            if high - low < extent:
                zero = -low if self.often(0.7) else self.rng.randint(-low, extent - 1 - high)
                return f"{text} + {zero}"
            if self.often(0.15):
                return f"({text} + {-low}) mod {extent}"
            if self.often(0.15):
                divisor = -(-(high - low + 1) // extent)
                return f"({text} + {-low}) floordiv {divisor}"
        return str(self.rng.randrange(extent))

    def some(self, loops: Sequence[Loop]) -> list[Loop]:
        return self.rng.sample(loops, 2 if len(loops) > 1 and self.often(0.2) else 1)

    def indices(self, loops: Sequence[Loop], shape: Sequence[int]) -> str:
        """Mostly one loop per dimension, with every loop in use."""
        rest = self.rng.sample(loops, len(loops)) if self.often(0.3) else list(loops)
        texts = []
        for extent in shape:
            mine = [lp for lp in rest if len(lp.walk) == extent][:1]
            if mine and self.often(0.85):
                rest.remove(mine[0])
                lower, step = mine[0].walk.start, mine[0].walk.step
                texts.append(
                    f"{mine[0].name}" if (lower, step) == (0, 1)
                    else f"({mine[0].name} - {lower}) floordiv {step}"
                )  # fmt: skip
            else:
                texts.append(self.index(loops, extent))
        return ", ".join(texts)

    def covering(self, shape: tuple[int, ...]) -> tuple[list[Loop], str]:
        """Loops, and the indices with which they touch each element of a shape once."""
        loops: list[Loop] = []
        texts = []
        for extent in shape:
            if extent > 1 and extent % 2 == 0 and self.often(0.15):
                pair = [self.loop(extent // 2), self.loop(2)]
                loops += pair
                outer, inner = map(_counter, pair)
                texts.append(f"({outer}) * 2 + {inner}")
            elif extent == 1 and self.often(0.6):
                texts.append("0")
            else:
                loops.append(self.loop(extent))
                counter = _counter(loops[-1])
                flip = self.often(0.1)
                texts.append(f"{extent - 1} - ({counter})" if flip else counter)
        if len(shape) == 2 and self.often(0.05):
            flat = self.loop(math.prod(shape))
            counter = _counter(flat)
            return [flat], f"({counter}) floordiv {shape[1]}, ({counter}) mod {shape[1]}"
        if self.often(0.25):
            self.rng.shuffle(loops)
        return loops, ", ".join(texts)

    def load(self, loops: Sequence[Loop], buffer: Buffer, at: str | None = None) -> str:
        """A load, converted to the type that is computed in."""
        buffer.is_read = buffer.root.is_read = True
        name = self.fresh("v")
        where = self.indices(loops, buffer.shape) if at is None else at
        if at is None and self.often(0.05):
            index = self.computed(loops, buffer.shape)
            self.lines.append(f"{name} = memref.load {buffer.name}[{index}] : {buffer.type}")
        else:
            self.lines.append(f"{name} = affine.load {buffer.name}[{where}] : {buffer.type}")
        return self.converted(name, buffer.kind, "i32")

    def computed(self, loops: Sequence[Loop], shape: Sequence[int]) -> str:
        """Indices that come from memory; inside of the shape whatever is there."""
        names = []
        for extent in shape:
            table = self.known(lambda b: b.kind == "i32" and b.space == "dram")
            if table is None or (names and self.often(0.5)):
                names.append(self.applied(loops, extent))
                continue
            value, count, rest, name = (self.fresh("x") for _ in range(4))
            table.is_read = table.root.is_read = True
            where = self.indices(loops, table.shape)
            self.lines += [
                f"{value} = affine.load {table.name}[{where}] : {table.type}",
                f"{count} = arith.constant {extent} : i32",
                f"{rest} = arith.remui {value}, {count} : i32",
                f"{name} = arith.index_cast {rest} : i32 to index",
            ]
            names.append(name)
        return ", ".join(names)

    def applied(self, loops: Sequence[Loop], extent: int) -> str:
        """An index by `affine.apply` or a constant."""
        name = self.fresh("x")
        whole = [lp for lp in loops if lp.walk[-1] < extent]
        if not whole:
            self.lines.append(f"{name} = arith.constant {self.rng.randrange(extent)} : index")
        else:
            variable = self.rng.choice(whole).name
            self.lines.append(f"{name} = affine.apply affine_map<(d0) -> (d0)>({variable})")
        return name

    def converted(self, name: str, kind: str, to: str) -> str:
        if kind == to:
            return name
        ops = {
            ("i16", "i32"): "arith.extsi", ("i8", "i32"): "arith.extsi",
            ("i32", "i16"): "arith.trunci", ("i32", "i8"): "arith.trunci",
            ("f32", "i32"): "arith.bitcast", ("i32", "f32"): "arith.sitofp",
        }  # fmt: skip
        new = self.fresh("v")
        self.lines.append(f"{new} = {ops[kind, to]} {name} : {kind} to {to}")
        return new

    def value(self, loops: Sequence[Loop], near: Buffer, at: str | None, depth: int = 0) -> str:
        """Something to store at an element of `near`: loads, combined, perhaps reduced."""
        if depth == 0 and self.often(0.25):
            return self.reduction(loops, near, at)
        found = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            source = self.known(lambda b: not (b.root is near.root and self.often(0.6)))
            if at is not None and self.often(0.12):
                # In place, at the element that will be overwritten.
                found.append(self.load(loops, near, at))
            elif source is not None:
                found.append(self.load(loops, source))
        if self.scalars and self.often(0.2):
            found.append(self.rng.choice(self.scalars))
        if not found or self.often(0.05):
            found.append(self.fresh("v"))
            self.lines.append(f"{found[-1]} = arith.constant {self.rng.randint(-9, 9)} : i32")
        value = found[0]
        for other in found[1:]:
            value = self.combined(value, other)
        return value

    def combined(self, a: str, b: str) -> str:
        name = self.fresh("v")
        op = self.rng.choice(("addi", "addi", "subi", "maxsi", "xori", "muli"))
        self.lines.append(f"{name} = arith.{op} {a}, {b} : i32")
        return name

    def reduction(self, loops: Sequence[Loop], near: Buffer, at: str | None) -> str:
        inner = self.loop(self.rng.choice((2, 3, 4)))
        zero, total, result = self.fresh("v"), self.fresh("a"), self.fresh("r")
        self.lines += [
            f"{zero} = arith.constant 0 : i32",
            f"{result} = {self.opened(inner, f'iter_args({total} = {zero}) -> (i32) ')}",
        ]
        value = self.value([*loops, inner], near, at, 1)
        new = self.fresh("v")
        op = self.rng.choice(("addi", "addi", "maxsi", "subi"))
        self.lines.append(f"{new} = arith.{op} {total}, {value} : i32")
        if at is not None and self.often(0.1):
            self.store([*loops, inner], new, near, at)
        self.lines += [f"affine.yield {new} : i32", "}"]
        return result

    def store(self, loops: Sequence[Loop], value: str, dst: Buffer, at: str) -> None:
        stored = self.converted(value, "i32", dst.kind)
        self.lines.append(f"affine.store {stored}, {dst.name}[{at}] : {dst.type}")

    def nest(self, src: Buffer, dst: "Buffer | None" = None) -> None:
        """A nest that fills a buffer, or stores to some of its elements."""
        if dst is None:
            shape = src.shape if self.often(0.6) else self.rng.choice(SHAPES)
            dst = self.target(shape, self.rng.choice(KINDS))
        self.lines = []
        if self.often(0.75):
            loops, at = self.covering(dst.shape)
        else:
            loops = [self.loop(self.rng.choice((2, 3, 4))) for _ in range(self.rng.choice((1, 2)))]
            at = self.indices(loops, dst.shape)
        self.body(loops, dst, at)
        self.step(*self.lines)

    def body(self, loops: Sequence[Loop], dst: Buffer, at: str) -> None:
        early = self.rng.randrange(len(loops)) if loops and self.often(0.12) else None
        for depth, loop in enumerate(loops):
            if depth == early:
                # Between loops: the nest is not perfect.
                self.store([], self.value(loops[:depth], dst, None, 1), *self.elsewhere(
                    loops[:depth], dst))  # fmt: skip
            line = self.opened(loop)
            if depth and self.often(0.03) and loops[depth - 1].walk.start == 0:
                line = self.bounded(loop, loops[depth - 1])
            self.lines.append(line)
        value = self.value(loops, dst, at)
        self.guarded_store(loops, value, dst, at)
        if self.often(0.15):
            other, there = self.elsewhere(loops, dst)
            self.store(loops, value if self.often(0.5) else self.value(loops, other, there, 1),
                       other, there)  # fmt: skip
        if loops:
            mark = " {penguin.barrier}" if self.often(0.02) else ""
            self.lines += ["}"] * (len(loops) - 1) + [f"}}{mark}"]

    def bounded(self, loop: Loop, outer: Loop) -> str:
        """A loop whose last iterations are only there for large values of another's variable."""
        stop = f"min affine_map<(d0) -> ({loop.walk.stop}, d0 + {loop.walk.start + 1})>"
        return (
            f"affine.for {loop.name} = {loop.walk.start} to {stop}({outer.name}) "
            f"step {loop.walk.step} {{"
        )

    def elsewhere(self, loops: Sequence[Loop], dst: Buffer) -> tuple[Buffer, str]:
        """Another element to store to, in a buffer that is there."""
        other = self.known(lambda b: not b.is_input) or dst
        return other, self.indices(loops, other.shape)

    def guarded_store(self, loops: Sequence[Loop], value: str, dst: Buffer, at: str) -> None:
        if not loops or not self.often(0.08):
            if self.often(0.04):
                stored = self.converted(value, "i32", dst.kind)
                index = self.computed(loops, dst.shape)
                self.lines.append(f"memref.store {stored}, {dst.name}[{index}] : {dst.type}")
            else:
                self.store(loops, value, dst, at)
            return
        loop = self.rng.choice(loops)
        bound = self.rng.choice(loop.walk)
        sign = self.rng.choice(("d0 - {} >= 0", "{} - d0 >= 0", "d0 - {} == 0")).format(bound)
        self.lines.append(f"affine.if affine_set<(d0) : ({sign})>({loop.name}) {{")
        self.store(loops, value, dst, at)
        if self.often(0.3):
            self.lines.append("} else {")
            other, there = self.elsewhere(loops, dst)
            self.store(loops, value, other, there)
        self.lines.append("}")

    def scalar(self, src: Buffer) -> None:
        """Scalar code outside of loops."""
        self.lines = []
        value = self.load([], src)
        self.step(*self.lines)
        self.lines = []
        self.scalars.append(value)
        found = self.known(lambda b: not b.is_input)
        if found is not None and self.often(0.5):
            self.store([], value, found, self.indices([], found.shape))
            self.step(*self.lines)

    # -- the whole ---------------------------------------------------------------------------

    def movement(self, src: Buffer) -> None:
        ops = (self.memcpy, self.memcpy, self.memcast, self.transpose, self.slice, self.concat,
               self.broadcast)  # fmt: skip
        self.rng.choice(ops)(src)

    def episode(self) -> None:
        """A nest, an op on what it stores, a nest that loads that; others may come between."""
        last = self.known()
        assert last is not None
        self.nest(last)
        src = self.buffers[-1]
        self.disturb(src)
        self.movement(src)
        dst = self.buffers[-1]
        self.disturb(src, dst)
        self.nest(dst)
        self.disturb(src, dst)

    def update(self) -> None:
        """A nest that loads from a buffer what an op will put there changed."""
        dst = self.known(lambda b: not b.is_input and b.count > 1)
        if dst is None:
            return
        order = list(range(len(dst.shape)))
        if self.often(0.4):
            self.rng.shuffle(order)
        kind = dst.kind if self.often(0.8) else "i16"
        src = Buffer(self.fresh("t"), tuple(dst.shape[d] for d in order), kind, "dram")
        self.step(f"{src.name} = memref.alloc() : {src.type}")
        if self.often(0.15):
            self.op("memset", [], src, value=f"3{'.0' if kind == 'f32' else ''} : {kind}")
        self.lines = []
        loops, at = self.covering(src.shape)
        self.lines += [self.opened(loop) for loop in loops]
        where: list[str] = [""] * len(order)
        for text, dim in zip(at.split(", "), order, strict=True):
            where[dim] = text
        old = self.load(loops, dst, ", ".join(where) if self.often(0.9) else None)
        value = self.combined(old, self.value(loops, src, None, 1))
        if self.often(0.1):
            self.guarded_store(loops, value, src, at)
        self.store(loops, value, src, at)
        if self.often(0.1):
            self.load(loops, dst)
        self.lines += ["}"] * len(loops)
        self.step(*self.lines)
        self.buffers.append(src)
        self.disturb(src, dst)
        if order != sorted(order):
            back = [order.index(d) for d in range(len(order))]
            if kind == dst.kind:
                self.op("transpose", [src], dst, permutation=ints(back))
        else:
            self.op("memcpy" if kind == dst.kind else "memcast", [src], dst)
        self.disturb(src, dst)

    def disturb(self, *buffers: Buffer) -> None:
        """Perhaps stores to a buffer, or loads from it."""
        if not self.often(0.3):
            return
        buffer = self.rng.choice([*buffers, self.known() or buffers[0]])
        if self.often(0.5) and not buffer.is_input:
            self.nest(buffer, buffer)
        else:
            self.nest(buffer)

    def grow(self, steps: int) -> None:
        for _ in range(steps):
            src = self.known()
            assert src is not None
            way = self.rng.random()
            if way < 0.2:
                self.episode()
            elif way < 0.3:
                self.update()
            elif way < 0.5:
                self.movement(src)
            elif way < 0.9:
                self.nest(src)
            else:
                self.rng.choice((self.scalar, self.memset, self.compute, self.compute))(src)

    def finish(self) -> None:
        """What nobody has read goes into outputs."""
        for buffer in [b for b in self.buffers if not b.is_read and not b.is_io]:
            if len(self.arguments) > 9:
                break
            if self.often(0.5):
                shape = self.reshaped(buffer.shape) if self.often(0.5) else buffer.shape
                self.op("memcpy", [buffer], self.output(shape, buffer.kind))
                continue
            dst = self.output(buffer.shape, "i32")
            self.lines = []
            loops, at = self.covering(dst.shape)
            self.lines += [self.opened(loop) for loop in loops]
            self.store(loops, self.load(loops, buffer, at), dst, at)
            self.lines += ["}"] * len(loops)
            self.step(*self.lines)


def _counter(loop: Loop) -> str:
    """How many iterations of a loop are over."""
    if (loop.walk.start, loop.walk.step) == (0, 1):
        return loop.name
    return f"({loop.name} - {loop.walk.start}) floordiv {loop.walk.step}"


def program(rng: random.Random, aliases: bool = True) -> Kernel:
    """A kernel of some 4 to 16 steps."""
    kernel = Kernel(rng, aliases)
    for _ in range(rng.choice((1, 2, 2, 3))):
        kernel.input()
    if kernel.often(0.1):
        kernel.constant()
    if aliases and kernel.often(0.25):
        kernel.in_place()
    kernel.grow(rng.randint(3, 12))
    kernel.finish()
    return kernel
