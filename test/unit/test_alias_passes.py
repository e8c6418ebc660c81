"""The passes on shared buffers: every clause is needed, and cost is linear."""

import time

import numpy as np
import pytest
from donation_programs import program

from penguin import execute, mlir, ports
from penguin.analysis import tensor_uses
from penguin.dialects.penguin.attributes import MUST_ALIAS
from penguin.errors import UserError
from penguin.passes.data_movement._sharing import Clause, Sharing
from penguin.passes.data_movement.alias_dependency_reset import AliasDependencyReset
from penguin.passes.data_movement.convert_must_alias_to_io_buffer import (
    ConvertMustAliasToIOBuffer,
)
from penguin.passlib import run_pipeline

F32 = 'memref<4x8xf32, "dram">'
ARGUMENTS = ", ".join(
    f'%{name}: {F32} {{penguin.io = "{io}put", penguin.name = "{name}"{more}}}'
    for name, io, more in (
        ("a", "in", ""),
        ("b", "in", ""),
        ("o", "out", ", penguin.alias = 0 : i64"),
        ("p", "out", ""),
    )
)
CHAIN = "optimize-aliased-copy-chain"
INDUCTION = "alias-dependency-induction"


@pytest.fixture(autouse=True)
def _context():
    with mlir.context():
        yield


def kernel(body, arguments=ARGUMENTS):
    return mlir.parse(
        f"func.func @main({arguments}) attributes {{penguin.kernel}} {{\n{body}\n  return\n}}"
    )


def alloc(name, must=None):
    extra = "" if must is None else f', {MUST_ALIAS} = "{must}"'
    return f'  %{name} = memref.alloc() {{penguin.name = "{name}"{extra}}} : {F32}\n'


def copy(src, dst):
    return f'  "penguin.memcpy"(%{src}, %{dst}) : ({F32}, {F32}) -> ()\n'


def tanh(src, dst):
    return f'  "penguin.unary"(%{src}, %{dst}) {{function = "tanh"}} : ({F32}, {F32}) -> ()\n'


def nest(*lines):
    body = "\n".join(f"      {line}" for line in lines)
    loops = "  affine.for %i = 0 to 4 {\n    affine.for %j = 0 to 8 {\n"
    return f"{loops}{body}\n    }}\n  }}\n"


STILL_READ = alloc("t") + tanh("a", "t") + copy("a", "p") + copy("t", "o")
BACKWARDS = (
    alloc("t")
    + alloc("u")
    + copy("a", "t")
    + nest(
        f"%x = affine.load %t[%i, %j] : {F32}",
        f"%z = affine.load %a[%i, 7 - %j] : {F32}",
        "%y = arith.addf %x, %z : f32",
        f"affine.store %y, %u[%i, %j] : {F32}",
    )
    + copy("u", "o")
    + copy("b", "p")
)
TWO_STORES = (
    alloc("t")
    + alloc("u")
    + copy("a", "t")
    + nest(
        f"%x = affine.load %t[%i, %j] : {F32}",
        "%y = arith.addf %x, %x : f32",
        f"affine.store %y, %u[%i, %j] : {F32}",
        f"affine.store %x, %t[%i, %j] : {F32}",
    )
    + copy("u", "o")
    + copy("b", "p")
)
CLAUSES = {
    "overwritten": (Clause.OVERWRITTEN, STILL_READ),
    "not in place": (Clause.NOT_IN_PLACE, BACKWARDS),
    "writes two": (Clause.WRITES_TWO, TWO_STORES),
}


def differs(body, pipeline):
    module = kernel(body)
    inputs = ports.random_inputs(ports.signature(module).inputs)
    before = execute.run(module, inputs)
    run_pipeline(module, f"builtin.module(func.func({pipeline}))")
    after = execute.run(module, inputs)
    return not all(np.allclose(x, y) for x, y in zip(before, after, strict=True))


@pytest.mark.parametrize("pipeline", [CHAIN, INDUCTION])
@pytest.mark.parametrize("case", CLAUSES)
def test_every_clause_is_needed(case, pipeline, monkeypatch):
    clause, body = CLAUSES[case]
    assert not differs(body, pipeline)
    whole = Sharing.clash

    def without(self, groups, *, strict=False):
        found = whole(self, groups, strict=strict)
        return None if found is not None and found.clause is clause else found

    monkeypatch.setattr(Sharing, "clash", without)
    assert differs(body, pipeline)


