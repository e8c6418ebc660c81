"""Fused clusters: tensor ops that were chosen to run together, as one op with a body.

Source: document 000, "FusionOp". `lower-tensor-op` puts the body in the place of the op.
"""

import functools
from collections.abc import Iterable
from typing import Any

from penguin.dialects.base import Effects, Many, Region, Tensor, tensor_of
from penguin.dialects.hlo.attributes import Kind as CompositeKind
from penguin.dialects.penguin.attributes import FusionKind, FusionLabel
from penguin.dialects.penguin.dialect import Penguin, TensorOp, Violation, ints, member
from penguin.dialects.penguin.tensor_ops import ReduceOp, TensorContractOp
from penguin.mlir import ir

KIND = "kind"
LABEL = "label"
HILO_KIND = "hilo_fusion_op"
REDUCE_DIMS = "reduce_dims"

_ALLOC, _GET_GLOBAL = "memref.alloc", "memref.get_global"
LOCALS = frozenset({_ALLOC, _GET_GLOBAL})


class FusionOp(
    Penguin.Operation,
    name="fusion",
    traits=[ir.NoTerminatorTrait, ir.IsIsolatedFromAboveTrait],
):
    """`dsts = label fusion(srcs) { locals; tensor ops }`: the ops of the body, in its order.

    The block's arguments are the formal srcs, then the formal dsts. Locals are `memref.alloc`, and
    `memref.get_global` for constants; they live as long as the body runs. A fusion in a fusion does
    not exist, and nothing from outside is seen but the arguments.

    `kind` says what is inside: TensorContractFusionOp if there is a tensor_contract, else
    ReduceFusionOp if there is a reduce, else ElementWiseFusionOp (elementwise functions and data
    movement). `label` is the printed name, `hilo_fusion_op` the CompositeKind it was made of. A
    MulRedSqrt has its reduced dimensions as `reduce_dims`, an optional attribute.

    (C1) operands and locals are tensors
    (C2) there is a dst; the region is one block, with an argument per operand of the same type
    (C3) kind, label and hilo_fusion_op are names of these sets; reduce_dims is array<i64>
    (C4) there is a tensor op: "fusion op is empty"
    (C5) all ops but the locals are tensor ops: "internal inst(s) must be TensorOp", or, if the
         op defines a value, "local inst must be tensor op"
    (C6) no formal dst is read: "cannot load from a dst tensor inside the fusion op"
    (C7) no formal src and no constant is written: "cannot store to a src tensor inside the fusion
         op"
    (C8) every alloc and every formal dst is written by one op, before it is read: "Function in
         TensorOp must have a single user"
    (C9) locals have static shapes: "local tensor shapes are not compatible with op.shape"
    (C10) kind fits the body

    The quoted texts are document 000's; what (C5), (C8) and (C9) stand for is a guess. Whether the
    shape of a local fits the op that uses it is that op's to check.
    """

    srcs: Many
    dsts: Many
    kind: ir.StringAttr
    label: ir.StringAttr
    hilo_fusion_op: ir.StringAttr
    body: Region

    @property
    def block(self) -> ir.Block:
        """The block that holds the body."""
        return self.regions[0].blocks[0]

    def effects(self) -> Effects:
        count = len(self.operands)
        first = count - len(self.dsts)
        return Effects(range(first), range(first, count))

    def violation(self) -> str | None:
        try:
            self._check()
        except Violation as found:
            return str(found)
        return None

    def _check(self) -> None:
        operands = list(self.operands)
        for number, value in enumerate(operands):
            problem = tensor_of(value.type).problem
            if problem is not None:
                raise Violation(f"operand #{number} {problem} (C1)")
        if not self.dsts:
            raise Violation("has no dsts, expected at least one (C2)")
        kind = member(self, KIND, FusionKind, "C3")
        member(self, LABEL, FusionLabel, "C3")
        made_of = member(self, HILO_KIND, CompositeKind, "C3")
        if made_of is CompositeKind.SCHEDULE_FUSION:
            raise Violation(f'{HILO_KIND} is "{made_of}", which has no op of its own (C3)')
        if REDUCE_DIMS in self.attributes:
            ints(self, REDUCE_DIMS, "C3")
        blocks = list(self.regions[0].blocks)
        if len(blocks) > 1:
            raise Violation(f"has {len(blocks)} blocks, expected 1 (C2)")
        body = [view.operation for view in blocks[0].operations] if blocks else []
        if not any(op.name not in LOCALS for op in body):
            raise Violation("fusion op is empty (C4)")
        _check_arguments(list(blocks[0].arguments), operands)
        Flow(list(blocks[0].arguments), len(operands) - len(self.dsts)).check(body)
        expected = kind_of_body(op.name for op in body)
        if kind is not expected:
            raise Violation(f'kind is "{kind}", expected {expected} for this body (C10)')


