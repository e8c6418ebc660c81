"""BIR JSON version 2, with the keys, enum spellings and defaults of the public schema.

Sorted keys, two spaces of indent, references by name, defaults left out. docs/bir-json.md describes
it and marks as "guess" what the schema does not say and penguin had to choose.

`from_json` reads what `to_json` writes, and files of others as far as their programs consist of
what penguin knows: bookkeeping keys are skipped, any other key is an error. Codes: PGB005 (not
this format), PGB002, PGB003 and PGB004 as in BIR text; the location is the path of the object.
"""

import contextlib
import json
import math
from collections.abc import Iterator
from typing import Any

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
from penguin.bir.text import number, splat_of
from penguin.bir.text_parser import splat
from penguin.dialects.bir import BY_OPCODE, SCHEMAS, TARGETS, Engine, Opcode, Space, TensorKind
from penguin.dialects.bir.schema import Kind
from penguin.dialects.bir.target import BY_ARCH
from penguin.errors import UserError

VERSION = 2
_MEMORY_TYPE = {Space.DRAM: 8, Space.SBUF: 16, Space.PSUM: 32}
_ARGUMENT_TYPE = {TensorKind.INPUT: 2, TensorKind.OUTPUT: 4}
_PLACE = ("base", "addr", "bank")
_INDIRECTIONS = "indirection_ins"
# Written by the schema for every instruction.
_ALWAYS = {
    "engine_id": 0,
    "optin_passes": [],
    "origin": "Penguin",
    "scheduled_end": 0,
    "scheduled_start": 0,
}
# Keys of an instruction that say nothing about what it computes.
_SKIPPED = frozenset({*_ALWAYS, "loopnest", "order", "sync_info", "dependencies"}) | {
    "loop_carried_dependencies",
    "unroll_dependencies",
    "dma_trigger_debug_update_semaphore_id",
}


def to_json(module: Module) -> str:
    """The JSON text of a module."""
    result: dict[str, Any] = {
        "arch": TARGETS[module.target].arch,
        "functions": [_Writer(f).function() for f in module.functions],
        "version": VERSION,
    }
    if module.attributes:
        result["attributes"] = {k: _value(v) for k, v in module.attributes.items()}
    return json.dumps(result, indent=2, sort_keys=True, allow_nan=False) + "\n"


def from_json(text: str, filename: str = "<bir.json>") -> Module:
    """The module of a JSON text; `filename` is for error messages."""
    try:
        return _Reader(filename).module(json.loads(text))
    except json.JSONDecodeError as error:
        where = f"{filename}:{error.lineno}:{error.colno}"
        raise UserError.at("PGB005", f"is not JSON: {error.msg}", where) from None
    except RecursionError:
        raise UserError.at("PGB005", "is nested too deeply", filename) from None


def _value(value: Any) -> Any:
    """Numbers of float32 in their shortest form; infinities and NaN, which JSON lacks, as text."""
    if isinstance(value, float):
        return float(number(value)) if math.isfinite(value) else number(value)
    if isinstance(value, tuple | list):
        return [_value(element) for element in value]
    return value


