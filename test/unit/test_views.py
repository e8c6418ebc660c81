"""Views: another shape of the same memory, in the interpreter and in late lowering."""

import math
import random

import numpy as np
import pytest
from interp_kernels import kernel, randoms, run

from penguin import driver, interp
from penguin.errors import UserError
from penguin.mlir import parse, walk
from penguin.passes.lowering.late_lower_tensor_op import LateLowerTensorOp
from penguin.passes.lowering.lower_tensor_op import LowerTensorOp


def strides(shape):
    return [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]


def tensor(shape):
    return f'memref<{"".join(f"{n}x" for n in shape)}f32, "dram">'


def view(name, of, old, new, offset=0):
    return (
        f"%{name} = memref.reinterpret_cast %{of} to offset: [{offset}], sizes: {list(new)},"
        f" strides: {strides(new)} : {tensor(old)} to {tensor(new)}\n"
    )


def lowered(arguments, body):
    module = parse(kernel(arguments, body))
    for op in list(module.body.operations):
        for each in (LowerTensorOp(), LateLowerTensorOp()):
            each.run(op)
            assert not each.failed
    assert not walk(module.operation, "memref.reinterpret_cast")
    assert module.operation.verify()
    return module


def both(arguments, body, *inputs):
    """The outputs, which lowering must not change."""
    before = run(arguments, body, *inputs)
    after = interp.run(lowered(arguments, body), inputs)
    after = after[0] if len(after) == 1 else after
    np.testing.assert_array_equal(before, after)
    return before


pytestmark = pytest.mark.usefixtures("context")


def test_tensor_ops_read_and_write_through_views() -> None:
    x = randoms(8, 6)
    body = view("v", "a", (8, 6), (4, 12)) + view("w", "o", (48,), (12, 4))
    body += (
        '"penguin.transpose"(%v, %w) {permutation = array<i64: 1, 0>}'
        f" : ({tensor((4, 12))}, {tensor((12, 4))}) -> ()"
    )
    actual = both("a: 8x6xf32, out o: 48xf32", body, x)
    np.testing.assert_array_equal(actual, x.reshape(4, 12).T.reshape(-1))


def test_view_of_a_view_is_the_same_memory() -> None:
    x = randoms(8, 6)
    body = view("v", "a", (8, 6), (48,)) + view("w", "v", (48,), (3, 1, 16))
    body += f'"penguin.memcpy"(%w, %o) : ({tensor((3, 1, 16))}, {tensor((3, 16))}) -> ()'
    actual = both("a: 8x6xf32, out o: 3x16xf32", body, x)
    np.testing.assert_array_equal(actual, x.reshape(3, 16))


def test_a_buffer_lives_as_long_as_its_views() -> None:
    x = randoms(4)
    body = f"%t = memref.alloc() : {tensor((4,))}\n" + view("v", "t", (4,), (2, 2))
    body += f'"penguin.memcpy"(%a, %t) : ({tensor((4,))}, {tensor((4,))}) -> ()\n'
    body += view("w", "v", (2, 2), (4,))
    body += f'"penguin.memcpy"(%w, %o) : ({tensor((4,))}, {tensor((4,))}) -> ()'
    np.testing.assert_array_equal(both("a: 4xf32, out o: 4xf32", body, x), x)


def test_a_fusion_on_views() -> None:
    x = randoms(8)
    two, types = tensor((2, 4)), f"({tensor((2, 4))}, {tensor((2, 4))}) -> ()"
    body = view("v", "a", (8,), (2, 4)) + view("w", "o", (8,), (2, 4))
    segments = f"array<i32: 1, {'0, ' * 15}1, {', '.join(['0'] * 15)}>"
    body += f"""
      "penguin.fusion"(%v, %w) ({{
      ^bb0(%s: {two}, %d: {two}):
        %l = memref.alloc() : {two}
        "penguin.unary"(%s, %l) {{function = "negate"}} : {types}
        "penguin.unary"(%l, %d) {{function = "abs"}} : {types}
      }}) {{kind = "ElementWiseFusionOp", label = "Elementwise", hilo_fusion_op = "Elementwise",
           operandSegmentSizes = {segments}}} : {types}"""
    np.testing.assert_array_equal(both("a: 8xf32, out o: 8xf32", body, x), abs(x))


