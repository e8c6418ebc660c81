"""The interchange object model of BIR: plain data, no MLIR inside.

`from_mlir`, `from_text` and `from_json` make a `Module`; `to_mlir`, `to_text` and `to_json` write
one; the simulator and the timing model read it. Equal modules mean the same program.

Canonical form (what all three readers give):

* dtypes, opcodes, engines, operators and kinds are the BIR names, as strings;
* names are unique per function: tensors, loop axes, and instructions and loops together;
* the terms of an offset have coefficients other than zero, outermost loop first;
* an attribute that has its schema's default is absent, unless the schema says `always`;
  floats are float32 values, lists are tuples, and `accumulation_flag` is a tuple of axis names;
* tensors are listed arguments first, then by the block that holds them, outer blocks first.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penguin import dtypes
from penguin.dialects.bir import SCHEMAS, Opcode, Space, TensorKind
from penguin.dialects.bir.schema import Attribute, Kind

ACCUMULATION_FLAG = "accumulation_flag"


@dataclass(frozen=True, slots=True)
class Affine:
    """const + sum of coefficient * axis; `terms` are (axis name, coefficient)."""

    const: int = 0
    terms: tuple[tuple[str, int], ...] = ()

    def evaluate(self, axes: dict[str, int]) -> int:
        """The value for the axes' current values."""
        return self.const + sum(coefficient * axes[axis] for axis, coefficient in self.terms)


@dataclass(frozen=True, slots=True)
class Access:
    """Elements of a tensor in the order of `pattern`: (step, num) pairs, partition pair first."""

    tensor: str
    dtype: str
    offset: Affine
    pattern: tuple[tuple[int, int], ...]

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(num for _, num in self.pattern)


@dataclass(eq=False, slots=True)
class Tensor:
    """A DRAM tensor of any shape, or an on-chip tile [partitions, free elements].

    `base` is the first partition, `addr` the byte offset in DRAM or inside a partition (of SBUF, or
    of all PSUM banks), `bank` the PSUM bank; None before allocation. `data` holds a Const, in the
    numpy dtype of `dtype`. `scope` is the axis of the innermost loop that holds the tile: it is a
    fresh tile in every iteration; None for the whole function. `alias` is the name of the tensor
    whose memory this one is: of an output an input, of an internal tensor any other.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    space: str
    kind: str = str(TensorKind.INTERNAL)
    base: int | None = None
    addr: int | None = None
    bank: int | None = None
    data: np.ndarray | None = None
    scope: str | None = None
    alias: str | None = None

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def numpy_dtype(self) -> np.dtype:
        """The numpy dtype of the elements."""
        return dtypes.BY_BIR[self.dtype].numpy

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.count * self.numpy_dtype.itemsize

    def _key(self) -> tuple[Any, ...]:
        data = None if self.data is None else np.ascontiguousarray(self.data).tobytes()
        return (
            self.name,
            self.dtype,
            tuple(self.shape),
            self.space,
            self.kind,
            self.base,
            self.addr,
            self.bank,
            self.scope,
            self.alias,
            data,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and self._key() == other._key()


@dataclass(slots=True)
class Instruction:
    """One instruction; `loc` is the text between the parentheses of a `loc(...)`, or empty."""

    name: str
    opcode: str
    engine: str
    ins: tuple[Access, ...] = ()
    outs: tuple[Access, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    loc: str = ""


@dataclass(slots=True)
class Loop:
    """Runs `body` for axis = lower, lower + step, ... below upper."""

    axis: str
    lower: int
    upper: int
    step: int = 1
    body: "list[Instruction | Loop]" = field(default_factory=list)
    loc: str = ""

    @property
    def trips(self) -> int:
        """Number of iterations."""
        return len(range(self.lower, self.upper, self.step))


@dataclass(slots=True)
class Function:
    """Tensors by name, and the program."""

    name: str
    tensors: dict[str, Tensor] = field(default_factory=dict)
    body: list[Instruction | Loop] = field(default_factory=list)

    def inputs(self) -> list[Tensor]:
        """The input arguments, in order."""
        return [t for t in self.tensors.values() if t.kind == TensorKind.INPUT]

    def outputs(self) -> list[Tensor]:
        """The output arguments, in order."""
        return [t for t in self.tensors.values() if t.kind == TensorKind.OUTPUT]

    def owner(self, name: str) -> str:
        """The tensor whose memory a tensor is, itself if it has its own."""
        seen = {name}
        while (target := self.tensors[name].alias) in self.tensors and target not in seen:
            seen.add(target)
            name = target
        return name

    def walk(self) -> Iterator[tuple[Instruction | Loop, tuple[Loop, ...]]]:
        """Every instruction and loop in program order, with its loops, outermost first."""
        stack: list[tuple[Iterator[Instruction | Loop], tuple[Loop, ...]]] = [(iter(self.body), ())]
        while stack:
            items, loops = stack[-1]
            item = next(items, None)
            if item is None:
                stack.pop()
                continue
            yield item, loops
            if isinstance(item, Loop):
                stack.append((iter(item.body), (*loops, item)))


@dataclass(slots=True)
class Module:
    """`target` is trn1, trn2 or trn3; `functions[0]` is the main one.

    `attributes` are notes of others, such as `neuron_core_id`; in MLIR their keys get `bir.`.
    """

    target: str = "trn2"
    functions: list[Function] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def main(self) -> Function:
        """The function that runs."""
        return self.functions[0]


# Offsets, steps, sizes and integer attributes are 64-bit, as in MLIR.
INTEGERS = range(-(2**63), 2**63)


def check_tensor(tensor: Tensor) -> None:
    """Raises `ValueError` unless the parts of a tensor go together."""
    if any(extent < 0 for extent in tensor.shape):
        raise ValueError(f"tensor '{tensor.name}' has shape {list(tensor.shape)}")
    if tensor.nbytes not in INTEGERS:
        raise ValueError(f"tensor '{tensor.name}' has {tensor.nbytes} bytes")
    if tensor.kind == TensorKind.INTERNAL:
        return
    if tensor.space != Space.DRAM:
        text = f"tensor '{tensor.name}' is {tensor.kind} in {tensor.space}, expected dram"
        raise ValueError(text)
    if (tensor.base, tensor.addr, tensor.bank) != (None, None, None):
        raise ValueError(f"tensor '{tensor.name}' is {tensor.kind}, expected no address")
    if tensor.scope is not None:
        text = f"tensor '{tensor.name}' is {tensor.kind}, expected outside of loops"
        raise ValueError(text)


def check_aliases(function: Function) -> Iterator[tuple[Tensor, str]]:
    """The tensors whose `alias` does not hold, each with the reason."""
    taken: dict[str, str] = {}
    for tensor in function.tensors.values():
        if tensor.alias is None:
            continue
        problem = _alias_problem(function, tensor)
        if problem is None and tensor.kind == TensorKind.OUTPUT:
            first = taken.setdefault(tensor.alias, tensor.name)
            if first != tensor.name:
                problem = f"which is the alias of output '{first}'"
        if problem is not None:
            yield tensor, f"tensor '{tensor.name}' has alias '{tensor.alias}', {problem}"


def _alias_problem(function: Function, tensor: Tensor) -> str | None:
    other = function.tensors.get(tensor.alias)
    if other is None:
        return "which is not defined"
    if tensor.kind not in (TensorKind.OUTPUT, TensorKind.INTERNAL):
        return f"expected none for {tensor.kind}"
    if tensor.kind == TensorKind.OUTPUT and other.kind != TensorKind.INPUT:
        return f"which is {other.kind}, expected {TensorKind.INPUT}"
    if other.kind == TensorKind.CONST:
        return f"which is {other.kind}"
    if (other.dtype, tuple(other.shape)) != (tensor.dtype, tuple(tensor.shape)):
        found = f"{other.dtype}{list(other.shape)}"
        return f"which is {found}, expected {tensor.dtype}{list(tensor.shape)}"
    if (other.space, other.scope) != (Space.DRAM, None):
        return f"which lies in {other.space}, expected {Space.DRAM} outside of loops"
    if (tensor.space, tensor.scope) != (Space.DRAM, None):
        return f"expected {Space.DRAM} outside of loops"
    if function.tensors[function.owner(tensor.name)].alias is not None:
        return "an alias cycle"
    return None


def float32(value: float) -> float:
    """The float32 nearest to `value`, as a Python float."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def check_operands(opcode: str, ins: int, outs: int) -> None:
    """Raises `ValueError` unless the opcode takes so many operands."""
    schema = SCHEMAS[Opcode(opcode)]
    least, most = len(schema.ins) - schema.optional, len(schema.ins)
    if not least <= ins <= most:
        expected = f"{least} to {most}" if least < most else str(most)
        raise ValueError(f"{opcode} has {ins} inputs, expected {expected}")
    if outs != len(schema.outs):
        raise ValueError(f"{opcode} has {outs} outputs, expected {len(schema.outs)}")


