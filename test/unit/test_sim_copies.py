"""Load, Save, DMACopy, TensorCopy, CopyPredicated, Memset and Iota."""

import ml_dtypes
import numpy as np
import pytest
from sim_programs import apply, dram, inst, load, part, program, save, sbuf, whole

from penguin.errors import UserError
from penguin.sim import run

BF16 = ml_dtypes.bfloat16
F32 = np.float32


def dma(source: object, destination: object) -> object:
    return inst("DMACopy", [source], [destination], "DMA", mode="Copy")


def test_dma_gathers_by_pattern() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    source = dram("arg0", "int32", (2, 3, 4), "ExternalInput")
    out = dram("out0", "int32", (4, 3, 2), "ExternalOutput")
    transposed = part(source, [(1, 4), (4, 3), (12, 2)])
    result = run(program([source, out], [dma(transposed, part(out, [(1, 24)]))]), [x])[0]
    np.testing.assert_array_equal(result, x.transpose(2, 1, 0))


def test_dma_reverses_with_a_negative_step() -> None:
    x = np.arange(6, dtype=np.int32)
    source = dram("arg0", "int32", (6,), "ExternalInput")
    out = dram("out0", "int32", (6,), "ExternalOutput")
    body = [dma(part(source, [(-1, 6)], 5), part(out, [(1, 6)]))]
    assert run(program([source, out], body), [x])[0].tolist() == [5, 4, 3, 2, 1, 0]


def test_dma_broadcasts_with_step_zero() -> None:
    x = np.arange(3, dtype=np.int32)
    source = dram("arg0", "int32", (3,), "ExternalInput")
    out = dram("out0", "int32", (2, 3, 2), "ExternalOutput")
    body = [dma(part(source, [(0, 2), (1, 3), (0, 2)]), part(out, [(1, 12)]))]
    expected = np.broadcast_to(x[None, :, None], (2, 3, 2))
    np.testing.assert_array_equal(run(program([source, out], body), [x])[0], expected)


def test_patterns_of_shapes_that_do_not_nest() -> None:
    """[2, 3] of a source with gaps to [3, 2] of a destination with gaps."""
    x = np.arange(8, dtype=np.int32).reshape(2, 4)
    source = dram("arg0", "int32", (2, 4), "ExternalInput")
    out = dram("out0", "int32", (3, 3), "ExternalOutput")
    zero = sbuf("z", "int32", (3, 3), 0)
    body = [
        inst("Memset", [], [whole(zero)], constant=-1),
        save(whole(zero), whole(out)),
        dma(part(source, [(4, 2), (1, 3)]), part(out, [(3, 3), (1, 2)])),
    ]
    result = run(program([source, out, zero], body), [x])[0]
    assert result.tolist() == [[0, 1, -1], [2, 4, -1], [5, 6, -1]]


def test_transposing_load_fills_partitions() -> None:
    x = np.arange(12, dtype=F32).reshape(3, 4)
    source = dram("arg0", "float32", (3, 4), "ExternalInput")
    tile = sbuf("t", "float32", (4, 3), 0)
    out = dram("out0", "float32", (4, 3), "ExternalOutput")
    body = [load(part(source, [(1, 4), (4, 3)]), whole(tile)), save(whole(tile), whole(out))]
    np.testing.assert_array_equal(run(program([source, tile, out], body), [x])[0], x.T)


def test_copies_of_one_dtype_move_bits() -> None:
    """Signalling NaNs and their payloads stay, in every dtype."""
    bits = np.array([[0x7FA00001, 0xFFC12345, 0x80000000]], np.uint32)
    result = apply("TensorCopy", [bits.view(F32)], F32)
    assert result.view(np.uint32).tolist() == bits.tolist()
    bits = np.array([[0x7F81, 0xFFC1, 0x8000]], np.uint16)
    result = apply("TensorCopy", [bits.view(BF16)], BF16)
    assert result.view(np.uint16).tolist() == bits.tolist()


def test_copy_reinterprets_at_equal_width() -> None:
    x = np.array([[1.0]], F32)
    source = dram("arg0", "float32", (1, 1), "ExternalInput")
    out = dram("out0", "int32", (1, 1), "ExternalOutput")
    body = [dma(whole(source, dtype="int32"), whole(out))]
    assert run(program([source, out], body), [x])[0].tolist() == [[0x3F800000]]


def test_dma_casts_through_f32() -> None:
    """2**24 + 1 is no f32; int32 to uint32 loses it too, in a DMA."""
    x = np.array([[2**24 + 1, -5]], np.int32)
    source = dram("arg0", "int32", (1, 2), "ExternalInput")
    out = dram("out0", "uint32", (1, 2), "ExternalOutput")
    assert run(program([source, out], [dma(whole(source), whole(out))]), [x])[0].tolist() == [
        [2**24, 0]
    ]


def test_tensor_copy_between_words_saturates_exactly() -> None:
    x = np.array([[2**24 + 1, -5]], np.int32)
    assert apply("TensorCopy", [x], np.uint32).tolist() == [[2**24 + 1, 0]]
    x = np.array([[2**32 - 1, 2**24 + 1]], np.uint32)
    assert apply("TensorCopy", [x], np.int32).tolist() == [[2**31 - 1, 2**24 + 1]]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.float16, BF16])
def test_casts_of_small_integers_are_exact_both_ways(dtype: type) -> None:
    x = np.array([[0, 1, 17, 100]], dtype)
    for other in (np.int8, np.uint16, np.uint32, F32, BF16, np.float16):
        result = apply("TensorCopy", [x], other)
        assert result.astype(F32).tolist() == [[0, 1, 17, 100]]


