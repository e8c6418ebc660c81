"""Passes over mhlo, stablehlo and chlo. A table only: listing passes imports none of them."""

PASSES = {
    "dot-logistic-fusion": "dot_logistic_fusion:DotLogisticFusion",
    "dot-softmax-fusion": "dot_softmax_fusion:DotSoftmaxFusion",
    "elementwise-fusion": "elementwise_fusion:ElementwiseFusion",
    "expm1-fusion": "expm1_fusion:Expm1Fusion",
    "fusion-to-composite": "fusion_to_composite:FusionToComposite",
    "inline-calls": "inline_calls:InlineCalls",
    "legalize-chlo": "legalize_chlo:LegalizeChlo",
    "live-range-analysis": "live_range_analysis:LiveRangeAnalysis",
    "log1p-fusion": "log1p_fusion:Log1pFusion",
    "mhlo-to-stablehlo": "mhlo_to_stablehlo:MhloToStablehlo",
    "mul-red-sqrt-fusion": "mul_red_sqrt_fusion:MulRedSqrtFusion",
    "neuron-op-fusion": "neuron_op_fusion:NeuronOpFusion",
    "schedule-fusion": "schedule_fusion:ScheduleFusion",
    "simplify-hlo": "simplify_hlo:SimplifyHlo",
    "stablehlo-schedule-fusion": "stablehlo_schedule_fusion:StablehloScheduleFusion",
    "sub-exp-fusion": "sub_exp_fusion:SubExpFusion",
}
