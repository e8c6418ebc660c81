"""Affine nests through layout-tiling, select-instructions and allocate, against numpy.

Every nest is also run by the interpreter after tiling, so that a wrong result names its pass.
"""

import numpy as np
import pytest

from penguin import bir, interp, mlir, sim
from penguin.passlib import run_pipeline

RNG = np.random.default_rng(7)


def kernel(signature: str, body: str) -> str:
    """A kernel; `signature` is `name: type, ... -> name: type, ...`."""
    ins, outs = signature.split("->")
    args = []
    for text, io in ((ins, "input"), (outs, "output")):
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, kind = (word.strip() for word in item.split(":"))
            args.append(f'%{name}: memref<{kind}, "dram"> {{penguin.io = "{io}"}}')
    return (
        f"func.func @main({', '.join(args)}) attributes {{penguin.kernel}} {{\n{body}\nreturn\n}}"
    )


def check(source: str, inputs, expected, *, rtol=1e-5, atol=1e-6, sequential=0):
    """Runs the tiled and the selected program; returns the selected module's text."""
    with mlir.context():
        module = mlir.parse(source)
        result = run_pipeline(module, "builtin.module(func.func(layout-tiling))")
        rows = {row.text: row.value for step in result.steps for row in step.rows}
        assert rows["Number of nests left sequential"] == sequential
        for got, want in zip(interp.run(module, inputs), expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=rtol, atol=atol, err_msg="layout-tiling")
        run_pipeline(module, "builtin.module(func.func(select-instructions,allocate))")
        program = bir.from_mlir(module)
        for got, want in zip(sim.run(program, inputs), expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=rtol, atol=atol, err_msg="selection")
        return bir.to_text(program)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(1,), (7,), (257,), (4099,), (131, 7), (3, 5, 2), (2, 129, 33)])
def test_elementwise_of_any_extent(shape):
    dims = "x".join(map(str, shape))
    ivs = [f"%i{k}" for k in range(len(shape))]
    loops = "".join(f"affine.for {v} = 0 to {n} {{\n" for v, n in zip(ivs, shape, strict=True))
    index = ", ".join(ivs)
    body = f"""{loops}
      %x = affine.load %a[{index}] : memref<{dims}xf32, "dram">
      %y = math.exp %x : f32
      affine.store %y, %o[{index}] : memref<{dims}xf32, "dram">
    {"}" * len(shape)}"""
    a = floats(*shape)
    check(kernel(f"a: {dims}xf32 -> o: {dims}xf32", body), [a], [np.exp(a)])


def test_rows_and_columns_broadcast():
    body = """affine.for %i = 0 to 130 { affine.for %j = 0 to 65 {
      %x = affine.load %a[%i, %j] : memref<130x65xf32, "dram">
      %r = affine.load %b[%i] : memref<130xf32, "dram">
      %c = affine.load %d[%j] : memref<65xf32, "dram">
      %s = arith.subf %r, %x : f32
      %m = arith.mulf %s, %c : f32
      affine.store %m, %o[%i, %j] : memref<130x65xf32, "dram">
    } }"""
    a, b, d = floats(130, 65), floats(130), floats(65)
    source = kernel("a: 130x65xf32, b: 130xf32, d: 65xf32 -> o: 130x65xf32", body)
    text = check(source, [a, b, d], [(b[:, None] - a) * d])
    assert "TensorScalarPtr" in text


def test_transpose_with_compute():
    body = """affine.for %i = 0 to 40 { affine.for %j = 0 to 150 {
      %x = affine.load %a[%j, %i] : memref<150x40xf32, "dram">
      %y = arith.addf %x, %x : f32
      affine.store %y, %o[%i, %j] : memref<40x150xf32, "dram">
    } }"""
    a = floats(150, 40)
    check(kernel("a: 150x40xf32 -> o: 40x150xf32", body), [a], [2 * a.T])


def test_reversed_copy_is_one_dma():
    body = """affine.for %i = 0 to 20 { affine.for %j = 0 to 30 {
      %x = affine.load %a[-%i + 19, -%j + 29] : memref<20x30xf32, "dram">
      affine.store %x, %o[%i, %j] : memref<20x30xf32, "dram">
    } }"""
    a = floats(20, 30)
    text = check(kernel("a: 20x30xf32 -> o: 20x30xf32", body), [a], [a[::-1, ::-1]])
    assert text.count("DMACopy") == 1 and "Load" not in text


