"""Standard streams that are closed, full or of another encoding: no traceback, ever."""

import os
import subprocess
import sys

import pytest

MODEL = """func.func @"n\u00e4me"(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
COMPILE = "penguin.tools.penguin_compile"
OPT = "penguin.tools.penguin_opt"


def run(
    tool: str, redirections: str = "", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    command = f'"$0" -m {tool} - {redirections}'
    return subprocess.run(
        ["sh", "-c", command, sys.executable],
        input=MODEL.encode(),
        capture_output=True,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_a_reader_that_has_gone() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as stdout:
        done = subprocess.run(
            [sys.executable, "-m", OPT, "--help"], stdout=stdout, stderr=subprocess.PIPE, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("tool", [COMPILE, OPT])
def test_a_full_device(tool: str) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    done = run(tool, ">/dev/full")
    assert done.returncode == 1
    assert done.stderr.endswith(
        b"error: cannot write to stdout: No space left on device [PGP014]\n"
    )


@pytest.mark.parametrize(
    "redirection, message",
    [
        (">&-", b"cannot write to stdout: the stream is closed [PGP014]"),
        ("<&-", b"cannot read stdin: the stream is closed [PGP012]"),
    ],
)
def test_closed_streams(redirection: str, message: bytes) -> None:
    done = run(OPT, redirection)
    assert done.returncode == 1
    assert message in done.stderr
    assert b"Traceback" not in done.stderr


def test_stderr_closed() -> None:
    done = run(COMPILE, "2>&-")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"module trn2")


def test_results_are_utf8_in_any_locale() -> None:
    done = run(COMPILE, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert 'func "n\u00e4me"'.encode() in done.stdout
