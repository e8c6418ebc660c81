"""Loops and conditions as nodes: a nest is evaluated a whole axis at a time.

A loop runs in one of three ways, chosen once per program:

* vector: no accumulators, and its iterations are independent (`penguin.interp.dependence`). The
  loop becomes a numpy axis.
* reduce: see `penguin.interp.reductions`.
* sequential: one iteration after the other, each still over the axes of the loops around it.

Bounds that depend on outer loops, and `affine.if`, become masks. A loop whose arrays would exceed
`LIMIT` elements runs in pieces.
"""

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from penguin.analysis.affine_form import Form
from penguin.interp import reductions
from penguin.interp.numerics import Array
from penguin.interp.program import Machine, Node, Range

# Elements per array: a handful of live 32-bit arrays stay below 256 MB.
LIMIT = 4 << 20


class Mode(enum.Enum):
    """How a loop runs."""

    VECTOR = enum.auto()
    REDUCE = enum.auto()
    SEQUENTIAL = enum.auto()


@dataclass(frozen=True)
class Term:
    """What an accumulator gathers: a value, or a product of two."""

    name: str
    value: "int | Form"
    factors: tuple[int, int] | None = None

    def values(self) -> tuple[int, ...]:
        """The values it is computed from."""
        if self.factors is not None:
            return self.factors
        return () if isinstance(self.value, Form) else (self.value,)


