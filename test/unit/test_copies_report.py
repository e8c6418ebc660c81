"""The report of copies: who left which one, and why; and that the sums are whole."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from penguin import driver, frontend, mlir
from penguin.passlib import registry as registries
from penguin.passlib.pass_ import Session
from penguin.passlib.remarks import Filter, Kind, Remark, Remarks
from penguin.passlib.result import Result
from penguin.report import copies
from penguin.report.movement import End, Moved
from penguin.tools import penguin_compile

_PLUGIN = Path(__file__).parents[1] / "passes" / "framework" / "Inputs" / "framework_passes.py"
# Two reshapes to the outside, one of them of twice the bytes, and a broadcast of a constant.
_MODEL = """
func.func @main(%x: tensor<8x4xf32>, %y: tensor<4x4xf32>)
    -> (tensor<32xf32>, tensor<16xf32>, tensor<5xf32>) {
  %a = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  %b = stablehlo.reshape %y : (tensor<4x4xf32>) -> tensor<16xf32>
  %c = stablehlo.constant dense<2.0> : tensor<5xf32>
  return %a, %b, %c : tensor<32xf32>, tensor<16xf32>, tensor<5xf32>
}
"""


# A pass with books that is always there, and has nothing to do here.
_FIRST = ["lower-tensor-op"]


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`pipeline(text)` puts test passes in the place of those that eliminate copies."""
    loaded = registries.default()
    loaded.load_plugin(str(_PLUGIN))

    def put(*passes: str) -> None:
        first, last = (
            "penguin-to-tensor-pipeline,lower-tensor-op{load-maps=}",
            "late-lower-tensor-op",
        )
        named = registries.NamedPipeline(",".join([first, *passes, last]), "for tests")
        loaded.pipelines = {**loaded.pipelines, "penguin-to-loops-pipeline": named}

    monkeypatch.setattr(registries, "default", lambda: loaded)
    return put


def _report(**options: Any) -> dict[str, Any]:
    with mlir.context():
        compiled = driver.compile(frontend.load(_MODEL, name="m.mlir"), **options)
        level = str(compiled.level)
        return copies.summarize("m", level, compiled.result, compiled.moved)


# In a compilation -------------------------------------------------------------------------------


def test_without_passes_nobody_owns_what_is_left(pipeline: Any) -> None:
    pipeline()
    data = _report()
    assert data["copies"] == [] and [entry["pass"] for entry in data["passes"]] == _FIRST
    assert {row["owner"] for row in data["unclaimed"]} == {"-"}
    assert {row["reason"] for row in data["unclaimed"] if row["op"] == "penguin.memcpy"} == {
        "no pass eliminates penguin.memcpy"
    }
    assert data["total"]["ops"] == len(data["unclaimed"]) > 0
    assert "no pass eliminates penguin.memset" in copies.to_text(data)


def test_each_survivor_has_its_owner_and_reason(pipeline: Any) -> None:
    pipeline("test-books{fate=missed}")
    data = _report()
    assert [row["op"] for row in data["copies"]] == ["penguin.memcpy"] * len(data["copies"])
    sizes = [row["bytes"] for row in data["copies"]]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == 128
    first = data["copies"][0]
    assert (first["owner"], first["reason"]) == ("test-books", "left for another pass")
    assert (first["remark"], first["args"], first["function"]) == (
        "Later",
        {"Pass": "another"},
        "main",
    )
    assert first["from"] == [{"name": "arg0", "shape": [8, 4], "dtype": "f32"}]
    assert first["to"]["shape"] == [32] and first["to"]["dtype"] == "f32"
    assert first["location"].endswith(":4:8")
    # The others are still in the sum.
    others = {row["op"] for row in data["unclaimed"]}
    assert "penguin.memset" in others and "penguin.memcpy" not in others
    whole = sizes + [row["bytes"] for row in data["unclaimed"]]
    assert data["total"] == {"ops": len(whole), "bytes": sum(whole)}
    (books,) = data["passes"][1:]
    amount = {"ops": len(sizes), "bytes": sum(sizes)}
    assert books == {
        "pass": "test-books",
        "candidates": amount,
        "eliminated": {"ops": 0, "bytes": 0},
        "surviving": amount,
        "missed": [{"reason": "later", **amount}],
    }


