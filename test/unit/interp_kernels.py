"""Kernels for the tests of the interpreter: text from a short form, and exact random inputs."""

import numpy as np

from penguin import interp
from penguin.mlir import parse


def kernel(arguments, body):
    """`arguments` is like "a: 8x6xf32, out o: 48xf32"; T(x) in the body is x's memref type."""
    parts, types = [], {}
    for argument in arguments.split(", "):
        name, type_ = argument.split(": ")
        kind = "output" if name.startswith("out ") else "input"
        name = name.removeprefix("out ")
        types[name] = f'memref<{type_}, "dram">'
        parts.append(f'%{name}: {types[name]} {{penguin.io = "{kind}"}}')
    for name, type_ in types.items():
        body = body.replace(f"T({name})", type_)
    signature = f"func.func @main({', '.join(parts)}) attributes {{penguin.kernel}}"
    return f"{signature} {{\n{body}\n  return\n}}\n"


def run(arguments, body, *inputs):
    outputs = interp.run(parse(kernel(arguments, body)), inputs)
    return outputs[0] if len(outputs) == 1 else outputs


def randoms(*shape, dtype=np.float32):
    """Small whole numbers: exact in every dtype and order of summation."""
    return np.random.default_rng(5).integers(-8, 8, shape).astype(dtype)
