"""GenericIndirectLoad: what it reads, what it refuses, what it costs."""

import ml_dtypes
import numpy as np
import pytest
from sim_programs import dram, inst, load, part, program, save, sbuf, whole

from penguin.bir.model import Access, Loop, Module
from penguin.errors import UserError
from penguin.sim import estimate, run

BF16 = ml_dtypes.bfloat16
TABLE = np.arange(60, dtype=np.float32).reshape(10, 6)
ROWS = np.array([[3], [9], [0], [3]], np.uint32)


def gather(
    pattern: list[tuple[int, int]] | None = None,
    offset: int = 0,
    shape: tuple[int, int] = (4, 6),
    dtype: str = "float32",
) -> Module:
    """Rows of arg0 [10, 6] that arg1 [4, 1] names, to out0."""
    table = dram("arg0", "float32", (10, 6), "ExternalInput")
    rows = dram("arg1", "uint32", (4, 1), "ExternalInput")
    index, tile = sbuf("i", "uint32", (4, 1), 0), sbuf("t", dtype, shape, 64)
    out = dram("out0", dtype, shape, "ExternalOutput")
    source = part(table, pattern or [(6, 4), (1, 6)], offset)
    body = [load(whole(rows), whole(index)), indirect(source, whole(index), whole(tile))]
    return program([table, rows, index, tile, out], [*body, save(whole(tile), whole(out))])


def indirect(source: Access, index: Access, out: Access) -> object:
    more = {"dge_type": "SWDGE", "indirect_dims": ("W",)}
    return inst("GenericIndirectLoad", [source, index], [out], "Pool", **more)


def test_rows() -> None:
    assert run(gather(), [TABLE, ROWS])[0].tolist() == TABLE[ROWS[:, 0]].tolist()


def test_the_step_offset_and_other_pairs_are_the_patterns() -> None:
    """Every second element from 1 on of what starts at 3 times the index, backwards."""
    module = gather([(3, 4), (-2, 3)], offset=5, shape=(4, 3))
    expected = [[TABLE.flat[5 + 3 * i - 2 * j] for j in range(3)] for i in ROWS[:, 0]]
    assert run(module, [TABLE, ROWS])[0].tolist() == expected


def test_the_last_row_that_fits() -> None:
    rows = np.full((4, 1), 9, np.uint32)
    assert run(gather(), [TABLE, rows])[0].tolist() == [TABLE[9].tolist()] * 4


def test_a_cast_goes_through_float32() -> None:
    table = (TABLE + np.float32(0.1)).astype(np.float32)
    result = run(gather(dtype="bfloat16"), [table, ROWS])[0]
    assert result.tolist() == table[ROWS[:, 0]].astype(BF16).tolist()


def test_an_index_beyond_the_source_is_an_error() -> None:
    rows = np.array([[3], [10], [0], [11]], np.uint32)
    with pytest.raises(UserError, match="has index 10 for partition 1, expected 0 to 9") as info:
        run(gather(), [TABLE, rows])
    assert info.value.diagnostics[0].code == "PGR102"
    with pytest.raises(UserError, match="has index 4294967295 for partition 0"):
        run(gather(), [TABLE, np.full((4, 1), -1, np.int32).view(np.uint32)])


def test_index_zero_has_to_be_inside() -> None:
    with pytest.raises(UserError, match="reaches elements 56 to 61, expected 0 to 59"):
        run(gather(offset=56), [TABLE, ROWS])


@pytest.mark.parametrize("step", [0, -6])
def test_a_step_that_no_index_can_multiply(step: int) -> None:
    with pytest.raises(UserError, match=f"has step {step} for the index, expected at least 1"):
        run(gather([(step, 4), (1, 6)]), [TABLE, ROWS])


def test_operands_that_do_not_fit() -> None:
    with pytest.raises(UserError, match="has 12 elements, expected 24"):
        run(gather([(6, 4), (1, 3)]), [TABLE, ROWS])
    with pytest.raises(UserError, match=r"input #1 'i' has 4 elements, expected 2"):
        run(gather([(6, 2), (1, 12)]), [TABLE, ROWS])
    module = gather()
    module.main.body[1].ins = module.main.body[1].ins[:1]
    with pytest.raises(UserError, match="has 1 inputs, expected 2"):
        run(module, [TABLE, ROWS])


def test_rows_that_were_never_written() -> None:
    rows = dram("arg0", "uint32", (2, 1), "ExternalInput")
    index, tile = sbuf("i", "uint32", (2, 1), 0), sbuf("t", "float32", (2, 4), 64)
    table, out = dram("d", "float32", (3, 4)), dram("out0", "float32", (2, 4), "ExternalOutput")
    body = [
        load(whole(rows), whole(index)),
        inst("Memset", [], [whole(tile)], constant=1.0),
        # Rows 0 and 2 but for its last element.
        save(part(tile, [(4, 1), (1, 4)]), part(table, [(4, 1), (1, 4)])),
        save(part(tile, [(4, 1), (1, 3)]), part(table, [(4, 1), (1, 3)], 8)),
        indirect(part(table, [(4, 2), (1, 4)]), whole(index), whole(tile)),
        save(whole(tile), whole(out)),
    ]
    module = program([rows, index, tile, table, out], body)
    assert run(module, [np.zeros((2, 1), np.uint32)])[0].tolist() == [[1.0] * 4] * 2
    with pytest.raises(UserError, match=r"'d' reads element \[2, 3\], which was never written"):
        run(module, [np.array([[0], [2]], np.uint32)])


def test_columns_of_indices_in_a_loop() -> None:
    table = dram("arg0", "float32", (10, 6), "ExternalInput")
    rows = dram("arg1", "uint32", (4, 3), "ExternalInput")
    index, tile = sbuf("i", "uint32", (4, 3), 0), sbuf("t", "float32", (4, 6), 64)
    out = dram("out0", "float32", (4, 6), "ExternalOutput")
    column = indirect(
        part(table, [(6, 4), (1, 2)], i0=2),
        part(index, [(3, 4), (1, 1)], i0=1),
        part(tile, [(6, 4), (1, 2)], i0=2),
    )
    body = [load(whole(rows), whole(index)), Loop("i0", 0, 3, 1, [column])]
    module = program([table, rows, index, tile, out], [*body, save(whole(tile), whole(out))])
    given = np.random.default_rng(0).integers(0, 10, (4, 3)).astype(np.uint32)
    expected = [[TABLE[given[p, j // 2], j] for j in range(6)] for p in range(4)]
    assert run(module, [TABLE, given])[0].tolist() == expected


def test_time() -> None:
    """Start-up, descriptors made by Pool, and bytes at the rate of all DMA engines."""
    found = estimate(gather())
    assert found.opcodes["GenericIndirectLoad"].ns == pytest.approx(1300 + 700 + 96 / 368)
    assert found.dma_transfers == 3
    assert found.dma_bytes == 16 + 96 + 96
    assert found.dma_start_ns == 3 * 1300 + 700
    assert found.bytes_accessed == 16 + 96 + 96
