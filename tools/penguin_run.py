"""penguin-run: executes a program of any level, and compares it with another.

    penguin-run model.bir --inputs=x.npz --save-outputs=y.npz
    penguin-run model.bir --compare=model.mlir --inputs=random:7
    penguin-run model.mlir --compare=jax

StableHLO goes to the reference interpreter or to JAX, tensor and loop levels to penguin's own
interpreter, BIR to the simulator. stdout has the outputs, or the table of errors with `--compare`.
"""

import sys
import time
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

from penguin.errors import EXIT_OK, EXIT_USER, UserError
from penguin.tools import _cli, _flags
from penguin.tools._cli import Streams
from penguin.tools._flags import Flag, choice, switch, value
from penguin.tools._programs import DEBUGGING, INFORMATION

if TYPE_CHECKING:
    import numpy as np

    from penguin import bir
    from penguin.mlir import ir
    from penguin.ports import Port, Signature

JAX, REFERENCE = "jax", "reference"
_EDGE_ITEMS = 3
_THRESHOLD = 40

GROUPS: dict[str, tuple[Flag, ...]] = {
    "Running": (
        value(
            "inputs",
            "source",
            "random:SEED, or an .npz file with arrays arg0, arg1, ... (or arr_0, ... in order)",
            "random:0",
        ),
        value(
            "compare",
            "other",
            "Print errors against jax or reference (both for StableHLO), or another program",
        ),
        choice(
            "oracle",
            "auto|reference|jax",
            "Executor of StableHLO; auto is the reference interpreter for small programs, else jax",
            "auto",
        ),
        value("save-outputs", "file", "Write the outputs to this .npz file"),
        switch("timing", "Print the time of the execution, and the estimate of BIR, to stderr"),
    ),
    "Debugging": DEBUGGING,
    "Information": INFORMATION,
}
FLAGS = _flags.grouped(GROUPS)


def main(
    argv: list[str] | None = None,
    stdin: IO[Any] | None = None,
    stdout: IO[Any] | None = None,
    stderr: IO[str] | None = None,
) -> int:
    """Runs the tool; returns its exit status."""
    return _cli.run_tool("penguin-run", _run, argv, stdin, stdout, stderr)


def _run(argv: list[str], streams: Streams) -> int:
    flags = _flags.Parser(FLAGS).parse(argv)
    information = _information(flags)
    if information is not None:
        streams.stdout.write(information)
        return EXIT_OK
    if len(flags.positional) != 1:
        given = ", ".join(flags.positional) or "none"
        raise UserError.at("PGR211", f"expected one program, got {given}; see --help")
    if flags["save-outputs"] == "-":
        raise UserError.at("PGP014", "cannot write arrays to stdout, expected --save-outputs=FILE")
    if flags["save-outputs"] is not None:
        _cli.check_writable(flags["save-outputs"])
    from penguin.mlir import context

    with context():
        return Execution(flags, streams, flags.positional[0]).run()


def _information(flags: _flags.Parsed) -> str | None:
    """The answer to a flag that asks for information instead of work."""
    if flags["help"] or flags["h"]:
        from penguin.tools import _programs

        return _programs.help_text(
            "penguin-run, executes a program of any level",
            "penguin-run [flags] FILE\n"
            "  FILE: MLIR of any level, StableHLO artifact, MHLO, BIR text or JSON, - for stdin,\n"
            "  or file.py:function, a function that returns (callable, args)",
            FLAGS,
        )
    if flags["version"]:
        return _cli.version_text("penguin-run")
    return _cli.explain(flags["explain"]) if flags["explain"] is not None else None


