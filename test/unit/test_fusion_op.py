"""Composites of every kind, from StableHLO to instructions; the fusion op between them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from penguin import execute, interp, mlir
from penguin.dialects import penguin as pg
from penguin.dialects.base import Many
from penguin.dialects.hlo.attributes import Kind
from penguin.dialects.penguin.attributes import FusionKind, FusionLabel
from penguin.driver import Level, compile
from penguin.mlir import ir
from penguin.passes.hlo.simplify_hlo import SimplifyHlo
from penguin.passes.lowering._composites import FORMS
from penguin.passes.lowering.hlo_to_penguin import HloToPenguin
from penguin.passlib import run_pipeline

pytestmark = pytest.mark.usefixtures("context")

RNG = np.random.default_rng(3)
A = RNG.standard_normal((6, 40)).astype(np.float32)
B = RNG.standard_normal((40, 9)).astype(np.float32)
V = RNG.uniform(0.1, 2.0, 40).astype(np.float32)


@dataclass
class Composite:
    """One composite of `main`: its operands' and results' types, and the ops it stands for."""

    kind: Kind
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    body: str
    arrays: list[np.ndarray]
    expected: Callable[..., tuple[np.ndarray, ...]]
    op: FusionKind | None
    label: FusionLabel | None
    more: str = field(default="")

    def text(self, kind: str | None = None, name: str = "composite.Fused") -> str:
        kind = self.kind if kind is None else kind
        attribute = f'CompositeKind = "{kind}", ' if kind else ""
        args = [f"%x{i}: {t}" for i, t in enumerate(self.inputs)]
        operands = ", ".join(f"%x{i}" for i in range(len(self.inputs)))
        outs = ", ".join(self.results)
        count = len(self.results)
        results = ", ".join(f"%0#{i}" for i in range(count)) if count > 1 else "%0"
        return f"""
          func.func @main({", ".join(args)}) -> ({outs}) {{
            %0{f":{count}" if count > 1 else ""} = stablehlo.composite "{name}" {operands}
              {{{attribute}composite_attributes = {{}}, decomposition = @hilo.genComposite0,
                version = 0 : i32}} : ({", ".join(self.inputs)}) -> ({outs})
            return {results} : {outs}
          }}
          func.func private @hilo.genComposite0({", ".join(args)}) -> ({outs})
              attributes {{genComposite = true, noDelete = true}} {{{self.body}
          }}
          {self.more}"""


M, W, P, C = "tensor<6x40xf32>", "tensor<40x9xf32>", "tensor<6x9xf32>", "tensor<40xf32>"
R = "tensor<6xf32>"


def _softmax(x: np.ndarray) -> tuple[np.ndarray]:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True),)


def _gate(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    product = a @ b
    gate = 1 / (1 + np.exp(-product))
    return gate, product * gate


COMPOSITES = {
    "mul_red_sqrt": Composite(
        Kind.MUL_RED_SQRT,
        (M, "tensor<f32>"),
        (R,),
        f"""
        %0 = stablehlo.multiply %x0, %x0 : {M}
        %1 = stablehlo.reduce(%0 init: %x1) applies stablehlo.add across dimensions = [1]
          : ({M}, tensor<f32>) -> {R}
        %2 = stablehlo.sqrt %1 : {R}
        return %2 : {R}""",
        [A, np.array(0.5, np.float32)],
        lambda a, z: (np.sqrt((a * a).sum(axis=1) + z),),
        FusionKind.REDUCE,
        FusionLabel.MUL_RED_SQRT,
    ),
    "dot_logistic": Composite(
        Kind.DOT_LOGISTIC,
        (M, W),
        (P, P),
        f"""
        %0 = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : ({M}, {W}) -> {P}
        %1 = stablehlo.logistic %0 : {P}
        %2 = stablehlo.multiply %0, %1 : {P}
        return %1, %2 : {P}, {P}""",
        [A, B],
        _gate,
        FusionKind.TENSOR_CONTRACT,
        FusionLabel.DOT_FUSION,
    ),
    "elementwise": Composite(
        Kind.ELEMENTWISE,
        (C, C),
        ("tensor<80xf32>", C, "tensor<40xi1>"),
        f"""
        %0 = stablehlo.composite "composite.Fused" %x1 {{CompositeKind = "Expm1",
          decomposition = @inner}} : ({C}) -> {C}
        %1 = stablehlo.composite "my.inner" %0 {{decomposition = @inner}} : ({C}) -> {C}
        %2 = stablehlo.concatenate %1, %x0, dim = 0 : ({C}, {C}) -> tensor<80xf32>
        %3 = stablehlo.compare GT, %x0, %x1 : ({C}, {C}) -> tensor<40xi1>
        return %2, %x0, %3 : tensor<80xf32>, {C}, tensor<40xi1>""",
        [V, V[::-1].copy()],
        lambda x, y: (np.concatenate([(y * 2 + 1) * 2 + 1, x]), x, x > y),
        FusionKind.ELEMENT_WISE,
        FusionLabel.ELEMENTWISE,
        f"""
        func.func private @inner(%x: {C}) -> {C} {{
          %0 = stablehlo.add %x, %x : {C}
          %1 = stablehlo.constant dense<1.0> : {C}
          %2 = stablehlo.add %0, %1 : {C}
          return %2 : {C}
        }}""",
    ),
    "expm1": Composite(
        Kind.EXPM1,
        (C,),
        (C,),
        f"""
        %0 = stablehlo.constant dense<1.0> : {C}
        %1 = stablehlo.exponential %x0 : {C}
        %2 = stablehlo.subtract %1, %0 : {C}
        return %2 : {C}""",
        [V],
        lambda x: (np.exp(x) - 1,),
        FusionKind.ELEMENT_WISE,
        FusionLabel.ELEMENTWISE,
    ),
    "log1p": Composite(
        Kind.LOG1P,
        (C,),
        (C,),
        f"""
        %0 = stablehlo.constant dense<1.0> : {C}
        %1 = stablehlo.add %x0, %0 : {C}
        %2 = stablehlo.log %1 : {C}
        return %2 : {C}""",
        [V],
        lambda x: (np.log(x + 1),),
        FusionKind.ELEMENT_WISE,
        FusionLabel.ELEMENTWISE,
    ),
    "dot_softmax": Composite(
        Kind.DOT_SOFTMAX,
        (M,),
        (M,),
        f"""
        %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x0 init: %low) applies stablehlo.maximum across dimensions = [1]
          : ({M}, tensor<f32>) -> {R}
        %1 = stablehlo.broadcast_in_dim %0, dims = [0] : ({R}) -> {M}
        %2 = stablehlo.subtract %x0, %1 : {M}
        %3 = stablehlo.exponential %2 : {M}
        %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
          : ({M}, tensor<f32>) -> {R}
        %5 = stablehlo.broadcast_in_dim %4, dims = [0] : ({R}) -> {M}
        %6 = stablehlo.divide %3, %5 : {M}
        return %6 : {M}""",
        [A],
        _softmax,
        FusionKind.REDUCE,
        FusionLabel.DOT_SOFTMAX,
    ),
    "schedule_fusion": Composite(
        Kind.SCHEDULE_FUSION,
        (C,),
        (C, "tensor<3xf32>"),
        f"""
        %0 = stablehlo.negate %x0 : {C}
        %1 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
        return %0, %1 : {C}, tensor<3xf32>""",
        [V],
        lambda x: (-x, np.array([1, 2, 3], np.float32)),
        None,
        None,
    ),
    "constants_only": Composite(
        Kind.ELEMENTWISE,
        (),
        ("tensor<2xf32>", "tensor<3xf32>"),
        """
        %0 = stablehlo.constant dense<4.0> : tensor<2xf32>
        %1 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
        return %0, %1 : tensor<2xf32>, tensor<3xf32>""",
        [],
        lambda: (np.full(2, 4, np.float32), np.array([1, 2, 3], np.float32)),
        FusionKind.ELEMENT_WISE,
        FusionLabel.ELEMENTWISE,
    ),
}


def fusions(module: ir.Module) -> list[ir.Operation]:
    return mlir.walk(module.operation, pg.FusionOp.OPERATION_NAME)


def close(outputs: list[np.ndarray], expected: tuple[np.ndarray, ...], level: str) -> None:
    assert len(outputs) == len(expected)
    for got, want in zip(outputs, expected, strict=True):
        assert got.shape == want.shape
        np.testing.assert_allclose(
            got.astype(np.float32), want.astype(np.float32), rtol=2e-5, atol=2e-5, err_msg=level
        )


def test_every_kind_is_covered() -> None:
    assert {c.kind for c in COMPOSITES.values()} == set(Kind) == set(FORMS)


@pytest.mark.parametrize("name", COMPOSITES)
def test_every_level_computes_the_same(name: str) -> None:
    composite = COMPOSITES[name]
    expected = composite.expected(*composite.arrays)
    module = mlir.parse(composite.text())
    close(execute.run(module, composite.arrays, execute.Oracle.REFERENCE), expected, "reference")
    seen = {}

    def look(level: Level, module: ir.Module) -> None:
        assert module.operation.verify()
        seen[level] = len(fusions(module))
        if level is Level.PENGUIN and composite.op is not None:
            (op,) = fusions(module)
            given = {key: op.attributes[key].value for key in ("kind", "label", "hilo_fusion_op")}
            assert given == {
                "kind": composite.op,
                "label": composite.label,
                "hilo_fusion_op": composite.kind,
            }
        close(execute.run(module, composite.arrays), expected, level)

    compile(module, after_stage=look)
    assert seen == {
        level: int(level is Level.PENGUIN and composite.op is not None) for level in Level
    }


@pytest.mark.parametrize("name", COMPOSITES)
def test_the_kind_alone_decides(name: str) -> None:
    """Under every other name and kind: the kind gives the form, the body the kind of op."""
    composite = COMPOSITES[name]
    expected = composite.expected(*composite.arrays)
    for kind in ["", *Kind]:
        for other in ("my.op", "composite.ScheduleFusion", "composite.DotLogistic"):
            module = mlir.parse(composite.text(kind, other))
            run_pipeline(module, "builtin.module(hlo-to-penguin)")
            labels = [op.attributes["label"].value for op in fusions(module)]
            inner = [Kind.EXPM1] if "CompositeKind" in composite.body else []
            if kind in ("", Kind.SCHEDULE_FUSION):
                assert labels == [FORMS[each].label for each in inner]
            else:
                assert labels == [FORMS[Kind(kind)].label]
            close(interp.run(module, composite.arrays), expected, f"{kind} as {other}")


def test_reduce_dims_are_those_of_the_first_reduction() -> None:
    for name, kind, expected in (
        ("mul_red_sqrt", Kind.MUL_RED_SQRT, "array<i64: 1>"),
        ("dot_softmax", Kind.MUL_RED_SQRT, "array<i64: 1>"),
        ("expm1", Kind.MUL_RED_SQRT, "None"),
        ("mul_red_sqrt", Kind.DOT_SOFTMAX, "None"),
    ):
        module = mlir.parse(COMPOSITES[name].text(kind))
        run_pipeline(module, "builtin.module(hlo-to-penguin)")
        (op,) = fusions(module)
        assert str(op.attributes.get("reduce_dims")) == expected


def test_builder_accessors_and_effects() -> None:
    types = ["4xf32", "f32", "4xf32", "4xbf16"]
    arguments = ", ".join(f'%{i}: memref<{t}, "dram">' for i, t in enumerate(types))
    module = mlir.parse(f"func.func @main({arguments}) {{\n  return\n}}")
    block = module.body.operations[0].regions[0].blocks[0]
    values = list(block.arguments)
    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
        op = pg.FusionOp(
            values[:2],
            values[2:],
            FusionKind.ELEMENT_WISE,
            FusionLabel.ELEMENTWISE,
            Kind.ELEMENTWISE,
        )
        inner = op.regions[0].blocks.append(*(v.type for v in values))
        with ir.InsertionPoint(inner):
            pg.UnaryOp(inner.arguments[0], inner.arguments[2], "tanh")
            pg.MemcastOp(inner.arguments[0], inner.arguments[3])
    assert module.operation.verify()
    assert op.srcs == values[:2] and op.dsts == values[2:]
    assert [list(numbers) for numbers in op.effects()] == [[0, 1], [2, 3]]
    assert str(mlir.parse(str(module))) == str(module)


def broken(symbol: str | None = None, terminator: bool = True) -> ir.Module:
    """A module that no parser would let pass: another decomposition, or one without a return."""
    other = "func.func private @other(%x: tensor<7xf32>) -> tensor<7xf32> {\n" + (
        "  return %x : tensor<7xf32>\n}"
    )
    module = mlir.parse(COMPOSITES["expm1"].text() + other)
    (op,) = mlir.walk(module.operation, "stablehlo.composite")
    if symbol is not None:
        op.attributes["decomposition"] = ir.FlatSymbolRefAttr.get(symbol)
    if not terminator:
        body = module.body.operations[1].regions[0].blocks[0]
        list(body.operations)[-1].operation.erase()
    return module


@pytest.mark.parametrize("pass_", [HloToPenguin, SimplifyHlo])
@pytest.mark.parametrize(
    ("module", "message"),
    [
        (lambda: broken("missing"), "@missing is not a function of the module (D1)"),
        (
            lambda: broken("other"),
            "@other has operand types (tensor<7xf32>), expected (tensor<40xf32>) (D5)",
        ),
        (
            lambda: broken(terminator=False),
            "@hilo.genComposite0 ends with 'stablehlo.subtract', expected 'func.return' (D4)",
        ),
    ],
)
def test_unverified_modules(pass_: type, module: Callable[[], ir.Module], message: str) -> None:
    found = module()
    if pass_ is SimplifyHlo:
        (op,) = mlir.walk(found.operation, "stablehlo.composite")
        del op.attributes["CompositeKind"]
    instance = pass_()
    instance.run(found)
    assert [(d.code, d.message) for d in instance.session.diagnostics.found] == [
        ("PGL005", f"'stablehlo.composite' op decomposition {message} ({instance_clause(pass_)})")
    ]
    assert len(mlir.walk(found.operation, "stablehlo.composite")) == 1


def instance_clause(pass_: type) -> str:
    return {HloToPenguin: "L5", SimplifyHlo: "L2"}[pass_]


@pytest.mark.parametrize("kind", ["", "Elementwise", "ScheduleFusion"])
def test_deep_nesting(kind: str) -> None:
    """Composites in composites, far more than Python's recursion would take."""
    depth, t = 3000, "tensor<2xf32>"
    attribute = f'CompositeKind = "{kind}", ' if kind else ""
    functions = [f"func.func @main(%x: {t}) -> {t}"]
    functions += [f"func.func private @d{i}(%x: {t}) -> {t}" for i in range(depth)]
    bodies = [
        f'%0 = stablehlo.composite "my.op" %x {{{attribute}decomposition = @d{i}}} : ({t}) -> {t}'
        for i in range(depth)
    ]
    bodies.append(f"%0 = stablehlo.negate %x : {t}")
    text = "\n".join(
        f"{head} {{\n{body}\nreturn %0 : {t}\n}}"
        for head, body in zip(functions, bodies, strict=True)
    )
    module = mlir.parse(text)
    run_pipeline(module, "builtin.module(hlo-to-penguin)")
    assert len(list(module.body.operations)) == 1
    assert len(fusions(module)) == (kind == "Elementwise")
    (out,) = interp.run(module, [np.array([1, -2], np.float32)])
    np.testing.assert_array_equal(out, [-1, 2])


