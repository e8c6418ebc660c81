"""The documented limits and speeds of the three Trainium generations.

A `Target` holds numbers only; the verifier, the allocator, tiling and the timing model read it.
Sources (NEURON.md): geometry 1.1, speeds 1.2, access patterns 3, matmul sizes 4.1, dtypes 5, DMA 6.

  name  marketed  NeuronCore  BIR `arch`   ArchLevel
  trn1  Trn1      v2          sunda        20
  trn2  Trn2      v3          gen3         30
  trn3  Trn3      v4          core_v4      40
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from penguin.dialects.bir.enums import Engine

# What the names of the ops and of the attributes of others start with.
PREFIX = "bir."

DEFAULT_TARGET = "trn2"
# The module attribute that names the target.
TARGET = "bir.target"

PARTITIONS = 128  # 1.1: SBUF and PSUM partitions
MID_PARTITION = 64  # 1.1, 3: a pattern of at most 64 partitions may not cross it

# 3, "Start partition rule": (most partitions, legal starts), first row that is large enough.
START_PARTITIONS: tuple[tuple[int, frozenset[int]], ...] = (
    (32, frozenset({0, 32, 64, 96})),
    (64, frozenset({0, 64})),
    (128, frozenset({0})),
)


@dataclass(frozen=True)
class Target:
    """One generation. Sizes in bytes, clocks in GHz (cycles per ns), DMA in bytes per ns."""

    name: str
    arch: str
    level: int
    sbuf_bytes: int
    clocks: Mapping[Engine, float]
    dma_bytes_per_ns: float
    matmul_max_n_f32: int
    matmul_max_n_bf16: int
    psum_dtypes: frozenset[str]
    hbm_bytes: int

    partitions: int = PARTITIONS
    psum_banks: int = 8
    psum_bank_bytes: int = 2048
    matmul_max_k: int = 128
    matmul_max_m: int = 128
    dma_engines: int = 16
    dma_start_ns: int = 1300
    # What making the descriptors adds (6.2); trn3 as trn2 (a guess).
    swdge_ns: int = 700
    hwdge_ns: int = 500
    sbuf_max_elements: int = 65536
    max_free_pairs: int = 3
    max_free_pairs_dma: int = 4
    max_num: int = 65535
    min_step: int = -32768
    max_step: int = 32767
    dtypes: frozenset[str] = frozenset(
        {
            "uint8",
            "int8",
            "uint16",
            "int16",
            "uint32",
            "int32",
            "bfloat16",
            "float16",
            "float32",
        }
    )
    matmul_dtypes: frozenset[str] = frozenset({"bfloat16", "float16", "float32"})

    @property
    def psum_bytes(self) -> int:
        """PSUM bytes of one partition."""
        return self.psum_banks * self.psum_bank_bytes

    def matmul_max_n(self, dtype: str) -> int:
        """Most moving elements per partition, by the dtype that is written to PSUM."""
        return self.matmul_max_n_bf16 if dtype == "bfloat16" else self.matmul_max_n_f32


def _clocks(pe: float, act: float, dve: float, pool: float) -> Mapping[Engine, float]:
    return MappingProxyType(
        {
            Engine.PE: pe,
            Engine.ACTIVATION: act,
            Engine.DVE: dve,
            Engine.POOL: pool,
            # The documents give SP no clock; ACT's is a guess.
            Engine.SP: act,
        }
    )


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "trn1": Target(
            name="trn1",
            arch="sunda",
            level=20,
            sbuf_bytes=180224,
            clocks=_clocks(pe=2.8, act=1.4, dve=1.12, pool=1.4),
            dma_bytes_per_ns=17,
            swdge_ns=500,
            matmul_max_n_f32=512,
            matmul_max_n_bf16=512,
            psum_dtypes=frozenset({"float32"}),
            hbm_bytes=16 << 30,
        ),
        "trn2": Target(
            name="trn2",
            arch="gen3",
            level=30,
            sbuf_bytes=212984,
            clocks=_clocks(pe=2.4, act=1.2, dve=0.96, pool=1.2),
            dma_bytes_per_ns=23,
            matmul_max_n_f32=512,
            matmul_max_n_bf16=512,
            psum_dtypes=frozenset({"float32"}),
            hbm_bytes=24 << 30,
        ),
        "trn3": Target(
            name="trn3",
            arch="core_v4",
            level=40,
            sbuf_bytes=245752,
            clocks=_clocks(pe=2.4, act=1.2, dve=1.2, pool=1.2),
            dma_bytes_per_ns=33,
            matmul_max_n_f32=4096,
            matmul_max_n_bf16=8192,
            psum_dtypes=frozenset({"float32", "bfloat16"}),
            hbm_bytes=36 << 30,
        ),
    }
)
BY_ARCH: Mapping[str, Target] = MappingProxyType({t.arch: t for t in TARGETS.values()})


def start_partitions(count: int) -> frozenset[int]:
    """The legal start partitions of a pattern of `count` partitions (at most 128)."""
    return next(starts for most, starts in START_PARTITIONS if count <= most)
