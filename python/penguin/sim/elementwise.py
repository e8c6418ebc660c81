"""TensorTensor, TensorScalar, TensorScalarPtr, Activation and Reciprocal.

`out = (data op0 scalar0) op1 scalar1` covers the first three: a scalar is an immediate, a value per
partition or a whole tensor. The datapath (float, integer or bits, see `alu.py`) follows from the
operators and dtypes: bits if the operators are bitvec, integer if every tensor is int32 or uint32
and every immediate is an integer, float otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from penguin.bir.model import Instruction
from penguin.sim import activation
from penguin.sim.alu import OPERATORS, Operator
from penguin.sim.casts import BOOL, F32, I64, bits, constant, is_word, plain, saturate
from penguin.sim.compiler import MALFORMED, UNSUPPORTED, Compiler, Run
from penguin.sim.copies import copy
from penguin.sim.geometry import Dim
from penguin.sim.operands import Conformed, Operand, View, align

RANGE = "PGR105"


@dataclass(frozen=True)
class Step:
    """One operator; its second operand is `inputs[tensor]` or the immediate."""

    name: str
    operator: Operator
    immediate: float | int | None
    tensor: int | None
    reverse: bool


def compile_tensor_tensor(c: Compiler, inst: Instruction) -> Run:
    inputs, out = c.operands(inst, (2, 2))
    return _alu(c, inst, inputs, out, [_step(c, inst, "op", None, 1, False)])


def compile_tensor_scalar(c: Compiler, inst: Instruction) -> Run:
    inputs, out = c.operands(inst, (1, 1))
    steps = [
        _step(c, inst, f"op{k}", inst.attributes.get(f"const{k}", 0.0), None, _reverse(inst, k))
        for k in (0, 1)
    ]
    return _alu(c, inst, inputs, out, steps)


def compile_tensor_scalar_ptr(c: Compiler, inst: Instruction) -> Run:
    inputs, out = c.operands(inst, (2, 3))
    steps = [_step(c, inst, "op0", None, 1, _reverse(inst, 0))]
    if len(inputs) == 3:
        steps.append(_step(c, inst, "op1", None, 2, _reverse(inst, 1)))
    return _alu(c, inst, inputs, out, steps)


def _reverse(inst: Instruction, k: int) -> bool:
    return bool(inst.attributes.get(f"reverse{k}", False))


def _step(
    c: Compiler,
    inst: Instruction,
    key: str,
    immediate: float | int | None,
    tensor: int | None,
    reverse: bool,
) -> Step:
    name = inst.attributes.get(key, "bypass" if key == "op1" else None)
    if name is None:
        raise c.error(inst, MALFORMED, f"has no {key}")
    if name not in OPERATORS:
        raise c.error(inst, UNSUPPORTED, f"has {key} {name}, which is not simulated")
    return Step(str(name), OPERATORS[name], immediate, tensor, reverse)


def _alu(
    c: Compiler, inst: Instruction, inputs: list[Operand], out: Operand, steps: list[Step]
) -> Run:
    c.same_count(inst, inputs[0], out.count)
    steps = [s for s in steps if s.name != "bypass" or s.reverse]
    if not steps:
        return copy(c, inst, inputs[0], out, exact_words=True)
    bitvec = [s.operator.bitvec for s in steps if s.name != "bypass"]
    if any(bitvec) and not all(bitvec):
        names = " and ".join(s.name for s in steps)
        raise c.error(inst, MALFORMED, f"mixes {names}, expected all bitvec or all arithmetic")
    shape = align(out.dims, [inputs[0].dims, *(_spread(c, inst, i, out) for i in inputs[1:])])
    if any(bitvec):
        return _bits_run(inputs, out, steps, shape)
    if _is_integer(inputs, out, steps):
        return _integer_run(inputs, out, steps, shape)
    return _float_run(c, inst, inputs, out, steps, shape)


def _spread(c: Compiler, inst: Instruction, operand: Operand, out: Operand) -> tuple[Dim, ...]:
    """A value per partition is repeated over the free elements."""
    if operand.count == out.count:
        return operand.dims
    if operand.count != out.partitions or operand.partitions != out.partitions:
        raise c.error(
            inst,
            MALFORMED,
            f"operand '{operand.storage.name}' has {operand.count} elements, expected "
            f"{out.count} or one for each of {out.partitions} partitions",
        )
    return (operand.dims[0], (out.count // out.partitions, 0))


def _is_integer(inputs: list[Operand], out: Operand, steps: list[Step]) -> bool:
    return (
        all(is_word(o.dtype) for o in (*inputs, out))
        and all(s.operator.i64 is not None for s in steps)
        and all(s.immediate is None or float(s.immediate).is_integer() for s in steps)
    )


def _float_run(
    c: Compiler,
    inst: Instruction,
    inputs: list[Operand],
    out: Operand,
    steps: list[Step],
    shape: Conformed,
) -> Run:
    reads = [
        c.as_f32(shape.reader(k + 1, operand), operand.dtype, shape.shape, k)
        for k, operand in enumerate(inputs)
    ]
    for step in steps:
        if step.operator.f32 is None:
            raise c.error(inst, UNSUPPORTED, f"has operator {step.name} on {inputs[0].dtype}")
    fetch = [_fetch_f32(step) for step in steps]
    last = steps[-1].operator.predicate
    if last is not None and out.dtype != F32:
        return _predicate_run(c, steps, fetch, reads, out, shape)
    write = out.writer(shape.dims[0])
    if len(steps) == 1:
        kernel = _one_step(steps[0], fetch[0])
    else:
        kernel = _two_steps(c, steps, fetch, shape)
    return c.f32_run(kernel, reads, write, out.dtype, shape.shape)


def _fetch_f32(step: Step) -> Callable[[Sequence[np.ndarray]], np.ndarray]:
    """The second operand, given the tensors."""
    if step.tensor is None:
        value = constant(float(step.immediate or 0), F32)
        return lambda _: value
    position = step.tensor
    return lambda tensors: tensors[position]


def _one_step(step: Step, fetch: Callable[[Sequence[np.ndarray]], np.ndarray]) -> Any:
    function = step.operator.f32
    assert function is not None
    if step.tensor == 1:
        if step.reverse:
            return lambda x, y, out: function(y, x, out=out)
        return function
    value = fetch(())
    if step.reverse:
        return lambda x, out: function(value, x, out=out)
    return lambda x, out: function(x, value, out=out)


def _apply(step: Step, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    function = step.operator.f32
    assert function is not None
    if step.reverse:
        function(y, x, out=out)
    else:
        function(x, y, out=out)


def _two_steps(c: Compiler, steps: list[Step], fetch: list[Any], shape: Conformed) -> Any:
    """The result between goes to a temporary, since `out` may be the second scalar's tensor."""
    scratch = c.scratch(8, shape.shape)
    first, second = steps

    def kernel(*tensors: np.ndarray, out: np.ndarray) -> None:
        between = scratch()
        _apply(first, tensors[0], fetch[0](tensors), between)
        _apply(second, between, fetch[1](tensors), out)

    return kernel


