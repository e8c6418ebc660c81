"""Loads past offloaded ops: every compute op, past everything, executed at every level."""

import itertools
import random
import time

import numpy as np
import pytest
from interp_kernels import kernel

from penguin import bir, dtypes, interp, sim
from penguin.mlir import parse, walk
from penguin.passes.lowering.lower_tensor_op import LowerTensorOp
from penguin.passlib import run_pipeline
from penguin.passlib.pass_ import Session

ALL = ("broadcast", "memcast", "memset", "reshape", "transpose")
DOWN = "late-lower-tensor-op,layout-tiling,select-instructions,allocate"

pytestmark = pytest.mark.usefixtures("context")


def tensor(shape, dtype="f32"):
    return f'memref<{"".join(f"{n}x" for n in shape)}{dtype}, "dram">'


class Program:
    """Text of a kernel, op by op; a value is (name, shape, dtype)."""

    def __init__(self):
        self.arguments, self.lines, self.inputs = [], [], []
        self.rng = np.random.default_rng(3)

    def input(self, shape, dtype="f32"):
        name, numpy = f"a{len(self.arguments)}", dtypes.BY_MLIR[dtype].numpy
        self.arguments.append(f"{name}: {''.join(f'{n}x' for n in shape)}{dtype}")
        low = 0 if dtype in ("i1", "ui8") else -4
        self.inputs.append(self.rng.integers(low, 2 if dtype == "i1" else 5, shape).astype(numpy))
        return f"%{name}", tuple(shape), dtype

    def output(self, shape, dtype="f32"):
        name = f"o{len(self.arguments)}"
        self.arguments.append(f"out {name}: {''.join(f'{n}x' for n in shape)}{dtype}")
        return f"%{name}", tuple(shape), dtype

    def alloc(self, shape, dtype="f32"):
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = memref.alloc() : {tensor(shape, dtype)}")
        return name, tuple(shape), dtype

    def op(self, name, *values, **attributes):
        shown = ", ".join(f"{key} = {value}" for key, value in attributes.items())
        names, types = ", ".join(v[0] for v in values), ", ".join(tensor(*v[1:]) for v in values)
        self.lines.append(f'"penguin.{name}"({names}) {{{shown}}} : ({types}) -> ()')

    @property
    def text(self):
        return kernel(", ".join(self.arguments), "\n".join(self.lines))


def ints(*values):
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def literal(value, dtype):
    return ("true" if value else "false") if dtype == "i1" else f"{value} : {dtype}"


def splat(p, shape, dtype):
    t = p.alloc(shape, dtype)
    p.op("memset", t, value=literal(1 if dtype[0] != "f" and dtype != "bf16" else 1.5, dtype))
    return t


def from_constant(p, shape, dtype):
    t = p.alloc(shape, dtype)
    p.op("broadcast", splat(p, (), dtype), t, dims=ints())
    return t


def from_row(p, shape, dtype):
    t = p.alloc(shape, dtype)
    p.op("broadcast", p.input(shape[-1:], dtype), t, dims=ints(len(shape) - 1))
    return t


def from_column(p, shape, dtype):
    t = p.alloc(shape, dtype)
    source = p.input((*shape[:-1], 1), dtype)
    p.op("broadcast", source, t, dims=ints(*range(len(shape))))
    return t


def from_element(p, shape, dtype):
    t = p.alloc(shape, dtype)
    p.op("broadcast", p.input((), dtype), t, dims=ints())
    return t


def from_transpose(p, shape, dtype):
    t = p.alloc(shape, dtype)
    order = list(range(len(shape)))[::-1]
    p.op("transpose", p.input(shape[::-1], dtype), t, permutation=ints(*order))
    return t


def from_reshape(p, shape, dtype):
    """Two broadcasts around a reshape without quotients."""
    t, row = p.alloc(shape, dtype), p.alloc((1, *shape[-1:], 1), dtype)
    p.op("memcpy", p.input(shape[-1:], dtype), row)
    flat = p.alloc(shape[-1:], dtype)
    p.op("memcpy", row, flat)
    p.op("broadcast", flat, t, dims=ints(len(shape) - 1))
    return t


