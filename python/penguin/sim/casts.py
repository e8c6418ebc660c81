"""Widening to f32 and rounding on write: the one place where a dtype changes.

Sources: PASSES.md 2.7 (every cast goes through f32, round to nearest even, float to integer clamps,
NaN gives the largest value, a negative NaN the smallest, which is 0 for unsigned), NEURON.md 10
(same-dtype copies are bit exact; DMA casts via f32).
"""

from collections.abc import Callable

import ml_dtypes
import numpy as np

F32 = np.dtype(np.float32)
F16 = np.dtype(np.float16)
BF16 = np.dtype(ml_dtypes.bfloat16)
BOOL = np.dtype(np.bool_)
I64 = np.dtype(np.int64)

# Writes an array into a view of another dtype.
Writer = Callable[[np.ndarray, np.ndarray], None]


def is_integer(dtype: np.dtype) -> bool:
    return dtype.kind in "iu"


def is_word(dtype: np.dtype) -> bool:
    """The dtypes of the integer datapath: int32 and uint32."""
    return dtype.kind in "iu" and dtype.itemsize == 4


def bits(dtype: np.dtype) -> np.dtype:
    """The unsigned integer of the same width: what a bit-exact copy moves."""
    return np.dtype(f"u{dtype.itemsize}")


def plain(dst: np.ndarray, src: np.ndarray) -> None:
    np.copyto(dst, src, casting="unsafe")


def _to_small_integer(low: float, high: float) -> Writer:
    """For widths whose limits f32 holds exactly."""

    def write(dst: np.ndarray, src: np.ndarray) -> None:
        rounded = np.rint(src)
        np.fmin(rounded, np.float32(high), out=rounded)
        np.fmax(rounded, np.float32(low), out=rounded)
        nan = np.isnan(src)
        if nan.any():
            rounded[nan & np.signbit(src)] = low
        np.copyto(dst, rounded, casting="unsafe")

    return write


def _to_word(low: int, high: int) -> Writer:
    def write(dst: np.ndarray, src: np.ndarray) -> None:
        rounded = np.rint(src).astype(np.float64)
        np.fmin(rounded, float(high), out=rounded)
        np.fmax(rounded, float(low), out=rounded)
        nan = np.isnan(src)
        if nan.any():
            rounded[nan & np.signbit(src)] = low
        np.copyto(dst, rounded.astype(np.int64), casting="unsafe")

    return write


def narrow(dtype: np.dtype) -> Writer:
    """Writes f32 values into a view of `dtype`."""
    if not is_integer(dtype):
        return plain
    info = np.iinfo(dtype)
    make = _to_word if dtype.itemsize == 4 else _to_small_integer
    return make(info.min, info.max)


def saturate(dtype: np.dtype) -> Writer:
    """Writes int64 (or uint64) values of the integer datapath into a view of `dtype`."""
    if not is_integer(dtype):
        return plain
    info = np.iinfo(dtype)

    def write(dst: np.ndarray, src: np.ndarray) -> None:
        if src.dtype.kind == "u":
            np.copyto(dst, np.minimum(src, np.uint64(info.max)), casting="unsafe")
            return
        np.copyto(dst, np.clip(src, info.min, info.max), casting="unsafe")

    return write


def constant(value: float | int, dtype: np.dtype) -> np.ndarray:
    """An immediate as a 0-d array of `dtype`, by the rules of a write."""
    out = np.zeros((), dtype)
    if is_integer(dtype) and float(value).is_integer():
        info = np.iinfo(dtype)
        out[()] = min(max(int(value), info.min), info.max)
        return out
    narrow(dtype)(out, np.asarray(value, np.float32))
    return out
