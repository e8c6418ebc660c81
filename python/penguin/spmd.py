"""Executes a StableHLO module with collectives on all ranks at once.

    outputs_of_rank = penguin.spmd.run(module, inputs_of_rank)

The ranks advance in lockstep. An op stands in round 0 if no collective is among what it depends on,
and one round after the last of them otherwise. What stands in one round is cut out as a module
that computes it on every rank, and an oracle executes that module, all ranks in one go; then the
collectives of the round are exchanged by `penguin.interp.collectives`.

Calls and composites that contain collectives are inlined first, on a copy: the given module stays
as it is. `partition_id` and `replica_id` may stand anywhere, also in loops.

The number of processes is that of the module's attributes `mhlo.num_partitions` and
`mhlo.num_replicas` (1 if there is only the other). A module that has neither says it by the largest
id in the groups of its collectives: ids of replicas count replicas; all other ids, and those of
processes, partitions. A module without collectives has one process.

Codes: PGR225 a collective where lockstep cannot reach it, PGR226 a form of a collective without
interpretation, PGR227 groups or inputs that do not fit the process grid.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from penguin import mlir, oracle, ports
from penguin.errors import UserError
from penguin.interp import collectives as cc
from penguin.interp.collectives import Grid
from penguin.mlir import func, ir
from penguin.passlib.diagnostics import describe

__all__ = ["Grid", "first_collective", "grid_of", "run"]

Arrays = list[np.ndarray]
Oracle = Callable[[ir.Module, Sequence[np.ndarray]], Arrays]

_GATHER, _REDUCE = "stablehlo.all_gather", "stablehlo.all_reduce"
_SCATTER, _ALL_TO_ALL = "stablehlo.reduce_scatter", "stablehlo.all_to_all"
_PERMUTE, _BROADCAST = "stablehlo.collective_permute", "stablehlo.collective_broadcast"
_COLLECTIVES = {_GATHER, _REDUCE, _SCATTER, _ALL_TO_ALL, _PERMUTE, _BROADCAST}
_PARTITION_ID, _REPLICA_ID = "stablehlo.partition_id", "stablehlo.replica_id"
_IDS = {_PARTITION_ID, _REPLICA_ID}
# These take a strategy that talks across replicas and partitions; the others have no such form.
_ACROSS_BOTH = {_GATHER, _REDUCE, _SCATTER}

_PARTITIONS, _REPLICAS = "mhlo.num_partitions", "mhlo.num_replicas"
_PAIRS, _GROUPS = "source_target_pairs", "replica_groups"

_DROP_UNUSED = "builtin.module(symbol-dce)"
_INLINE = (
    "builtin.module(func.func(stablehlo-legalize-composite-to-call),"
    "inline{default-pipeline=},symbol-dce)"
)


def first_collective(module: ir.Module) -> ir.Operation | None:
    """The first op whose meaning depends on the other ranks, or on which rank executes it."""
    found: list[ir.Operation] = []

    def see(op: ir.Operation) -> bool:
        if op.name in _COLLECTIVES or op.name in _IDS:
            found.append(op)
        return bool(found)

    mlir.visit(module.operation, see)
    return found[0] if found else None


def grid_of(module: ir.Module) -> Grid:
    """How many replicas and partitions execute the module."""
    if first_collective(module) is None:
        return Grid()
    given = module.operation.attributes
    if _PARTITIONS in given or _REPLICAS in given:
        replicas, partitions = (
            max(ir.IntegerAttr(given[key]).value, 1) if key in given else 1
            for key in (_REPLICAS, _PARTITIONS)
        )
        return Grid(replicas, partitions)
    count = {Grid.cross_replica: 1, Grid.cross_partition: 1, Grid.flattened_ids: 1}
    for op in mlir.walk(module.operation):
        if op.name in _COLLECTIVES:
            strategy = _strategy(op)
            if strategy is Grid.cross_replica_and_partition:
                strategy = Grid.cross_replica
            ids = [number for group in _ids(op) or () for number in group]
            count[strategy] = max(count[strategy], max(ids, default=0) + 1)
    replicas = count[Grid.cross_replica]
    for_all = -(-count[Grid.flattened_ids] // replicas)
    return Grid(replicas, max(count[Grid.cross_partition], for_all))


def run(
    module: ir.Module,
    inputs_of_rank: Sequence[Sequence[np.ndarray]],
    grid: Grid | None = None,
    execute: Oracle = oracle.reference,
) -> list[Arrays]:
    """The outputs of every rank for its inputs; `execute` is given the parts between collectives.

    `grid` is what `grid_of` finds unless it is given.
    """
    grid = grid_of(module) if grid is None else grid
    if len(inputs_of_rank) != grid.ranks:
        raise UserError.at(
            "PGR227",
            f"inputs for {len(inputs_of_rank)} ranks, the program runs on {grid.ranks} "
            f"({grid.replicas} replicas x {grid.partitions} partitions)",
            describe(module.operation),
        )
    signature = ports.signature(module)
    for inputs in inputs_of_rank:
        ports.check_inputs(signature.inputs, inputs)
    content = mlir.to_bytecode(module.operation)
    with mlir.context():
        copy = mlir.parse(content)
        _flatten(copy)
        return _Lockstep(copy, grid, execute).run(inputs_of_rank)


def _flatten(module: ir.Module) -> None:
    """Brings every collective into the entry's own block."""
    entry = ports.entry(module)
    for op in module.body.operations:
        if op.operation.name == func.FuncOp.OPERATION_NAME and op.operation != entry:
            op.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
    mlir.run_upstream(_DROP_UNUSED, module.operation)
    if any(_function(op) != entry for op in _relevant(module)):
        mlir.run_upstream(_INLINE, module.operation)
    entry = ports.entry(module)
    if len(entry.regions[0].blocks) != 1:
        raise UserError.at(
            "PGR225", "a function with branches and collectives", describe(entry.location)
        )
    block = entry.regions[0].blocks[0]
    for op in _relevant(module):
        if op.name in _IDS and _function(op) == entry:
            op.move_before(block.operations[0])
        elif op.parent != entry:
            outer = op.parent.name
            where = f"inside {outer}" if _function(op) == entry else "in a function that is called"
            raise UserError.at(
                "PGR225",
                f"{op.name} {where}, expected collectives in the body of the entry function",
                describe(op.location),
            )


