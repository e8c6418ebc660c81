"""The closed vocabularies of BIR: opcodes, engines, memory spaces and operator names.

Every member's value is the name that BIR JSON, BIR text and the MLIR attributes spell. Names:
NEURON.md section 4 (opcodes), section 2 (engines) and section 5 (operators), which quote the public
KLR schema. Members that no instruction of `instructions.py` can take are left out.
"""

import enum

# One of the vocabularies, though the tensor level has it, too.
from penguin.dialects.memory import Space as Space


class Opcode(enum.StrEnum):
    """The BIR opcodes that penguin emits, reads and simulates."""

    LOAD = "Load"
    SAVE = "Save"
    DMA_COPY = "DMACopy"
    MEMSET = "Memset"
    TENSOR_COPY = "TensorCopy"
    TENSOR_TENSOR = "TensorTensor"
    TENSOR_SCALAR = "TensorScalar"
    TENSOR_SCALAR_PTR = "TensorScalarPtr"
    TENSOR_REDUCE = "TensorReduce"
    ACTIVATION = "Activation"
    RECIPROCAL = "Reciprocal"
    MATMULT = "Matmult"
    IOTA = "Iota"
    COPY_PREDICATED = "CopyPredicated"
    GENERIC_INDIRECT_LOAD = "GenericIndirectLoad"


class Engine(enum.StrEnum):
    """Engines of a core, in the order of the BIR ordinals 1 to 6."""

    POOL = "Pool"
    ACTIVATION = "Activation"
    PE = "PE"
    DMA = "DMA"
    DVE = "DVE"
    SP = "SP"


class TensorKind(enum.StrEnum):
    """What a DRAM tensor is to its function; on-chip tiles are `INTERNAL`."""

    INPUT = "ExternalInput"
    OUTPUT = "ExternalOutput"
    CONST = "Const"
    INTERNAL = "Internal"


class AluOp(enum.StrEnum):
    """AluOpType, in ordinal order."""

    BYPASS = "bypass"
    BITWISE_NOT = "bitwise_not"
    ARITH_SHIFT_LEFT = "arith_shift_left"
    ARITH_SHIFT_RIGHT = "arith_shift_right"
    ADD = "add"
    SUBTRACT = "subtract"
    MULT = "mult"
    DIVIDE = "divide"
    MAX = "max"
    MIN = "min"
    BITWISE_AND = "bitwise_and"
    BITWISE_OR = "bitwise_or"
    BITWISE_XOR = "bitwise_xor"
    LOGICAL_AND = "logical_and"
    LOGICAL_OR = "logical_or"
    LOGICAL_XOR = "logical_xor"
    LOGICAL_SHIFT_LEFT = "logical_shift_left"
    LOGICAL_SHIFT_RIGHT = "logical_shift_right"
    IS_EQUAL = "is_equal"
    NOT_EQUAL = "not_equal"
    IS_GT = "is_gt"
    IS_GE = "is_ge"
    IS_LT = "is_lt"
    IS_LE = "is_le"
    AVERAGE = "average"
    ELEMWISE_MUL = "elemwise_mul"
    POW = "pow"
    MOD = "mod"
    RSQRT = "rsqrt"
    ABS = "abs"
    ABS_MAX = "abs_max"
    ABS_MIN = "abs_min"
    MOD_INT = "mod_int"


# The bitvec half of the ALU acts on bits; an instruction is all bitvec or all arithmetic, and
# `bypass` goes with both (NEURON.md 4.3).
BITVEC_OPS = frozenset(
    {
        AluOp.BITWISE_NOT,
        AluOp.ARITH_SHIFT_LEFT,
        AluOp.ARITH_SHIFT_RIGHT,
        AluOp.BITWISE_AND,
        AluOp.BITWISE_OR,
        AluOp.BITWISE_XOR,
        AluOp.LOGICAL_SHIFT_LEFT,
        AluOp.LOGICAL_SHIFT_RIGHT,
    }
)
# Operators that ignore their second operand.
UNARY_OPS = frozenset({AluOp.BYPASS, AluOp.BITWISE_NOT, AluOp.RSQRT, AluOp.ABS})


class ActivationFunction(enum.StrEnum):
    """ActivationFunctionType, in ordinal order, without `Unknown`."""

    IDENTITY = "Identity"
    SQUARE = "Square"
    RELU = "Relu"
    LRELU = "Lrelu"
    PRELU = "Prelu"
    SIGMOID = "Sigmoid"
    TANH = "Tanh"
    EXP = "Exp"
    SOFTPLUS = "Softplus"
    SQRT = "Sqrt"
    RSQRT = "Rsqrt"
    LN = "Ln"
    ERF = "Erf"
    SIN = "Sin"
    ARCTAN = "Arctan"
    SIGN = "Sign"
    GELU = "Gelu"
    MISH = "Mish"
    GELU_APPRX_TANH = "Gelu_apprx_tanh"
    GELU_APPRX_SIGMOID = "Gelu_apprx_sigmoid"
    DERIVATIVE_GELU_APPRX_SIGMOID = "Derivative_Gelu_apprx_sigmoid"
    DERIVATIVE_GELU = "Derivative_Gelu"
    DERIVATIVE_ERF = "Derivative_Erf"
    COPY = "Copy"
    ABS = "Abs"
    RECIPROCAL = "Reciprocal"
    ABS_RECIPROCAL_SQRT = "Abs_reciprocal_sqrt"
    SILU = "Silu"
    DERIVATIVE_SILU = "Derivative_silu"
    IS_FINITE = "Is_finite"


class AxisList(enum.StrEnum):
    """AxisListType: which dimensions a TensorReduce folds, X the innermost, C the partitions."""

    X = "X"
    XY = "XY"
    XYZ = "XYZ"
    XYZW = "XYZW"
    C = "C"

    @property
    def pairs(self) -> int:
        """How many innermost pattern pairs are folded; 0 for the partition axis."""
        return 0 if self is AxisList.C else len(self.value)


class EngineAccumulation(enum.StrEnum):
    """EngineAccumulationType; penguin's instructions are all `Idle`."""

    IDLE = "Idle"
    ZERO = "Zero"
    ACCUMULATE = "Accumulate"
    ZERO_ACCUMULATE = "ZeroAccumulate"
    ADD_ACCUMULATE = "AddAccumulate"
    LOAD_ACCUMULATE = "LoadAccumulate"


class MemsetMode(enum.StrEnum):
    """How Memset makes its values; random fills are not emitted."""

    CONST = "Const"


class CopyMode(enum.StrEnum):
    """What a DMACopy does on the way; only the plain copy is emitted."""

    COPY = "Copy"


class DgeType(enum.StrEnum):
    """Who generates a DMA's descriptors: nobody (static), software on POOL, or hardware."""

    NONE = "None"
    SWDGE = "SWDGE"
    HWDGE = "HWDGE"


class IndirectDim(enum.StrEnum):
    """Which pair of a pattern is counted by an index tensor; only the first one, the partitions."""

    W = "W"


class PerfMode(enum.StrEnum):
    """MatmultPerfMode; the double modes take fp8, which penguin has not got."""

    NONE = "None"
