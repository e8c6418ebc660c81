"""Upstream passes that are of use here, for help and suggestions; the bindings list none."""

PASSES: dict[str, str] = {
    "affine-loop-normalize": "Apply normalization transformations to affine loop-like ops",
    "affine-simplify-structures": "Simplify affine maps and sets, and normalize memrefs",
    "canonicalize": "Canonicalize operations",
    "chlo-legalize-to-stablehlo": "Legalize CHLO operations to StableHLO",
    "control-flow-sink": "Sink operations into conditional blocks",
    "cse": "Eliminate common sub-expressions",
    "inline": "Inline function calls",
    "loop-invariant-code-motion": "Hoist loop invariant instructions outside of the loop",
    "lower-affine": "Lower affine operations to a combination of arith and scf operations",
    "print-op-stats": "Print statistics of operations",
    "reconcile-unrealized-casts": "Simplify and eliminate unrealized conversion casts",
    "remove-dead-values": "Remove dead values",
    "sccp": "Sparse conditional constant propagation",
    "stablehlo-complex-math-expander": "Expand StableHLO complex math operations",
    "stablehlo-refine-shapes": "Refine shapes across a StableHLO program",
    "strip-debuginfo": "Strip debug info from all operations",
    "symbol-dce": "Eliminate dead symbols",
    "symbol-privatize": "Mark symbols private",
    "topological-sort": "Sort regions without SSA dominance in topological order",
    "trivial-dce": "Erase trivially dead operations",
}