@pytest.mark.parametrize(
    "body",
    [
        nest(
            f"%x = affine.load %a[%j floordiv 2, %i] : {F32}",
            f"affine.store %x, %t[%i, %j] : {F32}",
        ),
        nest(f"%x = affine.load %a[%i, %j] : {F32}", f"affine.store %x, %t[%i, 0] : {F32}"),
        nest(f"affine.store %x, %t[%i, %j] : {F32}", f"%y = affine.load %a[%i, %j] : {F32}"),
    ],
)
def test_nests_that_do_not_work_in_place(body):
    """Division, an element written by several iterations, a load after the store."""
    if body.index("load") > body.index("store"):
        body = f"  %x = affine.load %b[0, 0] : {F32}\n" + body.replace(
            "    }\n  }", f"      affine.store %y, %p[%i, %j] : {F32}\n    }}\n  }}"
        )
    module = kernel(alloc("t") + body + copy("t", "o"))
    found = []
    whole = Sharing.clash

    def spy(self, groups, **options):
        found.append(whole(self, groups, **options))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sharing, "clash", spy)
        run_pipeline(module, f"builtin.module(func.func({INDUCTION}))")
    assert found and all(clash is not None for clash in found)
    assert MUST_ALIAS not in str(module)


def test_reset_keeps_what_is_relied_upon(monkeypatch):
    body = alloc("t", "o") + tanh("b", "t") + copy("b", "p")
    assert not differs(body, "alias-dependency-reset")
    monkeypatch.setattr(AliasDependencyReset, "legality", lambda self, tensor: None)
    assert differs(body, "alias-dependency-reset")


def test_convert_does_not_write_inputs(monkeypatch):
    arguments = ARGUMENTS.replace(", penguin.alias = 0 : i64", "")
    body = alloc("t", "a") + tanh("b", "t") + copy("t", "p") + copy("b", "o")
    lower = "lower-tensor-op,late-lower-tensor-op,layout-tiling,select-instructions,allocate"

    def run():
        module = kernel(body, arguments)
        passes = f"convert-must-alias-to-io-buffer,{lower}"
        run_pipeline(module, f"builtin.module(func.func({passes}))")
        return execute.run(module, ports.random_inputs(ports.signature(module).inputs))

    run()
    monkeypatch.setattr(ConvertMustAliasToIOBuffer, "legality", lambda self, op: None)
    with pytest.raises(UserError, match="PGR106"):
        run()


# That of document 000, and others; before and after the nests.
ORDERS = (
    f"{INDUCTION} alias-verification-pass convert-must-alias-to-io-buffer legalize-op-level-alias"
    f" lower-tensor-op {CHAIN} memcpy-elimination",
    f"lower-tensor-op {CHAIN} {INDUCTION} alias-dependency-reset {INDUCTION}"
    " reshape-op-elimination slice-op-elimination memcpy-elimination",
    f"{CHAIN} lower-tensor-op memcpy-elimination {INDUCTION} {CHAIN}"
    " convert-must-alias-to-io-buffer legalize-op-level-alias",
)


@pytest.mark.parametrize("seed", range(12))
def test_random_donations(seed):
    """Each pass keeps what the program computes, in any order, down to instructions."""
    down = ("late-lower-tensor-op", "layout-tiling", "select-instructions,allocate")
    text = program(seed)
    for order in ORDERS:
        module = mlir.parse(text)
        inputs = ports.random_inputs(ports.signature(module).inputs, seed)
        expected = execute.run(module, inputs)
        run_pipeline(module, "builtin.module(penguin-hlo-pipeline,hlo-to-penguin)")
        for name in ("", *order.split(), *down):
            if name:
                run_pipeline(module, f"builtin.module(func.func({name}))")
            for got, want in zip(execute.run(module, inputs), expected, strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5, err_msg=name)


def long_chain(count):
    body = "".join(alloc(f"t{n}") for n in range(count))
    previous = "a"
    for n in range(count):
        body += (copy if n % 3 == 0 else tanh)(previous, f"t{n}")
        previous = f"t{n}"
    return kernel(body + copy(previous, "o") + copy("b", "p"))


def many_chains(count):
    pairs = [
        f'%a{n}: {F32} {{penguin.io = "input", penguin.name = "a{n}"}}' for n in range(count)
    ] + [
        f'%o{n}: {F32} {{penguin.io = "output", penguin.name = "o{n}", penguin.alias = {n} : i64}}'
        for n in range(count)
    ]
    body = "".join(
        alloc(f"t{n}") + tanh(f"a{n}", f"t{n}") + copy(f"t{n}", f"o{n}") for n in range(count)
    )
    return kernel(body, ", ".join(pairs))


@pytest.mark.parametrize("make", [long_chain, many_chains])
@pytest.mark.parametrize("pipeline", [f"{CHAIN}{{max-chain-search=100000}}", INDUCTION])
def test_linear(make, pipeline):
    def seconds(count):
        module = make(count)
        start = time.process_time()
        run_pipeline(module, f"builtin.module(func.func({pipeline}))")
        return time.process_time() - start

    seconds(10)
    assert seconds(3000) < 24 * max(seconds(300), 0.02)


def test_nothing_is_built_without_aliases(monkeypatch):
    def fail(*_args):
        raise AssertionError("built")

    monkeypatch.setattr(tensor_uses.TensorUses, "__init__", fail)
    module = kernel(
        alloc("t") + tanh("a", "t") + copy("t", "p"),
        ARGUMENTS.replace(", penguin.alias = 0 : i64", ""),
    )
    run_pipeline(module, f"builtin.module(func.func({INDUCTION},{CHAIN},alias-dependency-reset))")
