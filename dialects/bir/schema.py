"""The shape of an instruction: engines, operands and attributes of an opcode, as data.

Each op class of `instructions.py` carries one `Schema`. The verifier, the interchange formats
(`penguin.bir`) and the documentation read it, so that a key, a default or an engine is said once.

Attribute keys and defaults are those of BIR JSON (NEURON.md 7.5). A default is left out of MLIR
attributes and of both interchange formats, unless `always` is set; the model has no entry for it.
"""

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from penguin.dialects.bir.enums import Engine


class Kind(enum.Enum):
    """What an attribute's value is; the text says it in messages."""

    ENUM = "a name"
    BOOL = "a boolean"
    INT = "an integer"
    FLOAT = "a float32"
    IMMEDIATE = "a float32 or an integer"
    STRING = "a string"
    PAIRS = "a list of [step, num] pairs"
    AXES = "a list of positions into the axes"
    NAMES = "a list of names"


REQUIRED: Any = None


@dataclass(frozen=True)
class Attribute:
    """One attribute key; `default` is `REQUIRED` (None) if the key has to be there.

    A `fixed` key is BIR's, but penguin knows no other value of it than the default.
    """

    kind: Kind
    default: Any = REQUIRED
    names: type[enum.StrEnum] | None = None
    always: bool = False
    fixed: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether a Python value is of this kind (and, for a name, in the enum)."""
        if self.fixed:
            return self.is_default(value)
        match self.kind:
            case Kind.ENUM:
                assert self.names is not None, "a name needs its enum"
                return isinstance(value, str) and value in self.names._value2member_map_
            case Kind.BOOL:
                return isinstance(value, bool)
            case Kind.INT:
                return isinstance(value, int) and not isinstance(value, bool)
            case Kind.FLOAT:
                return isinstance(value, float)
            case Kind.IMMEDIATE:
                return isinstance(value, int | float) and not isinstance(value, bool)
            case Kind.STRING:
                return isinstance(value, str)
            case Kind.PAIRS:
                return _is_pairs(value)
            case Kind.AXES:
                return isinstance(value, tuple | list)
            case Kind.NAMES:
                assert self.names is not None, "names need their enum"
                known = self.names._value2member_map_
                return isinstance(value, tuple | list) and all(name in known for name in value)

    @property
    def expected(self) -> str:
        """What a message says that it expected."""
        if self.fixed:
            return f"{self.default!r}: nothing else is supported"
        if self.names is None:
            return self.kind.value
        return f"one of {' '.join(self.names)}"

    def is_default(self, value: Any) -> bool:
        """Whether `value` may be left out; -0.0 is not 0.0."""
        return (
            self.default is not REQUIRED
            and type(value) is type(self.default)
            and value == self.default
            and not (value == 0 and isinstance(value, float) and math.copysign(1, value) < 0)
        )


def _is_pairs(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(
        isinstance(pair, tuple | list) and len(pair) == 2 and all(type(n) is int for n in pair)
        for pair in value
    )


@dataclass(frozen=True)
class Schema:
    """Operand roles (the last `optional` inputs may be missing), legal engines, attributes.

    The last `indirections` inputs are index tensors, which BIR lists apart.
    """

    engines: frozenset[Engine]
    ins: tuple[str, ...]
    outs: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    optional: int = 0
    indirections: int = 0

    @property
    def is_dma(self) -> bool:
        """Whether the DMA engines move the data, whoever starts them."""
        return Engine.DMA in self.engines
