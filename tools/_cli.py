"""What the command-line tools share: streams, exit statuses, errors, files, progress.

Exit status: 0 fine; 1 the user's input or flags are at fault, with a located message; 70 our fault,
with the pass's name, a reproducer and the command that replays it. stdout carries only the result,
everything else goes to stderr. No traceback unless `--debug`. Files are written under a
temporary name and renamed, so that a failure leaves no half-written output.
"""

import contextlib
import errno
import io
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from penguin.errors import EXIT_INTERNAL, EXIT_USER, Diagnostic, InternalError, UserError

# What shells report for a process that SIGINT ended.
EXIT_INTERRUPTED = 130
_STYLES = {"error": "1;31", "warning": "1;35", "note": "1;36", "remark": "1;34"}
_SEVERITY = re.compile(r"(^|: |  )(error|warning|note|remark|internal error): ")


@dataclass
class Streams:
    """The standard streams of one run, and whether stderr is coloured."""

    stdin: IO[Any]
    stdout: IO[Any]
    stderr: IO[str]
    color: bool = False
    debug: bool = False

    def report(self, diagnostic: Diagnostic) -> None:
        """Prints one finding to stderr."""
        text = str(diagnostic)
        if self.color:
            text = _SEVERITY.sub(self._painted, text)
        self.stderr.write(text + "\n")

    def _painted(self, match: re.Match[str]) -> str:
        style = _STYLES.get(match[2], _STYLES["error"])
        return f"{match[1]}\033[{style}m{match[2]}:\033[0m "


def run_tool(
    name: str,
    body: Callable[[list[str], Streams], int],
    argv: list[str] | None,
    stdin: IO[Any] | None,
    stdout: IO[Any] | None,
    stderr: IO[str] | None,
) -> int:
    """Runs a tool's body and turns what it raises into messages and an exit status."""
    args = sys.argv[1:] if argv is None else list(argv)
    # A standard stream is None if the file descriptor is closed.
    err = stderr or sys.stderr or io.StringIO()
    out = stdout or _utf8(sys.stdout) or _Closed()
    streams = Streams(stdin or sys.stdin or _Closed(), out, err, _wants_color(args, err))
    streams.debug = "--debug" in args
    try:
        status = body(args, streams)
        streams.stdout.flush()
        return status
    except UserError as error:
        for diagnostic in error.diagnostics:
            place = diagnostic.location or name
            if "-" in args and (place == "-" or place.startswith("-:")):
                # What MLIR calls text from memory.
                place = shown_name("-") + place[1:]
            streams.report(replace(diagnostic, location=place))
        _trace(streams)
        return EXIT_USER
    except InternalError as error:
        report_internal(name, streams, error)
        return EXIT_INTERNAL
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _abandon(streams)
        return EXIT_USER
    except OSError as error:
        # Errors of files are caught where the files are used; those of streams end here.
        _abandon(streams)
        reason = error.strerror or str(error)
        streams.report(Diagnostic("PGP014", f"cannot write to stdout: {reason}", name))
        _trace(streams)
        return EXIT_USER
    except Exception as error:
        report_internal(name, streams, InternalError(name, f"{type(error).__name__}: {error}"))
        return EXIT_INTERNAL


class _Closed(io.TextIOBase):
    """Stands for a closed stream; an error only when it is used."""

    def read(self, size: int | None = -1) -> str:
        raise OSError(errno.EBADF, "the stream is closed")

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "the stream is closed")


def _utf8(stream: Any) -> Any:
    """A result is UTF-8 on stdout as it is in files, whatever the locale."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    return stream


def _abandon(streams: Streams) -> None:
    """Nobody can read our output; keeps the interpreter from complaining at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), streams.stdout.fileno())


def report_internal(name: str, streams: Streams, error: InternalError) -> None:
    """Says which part failed, where the reproducer is and how to replay it."""
    for finding in getattr(error, "findings", ()):
        streams.report(finding)
    notes = []
    if error.reproducer:
        notes.append(f"reproducer written to {error.reproducer}")
        command = getattr(error, "command", "")
        notes.append(
            f"replay with: {command or f'penguin-opt --run-reproducer {error.reproducer}'}"
        )
    elif not streams.debug:
        notes.append("run again with --debug for a traceback")
    code = getattr(error, "code", "") or "PGX001"
    streams.report(Diagnostic(code, str(error), name, "error", tuple(notes)))
    _trace(streams)


def _trace(streams: Streams) -> None:
    if streams.debug:
        streams.stderr.write(traceback.format_exc())


