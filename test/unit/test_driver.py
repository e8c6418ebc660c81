"""The driver, the executors behind it, and what they say of a program's inputs and outputs."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from penguin import bir, dtypes, execute, frontend, mlir, passes, ports
from penguin.driver import Level, compile, level_of, pipeline_text
from penguin.errors import EXIT_INTERNAL, InternalError, UserError
from penguin.mlir import ir
from penguin.passes.backend.layout_tiling import LayoutTiling
from penguin.report import summary
from penguin.report.movement import Survivor
from penguin.tools import penguin_compile, penguin_run

MODEL = """
func.func @main(%x: tensor<8x4xf32>, %p: tensor<4x8xi1>) -> (tensor<4x8xf32>, tensor<4x8xi1>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %n = stablehlo.negate %t : tensor<4x8xf32>
  %s = stablehlo.select %p, %t, %n : tensor<4x8xi1>, tensor<4x8xf32>
  %q = stablehlo.not %p : tensor<4x8xi1>
  return %s, %q : tensor<4x8xf32>, tensor<4x8xi1>
}
"""
THROUGH = """
func.func @main(%x: tensor<8x4xf32>) -> tensor<32xf32> {
  %r = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}
"""
X = np.arange(32, dtype=np.float32).reshape(8, 4)
P = X.T > 12
EXPECTED = [np.where(P, X.T, -X.T), ~P]

pytestmark = pytest.mark.usefixtures("context")


def code_of(error: pytest.ExceptionInfo[UserError]) -> str:
    assert len(error.value.diagnostics) == 1
    return error.value.diagnostics[0].code


def right(outputs: list[np.ndarray]) -> bool:
    return [a.dtype for a in outputs] == [a.dtype for a in EXPECTED] and all(
        np.array_equal(a, b) for a, b in zip(outputs, EXPECTED, strict=True)
    )


def test_levels_are_reached_in_order_and_compute_the_same() -> None:
    reached = []

    def look(level: Level, module: ir.Module) -> None:
        reached.append(level)
        assert right(execute.run(module, [X, P]))
        assert level_of(module) == (None if level is Level.STABLEHLO else level)

    compiled = compile(frontend.load(MODEL), after_stage=look)
    assert reached == list(Level)
    assert right(compiled.run([X, P]))


@pytest.mark.parametrize("level", Level)
def test_stops_at_a_level_and_goes_on_from_it(level: Level) -> None:
    stopped = compile(frontend.load(MODEL), stop_after=level)
    assert stopped.level is level
    assert right(stopped.run([X, P]))
    text = str(stopped.module)
    on = compile(frontend.load(text))
    assert right(on.run([X, P]))
    assert [r.step.name for r in (*stopped.result.steps, *on.result.steps)][-1] == "allocate"


def test_the_way_down_is_the_named_pipelines() -> None:
    whole = pipeline_text()
    for level in Level:
        assert whole.startswith(pipeline_text(level).rstrip(")"))
    text = ",".join(pipeline for pipeline, _ in passes.PIPELINES.values())
    for record in compile(frontend.load(MODEL)).result.steps:
        assert record.step.name in text


def test_the_target_reaches_the_instructions() -> None:
    assert compile(frontend.load(MODEL), target="trn1").bir.target == "trn1"


def test_data_movement_that_stayed_is_counted() -> None:
    """What goes from the outside to the outside has to be copied."""
    compiled = compile(frontend.load(THROUGH))
    assert compiled.survivors == (Survivor("penguin.memcpy", 1, 8 * 4 * 4),)
    assert compiled.moved is not None
    assert [(m.function, m.destination.name, m.nbytes) for m in compiled.moved] == [
        ("main", "out0", 8 * 4 * 4)
    ]


def test_pass_options_go_to_their_pass() -> None:
    with pytest.raises(UserError) as error:
        compile(frontend.load(MODEL), pass_options={"layout-tiling": "no-such-option=1"})
    assert "no-such-option" in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"target": "trn9"}, "PGR207"),
        ({"stop_after": "loop"}, "PGR209"),
        ({"pass_options": {"layout_tiling": ""}}, "PGR209"),
    ],
)
def test_wrong_arguments(arguments: dict, code: str) -> None:
    with pytest.raises(UserError) as error:
        compile(frontend.load(MODEL), **arguments)
    assert code_of(error) == code


def test_there_is_no_way_up() -> None:
    module = compile(frontend.load(MODEL), stop_after="loops").module
    with pytest.raises(UserError) as error:
        compile(module, stop_after="penguin")
    assert code_of(error) == "PGR208"


UNSUPPORTED = """
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = stablehlo.cholesky %x : tensor<4x4xf32>
  %z = stablehlo.cholesky %y : tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
