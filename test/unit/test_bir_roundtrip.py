"""Text, JSON and MLIR carry a module without loss."""

import pytest
from bir_modules import modules
from hypothesis import HealthCheck, given, settings

from penguin import bir
from penguin.mlir import ir

FEW = settings(max_examples=40, suppress_health_check=list(HealthCheck))


def same(a: bir.Module, b: bir.Module) -> bool:
    """Equal, with the tensors in the same order."""
    orders = [[list(f.tensors) for f in m.functions] for m in (a, b)]
    return a == b and orders[0] == orders[1]


@FEW
@given(modules())
def test_every_form(module):
    text = bir.to_text(module)
    again = bir.from_text(text)
    assert again == module
    assert bir.to_text(again) == text

    text = bir.to_json(module)
    again = bir.from_json(text)
    assert same(again, module)
    assert bir.to_json(again) == text

    with ir.Context(), ir.Location.unknown():
        _load()
        once = bir.from_mlir(bir.to_mlir(module))
        assert once == module
        twice = bir.from_mlir(bir.to_mlir(once))
        assert same(twice, once)


def _load() -> None:
    from penguin.dialects.bir import Bir

    Bir.load()


SCOPED = """\
module trn2

func main {
  input dram float32 x[4]
  dram float32 t[4]

  for i0 = 0 to 2 {
    dram float32 u[4]
    I-0: DMA.DMACopy float32 u[[1,4]] = float32 x[[1,4]] mode=Copy
    for i1 = 0 to 2 {
    }
  }
}
"""


def test_tensors_belong_to_their_block():
    module = bir.from_text(SCOPED)
    assert [t.scope for t in module.main.tensors.values()] == [None, None, "i0"]
    assert bir.to_text(module) == SCOPED


def test_names_are_made_unique_and_stay():
    source = """
      func.func @main(%x: memref<4xf32, "dram"> {penguin.io = "input", penguin.name = "a"}) {
        %0 = memref.alloc() {penguin.name = "a"} : memref<4xf32, "dram">
        %1 = memref.alloc() {penguin.name = "a_1"} : memref<4xf32, "dram">
        %2 = memref.alloc() : memref<4xf32, "dram">
        return
      }"""
    with ir.Context(), ir.Location.unknown():
        _load()
        module = bir.from_mlir(ir.Module.parse(source))
        assert list(module.main.tensors) == ["a", "a_1", "a_1_1", "t"]
        assert same(bir.from_mlir(bir.to_mlir(module)), module)


def test_i1_is_a_byte():
    source = """
      memref.global "private" constant @c : memref<3xi1, "dram"> = dense<[true, false, true]>
      func.func @main(%x: memref<4xi1, "dram">) {
        %0 = memref.get_global @c : memref<3xi1, "dram">
        return
      }"""
    with ir.Context(), ir.Location.unknown():
        _load()
        module = bir.from_mlir(ir.Module.parse(source))
    tensors = module.main.tensors
    assert (tensors["arg0"].dtype, tensors["arg0"].kind) == ("uint8", "ExternalInput")
    assert tensors["c"].data.tolist() == [1, 0, 1]
    assert tensors["c"].data.dtype == "uint8"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("dense<[1.5, -2.0]> : memref<2xbf16>", [1.5, -2.0]),
        ("dense<3> : memref<2xui8>", [3, 3]),
        ("dense_resource<blob> : memref<2xf32>", [1.0, 2.0]),
    ],
)
def test_constants(value, expected):
    data, type_ = value.split(" : ")
    type_ = type_.replace(">", ', "dram">')
    source = f"""
      memref.global "private" constant @c : {type_} = {data}
      func.func @main() {{
        %0 = memref.get_global @c : {type_}
        return
      }}
      {{-# dialect_resources: {{ builtin: {{ blob: "0x040000000000803f00000040" }} }} #-}}"""
    with ir.Context(), ir.Location.unknown():
        _load()
        module = bir.from_mlir(ir.Module.parse(source))
        data = module.main.tensors["c"].data
        assert data.astype(float).tolist() == expected
        assert same(bir.from_mlir(bir.to_mlir(module)), module)


def test_another_level_is_refused():
    source = (
        'func.func @main(%x: memref<4xf32, "dram">) {\n  %c = arith.constant 0 : index\n  return\n}'
    )
    from penguin.errors import UserError

    with ir.Context(), ir.Location.unknown():
        _load()
        with pytest.raises(UserError, match=r"2:\d+: error: 'arith.constant' op.*\[PGB006\]"):
            bir.from_mlir(ir.Module.parse(source))


def test_upstream_passes_leave_instructions_alone(root):
    from test_bir_text import example

    from penguin import mlir

    text = example(root)
    with mlir.context():
        module = bir.to_mlir(bir.from_text(text))
        mlir.run_upstream("builtin.module(canonicalize,cse)", module.operation)
        assert bir.to_text(bir.from_mlir(module)) == text
