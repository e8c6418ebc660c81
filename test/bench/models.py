"""Time and memory of compiling and simulating real models, through the tools as a user runs them.

    python test/bench/models.py [--compile-only] [MODEL...]

Each step is a process: `penguin-compile MODEL --emit=bir`, then `penguin-run` of the BIR it wrote,
with random inputs, compared with JAX. Printed: seconds of wall time and of processor time, the peak
of resident memory, lines of BIR text, and the largest relative error of the outputs. The models are
looked for in $PENGUIN_SHARED/models, then in ../shared/models beside the checkout.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "transformer_block.py"
MODELS = (
    "micro_norms",
    "attention_bf16",
    "hf_bert_layer",
    "tunix_llama_1b_layer",
    "tunix_llama_small",
    "hf_gpt2_small",
)


@dataclass(frozen=True)
class Run:
    """One finished process."""

    wall: float
    cpu: float
    peak: int
    output: str
    status: int

    def __str__(self) -> str:
        return f"{self.wall:>8.2f}{self.cpu:>8.2f}{self.peak >> 20:>8}"


def run(program: str, *arguments: str | Path) -> Run:
    """Starts a tool beside this interpreter and waits for it."""
    command = [str(Path(sys.executable).parent / program), *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    scale = 1 if sys.platform == "darwin" else 1024
    cpu = usage.ru_utime + usage.ru_stime
    return Run(wall, cpu, usage.ru_maxrss * scale, text, process.returncode)


def find(name: str) -> str:
    """A model's file by its name in the shared folder, or the argument of the tools as it is."""
    shared = Path(os.environ.get("PENGUIN_SHARED", ROOT.parent / "shared"))
    file = shared / "models" / f"{name}.mlir"
    return str(file) if file.is_file() else name


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help="name, file or file.py:function")
    parser.add_argument("--compile-only", action="store_true")
    options = parser.parse_args(argv)
    failed = 0
    print(f"{'':<24}{'wall s':>10}{'cpu s':>8}{'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models or [*MODELS, f"{EXAMPLE}:block"]:
            failed += bench(name, Path(folder), simulate=not options.compile_only)
    return 1 if failed else 0


def worst(comparison: str) -> str:
    """The row of the output with the largest relative error."""
    rows = re.findall(r"^ *(\S.* rel +(\S+) .*)$", comparison, re.MULTILINE)
    return max(rows, key=lambda row: float(row[1]), default=("", ""))[0]


def bench(name: str, folder: Path, *, simulate: bool) -> int:
    """Both steps of one model; the number of those that failed."""
    model, bir = find(name), folder / "model.bir"
    shown = Path(name).stem
    step = run("penguin-compile", model, "--emit=bir", "-o", bir)
    lines = bir.read_text().count("\n") if step.status == 0 else 0
    print(f"{shown + ' compile':<26}{step}  {lines} lines of BIR")
    if step.status != 0:
        print(step.output)
        return 1
    if not simulate:
        return 0
    step = run("penguin-run", bir, "--inputs", "random:0", "--compare", model)
    print(f"{shown + ' simulate':<26}{step}  {worst(step.output)}")
    if step.status != 0:
        print(step.output)
    return int(step.status != 0)


if __name__ == "__main__":
    sys.exit(main())