def test_f32_to_bf16_rounds_to_even() -> None:
    x = np.array([[1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20]], F32)
    result = apply("TensorCopy", [x], BF16).astype(F32)
    assert result.tolist() == [[1, 1 + 2**-6, 1 + 2**-7]]


def test_memset_converts_its_constant() -> None:
    for dtype, given, stored in (
        (F32, 0.1, float(F32(0.1))),
        (BF16, 1 + 2**-8, 1.0),
        (np.int8, 300, 127),
        (np.uint32, 2**32 - 1, 2**32 - 1),
        (np.int32, -(2**31), -(2**31)),
        (np.float16, float("inf"), float("inf")),
    ):
        result = apply("Memset", [], dtype, (3, 5), constant=given, mode="Const")
        assert result.dtype == dtype
        assert {float(v) for v in result.ravel()} == {float(stored)}


def test_iota_counts_partitions_and_free_elements() -> None:
    result = apply(
        "Iota",
        [],
        np.int32,
        (3, 4),
        engine="Pool",
        pattern=((10, 2), (-1, 2)),
        base=5,
        channel_multiplier=100,
    )
    assert result.tolist() == [
        [5 + 100 * p + 10 * i - j for i in (0, 1) for j in (0, 1)] for p in range(3)
    ]


def test_iota_on_a_part_counts_from_its_first_partition() -> None:
    tile, out = sbuf("t", "int32", (64, 2), 0), dram("out0", "int32", (32, 2), "ExternalOutput")
    half = part(tile, [(2, 32), (1, 2)], 64)
    iota = inst("Iota", [], [half], "Pool", pattern=((1, 2),), channel_multiplier=2)
    result = run(program([tile, out], [iota, save(half, whole(out))]), [])[0]
    np.testing.assert_array_equal(result.ravel(), np.arange(64))


def test_iota_of_another_size_is_an_error() -> None:
    with pytest.raises(UserError, match=r"has a pattern of 3 elements, expected 4 \[PGR103\]"):
        apply("Iota", [], np.int32, (3, 4), engine="Pool", pattern=((1, 3),))


def predicated(
    predicate: np.ndarray, old: np.ndarray, new: np.ndarray, **attributes: object
) -> list:
    """Copies `new` over `old` where the predicate holds; `old` may be None."""
    tensors, body = [], []
    for name, array in (("p", predicate), ("n", new), ("o", old)):
        dtype = {"u": "uint8", "f": "float32", "i": "int32"}[array.dtype.kind]
        source = dram(f"arg_{name}", dtype, array.shape, "ExternalInput")
        tensors += [source, sbuf(name, dtype, array.shape, 512 * len(tensors))]
        body.append(load(whole(source), whole(tensors[-1])))
    out = dram("out0", "float32", old.shape, "ExternalOutput")
    p, n, o = tensors[1], tensors[3], tensors[5]
    body += [
        inst("CopyPredicated", [whole(p), whole(n)], [whole(o)], **attributes),
        save(whole(o), whole(out)),
    ]
    return run(program([*tensors, out], body), [predicate, new, old])[0].tolist()


def test_copy_predicated_keeps_the_rest() -> None:
    predicate = np.array([[1, 0], [0, 255]], np.uint8)
    old, new = np.zeros((2, 2), F32), np.array([[1, 2], [3, 4]], F32)
    assert predicated(predicate, old, new) == [[1, 0], [0, 4]]
    assert predicated(predicate, old, new, reverse_pred=True) == [[0, 2], [3, 0]]


def test_copy_predicated_casts() -> None:
    predicate = np.array([[1, 0]], np.uint8)
    assert predicated(predicate, np.zeros((1, 2), F32), np.array([[7, 8]], np.int32)) == [[7, 0]]


def test_copy_predicated_writes_only_where_it_copies() -> None:
    predicate, new = np.array([[1, 1, 0, 1]], np.uint8), np.ones((1, 4), F32)
    sources = [
        dram("arg0", "uint8", (1, 4), "ExternalInput"),
        dram("arg1", "float32", (1, 4), "ExternalInput"),
    ]
    tiles = [
        sbuf("p", "uint8", (1, 4), 0),
        sbuf("n", "float32", (1, 4), 64),
        sbuf("o", "float32", (1, 4), 128),
    ]
    out = dram("out0", "float32", (1, 2), "ExternalOutput")
    loads = [load(whole(s), whole(t)) for s, t in zip(sources, tiles, strict=False)]
    copy = inst("CopyPredicated", [whole(tiles[0]), whole(tiles[1])], [whole(tiles[2])])
    for offset, fine in ((0, True), (2, False)):
        body = [*loads, copy, save(part(tiles[2], [(4, 1), (1, 2)], offset), whole(out))]
        module = program([*sources, *tiles, out], body)
        if fine:
            assert run(module, [predicate, new])[0].tolist() == [[1, 1]]
            continue
        with pytest.raises(UserError, match=r"'o' reads partition 0, element 2"):
            run(module, [predicate, new])


def test_can_read_uninit_allows_it() -> None:
    tile = sbuf("t", "float32", (1, 2), 0)
    out = dram("out0", "float32", (1, 2), "ExternalOutput")
    reading = inst("Save", [whole(tile)], [whole(out)], "DMA", can_read_uninit=True)
    bits = run(program([tile, out], [reading]), [])[0].view(np.uint32)
    assert bits.tolist() == [[0xFFFFFFFF] * 2]


def test_copy_of_different_counts_is_an_error() -> None:
    x = np.zeros((2, 3), F32)
    with pytest.raises(UserError, match=r"has 6 elements, expected 4 \[PGR103\]"):
        apply("TensorCopy", [x], F32, (2, 2))
