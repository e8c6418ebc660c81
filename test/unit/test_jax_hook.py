"""penguin.jax: trees go in and come out as in JAX, at every level, from every kind of lowering."""

import functools
import json
import re
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import penguin.jax
from penguin import bir, mlir
from penguin.errors import UserError

WEIGHT = np.linspace(-1, 1, 8, dtype=np.float32).reshape(4, 2)


def layer(x: jax.Array, params: dict, *, scale: float) -> dict:
    hidden = jnp.tanh(x @ params["w"] + params["b"])
    return {"hidden": hidden, "rest": (scale * x, hidden.sum())}


def arguments() -> tuple:
    x = jnp.arange(12, dtype=jnp.float32).reshape(3, 4) / 7
    return x, {"b": jnp.ones(2), "not used": jnp.zeros(5), "w": jnp.asarray(WEIGHT)}


def lowerings() -> dict:
    export = jax.export.export(jax.jit(layer), platforms=["tpu"])
    jitted = jax.jit(layer).trace(*arguments(), scale=2.0).lower(lowering_platforms=("tpu",))
    return {
        "function": penguin.jax.lower(layer)(*arguments(), scale=2.0),
        "jitted function": penguin.jax.lower(jax.jit(layer))(*arguments(), scale=2.0),
        "lowered": penguin.jax.lower(jitted),
        "exported": penguin.jax.lower(export(*arguments(), scale=2.0)),
    }


KINDS = ("function", "jitted function", "lowered", "exported")


@pytest.mark.parametrize("kind", KINDS)
def test_call_is_as_in_jax(kind: str) -> None:
    compiled = lowerings()[kind].compile()
    expected = layer(*arguments(), scale=2.0)
    actual = compiled(*arguments(), scale=2.0)
    assert jax.tree.structure(actual) == jax.tree.structure(expected)
    for a, e in zip(jax.tree.leaves(actual), jax.tree.leaves(expected), strict=True):
        assert isinstance(a, jax.Array) and (a.shape, a.dtype) == (e.shape, e.dtype)
        np.testing.assert_allclose(a, e, rtol=1e-4, atol=1e-4)


def test_shapes_in_place_of_arrays() -> None:
    shapes = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arguments())
    compiled = penguin.jax.lower(layer)(*shapes, scale=2.0).compile()
    result = compiled(*arguments(), scale=2.0)["hidden"]
    expected = layer(*arguments(), scale=2.0)["hidden"]
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_dtypes_of_the_call() -> None:
    def mixed(flag: jax.Array, half: jax.Array, count: jax.Array) -> tuple:
        return jnp.logical_not(flag), half * 2, count + 1

    args = (np.array([True, False]), jnp.ones(2, jnp.bfloat16), np.array([1, 2], np.uint8))
    results = penguin.jax.lower(mixed)(*args).compile()(*args)
    assert [(r.dtype.name, r.tolist()) for r in results] == [
        ("bool", [False, True]),
        ("bfloat16", [2, 2]),
        ("uint8", [2, 3]),
    ]


def test_wrong_calls() -> None:
    compiled = penguin.jax.lower(layer)(*arguments(), scale=2.0).compile()
    x, params = arguments()
    with pytest.raises(TypeError, match="lowered for"):
        compiled(x, params)
    with pytest.raises(UserError, match="f32"):
        compiled(x[:2], params, scale=2.0)
    with pytest.raises(UserError, match="i32"):
        compiled(x.astype(jnp.int32), params, scale=2.0)


@pytest.mark.parametrize(
    ("dialect", "op"),
    [
        ("stablehlo", "stablehlo.tanh"),
        ("penguin", "penguin.unary"),
        ("loops", "math.tanh"),
        ("bir", "bir.Activation"),
    ],
)
def test_text_and_ir_of_every_level(dialect: str, op: str) -> None:
    lowered = penguin.jax.lower(layer)(*arguments(), scale=2.0)
    assert op in lowered.as_text(dialect)
    module = lowered.compiler_ir(dialect)
    tanh = [o for o in mlir.walk(module.operation) if o.name == op]
    assert tanh
    # The line of this file, at every level.
    line = layer.__code__.co_firstlineno + 1
    assert any(f'"{__file__}":{line}:' in str(o.location) for o in tanh)


def test_locations_are_printed_on_demand() -> None:
    lowered = penguin.jax.lower(layer)(*arguments(), scale=2.0)
    assert __file__ not in lowered.as_text()
    assert __file__ in lowered.as_text(debug_info=True)


