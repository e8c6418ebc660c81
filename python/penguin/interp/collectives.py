"""Collectives as functions of numpy arrays: what StableHLO's specification says, executed.

The processes of a program form a grid of `replicas` x `partitions`; a *rank* is a process's number
in it, `replica * partitions + partition` (section "Execution / Parallel execution" of the StableHLO
specification). A collective takes `values`, one array per rank in the order of ranks, and *groups*:
lists of ranks, which talk to each other in the order in which they are listed. It returns one array
per rank, which may share memory with others or with what was given. The functions have the names of
the ops, and the sections of the specification too.

Reductions fold in the order of the group, from its first rank on, one step after the other in the
element type: bfloat16 is rounded after every addition. The specification leaves the order open.

Errors are `ValueError`s that say what was found and what was expected.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Groups = Sequence[Sequence[int]]
Values = Sequence[np.ndarray]

# `i1` adds by "or" and multiplies by "and", as numpy's booleans do; NaN wins maximum and minimum.
REDUCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "add": np.add,
    "and": np.bitwise_and,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}

# Fills up the shorter of several groups in a rectangular attribute.
_PADDING = -1


@dataclass(frozen=True)
class Grid:
    """The process grid, and the four ways from the ids in an attribute to groups of ranks.

    The methods have the names of the specification's strategies. They drop the padding (-1) of
    groups of several sizes, read no groups at all (None) as one group of everybody, as XLA does,
    and raise at an id that is none of the grid's.
    """

    replicas: int = 1
    partitions: int = 1

    @property
    def ranks(self) -> int:
        return self.replicas * self.partitions

    def rank(self, replica: int, partition: int) -> int:
        """The number of a process."""
        return replica * self.partitions + partition

    def replica(self, rank: int) -> int:
        """Section "replica_id": which replica a rank belongs to."""
        return rank // self.partitions

    def partition(self, rank: int) -> int:
        """Section "partition_id": which partition a rank is."""
        return rank % self.partitions

    def cross_replica(self, groups: Groups | None) -> list[list[int]]:
        """Groups of replicas: they talk within each partition."""
        groups = _checked(groups, self.replicas, "replica")
        return [
            [self.rank(replica, partition) for replica in group]
            for group in groups
            for partition in range(self.partitions)
        ]

    def cross_partition(self, groups: Groups | None) -> list[list[int]]:
        """Groups of partitions: they talk within each replica."""
        groups = _checked(groups, self.partitions, "partition")
        return [
            [self.rank(replica, partition) for partition in group]
            for group in groups
            for replica in range(self.replicas)
        ]

    def cross_replica_and_partition(self, groups: Groups | None) -> list[list[int]]:
        """Groups of replicas: all partitions of all replicas of a group talk."""
        groups = _checked(groups, self.replicas, "replica")
        return [
            [self.rank(replica, partition) for partition in range(self.partitions) for replica in g]
            for g in groups
        ]

    def flattened_ids(self, groups: Groups | None) -> list[list[int]]:
        """Groups of ranks."""
        return _checked(groups, self.ranks, "process")


def all_gather(values: Values, groups: Groups, all_gather_dim: int) -> list[np.ndarray]:
    """Every rank gets the arrays of its group, concatenated along a dimension.

    Shapes: `[.., n, ..]` becomes `[.., n * size(group), ..]`.
    Raises: a rank in no group or in two, no such dimension.
    """
    _check_dimension(values, all_gather_dim)
    return _by_group(values, groups, lambda own: [np.concatenate(own, all_gather_dim)] * len(own))


def all_reduce(values: Values, groups: Groups, reduction: str) -> list[np.ndarray]:
    """Every rank gets the arrays of its group, reduced element by element.

    Shapes: stay. `reduction` is a key of `REDUCTIONS`.
    Raises: a rank in no group or in two.
    """
    return _by_group(values, groups, lambda own: [_fold(own, reduction)] * len(own))


def reduce_scatter(
    values: Values, groups: Groups, scatter_dimension: int, reduction: str
) -> list[np.ndarray]:
    """The arrays of a group are reduced; its n-th rank gets the n-th part along a dimension.

    Shapes: `[.., n, ..]` becomes `[.., n / size(group), ..]`. `reduction` is a key of `REDUCTIONS`.
    Raises: a rank in no group or in two, no such dimension, an extent that the group does not
    divide.
    """
    _check_dimension(values, scatter_dimension)
    return _by_group(
        values,
        groups,
        lambda own: _split(_fold(own, reduction), len(own), scatter_dimension),
    )


def all_to_all(
    values: Values,
    groups: Groups,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
) -> list[np.ndarray]:
    """The n-th rank of a group gets the n-th part of every array of the group, concatenated.

    Shapes: `split_dimension` is divided by `split_count`, then `concat_dimension` multiplied by it.
    Raises: a rank in no group or in two, no such dimension, an extent that `split_count` does not
    divide, a group of a size that is not `split_count`.
    """
    _check_dimension(values, split_dimension)
    _check_dimension(values, concat_dimension)

    def exchange(own: list[np.ndarray]) -> list[np.ndarray]:
        if len(own) != split_count:
            raise ValueError(f"a group of {len(own)} ranks, expected split_count = {split_count}")
        parts = [_split(array, split_count, split_dimension) for array in own]
        return [np.concatenate(received, concat_dimension) for received in zip(*parts, strict=True)]

    return _by_group(values, groups, exchange)


def collective_permute(values: Values, pairs: Groups) -> list[np.ndarray]:
    """The target of a pair gets the array of its source; zeros where there is no source.

    Shapes: stay.
    Raises: a rank that is the target or the source of two pairs, something else than pairs.
    """
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("expected a source and a target in every pair")
    for side, name in enumerate(("source", "target")):
        ranks = [pair[side] for pair in pairs]
        twice = next((rank for rank in ranks if ranks.count(rank) > 1), None)
        if twice is not None:
            raise ValueError(f"rank {twice} is the {name} of several pairs, expected one")
    source_of = {target: source for source, target in pairs}
    return [
        values[source_of[rank]] if rank in source_of else np.zeros_like(values[rank])
        for rank in range(len(values))
    ]


def collective_broadcast(values: Values, groups: Groups) -> list[np.ndarray]:
    """Every rank gets the array of the first rank of its group; zeros where it has no group.

    Shapes: stay.
    Raises: a rank in two groups.
    """
    first_of = _group_of(groups, len(values))
    return [
        values[first_of[rank][0]] if rank in first_of else np.zeros_like(values[rank])
        for rank in range(len(values))
    ]


def _checked(groups: Groups | None, count: int, what: str) -> list[list[int]]:
    """The groups without padding, their ids below `count`."""
    if groups is None:
        return [list(range(count))]
    found = [[number for number in group if number != _PADDING] for group in groups]
    for number in (number for group in found for number in group):
        if not 0 <= number < count:
            expected = f"0 to {count - 1}" if count > 1 else "only 0"
            raise ValueError(f"{what} id {number} in the groups, expected {expected}")
    return found


def _group_of(groups: Groups, count: int) -> dict[int, Sequence[int]]:
    group_of: dict[int, Sequence[int]] = {}
    for group in groups:
        for rank in group:
            if rank in group_of:
                raise ValueError(f"rank {rank} is in several groups, expected one")
            if not 0 <= rank < count:
                raise ValueError(f"rank {rank} in the groups, there are {count} ranks")
            group_of[rank] = group
    return group_of


def _by_group(
    values: Values, groups: Groups, work: Callable[[list[np.ndarray]], list[np.ndarray]]
) -> list[np.ndarray]:
    """What `work` makes of the arrays of each group, in the order of ranks."""
    group_of = _group_of(groups, len(values))
    for rank in range(len(values)):
        if rank not in group_of:
            raise ValueError(f"rank {rank} is in no group, expected one")
    result: dict[int, np.ndarray] = {}
    for group in groups:
        result.update(zip(group, work([values[rank] for rank in group]), strict=True))
    return [result[rank] for rank in range(len(values))]


def _fold(arrays: Sequence[np.ndarray], reduction: str) -> np.ndarray:
    total = arrays[0].copy()
    with np.errstate(all="ignore"):
        for array in arrays[1:]:
            # Of arrays without dimensions numpy makes scalars.
            total = np.asarray(REDUCTIONS[reduction](total, array), total.dtype)
    return total


def _split(array: np.ndarray, count: int, dimension: int) -> list[np.ndarray]:
    extent = array.shape[dimension]
    if extent % count:
        raise ValueError(
            f"dimension {dimension} has extent {extent}, expected a multiple of {count}"
        )
    return np.split(array, count, dimension)


def _check_dimension(values: Values, dimension: int) -> None:
    for array in values:
        if not 0 <= dimension < array.ndim:
            raise ValueError(f"dimension {dimension} of an array that has {array.ndim}")
