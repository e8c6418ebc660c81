"""Shared buffers: the analysis, its faults, and every level's execution of them."""

import time

import numpy as np
import pytest

from penguin import bir, execute, interp, mlir, ports, sim
from penguin.analysis.aliases import Aliases, faults
from penguin.errors import UserError
from penguin.mlir import ir
from penguin.passlib import run_pipeline

F32 = 'memref<4x8xf32, "dram">'


def kernel(body, arguments=None):
    """Inputs %a and %b, output %o in %a's buffer, output %p in its own; see `IN` and `OUT`."""
    arguments = arguments or f"{IN('a')}, {IN('b')}, {OUT('o', 0)}, {OUT('p')}"
    head = f"func.func @main({arguments}) attributes {{penguin.kernel}}"
    return mlir.parse(f"{head} {{\n{body}\n  return\n}}")


def IN(name, kind=F32):
    return f'%{name}: {kind} {{penguin.io = "input", penguin.name = "{name}"}}'


def OUT(name, alias=None, kind=F32):
    extra = "" if alias is None else f", penguin.alias = {alias} : i64"
    return f'%{name}: {kind} {{penguin.io = "output", penguin.name = "{name}"{extra}}}'


def alloc(name, must=None, kind=F32):
    extra = "" if must is None else f', penguin.must_alias = "{must}"'
    return f'%{name} = memref.alloc() {{penguin.name = "{name}"{extra}}} : {kind}'


def memcpy(src, dst):
    return f'"penguin.memcpy"(%{src}, %{dst}) : ({F32}, {F32}) -> ()'


def add(lhs, rhs, dst):
    types = f"({F32}, {F32}, {F32}) -> ()"
    return f'"penguin.binary"(%{lhs}, %{rhs}, %{dst}) {{function = "add"}} : {types}'


@pytest.fixture(autouse=True)
def _context():
    with mlir.context():
        yield


def values(module):
    """Arguments and results by their SSA names (in the order of the text) of the function."""
    func = module.body.operations[0].operation
    # Values do not keep their module alive.
    found = {"module": module}
    block = func.regions[0].blocks[0]
    for value in [*block.arguments, *(r for op in block.operations for r in op.results)]:
        found[value.get_name().removeprefix("%")] = value
    return Aliases(func), found


def inputs(module, seed=0):
    return ports.random_inputs(ports.signature(module).inputs, seed)


# -- the analysis --------------------------------------------------------------------------------


def test_arguments_alias_only_if_declared():
    aliases, v = values(kernel(""))
    a, b, o, p = (v[f"arg{n}"] for n in range(4))
    assert aliases.must(a, o) and aliases.may(o, a) and not aliases.no(a, o)
    assert aliases.root(o) == a and aliases.root(a) == a
    assert aliases.members(o) == [a, o]
    for x, y in ((a, b), (a, p), (o, p), (b, o)):
        assert aliases.no(x, y) and not aliases.may(x, y) and not aliases.must(x, y)
    assert aliases.is_shared(o) and not aliases.is_shared(p)


def test_the_input_is_the_root_wherever_it_stands():
    aliases, v = values(kernel("", f"{OUT('o', 1)}, {IN('a')}"))
    assert aliases.root(v["arg0"]) == v["arg1"]


def test_allocations_alias_only_if_declared():
    body = "\n".join([alloc("t"), alloc("u", "t"), alloc("w", "o"), alloc("x", "z"), alloc("z")])
    aliases, v = values(kernel(body))
    t, u, w, x, z = (v["alloc"], v["alloc_0"], v["alloc_1"], v["alloc_2"], v["alloc_3"])
    assert aliases.must(t, u) and aliases.no(t, w) and aliases.no(t, x)
    assert aliases.root(w) == v["arg0"]
    assert aliases.members(w) == [v["arg0"], v["arg2"], w]
    # The one that is named comes later.
    assert aliases.root(z) == x


