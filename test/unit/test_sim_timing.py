"""The estimate against the formulas of NEURON.md 6.1, worked out by hand for each case.

trn2: PE 2.4, Activation and Pool 1.2, DVE 0.96 cycles per ns; DMA 16 x 23 = 368 bytes per ns.
"""

import json

import pytest
from sim_programs import dram, inst, load, part, program, psum, save, sbuf, whole

from penguin.bir.model import Instruction, Loop, Tensor
from penguin.sim import estimate


def cycles(
    opcode: str,
    ins: list[Tensor],
    out: Tensor,
    engine: str = "DVE",
    target: str = "trn2",
    **attributes: object,
) -> float:
    body = [inst(opcode, [whole(t) for t in ins], [whole(out)], engine, **attributes)]
    return estimate(program([*ins, out], body, target)).engines[engine].cycles


def f32(free: int, rows: int = 128) -> Tensor:
    return sbuf(f"f{free}", "float32", (rows, free))


def bf16(free: int) -> Tensor:
    return sbuf(f"b{free}", "bfloat16", (128, free))


BANK = psum("p", (128, 512))

CASES = [
    # max(MIN_II = 64, N)
    ("Activation", [f32(512)], f32(512), "Activation", {"func": "Exp"}, 512),
    ("Activation", [f32(10)], f32(10), "Activation", {"func": "Exp"}, 64),
    ("TensorScalar", [f32(100)], f32(100), "DVE", {"op0": "mult"}, 100),
    ("TensorScalarPtr", [f32(100), f32(1)], f32(100), "DVE", {"op0": "mult"}, 100),
    ("TensorCopy", [f32(512)], bf16(512), "DVE", {}, 512),
    # POOL's rsqrt: 4 times
    ("TensorScalar", [f32(100)], f32(100), "Pool", {"op0": "rsqrt"}, 400),
    # max(MIN_II, 2N), or N with an operand in PSUM or for bf16 add, mult, subtract
    ("TensorTensor", [f32(512), f32(512)], f32(512), "DVE", {"op": "add"}, 1024),
    ("TensorTensor", [f32(512), BANK], f32(512), "DVE", {"op": "add"}, 512),
    ("TensorTensor", [bf16(512), bf16(512)], bf16(512), "DVE", {"op": "add"}, 512),
    ("TensorTensor", [bf16(512), bf16(512)], bf16(512), "DVE", {"op": "max"}, 1024),
    ("TensorTensor", [bf16(512), bf16(512)], f32(512), "DVE", {"op": "add"}, 1024),
    # N, N/2 for bf16 add and max
    ("TensorReduce", [f32(512)], f32(1), "DVE", {"op": "add", "axis": "X"}, 512),
    ("TensorReduce", [bf16(512)], bf16(1), "DVE", {"op": "max", "axis": "X"}, 256),
    ("TensorReduce", [bf16(512)], bf16(1), "DVE", {"op": "min", "axis": "X"}, 512),
    # max(MIN_II, 8N)
    ("Reciprocal", [f32(1)], f32(1), "DVE", {}, 64),
    ("Reciprocal", [f32(100)], f32(100), "DVE", {}, 800),
    # N/2 for a 16-bit zero
    ("Memset", [], bf16(512), "DVE", {"constant": 0.0}, 256),
    ("Memset", [], bf16(512), "DVE", {"constant": 1.0}, 512),
    ("Memset", [], f32(512), "DVE", {"constant": 0.0}, 512),
    # 150 + N
    ("Iota", [], sbuf("i", "int32", (128, 512)), "Pool", {"pattern": ((1, 512),)}, 662),
    # max(MIN_II, 2N), N with a side in PSUM
    ("CopyPredicated", [f32(512), f32(512)], f32(512), "DVE", {}, 1024),
    ("CopyPredicated", [f32(512), BANK], f32(512), "DVE", {}, 512),
    # max(min(64, stationary), moving), 4 times for f32
    ("Matmult", [bf16(512), bf16(128)], BANK, "PE", {}, 512),
    ("Matmult", [bf16(8), bf16(128)], BANK, "PE", {}, 64),
    ("Matmult", [bf16(8), bf16(16)], BANK, "PE", {}, 16),
    ("Matmult", [f32(512), f32(128)], BANK, "PE", {}, 2048),
]


@pytest.mark.parametrize(("opcode", "ins", "out", "engine", "attributes", "expected"), CASES)
def test_cycles(
    opcode: str, ins: list, out: Tensor, engine: str, attributes: dict, expected: float
) -> None:
    assert cycles(opcode, ins, out, engine, **attributes) == expected


def test_only_contiguous_bf16_is_fast() -> None:
    tile = bf16(512)
    strided = part(tile, [(512, 128), (2, 256)])
    body = [inst("TensorTensor", [strided, strided], [strided], op="add")]
    assert estimate(program([tile], body)).engines["DVE"].cycles == 512


