@dataclass
class Opt:
    """One run of the tool over one input."""

    flags: _flags.Parsed
    registry: "Registry"
    streams: Streams
    path: str
    outputs: list[str | bytes] = field(default_factory=list)
    timings: "list[Entry]" = field(default_factory=list)
    results: "list[Result]" = field(default_factory=list)
    remarks: list[Any] = field(default_factory=list)
    start: float = field(default_factory=time.perf_counter)

    def process(self, content: bytes) -> int:
        """Processes all parts; writes the output only if none failed."""
        from penguin.tools import _expected

        name = _cli.shown_name(self.path)
        self.pipeline = self._pipeline(content)
        if self.flags["dump-pass-pipeline"]:
            self.streams.stderr.write(f"{self.pipeline}\n")
        mode = self.flags["verify-diagnostics"]
        failed = False
        for line, part in self._parts(content):
            session = self._session(name)
            fault = self._part(part, line, session)
            found = [*session.diagnostics.found, *self._remark_diagnostics()]
            if mode is not None:
                assert isinstance(part, str)
                expected = _expected.read(part.split("\n"), name)
                found = _expected.unmet(expected, found, only_expected=mode == "only-expected")
                fault = False
            for diagnostic in found:
                self.streams.report(diagnostic)
            failed = failed or fault or (mode is not None and bool(found))
        self._reports()
        if failed:
            return EXIT_USER
        self._write()
        return EXIT_OK

    # Input --------------------------------------------------------------------------------------

    def _parts(self, content: bytes) -> "Iterator[tuple[int, str | bytes]]":
        """`(number of lines before, content)`; text is padded so that line numbers stay right."""
        if content.startswith(_BYTECODE):
            if self.flags["verify-diagnostics"] or self.flags["split-input-file"]:
                raise UserError.at("PGP011", "bytecode can be neither split nor hold expectations")
            yield 0, content
            return
        text = self._decoded(content)
        marker = self.flags["split-input-file"]
        if marker is None:
            yield 0, text
            return
        lines = text.split("\n")
        begin = 0
        for at, line in enumerate([*lines, marker]):
            if line.startswith(marker) and not line[len(marker) :].strip():
                yield begin, "\n" * begin + "\n".join(lines[begin:at])
                begin = at + 1

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            message = f"the input is neither bytecode nor UTF-8 text (byte {error.start})"
            raise UserError.at("PGP013", message, _cli.shown_name(self.path)) from error

    def _pipeline(self, content: bytes) -> "Pipeline":
        """The checked pipeline of this run, from whichever flag gives it."""
        from penguin.passlib.pipeline import MODULE, Nest, PassCall, Pipeline, Source, parse_options

        self.replay = self._replay(content)
        if self.replay is not None:
            return self._without_disabled(
                Pipeline.parse(self.replay.pipeline, self.registry, "reproducer")
            )
        if self.flags["pass-pipeline"] is not None:
            return self._without_disabled(
                Pipeline.parse(self.flags["pass-pipeline"], self.registry, "--pass-pipeline")
            )
        elements = []
        checked = Pipeline(Nest(MODULE), ())
        for name, text in self.flags.passes:
            text = text.strip()
            if text.startswith("{") and text.endswith("}"):
                text = text[1:-1]
            source = Source(text, f"--{name}")
            elements.append(PassCall(name, tuple(parse_options(source)), text))
        for element, (name, _) in zip(elements, self.flags.passes, strict=True):
            # Each flag is checked by itself, so that a message shows the text of that flag.
            source = Source(element.raw or f"--{name}", f"--{name}")
            checked = Pipeline.check(Nest(MODULE, (element,)), self.registry, source)
        checked = Pipeline.check(Nest(MODULE, tuple(elements)), self.registry, Source(""))
        return self._without_disabled(checked)

    def _without_disabled(self, pipeline: "Pipeline") -> "Pipeline":
        disabled = set(self.flags["disable-pass"])
        if not disabled:
            return pipeline
        steps = tuple(s for s in pipeline.steps if s.name not in disabled)
        return type(pipeline).of_steps(pipeline.anchor, steps)

    def _replay(self, content: bytes) -> "Replay | None":
        from penguin.passlib import reproducer

        if not self.flags["run-reproducer"]:
            return None
        replay = reproducer.read(content.decode(errors="replace"))
        if replay is None:
            message = "the input has no reproducer section '{-# external_resources: {mlir_reproducer: ...'"
            raise UserError.at("PGP015", message, _cli.shown_name(self.path))
        return replay

    # One part -----------------------------------------------------------------------------------

    def _part(self, part: str | bytes, line: int, session: "Session") -> bool:
        """Parses, runs and prints one part; whether it failed."""
        from penguin.passlib.runner import Runner

        self.remarks = []
        begin = time.perf_counter()
        try:
            module = self._parse_module(part, line, session)
        except UserError:
            return True
        self._time("Parser", begin)
        self._set_target(module, session)
        runner = Runner(self.registry, self._options(), session)
        self.results.append(runner.result)
        try:
            self._reproducer(module)
            with _cli.progress(self.streams) as line_:
                runner.options.progress = line_
                runner.run(module, self.pipeline)
        except UserError as error:
            known = set(map(id, session.diagnostics.found))
            session.diagnostics.found += [d for d in error.diagnostics if id(d) not in known]
            return True
        finally:
            self.remarks = runner.result.remarks
            self.timings += runner.result.timing_entries()
        begin = time.perf_counter()
        self._roundtrip(module)
        self.outputs.append(self._printed(module))
        self._time("Output", begin)
        return False

    def _parse_module(self, part: str | bytes, line: int, session: "Session") -> Any:
        from penguin.mlir import guard, ir, parse

        with session.diagnostics.capture():
            try:
                if self.flags["no-implicit-module"]:
                    with guard():
                        return ir.Operation.parse(part, source_name=_cli.shown_name(self.path))
                if (
                    isinstance(part, str)
                    and self.path != "-"
                    and self.flags["split-input-file"] is None
                ):
                    # From the file, so that locations carry its name.
                    with guard():
                        return ir.Module.parseFile(self.path)
                return parse(part)
            except ir.MLIRError as error:
                session.diagnostics.extend_mlir(error)
                raise UserError() from None

    def _set_target(self, module: Any, session: "Session") -> None:
        from penguin.dialects.bir.target import DEFAULT_TARGET, TARGET
        from penguin.mlir import ir

        attributes = module.operation.attributes
        if self.flags["target"] is not None:
            attributes[TARGET] = ir.StringAttr.get(self.flags["target"])
        session.target = (
            ir.StringAttr(attributes[TARGET]).value if TARGET in attributes else DEFAULT_TARGET
        )

    def _session(self, name: str) -> "Session":
        from penguin.passlib import remarks as rk
        from penguin.passlib.diagnostics import Diagnostics
        from penguin.passlib.pass_ import Session

        remarks = rk.Remarks(self._filter(), rk.Policy(self.flags["remark-policy"]))
        return Session(Diagnostics(file=name), remarks, rewrites_left=self.flags["rewrite-limit"])

    def _filter(self) -> Any:
        import re

        from penguin.passlib.remarks import Filter, Kind

        kinds = {
            Kind.PASSED: "remarks-filter-passed",
            Kind.MISSED: "remarks-filter-missed",
            Kind.FAILURE: "remarks-filter-failed",
            Kind.ANALYSIS: "remarks-filter-analyse",
        }
        chosen = {
            kind: self.flags[flag] for kind, flag in kinds.items() if self.flags[flag] is not None
        }
        every = self.flags["remarks-filter"]
        wanted = self.flags["remark-format"] or self.flags["remarks-output-file"]
        if every is None and not chosen and wanted:
            every = ".*"
        try:
            return Filter(every, chosen)
        except re.error as error:
            raise UserError.at(
                "PGP011", f"--remarks-filter is no regular expression: {error}"
            ) from error

    def _options(self) -> "RunOptions":
        from penguin.passlib.runner import RunOptions

        flags = self.flags
        crash = flags["mlir-pass-pipeline-crash-reproducer"]
        options = RunOptions(
            verify_each=flags["verify-each"] and (self.replay is None or self.replay.verify_each),
            reproducer=crash,
            crash_reproducer=crash is not None,
            local_reproducer=flags["mlir-pass-pipeline-local-reproducer"],
            count_ops=flags["mlir-timing"],
            printer=self._printer(),
        )
        if flags["verify-semantics"] is not None:
            from penguin import execute
            from penguin.passlib.semantics import Semantics

            options.semantics = Semantics(execute.run, flags["verify-semantics"])
            options.semantics_flags = (f"--verify-semantics={flags['verify-semantics']}",)
        return options

    def _printer(self) -> Any:
        from pathlib import Path

        from penguin.passlib.irprint import IrPrinter

        flags = self.flags
        names = [n for n in flags.given if n.startswith("mlir-print-ir-")]
        if not names:
            return None
        tree = flags["mlir-print-ir-tree-dir"]
        return IrPrinter(
            self.streams.stderr.write,
            frozenset(flags["mlir-print-ir-before"]),
            flags["mlir-print-ir-before-all"],
            frozenset(flags["mlir-print-ir-after"]),
            flags["mlir-print-ir-after-all"] or names == ["mlir-print-ir-tree-dir"],
            flags["mlir-print-ir-after-change"],
            flags["mlir-print-ir-after-failure"],
            flags["mlir-print-ir-module-scope"],
            Path(tree) if tree is not None else None,
            self._print_flags(),
        )

    def _print_flags(self) -> Any:
        from penguin.passlib.irprint import PrintFlags

        flags = self.flags
        return PrintFlags(
            flags["mlir-print-op-generic"],
            flags["mlir-print-debuginfo"] or flags["mlir-pretty-debuginfo"],
            flags["mlir-pretty-debuginfo"],
            flags["mlir-print-local-scope"],
            flags["mlir-use-nameloc-as-prefix"],
            flags["mlir-elide-elementsattrs-if-larger"],
            flags["mlir-elide-resource-strings-if-larger"],
            flags["mlir-print-skip-regions"],
        )

    def _reproducer(self, module: Any) -> None:
        """The reproducer that was asked for, crash or not."""
        path = self.flags["mlir-generate-reproducer"]
        if path is None:
            return
        from penguin.passlib import reproducer

        command = reproducer.command(path, self.registry.plugins)
        text = reproducer.to_text(
            module.operation, str(self.pipeline), "a run", command, self.flags["verify-each"]
        )
        _cli.write_file(path, text)

    # Output -------------------------------------------------------------------------------------

    def _printed(self, module: Any) -> str | bytes:
        if self.flags["emit-bytecode"]:
            from penguin.mlir import to_bytecode

            return to_bytecode(module.operation)
        text = self._print_flags().print(module.operation)
        if self.flags["split-input-file"] is not None and self.path != "-":
            text = text.replace('loc("-":', f'loc("{self.path}":')
        return text if text.endswith("\n") else text + "\n"

    def _roundtrip(self, module: Any) -> None:
        if not self.flags["verify-roundtrip"]:
            return
        from penguin.mlir import ir, to_bytecode

        op = module.operation
        reference = op.get_asm(print_generic_op_form=True, enable_debug_info=True)
        forms: dict[str, str | bytes] = {
            "text": op.get_asm(enable_debug_info=True),
            "generic text": reference,
            "bytecode": to_bytecode(op),
        }
        for form, written in forms.items():
            try:
                again = ir.Operation.parse(written).operation
            except ir.MLIRError as error:
                message = f"the module does not parse back from {form}: {error}"
                raise InternalError("--verify-roundtrip", message) from error
            if again.get_asm(print_generic_op_form=True, enable_debug_info=True) != reference:
                raise InternalError(
                    "--verify-roundtrip", f"the module changes on its way through {form}"
                )

    def _write(self) -> None:
        if not self.outputs:
            return
        if isinstance(self.outputs[0], bytes):
            if len(self.outputs) > 1:
                raise UserError.at("PGP011", "--emit-bytecode cannot write more than one part")
            _cli.write_output(self.flags["o"], self.outputs[0], self.streams)
            return
        marker = self.flags["output-split-marker"]
        joined = io.StringIO()
        for at, text in enumerate(self.outputs):
            joined.write(f"{marker}\n" if at and marker else "")
            joined.write(str(text))
        _cli.write_output(self.flags["o"], joined.getvalue(), self.streams)

    # Reports ------------------------------------------------------------------------------------

    def _remark_diagnostics(self) -> list[Diagnostic]:
        """Remarks for stderr, or for a file, which is written at the end."""
        to_console = (
            self.flags["remark-format"] != "yaml" and self.flags["remarks-output-file"] is None
        )
        if to_console or self.flags["verify-diagnostics"]:
            return [r.diagnostic() for r in self.remarks]
        as_yaml = self.flags["remark-format"] != "emitRemark"
        self.remark_texts += [r.yaml() if as_yaml else f"{r.diagnostic()}\n" for r in self.remarks]
        return []

    remark_texts: list[str] = field(default_factory=list)

    def _time(self, name: str, begin: float) -> None:
        from penguin.passlib.timing import Entry

        self.timings.append(Entry(name, time.perf_counter() - begin))

    def _reports(self) -> None:
        flags = self.flags
        if self.remark_texts or flags["remarks-output-file"]:
            text = "".join(self.remark_texts)
            if flags["remarks-output-file"]:
                _cli.write_output(flags["remarks-output-file"], text, self.streams)
            else:
                self.streams.stderr.write(text)
        as_json = flags["mlir-output-format"] == "json"
        text = ""
        if flags["mlir-pass-statistics"]:
            display = flags["mlir-pass-statistics-display"]
            for result in self.results:
                text += result.statistics_report(display=display, json=as_json)
        if flags["mlir-timing"]:
            from penguin.passlib import timing

            total = time.perf_counter() - self.start
            rest = total - sum(e.seconds for e in self.timings if not e.name.startswith("'"))
            entries = [*self.timings, timing.Entry("Rest", max(rest, 0.0))]
            text += (
                timing.to_json(entries, total)
                if as_json
                else timing.to_text(entries, total, display=flags["mlir-timing-display"])
            )
        if text and flags["report-output-file"]:
            _cli.write_output(flags["report-output-file"], text, self.streams)
        else:
            self.streams.stderr.write(text)
