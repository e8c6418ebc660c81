"""What becomes of a `stablehlo.composite` of each `CompositeKind`: the registry, and fusion ops.

The kind alone decides; every composite that penguin makes has the same name. The tables of source
documents 001 and 002: ScheduleFusion is no op of its own, its body stands in its place; Expm1,
Log1p and Elementwise are printed alike and keep their kind; the others have a form each. (The
documents disagree on `hilo_fusion_op` of a DotLogistic; it is its kind here, as on the StableHLO
path.)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from penguin.dialects import penguin as pg
from penguin.dialects.base import Many
from penguin.dialects.hlo.attributes import COMPOSITE_KIND, Kind
from penguin.dialects.penguin.attributes import FusionKind, FusionLabel
from penguin.dialects.penguin.fusion_op import KIND, REDUCE_DIMS, kind_of_body
from penguin.mlir import ir, stablehlo_ops
from penguin.passes.lowering._hlo_ops import Emitter, Rule, Tensor

_hlo, _ = stablehlo_ops()


@dataclass(frozen=True)
class Form:
    """How a composite is written down: as a fusion op with a label, or, without one, in place."""

    label: FusionLabel | None = None
    reduce_dims: bool = False


IN_PLACE = Form()
_ELEMENTWISE = Form(FusionLabel.ELEMENTWISE)

FORMS: dict[Kind, Form] = {
    Kind.SCHEDULE_FUSION: IN_PLACE,
    Kind.MUL_RED_SQRT: Form(FusionLabel.MUL_RED_SQRT, reduce_dims=True),
    Kind.DOT_LOGISTIC: Form(FusionLabel.DOT_FUSION),
    Kind.EXPM1: _ELEMENTWISE,
    Kind.LOG1P: _ELEMENTWISE,
    Kind.ELEMENTWISE: _ELEMENTWISE,
    Kind.DOT_SOFTMAX: Form(FusionLabel.DOT_SOFTMAX),
}


def kind_of(composite: ir.Operation) -> tuple[Kind | None, str]:
    """The kind of a composite that has one; None and what is wrong if it is not known."""
    attribute = composite.attributes[COMPOSITE_KIND]
    found = attribute.value if isinstance(attribute, ir.StringAttr) else str(attribute)
    kind = Kind._value2member_map_.get(found) if isinstance(attribute, ir.StringAttr) else None
    if kind is not None:
        return kind, ""
    return None, (
        f"Unexpected CompositeOp kind '{found}'. Supported kinds are: ScheduleFusion, MulRedSqrt,"
        " DotLogistic, Expm1, Log1p, Elementwise, and DotSoftmax."
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One op to convert."""

    op: Any
    rule: Rule
    sources: list[Tensor]
    result: Tensor
    location: ir.Location

    def emit(self, b: Emitter) -> None:
        """Writes the op."""
        b.location = self.location
        self.rule.emit(b, self.op, self.sources, self.result)


@dataclass(slots=True)
class Fusion:
    """A composite that becomes a fusion op; `formals` and `results` are what the body sees."""

    kind: Kind
    form: Form
    sources: list[Tensor]
    targets: list[Tensor]
    formals: list[Tensor]
    location: ir.Location
    steps: list[Step] = field(default_factory=list)
    results: list[Tensor] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether one op can take so many types of operands."""
        return bool(self.targets) and None not in (_order(self.sources), _order(self.targets))

    def emit(self, b: Emitter) -> None:
        """Writes the op, its body included.

        A result is written by the op that computes it if nothing in the body reads it, for a dst
        cannot be read there, and if it is returned once; otherwise it is copied.
        """
        b.location = self.location
        for target in self.targets:
            b.alloc(target)
        srcs, dsts = _order(self.sources), _order(self.targets)
        assert srcs is not None and dsts is not None, "planned although it does not fit"
        op = pg.FusionOp(
            [self.sources[number].buffer for number in srcs],
            [self.targets[number].buffer for number in dsts],
            # Known once the body is.
            FusionKind.ELEMENT_WISE,
            self.form.label,
            self.kind,
            ip=b.ip,
            loc=self.location,
        ).operation
        types = [value.type for value in op.operands]
        block = op.regions[0].blocks.append(*types, arg_locs=[self.location] * len(types))
        arguments = list(block.arguments)
        for number, argument in zip(srcs, arguments, strict=False):
            self.formals[number].buffer = argument
        targets = dict(zip(dsts, arguments[len(srcs) :], strict=True))
        self._write_directly(targets)
        with b.inside(block):
            for step in self.steps:
                step.emit(b)
            b.location = self.location
            for number, result in enumerate(self.results):
                if result.buffer != targets[number]:
                    b.raw(pg.MemcpyOp, [result.buffer, targets[number]], {})
        kind = kind_of_body(each.operation.name for each in block.operations)
        op.attributes[KIND] = ir.StringAttr.get(kind)
        if self.form.reduce_dims:
            self._add_reduce_dims(op)

    def _write_directly(self, targets: dict[int, ir.Value]) -> None:
        computed = {id(step.result) for step in self.steps}
        uses = Counter(id(source) for step in self.steps for source in step.sources)
        uses.update(id(result) for result in self.results)
        for number, result in enumerate(self.results):
            if id(result) in computed and uses[id(result)] == 1:
                result.buffer = targets[number]

    def _add_reduce_dims(self, op: ir.Operation) -> None:
        """The dimensions of the first reduction; a body without one has none to name."""
        reductions = (step.op for step in self.steps if isinstance(step.op, _hlo.ReduceOp))
        first = next(reductions, None)
        if first is not None:
            op.attributes[REDUCE_DIMS] = first.operation.attributes["dimensions"]


def _order(tensors: Sequence[Tensor]) -> list[int] | None:
    """An order in which one op can take the tensors: as they are, or those of a type together.

    None if they have more types than an op can take (`Many`).
    """
    types = [tensor.type.hlo for tensor in tensors]
    numbers = list(range(len(types)))
    if sum(1 for _ in groupby(types)) <= Many.RUNS:
        return numbers
    first: dict[ir.Type, int] = {}
    for number, type_ in enumerate(types):
        first.setdefault(type_, number)
    if len(first) > Many.RUNS:
        return None
    return sorted(numbers, key=lambda number: first[types[number]])


Emittable = Step | Fusion
