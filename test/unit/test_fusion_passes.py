"""Every positive case of the fusion passes, executed before and after the pass, on both dialects.

The cases are the public functions of `test/passes/hlo/*-fusion.mlir`. What has collectives runs on
two ranks by `penguin.spmd`, all else by StableHLO's reference interpreter.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from penguin import dtypes, execute, frontend, mlir, ports, spmd
from penguin.dialects.hlo.attributes import Kind
from penguin.errors import UserError
from penguin.passes.hlo._cluster import Builder, FusionCluster
from penguin.passlib import run_pipeline

_HERE = Path(__file__).resolve().parents[1] / "passes" / "hlo"
_GATES = "{general-elementwise-fusion=true fuse-dot-softmax=true}"
_TWIN = "stablehlo-schedule-fusion"


def _cases() -> list:
    found = []
    for path in sorted(_HERE.glob("*-fusion.mlir")):
        for name in re.findall(r"^func\.func @(\w+)\(", path.read_text(), re.MULTILINE):
            found.append(pytest.param(path, name, id=f"{path.stem}-{name}"))
    return found


def _function(path: Path, name: str) -> str:
    """The text of one public function as `@main`."""
    text = path.read_text()
    start = text.index(f"\nfunc.func @{name}(") + 1
    end = text.index("\n}\n", start) + 3
    return text[start:end].replace(f"@{name}(", "@main(", 1)


def _as_mhlo(module: object) -> object:
    copy = mlir.mhlo.parse(mlir.to_bytecode(module.operation))
    mlir.run_upstream("builtin.module(stablehlo-legalize-to-hlo)", copy)
    return copy


def _outputs(module: object, inputs: list[np.ndarray]) -> list[np.ndarray]:
    module = frontend.executable(module)
    if spmd.first_collective(module) is None:
        return execute.run(module, inputs)
    ranks = [[np.roll(array, rank) for array in inputs] for rank in range(2)]
    return [array for outputs in spmd.run(module, ranks) for array in outputs]


def _assert_equal(before: list[np.ndarray], after: list[np.ndarray]) -> None:
    assert len(before) == len(after) > 0
    for old, new in zip(before, after, strict=True):
        assert dtypes.compare(new, old).ok


def _kinds(module: object) -> int:
    return sum(op.name in ("mhlo.fusion", "stablehlo.composite") for op in mlir.walk(module))


@pytest.mark.parametrize(("path", "name"), _cases())
@pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
def test_same_results(path: Path, name: str, dialect: str) -> None:
    if path.stem == _TWIN and dialect == "mhlo":
        pytest.skip("the twin is for stablehlo")
    options = _GATES if path.stem == "neuron-op-fusion" else ""
    with mlir.context():
        module = mlir.parse(_function(path, name))
        inputs = ports.random_inputs(ports.signature(module).inputs)
        if dialect == "mhlo":
            module = _as_mhlo(module)
        before = _outputs(module, inputs)
        run_pipeline(module, f"builtin.module({path.stem}{options})")
        _assert_equal(before, _outputs(module, inputs))
        once, fusions = str(module), _kinds(module)
        run_pipeline(module, f"builtin.module({path.stem}{options})")
        assert (str(module), _kinds(module)) == (once, fusions)


FOUR_RANKS = """
func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {{
  %g = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, channel_handle =
    #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [3, 1]]> :
    tensor<2x2xi64>, use_global_device_ids}} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %n = stablehlo.negate %g : tensor<8x8xf32>
  %e = stablehlo.exponential %y : tensor<8x8xf32>
  %m = stablehlo.multiply %g, %e : tensor<8x8xf32>
  %s = "stablehlo.reduce_scatter"({operand}) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }}) {{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups =
    dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}}
    : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %s, %n : tensor<4x8xf32>, tensor<8x8xf32>
}}
"""


@pytest.mark.parametrize(("operand", "fusions"), [("%g", 1), ("%m", 0)])
@pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
def test_schedule_on_four_ranks(operand: str, fusions: int, dialect: str) -> None:
    rng = np.random.default_rng(7)
    shapes = ((4, 8), (8, 8))
    ranks = [[rng.standard_normal(s, np.float32) for s in shapes] for _ in range(4)]
    with mlir.context():
        module = mlir.parse(FOUR_RANKS.format(operand=operand))
        if dialect == "mhlo":
            module = _as_mhlo(module)
        before = spmd.run(frontend.executable(module), ranks)
        text = str(module)
        run_pipeline(module, "builtin.module(schedule-fusion)")
        assert str(module) != text
        assert _kinds(module) == fusions
        after = spmd.run(frontend.executable(module), ranks)
        for old, new in zip(before, after, strict=True):
            _assert_equal(old, new)


def test_cluster_across_regions_is_a_located_error() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      %1 = "stablehlo.if"(%p) ({
        %2 = stablehlo.abs %0 : tensor<4xf32>
        "stablehlo.return"(%2) : (tensor<4xf32>) -> ()
      }, {
        "stablehlo.return"(%0) : (tensor<4xf32>) -> ()
      }) : (tensor<i1>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    with mlir.context():
        module = mlir.parse(text)
        members = [
            op for op in mlir.walk(module) if op.name in ("stablehlo.negate", "stablehlo.abs")
        ]
        with pytest.raises(UserError) as found:
            FusionCluster("Elementwise", members)
    (diagnostic,) = found.value.diagnostics
    assert diagnostic.code == "PGH001"
    assert diagnostic.location == "-:4:14"


@pytest.mark.parametrize("dialect", ["stablehlo", "mhlo"])
def test_a_path_out_of_the_cluster_and_back_is_a_bug(dialect: str) -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      %1 = stablehlo.abs %0 : tensor<4xf32>
      %2 = stablehlo.add %0, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }"""
    with mlir.context():
        module = mlir.parse(text)
        module = _as_mhlo(module) if dialect == "mhlo" else module
        members = [op for op in mlir.walk(module) if op.name.endswith((".negate", ".add"))]
        with (
            mlir.bindings_of(module).ir.Location.unknown(module.context),
            pytest.raises(AssertionError, match="Maximum iterations reached while moving"),
        ):
            Builder(module).build(FusionCluster(Kind.ELEMENTWISE, members))


