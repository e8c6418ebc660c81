"""Copy elimination on buffers: offloaded ops between affine nests. A table only."""

PASSES: dict[str, str] = {
    "broadcast-op-elimination": "broadcast_op_elimination:BroadcastOpElimination",
    "cast-op-elimination": "cast_op_elimination:CastOpElimination",
    "concat-op-elimination": "concat_op_elimination:ConcatOpElimination",
    "memcpy-elimination": "memcpy_elimination:MemcpyElimination",
    "pad-elimination": "pad_elimination:PadElimination",
    "reshape-op-elimination": "reshape_op_elimination:ReshapeOpElimination",
    "slice-op-elimination": "slice_op_elimination:SliceOpElimination",
    "transpose-op-elimination": "transpose_op_elimination:TransposeOpElimination",
}
