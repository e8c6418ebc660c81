"""Random modules of the BIR object model: well-formed, not always legal."""

import math

import numpy as np
from hypothesis import strategies as st

from penguin import dtypes
from penguin.bir import Access, Affine, Function, Instruction, Loop, Module, Tensor
from penguin.bir.model import canonical_attributes
from penguin.dialects.bir import SCHEMAS, TARGETS, Engine
from penguin.dialects.bir.schema import Kind

PLAIN = ["t", "t1", "x.y", "_z$", "for", "input", "sbuf", "loc", "true", "inf", "hex", "to", "i0"]
QUOTED = ["I-0", "x y", 'q"', "é", "a\\b", "//", "[1]", "1", "", "\n", "@(i0)"]
NAMES = st.sampled_from(PLAIN + QUOTED)
FLOATS = st.one_of(
    st.floats(width=32),
    st.sampled_from([math.inf, -math.inf, math.nan, 0.0, -0.0, 0.1, 1e-45, 3.4028235e38]),
)
INTEGERS = st.sampled_from([0, 1, -1, 7, 2**31, -(2**40)])
DTYPES = st.sampled_from(sorted(dtypes.BY_BIR))
LOCATIONS = st.sampled_from(
    [
        "",
        '"jit(f)/mul" model.py:12:5',
        '"a"',
        "m.py:1:2",
        '"my file.py":3:4',
        '"a" m.py:1:2, "b" "x (y).py":3:4',
        '"quote \\" and // slash" m.py:0:0',
        '"é"',
    ]
)


@st.composite
def modules(draw):
    module = Module(draw(st.sampled_from(sorted(TARGETS))))
    for name in draw(st.lists(NAMES, min_size=1, max_size=2, unique=True)):
        module.functions.append(_Function(draw, name).function())
    if draw(st.booleans()):
        module.attributes["note"] = draw(st.sampled_from([1, True, "text", (1, 2)]))
    module.functions.sort(key=lambda f: f.name != "main")
    return module


class _Function:
    def __init__(self, draw, name):
        self.draw = draw
        self.result = Function(name)
        self.taken = set()
        self.instructions = 0
        self.axes = 0

    def function(self):
        for kind in ("ExternalInput", "ExternalOutput", "Const", "Internal"):
            for _ in range(self.draw(st.integers(0, 2))):
                self.tensor(kind, None)
        self.result.tensors.setdefault("t", Tensor("t", "float32", (4, 8), "sbuf"))
        self.aliases()
        self.result.body = self.body(())
        return self.result

    def tensor(self, kind, scope):
        draw = self.draw
        name = draw(NAMES)
        if name in self.result.tensors:
            return
        space = draw(st.sampled_from(["dram", "sbuf", "psum"])) if kind == "Internal" else "dram"
        rank = 2 if space != "dram" else draw(st.integers(0, 3))
        shape = tuple(draw(st.integers(1, 5)) for _ in range(rank))
        tensor = Tensor(name, draw(DTYPES), shape, space, kind, scope=scope)
        if kind == "Internal":
            for key in ("base", "addr", "bank"):
                setattr(tensor, key, draw(st.none() | st.integers(0, 4096)))
        if kind == "Const":
            tensor.data = self.data(tensor)
        self.result.tensors[name] = tensor

    def aliases(self):
        """Gives an output an input of its type, which comes after all other tensors."""
        outputs = [t for t in self.result.tensors.values() if t.kind == "ExternalOutput"]
        if not outputs or self.draw(st.booleans()):
            return
        output, name = outputs[0], self.draw(NAMES)
        if name in self.result.tensors:
            return
        # Arguments come first.
        source = Tensor(name, output.dtype, output.shape, "dram", "ExternalInput")
        self.result.tensors = {name: source, **self.result.tensors}
        output.alias = name
        shared = f"{name}_shared"
        if shared not in self.result.tensors and self.draw(st.booleans()):
            tensor = Tensor(shared, output.dtype, output.shape, "dram", alias=output.name)
            tensors = list(self.result.tensors.values())
            at = next((i for i, t in enumerate(tensors) if t.scope is not None), len(tensors))
            tensors.insert(at, tensor)
            self.result.tensors = {t.name: t for t in tensors}

    def data(self, tensor):
        raw = self.draw(st.binary(min_size=tensor.nbytes, max_size=tensor.nbytes))
        if self.draw(st.booleans()):
            raw = raw[: tensor.numpy_dtype.itemsize] * tensor.count
        return np.frombuffer(raw, tensor.numpy_dtype).reshape(tensor.shape)

    def body(self, axes):
        items = []
        for _ in range(self.draw(st.integers(0, 3))):
            if len(axes) < 3 and self.draw(st.booleans()):
                items.append(self.loop(axes))
            else:
                items.append(self.instruction(axes))
        return items

    def loop(self, axes):
        draw = self.draw
        axis = f"i{self.axes}"
        self.axes += 1
        lower = draw(st.integers(-4, 4))
        loop = Loop(
            axis,
            lower,
            lower + draw(st.integers(1, 9)),
            draw(st.integers(1, 3)),
            [],
            draw(LOCATIONS),
        )
        for _ in range(draw(st.integers(0, 2))):
            self.tensor("Internal", axis)
        loop.body = self.body((*axes, axis))
        return loop

    def instruction(self, axes):
        draw = self.draw
        opcode = draw(st.sampled_from(sorted(SCHEMAS)))
        schema = SCHEMAS[opcode]
        ins = len(schema.ins) - (schema.optional and draw(st.integers(0, schema.optional)))
        self.instructions += 1
        return Instruction(
            f"I-{self.instructions - 1}",
            str(opcode),
            str(draw(st.sampled_from(sorted(Engine)))),
            tuple(self.access(axes) for _ in range(ins)),
            tuple(self.access(axes) for _ in schema.outs),
            canonical_attributes(opcode, self.attributes(schema, axes)),
            draw(LOCATIONS),
        )

    def access(self, axes):
        draw = self.draw
        visible = [t for t in self.result.tensors.values() if t.scope in (None, *axes)]
        tensor = draw(st.sampled_from(visible))
        terms = [(a, draw(st.integers(-9, 9))) for a in axes if draw(st.booleans())]
        pairs = st.tuples(st.integers(-(2**20), 2**20), st.integers(0, 2**17))
        pattern = tuple(draw(st.lists(pairs, min_size=1, max_size=5)))
        offset = Affine(draw(st.integers(-5, 2**33)), tuple((a, c) for a, c in terms if c))
        return Access(tensor.name, draw(DTYPES), offset, pattern)

    def attributes(self, schema, axes):
        draw = self.draw
        result = {}
        for key, spec in schema.attributes.items():
            if spec.fixed or (spec.default is not None and draw(st.booleans())):
                continue
            result[key] = draw(
                {
                    Kind.ENUM: st.sampled_from(sorted(spec.names or ["x"])),
                    Kind.BOOL: st.booleans(),
                    Kind.INT: INTEGERS,
                    Kind.FLOAT: FLOATS,
                    Kind.IMMEDIATE: FLOATS | INTEGERS,
                    Kind.STRING: NAMES,
                    Kind.PAIRS: st.lists(st.tuples(INTEGERS, INTEGERS), max_size=3),
                    Kind.AXES: st.lists(st.sampled_from(axes), unique=True)
                    if axes
                    else st.just([]),
                }[spec.kind]
            )
        return result
