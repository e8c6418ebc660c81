"""Every rule of the bir verifier: what it refuses, in its words, and what it lets pass."""

import pytest
from bir_cases import ACCEPTED, REFUSED

from penguin import bir
from penguin.mlir import ir, parse

TENSORS = """\
  input dram float32 x[1024,512]
  output dram float32 y[1024,512]
  dram float32 small[4]
  sbuf float32 a[128,512]
  sbuf float32 b[128,512]
  sbuf float32 s[128,1]
  sbuf float32 wide[128,4096]
  sbuf float32 deep[128,40000]
  sbuf float32 low[64,512]
  sbuf bfloat16 h[128,512]
  sbuf bfloat16 k[128,512]
  sbuf int32 n[128,512]
  sbuf int32 n2[128,512]
  sbuf int16 n16[128,512]
  sbuf uint8 u8[128,512]
  psum float32 p[128,512]
  psum float32 q[128,512]
  psum float32 pwide[128,4096]
  psum bfloat16 ph[128,512]
"""
ALL = "[[512,128],[1,512]]"


@pytest.fixture(scope="module", autouse=True)
def context():
    from penguin.dialects.bir import Bir

    with ir.Context() as ctx, ir.Location.unknown():
        Bir.load()
        yield ctx


def problem(body: str, target: str = "trn2", tensors: str = "") -> str:
    """What the verifier says about a program; empty if nothing."""
    body = body.replace("ALL", ALL)
    body = body if ":" in body.split("\n")[0] or body.startswith("for") else f"I-0: {body}"
    text = f"module {target}\nfunc main {{\n{TENSORS}{tensors}{body}\n}}\n"
    module = bir.to_mlir(bir.from_text(text))
    try:
        assert module.operation.verify()
    except ir.MLIRError as error:
        return error.error_diagnostics[0].message
    return ""


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    body, expected, *tensors = REFUSED[name]
    clause = name.split("_")[0].upper()
    assert expected.endswith(f"({clause})")
    assert problem(body, tensors="".join(tensors)) == expected


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name):
    assert problem(ACCEPTED[name]) == ""


N4096 = (
    "PE.Matmult float32 pwide[[4096,128],[1,4096]] = float32 wide[[4096,128],[1,4096]], "
    "float32 a[[512,128],[1,128]]"
)
BF16_OUT = "PE.Matmult bfloat16 phALL = bfloat16 hALL, bfloat16 k[[512,128],[1,128]]"
SBUF_END = "DVE.Memset float32 t[[8,128],[1,8]] constant=0.0 mode=Const"
ABS = "DVE.TensorScalar float32 bALL = float32 aALL op0=abs"


@pytest.mark.parametrize(
    ("body", "refused", "accepted"),
    [
        (N4096, ["trn1", "trn2"], ["trn3"]),
        (BF16_OUT, ["trn1", "trn2"], ["trn3"]),
        (SBUF_END, ["trn1"], ["trn2", "trn3"]),
        (ABS, ["trn1"], ["trn2", "trn3"]),
        ("SP.Load float32 aALL = float32 xALL dge_type=HWDGE", ["trn1"], ["trn2", "trn3"]),
    ],
)
def test_targets_differ(body, refused, accepted):
    tensors = "sbuf float32 t[128,8] base=0 addr=180200\n"
    deep = "  sbuf float32 deep[128,40000]\n"
    assert deep in TENSORS
    for target in refused:
        assert problem(body, target, tensors) != ""
    for target in accepted:
        assert problem(body, target, tensors) == ""


def mlir_problem(source: str) -> str:
    try:
        parse(source)
    except ir.MLIRError as error:
        return error.error_diagnostics[0].message
    return ""


AP = '#bir.ap<"float32", affine_map<() -> (0)>, [[512, 128], [1, 512]]>'
TILE = 'memref<128x512xf32, "sbuf">'


