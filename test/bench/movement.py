"""What the elimination of copies costs, and how that grows with the number of copies.

    python test/bench/movement.py [--copies 100 1000 10000] [--only reshape] [--model FILE]

Kernels at tensor level, made for one pass each, most of them with one op between two nests that is
folded, repeated; and those that have many of something: copies in a row, copies of one source,
loads of one copy, slices of one tensor that is written piece by piece, sources of one concat,
copies that stay. The least processor time of `--repeat` runs counts, without verification. Printed
per kernel: microseconds per copy at each number of copies, and the exponent of time against copies.
Then the time of the group's passes in the default pipeline on a model, which is the largest in
$PENGUIN_SHARED that `hlo-to-penguin` takes, unless it is given.
Exit status 1 if an exponent is over the limit, or a time over its budget: 2 s for 1,000 copies
between nests, 8 s for the model.
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scaling import LIMIT, TOO_QUICK, exponent

from penguin import frontend, mlir
from penguin.errors import UserError
from penguin.passes.data_movement import PASSES
from penguin.passlib import Pipeline, RunOptions, run_pipeline

FOLDED, FOLD_BUDGET = 1000, 2.0
MODEL_BUDGET = 8.0
MODELS = ("hf_gpt2_small.mlir", "hf_bert_layer.mlir")
_OPTIONS = RunOptions(verify_each=False, check_contracts=False, write_reproducers=False)
CONVERT = "hlo-to-penguin"


def memref(shape: str, kind: str = "f32") -> str:
    return f'memref<{shape}x{kind}, "dram">'


def kernel(body: Sequence[str], shape: str, out: str) -> str:
    head = (
        f'func.func @main(%in: {memref(shape)} {{penguin.io = "input"}}, '
        f'%out: {memref(out)} {{penguin.io = "output"}}) attributes {{penguin.kernel}} {{'
    )
    return "\n".join([head, *body, "return", "}", ""])


def alloc(name: str, shape: str, kind: str = "f32") -> str:
    return f"%{name} = memref.alloc() : {memref(shape, kind)}"


def nest(
    src: str, dst: str, load: str, store: str, src_type: str, dst_type: str,
    loops: Sequence[int] = (12, 64), op: str = "math.absf",
) -> str:  # fmt: skip
    """A nest of loops %i, %j, ... that computes one element from one."""
    names = [f"%{c}" for c in "ijkl"[: len(loops)]]
    kind = src_type.rpartition("x")[2].partition(",")[0]
    wide = "%w = arith.extf %v : bf16 to f32" if kind == "bf16" else f"%w = {op} %v : f32"
    opened = [f"affine.for {n} = 0 to {extent} {{" for n, extent in zip(names, loops, strict=True)]
    return "\n".join(
        [
            *opened,
            f"%v = affine.load %{src}[{load}] : {src_type}",
            wide,
            f"affine.store %w, %{dst}[{store}] : {dst_type}",
            "}" * len(loops),
        ]
    )


def offloaded(name: str, srcs: Sequence[str], dst: str, types: str, facts: str = "") -> str:
    operands = ", ".join(f"%{s}" for s in (*srcs, dst))
    return f'"penguin.{name}"({operands}) {{{facts}}} : ({types}) -> ()'


# Chains: a nest, an op, a nest, an op... ----------------------------------------------------------


def chain(copies: int, op: str, facts: str, there: str, kind: str = "f32", index: str = "") -> str:
    """Each op takes 12x64 to `there`, whose element `index` a nest takes to 12x64."""
    here, body = memref("12x64"), []
    other = memref(there, kind)
    current = "in"
    for n in range(copies):
        last = "out" if n == copies - 1 else f"c{n}"
        body += [alloc(f"a{n}", "12x64"), alloc(f"b{n}", there, kind)]
        body += [nest(current, f"a{n}", "%i, %j", "%i, %j", here, here)]
        body += [offloaded(op, [f"a{n}"], f"b{n}", f"{here}, {other}", facts)]
        body += [alloc(last, "12x64")] if last != "out" else []
        body += [nest(f"b{n}", last, index, "%i, %j", other, here)]
        current = last
    return kernel(body, "12x64", "12x64")


def reshape(copies: int) -> str:
    return chain(copies, "memcpy", "", "768", index="%i * 64 + %j")


def transpose(copies: int) -> str:
    return chain(copies, "transpose", "permutation = array<i64: 1, 0>", "64x12", index="%j, %i")


def slices(copies: int) -> str:
    facts = (
        "starts = array<i64: 0, 32>, limits = array<i64: 12, 64>, strides = array<i64: 1, 1>, "
        'access = "ndim"'
    )
    return chain(copies, "slice", facts, "12x32", index="%i, %j floordiv 2")


def cast(copies: int) -> str:
    return chain(copies, "memcast", "", "12x64", "bf16", "%i, %j")


def broadcast(copies: int) -> str:
    return chain(copies, "broadcast", "dims = array<i64: 1, 2>", "2x12x64", index="0, %i, %j")


def concat(copies: int) -> str:
    """Two nests fill two halves; one nest loads across both."""
    half, whole, body = memref("12x32"), memref("12x64"), []
    sizes = ", ".join(["2", *["0"] * 15, "1"])
    facts = f"axis = 1 : i64, operandSegmentSizes = array<i32: {sizes}>"
    current = "in"
    for n in range(copies):
        last = "out" if n == copies - 1 else f"d{n}"
        body += [alloc(f"a{n}", "12x32"), alloc(f"b{n}", "12x32"), alloc(f"c{n}", "12x64")]
        for name, at in ((f"a{n}", "%i, %j"), (f"b{n}", "%i, %j + 32")):
            body += [nest(current, name, at, "%i, %j", whole, half, (12, 32))]
        types = f"{half}, {half}, {whole}"
        body += [offloaded("concat", [f"a{n}", f"b{n}"], f"c{n}", types, facts)]
        body += [alloc(last, "12x64")] if last != "out" else []
        body += [nest(f"c{n}", last, "%i, %j", "%i, %j", whole, whole)]
        current = last
    return kernel(body, "12x64", "12x64")


# Many of something --------------------------------------------------------------------------------


def in_a_row(copies: int) -> str:
    """Copies of copies."""
    t, body, current = memref("64"), [], "in"
    for n in range(copies - 1):
        body += [alloc(f"a{n}", "64"), offloaded("memcpy", [current], f"a{n}", f"{t}, {t}")]
        current = f"a{n}"
    body.append(offloaded("memcpy", [current], "out", f"{t}, {t}"))
    return kernel(body, "64", "64")


def star(copies: int, op: str = "memcpy", facts: str = "") -> str:
    """Copies of one source, each read by a nest that stores to its row of the output."""
    body, t, out = [], memref("8x8"), memref(f"{copies}x8x8")
    for n in range(copies):
        body += [alloc(f"a{n}", "8x8"), offloaded(op, ["in"], f"a{n}", f"{t}, {t}", facts)]
        body += [nest(f"a{n}", "out", "%i, %j", f"{n}, %i, %j", t, out, (8, 8))]
    return kernel(body, "8x8", f"{copies}x8x8")


def star_of_transposes(copies: int) -> str:
    return star(copies, "transpose", facts="permutation = array<i64: 1, 0>")


def inner_star(copies: int) -> str:
    """As `star`, of a tensor that a nest defines, and that is overwritten at the end: all stay."""
    body, t, out = [alloc("s", "64")], memref("64"), memref(f"{copies}x64")
    body += [nest("in", "s", "%i", "%i", t, t, (64,))]
    body += [alloc(f"a{n}", "64") for n in range(copies)]
    body += [offloaded("memcpy", ["s"], f"a{n}", f"{t}, {t}") for n in range(copies)]
    body += [nest("in", "s", "%i", "63 - %i", t, t, (64,))]
    body += [nest(f"a{n}", "out", "%i", f"{n}, %i", t, out, (64,)) for n in range(copies)]
    return kernel(body, "64", f"{copies}x64")


def many_loads(copies: int) -> str:
    """One copy, and so many nests that load from it."""
    body, t, out = [alloc("a", "8x8")], memref("64"), memref(f"{copies}x64")
    body += [offloaded("memcpy", ["in"], "a", f"{t}, {memref('8x8')}")]
    index = "%i floordiv 8, %i mod 8"
    for n in range(copies):
        body += [nest("a", "out", index, f"{n}, %i", memref("8x8"), out, (64,))]
    return kernel(body, "64", f"{copies}x64")


def pieces(copies: int) -> str:
    """One tensor that many nests fill piece by piece, between slices of what is there already."""
    body, t, row = [], memref(f"{copies + 1}x64"), memref("64")
    body = [alloc("s", f"{copies + 1}x64"), nest("in", "s", "%i", "0, %i", row, t, (64,))]
    for n in range(copies):
        facts = (
            f"starts = array<i64: {n}, 0>, limits = array<i64: {n + 1}, 64>, "
            'strides = array<i64: 1, 1>, access = "ndim"'
        )
        body += [alloc(f"a{n}", "1x64")]
        body += [offloaded("slice", ["s"], f"a{n}", f"{t}, {memref('1x64')}", facts)]
        body += [nest(f"a{n}", "s", "0, %i", f"{n + 1}, %i", memref("1x64"), t, (64,))]
    body += [nest("s", "out", f"{copies}, %i", "%i", t, row, (64,))]
    return kernel(body, "64", "64")


def many_sources(copies: int) -> str:
    """One concat of so many sources."""
    body, row, t = [], memref("1x64"), memref(f"{copies}x64")
    for n in range(copies):
        body += [alloc(f"a{n}", "1x64")]
        body += [nest("in", f"a{n}", "%i", "0, %i", memref("64"), row, (64,))]
    sizes = ", ".join([str(copies), *["0"] * 15, "1"])
    facts = f"axis = 0 : i64, operandSegmentSizes = array<i32: {sizes}>"
    types = ", ".join([*[row] * copies, t])
    body += [offloaded("concat", [f"a{n}" for n in range(copies)], "out", types, facts)]
    return kernel(body, "64", f"{copies}x64")


def gathered(copies: int) -> str:
    """One concat of so many copies."""
    body, row, t = [], memref("1x64"), memref(f"{copies}x64")
    for n in range(copies):
        body += [alloc(f"a{n}", "1x64"), alloc(f"b{n}", "64")]
        body += [nest("in", f"b{n}", "%i", "%i", memref("64"), memref("64"), (64,))]
        body += [offloaded("memcpy", [f"b{n}"], f"a{n}", f"{memref('64')}, {row}")]
    sizes = ", ".join([str(copies), *["0"] * 15, "1"])
    facts = f"axis = 0 : i64, operandSegmentSizes = array<i32: {sizes}>"
    types = ", ".join([*[row] * copies, t])
    body += [offloaded("concat", [f"a{n}" for n in range(copies)], "out", types, facts)]
    return kernel(body, "64", f"{copies}x64")


def read_sources(copies: int) -> str:
    """One concat of so many sources that nothing stores to; so many nests load its rows."""
    body, row, t = [alloc("c", f"{copies}x64")], memref("1x64"), memref(f"{copies}x64")
    sizes = ", ".join([str(copies), *["0"] * 15, "1"])
    facts = f"axis = 0 : i64, operandSegmentSizes = array<i32: {sizes}>"
    types = ", ".join([*[row] * copies, t])
    body += [offloaded("concat", ["in"] * copies, "c", types, facts)]
    for n in range(copies):
        body += [nest("c", "out", f"{n}, %i", f"{n}, %i", t, t, (64,))]
    return kernel(body, "1x64", f"{copies}x64")


def barriers(copies: int) -> str:
    """Copies with a barrier after each: none may go."""
    t, out, body = memref("64"), memref(f"{copies}x64"), []
    for n in range(copies):
        body += [alloc(f"a{n}", "64"), offloaded("memcpy", ["in"], f"a{n}", f"{t}, {t}")]
        body += [nest("in", "out", "%i", f"{n}, %i", t, out, (64,)) + " {penguin.barrier}"]
        body += [nest(f"a{n}", "out", "%i", f"{n}, %i", t, out, (64,))]
    return kernel(body, "64", f"{copies}x64")


def paddings(copies: int) -> str:
    """Each nest is put into padding, which half of the readers do not look at."""
    here, there, body = memref("64"), memref("66"), ["%zero = arith.constant 0.0 : f32"]
    current = "in"
    for n in range(copies):
        last = "out" if n == copies - 1 else f"c{n}"
        body += [alloc(f"p{n}", "66"), "affine.for %i = 0 to 66 {"]
        body += [f"affine.store %zero, %p{n}[%i] : {there}", "}"]
        body += [nest(current, f"p{n}", "%i", "%i + 1", here, there, loops=(64,))]
        body += [alloc(last, "64")] if last != "out" else []
        body += [nest(f"p{n}", last, f"%i + {n % 2}", "%i", there, here, loops=(64,))]
        current = last
    return kernel(body, "64", "64")


KERNELS: dict[str, tuple[Callable[[int], str], str]] = {
    "reshape": (reshape, "memcpy-elimination"),
    "transpose": (transpose, "transpose-op-elimination"),
    "slice": (slices, "slice-op-elimination"),
    "concat": (concat, "concat-op-elimination"),
    "cast": (cast, "cast-op-elimination"),
    "broadcast": (broadcast, "broadcast-op-elimination"),
    "padding": (paddings, "pad-elimination"),
    "in-a-row": (in_a_row, "memcpy-elimination"),
    "in-a-row-io": (in_a_row, "reshape-op-elimination"),
    "star": (star, "memcpy-elimination"),
    "star-transpose": (star_of_transposes, "transpose-op-elimination"),
    "inner-star": (inner_star, "memcpy-elimination"),
    "many-loads": (many_loads, "memcpy-elimination"),
    "pieces": (pieces, "slice-op-elimination"),
    "gathered": (gathered, "memcpy-elimination"),
    "many-sources": (many_sources, "concat-op-elimination"),
    "read-sources": (read_sources, "concat-op-elimination"),
    "barriers": (barriers, "memcpy-elimination"),
}


def seconds(text: str, name: str) -> float:
    """Processor time of one pass over a kernel."""
    with mlir.context():
        module = mlir.parse(text)
        pipeline = Pipeline.parse(f"builtin.module({name})")
        gc.collect()
        start = time.process_time()
        run_pipeline(module, pipeline, options=_OPTIONS)
        return time.process_time() - start


def phase(path: Path) -> tuple[int, dict[str, float]]:
    """Ops of a model at the tensor level, and the seconds of each pass of the group."""
    steps = [s.name for s in Pipeline.parse("builtin.module(penguin-default-pipeline)").steps]
    first = steps.index(CONVERT) + 1
    last = max(n for n, name in enumerate(steps) if name in PASSES)
    found: dict[str, float] = {}
    with mlir.context():
        module = frontend.load(path)
        run_pipeline(module, f"builtin.module({','.join(steps[:first])})", options=_OPTIONS)
        count = sum(1 for _ in mlir.walk(module.operation))
        for name in steps[first : last + 1]:
            gc.collect()
            start = time.process_time()
            run_pipeline(module, f"builtin.module({name})", options=_OPTIONS)
            if name in PASSES:
                found[name] = found.get(name, 0.0) + time.process_time() - start
    return count, found


def report_model(paths: Sequence[Path]) -> int:
    for path in paths:
        try:
            count, found = phase(path)
        except UserError as error:
            print(f"{path.name}: not taken: {str(error).splitlines()[0][:100]}")
            continue
        total = sum(found.values())
        print(f"{path.name}: {count} ops, {total:.2f} s (budget {MODEL_BUDGET} s)")
        for name, part in found.items():
            print(f"  {name:<28}{part:>8.2f}")
        return total > MODEL_BUDGET
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--copies", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=KERNELS, default=list(KERNELS))
    parser.add_argument("--model", type=Path)
    options = parser.parse_args(argv)
    sizes = sorted(set(options.copies))
    seconds(reshape(2), "memcpy-elimination")
    head = "".join(f"{f'{size} copies':>14}" for size in sizes)
    print(f"{'us per copy':<42}{head}{'exponent':>10}{'seconds':>9}")
    over = 0
    for name in options.only:
        make, element = KERNELS[name]
        points = [
            (size, min(seconds(text, element) for _ in range(options.repeat)))
            for size in sizes
            for text in [make(size)]
        ]
        cells = "".join(f"{1e6 * took / size:>14.2f}" for size, took in points)
        slope = exponent(points) if len(points) > 1 else 0.0
        slow = points[-1][1] >= TOO_QUICK and slope > LIMIT
        over += slow
        print(
            f"{f'{name} ({element})':<42}{cells}{slope:>10.2f}{points[-1][1]:>9.2f}"
            f"{'  over' if slow else ''}", flush=True,
        )  # fmt: skip
    if "reshape" in options.only:
        took = min(seconds(reshape(FOLDED), "memcpy-elimination") for _ in range(options.repeat))
        over += took > FOLD_BUDGET
        print(f"{FOLDED} copies between nests: {took:.2f} s (budget {FOLD_BUDGET} s)")
    shared = Path(os.environ.get("PENGUIN_SHARED", Path(__file__).parents[3] / "shared"))
    paths = [options.model] if options.model else [shared / "models" / name for name in MODELS]
    over += report_model([path for path in paths if path.exists()])
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
