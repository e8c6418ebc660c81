"""Passes over mhlo, stablehlo and chlo. A table only: listing passes imports none of them."""

PASSES = {
    "fusion-to-composite": "fusion_to_composite:FusionToComposite",
    "inline-calls": "inline_calls:InlineCalls",
    "legalize-chlo": "legalize_chlo:LegalizeChlo",
    "mhlo-to-stablehlo": "mhlo_to_stablehlo:MhloToStablehlo",
    "mul-red-sqrt-fusion": "mul_red_sqrt_fusion:MulRedSqrtFusion",
    "neuron-op-fusion": "neuron_op_fusion:NeuronOpFusion",
    "simplify-hlo": "simplify_hlo:SimplifyHlo",
}
