"""Reads BIR text; the inverse of `text.py`. Grammar: docs/bir-text.md.

Lines are read one by one: each is a tensor, a loop's head, an instruction, or closes a block. The
first error ends the reading: `UserError` at file:line:column. Codes: PGB001 syntax, PGB002 names
(unknown, defined twice, out of scope), PGB003 vocabulary (dtypes, opcodes, engines, attributes,
operand counts), PGB004 constant data.
"""

import json
import re
from typing import Any, NoReturn

import numpy as np

from penguin import dtypes
from penguin.bir import locations
from penguin.bir.model import (
    ACCUMULATION_FLAG,
    INTEGERS,
    Access,
    Affine,
    Function,
    Instruction,
    Loop,
    Module,
    Tensor,
    canonical_attributes,
    check_aliases,
    check_operands,
    check_tensor,
    module_attributes,
)
from penguin.dialects.bir import BY_OPCODE, TARGETS, Engine, Space, TensorKind
from penguin.errors import UserError

_STRING = r'"(?:[^"\\]|\\.)*"'
_NAME = rf"(?:[A-Za-z_][\w.$]*|{_STRING})"
_FLAGS = re.ASCII
_WORD = re.compile(_NAME, _FLAGS)
_HEAD = re.compile(rf"({_STRING}|[A-Za-z_][\w.$-]*)[ \t]*:", _FLAGS)
_INTEGER = re.compile(r"-?\d+", _FLAGS)
_FLOAT = re.compile(r"-?(?:inf|nan|\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.])", _FLAGS)
_ACCESS = re.compile(
    rf"(\w+)[ \t]+({_NAME})[ \t]*(\[[-\d,\[\] \t]*\])(?:[ \t]*@[ \t]*(-?\d+|\([^()]*\)))?", _FLAGS
)
_PAIR = re.compile(r"\[[ \t]*(-?\d+)[ \t]*,[ \t]*(-?\d+)[ \t]*\]", _FLAGS)
_PATTERN = re.compile(rf"\[[ \t]*{_PAIR.pattern}(?:[ \t]*,[ \t]*{_PAIR.pattern})*[ \t]*\]", _FLAGS)
_TERM = re.compile(rf"[ \t]*([+-]?)[ \t]*(?:(?:(\d+)[ \t]*\*[ \t]*)?({_NAME})|(\d+))[ \t]*", _FLAGS)
_LOC = re.compile(rf"loc\(((?:{_STRING}|[^\"()])*)\)")
_ANYTHING = re.compile(r"[\w.$-]+|.")
_HEX = re.compile(r"[0-9A-Fa-f]*")

_KINDS = {
    "input": TensorKind.INPUT,
    "output": TensorKind.OUTPUT,
    "const": TensorKind.CONST,
}
_TENSOR_WORDS = frozenset({*_KINDS, *Space})
_PLACE = frozenset({"base", "addr", "bank"})


def from_text(text: str, filename: str = "<bir>") -> Module:
    """The module that a text describes; `filename` is for error messages."""
    parser = _Parser(text, filename)
    try:
        return parser.module()
    except RecursionError:
        pass
    # Outside of the handler, where the stack is free again.
    parser.fail("nested too deeply")


def _unquote(name: str) -> str:
    return json.loads(name) if name.startswith('"') else name


