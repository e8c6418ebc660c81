"""Every kind of input becomes a module; whatever is wrong with one has a code and a place."""

import subprocess
import sys
from pathlib import Path

import pytest

from penguin import frontend, mlir
from penguin.errors import UserError

ADD = """\
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def names(module: object) -> list[str]:
    return [op.name for op in mlir.walk(module.operation)]


ADD_OPS = ["stablehlo.add", "func.return", "func.func", "builtin.module"]


def failure(source: str | bytes | Path, **options: str) -> UserError:
    with mlir.context(), pytest.raises(UserError) as found:
        frontend.load(source, **options)
    return found.value


def one(source: str | bytes | Path, **options: str) -> tuple[str, str, str]:
    """Code, place and message of the only diagnostic."""
    (diagnostic,) = failure(source, **options).diagnostics
    return diagnostic.code, diagnostic.location, diagnostic.message


def test_text(context: object) -> None:
    assert names(frontend.load(ADD)) == ADD_OPS
    assert names(frontend.load(ADD.encode())) == ADD_OPS


def test_file_and_its_locations(context: object, tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(ADD)
    for source in (path, str(path)):
        module = frontend.load(source)
        assert f'loc("{path}":2:8)' in {str(op.location) for op in mlir.walk(module.operation)}


def test_bytecode_keeps_locations(context: object, tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(ADD)
    bytecode = mlir.to_bytecode(frontend.load(path).operation)
    module = frontend.load(bytecode)
    assert names(module) == ADD_OPS
    assert f'loc("{path}":2:8)' in {str(op.location) for op in mlir.walk(module.operation)}


def artifact(version: str) -> bytes:
    # The serialiser leaves its operand in another dialect, hence a module of its own.
    return mlir.stablehlo_bindings().serialize_portable_artifact(mlir.parse(ADD), version)


def test_portable_artifact(context: object, tmp_path: Path) -> None:
    path = tmp_path / "m.anything"
    path.write_bytes(artifact("1.0.0"))
    assert names(frontend.load(path)) == ADD_OPS


def test_later_levels(context: object) -> None:
    module = frontend.load("""
      func.func @main(%a: memref<2xf32, "dram">, %b: memref<2xf32, "dram">) {
        "penguin.memcpy"(%a, %b) : (memref<2xf32, "dram">, memref<2xf32, "dram">) -> ()
        return
      }""")
    assert "penguin.memcpy" in names(module)


def test_mhlo_is_converted(context: object) -> None:
    assert names(frontend.load(ADD.replace("stablehlo.", "mhlo."))) == ADD_OPS
    generic = ADD.replace("stablehlo.add %a, %a : ", '"mhlo.add"(%a, %a) : ').replace(
        ": tensor<2xf32>\n", ": (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n", 1
    )
    assert names(frontend.load(generic)) == ADD_OPS


def test_mhlo_attributes_alone_are_not_mhlo(context: object, monkeypatch: object) -> None:
    monkeypatch.setattr(mlir.mhlo, "parse", lambda *_, **__: pytest.fail("converted"))
    text = "module attributes {\n  mhlo.num_replicas = 1 : i32,\nmhlo.x = 2 : i32} {\n" + ADD + "}"
    module = frontend.load(text)
    assert "stablehlo.add" in names(module)
    assert "stablehlo.add" in names(frontend.load(mlir.to_bytecode(module.operation)))


def test_mhlo_files_and_bytecode(context: object, tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(ADD.replace("stablehlo.", "mhlo."))
    module = frontend.load(path)
    assert f'loc("{path}":2:8)' in {str(op.location) for op in mlir.walk(module.operation)}

    # jaxlib alone can write it.
    write = """
import sys
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import mhlo
context = jax_mlir.make_ir_context()
mhlo.register_mhlo_dialect(context)
with context, open(sys.argv[2], "wb") as file:
    ir.Module.parseFile(sys.argv[1]).operation.write_bytecode(file, desired_version=4)
"""
    binary = tmp_path / "m.mlirbc"
    subprocess.run([sys.executable, "-c", write, path, binary], check=True)
    assert names(frontend.load(binary)) == ADD_OPS


MODEL = """\
import jax.numpy as jnp

print("on stdout")

def good():
    return (lambda x: {"r": jnp.tanh(x) @ helper()}), (jnp.ones((4, 8)),)

def helper():
    return jnp.ones((8, 2))

def raises():
    helper()
    raise ValueError("first line\\nsecond line")

def does_not_trace():
    return (lambda x: x @ x), (jnp.ones((4, 8)),)

def not_a_pair():
    return 5

def no_tuple():
    return jnp.tanh, jnp.ones(3)

CONSTANT = 7
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_python_function(context: object, model: Path, capfd: object) -> None:
    module = frontend.load(f"{model}:good")
    found = names(module)
    assert "stablehlo.tanh" in found and "stablehlo.dot_general" in found
    # JAX's own locations, down to the line of the lambda.
    tanh = next(op for op in mlir.walk(module.operation) if op.name == "stablehlo.tanh")
    assert f'"{model}":6:' in str(tanh.location)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("function", "code", "line", "message"),
    [
        ("raises", "PGI009", ":13", "raises() failed: ValueError: first line"),
        ("does_not_trace", "PGI009", ":16", "JAX cannot lower what does_not_trace() returned"),
        ("not_a_pair", "PGI008", "", "not_a_pair() returned an object of type int, expected"),
        ("no_tuple", "PGI008", "", "no_tuple() returned args of type ArrayImpl, expected a tuple"),
        ("CONSTANT", "PGI008", "", "no function 'CONSTANT' in the file"),
        ("missing", "PGI008", "", "no function 'missing' in the file"),
    ],
)
def test_python_failures(model: Path, function: str, code: str, line: str, message: str) -> None:
    found = one(f"{model}:{function}")
    assert found[:2] == (code, f"{model}{line}")
    assert found[2].startswith(message)


