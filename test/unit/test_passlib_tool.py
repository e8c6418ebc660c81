"""penguin-opt in process: exit statuses, one located message, no half-written output."""

import io
import os
import re
from pathlib import Path

import pytest

from penguin.tools import _cli, penguin_opt
from penguin.tools._opt_flags import GROUPS

_GOOD = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
_LOCATED = re.compile(r"^\S+: (error|internal error): \S", re.M)


def run(*argv: str, stdin: str | bytes = "") -> tuple[int, str, str]:
    """Exit status, stdout, stderr."""
    source = io.StringIO(stdin) if isinstance(stdin, str) else io.BytesIO(stdin)
    out, err = io.StringIO(), io.StringIO()
    status = penguin_opt.main(list(argv), source, out, err)
    return status, out.getvalue(), err.getvalue()


def test_stdin_to_stdout_and_nothing_on_stderr() -> None:
    status, out, err = run(stdin=_GOOD)
    assert (status, err) == (0, "")
    assert "func.func @main" in out and out.endswith("}\n")


@pytest.mark.parametrize(
    ("argv", "stdin", "code", "message"),
    [
        ([], "", "PGP013", "<stdin>: error: the input is empty"),
        ([], " \n\n", "PGP013", "the input is empty"),
        ([], b"\xff\xfe\x00x", "PGP013", "neither bytecode nor UTF-8 text (byte 0)"),
        (["missing.mlir"], "", "PGP012", "'missing.mlir': No such file or directory"),
        (["."], "", "PGP012", "'.': Is a directory"),
        (["a.mlir", "b.mlir"], "", "PGP011", "expected one input file, got 2: a.mlir, b.mlir"),
        (["-o", "no/such/folder/x"], _GOOD, "PGP014", "there is no folder 'no/such/folder'"),
        (["-o", "."], _GOOD, "PGP014", "it is a folder"),
        (["-o"], _GOOD, "PGP011", "-o needs a value"),
        (["--cannonicalize"], _GOOD, "PGP010", "did you mean '--canonicalize'?"),
        (["--mlir-timng"], _GOOD, "PGP010", "did you mean '--mlir-timing'?"),
        (["--lower-tensr-op"], _GOOD, "PGP010", "did you mean '--lower-tensor-op'?"),
        (["--zzz"], _GOOD, "PGP010", "see --help"),
        (["--emit-bytecode=maybe"], _GOOD, "PGP011", "takes no value"),
        (["--rewrite-limit=x"], _GOOD, "PGP011", "a value of type int, got 'x'"),
        (["--remark-format=bitstream"], _GOOD, "PGP011", "one of emitRemark, yaml"),
        (["--remarks-filter=("], _GOOD, "PGP011", "no regular expression"),
        (["--pass-pipeline=builtin.module(cse"], _GOOD, "PGP001", "--pass-pipeline:1:15: error"),
        (["--pass-pipeline=builtin.module(cze)"], _GOOD, "PGP002", "did you mean 'cse'?"),
        (["--canonicalize=max-iterations=x"], _GOOD, "PGP008", "'x' value invalid"),
        (["--lower-tensor-op=no=1"], _GOOD, "PGP003", "no option 'no'"),
        (["--disable-pass=csee"], _GOOD, "PGP002", "did you mean 'cse'?"),
        (["--mlir-print-ir-after=cse,zz"], _GOOD, "PGP002", "unknown pass 'zz'"),
        (["--run-reproducer"], _GOOD, "PGP015", "<stdin>: error: the input has no section"),
        (["--load-pass-plugin=nowhere.py"], _GOOD, "PGP017", "'nowhere.py'"),
        (["--explain=PGP999"], "", "PGP018", "there is no code 'PGP999'"),
        (["--emit-bytecode"], _GOOD, "PGP014", "use -o FILE"),
        ([], "func.func @f() {\n  return %x\n}", "", "<stdin>:2:12: error: expected ':'"),
        ([], "func.func @f() {\n  x.y\n}", "", "<stdin>:2:3: error: Dialect `x' not found"),
        ([], "module {", "", "<stdin>:1:"),
    ],
)
def test_faults_of_the_user_are_one_located_message(
    argv: list[str], stdin: str | bytes, code: str, message: str
) -> None:
    status, out, err = run(*argv, stdin=stdin)
    assert (status, out) == (1, "")
    assert message in err
    assert f"[{code}]" in err if code else "[" not in err
    assert len(_LOCATED.findall(err)) == 1
    assert "Traceback" not in err


