"""Random kernels that write buffers more than once: no pass changes what they compute.

In CI a slice of the seeds. A long run, which prints what fails with its steps reduced:

    python test/property/test_random_buffers.py --seeds 0-9999 [--pass memcpy-elimination]
"""

import argparse
import importlib.util
import random
import sys
import time
from collections.abc import Iterator, Sequence

import movement_checks as checks
import pytest
import random_buffers
from random_buffers import Kernel

from penguin import mlir

SEEDS, CHUNK = 80, 40
ALIASES = importlib.util.find_spec("penguin.analysis.aliases") is not None


def orders(seed: int, names: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """Each pass alone and all of them shuffled, or what was asked for."""
    if names:
        yield tuple(names)
        return
    yield from checks.alone()
    yield (*checks.shuffled(random.Random(seed)), checks.LATE)


def failures(kernel: Kernel, seed: int, names: Sequence[str] = ()) -> Iterator[tuple]:
    """The orders of passes that are wrong about a kernel, and what is wrong."""
    expected = checks.results(mlir.parse(kernel.text), kernel.inputs)
    for order in orders(seed, names):
        wrong = checks.failure(kernel.text, kernel.inputs, expected, order)
        if wrong is not None and "PGL010" not in wrong:
            yield order, wrong


def reduced(kernel: Kernel, order: Sequence[str]) -> str:
    """The text of a kernel with as few steps as still go wrong."""

    def is_wrong(chunks: Sequence[str]) -> bool:
        text = kernel.text_of(chunks)
        try:
            expected = checks.results(mlir.parse(text), kernel.inputs)
        except Exception:
            return False
        return checks.failure(text, kernel.inputs, expected, order) is not None

    chunks = list(kernel.chunks)
    while True:
        shorter = next((c for c in random_buffers.smaller(chunks) if is_wrong(c)), None)
        if shorter is None:
            return kernel.text_of(chunks)
        chunks = shorter


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_no_pass_changes_what_is_computed(first: int) -> None:
    with mlir.context():
        for seed in range(first, first + CHUNK):
            kernel = random_buffers.program(random.Random(seed), ALIASES)
            for order, wrong in failures(kernel, seed):
                raise AssertionError(f"seed {seed}: {wrong}\n{reduced(kernel, order)}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", default="0-999", help="first-last")
    parser.add_argument("--pass", dest="names", action="append", default=[])
    parser.add_argument("--most", type=int, default=10, help="stop after so many failures")
    options = parser.parse_args(argv)
    first, last = map(int, options.seeds.split("-"))
    found, start = 0, time.perf_counter()
    for seed in range(first, last + 1):
        if (seed - first) % 100 == 0:
            print(f"seed {seed}, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        with mlir.context():
            kernel = random_buffers.program(random.Random(seed), ALIASES)
            for order, wrong in failures(kernel, seed, options.names):
                found += 1
                print(f"seed {seed}: {wrong}\n{reduced(kernel, order)}", flush=True)
                break
        if found >= options.most:
            break
    print(f"{found} of {seed + 1 - first} kernels fail")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