def test_python_files_that_cannot_be_executed(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text("import jax\nimport no_such_module\n")
    assert one(f"{path}:f") == (
        "PGI009",
        f"{path}:2",
        "cannot execute m.py: ModuleNotFoundError: No module named 'no_such_module'",
    )
    path.write_text("x = 1\ndef f(:\n")
    code, place, message = one(f"{path}:f")
    assert (code, place) == ("PGI009", f"{path}:2") and "SyntaxError" in message
    assert one(f"{tmp_path}/missing.py:f")[0] == "PGI001"


def test_unreadable_files(tmp_path: Path) -> None:
    missing = tmp_path / "missing.mlir"
    assert one(missing) == (
        "PGI001",
        str(missing),
        "cannot read the file: no such file or directory",
    )
    assert one(tmp_path) == ("PGI001", str(tmp_path), "cannot read the file: is a directory")


@pytest.mark.parametrize("content", ["", " \n", "// only a comment\n", "module {\n}\n"])
def test_nothing_in_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(content)
    assert one(path)[:2] == ("PGI002", str(path))
    assert one(content.encode())[:2] == ("PGI002", "-")


def test_broken_text_has_line_column_and_the_line() -> None:
    error = failure(ADD.replace("-> tensor<2xf32> {", "-> tensor<3xf32> {"), name="m.mlir")
    assert str(error) == (
        "m.mlir:3:3: error: type of return operand 0 ('tensor<2xf32>') doesn't match function "
        "result type ('tensor<3xf32>') in function @main [PGI003]\n"
        '  note: see current operation: "func.return"(%0) : (tensor<2xf32>) -> ()\n'
        "  note: return %0 : tensor<2xf32>"
    )


def test_an_unknown_dtype_is_broken_text() -> None:
    code, place, _ = one(ADD.replace("%a: tensor<2xf32>", "%a: tensor<2xf33>"), name="m.mlir")
    assert (code, place) == ("PGI003", "m.mlir:1:30")


def test_neither_text_nor_bytecode() -> None:
    assert one(b"func\n\xff\xfe", name="x")[:2] == ("PGI003", "x:2:1")


def test_broken_bytecode(context: object) -> None:
    bytecode = mlir.to_bytecode(mlir.parse(ADD).operation)
    assert one(bytecode[:-20], name="m.mlirbc")[:2] == ("PGI004", "m.mlirbc")


def test_broken_artifacts(context: object, capfd: object) -> None:
    good = artifact("1.0.0")
    code, place, message = one(good[:-20], name="m")
    assert (code, place) == ("PGI004", "m")
    assert message.startswith("not a readable StableHLO artifact of version 1.0.0; expected")
    # The library reports to stderr unless somebody listens.
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%0 = stablehlo.foo %a : tensor<2xf32>", "custom op 'stablehlo.foo' is unknown"),
        ("%0 = foo.bar %a : tensor<2xf32>", "Dialect `foo' not found for custom op 'foo.bar'"),
        (
            '%0 = "foo.bar"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
            "operation being parsed with an unregistered dialect",
        ),
    ],
)
def test_unknown_operations(line: str, message: str) -> None:
    error = failure(ADD.replace("%0 = stablehlo.add %a, %a : tensor<2xf32>", line), name="m.mlir")
    (diagnostic,) = error.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("PGI005", message)
    assert diagnostic.location.startswith("m.mlir:2:")
    assert diagnostic.notes == (line,)


def test_dynamic_shapes_are_reported_together() -> None:
    error = failure("""
      func.func private @f(tensor<?xf32>, tensor<2xf32>) -> tensor<*xf32>
      func.func @main(%a: tensor<2xf32>, %b: tensor<4x?xf32>) {
        return
      }""")
    assert [(d.code, d.message) for d in error.diagnostics] == [
        ("PGI006", "argument #0 has type tensor<?xf32>, expected a static shape"),
        ("PGI006", "result #0 has type tensor<*xf32>, expected a static shape"),
        ("PGI006", "argument #1 has type tensor<4x?xf32>, expected a static shape"),
    ]


def test_mhlo_that_does_not_convert() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xi32> {
      %0 = "mhlo.bitcast"(%a) : (tensor<2xf32>) -> tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    code, place, message = one(text, name="m.mlir")
    assert (code, place) == ("PGH003", "m.mlir:2:12")
    assert "'mhlo.bitcast' op has no counterpart" in message
    assert one(ADD.replace("stablehlo.add", "mhlo.foo"))[0] == "PGI005"


def test_mhlo_only_ops_have_counterparts(context: object) -> None:
    text = ADD.replace("stablehlo.add %a, %a", "mhlo.erf %a").replace(
        "return %0", "%1 = mhlo.copy %0 : tensor<2xf32>\n  return %1"
    )
    assert names(frontend.load(text)) == ["chlo.erf", "func.return", "func.func", "builtin.module"]


def test_sdy() -> None:
    mesh = 'module {\n  sdy.mesh @mesh = <["x"=2]>\n' + ADD + "}"
    assert one(mesh, name="m.mlir")[:2] == ("PGI010", "m.mlir:2:3")
    attribute = ADD.replace(
        "%a: tensor<2xf32>", '%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}'
    )
    assert one(attribute)[0] == "PGI010"


def test_models_load(context: object, shared: Path) -> None:
    for path in sorted((shared / "models").glob("*.mlir")):
        assert "func.func" in names(frontend.load(path))
