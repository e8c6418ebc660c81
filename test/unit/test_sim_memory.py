"""Memories: addresses, what is written, bounds, lifetimes."""

import numpy as np
import pytest
from sim_programs import (
    apply,
    dram,
    inst,
    load,
    part,
    program,
    psum,
    save,
    sbuf,
    whole,
)

from penguin.bir.model import Instruction, Loop, Module, Tensor
from penguin.dialects.bir.target import TARGETS
from penguin.errors import UserError
from penguin.sim import run
from penguin.sim.lifetimes import fills
from penguin.sim.memory import Pool

F32 = np.float32
IN = dram("arg0", "float32", (4, 8), "ExternalInput")
OUT = dram("out0", "float32", (4, 8), "ExternalOutput")
X = np.arange(32, dtype=F32).reshape(4, 8)


def round_trip(
    tile: Tensor, *between: Instruction | Loop, others: tuple[Tensor, ...] = ()
) -> Module:
    body = [load(whole(IN), whole(tile)), *between, save(whole(tile), whole(OUT))]
    return program([IN, OUT, tile, *others], body)


def test_data_survives_a_round_trip_at_any_address() -> None:
    for base, addr in ((0, 0), (32, 4096), (96, TARGETS["trn2"].sbuf_bytes - 32)):
        module = round_trip(sbuf("t", "float32", (4, 8), addr, base))
        np.testing.assert_array_equal(run(module, [X])[0], X)


def test_overlapping_tiles_destroy_each_other() -> None:
    """A tile of 8 bytes at byte 8 covers elements 2 and 3 of the other's partitions 0 and 1."""
    other = sbuf("u", "float32", (2, 2), 8)
    clobber = inst("Memset", [], [whole(other)], constant=-1.0)
    expected = X.copy()
    expected[:2, 2:4] = -1
    module = round_trip(sbuf("t", "float32", (4, 8), 0), clobber, others=(other,))
    np.testing.assert_array_equal(run(module, [X])[0], expected)
    np.testing.assert_array_equal(run(module, [X], physical=False)[0], X)


def test_tiles_on_other_partitions_do_not_overlap() -> None:
    other = sbuf("u", "float32", (4, 8), 0, base=32)
    clobber = inst("Memset", [], [whole(other)], constant=-1.0)
    module = round_trip(sbuf("t", "float32", (4, 8), 0), clobber, others=(other,))
    np.testing.assert_array_equal(run(module, [X])[0], X)


def test_psum_is_not_sbuf() -> None:
    other = psum("u", (4, 8), 0)
    clobber = inst("Memset", [], [whole(other)], constant=-1.0)
    module = round_trip(sbuf("t", "float32", (4, 8), 0), clobber, others=(other,))
    np.testing.assert_array_equal(run(module, [X])[0], X)


def test_tiles_without_address_have_memory_of_their_own() -> None:
    other = sbuf("u", "float32", (4, 8))
    clobber = inst("Memset", [], [whole(other)], constant=-1.0)
    module = round_trip(sbuf("t", "float32", (4, 8)), clobber, others=(other,))
    np.testing.assert_array_equal(run(module, [X])[0], X)


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        (sbuf("t", "float32", (4, 8), 212984 - 28), "takes bytes 212956 to 212987"),
        (sbuf("t", "float32", (4, 8), 0, base=125), "takes partitions 125 to 128 of 128"),
        (psum("t", (4, 8), 16384 - 16), "psum of trn2 has 16384"),
    ],
)
def test_tile_outside_of_its_memory_is_an_error(tile: Tensor, text: str) -> None:
    with pytest.raises(UserError, match=rf"{text}.*\[PGR102\]"):
        run(round_trip(tile), [X])


def test_reading_an_unwritten_tile_is_an_error_that_says_where() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    first_half = part(tile, [(8, 4), (1, 5)])
    module = program(
        [IN, OUT, tile],
        [load(part(IN, [(8, 4), (1, 5)]), first_half), save(whole(tile), whole(OUT))],
    )
    text = r"here: error: 'Save' I-1 input #0 't' reads partition 0, element 5, which was never"
    with pytest.raises(UserError, match=rf"{text} written \[PGR101\]"):
        run(module, [X])


def test_reused_addresses_do_not_count_as_written() -> None:
    """`u` has the address of `t` and nothing wrote it under its own name."""
    tile, other = sbuf("t", "float32", (4, 8), 0), sbuf("u", "float32", (4, 8), 0)
    module = program(
        [IN, OUT, tile, other], [load(whole(IN), whole(tile)), save(whole(other), whole(OUT))]
    )
    with pytest.raises(UserError, match=r"'u' reads partition 0, element 0.*\[PGR101\]"):
        run(module, [X])


def test_unwritten_element_of_dram_is_named_by_its_index() -> None:
    middle = dram("t0", "float32", (4, 8))
    tile = sbuf("t", "float32", (4, 8), 0)
    copied = [(8, 3), (1, 8)]
    module = program(
        [IN, OUT, middle, tile],
        [
            inst("DMACopy", [part(IN, copied)], [part(middle, copied)], "DMA", mode="Copy"),
            load(whole(middle), whole(tile)),
            save(whole(tile), whole(OUT)),
        ],
    )
    with pytest.raises(UserError, match=r"'t0' reads element \[3, 0\], which was never written"):
        run(module, [X])


