"""The instructions: one op class per BIR opcode that penguin selects.

Operands of every instruction are the tensors read, the tensor written, and the induction variables
of enclosing `bir.loop`s that its offsets use (`axes`). The attribute `access` has one `#bir.ap` per
tensor operand, `engine` names the engine. Everything else is in `schema`.

    "bir.Reciprocal"(%x, %y, %i0) {
      access = [#bir.ap<"float32", affine_map<(d0) -> (d0 * 512)>, [[4096, 128], [1, 512]]>,
                #bir.ap<"float32", affine_map<(d0) -> (0)>, [[512, 128], [1, 512]]>],
      engine = "DVE"}

Operands are single fields, not lists of inputs and outputs, because IRDL wants all members of a
variadic field to be of one type. Only the two opcodes with an optional input have
`operandSegmentSizes`, one entry per field.

Arithmetic of DVE, Pool and Activation: operands are widened to float32 and the result is rounded to
the output dtype; except that a copy of equal dtypes is bit exact, bitvec operators act on the bits
of integers, and an instruction whose tensors are all int32 or uint32 uses the integer ALU.
The numbered constraints (C1) to (C30) are those of `verifier.py`; each class names its own.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from penguin.dialects.base import Effects, Operand
from penguin.dialects.bir import enums
from penguin.dialects.bir.dialect import Bir
from penguin.dialects.bir.enums import AluOp, Engine, Opcode
from penguin.dialects.bir.schema import Attribute, Kind, Schema
from penguin.mlir import ir

ACCESS = "access"
ENGINE = "engine"
SEGMENTS = "operandSegmentSizes"
# Discardable keys that allocation puts on a `memref.alloc`.
BASE = "bir.base"
ADDRESS = "bir.addr"
BANK = "bir.bank"

_DVE_POOL = frozenset({Engine.DVE, Engine.POOL})
_DVE_POOL_ACT = frozenset({Engine.DVE, Engine.POOL, Engine.ACTIVATION})
_QUEUES = frozenset({Engine.DMA, Engine.ACTIVATION, Engine.DVE, Engine.SP, Engine.POOL})


def _alu(default: AluOp | None = None) -> Attribute:
    return Attribute(Kind.ENUM, default and str(default), AluOp)


_FALSE = Attribute(Kind.BOOL, False)
_NEVER = Attribute(Kind.BOOL, False, fixed=True)
_NO_ACC = Attribute(Kind.ENUM, "Idle", enums.EngineAccumulation, fixed=True)
_ZERO = Attribute(Kind.INT, 0, fixed=True)
_DMA_KEYS = {
    "can_read_uninit": _FALSE,
    "dge_type": Attribute(Kind.ENUM, "None", enums.DgeType),
    "dma_qos": Attribute(Kind.STRING, "Unassigned"),
    "duplicate": _NEVER,
    "queue": Attribute(Kind.STRING, ""),
}


class Instruction(Bir.Operation):
    """What every instruction has; `opcode` and `schema` are set by the op classes."""

    access: ir.ArrayAttr
    engine: ir.StringAttr

    @property
    def ins(self) -> list[ir.Value]:
        """The tensors read."""
        return list(self.operands)[: len(self.attributes[ACCESS]) - len(self.schema.outs)]

    @property
    def outs(self) -> list[ir.Value]:
        """The tensors written."""
        end = len(self.attributes[ACCESS])
        return list(self.operands)[end - len(self.schema.outs) : end]

    def violation(self) -> str | None:
        from penguin.dialects.bir.verifier import violation

        return violation(self)

    def effects(self) -> Effects:
        end = len(self.attributes[ACCESS])
        ins = end - len(self.schema.outs)
        return Effects(range(ins), range(ins, end))


class Load(Instruction, name="Load"):
    """Copies from DRAM to SBUF.

    Semantics: out[i] = cast(in[i]), elements in pattern order; a cast goes through float32.
    Operands: ins = source in dram; outs = destination in sbuf.
    Constraints: (C17) equal element counts; (C18) spaces; (C4) on a compute engine's queue only
    with the descriptor generator that this engine can start.
    """

    source: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.LOAD
    schema = Schema(_QUEUES, ("source",), ("destination",), _DMA_KEYS)


class Save(Instruction, name="Save"):
    """Copies from SBUF to DRAM; otherwise as Load.

    Operands: ins = source in sbuf; outs = destination in dram.
    """

    source: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.SAVE
    schema = Schema(_QUEUES, ("source",), ("destination",), _DMA_KEYS)


class DMACopy(Instruction, name="DMACopy"):
    """Copies between any two places of DRAM and SBUF; otherwise as Load.

    Operands: ins = source; outs = destination.
    Constraints: (C18) neither side in psum (a guess: the documents show no such DMA).
    """

    source: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.DMA_COPY
    schema = Schema(
        _QUEUES,
        ("source",),
        ("destination",),
        {
            **_DMA_KEYS,
            "mode": Attribute(Kind.ENUM, names=enums.CopyMode),
            "oob_is_err": Attribute(Kind.BOOL, True, fixed=True),
            "transpose_op": Attribute(Kind.STRING, "None", fixed=True),
            "cce_op": Attribute(Kind.ENUM, "bypass", AluOp, fixed=True),
        },
    )


class GenericIndirectLoad(Instruction, name="GenericIndirectLoad"):
    """Copies rows from DRAM to SBUF, to each partition the one that its index names.

    Semantics: out[p, i...] = cast(in[offset + step_0 * index[p] + sum(step_j * i_j)]), with the
    steps of the input's pattern: an index takes the place of the partition's number. A cast goes
    through float32. An index that leads out of the source is an error.
    Operands: ins = source in dram, index [P, 1] in sbuf; outs = destination in sbuf.
    Constraints: (C17) equal element counts; (C18) spaces; (C24) uint32 index; (C25) one index per
    partition; (C30) a step to multiply the index with, as many indices as partitions.
    BIR lists the index among its `indirection_ins`, and counts pairs in `indirect_dims`. (A guess:
    that one index goes with one partition of the destination; that Pool generates the descriptors,
    as the documents say of gathers by DMA; that the pattern's offset and other pairs add to it.)
    """

    source: Operand[Any]
    index: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.GENERIC_INDIRECT_LOAD
    schema = Schema(
        _QUEUES,
        ("source", "index"),
        ("destination",),
        {
            **_DMA_KEYS,
            "dge_type": Attribute(Kind.ENUM, "SWDGE", enums.DgeType, always=True, fixed=True),
            "indirect_dims": Attribute(
                Kind.NAMES, ("W",), enums.IndirectDim, always=True, fixed=True
            ),
        },
        indirections=1,
    )


class Memset(Instruction, name="Memset"):
    """Fills with one value.

    Semantics: out[i] = constant, converted to the output dtype.
    Constraints: (C28) an integer constant only for an integer output, in the dtype's range.
    """

    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.MEMSET
    schema = Schema(
        _DVE_POOL,
        (),
        ("destination",),
        {
            "constant": Attribute(Kind.IMMEDIATE),
            "mode": Attribute(Kind.ENUM, names=enums.MemsetMode),
        },
    )


class TensorCopy(Instruction, name="TensorCopy"):
    """Copies on chip, with a cast if the dtypes differ (through float32).

    Semantics: out[i] = cast(in[i]); bit exact if the dtypes are equal.
    """

    source: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.TENSOR_COPY
    schema = Schema(_DVE_POOL_ACT, ("source",), ("destination",), {"can_read_uninit": _FALSE})


class TensorTensor(Instruction, name="TensorTensor"):
    """Element-wise operation on two tensors.

    Semantics: out[i] = in0[i] op in1[i].
    Constraints: (C19) not both inputs in psum; (C4) `pow` runs on Pool only; (C27) bitvec
    operators take integers.
    """

    data1: Operand[Any]
    data2: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.TENSOR_TENSOR
    schema = Schema(_DVE_POOL, ("data1", "data2"), ("destination",), {"op": _alu(), "acc": _NO_ACC})


class TensorScalar(Instruction, name="TensorScalar"):
    """Element-wise operation with one or two immediates.

    Semantics: out[i] = (in[i] op0 const0) op1 const1; reverse0/reverse1 swap the operands of their
    operator. Absent op1 is `bypass`.
    Constraints: (C26) both operators arithmetic or both bitvec; (C28) arithmetic immediates are
    float32 (integers also when all tensors are int32/uint32), bitvec ones integers; (C4) `rsqrt`
    on Pool only, `abs` on DVE only and not on trn1; on Activation only mult, add or both.
    """

    data: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.TENSOR_SCALAR
    schema = Schema(
        _DVE_POOL_ACT,
        ("data",),
        ("destination",),
        {
            "op0": _alu(),
            "const0": Attribute(Kind.IMMEDIATE, 0.0, always=True),
            "reverse0": _FALSE,
            "op1": _alu(AluOp.BYPASS),
            "const1": Attribute(Kind.IMMEDIATE, 0.0),
            "reverse1": _FALSE,
        },
    )


class TensorScalarPtr(Instruction, name="TensorScalarPtr"):
    """Element-wise operation with one or two per-partition scalars.

    Semantics: out[p, i] = (in[p, i] op0 scalar0[p]) op1 scalar1[p]; reverse flags as TensorScalar.
    Operands: ins = data, scalar0 [P, 1], optional scalar1 [P, 1].
    Constraints: (C25) scalars have one element per partition; (C26), (C27), (C4) as TensorScalar;
    scalar1 is there exactly when op1 takes an operand (C1).
    """

    data: Operand[Any]
    scalar0: Operand[Any]
    scalar1: Operand[Any] | None
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.TENSOR_SCALAR_PTR
    schema = Schema(
        _DVE_POOL_ACT,
        ("data", "scalar0", "scalar1"),
        ("destination",),
        {
            "op0": _alu(),
            "reverse0": _FALSE,
            "op1": _alu(AluOp.BYPASS),
            "reverse1": _FALSE,
            "acc": _NO_ACC,
            "apply_transpose": _NEVER,
            "is_scalar_tensor_tensor": _NEVER,
            "is_tensor_scalar_addr": _NEVER,
            "is_tensor_tensor_scan": _NEVER,
            "negate_second_output": _NEVER,
        },
        optional=1,
    )


class TensorReduce(Instruction, name="TensorReduce"):
    """Folds free axes (DVE) or the partition axis (Pool).

    Semantics: out = fold of op over the innermost pairs of the input pattern that `axis` names
    (X the last one, XY the last two...), or over the partitions (C); negated if `negate`.
    Constraints: (C29) axis C on Pool with add, average, max or bitwise operators, the others on DVE
    and with so many free pairs; the output has one element per fold, on one partition for C; (C27)
    bitvec operators take integers.
    """

    data: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.TENSOR_REDUCE
    schema = Schema(
        _DVE_POOL,
        ("data",),
        ("destination",),
        {
            "op": _alu(),
            "axis": Attribute(Kind.ENUM, names=enums.AxisList),
            "negate": _FALSE,
            "apply_transpose": _NEVER,
        },
    )


class Activation(Instruction, name="Activation"):
    """Applies a function of the Activation engine's tables.

    Semantics: out[p, i] = func(in[p, i] * scale + bias[p]); alpha parametrises Lrelu and the like.
    Operands: ins = data, optional bias [P, 1] of a float dtype.
    Constraints: (C25) bias has one element per partition; (C24) its dtype; (C28) float32 scale.
    """

    data: Operand[Any]
    bias: Operand[Any] | None
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.ACTIVATION
    schema = Schema(
        frozenset({Engine.ACTIVATION}),
        ("data", "bias"),
        ("destination",),
        {
            "func": Attribute(Kind.ENUM, names=enums.ActivationFunction),
            "scale": Attribute(Kind.FLOAT, 1.0, always=True),
            "alpha": Attribute(Kind.FLOAT, 0.0, always=True),
            "acc": _NO_ACC,
            "can_read_uninit": _FALSE,
            "is_activate2": _NEVER,
        },
        optional=1,
    )


class Reciprocal(Instruction, name="Reciprocal"):
    """Semantics: out[i] = 1 / in[i]."""

    data: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.RECIPROCAL
    schema = Schema(frozenset({Engine.DVE}), ("data",), ("destination",), {})


class Matmult(Instruction, name="Matmult"):
    """Multiplies on the PE array into PSUM.

    Semantics: out[m, n] (+)= sum over k of moving[k, n] * stationary[k, m], in float32.
    `accumulation_flag` lists positions into `axes`: the execution overwrites when every listed axis
    is at its first iteration and accumulates otherwise; an empty list overwrites always. (A guess:
    rolled loops need a start condition that depends on the iteration.)
    Operands: ins = moving [K, N], stationary [K, M]; outs = [M, N] in psum.
    Constraints: (C18) reads sbuf, writes psum; (C20) K, M and N; (C21) output dtype and bank;
    (C22) input dtypes; (C23) accumulation_flag.
    """

    moving: Operand[Any]
    stationary: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.MATMULT
    schema = Schema(
        frozenset({Engine.PE}),
        ("moving", "stationary"),
        ("destination",),
        {
            "accumulation_flag": Attribute(Kind.AXES, (), always=True),
            "perf_mode": Attribute(Kind.ENUM, "None", enums.PerfMode, fixed=True),
            "is_transpose": _NEVER,
            "is_fmap_onezero": _NEVER,
            "is_weight_onezero": _NEVER,
            "ifmap_quant_offset": _ZERO,
            "weights_quant_offset": _ZERO,
            "replication_resolution": _ZERO,
            "replication_shift_amnt": _ZERO,
            "replication_num_rows": _ZERO,
        },
    )


class Iota(Instruction, name="Iota"):
    """Writes an affine function of the indices.

    Semantics: out[p, i...] = base + p * channel_multiplier + sum(step_j * i_j), with the pairs of
    `pattern` over the free axes and p counted from the first partition written.
    Constraints: (C17) pattern covers the output's elements per partition; (C24) int32 output.
    """

    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.IOTA
    schema = Schema(
        frozenset({Engine.POOL}),
        (),
        ("destination",),
        {
            "base": Attribute(Kind.INT, 0),
            "pattern": Attribute(Kind.PAIRS),
            "channel_multiplier": Attribute(Kind.INT, 0),
        },
    )


class CopyPredicated(Instruction, name="CopyPredicated"):
    """Copies where a predicate is not zero and keeps the destination elsewhere.

    Semantics: out[i] = cast(data[i]) if predicate[i] != 0 (== 0 with `reverse_pred`) else out[i].
    Operands: ins = predicate (integer), data; outs = destination, which is also read.
    Constraints: (C24) integer predicate.
    """

    predicate: Operand[Any]
    data: Operand[Any]
    destination: Operand[Any]
    axes: Sequence[Operand[Any]]

    opcode = Opcode.COPY_PREDICATED
    schema = Schema(
        frozenset({Engine.DVE}),
        ("predicate", "data"),
        ("destination",),
        {"can_read_uninit": _FALSE, "reverse_pred": _FALSE},
    )

    def effects(self) -> Effects:
        return Effects((0, 1, 2), (2,))


BY_OPCODE: Mapping[Opcode, type[Instruction]] = MappingProxyType(
    {cls.opcode: cls for cls in Instruction.__subclasses__()}
)
SCHEMAS: Mapping[Opcode, Schema] = MappingProxyType(
    {opcode: cls.schema for opcode, cls in BY_OPCODE.items()}
)
