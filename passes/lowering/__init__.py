"""Passes from hlo to loops. A table only: listing passes imports none of them."""

PASSES = {
    "hlo-to-penguin": "hlo_to_penguin:HloToPenguin",
    "late-lower-tensor-op": "late_lower_tensor_op:LateLowerTensorOp",
    "lower-tensor-op": "lower_tensor_op:LowerTensorOp",
}
