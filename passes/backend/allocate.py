"""Give every tile and every internal DRAM tensor an address, by liveness over loops.

Facts on the original: PASSES.md 5.18 (a tensor lives as long as its enclosing loop needs it; SBUF
addresses are start partition and byte offset, PSUM ones bank and byte offset over all banks). First
fit over live intervals in program order; bytes are per partition on chip, in total in DRAM.

A tensor lives in its alloc's block from the first statement that uses it, or that holds a loop that
uses it, to the last: a tile that a loop uses and that was made outside of it keeps its address for
all iterations, one made inside is fresh in each. A tensor that shares the buffer of another
(`penguin.analysis.aliases`) has its address, and the buffer lives while either does; one that
shares an argument's has none.

Legality, all of:
(L1) the tensors of each memory that live at one time fit: SBUF and PSUM of the target, its HBM;
(L2) a PSUM tile lies inside one bank.

`layout-tiling` sizes tiles so that L1 holds for the programs it cuts; what still does not fit is
the located error PGB012. Keeps: everything but the attributes `bir.base`, `bir.addr`, `bir.bank` of
`memref.alloc`. Leaves alone: arguments and constants, whose place is the runtime's choice.
"""

from bisect import insort
from dataclasses import dataclass, field
from math import prod

from penguin import dtypes
from penguin.analysis.aliases import Aliases
from penguin.dialects.bir import ADDRESS, BANK, BASE, TARGETS, Space
from penguin.mlir import ir
from penguin.passlib import FunctionPass, Statistic, Unit

# Alignment in bytes, on chip and in DRAM (a guess; DMA likes whole descriptors).
_ALIGNMENT = 64


@dataclass(eq=False)
class _Tensor:
    op: ir.Operation
    depth: int
    size: int
    first: int | None = None
    last: int = 0
    address: int = 0
    sharers: list[ir.Operation] = field(default_factory=list)
    """Other allocations of this buffer."""


@dataclass(eq=False)
class _Loop:
    start: int
    end: int = 0
    users: list[_Tensor] = field(default_factory=list)