def _predicate_run(
    c: Compiler,
    steps: list[Step],
    fetch: list[Any],
    reads: list[View],
    out: Operand,
    shape: Conformed,
) -> Run:
    """A comparison at the end gives 0 and 1, which need no rounding."""
    test = steps[-1].operator.predicate
    assert test is not None
    reverse = steps[-1].reverse
    scratch = c.scratch(8, shape.shape)
    as_bool = out.dtype.itemsize == 1
    write = out.writer(shape.dims[0], BOOL if as_bool else None)

    def run() -> None:
        tensors = [read() for read in reads]
        x = tensors[0]
        if len(steps) == 2:
            between = scratch()
            _apply(steps[0], x, fetch[0](tensors), between)
            x = between
        y = fetch[-1](tensors)
        if as_bool and reverse:
            test(y, x, out=write())
        elif as_bool:
            test(x, y, out=write())
        else:
            plain(write(), test(y, x) if reverse else test(x, y))

    return run


def _integer_run(inputs: list[Operand], out: Operand, steps: list[Step], shape: Conformed) -> Run:
    """int64 arithmetic, saturated to the output dtype after every operator."""
    if _stays_exact(inputs, out, steps):
        return _exact_run(inputs, out, steps[0], shape)
    reads = [shape.reader(k + 1, operand) for k, operand in enumerate(inputs)]
    write = out.writer(shape.dims[0])
    store = saturate(out.dtype)

    def run() -> None:
        tensors = [read().astype(I64) for read in reads]
        x = tensors[0]
        for step in steps[:-1]:
            between = np.empty(shape.shape, out.dtype)
            store(between, _integer(step, x, tensors))
            x = between.astype(I64)
        result = _integer(steps[-1], x, tensors)
        store(write(), result)

    return run


def _stays_exact(inputs: list[Operand], out: Operand, steps: list[Step]) -> bool:
    """One comparison or extreme of operands of one dtype."""
    (step, *more), info = steps, np.iinfo(out.dtype)
    return (
        not more
        and step.operator.exact is not None
        and all(o.dtype == out.dtype for o in inputs)
        and info.min <= (step.immediate or 0) <= info.max
    )


def _exact_run(inputs: list[Operand], out: Operand, step: Step, shape: Conformed) -> Run:
    reads = [shape.reader(k + 1, operand) for k, operand in enumerate(inputs)]
    write, function = out.writer(shape.dims[0]), step.operator.exact
    immediate = np.array(int(step.immediate or 0), out.dtype)
    assert function is not None

    def run() -> None:
        x = reads[0]()
        y = immediate if step.tensor is None else reads[step.tensor]()
        result = function(y, x) if step.reverse else function(x, y)
        plain(write(), result)

    return run


