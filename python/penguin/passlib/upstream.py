"""Upstream's passes: does the name exist, are the options right? Asks the bindings' own parser."""

import contextlib
import functools
import os
import re
import tempfile

from penguin.mlir import PassManager, guard, stablehlo_bindings


@functools.cache
def exists(name: str) -> bool:
    """Whether the bindings know a pass or pipeline of this name."""
    fault = check(f"any({name})")
    return fault is None or "does not refer to a registered pass" not in fault


@functools.cache
def check(pipeline: str) -> str | None:
    """Why the bindings do not accept the pipeline; None if they do."""
    stablehlo_bindings()
    # A wrong value of an option is reported by LLVM's own parser, on file descriptor 2 only.
    captured = _Captured() if "{" in pipeline else None
    try:
        with captured or contextlib.nullcontext(), guard():
            PassManager.parse(pipeline)
    except ValueError as error:
        return _one_line(f"{captured.text if captured is not None else ''}\n{error}")
    return None


def _one_line(text: str) -> str:
    kept = []
    for line in text.splitlines():
        line = re.sub(
            r"^(MLIR Textual PassPipeline Parser:\d+:\d+: error: |<[^>]*>: |: )", "", line
        )
        if line.strip() and not re.fullmatch(r"\s*\^\s*", line):
            kept.append(line.strip())
    return kept[0] if kept else "not accepted"


class _Captured:
    """Redirects file descriptor 2 into a file while C++ code may write to it."""

    text = ""

    def __enter__(self) -> "_Captured":
        self._saved = os.dup(2)
        self._file = tempfile.TemporaryFile()
        os.dup2(self._file.fileno(), 2)
        return self

    def __exit__(self, *exc: object) -> None:
        os.dup2(self._saved, 2)
        os.close(self._saved)
        self._file.seek(0)
        self.text = self._file.read().decode(errors="replace")
        self._file.close()
