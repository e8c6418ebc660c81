"""The math dialect on whole domains; halves are computed in f32 and rounded once."""

import numpy as np

from penguin.interp import numerics
from penguin.interp.numerics import Function, elementwise, predicate
from penguin.interp.registry import scalar_op

_OPS: dict[str, Function] = {
    "math.absf": elementwise(np.abs),
    "math.absi": elementwise(np.abs),
    "math.atan2": elementwise(np.arctan2),
    "math.cbrt": elementwise(np.cbrt),
    "math.ceil": elementwise(np.ceil),
    "math.copysign": elementwise(np.copysign),
    "math.cos": elementwise(np.cos),
    "math.ctlz": numerics.count_leading_zeros,
    "math.ctpop": numerics.population_count,
    "math.erf": elementwise(numerics.erf),
    "math.exp": elementwise(np.exp),
    "math.exp2": elementwise(np.exp2),
    "math.expm1": elementwise(np.expm1),
    "math.floor": elementwise(np.floor),
    "math.fma": elementwise(lambda a, b, c: a * b + c),
    "math.ipowi": numerics.power,
    "math.isfinite": predicate(np.isfinite),
    "math.isinf": predicate(np.isinf),
    "math.isnan": predicate(np.isnan),
    "math.log": elementwise(np.log),
    "math.log1p": elementwise(np.log1p),
    "math.log2": elementwise(np.log2),
    "math.powf": elementwise(np.power),
    "math.round": elementwise(numerics.round_half_away),
    "math.roundeven": elementwise(np.rint),
    "math.rsqrt": elementwise(numerics.rsqrt),
    "math.sin": elementwise(np.sin),
    "math.sqrt": elementwise(np.sqrt),
    "math.tan": elementwise(np.tan),
    "math.tanh": elementwise(np.tanh),
    "math.trunc": elementwise(np.trunc),
}
for _name, _function in _OPS.items():
    scalar_op(_name)(lambda op, function=_function: function)
