"""Turns a BIR function into closures and runs them.

Each instruction is compiled once, by the function that `opcodes.OPCODES` names; a loop becomes a
Python loop over the compiled body. What does not depend on the iteration (dtypes, shapes, strides,
operators, immediates) is decided at compile time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from threadpoolctl import threadpool_limits

from penguin.bir.model import Function, Instruction, Loop, Tensor, check_aliases
from penguin.dialects.bir.enums import Space, TensorKind
from penguin.dialects.bir.target import Target
from penguin.errors import UserError
from penguin.sim.compiler import BOUNDS, MALFORMED, READ_ONLY_KINDS, UNSUPPORTED, Compiler, Run
from penguin.sim.lifetimes import fills, spans
from penguin.sim.memory import Memory, Storage
from penguin.sim.opcodes import OPCODES

Progress = Callable[[int, int], None]

INPUTS = "PGR100"
# With numpy's default of 8192 elements, operands with short rows are copied to buffers needlessly.
_UFUNC_BUFFER = 512


@dataclass
class Item:
    """A compiled top-level instruction or loop, with the DRAM tensors that live only until it."""

    run: Run
    make: list[Storage] = field(default_factory=list)
    drop: list[Storage] = field(default_factory=list)


@dataclass
class Program:
    """A compiled function, ready to run once."""

    function: Function
    items: list[Item]
    storages: dict[str, Storage]
    total: int

    def run(self) -> None:
        previous = np.setbufsize(_UFUNC_BUFFER)
        try:
            with np.errstate(all="ignore"), threadpool_limits(limits=1, user_api="blas"):
                for item in self.items:
                    for storage in item.make:
                        storage.make()
                    item.run()
                    for storage in item.drop:
                        storage.drop()
        finally:
            np.setbufsize(previous)


def compile_function(
    function: Function,
    inputs: Sequence[np.ndarray],
    target: Target,
    *,
    physical: bool,
    strict: bool,
    progress: Progress | None,
) -> Program:
    storages = _place(function, inputs, Memory(target, physical))
    compiler = Compiler(function, storages, strict)
    total = sum(dynamic_count(item) for item in function.body)
    meter = _Meter(progress, total)
    items = [Item(_compile_item(compiler, item, meter)) for item in function.body]
    _lifetimes(compiler, function, items)
    return Program(function, items, compiler.storages, total)


def dynamic_count(item: Instruction | Loop) -> int:
    """Executions of instructions."""
    if isinstance(item, Loop):
        return item.trips * sum(dynamic_count(i) for i in item.body)
    return 1


@dataclass
class _Meter:
    """Reports progress from the outermost loop bodies, which are long enough not to matter."""

    progress: Progress | None
    total: int
    done: int = 0

    def add(self, count: int) -> None:
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total)


def _compile_item(
    compiler: Compiler,
    item: Instruction | Loop,
    meter: _Meter | None = None,
) -> Run:
    if isinstance(item, Loop):
        return _compile_loop(compiler, item, meter)
    if item.opcode not in OPCODES:
        raise compiler.error(item, UNSUPPORTED, "is not simulated")
    run = OPCODES[item.opcode](compiler, item)
    if meter is None:
        return run

    def run_and_report() -> None:
        run()
        meter.add(1)

    return run_and_report


def _compile_loop(compiler: Compiler, loop: Loop, meter: _Meter | None) -> Run:
    values = range(loop.lower, loop.upper, loop.step)
    if not values:
        return lambda: None
    env = compiler.env
    with compiler.inside(loop) as slot:
        body = [_compile_item(compiler, item) for item in loop.body]
    each = sum(dynamic_count(item) for item in loop.body)
    report = _ignore if meter is None else meter.add

    def run() -> None:
        for value in values:
            env[slot] = value
            for step in body:
                step()

    def run_and_report() -> None:
        for value in values:
            env[slot] = value
            for step in body:
                step()
            report(each)

    return run if meter is None else run_and_report


def _ignore(_count: int) -> None:
    return None


def _place(function: Function, inputs: Sequence[np.ndarray], memory: Memory) -> dict[str, Storage]:
    for _, problem in check_aliases(function):
        raise UserError.at(MALFORMED, problem)
    storages: dict[str, Storage] = {}
    waiting = iter(_checked_inputs(function, inputs))
    # What an alias writes to is not the caller's array.
    written = {function.owner(t.name) for t in function.tensors.values() if t.alias is not None}
    for tensor in function.tensors.values():
        if tensor.space != Space.DRAM:
            storages[tensor.name] = _tile(memory, tensor)
            continue
        if tensor.alias is not None:
            continue
        storage = memory.dram(tensor.name, tuple(tensor.shape), tensor.numpy_dtype.itemsize)
        if tensor.kind == TensorKind.INPUT:
            data = _bytes(next(waiting))
            storage.data = data.copy() if tensor.name in written else data
        elif tensor.kind == TensorKind.CONST:
            if tensor.data is None:
                raise UserError.at(MALFORMED, f"constant '{tensor.name}' has no data")
            storage.data = _bytes(tensor.data)
        storages[tensor.name] = storage
    for name in function.tensors:
        storages.setdefault(name, storages[function.owner(name)])
    return storages


def _tile(memory: Memory, tensor: Tensor) -> Storage:
    shape, itemsize = tuple(tensor.shape), tensor.numpy_dtype.itemsize
    addr = tensor.addr
    if addr is None and tensor.bank is not None:
        addr = tensor.bank * memory.target.psum_bank_bytes
    if addr is None or not memory.physical:
        return memory.tile(tensor.name, shape, itemsize)
    try:
        return memory.placed(tensor.name, shape, itemsize, tensor.space, tensor.base or 0, addr)
    except ValueError as error:
        raise UserError.at(BOUNDS, f"tile '{tensor.name}' {error}") from None


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _checked_inputs(function: Function, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    expected = function.inputs()
    if len(inputs) != len(expected):
        raise UserError.at(
            INPUTS, f"'{function.name}' got {len(inputs)} inputs, expected {len(expected)}"
        )
    for array, tensor in zip(inputs, expected, strict=True):
        dtype, shape = tensor.numpy_dtype, tuple(tensor.shape)
        fits = array.dtype == dtype or (array.dtype == np.bool_ and dtype == np.uint8)
        if array.shape != shape or not fits:
            raise UserError.at(
                INPUTS,
                f"input '{tensor.name}' is {array.dtype}{list(array.shape)}, "
                f"expected {dtype}{list(shape)}",
            )
    return list(inputs)


def _lifetimes(compiler: Compiler, function: Function, items: list[Item]) -> None:
    """Makes each DRAM tensor at its first use and drops internal ones after the last."""
    used = spans(function)
    shared: dict[str, list[Tensor]] = {}
    for tensor in function.tensors.values():
        if tensor.name in used:
            shared.setdefault(function.owner(tensor.name), []).append(tensor)
    for owner, tensors in shared.items():
        tensor = function.tensors[owner]
        if tensor.space != Space.DRAM or tensor.kind in READ_ONLY_KINDS:
            continue
        first = min(used[t.name][0] for t in tensors)
        last = max(used[t.name][1] for t in tensors)
        storage = compiler.storages[owner]
        storage.filled = len(tensors) == 1 and fills(function.body[first], tensors[0])
        items[first].make.append(storage)
        if tensor.kind != TensorKind.OUTPUT:
            items[last].drop.append(storage)
