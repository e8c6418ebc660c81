"""The flags of penguin-opt, and its help; loads neither the bindings nor any pass."""

from collections.abc import Iterator

from penguin.passlib.registry import PassInfo, Registry
from penguin.passlib.upstream_table import PASSES as UPSTREAM
from penguin.tools import _flags
from penguin.tools._flags import FAIL_IF, Flag, choice, number, optional, several, switch, value

SPLIT_MARKER = "// -----"
PIPELINES = "Pipelines"
INPUT_OUTPUT = "Input and output"

GROUPS: dict[str, tuple[Flag, ...]] = {
    INPUT_OUTPUT: (
        value("o", "file", "Output file; - is stdout", "-"),
        switch("allow-unregistered-dialect", "Accept ops of unknown dialects"),
        switch("emit-bytecode", "Write MLIR bytecode; the input may always be text or bytecode"),
        switch("no-implicit-module", "Take the single top-level op as it is, not inside a module"),
        optional(
            "split-input-file",
            "marker",
            SPLIT_MARKER,
            "Process the parts between marker lines one by one",
        ),
        value("output-split-marker", "marker", "Line between parts of the output", SPLIT_MARKER),
        choice("target", "trn1|trn2|trn3", "Machine to compile for, instead of the module's own"),
    ),
    PIPELINES: (
        value(
            "pass-pipeline",
            "pipeline",
            "Passes to run, for example 'builtin.module(canonicalize,func.func(lower-tensor-op))'",
        ),
        switch("dump-pass-pipeline", "Print the pipeline that will be run to stderr"),
        several("load-pass-plugin", "file", "Python file with a table PASSES of further passes"),
        several("disable-pass", "names", "Leave out these passes wherever they occur"),
    ),
    "Printing IR": (
        switch("mlir-print-op-generic", "Print the generic form"),
        switch("mlir-print-debuginfo", "Print locations"),
        switch("mlir-pretty-debuginfo", "Print locations for people, not for the parser"),
        switch("mlir-print-local-scope", "Print without aliases"),
        switch("mlir-use-nameloc-as-prefix", "Name values after their locations"),
        switch("mlir-print-skip-regions", "Print ops without their regions"),
        number("mlir-elide-elementsattrs-if-larger", "Elide constants of more elements"),
        number("mlir-elide-resource-strings-if-larger", "Elide resources of more characters"),
        several("mlir-print-ir-before", "passes", "Print the IR before these passes"),
        switch("mlir-print-ir-before-all", "Print the IR before each pass"),
        several("mlir-print-ir-after", "passes", "Print the IR after these passes"),
        switch("mlir-print-ir-after-all", "Print the IR after each pass"),
        switch("mlir-print-ir-after-change", "After a pass, print only what it changed"),
        switch("mlir-print-ir-after-failure", "After a pass, print only if it failed"),
        switch("mlir-print-ir-module-scope", "Always print the whole module"),
        value("mlir-print-ir-tree-dir", "dir", "Print into a tree of files below this folder"),
    ),
    "Diagnostics and remarks": (
        optional(
            "verify-diagnostics",
            "all|only-expected",
            "all",
            "Compare diagnostics with comments like expected-error@+1 {{...}} (also -warning,"
            " -note, -remark); only-expected ignores the others",
        ),
        switch("verify-each", "Verify IR and promised properties after each pass", default=True),
        switch("verify-roundtrip", "Check that the IR survives text and bytecode"),
        choice("remark-format", "emitRemark|yaml", "Report remarks in this form"),
        value("remarks-filter", "regex", "Report remarks of all kinds whose category matches"),
        value("remarks-filter-passed", "regex", "Report what was done"),
        value("remarks-filter-missed", "regex", "Report what was declined, and why"),
        value("remarks-filter-failed", "regex", "Report what was asked for and failed"),
        value("remarks-filter-analyse", "regex", "Report what was found"),
        choice(
            "remark-policy",
            "all|final",
            "Report all, or of missed remarks only those of a pass's last run",
            "final",
        ),
        value("remarks-output-file", "file", "Write remarks to this file, as YAML if not told"),
        optional(
            "color",
            "true|false",
            "true",
            "Colour messages; the default is to do so on a terminal unless NO_COLOR is set",
        ),
    ),
    "Reports": (
        switch("mlir-timing", "Report time, op counts and memory per pass"),
        choice("mlir-timing-display", "list|tree", "Slowest first, or nested", "tree"),
        switch("mlir-pass-statistics", "Report the counters of each pass"),
        choice(
            "mlir-pass-statistics-display",
            "list|pipeline",
            "Added up by pass name, or nested",
            "pipeline",
        ),
        choice("mlir-output-format", "text|json", "Form of reports", "text"),
        value("trace-out", "file", "Write the times as a trace for Chrome or Perfetto"),
        value("report-output-file", "file", "Write reports to this file instead of stderr"),
        FAIL_IF,
        switch("mlir-disable-threading", "No effect: passes always run one after another"),
    ),
    "Debugging": (
        optional(
            "verify-semantics",
            "seed",
            "0",
            "Execute the module before and after each pass on random inputs and name the first"
            " pass that changes a result",
            int,
        ),
        number("rewrite-limit", "Stop rewriting after this many pattern rewrites"),
        value(
            "mlir-pass-pipeline-crash-reproducer",
            "file",
            "Write a reproducer to this file if a pass crashes or fails",
        ),
        switch(
            "mlir-pass-pipeline-local-reproducer",
            "Reduce a reproducer to the failing pass",
            default=True,
        ),
        value("mlir-generate-reproducer", "file", "Write a reproducer of this run, crash or not"),
        switch("run-reproducer", "Run the pipeline that is stored in the input"),
        switch("debug", "Print a traceback for every failure"),
    ),
    "Information": (
        switch("list-passes", "Print the names of all passes"),
        switch("show-dialects", "Print the names of all dialects"),
        switch("emit-irdl", "Print the penguin dialect for the --irdl-file of stock MLIR tools"),
        value("explain", "code", "Explain the code of a diagnostic"),
        switch("version", "Print versions"),
        switch("help", "Print this help"),
        switch("h", "Print this help"),
    ),
}

