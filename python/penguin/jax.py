"""The JAX hook: from a function to instructions that run, with the methods that JAX users know.

    import penguin.jax

    lowered = penguin.jax.lower(f)(x, y)      # f: any function, jitted or not
    print(lowered.as_text("penguin"))
    compiled = lowered.compile()
    print(compiled.bir_text())
    z = compiled(x, y)                        # simulated

`lower` also takes a `jax.stages.Lowered` or a `jax.export.Exported`, whose platform should not be
the CPU. Inputs and outputs are pytrees as in JAX. Locations of the Python source are kept down to
the instructions. Nothing is registered or patched, and no MLIR context stays entered: what is kept
between the calls is bytecode.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, overload

import jax
import numpy as np

from penguin import bir, driver, frontend, mlir, sim
from penguin.dialects.bir import DEFAULT_TARGET
from penguin.dialects.bir.enums import Space, TensorKind
from penguin.mlir import ir
from penguin.report import copies, summary

__all__ = ["MemoryAnalysis", "PenguinCompiled", "PenguinLowered", "lower"]

_FIRST = str(driver.Level.STABLEHLO)
_REPORTS: dict[str, Any] = {"summary": summary, "copies": copies}


@overload
def lower(source: jax.stages.Lowered | jax.export.Exported) -> "PenguinLowered": ...
@overload
def lower(source: Callable[..., Any]) -> "Callable[..., PenguinLowered]": ...
def lower(source: Any) -> Any:
    """`lower(f)(*args, **kwargs)` traces `f` for arrays, or for `jax.ShapeDtypeStruct`s."""
    if isinstance(source, jax.stages.Lowered | jax.export.Exported):
        return PenguinLowered(source)

    def lower_for(*args: Any, **kwargs: Any) -> PenguinLowered:
        return PenguinLowered(mlir.jax_lower(source, args, kwargs))

    return lower_for


class PenguinLowered:
    """A function lowered for given shapes and dtypes; `compile` takes it down to instructions."""

    def __init__(self, lowered: jax.stages.Lowered | jax.export.Exported) -> None:
        self._bytecode = mlir.jax_bytecode(lowered)
        self.in_tree, self.out_tree = lowered.in_tree, lowered.out_tree
        avals = jax.tree.leaves(lowered.in_avals)
        self._dtypes = [np.dtype(aval.dtype) for aval in avals]
        self._kept = _kept_arguments(lowered, len(avals))

    def as_text(self, dialect: str = _FIRST, *, debug_info: bool = False) -> str:
        """The module at a level: stablehlo (as JAX made it), penguin, loops, tiled or bir.

        `debug_info` prints locations.
        """
        module = self.compiler_ir(dialect)
        return module.operation.get_asm(enable_debug_info=debug_info)

    def compiler_ir(self, dialect: str = _FIRST) -> ir.Module:
        """A new `ir.Module` at a level, in a context of its own."""
        with mlir.context():
            module = frontend.load(self._bytecode)
            if dialect != _FIRST:
                driver.compile(module, stop_after=dialect)
            return module

    def compile(self, *, target: str = DEFAULT_TARGET) -> "PenguinCompiled":
        """Instructions for `trn1`, `trn2` or `trn3`."""
        with mlir.context():
            return PenguinCompiled(
                self, driver.compile(frontend.load(self._bytecode), target=target)
            )

    def inputs_of(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[np.ndarray]:
        """The arrays that the program takes for a call with these arguments."""
        leaves, tree = jax.tree.flatten((tuple(args), kwargs))
        if tree != self.in_tree:
            raise TypeError(
                f"called with arguments of structure {tree}, lowered for {self.in_tree}"
            )
        # A Python number has no dtype of its own: it gets the one that was traced.
        arrays = [
            np.asarray(leaf, None if hasattr(leaf, "dtype") else dtype)
            for leaf, dtype in zip(leaves, self._dtypes, strict=True)
        ]
        return [arrays[number] for number in self._kept]


@dataclasses.dataclass(frozen=True)
class MemoryAnalysis:
    """Sizes in bytes; DRAM as in JAX's own analysis, on-chip the high-water mark per partition."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    # Of the outputs, what lies in the memory of arguments.
    alias_size_in_bytes: int
    temp_size_in_bytes: int
    constant_size_in_bytes: int
    sbuf_bytes_per_partition: int
    psum_bytes_per_partition: int


class PenguinCompiled:
    """Instructions, and the ways to look at them and to run them."""

    def __init__(self, lowered: PenguinLowered, compiled: driver.Compiled) -> None:
        self._lowered = lowered
        self._compiled = compiled
        # Read now: later the context is not entered.
        self.bir: bir.Module = compiled.bir
        name = compiled.module.operation.attributes.get("sym_name")
        self._name = "module" if name is None else ir.StringAttr(name).value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the simulator."""
        outputs = self._compiled.run(self._lowered.inputs_of(args, kwargs))
        return jax.tree.unflatten(self._lowered.out_tree, list(map(jax.numpy.asarray, outputs)))

    def bir_text(self) -> str:
        """The program as BIR text."""
        return bir.to_text(self.bir)

    def bir_json(self) -> str:
        """The program as BIR JSON."""
        return bir.to_json(self.bir)

    def cost_analysis(self) -> dict[str, Any]:
        """FLOPs, bytes, and the estimated time per engine."""
        return sim.estimate(self.bir).to_dict()

    def memory_analysis(self) -> MemoryAnalysis:
        """What the program needs in DRAM and on the chip."""
        dram = dict.fromkeys(TensorKind, 0)
        for tensor in self.bir.main.tensors.values():
            if tensor.space == Space.DRAM:
                dram[TensorKind(tensor.kind)] += tensor.nbytes
        peaks = {space: entry["peak"] for space, entry in summary.memory(self.bir).items()}
        return MemoryAnalysis(
            dram[TensorKind.INPUT],
            dram[TensorKind.OUTPUT],
            sum(t.nbytes for t in self.bir.main.outputs() if t.alias is not None),
            dram[TensorKind.INTERNAL],
            dram[TensorKind.CONST],
            peaks[Space.SBUF],
            peaks[Space.PSUM],
        )

    def report(self, kind: str = "summary") -> str:
        """The tables of `penguin-compile --report=KIND`.

        "summary": passes, what stayed, cost and memory; "copies": every copy that stayed, and why.
        """
        return _REPORTS[self._known(kind)].to_text(self.report_data(kind))

    def report_data(self, kind: str = "summary") -> dict[str, Any]:
        """What `report` says as plain data, the content of a JSON report."""
        compiled, name = self._compiled, self._name
        level = str(compiled.level)
        if self._known(kind) == "copies":
            return copies.summarize(name, level, compiled.result, compiled.moved)
        return summary.summarize(name, level, compiled.result, compiled.survivors, self.bir)

    def _known(self, kind: str) -> str:
        if kind not in _REPORTS:
            raise ValueError(f"unknown report '{kind}', expected one of {', '.join(_REPORTS)}")
        return kind


def _kept_arguments(
    lowered: jax.stages.Lowered | jax.export.Exported, count: int
) -> tuple[int, ...]:
    """Which of the flat arguments the module has: `jax.jit` drops those that are not used."""
    if isinstance(lowered, jax.export.Exported):
        return tuple(lowered.module_kept_var_idx)
    # Not public; without it nothing was dropped.
    kept = lowered._lowering.compile_args.get("kept_var_idx")
    return tuple(range(count)) if kept is None else tuple(sorted(kept))
