"""The fusions of the hlo level: what they find in real models, and what they cost.

    python test/bench/hlo_strand.py models [MODEL...]
    python test/bench/hlo_strand.py speed [--ops 100 1000 10000 20000]

`models` runs every part of the strand over each model, as stablehlo and, converted by jaxlib, as
mhlo, with verification after every pass. Printed per model: its ops, the seconds of both, the
clusters by kind, and the near matches by pass and reason; then the sums. Both dialects must agree.

`speed` builds modules in which every matcher has work (`pattern`) or one long elementwise chain
that ends in a reduce (`chain`), on both dialects, without verification. Printed per module:
seconds, and microseconds per op, which must not grow. Models are looked for in
$PENGUIN_SHARED/models, then in ../shared/models beside the checkout.
"""

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from penguin import frontend, mlir
from penguin.errors import UserError
from penguin.passlib import Pipeline, RunOptions, run_pipeline, timing
from penguin.passlib.pass_ import Session
from penguin.passlib.remarks import Filter, Kind, Remarks

ROOT = Path(__file__).resolve().parents[2]
FUSIONS = (
    "neuron-op-fusion{general-elementwise-fusion=true fuse-dot-softmax=true},schedule-fusion,"
    "fusion-to-composite"
)
PIPELINES = {
    "stablehlo": f"builtin.module({FUSIONS})",
    "mhlo": f"builtin.module({FUSIONS},mhlo-to-stablehlo)",
}
_PREPARE = "builtin.module(inline-calls)"

# Ops with the same text in both dialects; each line group is the pattern of one fusion pass.
_HEADER = """\
func.func @main(%x0: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
"""
_PATTERN = """\
  %m{n} = stablehlo.multiply %x{n}, %x{n} : tensor<64x64xf32>
  %s{n} = stablehlo.reduce(%m{n} init: %zero) applies stablehlo.add across dimensions = [1] \
: (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %q{n} = stablehlo.sqrt %s{n} : tensor<64xf32>
  %b{n} = "stablehlo.broadcast_in_dim"(%q{n}) {{broadcast_dimensions = DIMS}} \
: (tensor<64xf32>) -> tensor<64x64xf32>
  %d{n} = "stablehlo.dot"(%x{n}, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %l{n} = stablehlo.logistic %d{n} : tensor<64x64xf32>
  %a{n} = stablehlo.exponential_minus_one %l{n} : tensor<64x64xf32>
  %c{n} = stablehlo.log_plus_one %a{n} : tensor<64x64xf32>
  %e{n} = stablehlo.tanh %b{n} : tensor<64x64xf32>
  %x{next} = stablehlo.add %e{n}, %c{n} : tensor<64x64xf32>
"""
_DIMS = {"stablehlo": "array<i64: 0>", "mhlo": "dense<0> : tensor<1xi64>"}
_CHAIN = "  %x{next} = stablehlo.tanh %x{n} : tensor<64x64xf32>\n"
_CHAIN_END = """\
  %s = stablehlo.reduce(%x{n} init: %zero) applies stablehlo.add across dimensions = [1] \
: (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %x{next} = "stablehlo.broadcast_in_dim"(%s) {{broadcast_dimensions = DIMS}} \
: (tensor<64xf32>) -> tensor<64x64xf32>
"""


def text_of(shape: str, ops: int, dialect: str) -> str:
    """A module of about `ops` ops in one of the shapes `pattern` and `chain`."""
    if shape == "pattern":
        last = ops // 10
        body = "".join(_PATTERN.format(n=n, next=n + 1) for n in range(last))
    else:
        body = "".join(_CHAIN.format(n=n, next=n + 1) for n in range(ops))
        last = ops + 1
        body += _CHAIN_END.format(n=ops, next=last)
    text = f"{_HEADER}{body}  return %x{last} : tensor<64x64xf32>\n}}\n"
    return text.replace("stablehlo.", f"{dialect}.").replace("DIMS", _DIMS[dialect])


def parse(text: str, dialect: str) -> Any:
    """A module of the dialect's own bindings."""
    return mlir.mhlo.parse(text) if dialect == "mhlo" else mlir.parse(text)