def reduce_body(shape, axes, op, kind, init) -> str:
    """o[kept] = op over `axes` of a, as one nest."""
    dims = "x".join(map(str, shape))
    kept = [k for k in range(len(shape)) if k not in axes]
    out = "x".join([*(str(shape[k]) for k in kept), kind])
    text = f"%init = arith.constant {init} : {kind}\n"
    text += "".join(f"affine.for %i{k} = 0 to {shape[k]} {{\n" for k in kept)
    carried = "%init"
    for k in axes:
        text += (
            f"%r{k} = affine.for %i{k} = 0 to {shape[k]} "
            f"iter_args(%acc{k} = {carried}) -> {kind} {{\n"
        )
        carried = f"%acc{k}"
    index = ", ".join(f"%i{k}" for k in range(len(shape)))
    text += f'%x = affine.load %a[{index}] : memref<{dims}x{kind}, "dram">\n'
    text += f"%y = {op} {carried}, %x : {kind}\naffine.yield %y : {kind}\n}}\n"
    for outer, inner in zip(axes[-2::-1], axes[:0:-1], strict=True):
        text += f"affine.yield %r{inner} : {kind}\n}} // {outer}\n"
    index = ", ".join(f"%i{k}" for k in kept)
    text += f'affine.store %r{axes[0]}, %o[{index}] : memref<{out}, "dram">\n'
    return kernel(f"a: {dims}x{kind} -> o: {out}", text + "}" * len(kept))


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((9, 50), (1,)),
        ((50, 9), (0,)),
        ((130, 4100), (1,)),
        ((3, 20, 7), (0, 2)),
        ((3, 20, 7), (1,)),
        ((5000,), (0,)),
        ((2, 9000), (1,)),
        ((1031, 3), (0,)),
        ((2, 3, 4), (0, 1, 2)),
    ],
)
@pytest.mark.parametrize("op", ["arith.addf", "arith.maximumf", "arith.minimumf", "arith.mulf"])
def test_float_reductions(shape, axes, op):
    init, fold = {
        "arith.addf": ("0.0", np.add),
        "arith.maximumf": ("0xFF800000", np.maximum),
        "arith.minimumf": ("0x7F800000", np.minimum),
        "arith.mulf": ("1.0", np.multiply),
    }[op]
    a = floats(*shape)
    if op == "arith.mulf":
        a = (1 + 0.01 * a).astype(np.float32)
    expected = fold.reduce(a.astype(np.float64), axis=axes).astype(np.float32)
    check(reduce_body(shape, axes, op, "f32", init), [a], [expected], rtol=1e-4, atol=1e-3)


def test_full_sum_uses_the_lanes_and_the_pe_array():
    a = floats(5000)
    source = reduce_body((5000,), (0,), "arith.addf", "f32", "0.0")
    text = check(source, [a], [a.sum(dtype=np.float64).astype(np.float32)], rtol=1e-4, atol=1e-3)
    assert "Matmult" in text


def test_full_maximum_uses_pool():
    a = floats(3000)
    source = reduce_body((3000,), (0,), "arith.maximumf", "f32", "0xFF800000")
    text = check(source, [a], [a.max()])
    assert "axis=C" in text.replace('"', "")


@pytest.mark.parametrize(("kind", "dtype"), [("i32", np.int32), ("i16", np.int16), ("i8", np.int8)])
def test_integer_sums_wrap_around(kind, dtype):
    info = np.iinfo(dtype)
    a = RNG.integers(info.min, info.max, (5, 300), dtype=dtype, endpoint=True)
    expected = a.sum(axis=1, dtype=dtype)
    check(reduce_body((5, 300), (1,), "arith.addi", kind, "0"), [a], [expected], rtol=0, atol=0)


@pytest.mark.parametrize(
    ("op", "fold"),
    [("arith.maxsi", np.maximum), ("arith.andi", np.bitwise_and), ("arith.muli", np.multiply)],
)
def test_other_integer_reductions(op, fold):
    a = RNG.integers(-(2**31), 2**31 - 1, (4, 37), dtype=np.int32)
    init = {"arith.maxsi": -(2**31), "arith.andi": -1, "arith.muli": 1}[op]
    expected = fold.reduce(a, axis=1, dtype=np.int32)
    source = reduce_body((4, 37), (1,), op, "i32", str(init))
    check(source, [a], [expected], rtol=0, atol=0)


