"""The object model of a module at the inst level.

Names are deterministic: tensors have their `penguin.name` (a constant its symbol), made unique with
a number; instructions are I-0, I-1... and loop axes i0, i1... in program order, per function.
A tensor that shares another's buffer has an alias.
Every function becomes one, `main` first. What is not `bir`, `memref.alloc`, `memref.global`,
`memref.get_global` or `func` is an error: PGB006.
"""

from typing import Any

import numpy as np

from penguin import dtypes
from penguin.analysis.aliases import Aliases, check
from penguin.bir import constants, locations
from penguin.bir.model import (
    ACCUMULATION_FLAG,
    Access,
    Affine,
    Function,
    Instruction,
    Loop,
    Module,
    Tensor,
    canonical_attributes,
    check_aliases,
)
from penguin.dialects import bir
from penguin.dialects.base import tensor_of
from penguin.dialects.bir.access_pattern import decode_list
from penguin.dialects.penguin.attributes import IO, NAME, IoKind
from penguin.errors import UserError
from penguin.mlir import guard, ir
from penguin.passlib.diagnostics import describe

_FORM = frozenset({bir.ACCESS, bir.ENGINE, bir.SEGMENTS})
_SKIPPED = frozenset({"func.return", "memref.dealloc"})


def from_mlir(module: ir.Module) -> Module:
    """The model of `module`; raises `UserError` (PGB006) if it is not at the inst level."""
    with guard():
        attributes = {a: module.operation.attributes[a] for a in module.operation.attributes}
        target = attributes.pop(bir.TARGET, None)
        result = Module(bir.DEFAULT_TARGET if target is None else target.value)
        for key, value in sorted(attributes.items()):
            if key.startswith(bir.PREFIX):
                result.attributes[key.removeprefix(bir.PREFIX)] = bir.from_attribute(value)
        globals_: dict[str, ir.Operation] = {}
        functions = []
        for op in module.body.operations:
            op = op.operation
            if op.name == "memref.global":
                globals_[op.attributes["sym_name"].value] = op
            elif op.name == "func.func":
                functions.append(op)
            else:
                raise _unexpected(op, "func.func and memref.global in the module")
        if not functions:
            raise _unexpected(module.operation, "a module with a func.func in it")
        functions.sort(key=lambda f: f.attributes["sym_name"].value != "main")
        result.functions = [_Reader(globals_).function(op) for op in functions]
    return result


def _unexpected(op: ir.Operation, expected: str) -> UserError:
    message = f"'{op.name}' op found, expected {expected}"
    return UserError.at("PGB006", message, describe(op.location))