def as_mhlo(module: Any) -> Any:
    """A copy of a stablehlo module as mhlo."""
    copy = mlir.mhlo.parse(mlir.to_bytecode(module.operation))
    mlir.run_upstream("builtin.module(stablehlo-legalize-to-hlo)", copy)
    return copy


def speed(sizes: Sequence[int]) -> None:
    print(f"{'':<10}{'dialect':<12}{'ops':>8}{'seconds':>10}{'us per op':>11}{'clusters':>10}")
    options = RunOptions(verify_each=False, write_reproducers=False)
    for shape in ("pattern", "chain"):
        for dialect, pipeline in PIPELINES.items():
            for size in sizes:
                with mlir.context():
                    module = parse(text_of(shape, size, dialect), dialect)
                    ops = timing.count_ops(module.operation)
                    gc.collect()
                    start = time.process_time()
                    result = run_pipeline(module, pipeline, options=options)
                    seconds = time.process_time() - start
                found = sum(r.value for r in result.statistics if r.name == "fused")
                per_op = 1e6 * seconds / ops
                print(f"{shape:<10}{dialect:<12}{ops:>8}{seconds:>10.3f}{per_op:>11.1f}{found:>10}")


def models(names: Sequence[str]) -> int:
    shared = Path(os.environ.get("PENGUIN_SHARED", ROOT.parent / "shared"))
    paths = sorted((shared / "models").glob("*.mlir"))
    clusters: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    status = 0
    for path in (p for p in paths if not names or p.stem in names):
        found = {}
        for dialect in PIPELINES:
            try:
                found[dialect] = run_model(path, dialect)
            except UserError as error:
                print(f"{path.stem} ({dialect}): {error}")
                status = 1
        if len(found) < len(PIPELINES):
            continue
        ops, _, kinds, reasons = found["stablehlo"]
        times = " ".join(f"{dialect} {found[dialect][1]:.3f} s" for dialect in PIPELINES)
        print(f"{path.stem}: {ops} ops, {times}")
        print_counts("  fused ", kinds)
        print_counts("  missed", reasons)
        if found["mhlo"][2:] != found["stablehlo"][2:]:
            print("  the dialects differ; on mhlo:")
            print_counts("  fused ", found["mhlo"][2])
            print_counts("  missed", found["mhlo"][3])
            status = 1
        clusters += kinds
        missed += reasons
    print("all models")
    print_counts("  fused ", clusters)
    print_counts("  missed", missed)
    return status


def run_model(path: Path, dialect: str) -> tuple[int, float, Counter[str], Counter[str]]:
    """Ops, seconds, clusters by kind, near matches by pass and reason."""
    remarks = Remarks(Filter(every="."))
    with mlir.context():
        module = frontend.parse(path)
        run_pipeline(module, _PREPARE)
        if dialect == "mhlo":
            module = as_mhlo(module)
        ops = timing.count_ops(module.operation)
        pipeline = Pipeline.parse(PIPELINES[dialect])
        start = time.process_time()
        run_pipeline(module, pipeline, session=Session(remarks=remarks))
        seconds = time.process_time() - start
    kinds = Counter(r.name for r in remarks.found if r.kind is Kind.PASSED)
    reasons = Counter(
        f"{r.category.partition(':')[2]}: {r.args['Reason']}"
        for r in remarks.found
        if r.kind is Kind.MISSED
    )
    return ops, seconds, kinds, reasons


def print_counts(title: str, counts: Counter[str]) -> None:
    if not counts:
        print(f"{title}  none")
    for name, count in sorted(counts.items()):
        print(f"{title} {count:>5} x {name}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("models").add_argument("models", nargs="*", metavar="MODEL")
    sizes = commands.add_parser("speed")
    sizes.add_argument("--ops", nargs="+", type=int, default=[100, 1000, 10000, 20000])
    options = parser.parse_args(argv)
    if options.command == "models":
        return models(options.models)
    speed(options.ops)
    return 0


if __name__ == "__main__":
    sys.exit(main())