def test_iterations_that_meet_in_memory_run_in_order() -> None:
    """Through the view, iteration i reads what iteration i - 1 wrote through the base."""
    x = randoms(12)
    body = view("v", "o", (12,), (3, 4)) + f'"penguin.memcpy"(%a, %o) : ({tensor((12,))}, '
    body += f"""{tensor((12,))}) -> ()
      affine.for %i = 1 to 12 {{
        %x = affine.load %v[(%i - 1) floordiv 4, (%i - 1) mod 4] : {tensor((3, 4))}
        %y = affine.load %o[%i] : {tensor((12,))}
        %z = arith.addf %x, %y : f32
        affine.store %z, %o[%i] : {tensor((12,))}
      }}"""
    actual = both("a: 12xf32, out o: 12xf32", body, x)
    np.testing.assert_array_equal(actual, np.cumsum(x))


def test_a_load_before_a_store_through_a_view_keeps_its_value() -> None:
    x = randoms(4)
    body = view("v", "a", (4,), (2, 2))
    body += f"""
      affine.for %i = 0 to 4 {{
        %x = affine.load %a[%i] : {tensor((4,))}
        %n = arith.negf %x : f32
        affine.store %n, %v[%i floordiv 2, %i mod 2] : {tensor((2, 2))}
        affine.store %x, %o[%i] : {tensor((4,))}
        affine.store %n, %p[%i] : {tensor((4,))}
      }}"""
    old, new = both("a: 4xf32, out o: 4xf32, out p: 4xf32", body, x)
    np.testing.assert_array_equal(old, x)
    np.testing.assert_array_equal(new, -x)


def test_computed_indices() -> None:
    x, rows = randoms(6, 4), np.array([5, 0, 3], np.int32)
    body = view("v", "a", (6, 4), (3, 2, 2, 2)) + view("w", "o", (3, 4), (3, 2, 2))
    body += f"""
      affine.for %i = 0 to 3 {{
        affine.for %j = 0 to 2 {{
          affine.for %k = 0 to 2 {{
            %n = affine.load %rows[%i] : T(rows)
            %row = arith.index_cast %n : i32 to index
            %two = arith.constant 2 : index
            %high = arith.divui %row, %two : index
            %low = arith.remui %row, %two : index
            %x = memref.load %v[%high, %low, %j, %k] : {tensor((3, 2, 2, 2))}
            memref.store %x, %w[%i, %j, %k] : {tensor((3, 2, 2))}
          }}
        }}
      }}"""
    actual = both("a: 6x4xf32, rows: 3xi32, out o: 3x4xf32", body, x, rows)
    np.testing.assert_array_equal(actual, x[rows])


def test_an_index_that_is_no_loop_variable() -> None:
    """A symbol of unknown value: the quotients stay."""
    body = view("v", "a", (8, 3), (4, 6))
    body += f"""
      %n = arith.constant 3 : index
      %m = arith.addi %n, %n : index
      affine.for %i = 0 to 6 {{
        %x = affine.load %v[symbol(%m) - 5, %i] : {tensor((4, 6))}
        affine.store %x, %o[%i] : {tensor((6,))}
      }}"""
    x = randoms(8, 3)
    np.testing.assert_array_equal(both("a: 8x3xf32, out o: 6xf32", body, x), x.reshape(4, 6)[1])


