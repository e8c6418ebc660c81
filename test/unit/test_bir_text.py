"""BIR text: what it looks like, and what its parser says about mistakes."""

import math
import re
from random import Random

import pytest

from penguin import bir
from penguin.bir import Access, Affine, Function, Instruction, Loop, Module, Tensor
from penguin.errors import UserError
from penguin.mlir import ir


def example(root):
    page = (root / "docs" / "bir-text.md").read_text(encoding="utf-8")
    return re.search(r"```bir\n(.*?)```", page, re.S)[1]


def test_the_example_of_the_documentation(root):
    text = example(root)
    module = bir.from_text(text)
    items = [item for item, _ in module.main.walk() if isinstance(item, Instruction)]
    matmult = next(i for i in items if i.name == "I-3")
    assert matmult.ins[0].pattern == ((512, 128), (1, 512))
    assert matmult.attributes == {"accumulation_flag": ("i1",)}
    load = next(i for i in items if i.name == "I-1")
    assert load.ins[0].offset == Affine(0, (("i0", 32768), ("i1", 128)))
    assert [t.scope for t in module.main.tensors.values()][-3:] == ["i0", "i1", "i1"]
    assert bir.to_text(module) == text
    with ir.Context(), ir.Location.unknown():
        _load()
        assert bir.to_mlir(module).operation.verify()


def _load():
    from penguin.dialects.bir import Bir

    Bir.load()


def test_printing():
    t = Tensor("t", "float32", (128, 8), "sbuf", base=32, addr=64)
    x = Tensor("x", "float32", (), "dram", "ExternalInput")
    u = Tensor("my tile", "uint8", (1, 1), "psum", scope="i0")
    offset = Affine(-3, (("i0", 1), ("i1", -8)))
    write = Instruction(
        "I-0",
        "TensorScalar",
        "DVE",
        (Access("t", "float32", Affine(5), ((8, 128), (1, 8))),),
        (Access("my tile", "uint8", offset, ((1, 1),)),),
        {"op0": "add", "const0": 0.1, "op1": "mult", "const1": -math.inf, "reverse1": True},
        '"f" m.py:1:2',
    )
    loop = Loop("i0", 0, 4, 1, [Loop("i1", 1, 9, 2, [write], "m.py:1:2")])
    module = Module("trn1", [Function("main", {"x": x, "t": t, "my tile": u}, [loop])])
    assert bir.to_text(module) == (
        "module trn1\n"
        "\n"
        "func main {\n"
        "  input dram float32 x[]\n"
        "  sbuf float32 t[128,8] base=32 addr=64\n"
        "\n"
        "  for i0 = 0 to 4 {\n"
        '    psum uint8 "my tile"[1,1]\n'
        "    for i1 = 1 to 9 step 2 loc(m.py:1:2) {\n"
        '      I-0: DVE.TensorScalar uint8 "my tile"[[1,1]]@(i0-8*i1-3) = '
        "float32 t[[8,128],[1,8]]@5 op0=add const0=0.1 op1=mult const1=-inf reverse1=true "
        'loc("f" m.py:1:2)\n'
        "    }\n"
        "  }\n"
        "}\n"
    )


def test_constants():
    text = """module trn2

func main {
  const dram float32 a[2] = hex 0000803f00000040
  const dram int8 b[2,2] = splat -3
  const dram bfloat16 c[] = splat -0.0
  const dram float32 d[1] = hex 0100c07f
}
"""
    module = bir.from_text(text)
    data = {name: t.data for name, t in module.main.tensors.items()}
    assert data["a"].tolist() == [1.0, 2.0]
    assert data["b"].tolist() == [[-3, -3], [-3, -3]]
    assert math.copysign(1, float(data["c"])) == -1
    assert math.isnan(data["d"][0])
    assert bir.to_text(module) == text


def test_lenient_reading():
    text = """
    // a comment
    module trn2   // the target
    func main {
      sbuf float32 t [ 4 , 8 ]
      for i0 = 0 to 4 step 1 {
        I-0 : DVE.Memset float32 t[ [8,4], [1,2] ] @ ( 1 + i0 + i0 ) mode=Const constant=1.50
      }
    }
    """
    assert bir.to_text(bir.from_text(text)) == (
        "module trn2\n\nfunc main {\n  sbuf float32 t[4,8]\n\n  for i0 = 0 to 4 {\n"
        "    I-0: DVE.Memset float32 t[[8,4],[1,2]]@(2*i0+1) constant=1.5 mode=Const\n  }\n}\n"
    )