class _Parser:
    """The scanner (a position in the current line) and the rules of the grammar."""

    def __init__(self, text: str, filename: str) -> None:
        self.lines = text.split("\n")
        self.filename = filename
        self.number = -1
        self.line = ""
        self.position = 0

    # Scanning.

    def fail(self, message: str, code: str = "PGB001", position: int | None = None) -> NoReturn:
        column = (self.position if position is None else position) + 1
        raise UserError.at(code, message, f"{self.filename}:{self.number + 1}:{column}")

    def next_line(self) -> bool:
        """Moves to the next line that says something; False at the end of the text."""
        while self.number + 1 < len(self.lines):
            self.number += 1
            self.line = self.lines[self.number].rstrip()
            self.position = 0
            if not self.at_end():
                return True
        self.position = len(self.line)
        return False

    def skip(self) -> int:
        """Moves past blanks; the position."""
        while self.line.startswith((" ", "\t"), self.position):
            self.position += 1
        return self.position

    def at_end(self) -> bool:
        self.skip()
        return self.position == len(self.line) or self.line.startswith("//", self.position)

    def found(self) -> str:
        if self.at_end():
            return "the end of the line"
        word = _ANYTHING.match(self.line, self.position)
        return f"'{word[0] if word is not None else self.line[self.position]}'"

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.skip()
        match = pattern.match(self.line, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def need(self, pattern: re.Pattern[str], what: str) -> str:
        match = self.match(pattern)
        if match is None:
            self.fail(f"expected {what}, found {self.found()}")
        return match[0]

    def accept(self, token: str) -> bool:
        self.skip()
        if not self.line.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def expect(self, token: str) -> None:
        if not self.accept(token):
            self.fail(f"expected '{token}', found {self.found()}")

    def end(self) -> None:
        if not self.at_end():
            self.fail(f"expected the end of the line, found {self.found()}")

    def word(self, what: str) -> str:
        match = self.match(_WORD)
        if match is None:
            self.fail(f"expected {what}, found {self.found()}")
        return self.unquote(match[0], match.start())

    def unquote(self, text: str, position: int) -> str:
        try:
            return _unquote(text)
        except ValueError:
            self.fail(f"expected a string with valid escapes, found {text}", position=position)

    def integer(self, what: str) -> int:
        start = self.skip()
        return self.in_range(int(self.need(_INTEGER, what)), start)

    def in_range(self, value: int, start: int) -> int:
        if value not in INTEGERS:
            self.fail(f"expected an integer of 64 bits, found {value}", position=start)
        return value

    def member(self, names: Any, what: str) -> str:
        start = self.skip()
        word = self.word(what)
        if word not in names:
            expected = " ".join(map(str, names))
            self.fail(f"{what} is '{word}', expected one of {expected}", "PGB003", start)
        return word

    # Grammar.

    def module(self) -> Module:
        if not self.next_line():
            self.number = max(self.number, 0)
            self.fail("expected 'module', found the end of the text")
        self.keyword("module")
        module = Module(self.member(TARGETS, "target"))
        start = self.position
        try:
            module.attributes = module_attributes(self.attributes())
        except ValueError as error:
            self.fail(str(error), "PGB003", start)
        self.end()
        while self.next_line():
            start = self.position
            function = self.function()
            if any(f.name == function.name for f in module.functions):
                self.fail(f"function '{function.name}' is defined twice", "PGB002", start)
            module.functions.append(function)
        if not module.functions:
            self.fail("expected 'func', found the end of the text")
        return module

    def keyword(self, word: str) -> None:
        start = self.position
        if self.word(f"'{word}'") != word:
            self.position = start
            self.fail(f"expected '{word}', found {self.found()}")

    def function(self) -> Function:
        self.keyword("func")
        self.current = Function(self.word("a function name"))
        self.expect("{")
        self.end()
        # Whether the loop of an axis is open, and how many came before it.
        self.axes: dict[str, bool] = {}
        self.depth: dict[str, int] = {}
        self.used: set[str] = set()
        self.accesses: dict[str, Access] = {}
        # Where the alias of a tensor stands: line and position.
        self.aliases: dict[str, tuple[int, int]] = {}
        self.block(self.current.body, None)
        for tensor, problem in check_aliases(self.current):
            self.number, self.position = self.aliases[tensor.name]
            self.fail(problem, "PGB002")
        return self.current

    def block(self, body: list[Instruction | Loop], scope: str | None) -> None:
        opened = self.number + 1
        while self.next_line():
            if self.accept("}"):
                self.end()
                return
            head = self.match(_HEAD)
            if head is not None:
                body.append(self.instruction(self.unquote(head[1], head.start())))
                continue
            word = self.word("a tensor, 'for', an instruction or '}'")
            if word == "for":
                body.append(self.loop())
            elif word in _TENSOR_WORDS:
                self.tensor(word, scope, bool(body))
            else:
                self.position -= len(word)
                self.fail(f"expected a tensor, 'for', an instruction or '}}', found {self.found()}")
        self.fail(f"expected '}}' for the block of line {opened}, found the end of the text")

    def tensor(self, word: str, scope: str | None, late: bool) -> None:
        if late:
            self.fail("expected tensors before the first instruction of their block", position=0)
        kind = _KINDS.get(word, TensorKind.INTERNAL)
        if kind is not TensorKind.INTERNAL:
            word = self.member(list(Space), "space")
        dtype = self.member(dtypes.BY_BIR, "dtype")
        start = self.position + 1
        name = self.word("a tensor name")
        if name in self.current.tensors:
            self.fail(f"tensor '{name}' is defined twice", "PGB002", start)
        tensor = Tensor(name, dtype, self.shape(), word, str(kind), scope=scope)
        while (match := self.match(_WORD)) is not None:
            key = match[0]
            if key == "alias":
                self.aliases[name] = (self.number, self.skip())
                tensor.alias = self.word("a tensor name")
                break
            if key not in _PLACE:
                expected = "base, addr, bank or alias"
                self.fail(f"expected {expected}, found '{key}'", position=match.start())
            self.expect("=")
            setattr(tensor, key, self.integer("an integer"))
        try:
            check_tensor(tensor)
        except ValueError as error:
            self.fail(str(error), "PGB002", start)
        if kind is TensorKind.CONST:
            self.expect("=")
            tensor.data = self.data(tensor)
        self.end()
        self.current.tensors[name] = tensor

    def shape(self) -> tuple[int, ...]:
        self.expect("[")
        extents: list[int] = []
        if not self.accept("]"):
            extents.append(self.integer("an extent"))
            while self.accept(","):
                extents.append(self.integer("an extent"))
            self.expect("]")
        return tuple(extents)

    def data(self, tensor: Tensor) -> np.ndarray:
        dtype = tensor.numpy_dtype
        start = self.skip()
        form = self.word("'splat' or 'hex'")
        if form == "splat":
            value = self.value()
            if not isinstance(value, int | float) or isinstance(value, bool):
                self.fail(f"expected a number, found {value!r}", position=start)
            return self.splat(tensor, value, start)
        if form != "hex":
            self.fail(f"expected 'splat' or 'hex', found '{form}'", position=start)
        digits = self.need(_HEX, "hexadecimal digits")
        if len(digits) != 2 * tensor.nbytes:
            found = len(digits) / 2
            self.fail(
                f"tensor '{tensor.name}' has {found:g} bytes of data, expected {tensor.nbytes}",
                "PGB004",
                start,
            )
        return np.frombuffer(bytes.fromhex(digits), dtype).reshape(tensor.shape)

    def splat(self, tensor: Tensor, value: int | float, start: int) -> np.ndarray:
        try:
            return splat(tensor, value)
        except ValueError as error:
            self.fail(str(error), "PGB004", start)

    def loop(self) -> Loop:
        start = self.position + 1
        axis = self.word("a loop axis")
        if axis in self.axes:
            self.fail(f"loop axis '{axis}' is defined twice", "PGB002", start)
        self.expect("=")
        lower = self.integer("the lower bound")
        self.keyword_after("to")
        upper = self.integer("the upper bound")
        step = 1
        if self.accept("step"):
            step = self.integer("the step")
        if step < 1:
            self.fail(f"loop '{axis}' has step {step}, expected at least 1", position=start)
        loop = Loop(axis, lower, upper, step, loc=self.location())
        self.expect("{")
        self.end()
        self.depth[axis] = len(self.axes)
        self.axes[axis] = True
        self.block(loop.body, axis)
        self.axes[axis] = False
        return loop

    def keyword_after(self, word: str) -> None:
        if not self.accept(word):
            self.fail(f"expected '{word}', found {self.found()}")

    def instruction(self, name: str) -> Instruction:
        start = len(self.line) - len(self.line.lstrip())
        if name in self.used:
            self.fail(f"instruction '{name}' is defined twice", "PGB002", start)
        self.used.add(name)
        head = self.skip()
        word = self.word("engine.opcode")
        engine, dot, opcode = word.partition(".")
        if not dot:
            self.fail(f"expected engine.opcode, found '{word}'", position=head)
        if engine not in list(Engine):
            expected = " ".join(Engine)
            self.fail(f"engine is '{engine}', expected one of {expected}", "PGB003", head)
        if opcode not in BY_OPCODE:
            expected = " ".join(BY_OPCODE)
            self.fail(f"opcode is '{opcode}', expected one of {expected}", "PGB003", head)
        outs = self.operands()
        ins = self.operands(required=True) if self.accept("=") else ()
        attributes = self.attributes()
        loc = self.location()
        self.end()
        try:
            check_operands(opcode, len(ins), len(outs))
            attributes = canonical_attributes(opcode, attributes)
        except ValueError as error:
            self.fail(str(error), "PGB003", start)
        for axis in attributes.get(ACCUMULATION_FLAG, ()):
            if not self.axes.get(axis):
                self.fail(f"'{axis}' is no axis of a loop around it", "PGB002", start)
        return Instruction(name, opcode, engine, ins, outs, attributes, loc)

    def operands(self, required: bool = False) -> tuple[Access, ...]:
        found: list[Access] = []
        while found or required or self.match_ahead(_ACCESS):
            found.append(self.access())
            if not self.accept(","):
                break
        return tuple(found)

    def match_ahead(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.line, self.skip()) is not None

    def access(self) -> Access:
        match = self.match(_ACCESS)
        if match is None:
            self.fail(f"expected dtype name[[step,num],...]@offset, found {self.found()}")
        known = self.accesses.get(match[0])
        if known is None:
            known = self.accesses[match[0]] = self.new_access(match)
        for axis, _ in known.offset.terms:
            if not self.axes.get(axis):
                self.fail(f"'{axis}' is no axis of a loop around it", "PGB002", match.start())
        scope = self.current.tensors[known.tensor].scope
        if scope is not None and not self.axes[scope]:
            self.fail(f"tensor '{known.tensor}' is out of scope", "PGB002", match.start(2))
        return known

    def new_access(self, match: re.Match[str]) -> Access:
        dtype, name, pattern, offset = match.groups()
        name = self.unquote(name, match.start(2))
        if dtype not in dtypes.BY_BIR:
            expected = " ".join(dtypes.BY_BIR)
            text = f"dtype is '{dtype}', expected one of {expected}"
            self.fail(text, "PGB003", match.start())
        if name not in self.current.tensors:
            self.fail(f"tensor '{name}' is not defined", "PGB002", match.start(2))
        if _PATTERN.fullmatch(pattern) is None:
            self.fail(f"expected [[step,num],...], found {pattern}", position=match.start(3))
        pairs = tuple((int(step), int(num)) for step, num in _PAIR.findall(pattern))
        for pair in pairs:
            for value in pair:
                self.in_range(value, match.start(3))
        return Access(name, dtype, self.offset(offset, match.start(4)), pairs)

    def offset(self, text: str | None, start: int) -> Affine:
        if text is None:
            return Affine()
        if not text.startswith("("):
            return Affine(self.in_range(int(text), start))
        const, terms, position = 0, {}, 1
        while position < len(text) - 1:
            term = _TERM.match(text, position, len(text) - 1)
            if term is None or (position > 1 and not term[1]):
                self.fail(f"expected a sum of coefficient*axis, found {text}", position=start)
            sign = -1 if term[1] == "-" else 1
            if term[4] is not None:
                const += sign * int(term[4])
            else:
                axis = self.unquote(term[3], start)
                terms[axis] = terms.get(axis, 0) + sign * int(term[2] or 1)
            position = term.end()
        for value in (const, *terms.values()):
            self.in_range(value, start)
        ordered = sorted(terms, key=lambda axis: self.depth.get(axis, 0))
        return Affine(const, tuple((axis, terms[axis]) for axis in ordered if terms[axis]))

    def attributes(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while True:
            start = self.position
            match = self.match(_WORD)
            if match is None or self.line.startswith("(", self.position):
                self.position = start
                return result
            key = self.unquote(match[0], match.start())
            self.expect("=")
            if key in result:
                self.fail(f"attribute '{key}' is given twice", position=match.start())
            result[key] = self.value()

    def value(self) -> Any:
        if self.accept("["):
            elements = []
            if not self.accept("]"):
                elements.append(self.value())
                while self.accept(","):
                    elements.append(self.value())
                self.expect("]")
            return tuple(elements)
        if (match := self.match(_FLOAT)) is not None:
            return float(match[0])
        if (match := self.match(_INTEGER)) is not None:
            return self.in_range(int(match[0]), match.start())
        match = self.match(_WORD)
        if match is None:
            self.fail(f"expected a value, found {self.found()}")
        if match[0] in ("true", "false"):
            return match[0] == "true"
        return self.unquote(match[0], match.start())

    def location(self) -> str:
        match = self.match(_LOC)
        if match is None:
            return ""
        try:
            locations.parse(match[1])
        except ValueError as error:
            message, position = error.args if len(error.args) == 2 else (str(error), 0)
            self.fail(f"{message} in a location", position=match.start(1) + position)
        return match[1]


def splat(tensor: Tensor, value: int | float) -> np.ndarray:
    """An array of the tensor's shape and dtype; `ValueError` if the dtype cannot hold the value."""
    dtype = tensor.numpy_dtype
    is_float = dtypes.BY_BIR[tensor.dtype].is_float
    # What a float cannot hold is infinite.
    with np.errstate(over="ignore"):
        exact = np.array(value).astype(dtype) if is_float or isinstance(value, int) else None
    if exact is None or (not is_float and int(exact) != value):
        raise ValueError(f"tensor '{tensor.name}' has splat {value}, expected {tensor.dtype}")
    return np.broadcast_to(exact, tensor.shape)
