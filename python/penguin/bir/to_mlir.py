"""A module at the inst level from the object model, in the current context.

The inverse of `from_mlir`: tensors and constants keep their names in `penguin.name`, tiles are
allocated at the start of the block that holds them. The result is not verified here; the caller
may, and then knows that the program respects the target's limits. A name that does not exist is an
error: PGB002.
"""

from typing import Any

import numpy as np

from penguin import dtypes
from penguin.bir import constants, locations
from penguin.bir.model import (
    ACCUMULATION_FLAG,
    Access,
    Function,
    Instruction,
    Loop,
    Module,
    Tensor,
    check_aliases,
)
from penguin.dialects import bir
from penguin.dialects.penguin.attributes import ALIAS, IO, KERNEL, MUST_ALIAS, NAME, IoKind
from penguin.errors import UserError
from penguin.mlir import func, ir, memref


def to_mlir(module: Module) -> ir.Module:
    """The MLIR module of a model."""
    with ir.Location.unknown():
        result = ir.Module.create()
        root = result.operation
        root.attributes[bir.TARGET] = bir.to_attribute(module.target)
        for key, value in module.attributes.items():
            root.attributes[f"bir.{key}"] = bir.to_attribute(value)
        symbols = {f.name for f in module.functions}
        for function in module.functions:
            with ir.InsertionPoint(result.body):
                _Writer(function, symbols).write()
    return result


def memref_type(tensor: Tensor) -> ir.Type:
    """The memref type of a tensor."""
    element = ir.Type.parse(dtypes.BY_BIR[tensor.dtype].mlir)
    space = ir.StringAttr.get(tensor.space)
    return ir.MemRefType.get(tensor.shape, element, memory_space=space)


class _Writer:
    """Writes one function."""

    def __init__(self, function: Function, symbols: set[str]) -> None:
        self.function = function
        self.symbols = symbols
        self.values: dict[str, ir.Value] = {}
        self.axes: dict[str, ir.Value] = {}
        self.locations: dict[str, ir.Location] = {}
        self.scopes: dict[str | None, list[Tensor]] = {}
        for tensor in function.tensors.values():
            self.scopes.setdefault(tensor.scope, []).append(tensor)

    def write(self) -> None:
        for _, problem in check_aliases(self.function):
            raise UserError.at("PGB002", problem, self.function.name)
        external = (bir.TensorKind.INPUT, bir.TensorKind.OUTPUT)
        arguments = [t for t in self.function.tensors.values() if t.kind in external]
        constants_ = [t for t in self.function.tensors.values() if t.data is not None]
        symbols = {t.name: self.constant(t, t.data) for t in constants_ if t.data is not None}
        op = func.FuncOp(self.function.name, ([memref_type(t) for t in arguments], []))
        op.attributes[KERNEL] = ir.UnitAttr.get()
        numbers = {tensor.name: number for number, tensor in enumerate(arguments)}
        op.attributes["arg_attrs"] = ir.ArrayAttr.get([_argument(t, numbers) for t in arguments])
        block = op.add_entry_block()
        for tensor, value in zip(arguments, block.arguments, strict=True):
            self.values[tensor.name] = value
        with ir.InsertionPoint(block):
            for tensor in constants_:
                get = memref.GetGlobalOp(memref_type(tensor), symbols[tensor.name])
                get.attributes[NAME] = ir.StringAttr.get(tensor.name)
                self.values[tensor.name] = get.result
            self.allocate(None)
            self.body(self.function.body)
            func.ReturnOp([])

    def constant(self, tensor: Tensor, data: np.ndarray) -> str:
        """Defines the global of a constant; returns its symbol, unique in the module."""
        symbol, number = tensor.name, 1
        while symbol in self.symbols:
            symbol, number = f"{tensor.name}_{number}", number + 1
        self.symbols.add(symbol)
        type_ = memref_type(tensor)
        memref.GlobalOp(
            symbol,
            ir.TypeAttr.get(type_),
            sym_visibility=ir.StringAttr.get("private"),
            initial_value=constants.from_numpy(data, type_.element_type),
            constant=True,
        )
        return symbol

    def allocate(self, scope: str | None) -> None:
        for tensor in self.scopes.get(scope, ()):
            if tensor.name in self.values:
                continue
            op = memref.AllocOp(memref_type(tensor), [], [])
            op.attributes[NAME] = ir.StringAttr.get(tensor.name)
            for key, value in (
                (bir.BASE, tensor.base),
                (bir.ADDRESS, tensor.addr),
                (bir.BANK, tensor.bank),
            ):
                if value is not None:
                    op.attributes[key] = bir.to_attribute(value)
            if tensor.alias is not None:
                op.attributes[MUST_ALIAS] = ir.StringAttr.get(tensor.alias)
            self.values[tensor.name] = op.result

    def body(self, items: list[Instruction | Loop]) -> None:
        for item in items:
            if isinstance(item, Instruction):
                self.instruction(item)
                continue
            op = bir.loop(item.lower, item.upper, item.step, loc=self.location(item.loc))
            self.axes[item.axis] = op.axis
            with ir.InsertionPoint(op.block):
                self.allocate(item.axis)
                self.body(item.body)
            del self.axes[item.axis]

    def instruction(self, item: Instruction) -> None:
        attributes = item.attributes
        try:
            flag = attributes.get(ACCUMULATION_FLAG)
            if flag is not None:
                attributes = {**attributes, ACCUMULATION_FLAG: [self.axes[a] for a in flag]}
            bir.build(
                item.opcode,
                ins=[self.operand(a) for a in item.ins],
                outs=[self.operand(a) for a in item.outs],
                engine=item.engine,
                attributes=attributes,
                loc=self.location(item.loc),
            )
        except KeyError as error:
            raise UserError.at(
                "PGB002", f"{item.name} uses {error}, which is not defined there", item.loc
            ) from None

    def operand(self, access: Access) -> Any:
        coefficients = {self.axes[axis]: c for axis, c in access.offset.terms}
        value = self.values[access.tensor]
        return value, access.dtype, access.offset.const, coefficients, access.pattern

    def location(self, text: str) -> ir.Location:
        found = self.locations.get(text)
        if found is None:
            found = self.locations[text] = locations.location_of(text)
        return found


def _argument(tensor: Tensor, numbers: dict[str, int]) -> ir.Attribute:
    output = tensor.kind == bir.TensorKind.OUTPUT
    attributes = {
        IO: ir.StringAttr.get(IoKind.OUTPUT if output else IoKind.INPUT),
        NAME: ir.StringAttr.get(tensor.name),
    }
    if tensor.alias is not None:
        i64 = ir.IntegerType.get_signless(64)
        attributes[ALIAS] = ir.IntegerAttr.get(i64, numbers[tensor.alias])
    return ir.DictAttr.get(attributes)
