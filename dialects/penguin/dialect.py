"""The `penguin` dialect object, the base of its ops, and what their verifiers share.

Every op is in destination form: operands `srcs..., dst`, no results; it reads all but the last
operand and writes the last. Clause (C1) is the same everywhere: each operand is a tensor, i.e. a
memref of static shape, row-major, of a dtype of `penguin.dtypes`, in "dram", "sbuf" or "psum".
"""

import difflib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from penguin.dialects.base import Dialect, Effects, Tensor, tensor
from penguin.dialects.penguin.attributes import Kind, kind_of
from penguin.mlir import ir


class Penguin(Dialect, name="penguin"):
    """Tensor level: offloaded data movement and compute ops on memrefs."""


class Violation(Exception):
    """A constraint does not hold; the text follows `'penguin.op' op `."""


class TensorOp(Penguin.Operation):
    """Base of the dialect's ops: subclasses put (C2) and later into `check`."""

    def check(self, *tensors: Tensor) -> None:
        """Raises `Violation` for the first clause that does not hold; operands passed (C1)."""

    def violation(self) -> str | None:
        tensors = [tensor(value) for value in self.operands]
        for number, t in enumerate(tensors):
            if t.problem is not None:
                return f"operand #{number} {t.problem} (C1)"
        try:
            self.check(*tensors)
        except Violation as found:
            return str(found)
        return None

    def effects(self) -> Effects:
        dst = len(self.operands) - 1
        return Effects(range(dst), (dst,))


def given(op: TensorOp, key: str, expected: str, clause: str) -> ir.Attribute:
    """The attribute `key` of `op`."""
    if key not in op.attributes:
        raise Violation(f"has no {key}, expected {expected} ({clause})")
    return op.attributes[key]


def ints(op: TensorOp, key: str, clause: str) -> tuple[int, ...]:
    """The index list `key` of `op`."""
    attribute = given(op, key, "array<i64: ...>", clause)
    if not isinstance(attribute, ir.DenseI64ArrayAttr):
        raise Violation(f"{key} is {attribute}, expected array<i64: ...> ({clause})")
    return tuple(attribute)


def integer(op: TensorOp, key: str, clause: str) -> int:
    """The i64 attribute `key` of `op`."""
    attribute = given(op, key, "an i64", clause)
    if not isinstance(attribute, ir.IntegerAttr) or str(attribute.type) != "i64":
        raise Violation(f"{key} is {attribute}, expected an i64 ({clause})")
    return attribute.value


E = TypeVar("E", bound=StrEnum)


def member(op: TensorOp, key: str, enum: type[E], clause: str) -> E:
    """The string attribute `key` of `op` as a member of `enum`."""
    attribute = given(op, key, "a string", clause)
    if not isinstance(attribute, ir.StringAttr):
        raise Violation(f"{key} is {attribute}, expected a string ({clause})")
    value = attribute.value
    found = enum._value2member_map_.get(value)
    if found is None:
        close = difflib.get_close_matches(value, list(enum), n=1)
        hint = f", did you mean {close[0]}?" if close else ""
        raise Violation(f'{key} is "{value}", expected one of {" ".join(enum)}{hint} ({clause})')
    return found


def axes(values: Sequence[int], key: str, rank: int, clause: str) -> None:
    """Distinct dimension numbers of a tensor of `rank` dimensions."""
    for position, axis in enumerate(values):
        if not 0 <= axis < rank:
            raise Violation(f"{key} has axis {axis}, expected 0 to {rank - 1} ({clause})")
        if axis in values[:position]:
            raise Violation(f"{key} has axis {axis} twice, expected distinct axes ({clause})")


def length(values: Sequence[int], key: str, rank: int, number: int, clause: str) -> None:
    """One entry per dimension of operand `number`."""
    if len(values) != rank:
        raise Violation(
            f"{key} has {len(values)} entries, expected {rank}, the rank of operand #{number}"
            f" ({clause})"
        )


def same_dtype(number: int, t: Tensor, other: int, reference: Tensor, clause: str) -> None:
    """Operand `number` has the dtype of operand `other`."""
    if t.dtype is not reference.dtype:
        raise Violation(
            f"operand #{number} has dtype {t.dtype.mlir}, expected {reference.dtype.mlir}"
            f" to match operand #{other} ({clause})"
        )


def is_dtype(number: int, t: Tensor, expected: str, clause: str) -> None:
    """Operand `number` has one fixed dtype."""
    if t.dtype.mlir != expected:
        raise Violation(
            f"operand #{number} has dtype {t.dtype.mlir}, expected {expected} ({clause})"
        )


def kinds(number: int, t: Tensor, allowed: Iterable[Kind], what: str, clause: str) -> None:
    """The dtype of operand `number` is of a kind that `what` is defined for."""
    if kind_of(t.dtype) not in allowed:
        names = " or ".join(k for k in Kind if k in allowed)
        raise Violation(
            f"operand #{number} has dtype {t.dtype.mlir}, expected a {names} dtype for {what}"
            f" ({clause})"
        )


def same_shape(number: int, t: Tensor, other: int, reference: Tensor, clause: str) -> None:
    """Operand `number` has the shape of operand `other`."""
    if t.shape != reference.shape:
        has_shape(number, t, reference.shape, f" to match operand #{other}", clause)


def has_shape(number: int, t: Tensor, expected: Sequence[int], reason: str, clause: str) -> None:
    """Operand `number` has the shape `expected`; `reason` ends the message."""
    if len(t.shape) != len(expected):
        raise Violation(
            f"operand #{number} has rank {len(t.shape)}, expected {len(expected)}{reason}"
            f" ({clause})"
        )
    for dim, (got, want) in enumerate(zip(t.shape, expected, strict=True)):
        if got != want:
            raise Violation(
                f"operand #{number} dim {dim} is {got}, expected {want}{reason} ({clause})"
            )


def scalar(number: int, t: Tensor, clause: str) -> None:
    """Operand `number` has rank 0."""
    if t.shape:
        raise Violation(f"operand #{number} has rank {len(t.shape)}, expected 0 ({clause})")
