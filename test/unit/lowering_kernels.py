"""Kernels at tensor level for the lowering tests, and their execution by MLIR's own engine.

The engine is an oracle that shares nothing with penguin but the dialects of the loop level. Before
it can run a kernel, two things that LLVM has no word for are taken off the text: the memory space,
and the signedness of integers (the casts at loads and stores become casts to the same type).
"""

import ctypes
import re
from collections.abc import Sequence

import numpy as np
from torch_mlir.execution_engine import ExecutionEngine  # noqa: TID251
from torch_mlir.runtime import get_ranked_memref_descriptor  # noqa: TID251

from penguin import dtypes, interp, mlir
from penguin.mlir import ir
from penguin.passes.lowering.late_lower_tensor_op import LateLowerTensorOp
from penguin.passes.lowering.lower_tensor_op import LowerTensorOp

_TO_LLVM = (
    "builtin.module(func.func(canonicalize,cse),lower-affine,convert-scf-to-cf,{math},"
    "convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
    "reconcile-unrealized-casts)"
)
# libm first, for exact expm1 and log1p; but that pass refuses the ops that libm does not have.
_NOT_IN_LIBM = re.compile(r"math\.(absi|ctlz|ctpop|isfinite|rsqrt)")
_LIBM_FIRST = "convert-math-to-libm,convert-math-to-llvm"
_LLVM_FIRST = "convert-math-to-llvm,convert-math-to-libm"


def tensor_type(shape: Sequence[int], dtype: str) -> str:
    return f'memref<{"".join(f"{n}x" for n in shape)}{dtype}, "dram">'


class Kernel:
    """Collects ops over inputs and outputs.

    `op("unary", [x], out, function="tanh")`; attributes are given as Python values.
    """

    def __init__(self) -> None:
        self.inputs: list[tuple[str, str]] = []
        self.outputs: list[tuple[str, str]] = []
        self.results: list[tuple[tuple[int, ...], np.dtype]] = []
        self.arrays: list[np.ndarray] = []
        self.types: dict[str, str] = {}
        self.lines: list[str] = []

    def input(self, array: np.ndarray) -> str:
        name = f"%a{len(self.inputs)}"
        text = tensor_type(array.shape, dtypes.BY_NUMPY[array.dtype].mlir)
        self.inputs.append((name, text))
        self.arrays.append(array)
        self.types[name] = text
        return name

    def output(self, shape: Sequence[int], dtype: str) -> str:
        name = f"%o{len(self.outputs)}"
        text = tensor_type(shape, dtype)
        self.outputs.append((name, text))
        self.results.append((tuple(shape), dtypes.BY_MLIR[dtype].numpy))
        self.types[name] = text
        return name

    def op(self, op: str, srcs: Sequence[str], dst: str, segments: str = "", **attributes) -> None:
        operands = [*srcs, dst]
        entries = [f"{key} = {_attribute(value)}" for key, value in attributes.items()]
        if segments:
            entries.append(f"operandSegmentSizes = {segments}")
        body = f" {{{', '.join(entries)}}}" if entries else ""
        types = ", ".join(self.types[name] for name in operands)
        self.lines.append(f'"penguin.{op}"({", ".join(operands)}){body} : ({types}) -> ()')

    def text(self) -> str:
        args = [f'{n}: {t} {{penguin.io = "input"}}' for n, t in self.inputs]
        args += [f'{n}: {t} {{penguin.io = "output"}}' for n, t in self.outputs]
        head = f"func.func @main({', '.join(args)}) attributes {{penguin.kernel}} {{"
        return "\n  ".join([head, *self.lines, "return"]) + "\n}\n"


def _attribute(value: object) -> str:
    if isinstance(value, str):
        return value if " : " in value else f'"{value}"'
    if isinstance(value, int):
        return f"{value} : i64"
    return f"array<i64: {', '.join(map(str, value))}>" if value else "array<i64>"


def lowered(text: str) -> ir.Module:
    """The kernel after both passes, in the current context."""
    module = mlir.parse(text)
    func = module.body.operations[0]
    for pass_ in (LowerTensorOp(), LateLowerTensorOp()):
        pass_.run(func)
        assert not pass_.failed, pass_.session.diagnostics.found
    module.operation.verify()
    assert "penguin." not in re.sub(r"penguin\.(io|kernel)", "", str(module))
    return module


def execute(kernel: Kernel, text: str) -> list[np.ndarray]:
    """Runs a loop-level text of the kernel in MLIR's engine."""
    text = re.sub(r"ui(8|16|32)\b", r"i\1", text.replace(', "dram"', ""))
    text = text.replace("penguin.kernel", "llvm.emit_c_interface")
    module = ir.Module.parse(text)
    math = _LLVM_FIRST if _NOT_IN_LIBM.search(text) else _LIBM_FIRST
    mlir.run_upstream(_TO_LLVM.format(math=math), module.operation)
    engine = ExecutionEngine(module, opt_level=0)
    # What the kernel does not write shows up as ones.
    outputs = [np.full(shape, 1, dtype) for shape, dtype in kernel.results]
    pointers = [
        ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(_signless(a))))
        for a in [*(np.ascontiguousarray(a) for a in kernel.arrays), *outputs]
    ]
    engine.invoke("main", *pointers)
    return outputs


def _signless(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "u":
        return array
    return array.view(f"i{array.dtype.itemsize}")


def run(kernel: Kernel) -> list[np.ndarray]:
    """Lowers and executes a kernel in the current context.

    penguin's own interpreter must agree with the engine's results, before and after the lowering.
    """
    loops = lowered(kernel.text())
    results = execute(kernel, str(loops))
    for level, module in (("tensor", mlir.parse(kernel.text())), ("loop", loops)):
        for number, other in enumerate(interp.run(module, kernel.arrays)):
            found = dtypes.compare(other, results[number])
            assert found.ok, f"the {level} level gives another output {number}: {found}"
    return results