"""


def test_every_unsupported_op_is_named_at_once() -> None:
    with pytest.raises(UserError) as error:
        compile(frontend.load(UNSUPPORTED))
    found = [(d.code, d.location) for d in error.value.diagnostics]
    assert found == [("PGL001", "<stdin>:3:8"), ("PGL001", "<stdin>:4:8")]


# Ports ---------------------------------------------------------------------------------------


def test_ports_keep_their_names_on_the_way_down() -> None:
    module = frontend.load(MODEL)
    before = ports.signature(module)
    assert [p.name for p in (*before.inputs, *before.outputs)] == ["arg0", "arg1", "out0", "out1"]
    assert [p.type for p in before.inputs] == ["f32[8, 4]", "i1[4, 8]"]
    compiled = compile(module)
    assert ports.signature(module) == compiled.signature == before
    # BIR has bytes for booleans.
    assert [p.type for p in ports.signature(compiled.bir).inputs] == ["f32[8, 4]", "ui8[4, 8]"]


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ([X], "PGR203"),
        ([X.T, P], "PGR204"),
        ([X.astype(np.float64), P], "PGR204"),
        ([X, X], "PGR204"),
    ],
)
@pytest.mark.parametrize("level", ["loops", "bir"])
def test_inputs_that_do_not_fit(inputs: list[np.ndarray], code: str, level: str) -> None:
    compiled = compile(frontend.load(MODEL), stop_after=level)
    with pytest.raises(UserError) as error:
        compiled.run(inputs)
    assert error.value.diagnostics[0].code == code


def test_random_inputs_are_the_same_at_every_level() -> None:
    module = frontend.load(MODEL)
    one = ports.random_inputs(ports.signature(module).inputs, 5)
    two = ports.random_inputs(compile(module).signature.inputs, 5)
    assert [a.dtype for a in one] == [np.float32, np.bool_]
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_bfloat16_survives_npz(tmp_path: Path) -> None:
    port = ports.Port("arg0", dtypes.BY_MLIR["bf16"], (3,))
    array = np.array([1.5, -2, 3], ml_dtypes.bfloat16)
    np.savez(tmp_path / "x.npz", arg0=array)
    (loaded,) = ports.load_inputs(tmp_path / "x.npz", [port])
    assert loaded.dtype == array.dtype
    assert np.array_equal(loaded, array)


def test_outputs_that_cannot_be_compared() -> None:
    out = ports.signature(frontend.load(MODEL)).outputs
    with pytest.raises(UserError) as error:
        execute.compare(EXPECTED, EXPECTED[:1], out)
    assert code_of(error) == "PGR206"
    with pytest.raises(UserError) as error:
        execute.compare(EXPECTED, EXPECTED[::-1], out)
    assert code_of(error) == "PGR206"


def test_bytes_and_booleans_compare() -> None:
    out = ports.signature(frontend.load(MODEL)).outputs
    rows = execute.compare(EXPECTED, [EXPECTED[0] + 1, EXPECTED[1].astype(np.uint8)], out)
    assert [row.comparison.ok for row in rows] == [False, True]


# Report --------------------------------------------------------------------------------------


def test_report_counts_what_is_there() -> None:
    compiled = compile(frontend.load(MODEL))
    data = summary.summarize("m", "bir", compiled.result, compiled.survivors, compiled.bir)
    written = sum(1 for i, _ in compiled.bir.main.walk() if isinstance(i, bir.Instruction))
    assert sum(row["count"] for row in data["instructions"]) == written > 0
    tiles = [t for t in compiled.bir.main.tensors.values() if t.space == "sbuf"]
    ends = [t.addr + t.nbytes // t.shape[0] for t in tiles]
    assert data["memory"]["sbuf"]["peak"] == max(ends) > 0
    assert json.loads(summary.to_json(data)) == data
    text = summary.to_text(data)
    assert "Copies, casts and other data movement that stayed" in text
    assert "allocate" in text


# Faults of ours ------------------------------------------------------------------------------


@pytest.fixture
def broken_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: LayoutTiling, func: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(LayoutTiling, "run", run)


@pytest.mark.usefixtures("broken_pass")
def test_a_crash_names_the_pass_and_leaves_a_reproducer() -> None:
    with pytest.raises(InternalError) as error:
        compile(frontend.load(MODEL))
    assert "layout-tiling" in error.value.pass_name
    assert "layout-tiling" in Path(error.value.reproducer).read_text()


@pytest.mark.usefixtures("broken_pass")
def test_the_tool_ends_with_70_and_the_replay_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.mlir").write_text(MODEL)
    output = tmp_path / "m.bir"
    status = penguin_compile.main([str(tmp_path / "m.mlir"), "-o", str(output)])
    captured = capsys.readouterr()
    assert status == EXIT_INTERNAL
    assert captured.out == ""
    assert not output.exists()
    assert "layout-tiling" in captured.err
    assert "penguin-opt --run-reproducer" in captured.err
    assert "Traceback" not in captured.err


def test_a_crash_of_the_executor_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*args: object) -> None:
        raise RuntimeError("planted")

    (tmp_path / "m.mlir").write_text(MODEL)
    monkeypatch.setattr(execute, "run", run)
    assert penguin_run.main([str(tmp_path / "m.mlir")]) == EXIT_INTERNAL
    captured = capsys.readouterr()
    assert "planted" in captured.err
    assert "Traceback" not in captured.err


def test_modules_do_not_outlive_the_run(tmp_path: Path) -> None:
    """The tool enters a context of its own, also inside another one."""
    (tmp_path / "m.mlir").write_text(MODEL)
    outer = ir.Context.current
    assert penguin_compile.main([str(tmp_path / "m.mlir"), "-o", str(tmp_path / "m.bir")]) == 0
    assert ir.Context.current is outer
    assert bir.from_text((tmp_path / "m.bir").read_text()).target == "trn2"
    assert mlir.walk(frontend.load(MODEL).operation)
