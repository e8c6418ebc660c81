"""Random StableHLO programs in which data movement surrounds contractions and reductions.

As `random_programs`, with small extents, so that shapes meet again; with motifs of real models
(heads split off, transposed, contracted in batches and joined again; a row statistic subtracted;
halves swapped; a round trip through another dtype; a padded window); and with arguments donated to
results of their type.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from random_programs import FLOATS, Program, Value, tensor

EXTENTS = (1, 2, 2, 3, 4, 4, 6, 8)
LIMIT = 384


@dataclass
class Mixed(Program):
    """`donated` maps the number of an argument to that of the result in its buffer."""

    donated: dict[int, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        donations = {
            self.arguments[a].name: f" {{tf.aliasing_output = {r} : i32}}"
            for a, r in self.donated.items()
        }
        arguments = (f"{v.name}: {v.type}{donations.get(v.name, '')}" for v in self.arguments)
        first, _, rest = super().text.partition(") -> ")
        return f"{first[: first.index('(')]}({', '.join(arguments)}) -> {rest}"

    def step(self) -> Value | None:
        if self.rng.random() < 0.35:
            motifs = (self.heads, self.centred, self.swapped, self.round_trip, self.window)
            return self.rng.choice(motifs)()
        ops = (
            *(self.reshape, self.transpose, self.slice, self.concat, self.broadcasts, self.pad),
            *(self.reshape, self.transpose, self.convert, self.binary, self.binary, self.unary),
            *(self.select, self.reduce, self.dot, self.dot),
        )
        return self.rng.choice(ops)()

    def applied(self, *steps: "Callable[[Value], Value | None]") -> Value | None:
        """One step on the result of another, as long as there is one."""
        value: Value | None = self.pick()
        for step in steps:
            if value is None:
                return None
            value = step(value)
        return value

    # -- steps with everything chosen --------------------------------------------------------

    def reshaped(self, x: Value, shape: tuple[int, ...]) -> Value:
        text = f"stablehlo.reshape {x.name} : ({x.type}) -> {tensor(shape, x.kind)}"
        return self.emit(text, x.data.reshape(shape), x.kind, x.exact)

    def transposed(self, x: Value, order: tuple[int, ...]) -> Value:
        data = np.transpose(x.data, order)
        type_ = tensor(data.shape, x.kind)
        text = f"stablehlo.transpose {x.name}, dims = {list(order)} : ({x.type}) -> {type_}"
        return self.emit(text, data, x.kind, x.exact)

    def sliced(self, x: Value, axis: int, start: int, stop: int) -> Value:
        bounds = [(start, stop) if d == axis else (0, n) for d, n in enumerate(x.shape)]
        data = x.data[tuple(slice(*b) for b in bounds)]
        texts = ", ".join(f"{a}:{b}:1" for a, b in bounds)
        type_ = tensor(data.shape, x.kind)
        text = f"stablehlo.slice {x.name} [{texts}] : ({x.type}) -> {type_}"
        return self.emit(text, data, x.kind, x.exact)

    def joined(self, parts: list[Value], axis: int) -> Value:
        data = np.concatenate([p.data for p in parts], axis)
        kind = parts[0].kind
        names, types = (", ".join(getattr(p, key) for p in parts) for key in ("name", "type"))
        text = f"stablehlo.concatenate {names}, dim = {axis} : ({types}) -> "
        exact = all(p.exact for p in parts)
        return self.emit(f"{text}{tensor(data.shape, kind)}", data, kind, exact)

    def converted(self, x: Value, kind: str) -> Value:
        text = f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.shape, kind)}"
        exact = x.exact and self.fits(x.data.astype(np.float64), kind)
        return self.emit(text, x.data.astype(np.float64), kind, exact)

    def batched(self, x: Value, y: Value, axis: int) -> Value | None:
        """[h, s, d] with [h, t, d] (axis 2) or [h, d, t] (axis 1), contracted along d."""
        wide = [v.data.astype(np.float64) for v in (x, y)]
        equation = "hsd,htd->hst" if axis == 2 else "hsd,hdt->hst"
        data = np.einsum(equation, *wide)
        if not self.fits(np.einsum(equation, *map(np.abs, wide)), x.kind):
            return None
        text = (
            f"stablehlo.dot_general {x.name}, {y.name}, batching_dims = [0] x [0], "
            f"contracting_dims = [2] x [{axis}] : ({x.type}, {y.type}) -> "
        )
        return self.emit(f"{text}{tensor(data.shape, x.kind)}", data, x.kind)

    # -- motifs ------------------------------------------------------------------------------

    def rows(self) -> Value:
        """[s, h * d] of an exact float."""
        found = [
            v for v in self.values
            if v.exact and v.kind in FLOATS and len(v.shape) == 2 and v.shape[1] % 2 == 0
        ]  # fmt: skip
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        return self.argument((self.rng.choice((2, 3, 4)), self.rng.choice((4, 6, 8))), "f32")

    def heads(self) -> Value | None:
        """Attention without its exponential."""
        x = self.rows()
        rows, columns = x.shape
        split = self.reshaped(x, (rows, 2, columns // 2))
        queries = self.transposed(split, (1, 0, 2))
        keys = queries
        if self.rng.random() < 0.5:
            keys = self.transposed(split, (1, 2, 0))
        scores = self.batched(queries, keys, 2 if keys is queries else 1)
        if scores is None:
            return queries
        mixed = self.batched(scores, queries, 1)
        if mixed is None:
            return scores
        return self.reshaped(self.transposed(mixed, (1, 0, 2)), (rows, columns))

    def centred(self) -> Value | None:
        """A tensor less its maximum along an axis."""
        x = self.rows()
        least = self.emit("stablehlo.constant dense<-9.0> : " + tensor((), x.kind),
                          np.array(-9.0), x.kind)  # fmt: skip
        axis = self.rng.randrange(2)
        kept = 1 - axis
        data = np.maximum(x.data.astype(np.float64).max(axis), -9.0)
        top = self.emit(
            f"stablehlo.reduce({x.name} init: {least.name}) applies stablehlo.maximum across "
            f"dimensions = [{axis}] : ({x.type}, {least.type}) -> {tensor(data.shape, x.kind)}",
            data, x.kind,
        )  # fmt: skip
        wide = self.broadcast(top, x.shape, [kept])
        data = x.data.astype(np.float64) - wide.data.astype(np.float64)
        if not self.fits(data, x.kind):
            return wide
        return self.emit(f"stablehlo.subtract {x.name}, {wide.name} : {x.type}", data, x.kind)

    def swapped(self) -> Value | None:
        """Both halves along an axis, joined in the other order; one of them perhaps negated."""
        x = self.rows()
        half = x.shape[1] // 2
        low, high = self.sliced(x, 1, 0, half), self.sliced(x, 1, half, x.shape[1])
        if self.rng.random() < 0.5:
            text = f"stablehlo.negate {high.name} : {high.type}"
            high = self.emit(text, -high.data.astype(np.float64), high.kind)
        return self.joined([high, low], 1)

    def round_trip(self) -> Value | None:
        """Through a narrower float and back."""
        x = self.rows()
        kind = "bf16" if x.kind != "bf16" else "f16"
        if not self.fits(x.data.astype(np.float64), kind):
            return None
        return self.converted(self.converted(x, kind), x.kind)

    def window(self) -> Value | None:
        """Rows moved by one, zeros at the end: a slice that is padded."""
        x = self.rows()
        if x.shape[0] < 2:
            return None
        part = self.sliced(x, 0, 1, x.shape[0])
        zero = self.emit("stablehlo.constant dense<0.0> : " + tensor((), x.kind),
                         np.array(0.0), x.kind)  # fmt: skip
        data = np.pad(part.data, [(0, 1), (0, 0)])
        text = (
            f"stablehlo.pad {part.name}, {zero.name}, low = [0, 0], high = [1, 0], "
            f"interior = [0, 0] : ({part.type}, {zero.type}) -> {x.type}"
        )
        return self.emit(text, data, x.kind, x.exact)

    def donate(self) -> None:
        """Arguments to results of their type, each at most once."""
        free = list(range(len(self.results)))
        for number, argument in enumerate(self.arguments):
            fits = [r for r in free if self.results[r].type == argument.type]
            if fits and self.rng.random() < 0.5:
                self.donated[number] = self.rng.choice(fits)
                free.remove(self.donated[number])


def program(rng: random.Random) -> Mixed:
    """A program of 4 to 14 steps, a motif being one."""
    found = Mixed(rng, extents=EXTENTS, limit=LIMIT)
    found.argument(found.shape(), rng.choice([*FLOATS, "f32", "f32", "i32"]))
    wanted = rng.randint(4, 14)
    with np.errstate(all="ignore"):
        done = [value for _ in range(wanted) if (value := found.step()) is not None]
    done = done or [found.argument(found.shape(), "f32")]
    found.results = [done[-1], *rng.sample(done, min(len(done), rng.randrange(3)))]
    found.donate()
    return found