def _wants_color(args: list[str], stream: IO[str]) -> bool:
    if "--color" in args or "--color=true" in args:
        return True
    if "--color=false" in args or os.environ.get("NO_COLOR"):
        return False
    return stream.isatty()


# Files -----------------------------------------------------------------------------------------


def read_input(path: str, streams: Streams) -> bytes:
    """The content of a file, or of stdin for `-`; raises `UserError`."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise UserError.at("PGP012", f"the name of the input file {path!r} is not UTF-8") from None
    try:
        if path == "-":
            source = getattr(streams.stdin, "buffer", streams.stdin)
            content = source.read()
            return content.encode() if isinstance(content, str) else content
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        reason = error.strerror or str(error)
        what = "stdin" if path == "-" else f"the input file '{path}'"
        raise UserError.at("PGP012", f"cannot read {what}: {reason}") from error


def shown_name(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == "-" else path


def write_output(path: str, content: str | bytes, streams: Streams) -> None:
    """Writes a result to a file, whole or not at all, or to stdout for `-`."""
    if path != "-":
        write_file(path, content)
        return
    if isinstance(content, str):
        streams.stdout.write(content)
        return
    target = getattr(streams.stdout, "buffer", streams.stdout)
    if isinstance(target, io.TextIOBase):
        raise UserError.at("PGP014", "cannot write bytecode to a text stream, use -o FILE")
    target.write(content)


def write_file(path: str, content: str | bytes) -> None:
    """Writes a temporary file beside `path`, or beside what it links to, and renames it."""
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            # A device or pipe is written in place; a folder refuses by itself.
            with target.open("wb") as stream:
                stream.write(data)
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException as error:
        # Also when the user interrupts.
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def check_writable(path: str) -> None:
    """Raises `UserError` early if `path` cannot become an output file."""
    target = Path(path)
    if path == "-" or (target.exists() and not target.is_dir() and os.access(target, os.W_OK)):
        return
    if target.is_dir():
        raise UserError.at("PGP014", f"cannot write the output file '{path}': it is a folder")
    if not target.parent.is_dir():
        raise UserError.at(
            "PGP014", f"cannot write the output file '{path}': there is no folder '{target.parent}'"
        )
    if not os.access(target.parent, os.W_OK) or target.exists():
        raise UserError.at("PGP014", f"cannot write the output file '{path}': permission denied")


def check_folder(path: str) -> None:
    """Makes the folder; raises `UserError` if that is impossible."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError.at("PGP014", f"cannot write into the folder '{path}': {reason}") from error


def _unwritable(path: str, error: OSError) -> UserError:
    reason = error.strerror or str(error)
    return UserError.at("PGP014", f"cannot write the output file '{path}': {reason}")


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or what a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


# Information -----------------------------------------------------------------------------------


def version_text(tool: str) -> str:
    """The versions of penguin and of what decides its behaviour."""
    lines = [f"{tool} {_version('penguin-mlir')}"]
    lines += [f"  {name} {_version(name)}" for name in ("torch-mlir", "jax", "jaxlib", "numpy")]
    lines.append(f"  python {sys.version.split()[0]}")
    return "\n".join(lines) + "\n"


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def codes() -> list[str]:
    """All codes that have a page."""
    pages = resources.files("penguin.codes").iterdir()
    return sorted(page.name[:-3] for page in pages if page.name.endswith(".md"))


def explain(code: str) -> str:
    """The page of a code; raises `UserError` if there is none."""
    from penguin.passlib.options import did_you_mean

    known = codes()
    if code.upper() not in known:
        hint = did_you_mean(code.upper(), known) or f"; there are {', '.join(known)}"
        raise UserError.at("PGP018", f"there is no code '{code}'{hint}")
    return (resources.files("penguin.codes") / f"{code.upper()}.md").read_text(encoding="utf-8")


class Progress:
    """One line on stderr, rewritten in place, once work takes longer than a second.

    Silent unless stderr is a terminal.
    """

    DELAY = 1.0

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream if stream.isatty() else None
        self.start = time.monotonic()
        self.width = 0

    def __call__(self, text: str) -> None:
        if self.stream is None or time.monotonic() - self.start < self.DELAY:
            return
        text = text[:78]
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def done(self) -> None:
        """Clears the line."""
        if self.stream is not None and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


@contextlib.contextmanager
def progress(streams: Streams) -> Iterator[Progress]:
    """A progress line that is gone before anything else is printed."""
    line = Progress(streams.stderr)
    try:
        yield line
    finally:
        line.done()
