"""The tensor level: `Penguin`, the ext dialect, and its op classes.

Importing this module defines every op, hence `Penguin.load()` knows them all.
"""

from penguin.dialects.penguin.dialect import Penguin, TensorOp
from penguin.dialects.penguin.fusion_op import FusionOp
from penguin.dialects.penguin.offloaded import (
    OFFLOADED,
    BitcastOp,
    BroadcastOp,
    ConcatOp,
    MemcastOp,
    MemcpyOp,
    MemsetOp,
    SliceOp,
    TransposeOp,
)
from penguin.dialects.penguin.tensor_ops import (
    BinaryOp,
    GatherOp,
    IotaOp,
    PadOp,
    ReduceOp,
    ReverseOp,
    SelectOp,
    TensorContractOp,
    TernaryOp,
    UnaryOp,
)

__all__ = [
    "OFFLOADED",
    "BinaryOp",
    "BitcastOp",
    "BroadcastOp",
    "ConcatOp",
    "FusionOp",
    "GatherOp",
    "IotaOp",
    "MemcastOp",
    "MemcpyOp",
    "MemsetOp",
    "PadOp",
    "Penguin",
    "ReduceOp",
    "ReverseOp",
    "SelectOp",
    "SliceOp",
    "TensorContractOp",
    "TensorOp",
    "TernaryOp",
    "TransposeOp",
    "UnaryOp",
]