_UNARY = ("exponential", "tanh", "negate", "abs", "logistic", "exponential_minus_one")
_BINARY = ("add", "multiply", "subtract", "maximum")
_PASSES = (
    "elementwise-fusion",
    "expm1-fusion",
    "log1p-fusion",
    "sub-exp-fusion",
    "mul-red-sqrt-fusion",
    "dot-logistic-fusion",
    "dot-softmax-fusion",
    "schedule-fusion",
    "neuron-op-fusion{general-elementwise-fusion=true}",
)


def _random_program(rng: np.random.Generator) -> str:
    """Elementwise ops on 4x4 with reduces, roots and concatenates that use earlier values."""
    kind, lines, full = "tensor<4x4xf32>", [], ["%a", "%b"]
    results = []
    for n in range(int(rng.integers(8, 30))):
        pick = [full[int(rng.integers(max(0, len(full) - 5), len(full)))] for _ in range(2)]
        choice = int(rng.integers(0, 8))
        if choice < 3:
            name = _UNARY[int(rng.integers(len(_UNARY)))]
            lines.append(f"%v{n} = stablehlo.{name} {pick[0]} : {kind}")
            full.append(f"%v{n}")
        elif choice < 6:
            name = _BINARY[int(rng.integers(len(_BINARY)))]
            lines.append(f"%v{n} = stablehlo.{name} {pick[0]}, {pick[1]} : {kind}")
            full.append(f"%v{n}")
        elif choice == 6:
            lines.append(f"%m{n} = stablehlo.multiply {pick[0]}, {pick[0]} : {kind}")
            lines.append(
                f"%s{n} = stablehlo.reduce(%m{n} init: %z) applies stablehlo.add across "
                f"dimensions = [1] : ({kind}, tensor<f32>) -> tensor<4xf32>"
            )
            lines.append(f"%q{n} = stablehlo.sqrt %s{n} : tensor<4xf32>")
            lines.append(
                f"%v{n} = stablehlo.broadcast_in_dim %q{n}, dims = [0] : (tensor<4xf32>) -> {kind}"
            )
            full.append(f"%v{n}")
        else:
            lines.append(
                f"%c{n} = stablehlo.concatenate {pick[0]}, {pick[1]}, dim = 0 : "
                f"({kind}, {kind}) -> tensor<8x4xf32>"
            )
            results.append((f"%c{n}", "tensor<8x4xf32>"))
    results.append((full[-1], kind))
    names, types = zip(*results, strict=True)
    body = "\n  ".join(lines)
    return (
        f"func.func @main(%a: {kind}, %b: {kind}) -> ({', '.join(types)}) {{\n"
        f"  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  {body}\n"
        f"  return {', '.join(names)} : {', '.join(types)}\n}}\n"
    )


@pytest.mark.parametrize("seed", range(30))
def test_random_programs_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = _random_program(rng)
    order = [_PASSES[i] for i in rng.permutation(len(_PASSES))]
    with mlir.context():
        module = mlir.parse(text)
        if seed % 2:
            module = _as_mhlo(module)
        inputs = [rng.uniform(-1, 1, (4, 4)).astype(np.float32) for _ in range(2)]
        before = _outputs(module, inputs)
        for name in order:
            run_pipeline(module, f"builtin.module({name})")
        _assert_equal(before, _outputs(module, inputs))