@pytest.mark.parametrize("distinct", [Many.RUNS, Many.RUNS + 1])
def test_operands_of_many_types(distinct: int) -> None:
    """As many types as one op can take, alternating; one more, and the body stands in its place."""
    shapes = [1 + i % distinct for i in range(2 * distinct)]
    types = [f"tensor<{n}xf32>" for n in shapes]
    terms = [f"%n{i} = stablehlo.negate %x{i} : {t}" for i, t in enumerate(types)]
    results = ", ".join(f"%n{i}" for i in range(len(types)))
    arrays = [RNG.standard_normal(n).astype(np.float32) for n in shapes]
    composite = Composite(
        Kind.ELEMENTWISE,
        tuple(types),
        tuple(types),
        "\n".join(terms) + f"\nreturn {results} : {', '.join(types)}",
        arrays,
        lambda *xs: tuple(-x for x in xs),
        None,
        None,
    )
    module = mlir.parse(composite.text())
    run_pipeline(module, "builtin.module(hlo-to-penguin)")
    assert module.operation.verify()
    assert len(fusions(module)) == (distinct == Many.RUNS)
    close(interp.run(module, arrays), composite.expected(*arrays), "tensor")
    run_pipeline(module, "builtin.module(func.func(lower-tensor-op))")
    assert fusions(module) == []
    close(interp.run(module, arrays), composite.expected(*arrays), "loops")