class Execution:
    """One run of the tool."""

    def __init__(self, flags: _flags.Parsed, streams: Streams, source: str) -> None:
        self.flags, self.streams, self.source = flags, streams, source

    def run(self) -> int:
        from penguin import execute, ports
        from penguin.tools import _programs

        program = _programs.load(self.source, self.streams)
        own = execute.Oracle(self.flags["oracle"])
        other, judge = self._other(program)
        if other is program:
            own = execute.Oracle.REFERENCE if judge is execute.Oracle.JAX else execute.Oracle.JAX
        signature = ports.signature(program)
        if other is not None and other is not program:
            signature = _common(signature, ports.signature(other), other)
        inputs = _programs.inputs(self.flags["inputs"], signature.inputs)
        outputs = self._execute(program, inputs, own)
        self._save(outputs, signature.outputs)
        if other is None:
            self._print(outputs, signature.outputs)
            return EXIT_OK
        expected = execute.run(other, inputs, judge)
        rows = execute.compare(outputs, expected, signature.outputs)
        self.streams.stdout.write(_programs.comparison(rows, self.flags["compare"]))
        return EXIT_OK if all(row.comparison.ok for row in rows) else EXIT_USER

    def _other(self, program: "ir.Module | bir.Module") -> tuple[Any, Any]:
        """The program to compare with (itself, for an executor's name), and who executes it."""
        from penguin import execute
        from penguin.tools import _programs

        compare = self.flags["compare"]
        if compare is None:
            return None, None
        if compare not in (JAX, REFERENCE):
            return _programs.load(compare, self.streams), execute.Oracle.AUTO
        if execute.level_of(program) is not execute.Level.HLO:
            raise UserError.at(
                "PGR212",
                f"{compare} executes StableHLO, the program is at a lower level; "
                "expected the model that it was compiled from: --compare=MODEL",
                _cli.shown_name(self.source),
            )
        return program, execute.Oracle(compare)

    def _execute(
        self, program: "ir.Module | bir.Module", inputs: "list[np.ndarray]", oracle: Any
    ) -> "list[np.ndarray]":
        from penguin import execute
        from penguin.tools import _programs

        begin = time.perf_counter()
        with _cli.progress(self.streams) as line:
            outputs = execute.run(program, inputs, oracle, _programs.counter(line))
        if self.flags["timing"]:
            seconds = time.perf_counter() - begin
            self.streams.stderr.write(f"executed in {seconds:.3f} s\n{_estimate(program)}")
        return outputs

    def _save(self, outputs: "list[np.ndarray]", ports: "Sequence[Port]") -> None:
        path = self.flags["save-outputs"]
        if path is None:
            return
        import io

        import numpy as np

        buffer = io.BytesIO()
        named = {port.name: array for port, array in zip(ports, outputs, strict=True)}
        np.savez(buffer, **named)
        _cli.write_file(path, buffer.getvalue())

    def _print(self, outputs: "list[np.ndarray]", ports: "Sequence[Port]") -> None:
        import numpy as np

        for port, array in zip(ports, outputs, strict=True):
            text = np.array2string(
                array.astype(np.float32) if port.dtype.is_float else array,
                threshold=_THRESHOLD,
                edgeitems=_EDGE_ITEMS,
                max_line_width=100,
                separator=", ",
            )
            self.streams.stdout.write(f"{port.name}: {port.type}\n{text}\n")


def _common(here: "Signature", there: "Signature", other: "ir.Module | bir.Module") -> "Signature":
    """The signature of both programs; BIR has bytes where the model has booleans."""
    from penguin import bir

    def kinds(ports: "Sequence[Port]") -> list[tuple[str, tuple[int, ...]]]:
        return [(port.dtype.bir, port.shape) for port in ports]

    if kinds(here.inputs) != kinds(there.inputs):
        own = ", ".join(port.type for port in here.inputs) or "nothing"
        others = ", ".join(port.type for port in there.inputs) or "nothing"
        raise UserError.at(
            "PGR206", f"the program takes {own}, the one to compare with {others}; expected equal"
        )
    return here if isinstance(other, bir.Module) else there


def _estimate(program: "ir.Module | bir.Module") -> str:
    """What the timing model says of BIR; nothing for other levels."""
    from penguin import bir, execute, sim

    if execute.level_of(program) is not execute.Level.INST:
        return ""
    module = program if isinstance(program, bir.Module) else bir.from_mlir(program)
    cost = sim.estimate(module)
    lines = [f"estimate for {cost.target}:"]
    lines += [f"  {name:<10}  {time.ns / 1000:12,.1f} us" for name, time in cost.engines.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