def test_views():
    body = """
  %c = memref.cast %a : memref<4x8xf32, "dram"> to memref<?x8xf32, "dram">
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [32], strides: [1]
    : memref<4x8xf32, "dram"> to memref<32xf32, "dram">
  %s = memref.subview %a[0, 0] [2, 8] [1, 1]
    : memref<4x8xf32, "dram"> to memref<2x8xf32, strided<[8, 1]>, "dram">
  %t = memref.subview %a[2, 0] [2, 8] [1, 1]
    : memref<4x8xf32, "dram"> to memref<2x8xf32, strided<[8, 1], offset: 16>, "dram">
  %u = memref.subview %o[2, 0] [2, 8] [1, 1]
    : memref<4x8xf32, "dram"> to memref<2x8xf32, strided<[8, 1], offset: 16>, "dram">
  %w = memref.subview %a[0, 4] [4, 4] [1, 1]
    : memref<4x8xf32, "dram"> to memref<4x4xf32, strided<[8, 1], offset: 4>, "dram">
  %n = memref.subview %a[0, 0] [0, 8] [1, 1]
    : memref<4x8xf32, "dram"> to memref<0x8xf32, strided<[8, 1]>, "dram">"""
    aliases, v = values(kernel(body))
    a, cast, flat = v["arg0"], v["cast"], v["reinterpret_cast"]
    low, high, same = v["subview"], v["subview_0"], v["subview_1"]
    right, none = v["subview_2"], v["subview_3"]
    assert all(aliases.root(x) == a for x in (cast, flat, low, high, same, right, none))
    # The whole buffer under another shape is the same memory; a type that does not say is not.
    assert aliases.must(a, flat) and aliases.may(a, cast) and not aliases.must(a, cast)
    assert aliases.may(a, low) and not aliases.must(a, low)
    assert aliases.no(low, high) and aliases.must(high, same)
    assert aliases.may(right, low) and aliases.may(right, high)
    assert aliases.no(none, a)
    assert aliases.members(a) == [a, v["arg2"], cast, flat, low, high, same, right, none]


def test_fusions_and_globals():
    module = mlir.parse(f"""
memref.global "private" constant @c : {F32} = dense<1.0>
func.func @main({IN("a")}, {OUT("o")}) attributes {{penguin.kernel}} {{
  %g = memref.get_global @c : {F32}
  %h = memref.get_global @c : {F32}
  "penguin.fusion"(%a, %o) ({{
  ^bb0(%x: {F32}, %y: {F32}):
    "penguin.unary"(%x, %y) {{function = "tanh"}} : ({F32}, {F32}) -> ()
  }}) {{kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: 1, {"0, " * 15}1, {"0, " * 14}0>}} : ({F32}, {F32}) -> ()
  return
}}""")
    func = module.body.operations[1].operation
    block = func.regions[0].blocks[0]
    g, h, fusion = (op.operation for op in list(block.operations)[:3])
    aliases = Aliases(func)
    assert aliases.must(g.results[0], h.results[0])
    x, y = fusion.regions[0].blocks[0].arguments
    a, o = block.arguments
    assert aliases.must(x, a) and aliases.must(y, o) and aliases.no(x, y) and aliases.no(x, o)


def test_what_is_not_known_may_be_anything():
    aliases, v = values(
        kernel("""
  %true = arith.constant true
  %s = arith.select %true, %a, %b : memref<4x8xf32, "dram">""")
    )
    assert aliases.may(v["0"], v["arg0"]) and aliases.may(v["arg3"], v["0"])
    assert not aliases.must(v["0"], v["arg0"]) and aliases.must(v["0"], v["0"])


def test_linear_in_the_number_of_tensors():
    def module_of(count):
        return kernel("\n".join(alloc(f"t{n}", f"t{n - 1}" if n else "o") for n in range(count)))

    def seconds(module):
        start = time.process_time()
        assert len(Aliases(module.body.operations[0]).tensors) > 1000
        return time.process_time() - start

    small, large = module_of(1000), module_of(8000)
    assert min(seconds(large) for _ in range(3)) < 24 * max(seconds(small) for _ in range(3))


# -- faults --------------------------------------------------------------------------------------

