"""Random kernels on few buffers that are written again and again.

Some are written through views, and an output may be in the buffer of an input: what a pass must not
mistake for values. `random_kernel(seed)` gives the text of a module.
"""

import math
import random

SHAPES = [(4, 6), (24,), (6, 4), (2, 12), (1, 24), (4, 3), (2, 6), (12,), (8, 6), (48,), (4, 1)]


class Kernel:
    """Lines of a kernel; `buffers` are (name, shape, dtype), of which the first are inputs."""

    def __init__(self, seed: int, ops: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.defined: set[str] = set()
        self.count = 0
        pick = self.random.choice
        self.inputs = [(f"%in{i}", pick(SHAPES), pick(["f32", "f32", "i32"])) for i in range(2)]
        self.outputs = [(f"%out{i}", pick(SHAPES), pick(["f32", "f32", "i32"])) for i in range(2)]
        self.alias = self.random.random() < 0.4
        if self.alias:
            self.outputs[0] = ("%out0", *self.inputs[0][1:])
        self.buffers = [*self.inputs, *self.outputs]
        self.defined.update(name for name, _, _ in self.inputs)
        if self.alias:
            self.defined.add("%out0")
        for _ in range(self.random.randint(2, 5)):
            self.new(pick(SHAPES), pick(["f32", "f32", "f32", "i32", "bf16"]))
        makers = [self.move, self.move, self.slice, self.concat, self.broadcast, self.cast]
        makers += [self.transpose, self.reverse, self.unary, self.binary, self.memset, self.select]
        for _ in range(ops):
            pick(makers)()
        for output in self.outputs:
            if output[0] not in self.defined:
                self.emit("memset", [], output, f"{{value = {_zero(output[2])}}}")

    def new(self, shape: tuple[int, ...], dtype: str) -> tuple[str, tuple[int, ...], str]:
        buffer = (f"%t{self.count}", shape, dtype)
        self.count += 1
        self.lines.append(f"{buffer[0]} = memref.alloc() : {_type(buffer)}")
        self.buffers.append(buffer)
        return buffer

    def source(self, fits=lambda b: True):
        found = [b for b in self.buffers if b[0] in self.defined and fits(b)]
        return self.random.choice(found[-6:]) if found else None

    def target(self, shape, dtype, *sources):
        """A buffer that shares memory with no source: mostly an old one, perhaps through a view."""
        taken = {_root(name) for name, _, _ in sources}
        if self.alias and taken & {"%in0", "%out0"}:
            taken |= {"%in0", "%out0"}
        inputs = {name for name, _, _ in self.inputs}
        same = [
            b for b in self.buffers if b[1:] == (shape, dtype) and _root(b[0]) not in taken | inputs
        ]
        if same and self.random.random() < 0.7:
            return self.random.choice(same)
        like = [
            b
            for b in self.buffers
            if b[2] == dtype
            and math.prod(b[1]) == math.prod(shape)
            and b[1] != shape
            and "v" not in b[0]
            and b[0] not in inputs
            and b[0] not in taken
        ]
        if like and self.random.random() < 0.3:
            return self.view(self.random.choice(like), shape)
        return self.new(shape, dtype)

    def view(self, base, shape):
        name = f"{base[0]}v{self.count}"
        self.count += 1
        strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
        self.lines.append(
            f"{name} = memref.reinterpret_cast {base[0]} to offset: [0], sizes: {list(shape)},"
            f" strides: {strides} : {_type(base)} to {_type((name, shape, base[2]))}"
        )
        view = (name, shape, base[2])
        if base[0] in self.defined:
            self.defined.add(name)
        self.buffers.append(view)
        return view

    def emit(self, op, sources, target, attributes="") -> None:
        operands = [*sources, target]
        names = ", ".join(name for name, _, _ in operands)
        types = ", ".join(map(_type, operands))
        self.lines.append(f'"penguin.{op}"({names}) {attributes} : ({types}) -> ()')
        root = _root(target[0])
        self.defined.update(b[0] for b in self.buffers if _root(b[0]) == root)
        if self.alias and root in ("%in0", "%out0"):
            self.defined.update(("%in0", "%out0"))

    def move(self) -> None:
        source = self.source()
        count = math.prod(source[1])
        shape = self.random.choice([s for s in SHAPES if math.prod(s) == count] + [source[1]])
        self.emit("memcpy", [source], self.target(shape, source[2], source))

    def slice(self) -> None:
        source = self.source()
        pick = self.random.randint
        flat = self.random.random() < 0.3
        extents = (math.prod(source[1]),) if flat else source[1]
        starts = [pick(0, e - 1) if pick(0, 1) else 0 for e in extents]
        limits = [pick(s + 1, e) if pick(0, 1) else e for s, e in zip(starts, extents, strict=True)]
        strides = [self.random.choice([1, 1, 1, 2]) for _ in extents]
        shape = tuple(-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True))
        text = ", ".join(
            f"{key} = array<i64: {', '.join(map(str, values))}>"
            for key, values in (("limits", limits), ("starts", starts), ("strides", strides))
        )
        kind = "flattened" if flat else "ndim"
        target = self.target(shape, source[2], source)
        self.emit("slice", [source], target, f'{{access = "{kind}", {text}}}')

    def concat(self) -> None:
        first = self.source()
        axis = self.random.randrange(len(first[1]))
        same = [first]
        for _ in range(self.random.randint(0, 2)):
            more = self.source(
                lambda b: (
                    b[2] == first[2]
                    and len(b[1]) == len(first[1])
                    and all(
                        i == axis or x == y
                        for i, (x, y) in enumerate(zip(b[1], first[1], strict=True))
                    )
                )
            )
            same.append(more)
        shape = list(first[1])
        shape[axis] = sum(b[1][axis] for b in same)
        if math.prod(shape) > 200:
            return
        runs: list[list] = []
        for b in same:
            if runs and runs[-1][0] == _type(b):
                runs[-1][1] += 1
            else:
                runs.append([_type(b), 1])
        sizes = [n for _, n in runs] + [0] * (16 - len(runs)) + [1]
        text = f"{{axis = {axis} : i64, operandSegmentSizes = array<i32: {str(sizes)[1:-1]}>}}"
        self.emit("concat", same, self.target(tuple(shape), first[2], *same), text)

    def broadcast(self) -> None:
        source = self.source(lambda b: len(b[1]) < 4)
        at = self.random.randint(0, len(source[1]))
        shape = list(source[1])
        shape.insert(at, self.random.choice([1, 2]))
        dims = [d if d < at else d + 1 for d in range(len(source[1]))]
        for d, dim in enumerate(dims):
            if source[1][d] == 1:
                shape[dim] = self.random.choice([1, 3])
        if math.prod(shape) > 200:
            return
        target = self.target(tuple(shape), source[2], source)
        dims_text = ", ".join(map(str, dims))
        self.emit("broadcast", [source], target, f"{{dims = array<i64: {dims_text}>}}")

    def cast(self) -> None:
        source = self.source()
        dtype = self.random.choice([d for d in ("f32", "bf16", "i32", "i8") if d != source[2]])
        self.emit("memcast", [source], self.target(source[1], dtype, source))

    def transpose(self) -> None:
        source = self.source()
        order = list(range(len(source[1])))
        self.random.shuffle(order)
        target = self.target(tuple(source[1][d] for d in order), source[2], source)
        self.emit(
            "transpose", [source], target, f"{{permutation = array<i64: {str(order)[1:-1]}>}}"
        )

    def reverse(self) -> None:
        source = self.source()
        axes = [d for d in range(len(source[1])) if self.random.random() < 0.5]
        text = f"{{axes = array<i64: {str(axes)[1:-1]}>}}" if axes else "{axes = array<i64>}"
        self.emit("reverse", [source], self.target(source[1], source[2], source), text)

    def unary(self) -> None:
        source = self.source(lambda b: b[2] != "i1")
        target = self.target(source[1], source[2], source)
        if self.random.random() < 0.2 and source not in self.inputs:
            # In place.
            target = source
        self.emit("unary", [source], target, '{function = "negate"}')

    def binary(self) -> None:
        a = self.source(lambda b: b[2] != "i1")
        b = self.source(lambda x: x[1:] == a[1:])
        function = self.random.choice(["add", "subtract", "multiply", "maximum"])
        self.emit("binary", [a, b], self.target(a[1], a[2], a, b), f'{{function = "{function}"}}')

    def memset(self) -> None:
        target = self.target(self.random.choice(SHAPES), self.random.choice(["f32", "f32", "i32"]))
        value = self.random.choice([0, 1, -3])
        text = f"{value}.0 : f32" if target[2] == "f32" else f"{value} : i32"
        if target[2] == "f32" and self.random.random() < 0.2:
            text = "-0.0 : f32"
        self.emit("memset", [], target, f"{{value = {text}}}")

    def select(self) -> None:
        a = self.source()
        b = self.source(lambda x: x[1:] == a[1:])
        pred = self.new(a[1], "i1")
        self.emit("binary", [a, b], pred, '{function = "compare_lt"}')
        c = self.random.choice([a, b])
        self.emit("select", [pred, a, c], self.target(a[1], a[2], a, c))

    def text(self) -> str:
        arguments = [f'{n}: {_type((n, s, d))} {{penguin.io = "input"}}' for n, s, d in self.inputs]
        for number, (name, shape, dtype) in enumerate(self.outputs):
            alias = ", penguin.alias = 0 : i64" if self.alias and number == 0 else ""
            arguments.append(
                f'{name}: {_type((name, shape, dtype))} {{penguin.io = "output"{alias}}}'
            )
        body = "\n    ".join(self.lines)
        return (
            f"func.func @main({', '.join(arguments)}) attributes {{penguin.kernel}} {{\n"
            f"    {body}\n    return\n}}\n"
        )


def _type(buffer) -> str:
    _, shape, dtype = buffer
    return f'memref<{"".join(f"{d}x" for d in shape)}{dtype}, "dram">'


def _root(name: str) -> str:
    return name.split("v")[0]


def _zero(dtype: str) -> str:
    return "0 : i32" if dtype == "i32" else "0.0 : f32"


def random_kernel(seed: int, ops: int = 12) -> str:
    """The module's text; dtype i8 and bf16 never reach an output but through casts."""
    return Kernel(seed, ops).text()
