"""How the cost of each pass grows with the number of ops: it must stay flat per op.

    python test/bench/scaling.py [--blocks 10 100 1000] [--pipeline=penguin-default-pipeline]

A module is one block of ten StableHLO ops, repeated: each block reads the result of the one before.
Every size is compiled `--repeat` times; the least processor time counts. Printed per pass:
microseconds per op that it was given, at each size, and the exponent of time against ops, fitted
over the sizes. Exit status 1 if an exponent is over the limit (passes
that take less than 20 ms at the largest size are too quick to fit and are not judged).
"""

import argparse
import gc
import math
import sys
import time
from collections.abc import Sequence

from penguin import mlir
from penguin.passlib import Pipeline, RunOptions, run_pipeline, timing

LIMIT = 1.1
TOO_QUICK = 0.02

_HEADER = """\
func.func @main(%x0: tensor<128x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>)
    -> tensor<128x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
"""

# Ten ops: a dense layer with a residual, scaled by the largest value of each row.
_BLOCK = """\
  %p{n} = stablehlo.dot_general %x{n}, %w, contracting_dims = [1] x [0] \
: (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %b{n} = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<128x64xf32>
  %s{n} = stablehlo.add %p{n}, %b{n} : tensor<128x64xf32>
  %t{n} = stablehlo.tanh %s{n} : tensor<128x64xf32>
  %r{n} = stablehlo.add %t{n}, %x{n} : tensor<128x64xf32>
  %a{n} = stablehlo.abs %r{n} : tensor<128x64xf32>
  %m{n} = stablehlo.reduce(%a{n} init: %zero) applies stablehlo.maximum across dimensions = [1] \
: (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
  %e{n} = stablehlo.exponential %m{n} : tensor<128xf32>
  %f{n} = stablehlo.broadcast_in_dim %e{n}, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
  %x{next} = stablehlo.divide %r{n}, %f{n} : tensor<128x64xf32>
"""


def chain(blocks: int) -> str:
    """The text of a module of `10 * blocks` ops."""
    body = "".join(_BLOCK.format(n=n, next=n + 1) for n in range(blocks))
    return f"{_HEADER}{body}  return %x{blocks} : tensor<128x64xf32>\n}}\n"


def measure(text: str, pipeline: str) -> dict[str, tuple[int, float]]:
    """Pass name to the ops that it was given and its seconds of processor time, from one run.

    Verification and contracts are the framework's cost, not the pass's, and are off.
    """
    options = RunOptions(verify_each=False, check_contracts=False, write_reproducers=False)
    found: dict[str, tuple[int, float]] = {}
    with mlir.context():
        module = mlir.parse(text)
        steps = Pipeline.parse(f"builtin.module({pipeline})")
        for step in steps.steps:
            ops = timing.count_ops(module.operation)
            gc.collect()
            start = time.process_time()
            run_pipeline(module, Pipeline.of_steps(steps.anchor, (step,)), options=options)
            seconds = time.process_time() - start
            known_ops, known_seconds = found.get(step.name, (0, 0.0))
            found[step.name] = (max(ops, known_ops), seconds + known_seconds)
    return found


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the least-squares line through (log ops, log seconds)."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(max(y, 1e-6)) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    numerator = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return numerator / sum((x - mean_x) ** 2 for x in xs)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--blocks", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--pipeline", default="penguin-default-pipeline")
    parser.add_argument("--repeat", type=int, default=2)
    options = parser.parse_args(argv)
    sizes = sorted(set(options.blocks))
    if len(sizes) < 2:
        parser.error("an exponent needs two sizes")
    best: dict[str, dict[int, tuple[int, float]]] = {}
    # Imports and other first-time costs are nobody's.
    measure(chain(1), options.pipeline)
    for blocks in sizes:
        for _ in range(options.repeat):
            for name, (ops, seconds) in measure(chain(blocks), options.pipeline).items():
                known = best.setdefault(name, {}).get(blocks)
                if known is None or seconds < known[1]:
                    best[name][blocks] = (ops, seconds)
    return report(best, sizes)


def report(best: dict[str, dict[int, tuple[int, float]]], sizes: Sequence[int]) -> int:
    head = "".join(f"{f'{10 * size} ops':>12}" for size in sizes)
    print(f"{'us per op given to the pass':<30}{head}{'exponent':>10}{'seconds':>9}")
    over = 0
    for name, by_size in best.items():
        points = [by_size[size] for size in sizes]
        cells = "".join(f"{1e6 * seconds / ops:>12.2f}" for ops, seconds in points)
        slope, last = exponent(points), points[-1][1]
        judged = last >= TOO_QUICK
        over += judged and slope > LIMIT
        mark = "  over" if judged and slope > LIMIT else ""
        print(f"{name:<30}{cells}{slope:>10.2f}{last:>9.2f}{mark}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
