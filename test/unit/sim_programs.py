"""Small BIR programs for the simulator's tests, written as Python values."""

import numpy as np

from penguin.bir.model import Access, Affine, Function, Instruction, Loop, Module, Tensor
from penguin.dtypes import BY_NUMPY
from penguin.sim import run

# Bytes between the tiles of `apply`; the largest tile of a test fits.
_SPACING = 4096


def dtype_name(dtype: np.dtype | type) -> str:
    return BY_NUMPY[np.dtype(dtype)].bir


def dram(name: str, dtype: str, shape: tuple[int, ...], kind: str = "Internal") -> Tensor:
    return Tensor(name, dtype, shape, "dram", kind)


def sbuf(
    name: str, dtype: str, shape: tuple[int, int], addr: int | None = None, base: int = 0
) -> Tensor:
    return Tensor(name, dtype, shape, "sbuf", base=base, addr=addr)


def psum(name: str, shape: tuple[int, int], addr: int | None = None) -> Tensor:
    return Tensor(name, "float32", shape, "psum", base=0, addr=addr)


def part(
    tensor: Tensor,
    pattern: list[tuple[int, int]],
    offset: int = 0,
    dtype: str | None = None,
    **terms: int,
) -> Access:
    """Elements of a tensor by (step, num) pairs; `terms` are loop axes with their coefficients."""
    affine = Affine(offset, tuple(terms.items()))
    return Access(tensor.name, dtype or tensor.dtype, affine, tuple(pattern))


def whole(tensor: Tensor, dtype: str | None = None) -> Access:
    """All elements, as partitions (or the first dimension) x the rest."""
    rows = tensor.shape[0] if tensor.shape else 1
    free = tensor.count // rows
    return part(tensor, [(free, rows), (1, free)], dtype=dtype)


def inst(
    opcode: str, ins: list[Access], outs: list[Access], engine: str = "DVE", **attributes: object
) -> Instruction:
    return Instruction("", opcode, engine, tuple(ins), tuple(outs), attributes, "here")


def load(source: Access, destination: Access) -> Instruction:
    return inst("Load", [source], [destination], "DMA")


def save(source: Access, destination: Access) -> Instruction:
    return inst("Save", [source], [destination], "DMA")


def program(tensors: list[Tensor], body: list[Instruction | Loop], target: str = "trn2") -> Module:
    """A module of one function; instructions are named I-0, I-1... in program order."""
    function = Function("main", {t.name: t for t in tensors}, body)
    instructions = (item for item, _ in function.walk() if isinstance(item, Instruction))
    for k, instruction in enumerate(instructions):
        instruction.name = f"I-{k}"
    return Module(target, [function])


def apply(
    opcode: str,
    inputs: list[np.ndarray],
    out_dtype: np.dtype | type,
    out_shape: tuple[int, int] | None = None,
    *,
    engine: str = "DVE",
    strict: bool = False,
    physical: bool = True,
    **attributes: object,
) -> np.ndarray:
    """Loads [P, F] arrays into tiles, runs one instruction on whole tiles, saves its output."""
    shape = out_shape or inputs[0].shape
    tensors, loads, ins = [], [], []
    for k, array in enumerate(inputs):
        name = dtype_name(array.dtype)
        source = dram(f"arg{k}", name, array.shape, "ExternalInput")
        tile = sbuf(f"t{k}", name, array.shape, k * _SPACING)
        tensors += [source, tile]
        loads.append(load(whole(source), whole(tile)))
        ins.append(whole(tile))
    result = dram("out0", dtype_name(out_dtype), shape, "ExternalOutput")
    tile = sbuf("r", dtype_name(out_dtype), shape, len(inputs) * _SPACING)
    body = [
        *loads,
        inst(opcode, ins, [whole(tile)], engine, **attributes),
        save(whole(tile), whole(result)),
    ]
    module = program([*tensors, result, tile], body)
    return run(module, inputs, strict=strict, physical=physical)[0]
