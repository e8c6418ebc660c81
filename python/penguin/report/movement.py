"""Data movement and casts that no pass removed: how many ops, how many bytes they write.

`survivors` counts all tensor ops that are left, by kind; `moved` lists those that only move data,
with what a report says of each once the module is gone.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from penguin.analysis.tensor_names import ends, name_of
from penguin.dialects.base import tensor, tensor_of
from penguin.dialects.penguin import OFFLOADED
from penguin.dialects.penguin.attributes import PREFIX
from penguin.mlir import ir, walk
from penguin.passlib.diagnostics import describe

_OFFLOADED = frozenset(op.OPERATION_NAME for op in OFFLOADED)


@dataclass(frozen=True)
class Survivor:
    """Offloaded tensor ops of one kind; `nbytes` is what they write."""

    op: str
    count: int
    nbytes: int


@dataclass(frozen=True)
class End:
    """A tensor that data come from or go to."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    def __str__(self) -> str:
        return f"{self.name}:{'x'.join(map(str, (*self.shape, self.dtype)))}"


@dataclass(frozen=True)
class Moved:
    """One op that moves data; `nbytes` is what it writes, `location` as in remarks."""

    function: str
    op: str
    sources: tuple[End, ...]
    destination: End
    nbytes: int
    location: str


def survivors(root: ir.Operation) -> tuple[Survivor, ...]:
    """What is left at the tensor level once the compute ops are loops, by op name."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for op in walk(root):
        if op.name.startswith(PREFIX):
            counts[op.name] += 1
            sizes[op.name] += _bytes(op.operands[len(op.operands) - 1])
    return tuple(Survivor(name, counts[name], sizes[name]) for name in sorted(counts))


def moved(root: ir.Operation, shown: Callable[[str], str] = str) -> tuple[Moved, ...]:
    """The ops of a module that move data, in program order; `shown` names the input's buffer."""
    found = []
    for function in root.regions[0].blocks[0].operations:
        if function.operation.name != "func.func":
            continue
        name = ir.StringAttr(function.attributes["sym_name"]).value
        for op in walk(function):
            if op.name in _OFFLOADED:
                sources, destination = ends(op)
                assert destination is not None
                found.append(
                    Moved(
                        name,
                        op.name,
                        tuple(map(_end, sources)),
                        _end(destination),
                        _bytes(destination),
                        shown(describe(op)),
                    )
                )
    return tuple(found)


def _end(value: ir.Value) -> End:
    facts = tensor(value)
    assert facts.dtype is not None
    return End(name_of(value), facts.shape, facts.dtype.mlir)


def _bytes(value: ir.Value) -> int:
    facts = tensor_of(value.type)
    assert facts.dtype is not None, value.type
    return facts.count * facts.dtype.itemsize
