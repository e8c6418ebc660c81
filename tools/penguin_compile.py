"""penguin-compile: a model down to any level, as text.

    penguin-compile model.mlir --emit=bir -o model.bir
    penguin-compile model.py:block --emit=penguin,bir --compare=jax --report
    penguin-compile model.mlir --emit=all -o DIR

stdout carries the result only; the report and the comparison go to stderr. The compiler itself is
`penguin.driver`.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from penguin.errors import EXIT_OK, EXIT_USER, UserError
from penguin.tools import _cli, _flags
from penguin.tools._cli import Streams
from penguin.tools._flags import FAIL_IF, Flag, choice, number, optional, several, switch, value
from penguin.tools._programs import DEBUGGING, INFORMATION

if TYPE_CHECKING:
    from penguin.driver import Compiled, Level
    from penguin.mlir import ir
    from penguin.passlib.result import Result
    from penguin.passlib.runner import RunOptions

LEVELS = ("stablehlo", "penguin", "loops", "tiled", "bir")
BIR_MLIR, BIR, BIR_JSON, ALL = "bir-mlir", "bir", "bir-json", "all"
# What can be emitted, in order, with the level that it needs and the file that `all` writes.
FORMS = {
    "stablehlo": ("stablehlo", "stablehlo.mlir"),
    "penguin": ("penguin", "penguin.mlir"),
    "loops": ("loops", "loops.mlir"),
    "tiled": ("tiled", "tiled.mlir"),
    BIR_MLIR: ("bir", "bir.mlir"),
    BIR: ("bir", "program.bir"),
    BIR_JSON: ("bir", "program.json"),
}

GROUPS: dict[str, tuple[Flag, ...]] = {
    "Input and output": (
        value("o", "file", "Output file; - is stdout; a folder for several forms", "-"),
        several("emit", "form", f"What to write: {', '.join(FORMS)}, several of them, or all"),
        several("compile-to", "form", "The same as --emit"),
        choice("target", "trn1|trn2|trn3", "Machine (default: the model's own, or trn2)"),
        switch("mlir-print-debuginfo", "Print the locations of MLIR operations"),
    ),
    "Reports and checks": (
        optional(
            "report",
            "summary|copies",
            "summary",
            "Print to stderr statistics, costs and memory; or the copies that stayed, each with its"
            " bytes, the pass that left it and the reason",
        ),
        value("report-file", "file", "Write the report to this file, as JSON if it ends in .json"),
        optional(
            "compare",
            "jax|reference",
            "jax",
            "Execute the result on random inputs and compare with this executor of the model",
        ),
        number("seed", "Seed of the random inputs (default: 0)"),
        FAIL_IF,
        switch("mlir-timing", "Print time, op counts and memory of each pass to stderr"),
    ),
    "Debugging": (
        optional(
            "verify-semantics",
            "seed",
            "0",
            "Execute the module before and after each pass on random inputs and name the first pass"
            " that changes a result",
            int,
        ),
        value(
            "dump-compilation-phases-to",
            "dir",
            "Write the module at each level to this folder, even if a later pass fails",
        ),
        switch("verbose", "Name each pass on stderr as it starts"),
        *DEBUGGING,
    ),
    "Information": (switch("list-ops", "Print the supported operations"), *INFORMATION),
}
FLAGS = _flags.grouped(GROUPS)


def main(
    argv: list[str] | None = None,
    stdin: IO[Any] | None = None,
    stdout: IO[Any] | None = None,
    stderr: IO[str] | None = None,
) -> int:
    """Runs the tool; returns its exit status."""
    return _cli.run_tool("penguin-compile", _run, argv, stdin, stdout, stderr)


def _run(argv: list[str], streams: Streams) -> int:
    flags = _flags.Parser(FLAGS).parse(argv)
    information = _information(flags)
    if information is not None:
        streams.stdout.write(information)
        return EXIT_OK
    if len(flags.positional) != 1:
        given = ", ".join(flags.positional) or "none"
        raise UserError.at("PGR211", f"expected one model, got {given}; see --help")
    forms = _forms(flags)
    _check_outputs(flags, forms)
    from penguin.mlir import context
    from penguin.passlib import registry
    from penguin.passlib.conditions import Conditions

    conditions = Conditions(flags["fail-if"], registry.default())
    with context():
        compilation = Compilation(flags, streams, flags.positional[0], forms)
        status = compilation.run()
        # Last, so that the results are there to be looked at.
        conditions.enforce(compilation.results)
        return status


def _information(flags: _flags.Parsed) -> str | None:
    """The answer to a flag that asks for information instead of work."""
    if flags["help"] or flags["h"]:
        from penguin.tools import _programs

        return _programs.help_text(
            "penguin-compile, compiles a model down to BIR",
            "penguin-compile [flags] MODEL\n"
            "  MODEL: MLIR text or bytecode of any level, StableHLO artifact, MHLO, BIR text or\n"
            "  JSON, - for stdin, or file.py:function, a function that returns (callable, args)",
            FLAGS,
        )
    if flags["version"]:
        return _cli.version_text("penguin-compile")
    if flags["explain"] is not None:
        return _cli.explain(flags["explain"])
    return list_ops() if flags["list-ops"] else None


def list_ops() -> str:
    """The table of supported ops, from the pass that converts them."""
    from penguin.passes.lowering.hlo_to_penguin import supported_ops

    rows = [(row.name, " ".join(row.dtypes), row.limits) for row in supported_ops()]
    rows.insert(0, ("operation", "dtypes", "limits"))
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    return "".join(
        f"{name:<{widths[0]}}  {dtypes:<{widths[1]}}  {limits}".rstrip() + "\n"
        for name, dtypes, limits in rows
    )


def _forms(flags: _flags.Parsed) -> list[str]:
    """What to emit, in the order of `FORMS`."""
    from penguin.passlib.options import did_you_mean

    given = [*flags["emit"], *flags["compile-to"]] or [BIR]
    for form in given:
        if form not in FORMS and form != ALL:
            known = [*FORMS, ALL]
            hint = did_you_mean(form, known) or f"; expected one of {', '.join(known)}"
            raise UserError.at("PGP011", f"--emit cannot be '{form}'{hint}")
    return [form for form in FORMS if form in given or ALL in given]


def _check_outputs(flags: _flags.Parsed, forms: Sequence[str]) -> None:
    """Raises before any work is done if a result cannot be written."""
    output = flags["o"]
    if output != "-" and len(forms) > 1:
        if Path(output).exists() and not Path(output).is_dir():
            raise UserError.at("PGP014", f"cannot write several files to '{output}': not a folder")
    else:
        _cli.check_writable(output)
    if flags["report-file"] is not None:
        _cli.check_writable(flags["report-file"])


class Compilation:
    """One run of the tool."""

    def __init__(
        self, flags: _flags.Parsed, streams: Streams, source: str, forms: list[str]
    ) -> None:
        self.flags, self.streams, self.source, self.forms = flags, streams, source, forms
        self.texts: dict[str, str] = {}
        self.results: list[Result] = []
        self.dump = flags["dump-compilation-phases-to"]

    def run(self) -> int:
        from penguin import driver, mlir

        begin = time.perf_counter()
        module = self._load()
        model = mlir.to_bytecode(module.operation) if self.flags["compare"] is not None else b""
        self.parse_seconds = time.perf_counter() - begin
        stop = max((FORMS[form][0] for form in self.forms), key=LEVELS.index)
        if stop != "bir" and driver.level_of(module) is driver.Level.BIR:
            raise UserError.at("PGR208", f"the model is BIR already, --emit cannot be '{stop}'")
        self._reached(None, module)
        with _cli.progress(self.streams) as line:
            compiled = driver.compile(
                module,
                target=self._target(module),
                stop_after=stop,
                run_options=self._options(line),
                after_stage=self._reached,
            )
        self.results.append(compiled.result)
        for warning in compiled.result.session.diagnostics.found:
            self.streams.report(warning)
        self._emit(compiled)
        self._report(compiled)
        return self._compare(compiled, model)

    def _load(self) -> "ir.Module":
        from penguin import bir
        from penguin.tools import _programs

        program = _programs.load(self.source, self.streams)
        return bir.to_mlir(program) if isinstance(program, bir.Module) else program

    def _target(self, module: "ir.Module") -> str:
        """The flag, or what the module was compiled for."""
        from penguin.dialects.bir import DEFAULT_TARGET, TARGET
        from penguin.mlir import ir

        attributes = module.operation.attributes
        if self.flags["target"] is None and TARGET in attributes:
            return ir.StringAttr(attributes[TARGET]).value
        return self.flags["target"] or DEFAULT_TARGET

    def _options(self, line: _cli.Progress) -> "RunOptions":
        from penguin.passlib.runner import RunOptions

        options = RunOptions(count_ops=self.flags["mlir-timing"], progress=line)
        if self.flags["verbose"]:
            options.progress = lambda text: self.streams.stderr.write(text + "\n")
        if self.flags["verify-semantics"] is not None:
            from penguin import execute
            from penguin.passlib.semantics import Semantics

            seed = self.flags["verify-semantics"]
            options.semantics = Semantics(execute.run_ranks, seed)
            options.semantics_flags = (f"--verify-semantics={seed}",)
        return options

    # Results ------------------------------------------------------------------------------------

    def _reached(self, level: "Level | None", module: "ir.Module") -> None:
        """Keeps and dumps the text of a level; None is the model as it came."""
        from penguin import driver

        level = level or driver.level_of(module)
        for form, (needs, file) in FORMS.items():
            if needs != level or not (self.dump or form in self.forms):
                continue
            text = self._text(form, module)
            self.texts[form] = text
            if self.dump:
                _cli.check_folder(self.dump)
                _cli.write_file(str(Path(self.dump) / file), text)

    def _text(self, form: str, module: "ir.Module") -> str:
        if form not in (BIR, BIR_JSON):
            return (
                module.operation.get_asm(
                    enable_debug_info=self.flags["mlir-print-debuginfo"], assume_verified=True
                )
                + "\n"
            )
        from penguin import bir

        program = bir.from_mlir(module)
        return bir.to_text(program) if form == BIR else bir.to_json(program)

    def _emit(self, compiled: "Compiled") -> None:
        output = self.flags["o"]
        if len(self.forms) == 1:
            _cli.write_output(output, self.texts[self.forms[0]], self.streams)
            return
        found = [form for form in self.forms if form in self.texts]
        if output != "-":
            _cli.check_folder(output)
            for form in found:
                _cli.write_file(str(Path(output) / FORMS[form][1]), self.texts[form])
            return
        for form in found:
            self.streams.stdout.write(f"// -----// {form} //----- //\n{self.texts[form]}\n")

    def _report(self, compiled: "Compiled") -> None:
        flags = self.flags
        if flags["mlir-timing"]:
            from penguin.passlib import timing

            entries = [timing.Entry("Parser", self.parse_seconds), *compiled.timings]
            total = self.parse_seconds + compiled.seconds
            self.streams.stderr.write(timing.to_text(entries, total))
        path = flags["report-file"]
        if flags["report"] is None and path is None:
            return
        from penguin.report import copies, summary

        kind: Any = copies if flags["report"] == "copies" else summary
        data = self._summarized(compiled)
        if flags["report"] is not None:
            self.streams.stderr.write(kind.to_text(data))
        if path is not None:
            text = kind.to_json(data) if path.endswith(".json") else kind.to_text(data)
            _cli.write_output(path, text, self.streams)

    def _summarized(self, compiled: "Compiled") -> dict[str, Any]:
        """The data of the report that the flags ask for."""
        from penguin.report import copies, summary

        level = str(compiled.level)
        if self.flags["report"] == "copies":
            return copies.summarize(self.source, level, compiled.result, compiled.moved)
        program = compiled.bir if level == "bir" else None
        return summary.summarize(self.source, level, compiled.result, compiled.survivors, program)

    def _compare(self, compiled: "Compiled", model: bytes) -> int:
        who = self.flags["compare"]
        if who is None:
            return EXIT_OK
        from penguin import execute, oracle, ports
        from penguin.tools import _programs

        signature = compiled.signature
        inputs = ports.random_inputs(signature.inputs, self.flags["seed"] or 0)
        judge = oracle.jax_cpu if who == "jax" else oracle.reference
        with _cli.progress(self.streams) as line:
            outputs = compiled.run(inputs, _programs.counter(line))
        rows = execute.compare(outputs, judge(model, inputs), signature.outputs)
        self.streams.stderr.write(_programs.comparison(rows, who))
        return EXIT_OK if all(row.comparison.ok for row in rows) else EXIT_USER


if __name__ == "__main__":
    sys.exit(main())