@dataclass(eq=False)
class Loop(Node):
    """One `affine.for`; in forms, `key` stands for its counter 0, 1, ..."""

    op: Any
    key: int
    others: list["Loop"]
    """Every loop, by key."""
    trip: int = 0
    mode: Mode = Mode.SEQUENTIAL
    guards: list[Form] = field(default_factory=list)
    """Iterations where one of these is negative do not exist."""
    body: list[Node] = field(default_factory=list)
    inits: list["int | Form"] = field(default_factory=list)
    arguments: list[int] = field(default_factory=list)
    yields: list["int | Form"] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    inner: "Loop | None" = None
    domains: set[frozenset[int]] = field(default_factory=set)
    ordered: bool = False
    """Some store below relies on the order of iterations."""

    def run(self, machine: Machine) -> None:
        match self.mode:
            case Mode.VECTOR:
                for start, count in self._pieces(machine):
                    self._at(machine, start, count, lambda: machine.run(self.body))
            case Mode.SEQUENTIAL:
                self._run_sequential(machine)
            case Mode.REDUCE:
                self._run_reduction(machine)

    def reads(self) -> Iterable[int]:
        for node in self.body:
            yield from node.reads()
        if self.inner is not None:
            yield from self.inner.reads()
        yield from (i for i in self.inits + self.yields if not isinstance(i, Form))
        for term in self.terms:
            yield from term.values()

    def defines(self) -> Iterable[int]:
        return self.results

    def _at(self, machine: Machine, start: int, count: int, action: Callable[[], None]) -> None:
        """Performs `action` with the loop at these iterations, if any of them exist."""
        depth, mask = machine.depth, machine.mask
        axis = None
        if count > 1:
            axis, machine.depth = depth, depth + 1
        machine.ranges[self.key] = Range(start, count, axis)
        if self._restrict(machine):
            action()
        machine.depth, machine.mask = depth, mask
        del machine.ranges[self.key]

    def _restrict(self, machine: Machine) -> bool:
        for guard in self.guards:
            if not restrict(machine, machine.form(guard) >= 0):
                return False
        return True

    def _pieces(self, machine: Machine) -> Iterator[tuple[int, int]]:
        """(start, count) of the parts to run one after the other."""
        others = mine = 0
        for domain in self.domains:
            size = prod(self._span(machine, key) for key in domain)
            if self.key in domain:
                mine = max(mine, size)
            else:
                others = max(others, size)
        step = self.trip
        if others > LIMIT and self.ordered:
            # An inner loop will run in pieces: this iteration's must come before the next one's.
            step = 1
        elif mine > LIMIT:
            step = max(1, self.trip * LIMIT // mine)
        for start in range(0, self.trip, max(step, 1)):
            yield start, min(step, self.trip - start)

    def _span(self, machine: Machine, key: int) -> int:
        if key in machine.ranges:
            return machine.ranges[key].count
        loop = self.others[key]
        return 1 if loop.mode is Mode.SEQUENTIAL else max(loop.trip, 1)

    def _run_sequential(self, machine: Machine) -> None:
        state = [read(machine, value) for value in self.inits]

        def iteration() -> None:
            nonlocal state
            machine.values.update(zip(self.arguments, state, strict=True))
            machine.run(self.body)
            after = [read(machine, value) for value in self.yields]
            mask = machine.mask
            if mask is not None:
                after = [np.where(mask, a, b) for a, b in zip(after, state, strict=True)]
            state = after

        for number in range(self.trip):
            self._at(machine, number, 1, iteration)
        machine.values.update(zip(self.results, state, strict=True))

    def _run_reduction(self, machine: Machine) -> None:
        base = machine.depth
        totals = [read(machine, value) for value in self.inits]

        def consume(terms: list[Term]) -> None:
            for number, term in enumerate(terms):
                part = gather(machine, term, base)
                totals[number] = reductions.combine(term.name, totals[number], part)

        self._each(machine, consume)
        machine.values.update(zip(self.results, totals, strict=True))

    def _each(self, machine: Machine, consume: Callable[[list[Term]], None]) -> None:
        """Evaluates the body over the whole domain and hands over what is to be accumulated."""

        def piece() -> None:
            machine.run(self.body)
            if self.inner is None:
                consume(self.terms)
            else:
                self.inner._each(machine, consume)

        for start, count in self._pieces(machine):
            self._at(machine, start, count, piece)


def read(machine: Machine, value: "int | Form") -> Array:
    """The array of an operand."""
    return machine.form(value) if isinstance(value, Form) else machine.values[value]


def restrict(machine: Machine, condition: Array) -> bool:
    """Adds a condition to the mask; False if it holds nowhere."""
    if np.all(condition):
        return True
    if not np.any(condition):
        return False
    machine.mask = condition if machine.mask is None else machine.mask & condition
    return True


def gather(machine: Machine, term: Term, base: int) -> Array:
    """`term` reduced over the axes opened since depth `base`."""
    axes = machine.depth - base
    counts = machine.counts()[:axes]
    mask = machine.mask
    if term.factors is not None and mask is None:
        a, b = (_padded(machine.values[f], machine.depth) for f in term.factors)
        return reductions.contraction(a, b, counts)
    if term.factors is not None:
        value = machine.values[term.factors[0]] * machine.values[term.factors[1]]
    else:
        value = read(machine, term.value)
    value = _padded(value, machine.depth)
    value = np.broadcast_to(value, counts + value.shape[axes:])
    return reductions.reduce(term.name, value, axes, mask)


def _padded(value: Array, depth: int) -> Array:
    value = np.asarray(value)
    return value.reshape((1,) * (depth - value.ndim) + value.shape)


@dataclass(eq=False)
class If(Node):
    """`affine.if`; a condition is a form and whether it must be 0 or just not negative."""

    conditions: list[tuple[Form, bool]]
    branches: tuple[list[Node], list[Node]]
    yields: tuple[list["int | Form"], list["int | Form"]]
    results: list[int]

    def run(self, machine: Machine) -> None:
        holds: Any = np.True_
        for form, is_equality in self.conditions:
            value = machine.form(form)
            holds = holds & (value == 0 if is_equality else value >= 0)
        outcomes = []
        mask = machine.mask
        for side, condition in enumerate((holds, ~holds)):
            if restrict(machine, condition):
                machine.run(self.branches[side])
                outcomes.append([read(machine, value) for value in self.yields[side]])
            else:
                outcomes.append(None)
            machine.mask = mask
        yes, no = outcomes
        if yes is None or no is None:
            merged = no if yes is None else yes
        else:
            merged = [np.where(holds, a, b) for a, b in zip(yes, no, strict=True)]
        machine.values.update(zip(self.results, merged or [], strict=True))

    def reads(self) -> Iterable[int]:
        for branch, values in zip(self.branches, self.yields, strict=True):
            for node in branch:
                yield from node.reads()
            yield from (value for value in values if not isinstance(value, Form))

    def defines(self) -> Iterable[int]:
        return self.results
