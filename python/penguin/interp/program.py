"""A kernel as nodes that run on numpy arrays, and the machine that runs them.

Every scalar SSA value is an array over the loops that are open as numpy axes when it is computed.
Axis number `a` (0 is the outermost open loop) sits at array position `-(a + 1)`: opening a loop
prepends an axis, so values computed outside broadcast without being touched. A value that does not
depend on a loop has extent 1 there, or lacks the axis. Index values are affine forms
(`penguin.analysis.affine_form`) of the loops' counters as long as possible, arrays otherwise.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penguin import dtypes
from penguin.analysis.affine_form import FloorDiv, Form, Space
from penguin.errors import Diagnostic, UserError
from penguin.interp.numerics import Array
from penguin.interp.registry import EMITTERS, SCALAR_OPS, TENSOR_OPS
from penguin.mlir import ir
from penguin.passlib.diagnostics import describe

_OTHER_TYPES = {"index": np.int64, "i64": np.int64, "ui64": np.uint64, "f64": np.float64}


def numpy_type(type_: ir.Type) -> np.dtype:
    """The numpy dtype of a scalar type."""
    dtype = dtypes.of(type_)
    if dtype is not None:
        return dtype.numpy
    other = _OTHER_TYPES.get(str(type_))
    if other is None:
        raise UserError.at("PGR001", f"cannot interpret values of type {type_}")
    return np.dtype(other)


def error(op: Any, code: str, message: str) -> UserError:
    """A `UserError` at the location of `op`."""
    return UserError([Diagnostic(code, f"'{op.operation.name}' op {message}", describe(op))])


@dataclass
class Buffer:
    """The memory of a memref; `raw` are its bytes, because bfloat16 has no buffer protocol."""

    array: Array
    raw: Array = field(init=False)

    def __post_init__(self) -> None:
        self.raw = self.array.reshape(-1).view(np.uint8)


@dataclass(frozen=True)
class Range:
    """The part of a loop that runs now: counters `start` .. `start + count - 1`.

    `axis` is the number of its numpy axis, or None if the loop is at one iteration.
    """

    start: int
    count: int
    axis: int | None


class Machine:
    """The state of one run."""

    def __init__(self) -> None:
        self.values: dict[int, Array] = {}
        self.buffers: dict[int, Buffer] = {}
        self.ranges: dict[int, Range] = {}
        self.depth = 0
        self.mask: Array | None = None

    def run(self, nodes: Iterable["Node"]) -> None:
        for node in nodes:
            node.run(self)
            for value in node.last_uses:
                self.values.pop(value, None)

    def form(self, form: Form) -> Array:
        """The values of an affine form, over the axes that it depends on."""
        total: Any = np.int64(form.const)
        for atom, coefficient in form.terms:
            total = total + coefficient * self._atom(atom)
        return total

    def _atom(self, atom: Any) -> Any:
        if isinstance(atom, FloorDiv):
            return np.floor_divide(self.form(atom.numerator), atom.divisor)
        range_ = self.ranges[atom]
        if range_.axis is None:
            return np.int64(range_.start)
        numbers = np.arange(range_.start, range_.start + range_.count)
        return numbers.reshape(-1, *[1] * range_.axis)

    def counts(self) -> tuple[int, ...]:
        """The extents of the open axes, in array order."""
        shape = [1] * self.depth
        for range_ in self.ranges.values():
            if range_.axis is not None:
                shape[-(range_.axis + 1)] = range_.count
        return tuple(shape)


class Node:
    """One op, ready to run. `last_uses` are values that nothing needs after this node."""

    last_uses: tuple[int, ...] = ()

    def run(self, machine: Machine) -> None:
        raise NotImplementedError

    def reads(self) -> Iterable[int]:
        """The values this node uses, its regions' included."""
        return ()

    def defines(self) -> Iterable[int]:
        """The values that are there after this node."""
        return ()


@dataclass(eq=False)
class ScalarNode(Node):
    """A scalar op on a whole domain; index operands may be forms."""

    function: Any
    operands: list["int | Form"]
    result: int

    def run(self, machine: Machine) -> None:
        machine.values[self.result] = self.function(
            *[
                machine.form(operand) if isinstance(operand, Form) else machine.values[operand]
                for operand in self.operands
            ]
        )

    def reads(self) -> Iterable[int]:
        return [operand for operand in self.operands if not isinstance(operand, Form)]

    def defines(self) -> Iterable[int]:
        return (self.result,)