def _relevant(module: ir.Module) -> list[ir.Operation]:
    names = _COLLECTIVES | _IDS
    return [op for op in mlir.walk(module.operation) if op.name in names]


def _function(op: ir.Operation) -> ir.Operation:
    while op.name != func.FuncOp.OPERATION_NAME:
        op = op.parent.operation
    return op


@dataclass
class _Round:
    """What all ranks do between two exchanges, and what they exchange then."""

    local: list[ir.Operation]
    exchanges: list[ir.Operation]


class _Lockstep:
    """One execution; `values` has the arrays of all ranks for what has been computed."""

    def __init__(self, module: ir.Module, grid: Grid, execute: Oracle) -> None:
        self.module, self.grid, self.execute = module, grid, execute
        self.entry = ports.entry(module)
        self.name = ir.StringAttr(self.entry.attributes["sym_name"]).value
        self.values: dict[ir.Value, Arrays] = {}
        # Per value of the entry's block, the ops of that block that use it.
        self.users: dict[ir.Value, list[ir.Operation]] = defaultdict(list)

    def run(self, inputs_of_rank: Sequence[Sequence[np.ndarray]]) -> list[Arrays]:
        block = self.entry.regions[0].blocks[0]
        for number, argument in enumerate(block.arguments):
            self.values[argument] = [np.asarray(inputs[number]) for inputs in inputs_of_rank]
        *operations, terminator = (op.operation for op in block.operations)
        for round_ in self._rounds(operations, terminator):
            self._compute(round_.local)
            for op in round_.exchanges:
                self._exchange(op)
        outputs = [self.values[value] for value in terminator.operands]
        return [[of_rank[rank] for of_rank in outputs] for rank in range(self.grid.ranks)]

    def _rounds(self, operations: Sequence[ir.Operation], terminator: ir.Operation) -> list[_Round]:
        first: dict[ir.Value, int] = dict.fromkeys(self.values, 0)
        rounds: dict[int, _Round] = defaultdict(lambda: _Round([], []))
        for op in (*operations, terminator):
            used = {value for value in _used(op) if value in first}
            for value in used:
                self.users[value].append(op)
            number = max((first[value] for value in used), default=0)
            if op.name in _IDS:
                self._number_ranks(op)
            elif op.name in _COLLECTIVES:
                rounds[number].exchanges.append(op)
                number += 1
            elif op != terminator:
                rounds[number].local.append(op)
            first.update(dict.fromkeys(op.results, number))
        return [rounds[number] for number in sorted(rounds)]

    def _number_ranks(self, op: ir.Operation) -> None:
        number = self.grid.partition if op.name == _PARTITION_ID else self.grid.replica
        ranks = range(self.grid.ranks)
        self.values[op.results[0]] = [np.array(number(rank), np.uint32) for rank in ranks]

    # What a rank computes by itself ---------------------------------------------------------------

    def _compute(self, operations: list[ir.Operation]) -> None:
        inside = set(operations)
        outputs = [
            result
            for op in operations
            for result in op.results
            if any(user not in inside for user in self.users[result])
        ]
        if not outputs:
            return
        for value in outputs:
            if ports.dtype_of(value.type) is None and not _is_plain_tensor(value.type):
                raise UserError.at(
                    "PGR226",
                    f"a value of type {value.type} is used on both sides of a collective",
                    describe(value.owner.location),
                )
        taken = {value for op in operations for value in _used(op) if value in self.values}
        # In a fixed order, so that equal programs give equal modules.
        inputs = [value for value in self.values if value in taken]
        part = self._part(operations, inputs, outputs)
        ranks = range(self.grid.ranks)
        results = iter(self.execute(part, [self.values[v][r] for r in ranks for v in inputs]))
        for value in outputs:
            self.values[value] = []
        for _ in ranks:
            for value in outputs:
                self.values[value].append(next(results))

    def _part(
        self,
        operations: Sequence[ir.Operation],
        inputs: Sequence[ir.Value],
        outputs: Sequence[ir.Value],
    ) -> ir.Module:
        """A module that computes the outputs from the inputs, for one rank after the other."""
        location = self.entry.location
        takes, gives = [v.type for v in inputs], [v.type for v in outputs]
        module = ir.Module.create(location)
        with location, ir.InsertionPoint(module.body):
            taken = self._copy_functions()
            name = f"{self.name}_rank"
            while name in taken:
                name += "_"
            rank = func.FuncOp(name, (takes, gives), visibility="private")
            block = rank.add_entry_block()
            with ir.InsertionPoint(block):
                known = dict(zip(inputs, block.arguments, strict=True))
                for op in operations:
                    _clone(op, known)
                func.ReturnOp([known[value] for value in outputs])
            count = self.grid.ranks
            main = func.FuncOp(self.name, (takes * count, gives * count))
            block = main.add_entry_block()
            with ir.InsertionPoint(block):
                arguments, results = list(block.arguments), []
                for start in range(0, count * len(takes), len(takes)) if takes else [0] * count:
                    own = arguments[start : start + len(takes)]
                    call = func.CallOp(gives, ir.FlatSymbolRefAttr.get(name), own)
                    results += call.results
                func.ReturnOp(results)
        mlir.run_upstream(_DROP_UNUSED, module.operation)
        return module

    def _copy_functions(self) -> set[str]:
        """Copies all functions but the entry to the insertion point; returns their names."""
        names = set()
        for op in self.module.body.operations:
            if op.operation != self.entry:
                op.operation.clone()
                if "sym_name" in op.operation.attributes:
                    names.add(ir.StringAttr(op.operation.attributes["sym_name"]).value)
        return names

    # What ranks do together -----------------------------------------------------------------------

    def _exchange(self, op: ir.Operation) -> None:
        try:
            results = list(self._exchanged(op))
        except ValueError as error:
            raise UserError.at("PGR227", f"{op.name}: {error}", describe(op.location)) from None
        for result, arrays in zip(op.results, results, strict=True):
            for array in arrays:
                if array.shape != tuple(result.type.shape):
                    raise UserError.at(
                        "PGR227",
                        f"{op.name} makes {list(array.shape)} of groups of this size, "
                        f"the op says {result.type}",
                        describe(op.location),
                    )
            self.values[result] = arrays

    def _exchanged(self, op: ir.Operation) -> Iterator[Arrays]:
        """Per operand, what the ranks have for it afterwards."""
        groups = _strategy(op)(self.grid, _ids(op))
        reduction = _reduction(op) if op.name in (_REDUCE, _SCATTER) else ""
        for operand in op.operands:
            values = self.values[operand]
            match op.name:
                case "stablehlo.all_gather":
                    yield cc.all_gather(values, groups, _integer(op, "all_gather_dim"))
                case "stablehlo.all_reduce":
                    yield cc.all_reduce(values, groups, reduction)
                case "stablehlo.reduce_scatter":
                    dimension = _integer(op, "scatter_dimension")
                    yield cc.reduce_scatter(values, groups, dimension, reduction)
                case "stablehlo.all_to_all":
                    names = ("split_dimension", "concat_dimension", "split_count")
                    yield cc.all_to_all(values, groups, *(_integer(op, name) for name in names))
                case "stablehlo.collective_permute":
                    yield cc.collective_permute(values, groups)
                case _:
                    yield cc.collective_broadcast(values, groups)


