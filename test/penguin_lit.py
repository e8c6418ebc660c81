"""The lit format of this suite: lit's own shell, with known programs forked instead of started.

A test that runs `penguin-opt %s | filecheck %s` spends its time in starting two interpreters and
importing the bindings. Here the lit worker has imported both programs once; a command that names
one of them becomes a fork of the worker that calls the program's console entry point with the
command's arguments, streams, environment and working directory. Everything else is as with
`lit.formats.ShTest`: the shell is lit's (pipes, `&&`, redirections, `not`, `env`), a program that
is not known is started, and a crash ends the child alone.

Files:
  *.mlir, *.test   RUN lines
  test_*.py        a pytest file, one lit test each; skipped as a whole = UNSUPPORTED

A test that runs longer than `-Dtimeout=SECONDS` is killed with its children: TIMEOUT.
"""

import faulthandler
import gc
import importlib
import importlib.metadata
import io
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import lit.formats
import lit.Test
import lit.TestRunner

# The distributions whose console programs are forked.
_DISTRIBUTIONS = ("penguin-mlir", "filecheck", "pytest")
# Slow imports of the test files themselves, and what the tools import when there is work to do.
_MODULES = ("hypothesis", "hypothesis.strategies", "penguin.tools._opt_driver", "penguin.execute")
_PYTEST_FLAGS = (
    *("-q", "-rs", "-p", "no:cacheprovider", "--color=no"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

_programs: dict[str, Callable[[], Any]] = {}
_running: "list[ForkedProgram | subprocess.Popen[str]]" = []


class _OutOfTime(Exception):
    """Raised by the alarm, caught by `PenguinFormat.execute`."""


def preload() -> dict[str, str]:
    """Imports the known programs; returns those that failed, which will be started instead."""
    failed = {}
    for name in _DISTRIBUTIONS:
        for entry in importlib.metadata.distribution(name).entry_points:
            if entry.group != "console_scripts":
                continue
            try:
                _programs[entry.name] = entry.load()
            except Exception as error:
                failed[entry.name] = f"{type(error).__name__}: {error}"
    for name in _MODULES:
        importlib.import_module(name)
    # What is imported stays: keep the collector from touching, hence copying, these pages.
    gc.freeze()
    return failed


class ForkedProgram:
    """The part of `subprocess.Popen` that lit's shell uses, for a program already imported."""

    def __init__(
        self,
        args: Sequence[str],
        *,
        cwd: str,
        stdin: Any,
        stdout: Any,
        stderr: Any,
        env: Mapping[str, str],
    ) -> None:
        self.returncode: int | None = None
        child_in, self.stdin = _source(stdin)
        child_out, self.stdout = _sink(stdout, 1)
        child_err, self.stderr = child_out, None
        if stderr != subprocess.STDOUT:
            child_err, self.stderr = _sink(stderr, 2)
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            main = _programs[os.path.basename(args[0])]
            _child(main, args, cwd, env, (child_in, child_out, child_err))
        for given, fd in ((stdin, child_in), (stdout, child_out), (stderr, child_err)):
            if given == subprocess.PIPE:
                os.close(fd)

    def wait(self) -> int:
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode

    def communicate(self) -> tuple[str | None, str | None]:
        """Reads both pipes to their ends; a full pipe never blocks the other."""
        pipes = {p.fileno(): bytearray() for p in (self.stdout, self.stderr) if p is not None}
        _drain(pipes)
        texts = [
            None if p is None else pipes[p.fileno()].decode("utf-8", "replace")
            for p in (self.stdout, self.stderr)
        ]
        self.wait()
        return texts[0], texts[1]


def _drain(pipes: dict[int, bytearray]) -> None:
    waiting = list(pipes)
    while waiting:
        for fd in select.select(waiting, [], [])[0]:
            data = os.read(fd, 1 << 16)
            pipes[fd] += data
            if not data:
                waiting.remove(fd)


def _source(stdin: Any) -> tuple[int, Any]:
    """The child's descriptor and, for a pipe, our end of it."""
    if stdin != subprocess.PIPE:
        return _descriptor(stdin, 0), None
    read, write = os.pipe()
    return read, open(write, "w", encoding="utf-8")


def _sink(stream: Any, inherited: int) -> tuple[int, Any]:
    if stream != subprocess.PIPE:
        return _descriptor(stream, inherited), None
    read, write = os.pipe()
    return write, open(read, encoding="utf-8", errors="replace")


def _descriptor(stream: Any, inherited: int) -> int:
    if stream is None:
        return inherited
    return stream if isinstance(stream, int) else stream.fileno()


def _child(
    main: Callable[[], Any],
    args: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    fds: Sequence[int],
) -> None:
    """Never returns: the program's status, or 1 and a traceback as the interpreter would give."""
    status = 1
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGALRM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(0)
        # Through high numbers first: a source may itself be 0, 1 or 2.
        high = [os.dup(fd) for fd in fds]
        for target, fd in enumerate(high):
            os.dup2(fd, target)
            os.close(fd)
        sys.stdin = open(0, encoding="utf-8", closefd=False)
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace", line_buffering=True
        )
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
        faulthandler.enable(sys.stderr)
        os.environ.clear()
        os.environ.update(env)
        # Found by the parent: the child has a TMPDIR of its own.
        tempfile.tempdir = None
        os.chdir(cwd)
        sys.argv = list(args)
        status = _status(main)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _status(main: Callable[[], Any]) -> int:
    """What `sys.exit(main())` gives."""
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def _start(args: Sequence[str], **options: Any) -> "ForkedProgram | subprocess.Popen[str]":
    """Stands in for `subprocess.Popen` inside lit's shell."""
    if os.path.basename(args[0]) in _programs:
        names = ("cwd", "stdin", "stdout", "stderr", "env")
        process = ForkedProgram(args, **{name: options[name] for name in names})
    else:
        process = subprocess.Popen(args, start_new_session=True, **options)
    _running.append(process)
    return process


def _ring(number: int, frame: Any) -> None:
    for process in _running:
        if process.returncode is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    raise _OutOfTime


class PenguinFormat(lit.formats.ShTest):
    """RUN lines and pytest files, with known programs forked; `timeout` is seconds per test."""

    def __init__(self, timeout: int) -> None:
        super().__init__(execute_external=False)
        self.timeout = timeout

    def getTestsForPath(self, suite: Any, path: Any, lit_config: Any, config: Any) -> Any:
        name = path[-1]
        if name.endswith((".mlir", ".test")) or re.fullmatch(r"test_\w+\.py", name):
            yield lit.Test.Test(suite, path, config)

    def execute(self, test: Any, lit_config: Any) -> lit.Test.Result:
        if not _programs:
            preload()
        _running.clear()
        shell = types.SimpleNamespace(**vars(subprocess))
        shell.Popen = _start
        original, lit.TestRunner.subprocess = lit.TestRunner.subprocess, shell
        signal.signal(signal.SIGALRM, _ring)
        signal.alarm(self.timeout)
        try:
            if test.getSourcePath().endswith(".py"):
                return self._pytest(test, lit_config)
            return super().execute(test, lit_config)
        except _OutOfTime:
            return lit.Test.Result(lit.Test.TIMEOUT, f"killed after {self.timeout} s")
        finally:
            signal.alarm(0)
            lit.TestRunner.subprocess = original

    def _pytest(self, test: Any, lit_config: Any) -> lit.Test.Result:
        if lit_config.noExecute:
            return lit.Test.Result(lit.Test.PASS)
        folder, base = lit.TestRunner.getTempPaths(test)
        os.makedirs(folder, exist_ok=True)
        program = shutil.which("pytest", path=test.config.environment["PATH"]) or "pytest"
        with open(os.devnull) as nothing:
            process = _start(
                [program, *_PYTEST_FLAGS, f"--basetemp={base}.tmp", test.getSourcePath()],
                cwd=folder,
                stdin=nothing,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=test.config.environment,
            )
        output = process.communicate()[0] or ""
        if process.returncode != 0:
            return lit.Test.Result(lit.Test.FAIL, f"{output}\nexit status {process.returncode}")
        # Exit status 0 with nothing passed: every test of the file was skipped.
        ran = re.search(r"\b\d+ (passed|xfailed|xpassed)\b", output)
        return lit.Test.Result(lit.Test.PASS if ran else lit.Test.UNSUPPORTED, output)