def kind_of_body(names: Iterable[str]) -> FusionKind:
    """The kind of a fusion whose body has ops of these names."""
    present = set(names)
    if TensorContractOp.OPERATION_NAME in present:
        return FusionKind.TENSOR_CONTRACT
    return FusionKind.REDUCE if ReduceOp.OPERATION_NAME in present else FusionKind.ELEMENT_WISE


def _check_arguments(arguments: list[Any], operands: list[ir.Value]) -> None:
    if len(arguments) != len(operands):
        raise Violation(
            f"has {len(arguments)} block arguments, expected {len(operands)}, one per operand (C2)"
        )
    for number, (formal, actual) in enumerate(zip(arguments, operands, strict=True)):
        if formal.type != actual.type:
            raise Violation(
                f"block argument #{number} has type {formal.type}, expected {actual.type}"
                f" to match operand #{number} (C2)"
            )


class Flow:
    """Who writes what in a body. Its ops have not been verified yet when a fusion is."""

    def __init__(self, arguments: list[Any], srcs: int) -> None:
        self._dsts = set(arguments[srcs:])
        self._fixed = set(arguments[:srcs])
        self._unwritten: dict[Any, str] = {
            value: f"block argument #{srcs + number}"
            for number, value in enumerate(arguments[srcs:])
        }

    def check(self, body: list[ir.Operation]) -> None:
        """Raises `Violation` for the first clause that an op of the body does not keep."""
        tensor_ops = _tensor_ops()
        for op in body:
            if op.name in LOCALS:
                self._local(op)
                continue
            if op.name not in tensor_ops:
                if len(op.results):
                    raise Violation(f"local inst must be tensor op, found '{op.name}' (C5)")
                raise Violation(f"internal inst(s) must be TensorOp, found '{op.name}' (C5)")
            operands = list(op.operands)
            if not operands:
                # Its own verifier says so.
                continue
            *srcs, dst = operands
            for number, value in enumerate(srcs):
                self._read(op, number, value)
            self._write(op, len(srcs), dst)
        for what in self._unwritten.values():
            raise Violation(
                f"Function in TensorOp must have a single user: nothing writes {what} (C8)"
            )

    def _local(self, op: ir.Operation) -> None:
        if len(op.operands):
            raise Violation(
                "local tensor shapes are not compatible with op.shape:"
                f" '{op.name}' has an extent that is computed (C9)"
            )
        value = op.results[0]
        facts: Tensor = tensor_of(value.type)
        if facts.problem is not None and not _is_static(value.type):
            raise Violation(
                "local tensor shapes are not compatible with op.shape:"
                f" '{op.name}' {facts.problem} (C9)"
            )
        if facts.problem is not None:
            raise Violation(f"'{op.name}' in its body {facts.problem} (C1)")
        if op.name == _ALLOC:
            self._unwritten[value] = f"a {value.type} of its body"
        else:
            self._fixed.add(value)

    def _read(self, op: ir.Operation, number: int, value: ir.Value) -> None:
        if value in self._dsts:
            raise Violation(
                "cannot load from a dst tensor inside the fusion op:"
                f" operand #{number} of '{op.name}' (C6)"
            )
        if value in self._unwritten:
            raise Violation(
                "Function in TensorOp must have a single user:"
                f" operand #{number} of '{op.name}' is read before it is written (C8)"
            )

    def _write(self, op: ir.Operation, number: int, value: ir.Value) -> None:
        if value in self._fixed:
            raise Violation(
                "cannot store to a src tensor inside the fusion op:"
                f" operand #{number} of '{op.name}' (C7)"
            )
        if self._unwritten.pop(value, None) is None:
            raise Violation(
                "Function in TensorOp must have a single user:"
                f" operand #{number} of '{op.name}' is written twice (C8)"
            )


def _is_static(type_: ir.Type) -> bool:
    return not isinstance(type_, ir.ShapedType) or (type_.has_rank and type_.has_static_shape)


@functools.cache
def _tensor_ops() -> frozenset[str]:
    """The names of all tensor ops."""
    found: set[str] = set()
    pending: list[Any] = [TensorOp]
    while pending:
        cls = pending.pop()
        pending += cls.__subclasses__()
        found.add(getattr(cls, "OPERATION_NAME", None) or "")
    return frozenset(found - {""})
