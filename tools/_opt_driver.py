"""One run of penguin-opt over one input: split, parse, run, print, report."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from penguin import frontend
from penguin.dialects.bir.target import DEFAULT_TARGET, TARGET
from penguin.errors import EXIT_OK, EXIT_USER, Diagnostic, UserError
from penguin.mlir import bindings_of, guard, ir, parse, to_bytecode
from penguin.passlib import reproducer, timing
from penguin.passlib.conditions import Conditions
from penguin.passlib.pass_ import Session
from penguin.passlib.registry import Registry
from penguin.passlib.result import Result
from penguin.passlib.runner import PassCrash, Runner
from penguin.passlib.timing import Entry
from penguin.tools import _cli, _expected, _opt_setup
from penguin.tools._cli import Streams
from penguin.tools._flags import Parsed

_BYTECODE = b"ML\xefR"


class Driver:
    """Collects what the parts of the input give; writes the output only if none failed."""

    def __init__(self, flags: Parsed, registry: Registry, streams: Streams, path: str) -> None:
        self.flags, self.registry, self.streams, self.path = flags, registry, streams, path
        self.name = _cli.shown_name(path)
        self.start = time.perf_counter()
        self.outputs: list[str | bytes] = []
        self.timings: list[Entry] = []
        self.results: list[Result] = []
        self.remarks: list[str] = []

    def process(self, content: bytes) -> int:
        """Everything; returns the exit status."""
        self.replay = _opt_setup.replay(self.flags, content, self.path)
        self.pipeline = _opt_setup.pipeline(self.flags, self.registry, self.replay)
        self.print_flags = _opt_setup.print_flags(self.flags)
        if self.flags["dump-pass-pipeline"]:
            self.streams.stderr.write(f"{self.pipeline}\n")
        conditions = Conditions(self.flags["fail-if"], self.registry)
        failed = False
        for part in self._parts(content):
            # Not `any`: every part is processed.
            failed = self._part(part) or failed
        self._report()
        if failed:
            return EXIT_USER
        self._write()
        conditions.enforce(self.results)
        return EXIT_OK

    def _parts(self, content: bytes) -> Iterator[str | bytes]:
        """The parts; text is padded with blank lines, so that line numbers stay right."""
        marker = self.flags["split-input-file"]
        if content.startswith(_BYTECODE):
            if marker is not None or self.flags["verify-diagnostics"] is not None:
                raise UserError.at("PGP011", "bytecode cannot be split and holds no expectations")
            yield content
            return
        text = self._decoded(content)
        if marker is None:
            yield text
            return
        lines = text.split("\n")
        begin = 0
        for at, line in enumerate([*lines, marker]):
            if line.rstrip() == marker:
                yield "\n" * begin + "\n".join(lines[begin:at])
                begin = at + 1

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            message = f"the input is neither bytecode nor UTF-8 text (byte {error.start})"
            raise UserError.at("PGP013", message, self.name) from error

    def _part(self, part: str | bytes) -> bool:
        """Processes one part and reports its diagnostics; whether it failed."""
        session = _opt_setup.session(self.flags, self.name)
        session.output = self.streams.stderr.write
        result = Result(session=session)
        try:
            result = self._run(part, session)
            failed = False
        except UserError as error:
            known = set(map(id, session.diagnostics.found))
            session.diagnostics.found += [d for d in error.diagnostics if id(d) not in known]
            failed = True
        found = [*session.diagnostics.found, *self._take_remarks(self.result or result)]
        mode = self.flags["verify-diagnostics"]
        if mode is not None:
            assert isinstance(part, str)
            expected = _expected.read(part.split("\n"), self.name)
            found = _expected.unmet(expected, found, only_expected=mode == "only-expected")
            failed = bool(found)
        for diagnostic in found:
            if diagnostic.severity == "error" and not diagnostic.location:
                diagnostic = replace(diagnostic, location=self.name)
            self.streams.report(diagnostic)
        return failed

    def _run(self, part: str | bytes, session: Session) -> Result:
        """Parses, runs and prints one part."""
        self.result: Result | None = None
        begin = time.perf_counter()
        module = self._parse(part, session)
        self._time("Parser", begin)
        attributes = module.operation.attributes
        if self.flags["target"] is not None:
            string = bindings_of(module).ir.StringAttr
            attributes[TARGET] = string.get(self.flags["target"], module.context)
        if TARGET in attributes:
            session.target = attributes[TARGET].value
        else:
            session.target = DEFAULT_TARGET
        if self.flags["no-implicit-module"] and self.flags.passes:
            anchor = module.operation.name
            self.pipeline = _opt_setup.pipeline(self.flags, self.registry, self.replay, anchor)
        self._write_reproducer(module)
        options = _opt_setup.run_options(self.flags, self.replay, self.streams)
        runner = Runner(self.registry, options, session)
        self.result = runner.result
        self.results.append(runner.result)
        try:
            with _cli.progress(self.streams) as options.progress:
                runner.run(module, self.pipeline)
        finally:
            self.timings += runner.result.timing_entries()
            self.timings.append(Entry("Verification", runner.result.check_seconds))
        begin = time.perf_counter()
        module = runner.result.module
        self._check_roundtrip(module)
        self.outputs.append(self._printed(module))
        self._time("Output", begin)
        return runner.result

    def _parse(self, part: str | bytes, session: Session) -> Any:
        whole = self.path != "-" and self.flags["split-input-file"] is None
        single = self.flags["no-implicit-module"] and isinstance(part, str)
        if frontend.is_mhlo(part if isinstance(part, bytes) else part.encode()):
            source = Path(self.path) if whole and not single else part
            return self._parse_mhlo(source, single)
        with session.diagnostics.capture():
            try:
                # Bytecode always holds a module.
                if single:
                    with guard():
                        return ir.Operation.parse(part, source_name=self.name)
                if isinstance(part, str) and whole:
                    # From the file itself: locations then carry its name.
                    with guard():
                        return ir.Module.parseFile(self.path)
                return parse(part)
            except ir.MLIRError as error:
                session.diagnostics.extend_mlir(error)
                raise UserError() from None

    def _parse_mhlo(self, source: "str | bytes | Path", one_op: bool) -> Any:
        unregistered = self.flags["allow-unregistered-dialect"]
        return frontend.parse_mhlo(
            source, name=self.name, one_op=one_op, allow_unregistered=unregistered
        )

    # Output -------------------------------------------------------------------------------------

    def _printed(self, module: Any) -> str | bytes:
        if self.flags["emit-bytecode"]:
            return to_bytecode(module.operation)
        # What has been verified already need not be verified by the printer.
        verified = self.flags["verify-each"]
        text = self.print_flags.print(module.operation, verified=verified)
        # Text from memory has locations in a buffer called "-".
        if self.path != "-":
            text = text.replace('loc("-":', f'loc("{self.name}":')
            if self.flags["mlir-pretty-debuginfo"]:
                text = re.sub(r"(?<=[ \[(])-(?=:\d+:\d+)", lambda _: self.name, text)
        return text if text.endswith("\n") else text + "\n"

    def _check_roundtrip(self, module: Any) -> None:
        if not self.flags["verify-roundtrip"]:
            return
        op = module.operation
        reference = op.get_asm(print_generic_op_form=True, enable_debug_info=True)
        forms: dict[str, str | bytes] = {
            "text": op.get_asm(enable_debug_info=True),
            "generic text": reference,
        }
        if not self.flags["no-implicit-module"]:
            forms["bytecode"] = to_bytecode(op)
        for form, written in forms.items():
            try:
                again = self._reparsed(written)
            except (ir.MLIRError, UserError) as error:
                message = f"the module does not parse back from {form}: {error}"
                raise PassCrash("--verify-roundtrip", message, code="PGX006") from error
            text = again.get_asm(print_generic_op_form=True, enable_debug_info=True)
            if _comparable(text) != _comparable(reference):
                message = f"the module changes on its way through {form}"
                raise PassCrash("--verify-roundtrip", message, code="PGX006")

    def _reparsed(self, written: str | bytes) -> Any:
        if frontend.is_mhlo(written if isinstance(written, bytes) else written.encode()):
            one_op = self.flags["no-implicit-module"] and isinstance(written, str)
            return self._parse_mhlo(written, one_op).operation
        if isinstance(written, str) and self.flags["no-implicit-module"]:
            with guard():
                return ir.Operation.parse(written).operation
        # The module owns the operation: it must not be dropped first.
        self.again = parse(written)
        return self.again.operation

    def _write_reproducer(self, module: Any) -> None:
        """The reproducer that was asked for, crash or not."""
        path = self.flags["mlir-generate-reproducer"]
        if path is None:
            return
        command = reproducer.command(path, self.registry.plugins)
        pipeline, verify = str(self.pipeline), self.flags["verify-each"]
        text = reproducer.to_text(module.operation, pipeline, "not a crash", command, verify)
        _cli.write_output(path, text, self.streams)

    def _write(self) -> None:
        path = self.flags["o"]
        if self.flags["emit-bytecode"]:
            if len(self.outputs) > 1:
                raise UserError.at("PGP011", "--emit-bytecode cannot write several parts")
            _cli.write_output(path, self.outputs[0] if self.outputs else b"", self.streams)
            return
        marker = self.flags["output-split-marker"]
        separator = f"{marker}\n" if marker else ""
        _cli.write_output(path, separator.join(map(str, self.outputs)), self.streams)

    # Reports ------------------------------------------------------------------------------------

    def _take_remarks(self, result: Result) -> list[Diagnostic]:
        """Remarks as diagnostics for stderr, or kept as text for the file."""
        to_file = self.flags["remarks-output-file"] is not None
        as_yaml = self.flags["remark-format"] == "yaml"
        if self.flags["verify-diagnostics"] is not None or not (to_file or as_yaml):
            return [remark.diagnostic() for remark in result.remarks]
        if self.flags["remark-format"] == "emitRemark":
            self.remarks += [f"{remark.diagnostic()}\n" for remark in result.remarks]
        else:
            self.remarks += [remark.yaml() for remark in result.remarks]
        return []

    def _report(self) -> None:
        self._emit("".join(self.remarks), self.flags["remarks-output-file"])
        as_json = self.flags["mlir-output-format"] == "json"
        text = ""
        if self.flags["mlir-pass-statistics"]:
            display = self.flags["mlir-pass-statistics-display"]
            for result in self.results:
                text += result.statistics_report(display=display, json=as_json)
        if self.flags["mlir-timing"]:
            total = time.perf_counter() - self.start
            passes = sum(e.seconds for e in self.timings if not e.name.startswith("'"))
            entries = [*self.timings, Entry("Rest", max(total - passes, 0.0))]
            display = self.flags["mlir-timing-display"]
            if as_json:
                text += timing.to_json(entries, total)
            else:
                text += timing.to_text(entries, total, display=display)
        self._emit(text, self.flags["report-output-file"])
        if self.flags["trace-out"] is not None:
            trace = timing.to_trace(self.timings)
            _cli.write_output(self.flags["trace-out"], trace, self.streams)

    def _emit(self, text: str, path: str | None) -> None:
        if path is not None:
            _cli.write_output(path, text, self.streams)
        else:
            self.streams.stderr.write(text)

    def _time(self, name: str, begin: float) -> None:
        self.timings.append(Entry(name, time.perf_counter() - begin, start=begin))


def _comparable(text: str) -> str:
    """A resource that is parsed again gets another name; its data follow the module."""
    return re.sub(r"dense_resource<\w+>", "dense_resource<>", text.partition("\n{-#")[0])
