"""Reproducers: a module, the pipeline that fails on it, and the command that replays it.

The file is MLIR text with upstream's resource section, so that stock tools run it as well when
it names stock passes only:

    // penguin 0.1.0, torch-mlir 20261001: pass 'x' failed
    // replay: penguin-opt --run-reproducer FILE
    <module>
    {-# external_resources: { mlir_reproducer: { pipeline: "...", ... } } #-}
"""

import hashlib
import re
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from penguin.mlir import ir

_SECTION = re.compile(
    r"\{-#\s*external_resources:\s*\{\s*mlir_reproducer:\s*\{(.*?)\}\s*\}\s*#-\}", re.S
)
_STRING = r'"((?:[^"\\]|\\.)*)"'


@dataclass(frozen=True)
class Replay:
    """What a reproducer's section asks for."""

    pipeline: str
    verify_each: bool


def read(text: str) -> Replay | None:
    """The reproducer section of an input; None if it has none."""
    section = _SECTION.search(text)
    if section is None:
        return None
    pipeline = re.search(r"\bpipeline:\s*" + _STRING, section[1], re.S)
    if pipeline is None:
        return None
    verify = re.search(r"\bverify_each:\s*(true|false)", section[1])
    return Replay(_unescape(pipeline[1]), verify is None or verify[1] == "true")


def _unescape(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        simple = {"n": "\n", "t": "\t", "\\": "\\", '"': '"'}
        return simple[code] if code in simple else chr(int(code, 16))

    return re.sub(r'\\([nt\\"]|[0-9A-Fa-f]{2})', one, text)


def _escape(text: str) -> str:
    named = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return "".join(named.get(c, c) for c in text)


def to_text(root: ir.Operation, pipeline: str, headline: str, command: str, verify: bool) -> str:
    """The text of a reproducer; the module is written whole, with its locations."""
    body = root.get_asm(enable_debug_info=True, assume_verified=True)
    flag = "true" if verify else "false"
    headline = " ".join(headline.split())
    return (
        f"// penguin {_version('penguin-mlir')}, torch-mlir {_version('torch-mlir')}: {headline}\n"
        f"// replay: {command}\n"
        f"{body}\n"
        "{-#\n  external_resources: {\n    mlir_reproducer: {\n"
        f'      pipeline: "{_escape(pipeline)}",\n'
        f"      disable_threading: true,\n      verify_each: {flag}\n"
        "    }\n  }\n#-}\n"
    )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except ModuleNotFoundError:
        return "unknown"


def command(path: str, plugins: Sequence[Path] = (), flags: Sequence[str] = ()) -> str:
    """The one command that replays a reproducer."""
    loads = [f"--load-pass-plugin={p}" for p in plugins]
    return shlex.join(["penguin-opt", *loads, *flags, "--run-reproducer", path])


def default_path(pass_name: str, root: ir.Operation) -> str:
    """In the temporary folder, named after pass and content: the same crash, the same file."""
    content = root.get_asm(assume_verified=True, print_generic_op_form=True)
    digest = hashlib.sha256(content.encode()).hexdigest()[:8]
    return str(Path(tempfile.gettempdir()) / f"penguin-{pass_name}-{digest}.mlir")
