"""Memory spaces, common to all levels below hlo."""

import enum


class Space(enum.StrEnum):
    """Spelt as the memory space of a memref."""

    DRAM = "dram"
    SBUF = "sbuf"
    PSUM = "psum"
