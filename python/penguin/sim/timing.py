"""An estimate of a program's time and work, without running it.

Cycles per instruction are the documented formulas of NEURON.md 6.1 (`CYCLES`); N is elements per
partition, the largest of the operands. Loops multiply by their trip count. Engines run in parallel
on the device, so the program takes at least the time of its busiest engine (`critical`); how far
dependencies stretch that is not modelled.

Not modelled: the fast modes of DVE on trn2 and later (6.1, last line), descriptor efficiency of
short DMA rows, semaphores, instruction fetch.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from penguin.bir.model import Access, Function, Instruction, Loop, Module
from penguin.dialects.bir.enums import DgeType, Engine, Opcode, Space
from penguin.dialects.bir.target import TARGETS, Target
from penguin.dtypes import BY_BIR
from penguin.sim.activation import HARD_WIRED

# 6.1: the least number of cycles between two instructions of an engine.
MIN_II = 64
# 6.1, nc_matmul: stationary columns that hide behind the pipeline; f32 takes four passes.
MATMUL_STATIONARY = 64
MATMUL_F32_PASSES = 4
# 6.1, iota and affine_select: start-up of POOL programs.
POOL_START = 150
# 6.1: rsqrt on POOL is four times slower than on ACT.
POOL_RSQRT = 4
# 6.1: reciprocal on DVE.
DVE_RECIPROCAL = 8

_DMA = frozenset({Opcode.LOAD, Opcode.SAVE, Opcode.DMA_COPY, Opcode.GENERIC_INDIRECT_LOAD})
_FAST_TENSOR_TENSOR = frozenset({"add", "mult", "subtract"})
_FAST_REDUCE = frozenset({"add", "max"})
_COPY_FUNCTIONS = frozenset({"Identity", "Copy"})


@dataclass
class EngineTime:
    """Work of one engine; DMA has no clock, so its cycles stay 0."""

    instructions: int = 0
    cycles: float = 0.0
    ns: float = 0.0


@dataclass
class Estimate:
    """Totals of a program.

    `flops` counts matrix products (2 per multiply-add) and element-wise work; `dma_bytes` is what
    DMA moves; `bytes_accessed` is DRAM traffic, read and written; `dma_start_ns` is the part of
    DMA's time that is start-up and overlaps when transfers are queued.
    """

    target: str
    engines: dict[str, EngineTime] = field(default_factory=dict)
    opcodes: dict[str, EngineTime] = field(default_factory=dict)
    static_instructions: int = 0
    dynamic_instructions: int = 0
    dma_transfers: int = 0
    dma_bytes: int = 0
    dma_start_ns: float = 0.0
    bytes_accessed: int = 0
    flops: int = 0
    matmul_flops: int = 0
    transcendentals: int = 0

    @property
    def critical(self) -> str:
        """The busiest engine; empty for an empty program."""
        return max(self.engines, key=lambda e: self.engines[e].ns, default="")

    @property
    def critical_ns(self) -> float:
        """Time of the busiest engine: a lower bound of the program's."""
        return max((e.ns for e in self.engines.values()), default=0.0)

    @property
    def serial_ns(self) -> float:
        """Time if no two engines overlapped."""
        return sum(e.ns for e in self.engines.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain data; keys that JAX's `cost_analysis` has are spelt as there."""
        return {
            "flops": self.flops,
            "bytes accessed": self.bytes_accessed,
            "transcendentals": self.transcendentals,
            "optimal_seconds": self.critical_ns * 1e-9,
            "matmul flops": self.matmul_flops,
            "dma bytes": self.dma_bytes,
            "dma transfers": self.dma_transfers,
            "dma start ns": self.dma_start_ns,
            "serial ns": self.serial_ns,
            "critical engine": self.critical,
            "static instructions": self.static_instructions,
            "dynamic instructions": self.dynamic_instructions,
            "target": self.target,
            "engines": {k: vars(v).copy() for k, v in self.engines.items()},
            "opcodes": {k: vars(v).copy() for k, v in self.opcodes.items()},
        }


@dataclass(frozen=True)
class _Facts:
    """What the formulas ask about an instruction."""

    inst: Instruction
    function: Function

    @property
    def accesses(self) -> tuple[Access, ...]:
        return (*self.inst.ins, *self.inst.outs)

    @property
    def n(self) -> int:
        return max(_per_partition(a) for a in self.accesses)

    def in_psum(self, accesses: Iterable[Access]) -> bool:
        return any(self.function.tensors[a.tensor].space == Space.PSUM for a in accesses)

    def in_dram(self, access: Access) -> bool:
        return self.function.tensors[access.tensor].space == Space.DRAM

    def all_bf16(self) -> bool:
        return all(a.dtype == "bfloat16" for a in self.accesses)

    def attribute(self, key: str, default: Any = None) -> Any:
        return self.inst.attributes.get(key, default)


def _per_partition(access: Access) -> int:
    return access.count // access.pattern[0][1]


def _contiguous(access: Access) -> bool:
    return all(step == 1 for step, num in access.pattern[1:][-1:] if num > 1)


def _plain(f: _Facts) -> float:
    return max(MIN_II, f.n)


def _scalar(f: _Facts) -> float:
    slow = f.inst.engine == Engine.POOL and "rsqrt" in (f.attribute("op0"), f.attribute("op1"))
    return _plain(f) * (POOL_RSQRT if slow else 1)


def _tensor_tensor(f: _Facts) -> float:
    fast = (
        f.all_bf16()
        and f.attribute("op") in _FAST_TENSOR_TENSOR
        and all(_contiguous(a) for a in f.accesses)
    )
    return max(MIN_II, f.n if fast or f.in_psum(f.inst.ins) else 2 * f.n)


def _reduce(f: _Facts) -> float:
    """The documents give N or N/2 for DVE; MIN_II below that, and POOL's cost, are guesses."""
    if f.attribute("axis") == "C":
        return POOL_START + f.n
    fast = f.all_bf16() and f.attribute("op") in _FAST_REDUCE
    return max(MIN_II, f.n / 2 if fast else f.n)


def _copy_predicated(f: _Facts) -> float:
    return max(MIN_II, f.n if f.in_psum(f.accesses) else 2 * f.n)


def _reciprocal(f: _Facts) -> float:
    return max(MIN_II, DVE_RECIPROCAL * f.n)


def _memset(f: _Facts) -> float:
    half = f.attribute("constant") == 0 and BY_BIR[f.inst.outs[0].dtype].itemsize == 2
    return max(MIN_II, f.n / 2 if half else f.n)


def _iota(f: _Facts) -> float:
    return POOL_START + f.n


def _matmult(f: _Facts) -> float:
    moving, stationary = f.inst.ins
    cycles = max(min(MATMUL_STATIONARY, _per_partition(stationary)), _per_partition(moving))
    return cycles * (MATMUL_F32_PASSES if moving.dtype == "float32" else 1)


CYCLES: dict[str, Callable[[_Facts], float]] = {
    Opcode.MATMULT: _matmult,
    Opcode.ACTIVATION: _plain,
    Opcode.TENSOR_SCALAR: _scalar,
    Opcode.TENSOR_SCALAR_PTR: _scalar,
    Opcode.TENSOR_COPY: _plain,
    Opcode.TENSOR_TENSOR: _tensor_tensor,
    Opcode.TENSOR_REDUCE: _reduce,
    Opcode.COPY_PREDICATED: _copy_predicated,
    Opcode.RECIPROCAL: _reciprocal,
    Opcode.MEMSET: _memset,
    Opcode.IOTA: _iota,
}


def estimate(module: Module) -> Estimate:
    """The estimate of the main function on the module's target."""
    target = TARGETS[module.target]
    result = Estimate(target.name)
    engines: dict[str, EngineTime] = defaultdict(EngineTime)
    opcodes: dict[str, EngineTime] = defaultdict(EngineTime)
    for item, loops in module.main.walk():
        if isinstance(item, Loop):
            continue
        times = math.prod(loop.trips for loop in loops)
        facts = _Facts(item, module.main)
        result.static_instructions += 1
        result.dynamic_instructions += times
        engine, cycles, ns = _cost(facts, target)
        for total in (engines[engine], opcodes[str(item.opcode)]):
            total.instructions += times
            total.cycles += cycles * times
            total.ns += ns * times
        _count_work(facts, result, times, target)
    result.engines, result.opcodes = dict(engines), dict(opcodes)
    return result


def _cost(facts: _Facts, target: Target) -> tuple[str, float, float]:
    """Engine, cycles and ns of one execution."""
    inst = facts.inst
    if inst.opcode in _DMA:
        rate = target.dma_engines * target.dma_bytes_per_ns
        return str(Engine.DMA), 0.0, _dma_start(inst, target) + _moved(inst) / rate
    if inst.opcode not in CYCLES:
        return str(inst.engine), 0.0, 0.0
    cycles = CYCLES[inst.opcode](facts)
    return str(inst.engine), cycles, cycles / target.clocks[Engine(inst.engine)]


def _dma_start(inst: Instruction, target: Target) -> int:
    """What passes before the first byte moves, descriptors made on the way included."""
    making = {DgeType.SWDGE: target.swdge_ns, DgeType.HWDGE: target.hwdge_ns}
    return target.dma_start_ns + making.get(inst.attributes.get("dge_type"), 0)


def _nbytes(access: Access) -> int:
    return access.count * BY_BIR[access.dtype].itemsize


def _moved(inst: Instruction) -> int:
    """Bytes of a DMA: the larger side, if it casts."""
    return max(_nbytes(a) for a in (*inst.ins, *inst.outs))


def _count_work(facts: _Facts, result: Estimate, times: int, target: Target) -> None:
    inst = facts.inst
    if inst.opcode in _DMA:
        result.dma_transfers += times
        result.dma_bytes += _moved(inst) * times
        result.dma_start_ns += _dma_start(inst, target) * times
    dram = sum(_nbytes(a) for a in facts.accesses if facts.in_dram(a))
    result.bytes_accessed += dram * times
    if inst.opcode == Opcode.MATMULT:
        moving, stationary = inst.ins
        work = 2 * moving.count * _per_partition(stationary) * times
        result.matmul_flops += work
        result.flops += work
        return
    result.flops += _flops(facts) * times
    function = facts.attribute("func")
    if inst.opcode == Opcode.ACTIVATION and function not in HARD_WIRED:
        result.transcendentals += inst.outs[0].count * times


def _flops(facts: _Facts) -> int:
    """Arithmetic operations of an element-wise instruction; tables count as transcendentals."""
    inst, count = facts.inst, facts.inst.outs[0].count
    match inst.opcode:
        case Opcode.TENSOR_TENSOR | Opcode.RECIPROCAL:
            return count
        case Opcode.TENSOR_SCALAR | Opcode.TENSOR_SCALAR_PTR:
            operators = (facts.attribute("op0"), facts.attribute("op1", "bypass"))
            return count * sum(op != "bypass" for op in operators)
        case Opcode.TENSOR_REDUCE:
            return inst.ins[0].count - count
        case Opcode.ACTIVATION:
            function = facts.attribute("func")
            own = function in HARD_WIRED and function not in _COPY_FUNCTIONS
            scaled = facts.attribute("scale", 1.0) != 1.0
            return count * (own + scaled + (len(inst.ins) > 1))
    return 0