def test_the_last_pass_that_declines_is_the_owner(pipeline: Any) -> None:
    pipeline("test-books{fate=missed}", "test-books-again{fate=missed}")
    data = _report()
    assert {row["owner"] for row in data["copies"]} == {"test-books-again"}
    names = [entry["pass"] for entry in data["passes"]]
    assert names == [*_FIRST, "test-books", "test-books-again"]


def test_what_is_eliminated_is_counted_and_not_listed(pipeline: Any) -> None:
    """The copies are erased although they are needed: nothing is executed here."""
    pipeline("test-books")
    data = _report(stop_after="loops")
    assert data["copies"] == []
    (books,) = data["passes"][1:]
    assert books["eliminated"] == books["candidates"] != {"ops": 0, "bytes": 0}
    text = copies.to_text(data)
    assert "Copies that stayed: none" in text
    assert re.search(rf"eliminated +{books['eliminated']['ops']} ", text)


def test_a_copy_made_after_its_pass_has_run_says_so(pipeline: Any) -> None:
    pipeline("test-books{fate=missed}", "test-retarget")
    data = _report(stop_after="loops")
    late = [row for row in data["unclaimed"] if row["op"] == "penguin.memcpy"]
    assert [row["reason"] for row in late] == ["made after test-books had run"]


def test_levels_above_and_below(pipeline: Any) -> None:
    pipeline("test-books{fate=missed}")
    above = _report(stop_after="penguin")
    assert above["tensor level"] and above["passes"] == []
    assert [row["op"] for row in above["unclaimed"]].count("penguin.memcpy") >= 2
    hlo = _report(stop_after="stablehlo")
    assert not hlo["tensor level"] and hlo["total"] == {"ops": 0, "bytes": 0}
    assert "never at the tensor level" in copies.to_text(hlo)
    with mlir.context():
        loops = driver.compile(frontend.load(_MODEL), stop_after="loops")
        assert driver.compile(frontend.load(str(loops.module))).moved is None


def test_text_and_json_are_deterministic(pipeline: Any) -> None:
    pipeline("test-books{fate=missed}")
    one, two = _report(), _report()
    assert copies.to_json(one) == copies.to_json(two)
    assert copies.to_text(one) == copies.to_text(two)
    assert json.loads(copies.to_json(one)) == one


@pytest.mark.parametrize(
    "model",
    [
        "attention_bf16",
        "attention_bf16_grad",
        "hf_bert_layer",
        "hf_gpt2_small",
        "micro_activations",
        "micro_int8_matmul",
        "micro_norms",
        "tunix_llama_1b_layer",
        "tunix_llama_small",
    ],
)
def test_nothing_is_unexplained_in_real_models(shared: Path, model: str) -> None:
    with mlir.context():
        module = frontend.load(shared / "models" / f"{model}.mlir")
        compiled = driver.compile(module, stop_after="loops")
        data = copies.summarize(model, "loops", compiled.result, compiled.moved)
    assert data["unclaimed"] == []
    owners = {row["owner"] for row in data["copies"]}
    assert owners <= {entry["pass"] for entry in data["passes"]}
    assert data["total"]["bytes"] == sum(s.nbytes for s in compiled.survivors)
    for entry in data["passes"]:
        for unit in ("ops", "bytes"):
            surviving = entry["surviving"][unit]
            assert entry["candidates"][unit] == entry["eliminated"][unit] + surviving
            assert surviving == sum(missed[unit] for missed in entry["missed"])