def _used(op: ir.Operation) -> list[ir.Value]:
    """The operands of an op and of all in its regions."""
    if not len(op.regions):
        return list(op.operands)
    return [value for inner in mlir.walk(op) for value in inner.operands]


def _clone(op: ir.Operation, known: dict[ir.Value, ir.Value]) -> None:
    """Copies an op to the insertion point, with the known counterparts of the values it uses."""
    clone = op.clone()
    for inner in mlir.walk(clone) if len(op.regions) else [clone]:
        for number, value in enumerate(list(inner.operands)):
            if value in known:
                inner.operands[number] = known[value]
    known.update(zip(op.results, clone.results, strict=True))


def _is_plain_tensor(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape


def _strategy(op: ir.Operation) -> Callable[[Grid, cc.Groups | None], list[list[int]]]:
    """How a collective's ids become groups of ranks."""
    if _channel(op) <= 0:
        return Grid.cross_replica
    if op.name not in _ACROSS_BOTH:
        return Grid.cross_partition
    if "use_global_device_ids" in op.attributes:
        return Grid.flattened_ids
    return Grid.cross_replica_and_partition


def _channel(op: ir.Operation) -> int:
    key = "channel_handle"
    if key not in op.attributes:
        return 0
    return int(mlir.stablehlo_bindings().ChannelHandle(op.attributes[key]).handle)


def _ids(op: ir.Operation) -> list[list[int]] | None:
    """The groups or pairs as they are written; None stands for one group of everybody."""
    attribute = op.attributes[_PAIRS if op.name == _PERMUTE else _GROUPS]
    if not isinstance(attribute, ir.DenseIntElementsAttr):
        raise UserError.at(
            "PGR226",
            f"{op.name} has its groups as {attribute}, expected ids in a dense attribute",
            describe(op.location),
        )
    groups = np.array(attribute).tolist()
    if not any(groups) and op.name not in (_PERMUTE, _BROADCAST):
        return None
    return groups


def _integer(op: ir.Operation, name: str) -> int:
    return int(ir.IntegerAttr(op.attributes[name]).value)


def _reduction(op: ir.Operation) -> str:
    """The one op that a computation applies to its arguments, without the dialect's name."""
    (block,) = op.regions[0].blocks
    arguments = list(block.arguments)
    first, *rest = (inner.operation for inner in block.operations)
    name = first.name.removeprefix("stablehlo.")
    fine = (
        name in cc.REDUCTIONS
        and len(rest) == 1
        and set(first.operands) == set(arguments)
        and list(rest[0].operands) == list(first.results)
    )
    if not fine:
        expected = ", ".join(sorted(cc.REDUCTIONS))
        raise UserError.at(
            "PGR226",
            f"the computation of {op.name} starts with {first.name}, "
            f"expected nothing but one of {expected} of its two arguments",
            describe(first.location),
        )
    element = arguments[0].type.element_type
    for operand in op.operands:
        if operand.type.element_type != element:
            raise UserError.at(
                "PGR226",
                f"{op.name} of {operand.type} computes in {element}, expected the same type",
                describe(op.location),
            )
    return name
