"""From penguin-opt's flags to what the framework takes: pipeline, session, run options."""

import re
from pathlib import Path

from penguin.errors import UserError
from penguin.passlib import remarks as rk
from penguin.passlib import reproducer, upstream
from penguin.passlib.diagnostics import Diagnostics
from penguin.passlib.grammar import Nest, PassCall, Source, parse_options
from penguin.passlib.irprint import IrPrinter, PrintFlags
from penguin.passlib.options import did_you_mean
from penguin.passlib.pass_ import Session
from penguin.passlib.pipeline import MODULE, Pipeline
from penguin.passlib.registry import Registry
from penguin.passlib.reproducer import Replay
from penguin.passlib.runner import RunOptions
from penguin.passlib.semantics import Semantics
from penguin.passlib.upstream_table import PASSES as UPSTREAM
from penguin.tools import _cli
from penguin.tools._cli import Streams
from penguin.tools._flags import Parsed

_REMARK_FILTERS = {
    rk.Kind.PASSED: "remarks-filter-passed",
    rk.Kind.MISSED: "remarks-filter-missed",
    rk.Kind.FAILURE: "remarks-filter-failed",
    rk.Kind.ANALYSIS: "remarks-filter-analyse",
}
_WHEN_TO_PRINT = ("before", "before-all", "after", "after-all", "after-change", "after-failure")


def replay(flags: Parsed, content: bytes, path: str) -> Replay | None:
    """The reproducer section of the input, if the flags ask for it."""
    if not flags["run-reproducer"]:
        return None
    found = reproducer.read(content.decode(errors="replace"))
    if found is None:
        message = "the input has no section {-# external_resources: { mlir_reproducer: ... } #-}"
        raise UserError.at("PGP015", message, _cli.shown_name(path))
    return found


def pipeline(
    flags: Parsed, registry: Registry, replayed: Replay | None, anchor: str = MODULE
) -> Pipeline:
    """The checked pipeline, from whichever flag gives it; flags of passes run on `anchor`."""
    if replayed is not None:
        found = Pipeline.parse(replayed.pipeline, registry, "reproducer")
    elif flags["pass-pipeline"] is not None:
        found = Pipeline.parse(flags["pass-pipeline"], registry, "--pass-pipeline")
    else:
        found = _of_pass_flags(flags.passes, registry, anchor)
    disabled = set(flags["disable-pass"])
    known = {*registry.passes, *UPSTREAM, *(step.name for step in found.steps)}
    for flag in ("disable-pass", "mlir-print-ir-before", "mlir-print-ir-after"):
        for name in flags[flag]:
            if name not in known and not upstream.exists(name):
                hint = did_you_mean(name, sorted(known))
                raise UserError.at("PGP002", f"--{flag} names an unknown pass '{name}'{hint}")
    if not disabled:
        return found
    kept = tuple(step for step in found.steps if step.name not in disabled)
    return Pipeline.of_steps(found.anchor, kept)


def _of_pass_flags(passes: list[tuple[str, str]], registry: Registry, anchor: str) -> Pipeline:
    """Flags like `--a="x=1"` and `--a={x=1}`, in order, below `anchor`."""
    calls = []
    for name, text in passes:
        text = text.strip()
        if text.startswith("{") and text.endswith("}"):
            text = text[1:-1]
        call = PassCall(name, tuple(parse_options(Source(text, f"--{name}"))), text)
        # Checked by itself first, so that a message shows the text of this flag.
        Pipeline.check(Nest(anchor, (call,)), registry, Source(text or f"--{name}", f"--{name}"))
        calls.append(call)
    return Pipeline.check(Nest(anchor, tuple(calls)), registry, Source(""))


def session(flags: Parsed, name: str) -> Session:
    """The session for one part of the input called `name`."""
    remarks = rk.Remarks(_filter(flags), rk.Policy(flags["remark-policy"]))
    return Session(Diagnostics(file=name), remarks, rewrites_left=flags["rewrite-limit"])


def _filter(flags: Parsed) -> rk.Filter:
    chosen = {kind: flags[f] for kind, f in _REMARK_FILTERS.items() if flags[f] is not None}
    every = flags["remarks-filter"]
    if every is None and not chosen and (flags["remark-format"] or flags["remarks-output-file"]):
        every = ".*"
    try:
        return rk.Filter(every, chosen)
    except re.error as error:
        message = f"'{error.pattern}' in a remarks filter is no regular expression: {error}"
        raise UserError.at("PGP011", message) from error


def run_options(flags: Parsed, replayed: Replay | None, streams: Streams) -> RunOptions:
    """How the runner is to work."""
    crash = flags["mlir-pass-pipeline-crash-reproducer"]
    options = RunOptions(
        verify_each=flags["verify-each"] and (replayed is None or replayed.verify_each),
        reproducer=crash,
        crash_reproducer=crash is not None,
        local_reproducer=flags["mlir-pass-pipeline-local-reproducer"],
        count_ops=flags["mlir-timing"] or flags["trace-out"] is not None,
        printer=_printer(flags, streams),
    )
    seed = flags["verify-semantics"]
    if seed is not None:
        from penguin import execute

        options.semantics = Semantics(execute.run_ranks, seed)
        options.semantics_flags = (f"--verify-semantics={seed}",)
    return options


def print_flags(flags: Parsed) -> PrintFlags:
    """How ops are printed."""
    return PrintFlags(
        generic=flags["mlir-print-op-generic"],
        debug_info=flags["mlir-print-debuginfo"] or flags["mlir-pretty-debuginfo"],
        pretty_debug_info=flags["mlir-pretty-debuginfo"],
        local_scope=flags["mlir-print-local-scope"],
        name_locations=flags["mlir-use-nameloc-as-prefix"],
        elide_elements=flags["mlir-elide-elementsattrs-if-larger"],
        elide_resources=flags["mlir-elide-resource-strings-if-larger"],
        skip_regions=flags["mlir-print-skip-regions"],
    )


def _printer(flags: Parsed, streams: Streams) -> IrPrinter | None:
    tree = flags["mlir-print-ir-tree-dir"]
    chosen = any(flags[f"mlir-print-ir-{when}"] for when in _WHEN_TO_PRINT)
    if tree is None and not chosen:
        return None
    if tree is not None:
        _cli.check_folder(tree)
    return IrPrinter(
        streams.stderr.write,
        before=frozenset(flags["mlir-print-ir-before"]),
        before_all=flags["mlir-print-ir-before-all"],
        after=frozenset(flags["mlir-print-ir-after"]),
        after_all=flags["mlir-print-ir-after-all"] or not chosen,
        after_change=flags["mlir-print-ir-after-change"],
        after_failure=flags["mlir-print-ir-after-failure"],
        module_scope=flags["mlir-print-ir-module-scope"],
        tree=Path(tree) if tree is not None else None,
        flags=print_flags(flags),
    )
