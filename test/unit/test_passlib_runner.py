"""Running pipelines: contracts, crashes, reproducers, semantics."""

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penguin import mlir, oracle, ports
from penguin.errors import EXIT_INTERNAL, InternalError, UserError
from penguin.mlir import ir
from penguin.passlib import RunOptions, contracts, reproducer, run_pipeline
from penguin.passlib import registry as registries
from penguin.passlib.pass_ import Session
from penguin.passlib.registry import Registry
from penguin.passlib.remarks import Filter, Kind, Remarks
from penguin.passlib.runner import PassCrash
from penguin.passlib.semantics import Semantics
from penguin.tools import penguin_opt

_PLUGIN = Path(__file__).parents[1] / "passes" / "framework" / "Inputs" / "framework_passes.py"
_ADD = """
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = stablehlo.add %x, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
"""
_FOLD = """
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %a = arith.addi %x, %zero : i32
  %b = arith.addi %a, %x : i32
  return %b : i32
}
func.func private @declared(i32)
"""


@pytest.fixture
def registry() -> Iterator[Registry]:
    found = registries.default()
    found.load_plugin(str(_PLUGIN))
    with mlir.context():
        yield found


def test_the_books_balance(registry: Registry) -> None:
    session = Session(remarks=Remarks(Filter(".*")))
    module = mlir.parse(_FOLD)
    result = run_pipeline(module, "builtin.module(test-fold)", session=session, registry=registry)
    values = {row.name: row.value for row in result.statistics}
    assert values["candidates"] == values["rewritten"] + values["missed-not-constant"] == 2
    assert values["candidate-bytes"] == values["folded-bytes"] + values["surviving-bytes"] == 8
    assert values["missed-not-constant-bytes"] == values["surviving-bytes"] == 4
    kinds = [remark.kind for remark in result.remarks]
    assert kinds == [Kind.PASSED, Kind.MISSED]


_COPIES = """
func.func @f(%x: memref<4xf32, "dram">, %y: memref<4xf32, "dram">) {
  "penguin.memcpy"(%x, %y) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
"""


def test_books_that_do_not_balance_are_an_internal_error(
    registry: Registry, tmp_path: Path
) -> None:
    pipeline = "builtin.module(func.func(test-books{fate=forgotten}))"
    with pytest.raises(PassCrash, match="the books of @f do not balance") as raised:
        run_pipeline(mlir.parse(_COPIES), pipeline, registry=registry)
    assert (raised.value.code, raised.value.pass_name) == ("PGX001", "pass 'test-books'")
    file = tmp_path / "m.mlir"
    file.write_text(_COPIES)
    flags = [f"--load-pass-plugin={_PLUGIN}", "--test-books=fate=forgotten", str(file)]
    out = io.StringIO()
    assert penguin_opt.main(flags, stdout=out, stderr=io.StringIO()) == EXIT_INTERNAL
    assert out.getvalue() == ""


def test_books_that_a_pass_opens_itself_are_opened_once(registry: Registry) -> None:
    module = mlir.parse(_COPIES)
    function = mlir.walk(module, "func.func")[0].opview
    instance = registry.load("test-books")(fate="missed")
    with instance.books(function):
        instance.execute(function)
    assert instance.balance.totals().missed == (1, 16)
    assert instance.session.claims == {"penguin.memcpy": {"test-books": None}}
    instance = registry.load("test-books")(fate="forgotten")
    with pytest.raises(AssertionError, match="0 \\(0 bytes\\) missed"), instance.books(function):
        instance.run(function)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("zox")), max_size=12))
