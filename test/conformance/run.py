"""StableHLO's own test programs through the compiler: equal, unsupported or wrong, per op family.

    python test/conformance/run.py [--level bir] [--family abs] [--core] [--jobs 2] [--list-wrong]

Each program is compiled down to a level and executed there, in a forked child with a time limit:

    equal        every result is right: `expect_eq` exactly, the others by the tolerance table
    unsupported  the compiler said that it cannot, with a code and a location
    wrong        a result differs
    failed       anything else: an internal error, a crash, no answer in time

Level `hlo` executes the program itself on the reference interpreter, which checks this harness. The
archive is looked for in $PENGUIN_SHARED/conformance, then in ../shared/conformance beside the
checkout. Exit status 1 if a program is wrong or failed.
"""

import argparse
import collections
import contextlib
import json
import os
import pickle
import re
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import programs

from penguin import driver, execute, frontend, mlir
from penguin.errors import UserError
from penguin.passlib import RunOptions, registry

ROOT = Path(__file__).resolve().parents[2]
LEVELS = ("hlo", "penguin", "loops", "tiled", "bir")
VERDICTS = ("equal", "unsupported", "wrong", "failed")


@dataclass(frozen=True)
class Outcome:
    verdict: str
    detail: str = ""


def shared() -> Path:
    """The folder with the public test data."""
    return Path(os.environ.get("PENGUIN_SHARED", ROOT.parent / "shared"))


def judge(path: Path, level: str) -> Outcome:
    """Compiles and executes one program in this process.

    Only the compiler may decline: an error of the executor on what it was given is a failure.
    """
    with mlir.context():
        try:
            program = programs.rewrite(frontend.load(path))
            compiled = None
            if level != "hlo":
                options = RunOptions(write_reproducers=False)
                compiled = driver.compile(program.module, stop_after=level, run_options=options)
        except programs.UnsupportedType as error:
            return Outcome("unsupported", str(error))
        except UserError as error:
            return Outcome("unsupported", str(error.diagnostics[0]))
        if compiled is not None:
            outputs = compiled.run(program.inputs)
        else:
            outputs = execute.run(program.module, program.inputs)
        failures = program.failures(outputs)
        return Outcome("wrong", "; ".join(failures)) if failures else Outcome("equal")


def _answer(path: Path, level: str, writer: int) -> None:
    """The whole life of a child; never returns."""
    try:
        # A group of its own: the reference interpreter forks again.
        os.setpgid(0, 0)
        try:
            outcome = judge(path, level)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
            outcome = Outcome("failed", text)
        with open(writer, "wb") as pipe:
            pipe.write(pickle.dumps(outcome))
    finally:
        os._exit(0)


class Child:
    """A forked child that judges one program; `file` is readable when it has an answer or died."""

    def __init__(self, entry: programs.Entry, path: Path, level: str, timeout: float) -> None:
        self.entry, self.level = entry, level
        self.deadline = time.monotonic() + timeout
        self._chunks: list[bytes] = []
        reader, writer = os.pipe()
        self.file = reader
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            _answer(path, level, writer)
        os.close(writer)

    def read(self) -> bool:
        """Takes what is there; True when the child has closed its end."""
        chunk = os.read(self.file, 1 << 16)
        self._chunks.append(chunk)
        return not chunk

    def finish(self, *, late: bool = False) -> Outcome:
        if late:
            # Its own children are in its group, once it has made one.
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError):
                    kill(self.pid, signal.SIGKILL)
        os.close(self.file)
        _, status = os.waitpid(self.pid, 0)
        if late:
            return Outcome("failed", "no answer in time")
        data = b"".join(self._chunks)
        if data:
            return pickle.loads(data)
        return Outcome("failed", f"died with status {os.waitstatus_to_exitcode(status)}")


def run_all(
    work: list[tuple[programs.Entry, Path, str]], jobs: int, timeout: float
) -> Iterator[tuple[programs.Entry, str, Outcome]]:
    """Judges everything, `jobs` children at a time, in order of completion."""
    # What is imported before the forks is not imported in each of them, and is of one version.
    known = registry.default()
    for name in known.passes:
        known.load(name)
    sys.stdout.flush()
    sys.stderr.flush()
    todo, running = list(reversed(work)), {}
    while todo or running:
        while todo and len(running) < jobs:
            child = Child(*todo.pop(), timeout)
            running[child.file] = child
        wait = max(0.0, min(child.deadline for child in running.values()) - time.monotonic())
        ready, _, _ = select.select(list(running), [], [], wait)
        now = time.monotonic()
        for file, child in list(running.items()):
            done = file in ready and child.read()
            if done or now > child.deadline:
                del running[file]
                yield child.entry, child.level, child.finish(late=not done)


