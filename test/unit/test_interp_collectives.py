"""The numpy model of the collectives against results that are written out by hand."""

import numpy as np
import pytest

from penguin import mlir, spmd
from penguin.errors import UserError

_ADD = """({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  })"""


def run(
    op: str, operand: str, result: str, inputs: list[list[float]], head: str = ""
) -> list[list]:
    """One collective on one operand; `op` has its attributes, `inputs` are one list per rank."""
    text = f"""module {head} {{
      func.func @main(%x: {operand}) -> {result} {{
        %0 = {op} : ({operand}) -> {result}
        return %0 : {result}
      }}
    }}"""
    with mlir.context():
        module = mlir.parse(text)
        ranks = [[np.array(values, np.float32)] for values in inputs]
        return [outputs[0].tolist() for outputs in spmd.run(module, ranks)]


def attributes(groups: str, shape: str, more: str = "") -> str:
    return (
        "{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = "
        f"dense<{groups}> : tensor<{shape}xi64>{more}}}"
    )


GLOBAL = ", use_global_device_ids"


def test_all_gather_in_the_order_of_the_group() -> None:
    op = '"stablehlo.all_gather"(%x) ' + attributes(
        "[[0, 1], [3, 2]]", "2x2", ", all_gather_dim = 0 : i64" + GLOBAL
    )
    found = run(op, "tensor<1xf32>", "tensor<2xf32>", [[1], [2], [3], [4]])
    assert found == [[1, 2], [1, 2], [4, 3], [4, 3]]


def test_reduce_scatter_adds_then_splits() -> None:
    op = f'"stablehlo.reduce_scatter"(%x) {_ADD} ' + attributes(
        "[[0, 1]]", "1x2", ", scatter_dimension = 0 : i64" + GLOBAL
    )
    found = run(op, "tensor<2xf32>", "tensor<1xf32>", [[1, 2], [10, 20]])
    assert found == [[11], [22]]


def test_all_reduce_of_two_groups() -> None:
    op = f'"stablehlo.all_reduce"(%x) {_ADD} ' + attributes("[[0, 2], [1, 3]]", "2x2", GLOBAL)
    found = run(op, "tensor<1xf32>", "tensor<1xf32>", [[1], [2], [10], [20]])
    assert found == [[11], [22], [11], [22]]


def test_all_to_all_transposes() -> None:
    op = '"stablehlo.all_to_all"(%x) ' + attributes(
        "[[0, 1]]",
        "1x2",
        ", split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64",
    )
    found = run(op, "tensor<2xf32>", "tensor<2xf32>", [[1, 2], [10, 20]])
    assert found == [[1, 10], [2, 20]]


def test_collective_permute_gives_zeros_without_a_source() -> None:
    op = (
        '"stablehlo.collective_permute"(%x) {channel_handle = #stablehlo.channel_handle<handle = 1,'
        " type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}"
    )
    found = run(
        op,
        "tensor<1xf32>",
        "tensor<1xf32>",
        [[1], [2], [3]],
        "attributes {mhlo.num_partitions = 3 : i32}",
    )
    assert found == [[0], [1], [2]]


def test_ranks_and_groups_must_agree() -> None:
    op = '"stablehlo.all_gather"(%x) ' + attributes(
        "[[0, 1]]", "1x2", ", all_gather_dim = 0 : i64" + GLOBAL
    )
    with pytest.raises(UserError) as found:
        run(op, "tensor<1xf32>", "tensor<2xf32>", [[1], [2], [3]])
    assert found.value.diagnostics[0].code == "PGR227"


def test_a_collective_in_a_branch_is_refused() -> None:
    op = '"stablehlo.all_gather"(%x) ' + attributes(
        "[[0, 1]]", "1x2", ", all_gather_dim = 0 : i64" + GLOBAL
    )
    text = f"""func.func @main(%x: tensor<1xf32>, %p: tensor<i1>) -> tensor<2xf32> {{
      %1 = "stablehlo.if"(%p) ({{
        %0 = {op} : (tensor<1xf32>) -> tensor<2xf32>
        "stablehlo.return"(%0) : (tensor<2xf32>) -> ()
      }}, {{
        %0 = {op} : (tensor<1xf32>) -> tensor<2xf32>
        "stablehlo.return"(%0) : (tensor<2xf32>) -> ()
      }}) : (tensor<i1>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }}"""
    with mlir.context():
        module = mlir.parse(text)
        ranks = [[np.ones(1, np.float32), np.array(True)] for _ in range(2)]
        with pytest.raises(UserError) as found:
            spmd.run(module, ranks)
    (diagnostic,) = found.value.diagnostics
    assert (diagnostic.code, diagnostic.location) == ("PGR225", "-:3:14")


def test_a_computation_that_is_no_reduction_is_refused() -> None:
    op = f'"stablehlo.all_reduce"(%x) {_ADD} '.replace("add %p, %q", "add %p, %p") + attributes(
        "[[0, 1]]", "1x2", GLOBAL
    )
    with pytest.raises(UserError) as found:
        run(op, "tensor<1xf32>", "tensor<1xf32>", [[1], [2]])
    assert found.value.diagnostics[0].code == "PGR226"