def test_the_books_balance_on_generated_chains(adds: list[tuple[int, str]]) -> None:
    """Folding `a + 0` makes no new additions: all that were there are done or missed."""
    lines, values = [], ["%x"]
    for number, (back, right) in enumerate(adds):
        left = values[max(0, len(values) - 1 - back)]
        lines.append(f"  %v{number} = arith.addi {left}, %{right} : i32")
        values.append(f"%v{number}")
    body = "\n".join(lines)
    text = f"""
func.func @f(%x: i32) -> i32 {{
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
{body}
  return {values[-1]} : i32
}}
"""
    registry = registries.default()
    registry.load_plugin(str(_PLUGIN))
    for driver in ("greedy", "walk"):
        with mlir.context():
            module = mlir.parse(text)
            instance = registry.load("test-fold")()
            instance.driver = driver
            instance.run(mlir.walk(module.operation, "func.func")[0].opview)
            rights = [right for _, right in adds]
            books = instance.balance
            # A dead addition may be erased by the greedy driver before anybody sees it.
            if driver == "walk":
                assert books.done == rights.count("z") == instance.folded
                assert books.missed["NOT_ZERO"] == rights.count("o")
                assert books.missed["NOT_CONSTANT"] == rights.count("x")
            left = mlir.walk(module.operation, "arith.addi")
            assert len(left) == books.missed.total()
            assert all(instance.legality(op) is not None for op in left)
            assert books.candidate_bytes == 4 * books.candidates


def test_remarks_that_nobody_wants_are_not_kept(registry: Registry) -> None:
    module = mlir.parse(_FOLD)
    result = run_pipeline(module, "builtin.module(test-fold)", registry=registry)
    assert result.remarks == []
    assert {r.name: r.value for r in result.statistics}["missed-not-constant"] == 1


def test_all_errors_of_a_pass_are_in_one_exception(registry: Registry) -> None:
    text = """
func.func @a() { return {test.error = "one"} }
func.func @b() { return {test.error = "two"} }
"""
    module = mlir.parse(text)
    with pytest.raises(UserError) as raised:
        run_pipeline(module, "builtin.module(test-diagnostics,test-crash)", registry=registry)
    assert [d.message for d in raised.value.diagnostics] == ["one", "two"]
    assert [d.location for d in raised.value.diagnostics] == ["<stdin>:2:18", "<stdin>:3:18"]


def test_an_upstream_failure_names_the_pass(registry: Registry) -> None:
    with pytest.raises(UserError) as raised:
        run_pipeline(mlir.parse(_ADD), "builtin.module(one-shot-bufferize)", registry=registry)
    error, note = raised.value.diagnostics
    assert (error.severity, error.location) == ("error", "<stdin>:3:8")
    assert note.message == "upstream pass 'one-shot-bufferize' failed"


@pytest.mark.parametrize(
    ("pass_name", "code", "message"),
    [
        ("test-crash", "PGX001", "ValueError: planted"),
        ("test-crash-in-pattern", "PGX001", "KeyError: 'planted'"),
        ("test-silent-failure", "PGX002", "failed without a message"),
        ("test-invalid-ir", "PGX003", "left invalid IR"),
        ("test-broken-promise", "PGX005", "promised 'loop-level'"),
    ],
)
def test_a_bug_leaves_a_reproducer_that_replays_it(
    registry: Registry, tmp_path: Path, pass_name: str, code: str, message: str
) -> None:
    text = """
func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.abs %x : tensor<f32>
  return %y : tensor<f32>
}
"""
    path = tmp_path / "crash.mlir"
    options = RunOptions(reproducer=str(path))
    pipeline = f"builtin.module(cse,{pass_name},canonicalize)"
    with pytest.raises(PassCrash) as raised:
        run_pipeline(mlir.parse(text), pipeline, options=options, registry=registry)
    crash = raised.value
    assert (crash.pass_name, crash.code) == (f"pass '{pass_name}'", code)
    assert message in crash.message
    assert crash.reproducer == str(path) and str(path) in crash.command

    replay = reproducer.read(path.read_text())
    assert replay is not None and pass_name in replay.pipeline
    assert "cse" not in replay.pipeline and "canonicalize" not in replay.pipeline
    with pytest.raises(PassCrash) as again:
        run_pipeline(mlir.parse(path.read_text()), replay.pipeline, registry=registry)
    assert again.value.message == crash.message


def test_the_same_crash_has_the_same_file(registry: Registry) -> None:
    paths = []
    for _ in range(2):
        with pytest.raises(InternalError) as raised:
            run_pipeline(mlir.parse(_FOLD), "builtin.module(test-crash)", registry=registry)
        paths.append(raised.value.reproducer)
    assert paths[0] == paths[1] != ""
    Path(paths[0]).unlink()