def test_dram_tensor_written_in_parts_may_be_read_when_complete() -> None:
    middle = dram("t0", "float32", (4, 8))
    parts = [
        inst(
            "DMACopy",
            [part(IN, [(8, 2), (1, 8)], offset)],
            [part(middle, [(8, 2), (1, 8)], offset)],
            "DMA",
            mode="Copy",
        )
        for offset in (16, 0)
    ]
    module = program([IN, OUT, middle], [*parts, save(whole(middle), whole(OUT))])
    np.testing.assert_array_equal(run(module, [X])[0], X)


def test_element_written_twice_does_not_hide_an_unwritten_one() -> None:
    """8 writes go to 4 elements of 8."""
    tile, out = sbuf("t", "float32", (1, 8), 0), dram("out0", "float32", (1, 8), "ExternalOutput")
    fold = part(tile, [(8, 1), (0, 2), (1, 4)])
    module = program(
        [tile, out], [inst("Memset", [], [fold], constant=1.0), save(whole(tile), whole(out))]
    )
    with pytest.raises(UserError, match=r"partition 0, element 4, which was never written"):
        run(module, [])


def test_incomplete_output_is_an_error() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    module = program(
        [IN, OUT, tile],
        [
            load(whole(IN), whole(tile)),
            save(part(tile, [(8, 4), (1, 7)]), part(OUT, [(8, 4), (1, 7)])),
        ],
    )
    with pytest.raises(UserError, match=r"output 'out0' element \[0, 7\] was never written"):
        run(module, [X])
    with pytest.raises(UserError, match=r"output 'out0' element \[0, 0\] was never written"):
        run(program([IN, OUT], []), [X])


def test_access_outside_of_its_tensor_is_an_error_before_anything_runs() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    late = load(part(IN, [(8, 4), (1, 8)], i=1), whole(tile))
    module = program([IN, OUT, tile], [Loop("i", 0, 2, 1, [late]), save(whole(tile), whole(OUT))])
    with pytest.raises(UserError, match=r"'arg0' reaches elements 0 to 32, expected 0 to 31"):
        run(module, [X])


def test_free_pairs_may_not_leave_a_partition() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    crossing = part(tile, [(8, 2), (1, 8)], 4)
    with pytest.raises(UserError, match=r"crosses from one partition into the next.*\[PGR102\]"):
        run(program([IN, tile], [load(part(IN, [(8, 2), (1, 8)]), crossing)]), [X])


def test_loop_may_step_through_a_tile_by_flat_elements() -> None:
    """Offsets 0, 4, ... 28 of a [4, 8] tile: two stops per partition, not affine in bytes."""
    tile = sbuf("t", "float32", (4, 8), 64, base=32)
    step = load(part(IN, [(8, 1), (1, 4)], i=4), part(tile, [(8, 1), (1, 4)], i=4))
    module = program([IN, OUT, tile], [Loop("i", 0, 8, 1, [step]), save(whole(tile), whole(OUT))])
    np.testing.assert_array_equal(run(module, [X])[0], X)


def test_loops_with_lower_bound_and_step() -> None:
    """Rows 1 and 3 go to rows 0 and 1, everything else is zero."""
    tile = sbuf("t", "float32", (1, 8), 0)
    zero = sbuf("z", "float32", (4, 8), 32)
    body = [
        load(part(IN, [(8, 1), (1, 8)], i=8), whole(tile)),
        save(whole(tile), part(OUT, [(8, 1), (1, 8)], -4, i=4)),
    ]
    module = program(
        [IN, OUT, tile, zero],
        [
            inst("Memset", [], [whole(zero)], constant=0.0),
            save(whole(zero), whole(OUT)),
            Loop("i", 1, 4, 2, body),
            Loop("never", 3, 3, 1, [save(whole(tile), part(OUT, [(8, 1), (1, 8)], never=99))]),
        ],
    )
    expected = np.zeros_like(X)
    expected[0], expected[1] = X[1], X[3]
    np.testing.assert_array_equal(run(module, [X])[0], expected)


def test_nested_loops_of_three_axes() -> None:
    tile = sbuf("t", "float32", (1, 1), 0)
    body = [
        load(part(IN, [(1, 1)], a=8, b=4, c=1), whole(tile)),
        save(whole(tile), part(OUT, [(1, 1)], 31, a=-8, b=-4, c=-1)),
    ]
    loops = [Loop("a", 0, 4, 1, [Loop("b", 0, 2, 1, [Loop("c", 0, 4, 1, body)])])]
    module = program([IN, OUT, tile], loops)
    np.testing.assert_array_equal(run(module, [X])[0].ravel(), X.ravel()[::-1])


def test_writing_an_input_is_an_error() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    module = program([IN, tile], [load(whole(IN), whole(tile)), save(whole(tile), whole(IN))])
    with pytest.raises(UserError, match=r"writes a tensor of kind ExternalInput \[PGR106\]"):
        run(module, [X])


