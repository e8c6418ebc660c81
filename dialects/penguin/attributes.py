"""Names of the tensor and loop levels: attribute keys, closed sets of values, and dtype kinds.

The only place where these strings are written down.
"""

from enum import StrEnum

from penguin.dtypes import DType

# What the names of the ops start with.
PREFIX = "penguin."

# Attributes of functions, arguments, tensors and loops.
KERNEL = "penguin.kernel"
IO = "penguin.io"
NAME = "penguin.name"
AXIS = "penguin.axis"
# Of an output argument: the number of the input argument whose buffer it is. Writing it overwrites
# the input.
ALIAS = "penguin.alias"
# Of a `memref.alloc`: the name of a tensor of the function whose buffer it is.
MUST_ALIAS = "penguin.must_alias"

# On an output argument: the number of the input whose buffer it is.
ALIAS = "penguin.alias"
# On an allocation: it is computed again on purpose, to live shorter.
REMAT = "penguin.remat"
# On an allocation: it stays in DRAM.
NON_LOCAL = "penguin.non_local"
# On an op of a kernel's body: nothing moves across it.
BARRIER = "penguin.barrier"

# Attributes of ops.
FUNCTION = "function"
# Of a transpose: the shape under which its source is permuted.
SRC_SHAPE = "src_shape"


class IoKind(StrEnum):
    """Values of `IO` on the arguments of a kernel."""

    INPUT = "input"
    OUTPUT = "output"


class AxisKind(StrEnum):
    """Values of `AXIS` on the loops of a tiled nest."""

    PARTITION = "partition"
    FREE = "free"
    CONTRACT = "contract"
    # The outermost loop of a nest that has to run in order.
    SEQUENTIAL = "sequential"


class AccessKind(StrEnum):
    """How `penguin.slice` addresses its source: per dimension, or as one flat dimension."""

    NDIM = "ndim"
    FLATTENED = "flattened"


class Kind(StrEnum):
    """Families of dtypes that functions are defined on."""

    FLOAT = "float"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    BOOLEAN = "i1"


FLOATS = frozenset({Kind.FLOAT})
INTEGERS = frozenset({Kind.SIGNED, Kind.UNSIGNED})
BITS = INTEGERS | {Kind.BOOLEAN}
NUMBERS = FLOATS | INTEGERS
ANY = FLOATS | BITS


def kind_of(dtype: DType) -> Kind:
    """The family of a dtype."""
    return _KINDS[dtype.mlir]


def _kind(mlir: str) -> Kind:
    if mlir == "i1":
        return Kind.BOOLEAN
    return {"f": Kind.FLOAT, "b": Kind.FLOAT, "i": Kind.SIGNED, "u": Kind.UNSIGNED}[mlir[0]]


class Unary(StrEnum):
    """Functions of `penguin.unary`, named like the StableHLO ops."""

    ABS = "abs"
    CBRT = "cbrt"
    CEIL = "ceil"
    COSINE = "cosine"
    COUNT_LEADING_ZEROS = "count_leading_zeros"
    EXPONENTIAL = "exponential"
    EXPONENTIAL_MINUS_ONE = "exponential_minus_one"
    FLOOR = "floor"
    IS_FINITE = "is_finite"
    LOG = "log"
    LOG_PLUS_ONE = "log_plus_one"
    LOGISTIC = "logistic"
    NEGATE = "negate"
    NOT = "not"
    POPCNT = "popcnt"
    ROUND_NEAREST_AFZ = "round_nearest_afz"
    ROUND_NEAREST_EVEN = "round_nearest_even"
    RSQRT = "rsqrt"
    SIGN = "sign"
    SINE = "sine"
    SQRT = "sqrt"
    TAN = "tan"
    TANH = "tanh"


class Binary(StrEnum):
    """Functions of `penguin.binary`; comparisons carry their direction in the name."""

    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    POWER = "power"
    REMAINDER = "remainder"
    ATAN2 = "atan2"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SHIFT_LEFT = "shift_left"
    SHIFT_RIGHT_ARITHMETIC = "shift_right_arithmetic"
    SHIFT_RIGHT_LOGICAL = "shift_right_logical"
    COMPARE_EQ = "compare_eq"
    COMPARE_NE = "compare_ne"
    COMPARE_LT = "compare_lt"
    COMPARE_LE = "compare_le"
    COMPARE_GT = "compare_gt"
    COMPARE_GE = "compare_ge"

    @property
    def is_comparison(self) -> bool:
        return self in COMPARISONS


class Ternary(StrEnum):
    """Functions of `penguin.ternary`: clamp(min, x, max)."""

    CLAMP = "clamp"


class Reduction(StrEnum):
    """Functions of `penguin.reduce`: associative and commutative."""

    ADD = "add"
    MULTIPLY = "multiply"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    AND = "and"
    OR = "or"


class FusionKind(StrEnum):
    """What is in a `penguin.fusion`: the heaviest of its ops."""

    ELEMENT_WISE = "ElementWiseFusionOp"
    REDUCE = "ReduceFusionOp"
    TENSOR_CONTRACT = "TensorContractFusionOp"


class FusionLabel(StrEnum):
    """The names under which a `penguin.fusion` is printed."""

    ELEMENTWISE = "Elementwise"
    MUL_RED_SQRT = "MulRedSqrt"
    DOT_FUSION = "DotFusion"
    DOT_SOFTMAX = "DotSoftmax"


COMPARISONS = frozenset(
    {
        Binary.COMPARE_EQ,
        Binary.COMPARE_NE,
        Binary.COMPARE_LT,
        Binary.COMPARE_LE,
        Binary.COMPARE_GT,
        Binary.COMPARE_GE,
    }
)

# Which dtypes a function takes: StableHLO's rules, complex types aside.
UNARY_KINDS: dict[Unary, frozenset[Kind]] = dict.fromkeys(Unary, FLOATS) | {
    Unary.ABS: FLOATS | {Kind.SIGNED},
    Unary.COUNT_LEADING_ZEROS: INTEGERS,
    Unary.NEGATE: NUMBERS,
    Unary.NOT: BITS,
    Unary.POPCNT: INTEGERS,
    Unary.SIGN: FLOATS | {Kind.SIGNED},
}
BINARY_KINDS: dict[Binary, frozenset[Kind]] = dict.fromkeys(Binary, ANY) | {
    Binary.SUBTRACT: NUMBERS,
    Binary.DIVIDE: NUMBERS,
    Binary.POWER: NUMBERS,
    Binary.REMAINDER: NUMBERS,
    Binary.ATAN2: FLOATS,
    Binary.AND: BITS,
    Binary.OR: BITS,
    Binary.XOR: BITS,
    Binary.SHIFT_LEFT: INTEGERS,
    Binary.SHIFT_RIGHT_ARITHMETIC: INTEGERS,
    Binary.SHIFT_RIGHT_LOGICAL: INTEGERS,
}
REDUCTION_KINDS: dict[Reduction, frozenset[Kind]] = dict.fromkeys(Reduction, ANY) | {
    Reduction.AND: BITS,
    Reduction.OR: BITS,
}

_KINDS = {
    name: _kind(name)
    for name in ("f32", "bf16", "f16", "i1", "i8", "i16", "i32", "ui8", "ui16", "ui32")
}
