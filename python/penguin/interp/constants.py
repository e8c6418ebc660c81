"""Dense attributes as numpy arrays, also where the bindings have no conversion.

The bindings convert no bfloat16 elements and no resources: both are read from the attribute's
text, in which anything large is a hexadecimal string.
"""

import math
import re

import numpy as np

from penguin import dtypes
from penguin.errors import UserError
from penguin.mlir import ir

# What a resource's hexadecimal string starts with: its alignment, as a 32-bit number.
_ALIGNMENT_DIGITS = 8
_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|[-+]?[0-9][-+.0-9Ee]*")


def elements(attribute: ir.Attribute) -> np.ndarray:
    """The elements of a dense or dense_resource attribute of a penguin dtype."""
    type_ = attribute.type
    dtype = dtypes.of(type_.element_type)
    assert dtype is not None, f"no penguin dtype: {type_}"
    shape = tuple(type_.shape)
    if not isinstance(attribute, ir.DenseElementsAttr):
        raw = bytes.fromhex(_resource(attribute)[_ALIGNMENT_DIGITS:])
        expected = math.prod(shape) * dtype.itemsize
        if len(raw) != expected:
            message = f"{attribute} has {len(raw)} bytes of data, expected {expected}"
            raise UserError.at("PGR223", message)
        return np.frombuffer(raw, dtype.numpy).reshape(shape)
    if attribute.is_splat:
        value = attribute.get_splat_value().value
        return np.full(shape, np.array(value).astype(dtype.numpy))
    if dtype.mlir != "bf16":
        return np.array(attribute).astype(dtype.numpy, copy=False).reshape(shape)
    return _from_text(str(attribute), dtype).reshape(shape)


def _from_text(text: str, dtype: dtypes.DType) -> np.ndarray:
    body = text[len("dense<") : text.rindex(">")].rsplit("> :", 1)[0]
    if body.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(body[3:-1]), dtype.numpy)
    words = _NUMBER.findall(body)
    bits = np.array([int(w, 16) if w.startswith("0x") else 0 for w in words], np.uint16)
    values = np.array([0.0 if w.startswith("0x") else float(w) for w in words], np.float32)
    hexadecimal = np.array([w.startswith("0x") for w in words])
    return np.where(hexadecimal, bits.view(dtype.numpy), values.astype(dtype.numpy))


def _resource(attribute: ir.Attribute) -> str:
    """The hexadecimal digits of a resource, from the text of a module that only refers to it."""
    with attribute.context, ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["penguin.resource"] = attribute
        text = module.operation.get_asm()
    found = re.search(r'"0x([0-9A-Fa-f]*)"', text)
    if found is None:
        raise UserError.at("PGR223", f"the data of {attribute} is not in the module")
    return found[1]