def _integer(step: Step, x: np.ndarray, tensors: list[np.ndarray]) -> np.ndarray:
    function = step.operator.i64
    assert function is not None
    y = np.int64(step.immediate or 0) if step.tensor is None else tensors[step.tensor]
    y = np.asarray(y)
    return function(y, x) if step.reverse else function(x, y)


def _bits_run(inputs: list[Operand], out: Operand, steps: list[Step], shape: Conformed) -> Run:
    """Integer bits of the widest operand's width, truncated to the output's."""
    integers = [_bit_dtype(o.dtype) for o in inputs]
    width = max(d.itemsize for d in integers)
    word = integers[0] if integers[0].itemsize == width else np.dtype(f"i{width}")
    reads = [
        shape.reader(k + 1, o, d) for k, (o, d) in enumerate(zip(inputs, integers, strict=True))
    ]
    write = out.writer(shape.dims[0], bits(out.dtype))
    immediates = [_bit_constant(s.immediate or 0, word) for s in steps]

    def run() -> None:
        tensors = [read().astype(word, copy=False) for read in reads]
        x = tensors[0]
        for step, immediate in zip(steps, immediates, strict=True):
            y = immediate if step.tensor is None else tensors[step.tensor]
            function = step.operator.word
            assert function is not None
            x = function(y, x) if step.reverse else function(x, y)
        plain(write(), x)

    return run


def _bit_dtype(dtype: np.dtype) -> np.dtype:
    """Integers stay, so that narrow signed ones extend their sign; floats are read as bits."""
    return dtype if dtype.kind in "iu" else bits(dtype)


def _bit_constant(value: float | int, word: np.dtype) -> np.ndarray:
    masked = int(value) & ((1 << (8 * word.itemsize)) - 1)
    return np.array(masked, bits(word)).view(word)


def compile_reciprocal(c: Compiler, inst: Instruction) -> Run:
    (data,), out = c.operands(inst, (1, 1))
    c.same_count(inst, data, out.count)
    shape = align(out.dims, [data.dims])
    read = c.as_f32(shape.reader(1, data), data.dtype, shape.shape, 0)
    one = constant(1.0, F32)

    def kernel(x: np.ndarray, out: np.ndarray) -> None:
        np.divide(one, x, out=out)

    return c.f32_run(kernel, [read], out.writer(shape.dims[0]), out.dtype, shape.shape)


def compile_activation(c: Compiler, inst: Instruction) -> Run:
    """f(x * scale + bias), in f32."""
    name = str(inst.attributes.get("func"))
    if name not in activation.FUNCTIONS:
        raise c.error(inst, UNSUPPORTED, f"has function {name}, which is not simulated")
    if inst.attributes.get("acc", "Idle") != "Idle":
        raise c.error(inst, UNSUPPORTED, f"has acc {inst.attributes['acc']}, expected Idle")
    inputs, out = c.operands(inst, (1, 2))
    c.same_count(inst, inputs[0], out.count)
    shape = align(out.dims, [inputs[0].dims, *(_spread(c, inst, i, out) for i in inputs[1:])])
    reads = [
        c.as_f32(shape.reader(k + 1, operand), operand.dtype, shape.shape, k)
        for k, operand in enumerate(inputs)
    ]
    kernel = _activation_kernel(c, inst, name, shape)
    return c.f32_run(kernel, reads, out.writer(shape.dims[0]), out.dtype, shape.shape)


def _activation_kernel(c: Compiler, inst: Instruction, name: str, shape: Conformed) -> Any:
    function = activation.FUNCTIONS[name]
    scale = constant(float(inst.attributes.get("scale", 1.0)), F32)
    alpha = float(inst.attributes.get("alpha", 0.0))
    scaled = float(scale) != 1.0
    scratch = c.scratch(8, shape.shape)
    check = _range_check(c, inst, name)

    def kernel(x: np.ndarray, bias: np.ndarray | None = None, *, out: np.ndarray) -> None:
        if scaled or bias is not None:
            wide = scratch()
            if scaled:
                x = np.multiply(x, scale, out=wide)
            if bias is not None:
                x = np.add(x, bias, out=wide)
        if check is not None:
            check(x)
        function(x, out, alpha)

    return kernel


def _range_check(c: Compiler, inst: Instruction, name: str) -> Callable[[np.ndarray], None] | None:
    valid = activation.RANGES.get(name)
    if valid is None or not (valid.always or c.strict):
        return None

    def check(x: np.ndarray) -> None:
        value = valid.offender(x)
        if value is not None:
            raise c.error(inst, RANGE, f"applies {name} to {value!r}, expected {valid}")

    return check