@dataclass(eq=False)
class TensorNode(Node):
    """An op of the tensor level."""

    function: Any
    op: Any
    buffers: list[int]
    shapes: list[list[int]]
    """Of the operands: a view has another shape than its buffer."""

    def run(self, machine: Machine) -> None:
        arrays = [machine.buffers[number].array for number in self.buffers]
        self.function(self.op, *map(np.reshape, arrays, self.shapes))


@dataclass(eq=False)
class Access:
    """What a nest does to a memref: `forms` has one form per dimension, or is None if unknown.

    `shape` is that of the memref, which may be a view of the buffer.
    """

    buffer: int
    is_store: bool
    shape: tuple[int, ...]
    forms: tuple[Form, ...] | None
    flat: Form | None
    """The row-major element number, if the forms are known."""
    path: tuple[int, ...]
    """The keys of the loops around it, outermost first."""


class Compiler:
    """Turns the ops of a kernel into nodes."""

    def __init__(self) -> None:
        self.numbers: dict[ir.Value, int] = {}
        # The buffers of several tensors.
        self.shared: set[int] = set()
        self.forms: dict[int, Form] = {}
        # What each value varies over.
        self.loops_of: dict[int, frozenset[int]] = {}
        self.loops: list[Any] = []
        self.extents: dict[int, int] = {}
        self.space = Space(self.extents)
        self.path: tuple[int, ...] = ()
        self.accesses: list[Access] = []
        # Ops that must not be spread over a domain: allocations and tensor ops.
        self.opaque = 0
        # The domains of arrays that the current nest makes.
        self.domains: set[frozenset[int]] = set()
        # Ops that a reduction computes in one go.
        self.absorbed: set[ir.Operation] = set()
        # Loads, each with its buffer: some must copy.
        self.loads: list[tuple[int, Any]] = []
        self.globals: dict[str, Any] = {}

    def begin(self) -> None:
        """Starts another op of the kernel's body."""
        self.accesses, self.loads = [], []
        self.domains = set()

    def end(self) -> None:
        """A view of memory that the nest, or a later op, writes to would change under its users."""
        stored = {access.buffer for access in self.accesses if access.is_store}
        for buffer, load in self.loads:
            load.copy = buffer in stored or load.outlives_nest

    def number(self, value: ir.Value) -> int:
        found = self.numbers.get(value)
        if found is None:
            found = self.numbers[value] = len(self.numbers)
        return found

    def operand(self, value: ir.Value) -> "int | Form":
        number = self.number(value)
        return self.forms.get(number, number)

    def varies_over(self, operands: Iterable["int | Form"]) -> frozenset[int]:
        loops: set[int] = set()
        for operand in operands:
            if isinstance(operand, Form):
                loops.update(operand.variables())
            else:
                loops.update(self.loops_of.get(operand, ()))
        return frozenset(loops)

    def define(self, value: ir.Value, loops: frozenset[int]) -> int:
        """The number of a value that is an array over `loops`."""
        number = self.number(value)
        self.loops_of[number] = loops
        self.domains.add(loops)
        return number

    def block(self, operations: Iterable[Any]) -> list[Node]:
        nodes = []
        for op in operations:
            if op.operation in self.absorbed:
                continue
            node = self.node(op)
            if node is not None:
                nodes.append(node)
        return nodes

    def node(self, op: Any) -> Node | None:
        name = op.operation.name
        emit = EMITTERS.get(name)
        if emit is not None:
            return emit(self, op)
        scalar = SCALAR_OPS.get(name)
        if scalar is not None:
            operands = [self.operand(value) for value in op.operands]
            result = self.define(op.results[0], self.varies_over(operands))
            return ScalarNode(scalar(op), operands, result)
        tensor = TENSOR_OPS.get(name)
        if tensor is None:
            raise error(op, "PGR001", "has no interpretation")
        self.opaque += 1
        operands = list(op.operands)
        shapes = [ir.MemRefType(value.type).shape for value in operands]
        return TensorNode(tensor, op, [self.number(value) for value in operands], shapes)


def drop_after_last_use(nodes: list[Node], kept: Iterable[int]) -> None:
    """Fills in `last_uses` of a block; `kept` outlive it, as do values from outside."""
    own = {value for node in nodes for value in node.defines()} - set(kept)
    for node in reversed(nodes):
        ends = own.intersection(node.reads())
        node.last_uses = tuple(ends)
        own -= ends
