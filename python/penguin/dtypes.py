"""Element types: MLIR type, numpy dtype, BIR dtype name, and the tolerance each is held to.

The one table that every level, executor and comparison reads. `i1` is one byte holding 0 or 1 in
memory (`uint8` in BIR); signless integers are signed, `ui8`... unsigned. BIR names: NEURON.md
section 5 (public KLR schema).
"""

from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class DType:
    """`mlir` is the type's text; `tolerance` is relative to the output's largest magnitude."""

    mlir: str
    numpy: np.dtype
    bir: str
    tolerance: float

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize

    @property
    def is_float(self) -> bool:
        return self.tolerance > 0


TABLE: tuple[DType, ...] = (
    DType("f32", np.dtype(np.float32), "float32", 1e-4),
    DType("bf16", np.dtype(ml_dtypes.bfloat16), "bfloat16", 2e-2),
    DType("f16", np.dtype(np.float16), "float16", 2e-2),
    DType("i1", np.dtype(np.bool_), "uint8", 0.0),
    DType("i8", np.dtype(np.int8), "int8", 0.0),
    DType("i16", np.dtype(np.int16), "int16", 0.0),
    DType("i32", np.dtype(np.int32), "int32", 0.0),
    DType("ui8", np.dtype(np.uint8), "uint8", 0.0),
    DType("ui16", np.dtype(np.uint16), "uint16", 0.0),
    DType("ui32", np.dtype(np.uint32), "uint32", 0.0),
)

BY_MLIR: dict[str, DType] = {t.mlir: t for t in TABLE}
BY_NUMPY: dict[np.dtype, DType] = {t.numpy: t for t in TABLE}
# `i1` shares its BIR name with `ui8`, which is the one to come back.
BY_BIR: dict[str, DType] = {t.bir: t for t in TABLE if t.mlir != "i1"}


def of(mlir_type: object) -> DType | None:
    """The entry for an MLIR element type (or its text); None if penguin has no such dtype."""
    return BY_MLIR.get(str(mlir_type))


@dataclass(frozen=True)
class Comparison:
    """Largest errors of one output against its oracle; `ok` is by the tolerance table."""

    max_abs: float
    max_rel: float
    tolerance: float
    ok: bool


def compare(actual: np.ndarray, expected: np.ndarray) -> Comparison:
    """Compares two arrays of one shape and dtype; NaN equals NaN, infinities must agree.

    `max_rel` is the largest absolute error over the largest finite magnitude of `expected`.
    """
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        raise ValueError(
            f"cannot compare {actual.dtype}{list(actual.shape)} "
            f"with {expected.dtype}{list(expected.shape)}"
        )
    entry = BY_NUMPY[expected.dtype]
    if not entry.is_float:
        diff = np.abs(actual.astype(np.int64) - expected.astype(np.int64))
        worst = float(diff.max(initial=0))
        scale = float(np.abs(expected.astype(np.int64)).max(initial=0))
        return Comparison(worst, worst / scale if scale else worst, 0.0, worst == 0)
    a, e = actual.astype(np.float32), expected.astype(np.float32)
    finite = np.isfinite(a) & np.isfinite(e)
    with np.errstate(invalid="ignore"):
        same = (a == e) | (np.isnan(a) & np.isnan(e))
        diff = np.where(finite, np.abs(a.astype(np.float64) - e), 0.0)
    worst = float(diff.max(initial=0.0))
    scale = float(np.abs(e[np.isfinite(e)]).max(initial=0.0))
    relative = worst / scale if scale else worst
    specials_agree = bool((finite | same).all())
    ok = specials_agree and relative <= entry.tolerance
    return Comparison(worst if specials_agree else np.inf, relative, entry.tolerance, ok)
