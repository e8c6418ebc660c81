"""BIR text: the form of a module that people read and FileCheck sees. Grammar: docs/bir-text.md.

    module trn2

    func main {
      input dram float32 arg0[1024,512]
      output dram float32 out0[1024,512]

      for i0 = 0 to 8 {
        sbuf float32 t0[128,512]
        I-0: DMA.Load float32 t0[[512,128],[1,512]] = float32 arg0[[512,128],[1,512]]@(65536*i0)
        ...

One line per tensor, loop and instruction; outputs, `=`, inputs, attributes, location.
"""

import functools
import json
import math
import re
from typing import Any

import numpy as np

from penguin.bir.model import Access, Affine, Function, Instruction, Loop, Module, Tensor
from penguin.dialects.bir import TensorKind

NAME = re.compile(r"[A-Za-z_][\w.$]*", re.ASCII)
INSTRUCTION_NAME = re.compile(r"[A-Za-z_][\w.$-]*", re.ASCII)
# Words that mean something else as an attribute value.
RESERVED = frozenset({"true", "false", "inf", "nan"})
KINDS = {
    TensorKind.INPUT: "input ",
    TensorKind.OUTPUT: "output ",
    TensorKind.CONST: "const ",
    TensorKind.INTERNAL: "",
}
_INDENT = "  "


def to_text(module: Module) -> str:
    """The text of a module."""
    lines = ["module " + module.target + _attributes(module.attributes)]
    for function in module.functions:
        lines += ["", *_Printer(function).lines()]
    return "\n".join(lines) + "\n"


def quoted(text: str, bare: re.Pattern[str] = NAME) -> str:
    """A name as it is, or in quotes if it would not read back."""
    return text if bare.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def number(value: float) -> str:
    """The shortest text that reads back as this float32."""
    # The cache would take -0.0 for 0.0.
    return _number(value) if value else repr(value)


@functools.lru_cache(4096)
def _number(value: float) -> str:
    return str(np.float32(value))


class _Printer:
    """Prints one function; an access is printed once."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.scopes: dict[str | None, list[Tensor]] = {}
        self.accesses: dict[Access, str] = {}
        for tensor in function.tensors.values():
            self.scopes.setdefault(tensor.scope, []).append(tensor)

    def lines(self) -> list[str]:
        self.out = [f"func {quoted(self.function.name)} {{"]
        self.tensors(None, _INDENT)
        if self.scopes.get(None) and self.function.body:
            self.out.append("")
        self.body(self.function.body, _INDENT)
        self.out.append("}")
        return self.out

    def tensors(self, scope: str | None, indent: str) -> None:
        self.out += [indent + _tensor(t) for t in self.scopes.get(scope, ())]

    def body(self, items: list[Instruction | Loop], indent: str) -> None:
        for item in items:
            if isinstance(item, Instruction):
                self.out.append(indent + self.instruction(item))
                continue
            self.out.append(f"{indent}{_loop(item)}")
            self.tensors(item.axis, indent + _INDENT)
            self.body(item.body, indent + _INDENT)
            self.out.append(indent + "}")

    def instruction(self, item: Instruction) -> str:
        name = quoted(item.name, INSTRUCTION_NAME)
        text = f"{name}: {item.engine}.{item.opcode} {self.operands(item.outs)}"
        if item.ins:
            text += f" = {self.operands(item.ins)}"
        return text + _attributes(item.attributes) + _location(item.loc)

    def operands(self, accesses: tuple[Access, ...]) -> str:
        return ", ".join([self.accesses.get(a) or self.access(a) for a in accesses])

    def access(self, access: Access) -> str:
        pairs = ",".join([f"[{step},{num}]" for step, num in access.pattern])
        text = f"{access.dtype} {quoted(access.tensor)}[{pairs}]{_offset(access.offset)}"
        self.accesses[access] = text
        return text


def _offset(offset: Affine) -> str:
    if not offset.terms:
        return f"@{offset.const}" if offset.const else ""
    parts = []
    for axis, coefficient in offset.terms:
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
        parts.append(("-" if coefficient < 0 else "+") + factor + quoted(axis))
    if offset.const:
        parts.append(f"{offset.const:+d}")
    return f"@({''.join(parts).removeprefix('+')})"


def _loop(loop: Loop) -> str:
    step = f" step {loop.step}" if loop.step != 1 else ""
    bounds = f"{loop.lower} to {loop.upper}{step}"
    return f"for {quoted(loop.axis)} = {bounds}{_location(loop.loc)} {{"


def _location(text: str) -> str:
    return f" loc({text})" if text else ""


def _attributes(attributes: dict[str, Any]) -> str:
    return "".join([f" {quoted(key)}={value_text(value)}" for key, value in attributes.items()])


def value_text(value: Any) -> str:
    """An attribute value: boolean, integer, float32, name or list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str):
        return json.dumps(value) if value in RESERVED else quoted(value)
    return f"[{','.join(value_text(element) for element in value)}]"


def _tensor(tensor: Tensor) -> str:
    shape = ",".join(map(str, tensor.shape))
    text = f"{KINDS[tensor.kind]}{tensor.space} {tensor.dtype} {quoted(tensor.name)}[{shape}]"
    for key in ("base", "addr", "bank"):
        value = getattr(tensor, key)
        if value is not None:
            text += f" {key}={value}"
    if tensor.alias is not None:
        text += f" alias {quoted(tensor.alias)}"
    if tensor.data is not None:
        text += f" = {_data(tensor)}"
    return text


def _data(tensor: Tensor) -> str:
    data = np.ascontiguousarray(tensor.data)
    splat = splat_of(data)
    if splat is not None:
        return f"splat {value_text(splat)}"
    return "hex " + data.tobytes().hex()


def splat_of(data: np.ndarray) -> int | float | None:
    """The value that all elements have bit by bit, if it is not NaN."""
    flat = data.reshape(-1)
    if not flat.size:
        return None
    raw = flat.view(np.dtype(f"u{flat.dtype.itemsize}"))
    if (raw != raw[0]).any():
        return None
    first = flat[0]
    if np.issubdtype(flat.dtype, np.integer):
        return int(first)
    value = float(first)
    return None if math.isnan(value) else value