def test_debug_adds_the_traceback() -> None:
    assert "Traceback" in run("--debug", "missing.mlir")[2]


@pytest.fixture
def plugin(root: Path) -> str:
    path = root / "test" / "passes" / "framework" / "Inputs" / "framework_passes.py"
    return f"--load-pass-plugin={path}"


def test_bugs_exit_with_70_and_keep_old_output(plugin: str, tmp_path: Path) -> None:
    output, crash = tmp_path / "out.mlir", tmp_path / "crash.mlir"
    output.write_text("old")
    reproducer = f"--mlir-pass-pipeline-crash-reproducer={crash}"
    status, out, err = run(plugin, "--test-crash", "-o", str(output), reproducer, stdin=_GOOD)
    assert (status, out, output.read_text()) == (70, "", "old")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["crash.mlir", "out.mlir"]
    assert "pass 'test-crash'" in err and f"--run-reproducer {crash}" in err
    assert "Traceback" not in err


def test_user_errors_of_passes_exit_with_1(plugin: str) -> None:
    text = 'func.func @f() {\n  return {test.error = "planted"}\n}\n'
    status, out, err = run(plugin, "--test-diagnostics", stdin=text)
    assert (status, out) == (1, "")
    assert "<stdin>:2:3: error: planted [PGT999]\n<stdin>:1:1: note: in this function" in err


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "x"
    _cli.write_file(str(path), "one")
    os.chmod(path, 0o640)
    _cli.write_file(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]
    link = tmp_path / "link"
    link.symlink_to(path)
    _cli.write_file(str(link), "three")
    assert link.is_symlink() and path.read_text() == "three"


def test_devices_are_written_in_place() -> None:
    _cli.write_file(os.devnull, "x")
    assert not Path(os.devnull).is_file()


def test_bytecode_to_a_byte_stream(tmp_path: Path) -> None:
    path = tmp_path / "x.bc"
    assert run("--emit-bytecode", "-o", str(path), stdin=_GOOD)[0] == 0
    content = path.read_bytes()
    assert content.startswith(b"ML\xefR")
    status, out, _ = run(stdin=content)
    assert status == 0 and "func.func @main" in out
    assert run("--split-input-file", stdin=content)[0] == 1


def test_colour_is_for_terminals_or_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def colours(*argv: str) -> bool:
        err = Terminal()
        penguin_opt.main([*argv, "missing.mlir"], io.StringIO(), io.StringIO(), err)
        return "\033[1;31merror:" in err.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colours() and not colours("--color=false")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours() and colours("--color")
    assert "\033" not in run("missing.mlir")[2]


def test_progress_is_for_terminals_and_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    short, long, file = Terminal(), Terminal(), io.StringIO()
    _cli.Progress(short)("working")
    monkeypatch.setattr(_cli.Progress, "DELAY", 0.0)
    line = _cli.Progress(long)
    line("working")
    line.done()
    _cli.Progress(file)("working")
    assert short.getvalue() == file.getvalue() == ""
    assert long.getvalue() == "\rworking" + "\r" + " " * 7 + "\r"


def test_help_names_every_flag_and_fits_the_screen() -> None:
    text = run("--help")[1]
    for flags in GROUPS.values():
        for flag in flags:
            assert flag.spelling in text or flag.name == "h", flag.name
    assert max(map(len, text.splitlines())) <= 120


def test_targets_of_the_flag_are_those_of_the_dialect() -> None:
    from penguin.dialects.bir.target import TARGETS

    (flag,) = [f for f in GROUPS["Input and output"] if f.name == "target"]
    assert flag.choices == tuple(TARGETS)