def canonical_attributes(opcode: str, given: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an instruction in canonical form, keys in the schema's order.

    Raises `ValueError` with what was found and expected: unknown key, wrong kind, missing key.
    """
    schema = SCHEMAS[Opcode(opcode)].attributes
    for key in given:
        if key not in schema:
            expected = ", ".join(schema) or "no attributes"
            raise ValueError(f"{opcode} has attribute '{key}', expected {expected}")
    result: dict[str, Any] = {}
    for key, spec in schema.items():
        value = _canonical(given[key]) if key in given else spec.default
        if value is None:
            raise ValueError(f"{opcode} has no attribute '{key}', expected {spec.expected}")
        value = _typed(opcode, key, spec, value)
        if spec.always or not spec.is_default(value):
            result[key] = value
    return result


def module_attributes(given: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a module in canonical form; `ValueError` for what is no plain value."""
    for key, value in given.items():
        if key == "target" or not _is_plain(value):
            raise ValueError(f"has module attribute {key} = {value!r}")
    return {key: _canonical(given[key]) for key in sorted(given)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_plain(element) for element in value)
    return isinstance(value, bool | int | float | str)


def _typed(opcode: str, key: str, spec: Attribute, value: Any) -> Any:
    if spec.kind is Kind.FLOAT and type(value) is int:
        value = float(value)
    if not spec.accepts(value):
        raise ValueError(f"{opcode} has {key} = {value!r}, expected {spec.expected}")
    return value


def _canonical(value: Any) -> Any:
    if isinstance(value, float):
        # One NaN object: containers compare by identity first.
        return math.nan if math.isnan(value) else float32(value)
    if isinstance(value, list | tuple):
        return tuple(_canonical(element) for element in value)
    if isinstance(value, int) and value not in INTEGERS:
        raise ValueError(f"has integer {value}, expected 64 bits")
    return str(value) if isinstance(value, str) else value
