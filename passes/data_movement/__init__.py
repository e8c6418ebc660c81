"""Copy elimination on buffers: offloaded ops between affine nests. A table only."""

PASSES: dict[str, str] = {
    "alias-dependency-induction": "alias_dependency_induction:AliasDependencyInduction",
    "alias-dependency-reset": "alias_dependency_reset:AliasDependencyReset",
    "alias-verification-pass": "alias_verification_pass:AliasVerificationPass",
    "broadcast-op-elimination": "broadcast_op_elimination:BroadcastOpElimination",
    "cast-op-elimination": "cast_op_elimination:CastOpElimination",
    "concat-op-elimination": "concat_op_elimination:ConcatOpElimination",
    "convert-must-alias-to-io-buffer": (
        "convert_must_alias_to_io_buffer:ConvertMustAliasToIOBuffer"
    ),
    "legalize-op-level-alias": "legalize_op_level_alias:LegalizeOpLevelAlias",
    "memcpy-elimination": "memcpy_elimination:MemcpyElimination",
    "optimize-aliased-copy-chain": "optimize_aliased_copy_chain:OptimizeAliasedCopyChain",
    "pad-elimination": "pad_elimination:PadElimination",
    "reshape-op-elimination": "reshape_op_elimination:ReshapeOpElimination",
    "slice-op-elimination": "slice_op_elimination:SliceOpElimination",
    "transpose-op-elimination": "transpose_op_elimination:TransposeOpElimination",
}