class _Writer:
    def __init__(self, function: Function) -> None:
        self.source = function
        self.loops: list[str] = []

    def function(self) -> dict[str, Any]:
        return {
            "allocations": [self.allocation(t) for t in self.source.tensors.values()],
            "blocks": [self.block("Block1", self.source.body)],
            "name": self.source.name,
        }

    def allocation(self, tensor: Tensor) -> dict[str, Any]:
        itemsize = tensor.numpy_dtype.itemsize
        partitions = tensor.shape[0] if tensor.shape else 1
        location: dict[str, Any] = {
            "Skind": "memory_location",
            "dims": [partitions, tensor.count // max(partitions, 1) * itemsize],
            "name": tensor.name,
            "type": _ARGUMENT_TYPE.get(tensor.kind, _MEMORY_TYPE[tensor.space]),
        }
        for key in _PLACE:
            if (value := getattr(tensor, key)) is not None:
                location[key] = value
        if tensor.addr is not None:
            location["allocated"] = True
        if tensor.alias is not None:
            location["alias"] = tensor.alias
        result: dict[str, Any] = {
            "Skind": "memory_location_set",
            "addr_space": "Local",
            "dtype": tensor.dtype,
            "kind": tensor.kind,
            "memorylocations": [location],
            "name": f"{tensor.name}_set",
            "partition_dim": 0,
            "tensorId2MemLocSize": 1,
            "tensor_shape": list(tensor.shape),
        }
        if tensor.scope is not None:
            result["scope"] = tensor.scope
        if tensor.data is not None:
            data = np.ascontiguousarray(tensor.data)
            value = splat_of(data)
            if value is None:
                result["data"] = data.tobytes().hex()
            else:
                result["splat"] = _value(value)
        return result

    def block(self, name: str, body: list[Instruction | Loop]) -> dict[str, Any]:
        items = [self.loop(i) if isinstance(i, Loop) else self.instruction(i) for i in body]
        return {"instructions": items, "name": name}

    def loop(self, loop: Loop) -> dict[str, Any]:
        axis = {"lb": loop.lower, "name": loop.axis, "stride": loop.step, "ub": loop.upper}
        self.loops.append(loop.axis)
        block = self.block(f"Block_{loop.axis}", loop.body)
        self.loops.pop()
        result = {"LoopAxis": axis, "blocks": [block], "opcode": "Loop"}
        return {**result, "debug": loop.loc} if loop.loc else result

    def instruction(self, item: Instruction) -> dict[str, Any]:
        accesses = [_access(a) for a in item.ins]
        direct = len(accesses) - SCHEMAS[Opcode(item.opcode)].indirections
        result = {
            **_ALWAYS,
            "engine": item.engine,
            "ins": accesses[:direct],
            "name": item.name,
            "opcode": item.opcode,
            "outs": [_access(a) for a in item.outs],
        }
        if direct < len(accesses):
            result[_INDIRECTIONS] = accesses[direct:]
        for key, value in item.attributes.items():
            result[key] = _value(value)
        if self.loops:
            result["loopnest"] = list(self.loops)
        if item.loc:
            result["debug"] = item.loc
        return result


def _access(access: Access) -> dict[str, Any]:
    result: dict[str, Any] = {
        "access_shape": [num for _, num in access.pattern],
        "ap": [list(pair) for pair in access.pattern],
        "dtype": access.dtype,
        "memsetref": f"{access.tensor}_set",
    }
    if not access.offset.terms:
        return {
            **result,
            "kind": "physical_ap",
            "memref": access.tensor,
            "offset": access.offset.const,
        }
    terms = [
        {"coeff": coefficient, "idx": {"axis": axis, "kind": "AffIVKind"}}
        for axis, coefficient in access.offset.terms
    ]
    address = {"c": access.offset.const, "kind": "AffExprKind", "terms": terms}
    return {**result, "addrs": [address], "kind": "symbolic_ap"}


class _Reader:
    """Reads the object tree, knowing the path to where it is."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.path: list[str] = []

    def fail(self, message: str, code: str = "PGB005") -> UserError:
        return UserError.at(code, message, f"{self.filename}: {''.join(self.path) or 'module'}")

    @contextlib.contextmanager
    def at(self, step: str) -> Iterator[None]:
        self.path.append(step if step.startswith("[") or not self.path else f".{step}")
        yield
        self.path.pop()

    def get(self, data: Any, key: str, kind: type, default: Any = None) -> Any:
        if not isinstance(data, dict):
            raise self.fail(f"is {_what(data)}, expected an object")
        value = data.get(key, default)
        if value is None:
            raise self.fail(f"has no key '{key}'")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(f"has {key} = {_what(value)}, expected {_NAMES[kind]}")
        if kind is int and value not in INTEGERS:
            raise self.fail(f"has {key} = {_what(value)}, expected 64 bits")
        return value

    def member(self, data: Any, key: str, names: Any) -> str:
        value = self.get(data, key, str)
        if value not in names:
            expected = " ".join(map(str, names))
            raise self.fail(f"has {key} = '{value}', expected one of {expected}", "PGB003")
        return value

    def items(self, data: Any, key: str) -> Iterator[Any]:
        for i, item in enumerate(self.get(data, key, list)):
            with self.at(f"{key}[{i}]"):
                yield item

    def integers(self, data: Any, key: str) -> tuple[int, ...]:
        values = self.get(data, key, list)
        if not all(type(v) is int and v in INTEGERS for v in values):
            raise self.fail(f"has {key} = {_what(values)}, expected integers")
        return tuple(values)

    def module(self, data: Any) -> Module:
        version = self.get(data, "version", int)
        if version != VERSION:
            raise self.fail(f"has version {version}, expected {VERSION}")
        module = Module(BY_ARCH[self.member(data, "arch", BY_ARCH)].name)
        given = self.get(data, "attributes", dict, {})
        try:
            module.attributes = module_attributes({k: _read_value(v) for k, v in given.items()})
        except ValueError as error:
            raise self.fail(str(error), "PGB003") from None
        for item in self.items(data, "functions"):
            function = self.function(item)
            if any(f.name == function.name for f in module.functions):
                raise self.fail(f"function '{function.name}' is defined twice", "PGB002")
            module.functions.append(function)
        if not module.functions:
            raise self.fail("has no functions, expected at least one")
        return module

    def function(self, data: Any) -> Function:
        self.result = Function(self.get(data, "name", str))
        self.used: set[str] = set()
        self.axes: set[str] = set()
        self.nest: list[str] = []
        for allocation in self.items(data, "allocations"):
            tensor = self.allocation(allocation)
            if tensor.name in self.result.tensors:
                raise self.fail(f"tensor '{tensor.name}' is defined twice", "PGB002")
            self.result.tensors[tensor.name] = tensor
        for _, problem in check_aliases(self.result):
            raise self.fail(problem, "PGB002")
        self.blocks(data, self.result.body)
        for tensor in self.result.tensors.values():
            if tensor.scope is not None and tensor.scope not in self.axes:
                text = f"tensor '{tensor.name}' has scope '{tensor.scope}', expected a loop axis"
                raise self.fail(text, "PGB002")
        return self.result

    def allocation(self, data: Any) -> Tensor:
        locations = self.get(data, "memorylocations", list)
        if len(locations) != 1:
            raise self.fail(f"has {len(locations)} memorylocations, expected 1")
        location = locations[0]
        type_ = self.get(location, "type", int)
        spaces = {**{v: k for k, v in _MEMORY_TYPE.items()}, 2: Space.DRAM, 4: Space.DRAM}
        if type_ not in spaces:
            raise self.fail(f"has type {type_}, expected one of {sorted(spaces)}", "PGB003")
        tensor = Tensor(
            self.get(location, "name", str),
            self.member(data, "dtype", dtypes.BY_BIR),
            self.integers(data, "tensor_shape"),
            str(spaces[type_]),
            self.member(data, "kind", list(TensorKind)),
        )
        for key in _PLACE:
            if key in location:
                setattr(tensor, key, self.get(location, key, int))
        if "alias" in location:
            tensor.alias = self.get(location, "alias", str)
        if "scope" in data:
            tensor.scope = self.get(data, "scope", str)
        try:
            check_tensor(tensor)
        except ValueError as error:
            raise self.fail(str(error), "PGB002") from None
        if tensor.kind == TensorKind.CONST:
            tensor.data = self.data(data, tensor)
        return tensor

    def data(self, data: Any, tensor: Tensor) -> np.ndarray:
        if "splat" in data:
            try:
                return splat(tensor, _read_value(self.get(data, "splat", object)))
            except ValueError as error:
                raise self.fail(str(error), "PGB004") from None
        try:
            raw = bytes.fromhex(self.get(data, "data", str))
        except ValueError:
            raise self.fail("has data that is no hexadecimal text", "PGB004") from None
        if len(raw) != tensor.nbytes:
            raise self.fail(f"has {len(raw)} bytes of data, expected {tensor.nbytes}", "PGB004")
        return np.frombuffer(raw, tensor.numpy_dtype).reshape(tensor.shape)

    def blocks(self, data: Any, body: list[Instruction | Loop]) -> None:
        blocks = self.get(data, "blocks", list)
        if len(blocks) != 1:
            raise self.fail(f"has {len(blocks)} blocks, expected 1")
        for block in self.items(data, "blocks"):
            for item in self.items(block, "instructions"):
                loop = self.get(item, "opcode", str) == "Loop"
                body.append(self.loop(item) if loop else self.instruction(item))

    def loop(self, data: Any) -> Loop:
        axis = self.get(data, "LoopAxis", dict)
        loop = Loop(
            self.get(axis, "name", str),
            self.get(axis, "lb", int, 0),
            self.get(axis, "ub", int, 0),
            self.get(axis, "stride", int, 0),
            loc=_location(data),
        )
        if loop.step < 1:
            raise self.fail(f"has stride {loop.step}, expected at least 1")
        if loop.axis in self.axes:
            raise self.fail(f"loop axis '{loop.axis}' is defined twice", "PGB002")
        self.axes.add(loop.axis)
        self.nest.append(loop.axis)
        self.blocks(data, loop.body)
        self.nest.pop()
        return loop

    def instruction(self, data: Any) -> Instruction:
        name = self.get(data, "name", str)
        if name in self.used:
            raise self.fail(f"instruction '{name}' is defined twice", "PGB002")
        self.used.add(name)
        opcode = self.member(data, "opcode", BY_OPCODE)
        ins = tuple(self.access(a) for a in self.items(data, "ins"))
        schema = SCHEMAS[Opcode(opcode)]
        known = {"name", "opcode", "engine", "ins", "outs", "debug"} | _SKIPPED
        if schema.indirections:
            known.add(_INDIRECTIONS)
            ins += tuple(self.access(a) for a in self.items(data, _INDIRECTIONS))
        outs = tuple(self.access(a) for a in self.items(data, "outs"))
        keys = schema.attributes
        given = {}
        for key, value in data.items():
            if key not in known:
                text = key in keys and keys[key].kind in (Kind.ENUM, Kind.STRING)
                given[key] = value if text else _read_value(value)
        try:
            check_operands(opcode, len(ins), len(outs))
            attributes = canonical_attributes(opcode, given)
        except ValueError as error:
            raise self.fail(str(error), "PGB003") from None
        for axis in attributes.get(ACCUMULATION_FLAG, ()):
            if axis not in self.nest:
                raise self.fail(f"'{axis}' is no axis of a loop around it", "PGB002")
        engine = self.member(data, "engine", list(Engine))
        return Instruction(name, opcode, engine, ins, outs, attributes, _location(data))

    def access(self, data: Any) -> Access:
        kind = self.member(data, "kind", ("physical_ap", "symbolic_ap"))
        pattern = self.get(data, "ap", list)
        if not pattern or not all(_is_pair(pair) for pair in pattern):
            raise self.fail(f"has ap = {_what(pattern)}, expected [[step, num], ...]")
        if kind == "physical_ap":
            tensor = self.get(data, "memref", str)
            offset = Affine(self.get(data, "offset", int, 0))
        else:
            tensor = self.get(data, "memsetref", str).removesuffix("_set")
            offset = self.address(data)
        if tensor not in self.result.tensors:
            raise self.fail(f"tensor '{tensor}' is not defined", "PGB002")
        scope = self.result.tensors[tensor].scope
        if scope is not None and scope not in self.nest:
            raise self.fail(f"tensor '{tensor}' is out of scope", "PGB002")
        dtype = self.member(data, "dtype", dtypes.BY_BIR)
        return Access(tensor, dtype, offset, tuple((s, n) for s, n in pattern))

    def address(self, data: Any) -> Affine:
        addresses = self.get(data, "addrs", list)
        if len(addresses) != 1:
            raise self.fail(f"has {len(addresses)} addrs, expected 1")
        expression = addresses[0]
        self.member(expression, "kind", ("AffExprKind",))
        terms: dict[str, int] = {}
        for term in self.get(expression, "terms", list, []):
            index = self.get(term, "idx", dict)
            self.member(index, "kind", ("AffIVKind",))
            axis = self.get(index, "axis", str)
            if axis not in self.nest:
                raise self.fail(f"'{axis}' is no axis of a loop around it", "PGB002")
            terms[axis] = terms.get(axis, 0) + self.get(term, "coeff", int)
        ordered = [(axis, terms[axis]) for axis in self.nest if terms.get(axis)]
        return Affine(self.get(expression, "c", int, 0), tuple(ordered))


_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "an integer",
    object: "a value",
}


def _location(data: dict[str, Any]) -> str:
    """The location in `debug`; a text that is no location becomes the name of one."""
    text = data.get("debug")
    if not isinstance(text, str):
        return ""
    try:
        locations.parse(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)
    return text


def _is_pair(pair: Any) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(type(n) is int and n in INTEGERS for n in pair)
    )


def _what(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _read_value(value: Any) -> Any:
    if isinstance(value, str) and value in ("inf", "-inf", "nan"):
        return float(value)
    if isinstance(value, list):
        return tuple(_read_value(element) for element in value)
    return value