FLAGS: tuple[Flag, ...] = _flags.grouped(GROUPS)

_FOOTER = """\
Options of a pass: --pass="option=value option=value" or pass{option=value} in a pipeline.
Exit status: 0 fine, 1 input or flags at fault, 70 internal error.
"""


def help_text(registry: Registry) -> str:
    """Everything: flags by group, passes by level with their options, named pipelines."""
    help = _flags.help_of(flag for flag in FLAGS if flag.name != "h")
    parts = [
        "OVERVIEW: penguin-opt, runs passes over MLIR of any level from hlo to inst\n",
        "USAGE: penguin-opt [flags] [input file, default stdin]\n",
        _section(INPUT_OUTPUT, help.pop(INPUT_OUTPUT)),
    ]
    for group, names in registry.groups().items():
        body = "".join(_pass_help(registry.describe(name)) for name in names)
        parts.append(_section(f"Passes: {group}", body))
    upstream = _flags.rows((f"--{name}", text) for name, text in UPSTREAM.items())
    parts.append(_section("Passes: upstream (all others of the bindings work, too)", upstream))
    named = _flags.rows((f"--{name}", p.help) for name, p in registry.pipelines.items())
    parts.append(_section(PIPELINES, named + help.pop(PIPELINES)))
    parts += [_section(group, text) for group, text in help.items()]
    return "\n".join([*parts, _FOOTER])


def _section(title: str, body: str) -> str:
    return f"{title}:\n{body}"


def _pass_help(info: PassInfo) -> str:
    text = _flags.rows([(f"--{info.name}", info.summary)])
    return text + _flags.rows(_option_rows(info), indent=6)


def _option_rows(info: PassInfo) -> Iterator[tuple[str, str]]:
    for option in info.options:
        shown = "|".join(option.choices) if option.choices else f"<{option.type}>"
        yield f"{option.name}={shown}", f"{option.help} (default: {option.default})"


def list_passes(registry: Registry) -> str:
    """One line per pass: name and summary, by group."""
    lines = []
    for group, names in registry.groups().items():
        lines.append(f"{group}:\n")
        lines.append(_flags.rows((name, registry.describe(name).summary) for name in names))
    return "".join([*lines, "upstream:\n", _flags.rows(UPSTREAM.items())])
