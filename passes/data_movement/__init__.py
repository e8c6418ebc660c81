"""Copy elimination on buffers: offloaded ops between affine nests. A table only."""

PASSES: dict[str, str] = {
    "commute-concat": "commute_concat:CommuteConcat",
    "concat-delinearizer": "concat_delinearizer:ConcatDelinearizer",
    "concat-op-elimination": "concat_op_elimination:ConcatOpElimination",
    "de-concat": "de_concat:DeConcat",
    "dead-code-elimination": "dead_code_elimination:DeadCodeElimination",
    "dead-store-elimination": "dead_store_elimination:DeadStoreElimination",
    "delinearization": "delinearization:Delinearization",
    "memcpy-elimination": "memcpy_elimination:MemcpyElimination",
    "reshape-op-elimination": "reshape_op_elimination:ReshapeOpElimination",
    "simplify-slice": "simplify_slice:SimplifySlice",
    "slice-op-elimination": "slice_op_elimination:SliceOpElimination",
    "tensor-op-simplifier": "tensor_op_simplifier:TensorOpSimplifier",
    "tensor-op-transform": "tensor_op_transform:TensorOpTransform",
    "transpose-op-elimination": "transpose_op_elimination:TransposeOpElimination",
    "zero-size-tensor-elimination": "zero_size_tensor_elimination:ZeroSizeTensorElimination",
}
