"""The inst level: NeuronCore instructions on tiles in DRAM, SBUF and PSUM.

* A tensor is a memref: in `"dram"` of any shape, in `"sbuf"` and `"psum"` a tile of partitions x
  free elements made by `memref.alloc` (or an argument, or a `memref.get_global`, in DRAM).
* An instruction (`bir.Load`, `bir.Matmult`, ...: `instructions.py`) names its tensors as operands
  and says with one `#bir.ap` each which elements it touches (`access_pattern.py`).
* `bir.loop` (`loops.py`) keeps loops rolled; offsets are linear in the loops' variables.
* The module attribute `bir.target` is `trn1`, `trn2` (default) or `trn3` (`target.py`); the
  verifier (`verifier.py`) holds every instruction to that target's documented limits.

Passes make instructions with `build` and `loop` (`builder.py`).
"""

from penguin.dialects.bir.access_pattern import AccessPattern, AccessPatternAttr, decode, encode
from penguin.dialects.bir.builder import build, from_attribute, loop, to_attribute
from penguin.dialects.bir.dialect import Bir
from penguin.dialects.bir.enums import (
    ActivationFunction,
    AluOp,
    AxisList,
    DgeType,
    Engine,
    EngineAccumulation,
    Opcode,
    Space,
    TensorKind,
)
from penguin.dialects.bir.instructions import (
    ACCESS,
    ADDRESS,
    BANK,
    BASE,
    BY_OPCODE,
    ENGINE,
    SCHEMAS,
    SEGMENTS,
    Activation,
    CopyPredicated,
    DMACopy,
    GenericIndirectLoad,
    Instruction,
    Iota,
    Load,
    Matmult,
    Memset,
    Reciprocal,
    Save,
    TensorCopy,
    TensorReduce,
    TensorScalar,
    TensorScalarPtr,
    TensorTensor,
)
from penguin.dialects.bir.loops import LoopOp, Range
from penguin.dialects.bir.target import DEFAULT_TARGET, PREFIX, TARGET, TARGETS, Target

__all__ = [
    "ACCESS",
    "ADDRESS",
    "BANK",
    "BASE",
    "BY_OPCODE",
    "DEFAULT_TARGET",
    "ENGINE",
    "PREFIX",
    "SCHEMAS",
    "SEGMENTS",
    "TARGET",
    "TARGETS",
    "AccessPattern",
    "AccessPatternAttr",
    "Activation",
    "ActivationFunction",
    "AluOp",
    "AxisList",
    "Bir",
    "CopyPredicated",
    "DMACopy",
    "DgeType",
    "Engine",
    "EngineAccumulation",
    "GenericIndirectLoad",
    "Instruction",
    "Iota",
    "Load",
    "LoopOp",
    "Matmult",
    "Memset",
    "Opcode",
    "Range",
    "Reciprocal",
    "Save",
    "Space",
    "Target",
    "TensorCopy",
    "TensorKind",
    "TensorReduce",
    "TensorScalar",
    "TensorScalarPtr",
    "TensorTensor",
    "build",
    "decode",
    "encode",
    "from_attribute",
    "loop",
    "to_attribute",
]