@pytest.mark.parametrize(
    "pipeline",
    [
        'builtin.module(p{a="x y"})',
        "builtin.module(p{a='\"'})",
        "any(a,b)",
        "m(a\n\t)",
        "m(\\22\\n)",
    ],
)
def test_reproducer_sections_keep_the_pipeline(context: object, pipeline: str) -> None:
    root = mlir.parse("module {}")
    text = reproducer.to_text(root.operation, pipeline, "why\nthis", "command", False)
    assert reproducer.read(text) == reproducer.Replay(pipeline, False)
    assert mlir.parse(text) is not None
    assert reproducer.read("module {}") is None


def test_a_crash_of_the_process_leaves_the_reproducer(tmp_path: Path) -> None:
    source, path = tmp_path / "in.mlir", tmp_path / "crash.mlir"
    source.write_text(_FOLD)
    command = [
        *(sys.executable, "-m", "penguin.tools.penguin_opt", str(source), "--test-fold"),
        *(f"--load-pass-plugin={_PLUGIN}", "--test-abort"),
        f"--mlir-pass-pipeline-crash-reproducer={path}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode < 0
    replay = reproducer.read(path.read_text())
    assert replay is not None and replay.pipeline == "builtin.module(test-abort)"
    # From before the crash, and after the pass before it.
    assert path.read_text().count("arith.addi") == 1


def test_no_crash_no_file(registry: Registry, tmp_path: Path) -> None:
    path = tmp_path / "crash.mlir"
    options = RunOptions(reproducer=str(path), crash_reproducer=True)
    run_pipeline(mlir.parse(_FOLD), "builtin.module(cse)", options=options, registry=registry)
    assert not path.exists()


# Contracts --------------------------------------------------------------------------------------


_HLO = "func.func @f(%x: tensor<f32>) { %y = stablehlo.abs %x : tensor<f32>\n return }"
_CALL = "func.func private @g()\nfunc.func @f() { func.call @g() : () -> ()\n return }"
_LOOP = """
func.func @f(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    affine.store %v, %x[%i] : memref<4xf32>
  }
  return
}
"""
_TILED = _LOOP.replace("  }\n  return", '  } {penguin.axis = "partition"}\n  return')
_TENSOR = """
func.func @f(%x: memref<4xf32, "dram">) {
  %t = memref.alloc() : memref<4xf32, "dram">
  "penguin.memcpy"(%x, %t) : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
"""
_TILE = """
func.func @f() {
  %t = memref.alloc() : memref<4x4xf32, "sbuf">
  return
}
"""
_PLACED = _TILE.replace("alloc()", "alloc() {bir.addr = 0 : i64, bir.base = 0 : i64}")
_EMPTY = "func.func @f() { return }"


@pytest.mark.parametrize(
    ("text", "property_", "found"),
    [
        (_CALL, "inlined", "func.call"),
        (_HLO, "inlined", None),
        (_HLO, "hlo-level", None),
        (_CALL, "hlo-level", None),
        (_LOOP, "hlo-level", "affine.for"),
        (_HLO, "tensor-level", "stablehlo.abs"),
        (_TENSOR, "tensor-level", None),
        (_LOOP, "tensor-level", None),
        (_TENSOR, "loop-level", "penguin.memcpy"),
        (_LOOP, "loop-level", None),
        (_LOOP, "tiled", "affine.for"),
        (_TILED, "tiled", None),
        (_LOOP, "inst-level", "affine.for"),
        (_TILE, "inst-level", None),
        (_TILE, "allocated", "memref.alloc"),
        (_PLACED, "allocated", None),
    ],
)
def test_properties_name_the_first_op_that_offends(
    context: object, text: str, property_: str, found: str | None
) -> None:
    module = mlir.parse(text)
    op = contracts.offender(module.operation, property_)
    assert (op.name if op is not None else None) == found


def test_every_property_holds_of_an_empty_kernel(context: object) -> None:
    module = mlir.parse(_EMPTY)
    for property_ in contracts.Property:
        assert contracts.offender(module.operation, property_) is None, property_


def test_unknown_properties_are_bugs(context: object) -> None:
    with pytest.raises(AssertionError, match="'fast' is no property"):
        contracts.offender(mlir.parse(_EMPTY).operation, "fast")


def test_a_pass_at_the_wrong_level_changes_nothing(registry: Registry) -> None:
    module = mlir.parse(_ADD)
    before = str(module)
    with pytest.raises(UserError) as raised:
        run_pipeline(module, "builtin.module(test-requires)", registry=registry)
    (finding,) = raised.value.diagnostics
    assert finding.code == "PGP006" and finding.location == "<stdin>:3:8"
    assert "requires 'tensor-level', found 'stablehlo.add'" in finding.message
    assert "hlo-to-penguin" in finding.message
    assert str(module) == before


@pytest.mark.parametrize(
    ("between", "fine"), [("", True), ("cse,", False), ("test-options,", False)]
)
def test_a_promise_holds_until_the_next_pass(registry: Registry, between: str, fine: bool) -> None:
    """Nothing is looked up right after the promise; later, the module itself is asked."""
    pipeline = f"builtin.module(test-broken-promise,{between}test-requires-loops)"
    options = RunOptions(verify_each=False)
    if fine:
        run_pipeline(mlir.parse(_ADD), pipeline, options=options, registry=registry)
        return
    with pytest.raises(UserError) as raised:
        run_pipeline(mlir.parse(_ADD), pipeline, options=options, registry=registry)
    assert [d.code for d in raised.value.diagnostics] == ["PGP006"]


# Semantics --------------------------------------------------------------------------------------


def _interpret(module: ir.Module, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """Knows one program: x + x, or x - x."""
    (x,) = inputs
    return [x - x if "subtract" in str(module) else x + x]


def test_the_first_pass_that_changes_a_result_is_named(registry: Registry) -> None:
    options = RunOptions(semantics=Semantics(_interpret, 5), semantics_flags=("--flag",))
    with pytest.raises(PassCrash) as raised:
        run_pipeline(
            mlir.parse(_ADD),
            "builtin.module(cse,test-miscompile,symbol-dce)",
            options=options,
            registry=registry,
        )
    crash = raised.value
    assert (crash.pass_name, crash.code) == ("pass 'test-miscompile'", "PGX004")
    (x,) = ports.random_inputs(ports.signature(mlir.parse(_ADD)).inputs, 5)
    assert f"largest absolute error {float(np.abs(2 * x).max()):.3g}" in crash.message
    assert "--flag" in crash.command
    Path(crash.reproducer).unlink()


def test_passes_that_keep_results_pass(registry: Registry) -> None:
    calls = []

    def execute(module: ir.Module, inputs: list[np.ndarray]) -> list[np.ndarray]:
        calls.append(str(module))
        return _interpret(module, inputs)

    options = RunOptions(semantics=Semantics(execute))
    pipeline = "builtin.module(cse,canonicalize)"
    run_pipeline(mlir.parse(_ADD), pipeline, options=options, registry=registry)
    assert len(calls) == 3


def test_each_pass_is_compared_with_the_one_before(registry: Registry) -> None:
    """Rounding may add up over passes; none is to blame for what others did."""
    drift = iter([1.0, 1.00008, 1.00016])

    def execute(module: ir.Module, inputs: list[np.ndarray]) -> list[np.ndarray]:
        return [np.array([next(drift)], np.float32)]

    options = RunOptions(semantics=Semantics(execute))
    run_pipeline(mlir.parse(_ADD), "builtin.module(cse,cse)", options=options, registry=registry)


def test_a_form_that_cannot_be_executed_is_skipped(registry: Registry) -> None:
    def execute(module: ir.Module, inputs: list[np.ndarray]) -> list[np.ndarray]:
        if "subtract" in str(module):
            raise UserError.at("PGR999", "no executor")
        return _interpret(module, inputs)

    session = Session()
    options = RunOptions(semantics=Semantics(execute))
    run_pipeline(
        mlir.parse(_ADD),
        "builtin.module(test-miscompile)",
        options=options,
        session=session,
        registry=registry,
    )
    (warning,) = session.diagnostics.found
    assert warning.severity == "warning" and "no executor" in warning.message


def test_random_inputs_are_those_of_every_tool(registry: Registry) -> None:
    text = (
        'func.func @k(%a: memref<4x128xf32, "dram"> {penguin.io = "input"}, '
        '%o: memref<4xf32, "dram"> {penguin.io = "output"}) { return }'
    )
    semantics = Semantics(lambda module, inputs: [], 7)
    semantics.start(mlir.parse(text))
    (found,) = semantics.inputs
    (expected,) = oracle.random_inputs(["4x128xf32"], 7)
    assert np.array_equal(found, expected)