def test_without_elements() -> None:
    body = (
        view("v", "a", (0, 4), (4, 0, 2))
        + f"""
      affine.for %i = 0 to 0 {{
        %x = affine.load %v[%i, %i, %i] : {tensor((4, 0, 2))}
        affine.store %x, %o[%i, 0] : {tensor((2, 1))}
      }}
      "penguin.memset"(%o) {{value = 2.0 : f32}} : ({tensor((2, 1))}) -> ()"""
    )
    both("a: 0x4xf32, out o: 2x1xf32", body, np.zeros((0, 4), np.float32))


def shapes_of(count, rng):
    """A random shape of `count` elements, with unit extents here and there."""
    shape = []
    while count > 1:
        divisors = [d for d in range(2, count + 1) if count % d == 0]
        shape.append(rng.choice(divisors))
        count //= shape[-1]
    for _ in range(rng.randrange(2)):
        shape.insert(rng.randrange(len(shape) + 1), 1)
    return shape


@pytest.mark.parametrize("seed", range(60))
def test_random_accesses(seed: int) -> None:
    """Loops with any bounds and steps; maps that deal the loops out over the dimensions."""
    rng = random.Random(seed)
    count = rng.choice([12, 24, 30, 36, 64, 120])
    old, mid, new = (shapes_of(count, rng) for _ in range(3))
    first, step = rng.randrange(-3, 4), rng.randrange(1, 4)
    body = view("v", "a", old, mid) + view("w", "v", mid, new)
    flat = f"((%i - {first}) floordiv {step})" if rng.random() < 0.7 else "(%n * 1)"
    indices = [
        f"({flat} floordiv {stride}) mod {extent}" if extent > 1 else "0"
        for stride, extent in zip(strides(new), new, strict=True)
    ]
    body += f"""
      affine.for %i = {first} to {first + step * count} step {step} {{
        %n = affine.apply affine_map<(d) -> ((d - {first}) floordiv {step})>(%i)
        %x = affine.load %w[{", ".join(indices)}] : {tensor(new)}
        affine.store %x, %o[%n] : {tensor((count,))}
      }}"""
    x = np.arange(count, dtype=np.float32).reshape(old)
    dims = "".join(f"{n}x" for n in old)
    actual = both(f"a: {dims}f32, out o: {count}xf32", body, x)
    np.testing.assert_array_equal(actual, x.reshape(-1))


BAD = {
    "an offset": (
        "%v = memref.reinterpret_cast %a to offset: [4], sizes: [2, 2], strides: [2, 1]"
        ' : T(a) to memref<2x2xf32, strided<[2, 1], offset: 4>, "dram">',
        "expected a row-major layout (V1)",
    ),
    "a part": (
        "%v = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1]"
        ' : T(a) to memref<4xf32, "dram">',
        "has 4 elements, expected 8 as its base (V2)",
    ),
    "a computed shape": (
        "%n = arith.constant 8 : index\n"
        "%v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1]"
        ' : T(a) to memref<?xf32, "dram">',
        "expected a memref of static shape (V1)",
    ),
}


@pytest.mark.parametrize("body, message", BAD.values(), ids=BAD)
def test_what_is_no_view(body: str, message: str) -> None:
    with pytest.raises(UserError) as raised:
        run("a: 8xf32, out o: 8xf32", body, randoms(8))
    assert raised.value.diagnostics[0].code == "PGR001"
    assert message in str(raised.value)
    assert "loc" not in raised.value.diagnostics[0].location


def test_views_do_not_reach_the_back_end() -> None:
    x = randoms(8, 6)
    body = view("v", "a", (8, 6), (4, 12)) + view("w", "o", (6, 8), (4, 12))
    body += (
        '"penguin.unary"(%v, %w) {function = "negate"}'
        f" : ({tensor((4, 12))}, {tensor((4, 12))}) -> ()"
    )
    compiled = driver.compile(parse(kernel("a: 8x6xf32, out o: 6x8xf32", body)))
    np.testing.assert_array_equal(compiled.run([x])[0], -x.reshape(6, 8))