SMALL = 'memref<2x2xf32, "dram">'
FAULTS = {
    "range": (f"{IN('a')}, {OUT('o', 7)}", "", "PGA001", "penguin.alias = 7 : i64, expected"),
    "negative": (f"{IN('a')}, {OUT('o', -1)}", "", "PGA001", "an i64 below 2"),
    "type": (
        f"{IN('a')}, {OUT('o', 0, SMALL)}",
        "",
        "PGA002",
        "to share the buffer of argument #0",
    ),
    "twice": (f"{IN('a')}, {OUT('o', 0)}, {OUT('p', 0)}", "", "PGA003", "as has argument #1"),
    "itself": (f"{IN('a')}, {OUT('o', 1)}", "", "PGA004", "no input itself: an alias cycle"),
    "outputs": (f"{OUT('o', 1)}, {OUT('p', 0)}", "", "PGA004", "an alias cycle"),
    "name": ("", alloc("t", "nothing"), "PGA005", "0 tensors have that name"),
    "names": (
        "",
        "\n".join([alloc("t"), alloc("b").replace("%b", "%t2"), alloc("u", "b")]),
        "PGA005",
        "2 tensors",
    ),
    "types": ("", alloc("t", "a", SMALL), "PGA002", 'to share the buffer of "a"'),
    "cycle": (
        "",
        "\n".join([alloc("t", "u"), alloc("u", "w"), alloc("w", "t")]),
        "PGA004",
        "alias cycle: t -> u -> w -> t",
    ),
    "self": ("", alloc("t", "t"), "PGA004", "alias cycle: t -> t"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults(case):
    arguments, body, code, text = FAULTS[case]
    module = kernel(body, arguments)
    found = list(faults(module.body.operations[0]))
    assert found and found[0].code == code and text in found[0].message
    # Where modules come in, the same.
    given = inputs(module)
    with pytest.raises(UserError, match=code):
        interp.run(module, given)
    with pytest.raises(UserError, match=code):
        bir.from_mlir(module)


def test_an_input_in_a_buffer_is_a_cycle():
    argument = f'%a: {F32} {{penguin.io = "input", penguin.alias = 1 : i64}}'
    module = kernel("", f"{argument}, {IN('b')}")
    (fault,) = faults(module.body.operations[0])
    assert fault.code == "PGA004" and "is no output" in fault.message


# -- execution -----------------------------------------------------------------------------------


def test_writing_the_output_overwrites_the_input():
    module = kernel("\n".join([add("a", "b", "o"), memcpy("a", "p")]))
    a, b = inputs(module)
    before = a.copy()
    o, p = interp.run(module, [a, b])
    np.testing.assert_array_equal(o, before + b)
    np.testing.assert_array_equal(p, before + b)
    np.testing.assert_array_equal(a, before)


def test_a_fusion_reads_its_sources_before_it_writes():
    sizes = f"2, {'0, ' * 15}2, {'0, ' * 14}0"
    module = kernel(f"""
  "penguin.fusion"(%a, %b, %o, %p) ({{
  ^bb0(%x: {F32}, %y: {F32}, %z: {F32}, %w: {F32}):
    {memcpy("y", "z")}
    {add("x", "y", "w")}
  }}) {{kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
      operandSegmentSizes = array<i32: {sizes}>}} : ({F32}, {F32}, {F32}, {F32}) -> ()""")
    a, b = inputs(module)
    o, p = interp.run(module, [a, b])
    np.testing.assert_array_equal(o, b)
    np.testing.assert_array_equal(p, a + b)


def test_an_output_that_is_not_written_is_its_input():
    module = kernel(memcpy("b", "p"))
    a, b = inputs(module)
    o, _ = interp.run(module, [a, b])
    np.testing.assert_array_equal(o, a)
    assert o is not a


@pytest.mark.parametrize("named", ["o", "a", "t"])
def test_allocations_in_the_buffers_of_others(named):
    body = [alloc("t"), alloc("u", named), memcpy("b", "u"), memcpy(named, "p"), memcpy("p", "o")]
    module = kernel("\n".join(body))
    a, b = inputs(module)
    o, p = interp.run(module, [a, b])
    np.testing.assert_array_equal(o, b)
    np.testing.assert_array_equal(p, b)


def test_a_buffer_lives_as_long_as_its_last_name():
    body = [alloc("t", "u"), memcpy("a", "t"), alloc("u"), memcpy("u", "p"), memcpy("b", "o")]
    module = kernel("\n".join(body))
    a, b = inputs(module)
    np.testing.assert_array_equal(interp.run(module, [a, b])[1], a)


def nest(body, extent=8):
    """A nest over rows and columns."""
    return f"""
  affine.for %i = 0 to 4 {{
    affine.for %j = 0 to {extent} {{
{body}
    }}
  }}"""


# Reads and writes of one buffer under two names in one nest.
NESTS = {
    "in place": nest(f"""
      %x = affine.load %a[%i, %j] : {F32}
      %y = arith.addf %x, %x : f32
      affine.store %y, %o[%i, %j] : {F32}"""),
    "shifted": nest(
        f"""
      %x = affine.load %a[%i, %j] : {F32}
      affine.store %x, %o[%i, %j + 1] : {F32}""",
        7,
    ),
    "reversed": nest(f"""
      %x = affine.load %a[%i, 7 - %j] : {F32}
      affine.store %x, %o[%i, %j] : {F32}"""),
    "read after": nest(f"""
      %x = affine.load %a[%i, %j] : {F32}
      %y = affine.load %b[%i, %j] : {F32}
      affine.store %y, %o[%i, %j] : {F32}
      %z = affine.load %a[%i, %j] : {F32}
      %s = arith.addf %x, %z : f32
      affine.store %s, %p[%i, %j] : {F32}"""),
    "row sums": f"""
  affine.for %i = 0 to 4 {{
    %zero = arith.constant 0.0 : f32
    %s = affine.for %j = 0 to 8 iter_args(%t = %zero) -> (f32) {{
      %x = affine.load %a[%i, %j] : {F32}
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }}
    affine.store %s, %o[%i, 7] : {F32}
    affine.store %s, %o[3 - %i, 0] : {F32}
  }}""",
}


@pytest.mark.parametrize("case", NESTS)
def test_one_buffer_under_two_names_in_a_nest(case):
    """As one name: every level must compute what it computes then."""
    both = NESTS[case] + ("" if "%p" in NESTS[case] else memcpy("b", "p"))
    module = kernel(both)
    one_name = both.replace("%o[", "%a[")
    single = kernel(one_name + "\n" + memcpy("a", "o"))
    given = inputs(module)
    expected = interp.run(single, given)
    for pipeline in ("late-lower-tensor-op", "layout-tiling", "select-instructions", "allocate"):
        for got, want in zip(execute.run(module, given), expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-5, err_msg=f"before {pipeline}")
        run_pipeline(module, f"builtin.module(func.func({pipeline}))")
    for got, want in zip(execute.run(module, given), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5)


def test_the_simulator_shares_memory_and_spares_the_caller():
    body = [alloc("t"), alloc("u", "t"), memcpy("b", "t"), memcpy("u", "o"), memcpy("a", "p")]
    module = kernel("\n".join(body))
    given = inputs(module)
    before = [array.copy() for array in given]
    passes = "late-lower-tensor-op,layout-tiling,select-instructions,allocate"
    run_pipeline(module, f"builtin.module(func.func({passes}))")
    program = bir.from_mlir(module)
    tensors = program.main.tensors
    assert tensors["o"].alias == "a" and tensors["u"].alias == "t"
    assert tensors["u"].addr == tensors["t"].addr
    for got in (sim.run(program, given), sim.run(program, given, physical=False)):
        np.testing.assert_array_equal(got[0], before[1])
        np.testing.assert_array_equal(got[1], before[1])
    for array, old in zip(given, before, strict=True):
        np.testing.assert_array_equal(array, old)
    for again in (
        bir.from_text(bir.to_text(program)),
        bir.from_json(bir.to_json(program)),
        bir.from_mlir(bir.to_mlir(program)),
    ):
        assert again == program


def test_tensors_in_the_buffers_of_arguments_have_no_address():
    module = kernel("\n".join([alloc("t", "o"), memcpy("b", "t"), memcpy("t", "p")]))
    run_pipeline(
        module,
        "builtin.module(func.func(late-lower-tensor-op,layout-tiling,select-instructions,allocate))",
    )
    program = bir.from_mlir(module)
    assert program.main.tensors["t"].alias == "o" and program.main.tensors["t"].addr is None
    given = inputs(module)
    for got in sim.run(program, given):
        np.testing.assert_array_equal(got, given[1])


HEAD = "module trn2\nfunc main {\n"
BAD_TEXT = {
    "unknown": ("output dram float32 o[4] alias x\n}", "3:34", "which is not defined"),
    "no input": (
        "output dram float32 o[4]\n  output dram float32 p[4] alias o\n}",
        "4:34",
        "which is ExternalOutput, expected ExternalInput",
    ),
    "twice": (
        "input dram float32 x[4]\n  output dram float32 o[4] alias x\n"
        "  output dram float32 p[4] alias x\n}",
        "5:34",
        "which is the alias of output 'o'",
    ),
    "shape": (
        "input dram float32 x[8]\n  output dram float32 o[4] alias x\n}",
        "4:34",
        r"which is float32\[8\], expected float32\[4\]",
    ),
    "cycle": (
        "dram float32 t[4] alias u\n  dram float32 u[4] alias t\n}",
        "3:27",
        "an alias cycle",
    ),
    "tile": ("sbuf float32 t[4,4]\n  sbuf float32 u[4,4] alias t\n}", "4:29", "lies in sbuf, .*"),
}


@pytest.mark.parametrize("case", BAD_TEXT)
def test_bad_aliases_in_text(case):
    body, place, message = BAD_TEXT[case]
    with pytest.raises(UserError, match=rf"{message} \[PGB002\]") as found:
        bir.from_text(f"{HEAD}  {body}")
    assert f"<bir>:{place}:" in str(found.value)


def test_bad_aliases_in_models():
    text = HEAD + "  input dram float32 x[4]\n  output dram float32 o[4] alias x\n}"
    program = bir.from_text(text)
    program.main.tensors["o"].alias = "nothing"
    json = bir.to_json(program)
    for read in (lambda: sim.run(program, []), lambda: bir.to_mlir(program)):
        with pytest.raises(UserError, match="'nothing', which is not defined"):
            read()
    with pytest.raises(UserError, match="'nothing', which is not defined"):
        bir.from_json(json)


def test_a_view_keeps_what_it_is_a_view_of():
    module = kernel("""
  %r = memref.reinterpret_cast %o to offset: [0], sizes: [32], strides: [1]
    : memref<4x8xf32, "dram"> to memref<32xf32, "dram">""")
    aliases, v = values(module)
    assert isinstance(v["reinterpret_cast"].type, ir.MemRefType)
    assert aliases.must(v["reinterpret_cast"], v["arg0"])
