"""Data movement mixed with contractions and reductions: every pass and the BIR agree with numpy.

A long run, which prints what fails:

    python test/property/test_random_mixed.py --seeds 0-999
"""

import random
import sys
from collections.abc import Iterator

import movement_checks as checks
import random_mixed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penguin import frontend, mlir
from penguin.passlib import Pipeline

DEFAULT = "penguin-default-pipeline"
# What is before is StableHLO; what is after is executed at its end only.
FIRST, EXECUTED = "hlo-to-penguin", (checks.LOWER, *checks.passes(), checks.LATE)


def failures(seed: int) -> Iterator[str]:
    """What goes wrong with one program, in the default order and in another."""
    rng = random.Random(seed)
    program = random_mixed.program(rng)
    exact = [value.exact for value in program.results]
    expected = checks.known(program.expected, exact)
    module = frontend.load(program.text)
    steps = [step.name for step in Pipeline.parse(f"builtin.module({DEFAULT})").steps]
    first = steps.index(FIRST) + 1
    checks.run(module, ",".join(steps[:first]))
    kernel = str(module)
    wrong = expected.differences(module, program.inputs)
    last = max(n for n, name in enumerate(steps) if name in EXECUTED) + 1
    default = (*steps[first:last], ",".join(steps[last:]))
    for order in (default, (*checks.shuffled(rng), checks.LOWER, *checks.shuffled(rng))):
        found = checks.failure(kernel, program.inputs, expected, order)
        wrong += [] if found is None else [found]
    if wrong:
        yield f"{wrong}\n{program.text}"


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1 << 32))
def test_movement_around_compute(seed: int) -> None:
    with mlir.context():
        for wrong in failures(seed):
            raise AssertionError(f"seed {seed}: {wrong}")


if __name__ == "__main__":
    sys.exit(checks.long_run(__doc__.split("\n\n")[0], None, failures))
