"""The pass framework: what a pass file imports, and what a driver calls.

A pass is a dataclass derived from `FunctionPass` or `ModulePass` (`pass_`), with typed options
(`options`), counters (`statistics`), remarks (`remarks`) and located diagnostics (`diagnostics`).
`registry` finds passes by name without importing them, `pipeline` parses the textual pipeline
grammar, `runner` runs a pipeline over a module, `contracts` checks what a pass requires.

Names are exported lazily: a tool that only lists passes must not pay for the bindings.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penguin.passlib.contracts import Property
    from penguin.passlib.options import option
    from penguin.passlib.pass_ import FunctionPass, ModulePass
    from penguin.passlib.patterns import Reject, Rewriter, register_pattern
    from penguin.passlib.pipeline import Pipeline
    from penguin.passlib.result import Result
    from penguin.passlib.runner import Runner, RunOptions, run_pipeline
    from penguin.passlib.statistics import Statistic, Unit

_HOME = {
    "FunctionPass": "pass_",
    "ModulePass": "pass_",
    "Pipeline": "pipeline",
    "Property": "contracts",
    "Reject": "patterns",
    "Result": "result",
    "Rewriter": "patterns",
    "RunOptions": "runner",
    "Runner": "runner",
    "Statistic": "statistics",
    "Unit": "statistics",
    "option": "options",
    "register_pattern": "patterns",
    "run_pipeline": "runner",
}

__all__ = [
    "FunctionPass",
    "ModulePass",
    "Pipeline",
    "Property",
    "Reject",
    "Result",
    "Rewriter",
    "RunOptions",
    "Runner",
    "Statistic",
    "Unit",
    "option",
    "register_pattern",
    "run_pipeline",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