def test_terms_come_outermost_first():
    text = """module trn2
func main {
  dram float32 t[99]
  for k = 0 to 4 {
  for j = 0 to 4 {
  I-0: DMA.DMACopy float32 t[[1,1]]@(j+k) = float32 t[[1,1]]@(k-k) mode=Copy
  }
  }
}
"""
    copy = next(i for i, loops in bir.from_text(text).main.walk() if len(loops) == 2)
    assert copy.outs[0].offset == Affine(0, (("k", 1), ("j", 1)))
    assert copy.ins[0].offset == Affine()


HEAD = "module trn2\nfunc main {\n  sbuf float32 t[4,8]\n"
ACCESS = "float32 t[[8,4],[1,8]]"
MEMSET = f"  I-0: DVE.Memset {ACCESS} constant=0.0 mode=Const"

ERRORS = {
    "empty": ("", "1:1: error: expected 'module', found the end of the text [PGB001]"),
    "no_module": ("func main {\n}", "1:1: error: expected 'module', found 'func' [PGB001]"),
    "no_function": ("module trn2\n", "2:1: error: expected 'func', found the end of the text"),
    "target": (
        "module trn7",
        "1:8: error: target is 'trn7', expected one of trn1 trn2 trn3 [PGB003]",
    ),
    "open_block": (
        HEAD,
        "4:1: error: expected '}' for the block of line 2, found the end of the text [PGB001]",
    ),
    "statement": (
        HEAD + "  reciprocal t\n}",
        "4:3: error: expected a tensor, 'for', an instruction or '}', found 'reciprocal'",
    ),
    "no_input": (
        HEAD + f"  I-0: DVE.Reciprocal {ACCESS} {ACCESS}\n}}",
        "4:54: error: expected '=', found 't' [PGB001]",
    ),
    "operands": (
        HEAD + f"  I-0: DVE.Reciprocal {ACCESS}\n}}",
        "4:3: error: Reciprocal has 0 inputs, expected 1 [PGB003]",
    ),
    "operand_after_equals": (
        HEAD + f"  I-0: DVE.Reciprocal {ACCESS} = t\n}}",
        "4:48: error: expected dtype name[[step,num],...]@offset, found 't' [PGB001]",
    ),
    "dtype": (
        HEAD + "  I-0: DVE.Reciprocal float64 t[[1,1]] = float32 t[[1,1]]\n}",
        "4:23: error: dtype is 'float64', expected one of float32 bfloat16",
    ),
    "tensor": (
        HEAD + f"  I-0: DVE.Reciprocal float32 u[[1,1]] = {ACCESS}\n}}",
        "4:31: error: tensor 'u' is not defined [PGB002]",
    ),
    "pattern": (
        HEAD + "  I-0: DVE.Memset float32 t[8,4] constant=0.0 mode=Const\n}",
        "4:28: error: expected [[step,num],...], found [8,4] [PGB001]",
    ),
    "offset": (
        HEAD + "  I-0: DVE.Memset float32 t[[1,1]]@(2 3) constant=0.0 mode=Const\n}",
        "4:36: error: expected a sum of coefficient*axis, found (2 3) [PGB001]",
    ),
    "axis": (
        HEAD + "  I-0: DVE.Memset float32 t[[1,1]]@(i0) constant=0.0 mode=Const\n}",
        "4:19: error: 'i0' is no axis of a loop around it [PGB002]",
    ),
    "closed_axis": (
        HEAD + "  for i0 = 0 to 2 {\n  }\n  for i0 = 0 to 2 {\n  }\n}",
        "6:7: error: loop axis 'i0' is defined twice [PGB002]",
    ),
    "scope": (
        HEAD
        + "  for i0 = 0 to 2 {\n  sbuf float32 u[4,8]\n  }\n"
        + MEMSET.replace(" t[", " u[")
        + "\n}",
        "7:27: error: tensor 'u' is out of scope [PGB002]",
    ),
    "twice": (
        HEAD + f"{MEMSET}\n{MEMSET}\n}}",
        "5:3: error: instruction 'I-0' is defined twice [PGB002]",
    ),
    "tensor_twice": (
        HEAD + "  sbuf float32 t[4,8]\n}",
        "4:16: error: tensor 't' is defined twice [PGB002]",
    ),
    "late_tensor": (
        HEAD + f"{MEMSET}\n  sbuf float32 u[4,8]\n}}",
        "5:1: error: expected tensors before the first instruction of their block [PGB001]",
    ),
    "input_in_loop": (
        HEAD + "  for i0 = 0 to 2 {\n  input dram float32 u[4]\n  }\n}",
        "5:22: error: tensor 'u' is ExternalInput, expected outside of loops [PGB002]",
    ),
    "address_of_an_input": (
        "module trn2\nfunc main {\n  input dram float32 x[4] addr=0\n}",
        "3:22: error: tensor 'x' is ExternalInput, expected no address [PGB002]",
    ),
    "constant_on_chip": (
        HEAD + "  const sbuf float32 c[4,4] = splat 0.0\n}",
        "4:22: error: tensor 'c' is Const in sbuf, expected dram [PGB002]",
    ),
    "large": (
        HEAD + "  for i0 = 0 to 9223372036854775808 {\n  }\n}",
        "4:17: error: expected an integer of 64 bits, found 9223372036854775808 [PGB001]",
    ),
    "note": (
        "module trn2 target=1",
        "1:12: error: has module attribute target = 1 [PGB003]",
    ),
    "engine": (
        HEAD + "  I-0: GPU.Reciprocal\n}",
        "4:8: error: engine is 'GPU', expected one of Pool Activation PE DMA DVE SP [PGB003]",
    ),
    "opcode": (
        HEAD + "  I-0: DVE.Reciprocate\n}",
        "4:8: error: opcode is 'Reciprocate', expected one of Load Save DMACopy",
    ),
    "no_dot": (
        HEAD + "  I-0: Reciprocal\n}",
        "4:8: error: expected engine.opcode, found 'Reciprocal' [PGB001]",
    ),
    "attribute": (
        HEAD + f"{MEMSET} colour=red\n}}",
        "4:3: error: Memset has attribute 'colour', expected constant, mode [PGB003]",
    ),
    "attribute_twice": (
        HEAD + f"{MEMSET} mode=Const\n}}",
        "4:66: error: attribute 'mode' is given twice [PGB001]",
    ),
    "attribute_missing": (
        HEAD + MEMSET.replace(" constant=0.0", "") + "\n}",
        "4:3: error: Memset has no attribute 'constant', expected a float32 or an integer",
    ),
    "attribute_kind": (
        HEAD + MEMSET.replace("Const", "3") + "\n}",
        "4:3: error: Memset has mode = 3, expected one of Const [PGB003]",
    ),
    "attribute_unsupported": (
        HEAD + f"  I-0: DVE.TensorTensor {ACCESS} = {ACCESS}, {ACCESS} op=add acc=Zero\n}}",
        "4:3: error: TensorTensor has acc = 'Zero', expected 'Idle': nothing else is supported",
    ),
    "step": (
        HEAD + "  for i0 = 0 to 2 step 0 {\n  }\n}",
        "4:7: error: loop 'i0' has step 0, expected at least 1 [PGB001]",
    ),
    "location": (
        HEAD + f"{MEMSET} loc(model.py)\n}}",
        '4:70: error: expected "name", file:line:col or both in a location [PGB001]',
    ),
    "rest": (HEAD + f"{MEMSET} ;\n}}", "4:66: error: expected the end of the line, found ';'"),
    "data": (
        HEAD + "  const dram float32 w[2] = hex 0000803f\n}",
        "4:29: error: tensor 'w' has 4 bytes of data, expected 8 [PGB004]",
    ),
    "splat": (
        HEAD + "  const dram uint8 w[2] = splat 256\n}",
        "4:27: error: tensor 'w' has splat 256, expected uint8 [PGB004]",
    ),
    "no_data": (
        HEAD + "  const dram uint8 w[2]\n}",
        "4:24: error: expected '=', found the end of the line [PGB001]",
    ),
    "flag": (
        HEAD + f"  I-0: PE.Matmult {ACCESS} = {ACCESS}, {ACCESS} accumulation_flag=[i0]\n}}",
        "4:3: error: 'i0' is no axis of a loop around it [PGB002]",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    text, expected = ERRORS[name]
    with pytest.raises(UserError) as error:
        bir.from_text(text, "t.bir")
    assert str(error.value).startswith(f"t.bir:{expected}")


def test_damaged_text_is_refused_or_read(root):
    """Whatever a mistake does to a text, it ends in a located error or in another module."""
    random = Random(0)
    text = example(root)
    read = 0
    for _ in range(300):
        damaged = list(text)
        for _ in range(random.choice([1, 1, 3])):
            position = random.randrange(len(damaged))
            match random.randrange(3):
                case 0:
                    del damaged[position]
                case 1:
                    damaged[position] = random.choice('[](){}@=,.:"\\\n -0123xi_é')
                case 2:
                    del damaged[position : position + random.randrange(30)]
        try:
            module = bir.from_text("".join(damaged))
        except UserError as error:
            assert all(d.code and d.location for d in error.diagnostics)
            continue
        read += 1
        assert bir.from_text(bir.to_text(module)) == module
    assert 0 < read < 300


def test_every_code_has_a_page(root):
    found = set()
    for path in (root / "python" / "penguin" / "bir").glob("*.py"):
        found |= set(re.findall(r"PGB\d{3}", path.read_text(encoding="utf-8")))
    assert found
    for code in found:
        assert (root / "python" / "penguin" / "codes" / f"{code}.md").is_file()
