"""An interpreter of affine nests that executes one scalar op after the other: the oracle for ours.

Only what the tests generate: affine.for/if/apply/load/store/yield, and a few arith ops.
"""

import re

import numpy as np

from penguin.mlir import ir

_OPS = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}


def run(module, inputs):
    """Arguments in order; those beyond `inputs` are outputs, zero at first. Returns all of them."""
    (kernel,) = module.body.operations
    block = kernel.regions[0].blocks[0]
    values = {}
    for number, argument in enumerate(block.arguments):
        shape = tuple(ir.MemRefType(argument.type).shape)
        given = inputs[number] if number < len(inputs) else np.zeros(shape, np.float32)
        values[argument] = given.copy()
    _block(block, values)
    return [values[argument] for argument in block.arguments]


def _evaluate(expr, operands, dims):
    if isinstance(expr, ir.AffineConstantExpr):
        return expr.value
    if isinstance(expr, ir.AffineDimExpr):
        return operands[expr.position]
    if isinstance(expr, ir.AffineSymbolExpr):
        return operands[dims + expr.position]
    a, b = _evaluate(expr.lhs, operands, dims), _evaluate(expr.rhs, operands, dims)
    if isinstance(expr, ir.AffineAddExpr):
        return a + b
    if isinstance(expr, ir.AffineMulExpr):
        return a * b
    if isinstance(expr, ir.AffineModExpr):
        return a % b
    if isinstance(expr, ir.AffineFloorDivExpr):
        return a // b
    return -(-a // b)


def _results(map_, operands):
    return [_evaluate(expr, operands, map_.n_dims) for expr in map_.results]


def _block(block, values):
    """Executes a block; returns the operands of its terminator."""
    for op in block.operations:
        name = op.operation.name
        operands = list(op.operands)
        if name in ("affine.yield", "func.return"):
            return [values[v] for v in operands]
        if name == "affine.for":
            _for(op, operands, values)
        elif name == "affine.if":
            outcome = _if(op, operands, values)
            values.update(zip(op.results, outcome or [], strict=True))
        elif name == "affine.apply":
            map_ = ir.AffineMapAttr(op.attributes["map"]).value
            (values[op.results[0]],) = _results(map_, [values[v] for v in operands])
        elif name == "affine.load":
            map_ = ir.AffineMapAttr(op.attributes["map"]).value
            at = _results(map_, [values[v] for v in operands[1:]])
            assert all(i >= 0 for i in at)
            values[op.results[0]] = values[operands[0]][tuple(at)]
        elif name == "affine.store":
            map_ = ir.AffineMapAttr(op.attributes["map"]).value
            at = _results(map_, [values[v] for v in operands[2:]])
            assert all(i >= 0 for i in at)
            values[operands[1]][tuple(at)] = values[operands[0]]
        elif name == "arith.constant":
            values[op.results[0]] = np.float32(op.attributes["value"].value)
        else:
            values[op.results[0]] = _OPS[name](*[values[v] for v in operands])
    return None


def _for(op, operands, values):
    n_lower, n_upper, _ = op.attributes["operandSegmentSizes"]
    numbers = [values[v] for v in operands[: n_lower + n_upper]]
    lower = max(_results(ir.AffineMapAttr(op.attributes["lowerBoundMap"]).value, numbers[:n_lower]))
    upper = min(_results(ir.AffineMapAttr(op.attributes["upperBoundMap"]).value, numbers[n_lower:]))
    state = [values[v] for v in operands[n_lower + n_upper :]]
    block = op.regions[0].blocks[0]
    counter, *arguments = block.arguments
    for number in range(lower, upper, ir.IntegerAttr(op.attributes["step"]).value):
        values[counter] = number
        values.update(zip(arguments, state, strict=True))
        state = _block(block, values)
    values.update(zip(op.results, state, strict=True))


def _if(op, operands, values):
    text = str(op.attributes["condition"])
    head, body = re.fullmatch(r"affine_set<(\(.*?\)(?:\[.*?\])?) : \((.*)\)>", text).groups()
    holds = True
    for constraint in body.split(", "):
        expr, sign, _ = constraint.rsplit(" ", 2)
        map_ = ir.AffineMapAttr(ir.Attribute.parse(f"affine_map<{head} -> ({expr})>")).value
        (value,) = _results(map_, [values[v] for v in operands])
        holds = holds and (value == 0 if sign == "==" else value >= 0)
    region = op.regions[0 if holds else 1]
    return _block(region.blocks[0], values) if len(region.blocks) else []
