"""Copy elimination on buffers: offloaded ops between affine nests. A table only."""

PASSES: dict[str, str] = {
    "memcpy-elimination": "memcpy_elimination:MemcpyElimination",
}
