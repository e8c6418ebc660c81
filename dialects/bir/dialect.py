"""The dialect object of bir; ops and attributes attach themselves to it."""

from typing import Any

from penguin.dialects.base import Dialect
from penguin.mlir import ext


class _NoPasses:
    """Stands in for the pass manager with which the bindings tidy a dialect before loading it."""

    def add(self, pipeline: str) -> None:
        pass

    def run(self, op: Any) -> None:
        pass


class Bir(Dialect, name="bir"):
    """NeuronCore instructions on access patterns; see `penguin.dialects.bir`."""

    @classmethod
    def load(cls) -> None:
        # Ops are spelt as BIR's opcodes. MLIR loads and parses upper-case op names; only the IRDL
        # verifier, which the tidying passes run, refuses them.
        manager, ext.PassManager = ext.PassManager, _NoPasses
        try:
            super().load()
        finally:
            ext.PassManager = manager