def from_memcast(p, shape, dtype):
    t, other = p.alloc(shape, dtype), p.alloc(shape, "i16" if dtype != "i16" else "i32")
    p.op("broadcast", p.input(shape[-1:], other[2]), other, dims=ints(len(shape) - 1))
    p.op("memcast", other, t)
    return t


def from_memcast_of_constant(p, shape, dtype):
    t = p.alloc(shape, dtype)
    p.op("memcast", splat(p, shape, "i16" if dtype != "i16" else "i32"), t)
    return t


ORIGINS = (
    splat,
    from_constant,
    from_row,
    from_column,
    from_element,
    from_transpose,
    from_reshape,
    from_memcast,
    from_memcast_of_constant,
)


def plain(p, shape, dtype):
    return p.input(shape, dtype)


def binary(p, x, dtype, function="add"):
    p.op("binary", x((5, 12)), x((5, 12)), p.output((5, 12), dtype), function=f'"{function}"')


def unary(p, x, dtype):
    p.op("unary", x((5, 12)), p.output((5, 12), dtype), function='"negate"')


def select(p, x, dtype):
    predicate = p.alloc((5, 12), "i1")
    p.op("broadcast", p.input((5,), "i1"), predicate, dims=ints(0))
    p.op("select", predicate, x((5, 12)), x((5, 12)), p.output((5, 12), dtype))


def clamp(p, x, dtype):
    low, high = x(()), x((5, 12))
    p.op("ternary", low, x((5, 12)), high, p.output((5, 12), dtype), function='"clamp"')


def reduce(p, x, dtype):
    p.op("reduce", x((5, 12)), x(()), p.output((5,), dtype), function='"add"', axes=ints(1))
    p.op("reduce", x((5, 12)), x(()), p.output((12,), dtype), function='"maximum"', axes=ints(0))


def contract(p, x, dtype):
    axes = dict.fromkeys(("lhs_batch_axes", "rhs_batch_axes"), ints())
    axes |= {"lhs_contract_axes": ints(1), "rhs_contract_axes": ints(0)}
    axes |= {"lhs_free_axes": ints(0), "rhs_free_axes": ints(1)}
    p.op("tensor_contract", x((5, 12)), x((12, 7)), p.output((5, 7), dtype), **axes)


def pad(p, x, dtype):
    attributes = {"low": ints(1, -1), "high": ints(0, 2), "interior": ints(0, 1)}
    p.op("pad", x((5, 12)), x(()), p.output((6, 24), dtype), **attributes)


def reverse(p, x, dtype):
    p.op("reverse", x((5, 12)), p.output((5, 12), dtype), axes=ints(1))


CONSUMERS = (unary, binary, select, clamp, reduce, contract, pad, reverse)


def check(p):
    """Before, after, and as instructions; how many offloaded ops are left."""
    module = parse(p.text)
    expected = interp.run(module, p.inputs)
    passes = LowerTensorOp(load_maps=ALL)
    passes.run(module.body.operations[0])
    assert not passes.failed and module.operation.verify()
    assert passes.wholly + passes.partly + passes.unconsumed == passes.balance.candidates
    left = sum(op.name.startswith("penguin.") for op in walk(module.operation))
    outputs = {"loops": interp.run(module, p.inputs)}
    run_pipeline(module, f"builtin.module(func.func({DOWN}))")
    outputs["bir"] = sim.run(bir.from_mlir(module), p.inputs)
    for level, arrays in outputs.items():
        for actual, wanted in zip(arrays, expected, strict=True):
            np.testing.assert_array_equal(actual, wanted, f"{level}\n{p.text}")
    return left


@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32", "ui8"])
@pytest.mark.parametrize("consumer", CONSUMERS, ids=lambda f: f.__name__)
def test_every_consumer_past_every_origin(consumer, dtype):
    origins = (*ORIGINS, plain)
    for number, shift in itertools.product(range(len(origins)), (0, 1, 4)):
        first, second = origins[number], origins[(number + shift) % len(origins)]
        p = Program()
        turns = itertools.cycle((first, second))

        def x(shape, p=p, turns=turns):
            origin = next(turns)
            if not shape:
                # Only these make a tensor of rank 0.
                origin = origin if origin in (splat, from_constant, from_element) else splat
            return origin(p, shape, dtype)

        consumer(p, x, dtype)
        assert check(p) == 0