def test_the_tool_prints_the_table_and_writes_the_file(
    pipeline: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipeline("test-books{fate=missed}")
    model, out, file = tmp_path / "m.mlir", str(tmp_path / "o.bir"), tmp_path / "r.json"
    model.write_text(_MODEL)
    flags = [str(model), "-o", out, "--report=copies"]
    assert penguin_compile.main([*flags, f"--report-file={file}"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "m.mlir:4:8  test-books  left for another pass" in captured.err
    assert "arg0:8x4xf32 -> t0:32xf32" in captured.err
    assert json.loads(file.read_text())["copies"][0]["bytes"] == 128
    text = tmp_path / "r.txt"
    assert penguin_compile.main([*flags, f"--report-file={text}"]) == 0
    assert text.read_text() == captured.err


# Matching ---------------------------------------------------------------------------------------


def _moved(to: str, source: str = "a", place: str = "m:1:1", op: str = "penguin.memcpy") -> Moved:
    shape = (4,)
    return Moved("f", op, (End(source, shape, "f32"),), End(to, shape, "f32"), 16, place)


def _remark(to: str, reason: str, **how: Any) -> Remark:
    source, place, owner = how.get("source", "a"), how.get("place", "m:1:1"), how.get("owner", "p")
    op = how.get("op", "penguin.memcpy")
    args = {"Reason": reason, "Bytes": 16, "Op": op, "From": source, "To": to}
    category = f"data-movement:{owner}"
    return Remark(
        Kind.MISSED, category, "Why", place, how.get("function", "f"), args, how.get("run", 0)
    )


def _reasons(found: list[Moved], remarks: list[Remark]) -> list[str]:
    """The reasons in the order of `found`, whose sizes are equal."""
    result = Result(session=Session(remarks=Remarks(Filter(".*"), found=remarks)))
    data = copies.summarize("m", "bir", result, found)
    rows = [*data["copies"], *data["unclaimed"]]
    assert len(rows) == len(found)
    return [f"{row['owner']}: {row['reason']}" for row in rows]


def test_copies_into_one_tensor_are_told_apart_by_source_and_place() -> None:
    found = [_moved("t", "a"), _moved("t", "b"), _moved("t", "b", "m:9:9")]
    remarks = [
        _remark("t", "third", source="b", place="m:9:9"),
        _remark("t", "first", source="a"),
        _remark("t", "second", source="b"),
    ]
    assert _reasons(found, remarks) == ["p: first", "p: second", "p: third"]


def test_what_nothing_tells_apart_takes_turns() -> None:
    found = [_moved("t"), _moved("t"), _moved("t")]
    assert _reasons(found, [_remark("t", "first"), _remark("t", "second")]) == [
        "p: first",
        "p: second",
        "p: second",
    ]


def test_a_later_pass_wins_also_with_fewer_remarks() -> None:
    remarks = [
        _remark("t", "early"),
        _remark("t", "early"),
        _remark("t", "late", owner="q", run=1),
    ]
    assert _reasons([_moved("t")], remarks) == ["q: late"]


def test_a_changed_source_or_place_still_matches() -> None:
    assert _reasons([_moved("t", "new", "m:5:5")], [_remark("t", "known")]) == ["p: known"]


def test_other_functions_tensors_and_kinds_do_not_match() -> None:
    assert _reasons([_moved("t")], [_remark("t", "x", function="g")]) == [
        "-: no pass eliminates penguin.memcpy"
    ]
    assert _reasons([_moved("t")], [_remark("u", "x")]) == ["-: no pass eliminates penguin.memcpy"]
    assert _reasons([_moved("t", op="penguin.slice")], [_remark("t", "x")]) == [
        "-: no pass eliminates penguin.slice"
    ]


def test_many_sources_are_cut_in_the_text_alone() -> None:
    sources = tuple(End(f"s{n}", (4,), "f32") for n in range(9))
    concat = Moved("f", "penguin.concat", sources, End("t", (36,), "f32"), 144, "")
    names = ", ".join(s.name for s in sources)
    remark = _remark("t", "x", source=names, op="penguin.concat")
    result = Result(session=Session(remarks=Remarks(Filter(".*"), found=[remark])))
    data = copies.summarize("m", "bir", result, [concat])
    assert len(data["copies"][0]["from"]) == 9
    text = copies.to_text(data)
    assert "s0:4xf32, s1:4xf32, s2:4xf32, 6 more -> t:36xf32  unknown" in text


def test_functions_are_named_if_there_are_several() -> None:
    one = _moved("t")
    two = Moved("g", one.op, one.sources, one.destination, 64, one.location)
    remarks = [_remark("t", "x"), _remark("t", "y", function="g")]
    result = Result(session=Session(remarks=Remarks(Filter(".*"), found=remarks)))
    text = copies.to_text(copies.summarize("m", "bir", result, [one, two]))
    lines = [line.split() for line in text.splitlines() if "penguin.memcpy" in line]
    assert [(line[0], line[-1]) for line in lines] == [("64", "g"), ("16", "f")]
