"""The passes, grouped by the level on which they work, and the named pipelines; data only.

Each group package holds a table `PASSES = {"kebab-name": "module:Class"}` and its pass files.
A named pipeline is `(elements below builtin.module, one phrase)` and may name other pipelines.
"""

GROUPS = ("hlo", "lowering", "data_movement", "backend")

PIPELINES = {
    "penguin-hlo-pipeline": (
        "inline-calls,legalize-chlo,simplify-hlo,penguin-fusion-pipeline",
        "prepare StableHLO: no calls, no CHLO, static slices; then the fusions",
    ),
    "penguin-fusion-pipeline": (
        "neuron-op-fusion,schedule-fusion,fusion-to-composite",
        "the fusions of the hlo level, as composites",
    ),
    "penguin-to-tensor-pipeline": (
        "penguin-hlo-pipeline,hlo-to-penguin",
        "StableHLO to tensor ops on buffers",
    ),
    "penguin-to-loops-pipeline": (
        "penguin-to-tensor-pipeline,penguin-prepare-pipeline,lower-tensor-op,"
        "penguin-data-movement-pipeline,late-lower-tensor-op",
        "StableHLO to loop nests",
    ),
    "penguin-prepare-pipeline": (
        "tensor-op-transform,concat-delinearizer,de-concat,commute-concat,"
        "penguin-alias-setup-pipeline,dead-code-elimination,dead-store-elimination,"
        "tensor-op-simplifier,simplify-slice",
        "tensor ops in the form that the eliminations expect",
    ),
    "penguin-alias-setup-pipeline": (
        "alias-verification-pass,alias-dependency-induction,convert-must-alias-to-io-buffer,"
        "legalize-op-level-alias",
        "let internal tensors be in the buffers of aliased inputs and outputs",
    ),
    "penguin-data-movement-pipeline": (
        "delinearization,optimize-aliased-copy-chain,memcpy-elimination,"
        "zero-size-tensor-elimination,penguin-op-elimination-pipeline,"
        # What one elimination removes may have been in the way of another.
        "memcpy-elimination,penguin-op-elimination-pipeline,pad-elimination,dead-code-elimination",
        "fold copies and other movement into the loop nests around them",
    ),
    "penguin-op-elimination-pipeline": (
        "cast-op-elimination,concat-op-elimination,reshape-op-elimination,slice-op-elimination,"
        "transpose-op-elimination,broadcast-op-elimination",
        "remove offloaded ops other than plain copies",
    ),
    "penguin-to-tiled-pipeline": (
        "penguin-to-loops-pipeline,layout-tiling",
        "StableHLO to loop nests marked with their axes",
    ),
    "penguin-default-pipeline": (
        "penguin-to-tiled-pipeline,select-instructions,allocate",
        "the whole way: StableHLO to allocated BIR instructions",
    ),
}
