"""Random kernels that write buffers more than once: no pass changes what they compute.

In CI a slice of the seeds. A long run, which prints what fails with its steps reduced:

    python test/property/test_random_buffers.py --seeds 0-9999
"""

import random
import sys
from collections.abc import Iterator

import movement_checks as checks
import pytest
import random_buffers

from penguin import mlir

SEEDS, CHUNK = 40, 20
# An offloaded op whose ends share memory has no nest.
REFUSED = "PGL010"


def orders(seed: int) -> Iterator[tuple[str, ...]]:
    """Each pass alone, and all of them shuffled."""
    yield from checks.alone()
    yield (*checks.shuffled(random.Random(seed)), checks.LATE)


def failures(seed: int) -> Iterator[str]:
    """What the passes do wrong to one kernel."""
    kernel = random_buffers.program(random.Random(seed))
    expected = checks.results(mlir.parse(kernel.text), kernel.inputs)
    for order in orders(seed):
        wrong = checks.failure(kernel.text, kernel.inputs, expected, order)
        if wrong is not None and REFUSED not in wrong:
            yield f"{wrong}\n{checks.reduced(kernel.text, kernel.inputs, order)}"


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_no_pass_changes_what_is_computed(first: int) -> None:
    for seed in range(first, first + CHUNK):
        with mlir.context():
            wrong = next(failures(seed), None)
            assert wrong is None, f"seed {seed}: {wrong}"


if __name__ == "__main__":
    sys.exit(checks.long_run(__doc__.split("\n\n")[0], None, failures))
