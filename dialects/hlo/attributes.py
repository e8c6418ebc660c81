"""Names of attributes, kinds and symbols of HLO modules that penguin reads or writes.

The names of fusions and composites are those of source document 002.
"""

import enum


class Kind(enum.StrEnum):
    """The seven kinds of fusions, in the order in which NCC_PYP053 lists them."""

    SCHEDULE_FUSION = "ScheduleFusion"
    MUL_RED_SQRT = "MulRedSqrt"
    DOT_LOGISTIC = "DotLogistic"
    ELEMENTWISE = "Elementwise"
    EXPM1 = "Expm1"
    LOG1P = "Log1p"
    DOT_SOFTMAX = "DotSoftmax"


FUSION_KIND = "FusionKind"
"""Of an `mhlo.fusion`: its `Kind`."""

COMPOSITE_KIND = "CompositeKind"
"""Of a `stablehlo.composite` that penguin made: its `Kind`. The composite's name says nothing."""

NO_KIND = "FusedComposite"
"""The `CompositeKind` of a fusion without a `FusionKind`; no consumer knows it."""

COMPOSITE_NAME = "composite.Fused"
"""The name of every composite that penguin makes."""

GEN_COMPOSITE = "genComposite"
"""Of a function: it is the decomposition of such a composite, and no pass fuses inside it."""

NO_DELETE = "noDelete"
"""Of a function: it must survive the removal of dead symbols."""

RESULT_ACCURACY = "result_accuracy"
"""Of a transcendental op: how exact its result must be."""

ALIASING_OUTPUT = "tf.aliasing_output"
"""Of an argument whose buffer JAX offers: the number of the result that is to have it."""

BUFFER_DONOR = "jax.buffer_donor"
"""Of an argument whose buffer JAX offers for any result."""