def test_no_frame_of_penguin_is_taken_for_the_users() -> None:
    def constant(x: jax.Array) -> jax.Array:
        return x + WEIGHT

    text = penguin.jax.lower(constant)(WEIGHT).as_text(debug_info=True)
    assert str(Path(mlir.__file__).parent) not in text
    own = jax.jit(constant).trace(WEIGHT).lower(lowering_platforms=("tpu",))
    assert __file__ in own.as_text(debug_info=True)


def test_unknown_level() -> None:
    with pytest.raises(UserError, match="expected one of stablehlo"):
        penguin.jax.lower(jnp.tanh)(WEIGHT).as_text("hlo")


def test_unsupported_program() -> None:
    with pytest.raises(UserError, match="PGL001"):
        penguin.jax.lower(jnp.sort)(WEIGHT).compile()


def test_bir_forms_are_of_one_program() -> None:
    compiled = penguin.jax.lower(jnp.tanh)(WEIGHT).compile(target="trn3")
    assert bir.from_text(compiled.bir_text()) == bir.from_json(compiled.bir_json()) == compiled.bir
    assert compiled.bir.target == "trn3"
    assert json.loads(compiled.bir_json())["arch"] == "core_v4"


def test_cost_and_memory() -> None:
    a, b = jnp.ones((64, 32), jnp.float32), jnp.ones((32, 16), jnp.float32)
    compiled = penguin.jax.lower(jnp.dot)(a, b).compile()
    cost = compiled.cost_analysis()
    assert cost["matmul flops"] == 2 * 64 * 32 * 16
    # At least what must go in and out.
    assert cost["bytes accessed"] >= 4 * (64 * 32 + 32 * 16 + 64 * 16)
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == 4 * (64 * 32 + 32 * 16)
    assert memory.output_size_in_bytes == 4 * 64 * 16
    assert memory.sbuf_bytes_per_partition > 0 and memory.psum_bytes_per_partition > 0
    report = compiled.report()
    assert report.startswith("jit_dot: compiled to bir")
    assert re.search(rf"FLOPs in matrix products +{2 * 64 * 32 * 16:,}\n", report)
    assert re.search(rf"sbuf +{memory.sbuf_bytes_per_partition:,} ", report)


def test_a_donated_argument_has_the_buffer_of_an_output() -> None:
    @functools.partial(jax.jit, donate_argnums=0)
    def step(w, g):
        return w - 0.5 * g, jnp.sum(w * g)

    w, g = WEIGHT, WEIGHT + 1
    compiled = penguin.jax.lower(step.lower(w, g)).compile()
    assert "output dram float32 out0[" in compiled.bir_text()
    assert [t.alias for t in compiled.bir.main.outputs()] == ["arg0", None]
    memory = compiled.memory_analysis()
    assert memory.alias_size_in_bytes == w.nbytes
    assert memory.output_size_in_bytes == w.nbytes + 4
    before = np.array(w)
    updated, total = compiled(w, g)
    np.testing.assert_allclose(updated, before - 0.5 * (before + 1), rtol=1e-5)
    np.testing.assert_allclose(total, np.sum(before * (before + 1)), rtol=1e-5)
    np.testing.assert_array_equal(np.array(w), before)


def test_the_report_of_copies() -> None:
    compiled = penguin.jax.lower(lambda x: x.T + 1)(jnp.ones((64, 32), jnp.float32)).compile()
    data = compiled.report_data("copies")
    rows = data["copies"] + data["unclaimed"]
    assert data["total"] == {"ops": len(rows), "bytes": sum(row["bytes"] for row in rows)}
    assert data["passes"]
    text = compiled.report("copies")
    assert text.startswith("jit__lambda: compiled to bir")
    assert "Copies that stayed" in text and data["passes"][0]["pass"] in text
    assert compiled.report_data() == json.loads(json.dumps(compiled.report_data("summary")))
    with pytest.raises(ValueError, match="unknown report 'copy', expected one of summary, copies"):
        compiled.report("copy")


def test_no_context_stays_entered() -> None:
    compiled = penguin.jax.lower(jnp.tanh)(WEIGHT).compile()
    compiled(WEIGHT)
    with pytest.raises(RuntimeError, match="Context"):
        mlir.ir.F32Type.get()


def test_import_registers_nothing() -> None:
    """In a new process: neither JAX's registries nor its exclusions of frames change."""
    code = """
import jax
from jax._src import source_info_util, xla_bridge
from jax._src.interpreters import mlir
def state():
    return (list(source_info_util._exclude_paths), sorted(xla_bridge._backend_factories),
            len(mlir._lowerings), {k: len(v) for k, v in mlir._platform_specific_lowerings.items()})
before = state()
import penguin.jax
assert state() == before
penguin.jax.lower(jax.numpy.tanh)(1.0).as_text()
assert state() == before
"""
    subprocess.run([sys.executable, "-c", code], check=True)