@pytest.mark.parametrize(
    ("target", "engine", "clock"),
    [
        ("trn1", "DVE", 1.12),
        ("trn2", "DVE", 0.96),
        ("trn3", "DVE", 1.2),
        ("trn1", "Activation", 1.4),
        ("trn2", "Activation", 1.2),
    ],
)
def test_clock_of_the_target(target: str, engine: str, clock: float) -> None:
    body = [inst("TensorCopy", [whole(f32(512))], [whole(f32(512))], engine)]
    result = estimate(program([f32(512)], body, target))
    assert result.engines[engine].ns == pytest.approx(512 / clock)


def loop_program() -> tuple[list[Tensor], list[Instruction | Loop]]:
    """8 x 3 iterations of load 128 KiB, exp, save; one matmul of K = M = 128, N = 512 after it."""
    source = dram("arg0", "float32", (128, 256), "ExternalInput")
    out = dram("out0", "float32", (128, 256), "ExternalOutput")
    tile, wide, narrow = f32(256), bf16(512), bf16(128)
    body = [
        load(whole(source), whole(tile)),
        inst("Activation", [whole(tile)], [whole(tile)], "Activation", func="Exp", scale=2.0),
        save(whole(tile), whole(out)),
    ]
    loops = Loop("i", 0, 8, 1, [Loop("j", 2, 7, 2, body)])
    matmul = inst("Matmult", [whole(wide), whole(narrow)], [whole(BANK)], "PE")
    return [source, out, tile, wide, narrow, BANK], [loops, matmul]


def test_totals_of_a_loop_nest() -> None:
    result = estimate(program(*loop_program()))
    executions, tile_bytes = 24, 128 * 256 * 4
    assert result.static_instructions == 4
    assert result.dynamic_instructions == 3 * executions + 1
    assert result.dma_transfers == 2 * executions
    assert result.dma_bytes == result.bytes_accessed == 2 * executions * tile_bytes
    assert result.transcendentals == executions * 128 * 256
    assert result.matmul_flops == 2 * 128 * 128 * 512
    assert result.flops == result.matmul_flops + executions * 128 * 256
    dma, act = result.engines["DMA"], result.engines["Activation"]
    assert dma.ns == pytest.approx(2 * executions * (1300 + tile_bytes / 368))
    assert result.dma_start_ns == 2 * executions * 1300
    assert (act.instructions, act.cycles) == (executions, executions * 256)
    assert act.ns == pytest.approx(executions * 256 / 1.2)
    assert result.opcodes["Load"].instructions == executions
    assert result.critical == "DMA"
    assert result.critical_ns == dma.ns
    assert result.serial_ns == pytest.approx(dma.ns + act.ns + 512 / 2.4)


def test_trip_counts_cost_nothing_to_estimate() -> None:
    tensors, (loops, matmul) = loop_program()
    assert isinstance(loops, Loop)
    loops.upper = 10**15
    result = estimate(program(tensors, [loops, matmul]))
    assert result.engines["Activation"].instructions == 3 * 10**15


def test_cast_in_a_dma_counts_the_larger_side_and_both_sides_in_dram() -> None:
    source = dram("arg0", "bfloat16", (4, 8), "ExternalInput")
    out = dram("out0", "float32", (4, 8), "ExternalOutput")
    copy = inst("DMACopy", [whole(source)], [whole(out)], "DMA", mode="Copy")
    result = estimate(program([source, out], [copy]))
    assert (result.dma_bytes, result.bytes_accessed) == (128, 64 + 128)


def test_element_wise_flops() -> None:
    x, one = f32(10), f32(1)
    for opcode, ins, out, attributes, each in (
        ("TensorTensor", [x, x], x, {"op": "add"}, 10),
        ("TensorScalar", [x], x, {"op0": "mult", "op1": "add"}, 20),
        ("TensorScalar", [x], x, {"op0": "mult"}, 10),
        ("TensorReduce", [x], one, {"op": "add", "axis": "X"}, 9),
        ("Activation", [x, one], x, {"func": "Square", "scale": 2.0}, 30),
        ("Activation", [x], x, {"func": "Copy", "scale": 1.0}, 0),
        ("TensorCopy", [x], x, {}, 0),
    ):
        body = [inst(opcode, [whole(t) for t in ins], [whole(out)], **attributes)]
        result = estimate(program([x, one], body))
        assert (result.flops, result.transcendentals) == (128 * each, 0), opcode


def test_empty_program() -> None:
    result = estimate(program([], []))
    assert (result.critical, result.critical_ns, result.flops) == ("", 0.0, 0)


def test_dictionary_has_the_keys_of_jax_and_is_json() -> None:
    result = estimate(program(*loop_program()))
    data = json.loads(json.dumps(result.to_dict()))
    assert data["flops"] == result.flops
    assert data["bytes accessed"] == result.bytes_accessed
    assert data["transcendentals"] == result.transcendentals
    assert data["optimal_seconds"] == pytest.approx(result.critical_ns * 1e-9)
    assert data["engines"]["PE"]["cycles"] == 512