def reciprocal(
    access: str = f"[{AP}, {AP}]", more: str = "", type_: str = TILE, axis: str = ""
) -> str:
    operands = "%a, %a" + (f", {axis}" if axis else "")
    types = f"{type_}, {type_}" + (", index" if axis else "")
    return f"""
      func.func @main(%i: index) {{
        %a = memref.alloc() : {type_}
        "bir.Reciprocal"({operands}) {{access = {access}, engine = "DVE"{more}}} : ({types}) -> ()
        return
      }}"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (reciprocal(), ""),
        (reciprocal(f"[{AP}]"), "'bir.Reciprocal' op access has 1 patterns, expected 2 (C2)"),
        (
            reciprocal(f"[{AP}, 1]"),
            "'bir.Reciprocal' op access holds 1 : i64, expected #bir.ap (C2)",
        ),
        (
            reciprocal(f'[{AP}, #bir.ap<"float32", affine_map<() -> (0)>, [[1, 2, 3]]>]'),
            "'bir.Reciprocal' op access holds pair [1, 2, 3], expected [step, num] (C2)",
        ),
        (
            reciprocal(f'[{AP}, #bir.ap<"float32", affine_map<() -> (0)>, []>]'),
            "'bir.Reciprocal' op access holds a pattern without pairs, "
            "expected at least the partition pair (C2)",
        ),
        (
            reciprocal(f'[{AP}, #bir.ap<"float32", affine_map<(d0) -> (d0 mod 2)>, [[1, 1]]>]'),
            "'bir.Reciprocal' op access has offset affine_map<(d0) -> (d0 mod 2)>, "
            "expected a linear expression (C2)",
        ),
        (
            reciprocal(axis="%i"),
            "'bir.Reciprocal' op axes[0] is not the variable of a bir.loop (C3)",
        ),
        (
            reciprocal(AP.replace("()", "(d0)").join([f"[{AP}, ", "]"])),
            "'bir.Reciprocal' op outs[0] has an offset over 1 axes, expected 0 (C3)",
        ),
        (
            reciprocal(more=', func = "Exp"'),
            "'bir.Reciprocal' op has attribute 'func', expected none (C5)",
        ),
        (reciprocal(more=", other.key = 1"), ""),
        (
            reciprocal(type_='memref<512xf32, "sbuf">'),
            "'bir.Reciprocal' op ins[0] is a tile of rank 1, expected partitions x elements (C6)",
        ),
        (
            reciprocal(type_="memref<128x512xf32>"),
            "'bir.Reciprocal' op ins[0] has no memory space, "
            'expected "dram", "sbuf" or "psum" (C6)',
        ),
    ],
)
def test_form(source, expected):
    assert mlir_problem(source) == expected


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("", "'bir.Memset' op has no attribute 'constant', expected a float32 or an integer (C5)"),
        (
            ', constant = 0.0 : f32, mode = "Random"',
            "'bir.Memset' op has mode = \"Random\", expected one of Const (C5)",
        ),
        (
            ', constant = "0", mode = "Const"',
            "'bir.Memset' op has constant = \"0\", expected a float32 or an integer (C5)",
        ),
        (
            ', constant = dense<0> : tensor<1xi8>, mode = "Const"',
            "'bir.Memset' op attribute 'constant' is dense<0> : tensor<1xi8>, "
            "expected a boolean, a number, a string or an array (C5)",
        ),
    ],
)
def test_c5_attributes(attributes, expected):
    source = f"""
      func.func @main() {{
        %a = memref.alloc() : {TILE}
        "bir.Memset"(%a) {{access = [{AP}], engine = "DVE"{attributes}}} : ({TILE}) -> ()
        return
      }}"""
    assert mlir_problem(source) == expected


def test_c23_accumulation_flag():
    def source(flag: str) -> str:
        ap = AP.replace("()", "(d0)")
        return f"""
          func.func @main() {{
            %a = memref.alloc() : memref<128x128xf32, "sbuf">
            %p = memref.alloc() : memref<128x128xf32, "psum">
            "bir.loop"() ({{
            ^bb0(%i: index):
              "bir.Matmult"(%a, %a, %p, %i) {{access = [{ap}, {ap}, {ap}], engine = "PE",
                  accumulation_flag = {flag}}} : (memref<128x128xf32, "sbuf">,
                  memref<128x128xf32, "sbuf">, memref<128x128xf32, "psum">, index) -> ()
            }}) {{lower = 0 : i64, upper = 2 : i64, step = 1 : i64}} : () -> ()
            return
          }}""".replace("512", "128")

    assert mlir_problem(source("[0]")) == ""
    assert mlir_problem(source("[]")) == ""
    for flag in ("[1]", "[0, 0]", "[-1]"):
        assert mlir_problem(source(flag)) == (
            f"'bir.Matmult' op has accumulation_flag {flag}, "
            "expected distinct positions below 1 (C23)"
        )


def test_unknown_target():
    source = reciprocal().replace(
        "func.func", 'module attributes {bir.target = "trn9"} { func.func'
    )
    assert mlir_problem(source + "}") == (
        "'bir.Reciprocal' op has bir.target \"trn9\", expected one of trn1 trn2 trn3 (C4)"
    )


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        (
            "lower = 0 : i64, upper = 2 : i64, step = 0 : i64",
            "has step 0, expected at least 1 (C1)",
        ),
        (
            "lower = 2 : i64, upper = 2 : i64, step = 1 : i64",
            "runs from 2 to 2, expected at least one iteration (C2)",
        ),
    ],
)
def test_loop_bounds(loop, expected):
    source = (
        f'func.func @main() {{ "bir.loop"() ({{^bb0(%i: index):}}) {{{loop}}} : () -> () return }}'
    )
    assert mlir_problem(source) == f"'bir.loop' op {expected}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("^bb0(%i: i32):", "has block arguments (i32), expected (index) (C3)"),
        ("^bb0:", "has block arguments (), expected (index) (C3)"),
        (
            "^bb0(%i: index): %c = arith.constant 1 : index",
            "has 'arith.constant' in its body, expected instructions, loops and tiles (C4)",
        ),
    ],
)
def test_loop_body(body, expected):
    bounds = "{lower = 0 : i64, upper = 2 : i64, step = 1 : i64}"
    source = f'func.func @main() {{ "bir.loop"() ({{{body}\n}}) {bounds} : () -> () return }}'
    assert mlir_problem(source) == f"'bir.loop' op {expected}"