def test_constants_are_read_from_the_module() -> None:
    constant = Tensor("c", "float32", (4, 8), "dram", "Const", data=X + 1)
    tile = sbuf("t", "float32", (4, 8), 0)
    module = program(
        [OUT, constant, tile], [load(whole(constant), whole(tile)), save(whole(tile), whole(OUT))]
    )
    np.testing.assert_array_equal(run(module, [])[0], X + 1)


def test_inputs_are_checked() -> None:
    module = round_trip(sbuf("t", "float32", (4, 8), 0))
    with pytest.raises(UserError, match=r"got 0 inputs, expected 1 \[PGR100\]"):
        run(module, [])
    with pytest.raises(UserError, match=r"is float32\[8, 4\], expected float32\[4, 8\]"):
        run(module, [X.T])
    with pytest.raises(UserError, match=r"is int32\[4, 8\], expected float32\[4, 8\]"):
        run(module, [X.astype(np.int32)])


def test_booleans_are_bytes() -> None:
    x = np.array([[True, False]])
    source, out = (
        dram("arg0", "uint8", (1, 2), "ExternalInput"),
        dram("out0", "uint8", (1, 2), "ExternalOutput"),
    )
    copy = inst("DMACopy", [whole(source)], [whole(out)], "DMA", mode="Copy")
    assert run(program([source, out], [copy]), [x])[0].tolist() == [[1, 0]]


def test_inputs_stay_as_they_are() -> None:
    x = X.copy()
    module = round_trip(
        tile := sbuf("t", "float32", (4, 8), 0),
        inst("TensorScalar", [whole(tile)], [whole(tile)], op0="mult", const0=2.0),
    )
    np.testing.assert_array_equal(run(module, [x])[0], 2 * X)
    np.testing.assert_array_equal(x, X)


def test_memory_of_dead_tensors_is_used_again_and_unwritten() -> None:
    """`b` may get the bytes of `a`; reading it early is an error all the same."""
    a, b = dram("a", "float32", (4, 8)), dram("b", "float32", (4, 8))

    def move(x: Tensor, y: Tensor, rows: int) -> Instruction:
        pattern = [(8, rows), (1, 8)]
        return inst("DMACopy", [part(x, pattern)], [part(y, pattern)], "DMA", mode="Copy")

    body = [move(IN, a, 4), move(a, OUT, 4), move(IN, b, 2), move(b, OUT, 4)]
    with pytest.raises(UserError, match=r"'b' reads element \[2, 0\]"):
        run(program([IN, OUT, a, b], body), [X])


def test_pool_gives_arrays_of_about_the_size() -> None:
    pool = Pool()
    small, large = np.empty(100, np.uint8), np.empty(1000, np.uint8)
    pool.give(large)
    pool.give(small)
    assert pool.take(60) is small
    assert pool.take(60).size == 60
    assert pool.take(501) is large


def test_filled_is_proved_only_for_full_covers() -> None:
    tensor = dram("t0", "float32", (6, 8))
    tile = sbuf("t", "float32", (2, 4), 0)

    def nest(trips: int, step: int = 16, offset: int = 0) -> Loop:
        write = save(whole(tile), part(tensor, [(8, 2), (1, 4)], offset, i=step, j=4))
        return Loop("i", 0, trips, 1, [Loop("j", 0, 2, 1, [write])])

    assert fills(nest(3), tensor)
    assert not fills(nest(2), tensor)
    assert not fills(nest(3, step=8), tensor)
    assert not fills(nest(3, offset=1), tensor)
    early = load(part(tensor, [(8, 2), (1, 4)]), whole(tile))
    assert not fills(Loop("k", 0, 1, 1, [early, nest(3)]), tensor)


def test_progress_counts_executed_instructions() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    body = [Loop("i", 0, 3, 1, [load(whole(IN), whole(tile))]), save(whole(tile), whole(OUT))]
    seen: list[tuple[int, int]] = []
    run(
        program([IN, OUT, tile], body), [X], progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_buffer_size_of_numpy_is_restored() -> None:
    before = np.setbufsize(4096)
    try:
        apply("Reciprocal", [X + 1], F32)
        assert np.getbufsize() == 4096
    finally:
        np.setbufsize(before)


def test_unknown_opcode_and_axis_are_errors() -> None:
    with pytest.raises(UserError, match=r"'Dropout' I-0 is not simulated \[PGR104\]"):
        run(program([IN], [inst("Dropout", [], [])]), [X])
    tile = sbuf("t", "float32", (4, 8), 0)
    with pytest.raises(UserError, match=r"uses axis 'i', expected an enclosing loop's"):
        run(program([IN, tile], [load(part(IN, [(8, 4), (1, 8)], i=0), whole(tile))]), [X])


def test_dtype_of_another_width_is_an_error() -> None:
    tile = sbuf("t", "float32", (4, 8), 0)
    body = [load(whole(IN), whole(tile, dtype="bfloat16"))]
    with pytest.raises(UserError, match=r"read as bfloat16, expected a dtype as wide as float32"):
        run(program([IN, tile], body), [X])
