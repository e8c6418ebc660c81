"""Random StableHLO functions with donated arguments, for the tests of shared buffers.

All values are 4x4 or 16 floats, so that nearly everything could be in the buffer of everything.
"""

import random

SQUARE, FLAT = "tensor<4x4xf32>", "tensor<16xf32>"
_UNARY = ("tanh", "negate", "abs")
_BINARY = ("add", "multiply", "subtract", "maximum")
_ATTRIBUTES = ("", " {jax.buffer_donor = true}")


class _Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.values = []

    def text(self):
        choice = self.random.choice
        arguments = [(f"%a{n}", choice((SQUARE, SQUARE, FLAT))) for n in range(choice((1, 2, 3)))]
        self.values = list(arguments)
        for _ in range(self.random.randint(0, 9)):
            self.step()
        results = [choice(self.values) for _ in range(self.random.randint(1, 4))]
        free = [k for k in range(len(results)) if self.random.random() < 0.7]
        self.random.shuffle(free)
        parts = []
        for name, kind in arguments:
            named = next((k for k in free if results[k][1] == kind), None)
            attribute = choice(_ATTRIBUTES)
            if named is not None:
                free.remove(named)
                attribute = f" {{tf.aliasing_output = {named} : i32}}"
            parts.append(f"{name}: {kind}{attribute}")
        types = ", ".join(kind for _, kind in results)
        body = "\n".join(f"  {line}" for line in self.lines)
        names = ", ".join(name for name, _ in results)
        head = f"func.func @main({', '.join(parts)}) -> ({types})"
        return f"{head} {{\n{body}\n  return {names} : {types}\n}}\n"

    def emit(self, op, kind):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {op}")
        self.values.append((name, kind))

    def step(self):
        choice = self.random.choice
        # The newer, the likelier: chains.
        name, kind = choice(self.values[-choice((1, 2, 9)) :])
        others = [other for other, its in self.values if its == kind]
        match choice(("unary", "binary", "binary", "binary", "select", "reshape", "move", "half")):
            case "unary":
                self.emit(f"stablehlo.{choice(_UNARY)} {name} : {kind}", kind)
            case "binary":
                pair = [name, choice(others)]
                self.random.shuffle(pair)
                self.emit(f"stablehlo.{choice(_BINARY)} {', '.join(pair)} : {kind}", kind)
            case "select":
                pred = f"%p{len(self.lines)}"
                i1 = kind.replace("f32", "i1")
                compare = f"stablehlo.compare LT, {name}, {choice(others)}"
                self.lines.append(f"{pred} = {compare} : ({kind}, {kind}) -> {i1}")
                self.emit(f"stablehlo.select {pred}, {name}, {choice(others)} : {i1}, {kind}", kind)
            case "reshape":
                other = FLAT if kind == SQUARE else SQUARE
                self.emit(f"stablehlo.reshape {name} : ({kind}) -> {other}", other)
            case "move" if kind == SQUARE:
                self.emit(f"stablehlo.transpose {name}, dims = [1, 0] : ({kind}) -> {kind}", kind)
            case "move":
                self.emit(f"stablehlo.reverse {name}, dims = [0] : {kind}", kind)
            case "half" if kind == FLAT:
                half = "tensor<8xf32>"
                first = f"%h{len(self.lines)}"
                low = self.random.choice((0, 4, 8))
                cut = f"stablehlo.slice {name} [{low}:{low + 8}] : ({kind}) -> {half}"
                self.lines.append(f"{first} = {cut}")
                pair = ", ".join([first, first])
                joined = f"stablehlo.concatenate {pair}, dim = 0 : ({half}, {half}) -> {kind}"
                self.emit(joined, kind)
            case _:
                pass


def program(seed):
    """The text of one function."""
    return _Program(seed).text()