def matmul(m: int, k: int, n: int, a_index: str, b_index: str) -> str:
    a_dims = f"{m}x{k}" if a_index == "%i, %k" else f"{k}x{m}"
    b_dims = f"{k}x{n}" if b_index == "%k, %j" else f"{n}x{k}"
    body = f"""%zero = arith.constant 0.0 : f32
    affine.for %i = 0 to {m} {{ affine.for %j = 0 to {n} {{
      %r = affine.for %k = 0 to {k} iter_args(%acc = %zero) -> f32 {{
        %x = affine.load %a[{a_index}] : memref<{a_dims}xf32, "dram">
        %y = affine.load %b[{b_index}] : memref<{b_dims}xf32, "dram">
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc, %p : f32
        affine.yield %s : f32
      }}
      affine.store %r, %o[%i, %j] : memref<{m}x{n}xf32, "dram">
    }} }}"""
    return kernel(f"a: {a_dims}xf32, b: {b_dims}xf32 -> o: {m}x{n}xf32", body)


@pytest.mark.parametrize(
    "size", [(3, 4, 5), (130, 70, 515), (128, 257, 32), (1, 300, 40), (40, 300, 1), (2, 131, 131)]
)
@pytest.mark.parametrize("a_index", ["%i, %k", "%k, %i"])
@pytest.mark.parametrize("b_index", ["%k, %j", "%j, %k"])
def test_matmul(size, a_index, b_index):
    m, k, n = size
    x, y = floats(m, k), floats(k, n)
    a = x if a_index == "%i, %k" else np.ascontiguousarray(x.T)
    b = y if b_index == "%k, %j" else np.ascontiguousarray(y.T)
    source = matmul(m, k, n, a_index, b_index)
    text = check(source, [a, b], [x @ y], rtol=1e-4, atol=1e-3)
    assert "Matmult" in text


def test_batched_contraction_of_bf16_accumulates_in_f32():
    import ml_dtypes

    body = """%zero = arith.constant 0.0 : f32
    affine.for %b = 0 to 3 { affine.for %i = 0 to 20 { affine.for %j = 0 to 30 {
      %r = affine.for %k = 0 to 150 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %l[%b, %i, %k] : memref<3x20x150xbf16, "dram">
        %y = affine.load %r_[%b, %j, %k] : memref<3x30x150xbf16, "dram">
        %xf = arith.extf %x : bf16 to f32
        %yf = arith.extf %y : bf16 to f32
        %p = arith.mulf %xf, %yf : f32
        %s = arith.addf %acc, %p : f32
        affine.yield %s : f32
      }
      affine.store %r, %o[%b, %i, %j] : memref<3x20x30xf32, "dram">
    } } }"""
    x, y = (floats(3, n, 150).astype(ml_dtypes.bfloat16) for n in (20, 30))
    expected = np.einsum("bik,bjk->bij", x.astype(np.float32), y.astype(np.float32))
    source = kernel("l: 3x20x150xbf16, r_: 3x30x150xbf16 -> o: 3x20x30xf32", body)
    text = check(source, [x, y], [expected], rtol=1e-4, atol=1e-3)
    assert "bfloat16" in next(line for line in text.splitlines() if "Matmult" in line)


