"""Inputs that nobody should give: one located message and status 1, from every tool."""

import io

import numpy as np
import pytest

from penguin.tools import _cli, penguin_compile, penguin_opt, penguin_run

MODEL = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
CALL = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
DECLARATION = "func.func private @callee(tensor<4xf32>) -> tensor<4xf32>\n"
RESOURCE = """func.func @main() -> tensor<4xf32> {
  %0 = stablehlo.constant dense_resource<r> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
SHORT = '{-# dialect_resources: { builtin: { r: "0x0400000000000000" } } #-}\n'


def call(tool, *argv: str, stdin: str = "") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = tool.main(list(argv), io.StringIO(stdin), out, err)
    return status, out.getvalue(), err.getvalue()


def refused(tool, *argv: str, stdin: str = "") -> str:
    """The one message of a run that must fail."""
    status, out, err = call(tool, *argv, stdin=stdin)
    assert (status, out) == (1, ""), err
    assert "Traceback" not in err
    assert err.count("error:") == 1, err
    return err


@pytest.mark.parametrize("tool", [penguin_compile, penguin_run])
@pytest.mark.parametrize(
    "text, code",
    [
        ('{"a":' * 100_000, "PGB005"),
        ("module trn2 a=" + "[" * 10_000, "PGB001"),
        (
            "module trn2\nfunc main {\n" + "".join(f"for i{n} = 0 to 1 {{\n" for n in range(5000)),
            "PGB001",
        ),
    ],
    ids=["json", "attribute", "loops"],
)
def test_nested_too_deeply(tool, text: str, code: str) -> None:
    message = refused(tool, "-", stdin=text)
    assert "nested too deeply" in message
    assert code in message


@pytest.mark.parametrize(
    "text, code, found",
    [
        (CALL.replace("@callee", "@main"), "PGR223", "<stdin>:2:8: error: recursive call of @main"),
        (DECLARATION + CALL, "PGR223", "<stdin>:3:8: error: call of @callee, which has no body"),
        (DECLARATION, "PGR201", "0 public functions"),
        (MODEL.replace("@main", "private @main"), "PGR201", "0 public functions"),
        (
            RESOURCE,
            "PGR223",
            "<stdin>:2:8: error: constant dense_resource<r> : tensor<4xf32> has no",
        ),
        (RESOURCE + SHORT, "PGR223", "has 4 bytes of data, expected 16"),
    ],
    ids=["recursive", "no-body", "declaration", "private", "no-resource", "short-resource"],
)
@pytest.mark.parametrize("oracle", ["auto", "reference", "jax"])
def test_programs_that_end_an_executor(text: str, code: str, found: str, oracle: str) -> None:
    message = refused(penguin_run, "-", f"--oracle={oracle}", stdin=text)
    assert f"[{code}]" in message
    assert found in message


@pytest.mark.parametrize(
    "text, found",
    [(RESOURCE, "its value has no data"), (RESOURCE + SHORT, "4 bytes of data, expected 16")],
)
def test_a_resource_that_does_not_fit_is_not_compiled(text: str, found: str) -> None:
    assert found in refused(penguin_compile, "-", stdin=text)


@pytest.mark.parametrize("text", [RESOURCE, RESOURCE + SHORT])
def test_a_resource_that_does_not_fit_is_not_interpreted(text: str) -> None:
    status, loops, err = call(penguin_compile, "-", "--emit=loops", stdin=text)
    assert status == 0, err
    assert "[PGR223]" in refused(penguin_run, "-", stdin=loops)


def test_an_explicitly_public_function_is_an_entry() -> None:
    text = MODEL.replace("@main", "public @other")
    status, _, err = call(penguin_compile, "-", "--compare=reference", stdin=text)
    assert status == 0, err


@pytest.mark.parametrize("content", ["nothing", "one array", "bytes"])
def test_npz_files_that_are_none(tmp_path, content: str) -> None:
    import zipfile

    path = tmp_path / "x.npz"
    if content == "nothing":
        path.write_bytes(b"")
    elif content == "one array":
        with path.open("wb") as stream:
            np.save(stream, np.zeros(4, np.float32))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("arg0", b"junk")
    message = refused(penguin_run, "-", f"--inputs={path}", stdin=MODEL)
    assert message.startswith(f"{path}: error: ")


@pytest.mark.parametrize(
    "tool, argv, found",
    [
        (penguin_compile, ["--seed=-1"], "--seed expects a number from 0 to"),
        (penguin_compile, ["--verify-semantics=-1"], "expects a number from 0 to"),
        (penguin_compile, ["--emit="], "--emit needs a value"),
        (penguin_compile, ["--emit=,"], "--emit needs a value"),
        (penguin_opt, [f"--mlir-elide-elementsattrs-if-larger={2**64}"], "from 0 to"),
        (penguin_run, ["--save-outputs=-"], "cannot write arrays to stdout"),
    ],
)
def test_values_of_flags(tool, argv: list[str], found: str) -> None:
    assert found in refused(tool, "-", *argv, stdin=MODEL)


def test_names_of_files(tmp_path) -> None:
    script = tmp_path / "model.py"
    script.write_text("def f(): pass\n")
    assert "expected file.py:function [PGI008]" in refused(penguin_compile, str(script))
    assert "No such file" in refused(penguin_compile, "")
    assert "is not UTF-8 [PGP012]" in refused(penguin_opt, "x\udcff.mlir")


def test_reports_on_stdout(tmp_path) -> None:
    """`-` is stdout for every file that is text."""
    status, out, err = call(
        penguin_compile, "-", "-o", str(tmp_path / "o"), "--report-file=-", stdin=MODEL
    )
    assert status == 0, err
    assert "DMA" in out


def test_an_interrupt_leaves_no_file(tmp_path, monkeypatch) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_cli.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _cli.write_file(str(tmp_path / "out"), "text")
    assert list(tmp_path.iterdir()) == []
