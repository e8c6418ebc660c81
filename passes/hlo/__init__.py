"""Passes over stablehlo and chlo. A table only: listing passes imports none of them."""

PASSES = {
    "inline-calls": "inline_calls:InlineCalls",
    "legalize-chlo": "legalize_chlo:LegalizeChlo",
    "simplify-hlo": "simplify_hlo:SimplifyHlo",
}