def test_two_iterations_that_meet_in_a_dot_product():
    body = """%zero = arith.constant 0.0 : f32
    affine.for %b = 0 to 10 {
      %r = affine.for %k = 0 to 70 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %l[%b, %k] : memref<10x70xf32, "dram">
        %y = affine.load %m[%b, %k] : memref<10x70xf32, "dram">
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc, %p : f32
        affine.yield %s : f32
      }
      affine.store %r, %o[%b] : memref<10xf32, "dram">
    }"""
    x, y = floats(10, 70), floats(10, 70)
    source = kernel("l: 10x70xf32, m: 10x70xf32 -> o: 10xf32", body)
    check(source, [x, y], [(x * y).sum(1)], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("offset", [0, 2])
def test_divisions_are_removed_by_splitting(offset):
    rows = 7
    body = f"""affine.for %i = 0 to 31 {{ affine.for %j = 0 to 4 {{
      %x = affine.load %a[(%i + {offset}) floordiv 5, (%i + {offset}) mod 5, %j]
         : memref<{rows}x5x4xf32, "dram">
      %y = arith.negf %x : f32
      affine.store %y, %o[%i, %j] : memref<31x4xf32, "dram">
    }} }}"""
    a = floats(rows, 5, 4)
    # Such an address is linear once it is flat; the next test has one that is not.
    expected = -a.reshape(rows * 5, 4)[offset : offset + 31]
    check(kernel(f"a: {rows}x5x4xf32 -> o: 31x4xf32", body), [a], [expected])


@pytest.mark.parametrize(("extent", "offset"), [(30, 0), (31, 0), (31, 3), (4, 3)])
def test_divisions_that_do_not_cancel(extent, offset):
    body = f"""affine.for %i = 0 to {extent} {{ affine.for %j = 0 to 4 {{
      %x = affine.load %a[(%i + {offset}) mod 5, %j, (%i + {offset}) floordiv 5]
         : memref<5x4x7xf32, "dram">
      %y = arith.negf %x : f32
      affine.store %y, %o[%i, %j] : memref<{extent}x4xf32, "dram">
    }} }}"""
    a = floats(5, 4, 7)
    i = np.arange(extent) + offset
    expected = -a[i % 5, :, i // 5]
    check(kernel(f"a: 5x4x7xf32 -> o: {extent}x4xf32", body), [a], [expected])


def test_a_recurrence_stays_sequential():
    body = """affine.for %i = 1 to 20 {
      %x = affine.load %o[%i - 1] : memref<20xf32, "dram">
      %y = affine.load %a[%i] : memref<20xf32, "dram">
      %z = arith.addf %x, %y : f32
      affine.store %z, %o[%i] : memref<20xf32, "dram">
    }"""
    first = """affine.for %i = 0 to 1 {
      %x = affine.load %a[%i] : memref<20xf32, "dram">
      affine.store %x, %o[%i] : memref<20xf32, "dram">
    }
    """
    a = floats(20)
    source = kernel("a: 20xf32 -> o: 20xf32", first + body)
    check(source, [a], [np.cumsum(a)], sequential=1)


def test_an_unknown_combine_runs_iteration_by_iteration():
    body = """%one = arith.constant 1.0 : f32
    affine.for %i = 0 to 140 {
      %r = affine.for %k = 0 to 6 iter_args(%acc = %one) -> f32 {
        %x = affine.load %a[%i, %k] : memref<140x6xf32, "dram">
        %p = arith.mulf %acc, %x : f32
        %s = arith.addf %p, %x : f32
        affine.yield %s : f32
      }
      affine.store %r, %o[%i] : memref<140xf32, "dram">
    }"""
    a = floats(140, 6)
    expected = np.ones(140, np.float32)
    for k in range(6):
        expected = expected * a[:, k] + a[:, k]
    check(kernel("a: 140x6xf32 -> o: 140xf32", body), [a], [expected], rtol=1e-4, atol=1e-4)


def test_two_accumulators_that_swap():
    body = """%zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    affine.for %i = 0 to 3 {
      %r:2 = affine.for %k = 0 to 5 iter_args(%p = %zero, %q = %one) -> (f32, f32) {
        %s = arith.addf %p, %q : f32
        affine.yield %q, %s : f32, f32
      }
      %x = affine.load %a[%i] : memref<3xf32, "dram">
      %y = arith.mulf %x, %r#1 : f32
      affine.store %y, %o[%i] : memref<3xf32, "dram">
    }"""
    a = floats(3)
    check(kernel("a: 3xf32 -> o: 3xf32", body), [a], [8 * a])


def test_an_imperfect_nest_is_tiled_loop_by_loop():
    body = """affine.for %i = 0 to 3 {
      affine.for %j = 0 to 200 {
        %x = affine.load %a[%i, %j] : memref<3x200xf32, "dram">
        %y = math.exp %x : f32
        affine.store %y, %t[%i, %j] : memref<3x200xf32, "dram">
      }
      affine.for %j = 0 to 200 {
        %x = affine.load %t[%i, %j] : memref<3x200xf32, "dram">
        %y = arith.negf %x : f32
        affine.store %y, %o[%i, %j] : memref<3x200xf32, "dram">
      }
    }"""
    a = floats(3, 200)
    source = kernel("a: 3x200xf32 -> t: 3x200xf32, o: 3x200xf32", body)
    check(source, [a], [np.exp(a), -np.exp(a)])


def test_loop_variables_as_numbers_across_sequential_loops():
    body = """affine.for %i = 0 to 300 { affine.for %j = 0 to 5000 {
      %x = arith.index_cast %i : index to i32
      %y = arith.index_cast %j : index to i32
      %d = arith.subi %y, %x : i32
      affine.store %d, %o[%i, %j] : memref<300x5000xi32, "dram">
    } }"""
    i, j = np.indices((300, 5000), np.int32)
    check(kernel("-> o: 300x5000xi32", body), [], [j - i], rtol=0, atol=0)


def test_sigmoid_is_one_activation():
    body = """affine.for %i = 0 to 64 {
      %one = arith.constant 1.0 : f32
      %x = affine.load %a[%i] : memref<64xf32, "dram">
      %n = arith.negf %x : f32
      %e = math.exp %n : f32
      %d = arith.addf %one, %e : f32
      %y = arith.divf %one, %d : f32
      affine.store %y, %o[%i] : memref<64xf32, "dram">
    }"""
    a = floats(64)
    text = check(kernel("a: 64xf32 -> o: 64xf32", body), [a], [1 / (1 + np.exp(-a))])
    assert text.count("Sigmoid") == 1 and "Exp" not in text


def test_scalars_without_loops():
    body = """%x = affine.load %a[] : memref<f32, "dram">
    %y = math.sqrt %x : f32
    affine.store %y, %o[] : memref<f32, "dram">"""
    a = np.float32(2.0).reshape(())
    check(kernel("a: f32 -> o: f32", body), [a], [np.sqrt(a)])


def test_a_reduction_that_also_stores_keeps_its_stores():
    body = """%zero = arith.constant 0.0 : f32
    affine.for %i = 0 to 3 {
      %r = affine.for %k = 0 to 5 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<3x5xf32, "dram">
        %s = arith.addf %acc, %x : f32
        affine.store %s, %t[%i, %k] : memref<3x5xf32, "dram">
        affine.yield %s : f32
      }
      affine.store %r, %o[%i] : memref<3xf32, "dram">
    }"""
    a = floats(3, 5)
    source = kernel("a: 3x5xf32 -> t: 3x5xf32, o: 3xf32", body)
    running = np.cumsum(a, axis=1)
    check(source, [a], [running, running[:, -1]])


def test_a_row_scalar_reaches_the_lanes_of_an_inner_loop():
    body = """%zero = arith.constant 0.0 : f32
    affine.for %i = 0 to 3 {
      %r = affine.for %k = 0 to 200 iter_args(%acc = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<3x200xf32, "dram">
        %s = arith.addf %acc, %x : f32
        affine.yield %s : f32
      }
      affine.for %j = 0 to 200 {
        %x = affine.load %a[%i, %j] : memref<3x200xf32, "dram">
        %y = arith.mulf %x, %r : f32
        affine.store %y, %o[%i, %j] : memref<3x200xf32, "dram">
      }
    }"""
    a = floats(3, 200)
    source = kernel("a: 3x200xf32 -> o: 3x200xf32", body)
    check(source, [a], [a * a.sum(1, keepdims=True)], rtol=1e-4, atol=1e-4)


def test_a_scalar_of_the_function_reaches_a_nest():
    body = """%s = affine.load %b[] : memref<f32, "dram">
    affine.for %i = 0 to 300 {
      %x = affine.load %a[%i] : memref<300xf32, "dram">
      %y = arith.mulf %x, %s : f32
      affine.store %y, %o[%i] : memref<300xf32, "dram">
    }"""
    a, b = floats(300), np.float32(3.0).reshape(())
    check(kernel("a: 300xf32, b: f32 -> o: 300xf32", body), [a, b], [3 * a])


def test_a_nest_with_many_live_tiles_gets_smaller_ones():
    n, count = 128 * 4096, 40
    loads = "".join(
        f'%x{k} = affine.load %a[%i * 1 + {k}] : memref<{n + count}xf32, "dram">\n'
        for k in range(count)
    )
    sums = "%s0 = arith.addf %x0, %x1 : f32\n" + "".join(
        f"%s{k} = arith.addf %s{k - 1}, %x{k + 1} : f32\n" for k in range(1, count - 1)
    )
    body = f"""affine.for %i = 0 to {n} {{
      {loads}{sums}
      affine.store %s{count - 2}, %o[%i] : memref<{n}xf32, "dram">
    }}"""
    a = floats(n + count)
    expected = np.lib.stride_tricks.sliding_window_view(a, count)[:n].sum(1)
    source = kernel(f"a: {n + count}xf32 -> o: {n}xf32", body)
    check(source, [a], [expected], rtol=1e-3, atol=1e-3)


def test_symbols_of_a_map_are_not_its_dimensions():
    body = """%c = arith.constant 5 : index
    affine.for %i = 0 to 3 {
      %k = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%c]
      %x = affine.load %a[%k] : memref<12xf32, "dram">
      %y = arith.negf %x : f32
      affine.store %y, %o[%i] : memref<3xf32, "dram">
    }"""
    a = floats(12)
    check(kernel("a: 12xf32 -> o: 3xf32", body), [a], [-a[5:10:2]])


def test_a_scalar_of_the_function_starts_a_reduction():
    body = """%s = affine.load %b[] : memref<f32, "dram">
    affine.for %i = 0 to 200 {
      %r = affine.for %k = 0 to 7 iter_args(%acc = %s) -> f32 {
        %x = affine.load %a[%i, %k] : memref<200x7xf32, "dram">
        %t = arith.addf %acc, %x : f32
        affine.yield %t : f32
      }
      affine.store %r, %o[%i] : memref<200xf32, "dram">
    }"""
    a, b = floats(200, 7), np.float32(3.0).reshape(())
    source = kernel("a: 200x7xf32, b: f32 -> o: 200xf32", body)
    check(source, [a, b], [b + a.sum(1)], rtol=1e-4, atol=1e-4)


def test_a_scalar_of_the_function_starts_an_unknown_combine():
    body = """%s = affine.load %b[] : memref<f32, "dram">
    affine.for %i = 0 to 200 {
      %r = affine.for %k = 0 to 3 iter_args(%acc = %s) -> f32 {
        %x = affine.load %a[%i, %k] : memref<200x3xf32, "dram">
        %p = arith.mulf %acc, %x : f32
        %t = arith.addf %p, %x : f32
        affine.yield %t : f32
      }
      affine.store %r, %o[%i] : memref<200xf32, "dram">
    }"""
    a, b = floats(200, 3), np.float32(3.0).reshape(())
    expected = np.full(200, b)
    for k in range(3):
        expected = expected * a[:, k] + a[:, k]
    source = kernel("a: 200x3xf32, b: f32 -> o: 200xf32", body)
    check(source, [a, b], [expected], rtol=1e-4, atol=1e-4)


def test_a_sequential_loop_variable_counts_on_contracted_lanes():
    n = 128 * 2048 * 3
    body = f"""%zero = arith.constant 0.0 : f32
    %r = affine.for %k = 0 to {n} iter_args(%acc = %zero) -> f32 {{
      %x = affine.load %a[%k] : memref<{n}xf32, "dram">
      %i = arith.index_cast %k : index to i32
      %f = arith.sitofp %i : i32 to f32
      %p = arith.mulf %x, %f : f32
      %t = arith.addf %acc, %p : f32
      affine.yield %t : f32
    }}
    affine.store %r, %o[] : memref<f32, "dram">"""
    a = np.zeros(n, np.float32)
    a[[0, 5, 128 * 2048, n - 1]] = 1.0
    expected = np.float32(5 + 128 * 2048 + n - 1)
    check(kernel(f"a: {n}xf32 -> o: f32", body), [a], [expected], rtol=1e-6)


def test_a_sigmoid_of_a_scalar_from_outside_the_nest():
    body = """%s = affine.load %b[] : memref<f32, "dram">
    affine.for %i = 0 to 200 {
      %one = arith.constant 1.0 : f32
      %n = arith.negf %s : f32
      %e = math.exp %n : f32
      %d = arith.addf %one, %e : f32
      %g = arith.divf %one, %d : f32
      %x = affine.load %a[%i] : memref<200xf32, "dram">
      %y = arith.mulf %x, %g : f32
      affine.store %y, %o[%i] : memref<200xf32, "dram">
    }"""
    a, b = floats(200), np.float32(0.5).reshape(())
    source = kernel("a: 200xf32, b: f32 -> o: 200xf32", body)
    check(source, [a, b], [a / (1 + np.exp(-b))], rtol=1e-5)