@dataclass
class Allocate(FunctionPass):
    name = "allocate"
    requires = ("inst-level",)
    produces = ("allocated",)

    tiles = Statistic("Number of tiles allocated")
    sbuf_peak = Statistic("Peak SBUF bytes per partition", Unit.BYTES)
    psum_peak = Statistic("Peak PSUM bytes per partition", Unit.BYTES)
    dram_peak = Statistic("Peak DRAM bytes of internal tensors", Unit.BYTES)

    def run(self, func: ir.Operation) -> None:
        tensors = _Liveness().scan(func)
        target = TARGETS[self.target]
        capacity = {
            Space.SBUF: (target.sbuf_bytes, None),
            Space.PSUM: (target.psum_bytes, target.psum_bank_bytes),
            Space.DRAM: (target.hbm_bytes, None),
        }
        for space, found in tensors.items():
            size, bank = capacity[space]
            peak = self.place(found, space, size, bank)
            if self.failed:
                return
            match space:
                case Space.SBUF:
                    self.sbuf_peak = max(self.sbuf_peak, peak)
                case Space.PSUM:
                    self.psum_peak = max(self.psum_peak, peak)
                case Space.DRAM:
                    self.dram_peak = max(self.dram_peak, peak)
            if space is not Space.DRAM:
                self.tiles += len(found)

    def place(self, tensors: list[_Tensor], space: Space, capacity: int, bank: int | None) -> int:
        """First fit in order of first use; returns the highest byte in use at any time."""
        peak = 0
        live: list[tuple[int, int, int]] = []  # address, end address, last use
        for tensor in sorted(tensors, key=lambda t: -1 if t.first is None else t.first):
            if tensor.first is None:
                # Nothing reads or writes it.
                self.mark(tensor, space, 0, bank)
                continue
            live = [entry for entry in live if entry[2] >= tensor.first]
            address = _first_fit(live, tensor.size, bank)
            if address + tensor.size > capacity:
                where = "in all" if space is Space.DRAM else "per partition"
                self.error(
                    tensor.op,
                    "PGB012",
                    f"{space.upper()} is full: {address + tensor.size} bytes {where} are live "
                    f"here, target {self.target} has {capacity}",
                )
                return peak
            insort(live, (address, address + tensor.size, tensor.last))
            peak = max(peak, address + tensor.size)
            self.mark(tensor, space, address, bank)
        return peak

    def mark(self, tensor: _Tensor, space: Space, address: int, bank: int | None) -> None:
        i64 = ir.IntegerType.get_signless(64)
        for op in (tensor.op, *tensor.sharers):
            attributes = op.attributes
            if space is not Space.DRAM:
                attributes[BASE] = ir.IntegerAttr.get(i64, 0)
            if bank is not None:
                attributes[BANK] = ir.IntegerAttr.get(i64, address // bank)
            attributes[ADDRESS] = ir.IntegerAttr.get(i64, address)


def _first_fit(live: list[tuple[int, int, int]], size: int, bank: int | None) -> int:
    """The lowest address whose `size` bytes overlap nothing and stay inside one bank."""
    address = 0
    for start, end, _ in live:
        address = _fit_bank(address, size, bank)
        if address + size <= start:
            return address
        address = max(address, end + -end % _ALIGNMENT)
    return _fit_bank(address, size, bank)


def _fit_bank(address: int, size: int, bank: int | None) -> int:
    if bank is not None and address // bank != (address + size - 1) // bank:
        return address + -address % bank
    return address


class _Liveness:
    """One walk over the function: for each tensor, the first and last statement of its block."""

    def __init__(self) -> None:
        self.position = 0
        self.tensors: dict[ir.Value, _Tensor] = {}
        self.loops: list[_Loop] = []
        self.aliases: Aliases | None = None

    def scan(self, func: ir.Operation) -> dict[Space, list[_Tensor]]:
        self.aliases = Aliases(func)
        by_space: dict[Space, list[_Tensor]] = {space: [] for space in Space}
        self.block(func.regions[0].blocks[0], by_space)
        return by_space

    def block(self, block: ir.Block, by_space: dict[Space, list[_Tensor]]) -> None:
        for view in block.operations:
            op = view.operation
            self.position += 1
            name = op.name
            if name == "memref.alloc":
                self.allocation(op, by_space)
                continue
            for operand in op.operands:
                tensor = self.tensors.get(operand)
                if tensor is not None:
                    self.use(tensor)
            if name == "bir.loop":
                loop = _Loop(self.position)
                self.loops.append(loop)
                self.block(op.regions[0].blocks[0], by_space)
                self.loops.pop()
                loop.end = self.position
                for tensor in loop.users:
                    tensor.last = max(tensor.last, loop.end)

    def allocation(self, op: ir.Operation, by_space: dict[Space, list[_Tensor]]) -> None:
        assert self.aliases is not None
        value = op.results[0]
        root = self.aliases.root(value)
        if root in self.aliases.io:
            return
        if root != value:
            self.tensors[value] = self.tensors[root]
            self.tensors[root].sharers.append(op)
            return
        space, size = _space_and_size(value.type)
        tensor = _Tensor(op, len(self.loops), size)
        self.tensors[value] = tensor
        by_space[space].append(tensor)

    def use(self, tensor: _Tensor) -> None:
        start = self.position
        if tensor.depth < len(self.loops):
            loop = self.loops[tensor.depth]
            loop.users.append(tensor)
            start = loop.start
        if tensor.first is None:
            tensor.first = start
        tensor.last = max(tensor.last, self.position)


def _space_and_size(kind: ir.Type) -> tuple[Space, int]:
    """The memory, and the bytes taken there: per partition on chip."""
    if not isinstance(kind, ir.MemRefType):
        kind = ir.MemRefType(kind)
    space = Space(ir.StringAttr(kind.memory_space).value)
    found = dtypes.of(kind.element_type)
    assert found is not None, kind
    shape = list(kind.shape)
    elements = prod(shape) if space is Space.DRAM else prod(shape[1:])
    return space, elements * found.itemsize