def table(level: str, results: list[tuple[programs.Entry, Outcome]]) -> str:
    """Verdicts per family, then of all programs, then of the core ones."""
    rows = collections.defaultdict(collections.Counter)
    total, core = collections.Counter(), collections.Counter()
    for entry, outcome in results:
        rows[entry.family][outcome.verdict] += 1
        total[outcome.verdict] += 1
        core[outcome.verdict] += entry.core

    def line(name: str, counts: collections.Counter) -> str:
        cells = "".join(f"{counts[verdict]:>13}" for verdict in VERDICTS)
        return f"{name:<28}{sum(counts.values()):>8}{cells}"

    head = f"{'level ' + level:<28}{'programs':>8}" + "".join(f"{v:>13}" for v in VERDICTS)
    lines = [head, *(line(family, rows[family]) for family in sorted(rows)), line("all", total)]
    count = sum(core.values())
    if count:
        share = 100 * core["equal"] / count
        lines += [
            line("core", core),
            f"core = no scatter, no convolution, no 64-bit and no complex type: "
            f"{core['equal']} of {count} supported ({share:.1f} %)",
        ]
    return "\n".join(lines)


def reasons(results: list[tuple[programs.Entry, Outcome]]) -> str:
    """Why core programs are unsupported: one line a reason, most frequent first."""
    found = collections.defaultdict(list)
    for entry, outcome in results:
        if entry.core and outcome.verdict == "unsupported":
            text = re.sub(r"^\S+: error: |\(.*?\)|tensor<.*?>", "", outcome.detail)
            found[text].append(Path(entry.file).stem)
    lines = sorted(found.items(), key=lambda item: -len(item[1]))
    return "\n".join(f"{len(names):>4}  {text}  ({names[0]})" for text, names in lines)


def parse_arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--level", action="append", choices=LEVELS, help="default: bir")
    parser.add_argument("--family", action="append", help="only programs of this family")
    parser.add_argument("--program", action="append", help="only this program (name or stem)")
    parser.add_argument("--core", action="store_true", help="only the core programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=60, help="seconds a program")
    parser.add_argument("--list-wrong", action="store_true", help="each wrong or failed program")
    parser.add_argument("--list-unsupported", action="store_true", help="reasons, core programs")
    parser.add_argument("--json", type=Path, help="write every verdict to this file")
    return parser.parse_args(argv)


def select_entries(options: argparse.Namespace, entries: list[programs.Entry]) -> list:
    families, names = options.family, options.program
    return [
        entry
        for entry in entries
        if (not families or entry.family in families)
        and (not names or Path(entry.file).name in names or Path(entry.file).stem in names)
        and (not options.core or entry.core)
    ]


def main(argv: list[str] | None = None) -> int:
    options = parse_arguments(argv)
    folder = shared() / "conformance"
    archive = folder / "stablehlo_testdata_dev.tar.gz"
    if not archive.exists():
        print(f"{archive}: no such file; set PENGUIN_SHARED", file=sys.stderr)
        return 1
    levels = options.level or ["bir"]
    entries = select_entries(
        options, programs.index(archive.with_name("stablehlo_testdata_dev.jsonl"))
    )
    results: dict[str, list] = {level: [] for level in levels}
    with tempfile.TemporaryDirectory() as directory:
        files = programs.unpack(archive, Path(directory))
        work = [(e, files[Path(e.file).name], level) for e in entries for level in levels]
        for done, (entry, level, outcome) in enumerate(
            run_all(work, options.jobs, options.timeout), 1
        ):
            results[level].append((entry, outcome))
            if sys.stderr.isatty():
                print(f"\r{done}/{len(work)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)

    bad = 0
    for level in levels:
        found = sorted(results[level], key=lambda item: item[0].file)
        print(table(level, found))
        wrong = [(e, o) for e, o in found if o.verdict in ("wrong", "failed")]
        bad += len(wrong)
        if options.list_wrong:
            for entry, outcome in wrong:
                print(f"{outcome.verdict}  {Path(entry.file).stem}  {outcome.detail}")
        if options.list_unsupported:
            print(reasons(found))
    if options.json:
        rows = [
            {"program": Path(e.file).stem, "level": level, "verdict": o.verdict, "detail": o.detail}
            for level in levels
            for e, o in results[level]
        ]
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