@pytest.mark.parametrize("function", ["and", "or", "compare_lt", "compare_eq", "power", "maximum"])
def test_two_constants(function):
    """Nothing is loaded: what is computed is a number."""
    dtype = "i1" if function in ("and", "or") else "f32"
    p = Program()
    out = "i1" if function.startswith("compare") else dtype
    a, b = from_constant(p, (3, 5), dtype), splat(p, (3, 5), dtype)
    p.op("binary", a, b, p.output((3, 5), out), function=f'"{function}"')
    assert check(p) == 0


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    """Ops on each other's results, some of them read late and by several."""
    rng = random.Random(seed)
    p = Program()
    values = [p.input((4, 6)), p.input((4, 6))]
    for _ in range(25):
        kind = rng.choice(["row", "column", "memset", "transpose", "add", "copy", "cast", "over"])
        new, old = p.alloc((4, 6)), rng.choice(values)
        if kind == "row":
            part = p.alloc((6,))
            p.op("reduce", old, splat(p, (), "f32"), part, function='"maximum"', axes=ints(0))
            p.op("broadcast", part, new, dims=ints(1))
        elif kind == "column":
            part = p.alloc((4,))
            p.op("reduce", old, splat(p, (), "f32"), part, function='"minimum"', axes=ints(1))
            p.op("broadcast", part, new, dims=ints(0))
        elif kind == "memset":
            p.op("memset", new, value=f"{rng.randrange(4)}.0 : f32")
        elif kind == "transpose":
            turned = p.alloc((6, 4))
            p.op("transpose", old, turned, permutation=ints(1, 0))
            p.op("transpose", turned, new, permutation=ints(1, 0))
        elif kind == "add":
            p.op("binary", old, rng.choice(values), new, function='"add"')
        elif kind == "copy":
            flat = p.alloc((24,))
            p.op("memcpy", old, flat)
            p.op("memcpy", flat, new)
        elif kind == "cast":
            narrow = p.alloc((4, 6), "i32")
            p.op("memcast", old, narrow)
            p.op("memcast", narrow, new)
        else:
            # The source of what may have been read already is overwritten, perhaps in place.
            own = [v for v in values if v[0].startswith("%t")]
            if own:
                target = rng.choice(own)
                p.op("binary", old, target, target, function='"subtract"')
            p.op("unary", old, new, function='"negate"')
        values.append(new)
    for value in rng.sample(values, 4):
        p.op("memcpy", value, p.output((4, 6)))
    check(p)


def test_the_rewrite_limit_holds_for_offloaded_ops():
    p = Program()
    for _ in range(3):
        p.op("unary", from_row(p, (3, 4), "f32"), p.output((3, 4)), function='"negate"')
    module = parse(p.text)
    expected = interp.run(module, p.inputs)
    limited = LowerTensorOp()
    limited.session = Session(rewrites_left=2)
    limited.run(module.body.operations[0])
    assert (limited.wholly, limited.unconsumed, limited.session.rewrites_left) == (2, 1, 0)
    for actual, wanted in zip(interp.run(module, p.inputs), expected, strict=True):
        np.testing.assert_array_equal(actual, wanted)


def many(count):
    p = Program()
    row, out = p.input((6,)), p.output((4, 6))
    for _ in range(count):
        t = p.alloc((4, 6))
        p.op("broadcast", row, t, dims=ints(1))
        p.op("binary", t, out, out, function='"add"')
    return parse(p.text)


def test_time_is_linear():
    seconds = []
    for count in (500, 4000):
        module, passes = many(count), LowerTensorOp()
        start = time.perf_counter()
        passes.run(module.body.operations[0])
        seconds.append(time.perf_counter() - start)
        assert passes.wholly == count
    assert seconds[1] < 8 * 3 * seconds[0] + 0.1
