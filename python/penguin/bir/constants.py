"""Constant tensors between MLIR elements attributes and numpy.

The bindings give numpy views of dense attributes, but not for bfloat16, and of resources only in
printed form; both are read from their text here.
"""

import math
import re

import numpy as np

from penguin import dtypes
from penguin.mlir import ir

_BLOB = re.compile(r'"0x([0-9A-Fa-f]*)"')


def to_numpy(attribute: ir.Attribute, shape: tuple[int, ...], dtype: dtypes.DType) -> np.ndarray:
    """The elements of a dense or resource attribute; `i1` becomes bool.

    Raises `ValueError` for any other attribute.
    """
    if isinstance(attribute, ir.DenseElementsAttr):
        return _dense(attribute, shape, dtype)
    data = _resource_bytes(ir.DenseResourceElementsAttr(attribute))
    expected = math.prod(shape) * dtype.itemsize
    if len(data) != expected:
        raise ValueError(f"has {len(data)} bytes of data, expected {expected}")
    return np.frombuffer(data, dtype.numpy).reshape(shape)


def from_numpy(array: np.ndarray, element: ir.Type) -> ir.Attribute:
    """A dense attribute of tensor type with `array`'s elements."""
    type_ = ir.RankedTensorType.get(array.shape, element)
    array = np.ascontiguousarray(array)
    if dtypes.BY_NUMPY[array.dtype].mlir == "bf16":
        array = array.view(np.int16)
    return ir.DenseElementsAttr.get(array, type=type_)


def _dense(
    attribute: ir.DenseElementsAttr, shape: tuple[int, ...], dtype: dtypes.DType
) -> np.ndarray:
    if dtype.mlir != "bf16":
        return np.array(attribute).reshape(shape).astype(dtype.numpy, copy=False)
    if attribute.is_splat:
        value = str(attribute.get_splat_value()).partition(" :")[0]
        return np.full(shape, _bf16_bits(value, dtype), np.uint16).view(dtype.numpy)
    text = str(attribute)
    blob = _BLOB.search(text)
    if blob is not None:
        return np.frombuffer(bytes.fromhex(blob[1]), dtype.numpy).reshape(shape)
    values = re.findall(r"0x[0-9A-Fa-f]+|[-+.\w]+", text[: text.rindex(" : ")])[1:]
    bits = np.array([_bf16_bits(v, dtype) for v in values], np.uint16)
    return bits.view(dtype.numpy).reshape(shape)


def _bf16_bits(text: str, dtype: dtypes.DType) -> int:
    if text.startswith("0x"):
        return int(text, 16)
    return int(np.array(float(text)).astype(dtype.numpy).view(np.uint16))


def _resource_bytes(attribute: ir.Attribute) -> bytes:
    """Prints a module that holds nothing else, because only modules print their resources."""
    module = ir.Module.create(ir.Location.unknown(attribute.context))
    module.operation.attributes["bir.value"] = attribute
    found = re.search(r'"0x[0-9A-Fa-f]{8}([0-9A-Fa-f]*)"', str(module))
    if found is None:
        raise ValueError("has no data")
    return bytes.fromhex(found[1])