class _Names:
    """Makes names unique: the first comer keeps its own."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.next: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        name = wanted
        number = self.next.get(wanted, 1)
        while name in self.used:
            name = f"{wanted}_{number}"
            number += 1
        self.next[wanted] = number
        self.used.add(name)
        return name


class _Reader:
    """Reads one function."""

    def __init__(self, globals_: dict[str, ir.Operation]) -> None:
        self.globals = globals_
        self.names = _Names()
        self.tensors: dict[ir.Value, str] = {}
        self.axes: dict[ir.Value, str] = {}
        self.depth: dict[str, int] = {}
        self.constants: dict[str, str] = {}
        self.instructions = 0
        self.accesses: dict[tuple[Any, ...], Access] = {}
        self.locations: dict[ir.Attribute, str] = {}

    def function(self, op: ir.Operation) -> Function:
        self.result = Function(op.attributes["sym_name"].value)
        blocks = list(op.regions[0].blocks)
        if len(blocks) != 1:
            raise _unexpected(op, "a function of one block")
        given = op.attributes["arg_attrs"] if "arg_attrs" in op.attributes else None
        for number, argument in enumerate(blocks[0].arguments):
            attributes = given[number] if given is not None else {}
            output = IO in attributes and attributes[IO].value == IoKind.OUTPUT
            kind = bir.TensorKind.OUTPUT if output else bir.TensorKind.INPUT
            name = attributes[NAME].value if NAME in attributes else f"arg{number}"
            self.tensor(argument, name, kind)
        self.constants_of(blocks[0])
        self.block(blocks[0], None, self.result.body)
        self.alias(op)
        return self.result

    def alias(self, op: ir.Operation) -> None:
        """Tensors with the memory of others."""
        check(op)
        for value, target in Aliases(op).declared.items():
            self.result.tensors[self.tensors[value]].alias = self.tensors[target]
        for _, problem in check_aliases(self.result):
            raise UserError.at("PGB006", problem, describe(op))

    def constants_of(self, block: ir.Block) -> None:
        """Constants come before tiles, whichever loop mentions them."""
        for op in block.operations:
            if op.operation.name == "memref.get_global":
                self.constant(op.operation)
            elif isinstance(op, bir.LoopOp):
                self.constants_of(op.block)

    def tensor(
        self, value: ir.Value, name: str, kind: str = bir.TensorKind.INTERNAL, **more: Any
    ) -> None:
        facts = tensor_of(value.type)
        if facts.problem is not None:
            raise UserError.at("PGB006", f"tensor '{name}' {facts.problem}")
        name = self.names.unique(name)
        self.tensors[value] = name
        self.result.tensors[name] = Tensor(
            name, facts.dtype.bir, facts.shape, facts.space, str(kind), **more
        )

    def block(self, block: ir.Block, scope: str | None, body: list[Instruction | Loop]) -> None:
        operations = list(block.operations)
        for op in operations:
            if op.operation.name == "memref.alloc":
                self.allocation(op.operation, scope)
        for op in operations:
            if isinstance(op, bir.Instruction):
                body.append(self.instruction(op))
            elif isinstance(op, bir.LoopOp):
                body.append(self.loop(op))
            elif op.operation.name not in ("memref.alloc", "memref.get_global", *_SKIPPED):
                raise _unexpected(op.operation, "the inst level")

    def allocation(self, op: ir.Operation, scope: str | None) -> None:
        attributes = op.attributes
        place = {
            field: attributes[key].value
            for field, key in (("base", bir.BASE), ("addr", bir.ADDRESS), ("bank", bir.BANK))
            if key in attributes
        }
        name = attributes[NAME].value if NAME in attributes else "t"
        self.tensor(op.results[0], name, scope=scope, **place)

    def constant(self, op: ir.Operation) -> None:
        symbol = op.attributes["name"].value
        value = op.results[0]
        if symbol in self.constants:
            self.tensors[value] = self.constants[symbol]
            return
        definition = self.globals.get(symbol)
        if definition is None:
            raise _unexpected(op, f"memref.global @{symbol}")
        facts = tensor_of(value.type)
        data = _data(definition, facts.shape, facts.dtype)
        name = op.attributes[NAME].value if NAME in op.attributes else symbol
        self.tensor(value, name, bir.TensorKind.CONST, data=data)
        self.constants[symbol] = self.tensors[value]

    def loop(self, op: bir.LoopOp) -> Loop:
        axis = f"i{len(self.axes)}"
        self.axes[op.axis] = axis
        self.depth[axis] = len(self.axes)
        result = Loop(axis, *op.range, loc=self.location(op))
        self.block(op.block, axis, result.body)
        return result

    def instruction(self, op: bir.Instruction) -> Instruction:
        attributes = op.attributes
        try:
            patterns = decode_list(attributes[bir.ACCESS])
            values = {}
            for key in attributes:
                if key not in _FORM and "." not in key:
                    values[key] = bir.from_attribute(attributes[key])
            operands = list(op.operands)
            tensors = len(patterns)
            axes = [self.axes[value] for value in operands[tensors:]]
            if ACCUMULATION_FLAG in values:
                values[ACCUMULATION_FLAG] = tuple(axes[i] for i in values[ACCUMULATION_FLAG])
            values = canonical_attributes(op.opcode, values)
        except (ValueError, KeyError, IndexError) as error:
            text = f"'bir.{op.opcode}' op is malformed: {error}"
            raise UserError.at("PGB006", text, describe(op.location)) from None
        accesses = [
            self.access(self.tensors[value], pattern, axes)
            for value, pattern in zip(operands[:tensors], patterns, strict=True)
        ]
        split = tensors - len(op.schema.outs)
        self.instructions += 1
        return Instruction(
            f"I-{self.instructions - 1}",
            str(op.opcode),
            attributes[bir.ENGINE].value,
            tuple(accesses[:split]),
            tuple(accesses[split:]),
            values,
            self.location(op),
        )

    def access(self, tensor: str, pattern: bir.AccessPattern, axes: list[str]) -> Access:
        key = (tensor, pattern, *axes)
        found = self.accesses.get(key)
        if found is None:
            terms = [(a, c) for a, c in zip(axes, pattern.coefficients, strict=True) if c]
            terms.sort(key=lambda term: self.depth[term[0]])
            offset = Affine(pattern.const, tuple(terms))
            found = self.accesses[key] = Access(tensor, pattern.dtype, offset, pattern.pattern)
        return found

    def location(self, op: Any) -> str:
        location = op.location
        attribute = location.attr
        found = self.locations.get(attribute)
        if found is None:
            found = self.locations[attribute] = locations.text_of(location)
        return found


def _data(op: ir.Operation, shape: tuple[int, ...], dtype: dtypes.DType) -> np.ndarray:
    expected = "a global with a dense value or a resource"
    if "initial_value" not in op.attributes:
        raise _unexpected(op, expected)
    try:
        data = constants.to_numpy(op.attributes["initial_value"], shape, dtype)
    except ValueError as error:
        raise _unexpected(op, f"{expected}; its value {error}") from None
    return data.view(np.uint8) if dtype.mlir == "i1" else data
