"""penguin-opt: runs passes over MLIR of any level; `MlirOptMain` in Python.

Reads text or bytecode, runs the passes that the flags name, writes the module. Beside this module:
the flags (`_opt_flags`), the run over an input (`_opt_driver`), the expectations of
`--verify-diagnostics` (`_expected`) and what all tools share (`_cli`, `_flags`).
"""

import re
import sys
from collections.abc import Iterator
from typing import IO, Any

from penguin.errors import EXIT_OK, UserError
from penguin.passlib import registry as registries
from penguin.passlib.registry import Registry
from penguin.passlib.upstream_table import PASSES as UPSTREAM
from penguin.tools import _cli, _flags, _opt_flags
from penguin.tools._cli import Streams


def main(
    argv: list[str] | None = None,
    stdin: IO[Any] | None = None,
    stdout: IO[Any] | None = None,
    stderr: IO[str] | None = None,
) -> int:
    """Runs the tool; returns its exit status."""
    return _cli.run_tool("penguin-opt", _run, argv, stdin, stdout, stderr)


def _run(argv: list[str], streams: Streams) -> int:
    registry = registries.default()
    for plugin in _plugins(argv):
        registry.load_plugin(plugin)
    flags = _parse(argv, registry)
    information = _information(flags, registry)
    if information is not None:
        streams.stdout.write(information)
        return EXIT_OK
    _check_flags(flags)
    path = flags.positional[0] if flags.positional else "-"
    content = _cli.read_input(path, streams)
    if not content.strip():
        raise UserError.at(
            "PGP013",
            "the input is empty, expected MLIR text or bytecode",
            _cli.shown_name(path),
        )
    from penguin.mlir import context
    from penguin.tools._opt_driver import Driver

    with context(allow_unregistered=flags["allow-unregistered-dialect"]):
        return Driver(flags, registry, streams, path).process(content)


def _plugins(argv: list[str]) -> Iterator[str]:
    """Plugins add pass flags, so they are loaded before the flags are read."""
    for at, argument in enumerate(argv):
        name, equals, value = argument.lstrip("-").partition("=")
        if argument.startswith("-") and name == "load-pass-plugin":
            values = value if equals else "".join(argv[at + 1 : at + 2])
            yield from (v for v in values.split(",") if v)


def _parse(argv: list[str], registry: Registry) -> _flags.Parsed:
    def is_pass(name: str) -> bool:
        if name in registry.passes or name in registry.pipelines:
            return True
        if name in UPSTREAM:
            return True
        from penguin.mlir import ir
        from penguin.passlib import upstream

        with ir.Context():
            return bool(name) and upstream.exists(name)

    def suggestions() -> list[str]:
        return [*registry.passes, *registry.pipelines, *UPSTREAM]

    return _flags.Parser(_opt_flags.FLAGS, is_pass, suggestions).parse(argv)


def _information(flags: _flags.Parsed, registry: Registry) -> str | None:
    """The answer to a flag that asks for information instead of work."""
    if flags["help"] or flags["h"]:
        return _opt_flags.help_text(registry)
    if flags["version"]:
        return _cli.version_text("penguin-opt")
    if flags["explain"] is not None:
        return _cli.explain(flags["explain"])
    if flags["list-passes"]:
        return _opt_flags.list_passes(registry)
    if flags["show-dialects"]:
        return _dialects()
    if flags["emit-irdl"]:
        return _irdl()
    return None


def _dialects() -> str:
    """The registered dialects; the bindings name them only when they miss one."""
    from penguin.mlir import context, ir

    text = ""
    with context():
        try:
            ir.Module.parse("not_a_dialect.op")
        except ir.MLIRError as error:
            text = error.error_diagnostics[0].notes[0].message
    names = re.findall(r"[\w.]+(?: \(\*\))?(?=,| ;| \(\* corr)", text.partition(":")[2])
    shown = sorted(name.removesuffix(" (*)") for name in names)
    return f"Available Dialects: {', '.join(shown)}\n"


def _irdl() -> str:
    """The penguin dialect, so that stock tools parse its ops and check their operands.

    Not the bir dialect: IRDL's own verifier refuses op names with capital letters.
    """
    from penguin.dialects.penguin import Penguin
    from penguin.mlir import context

    with context():
        return f"{Penguin._mlir_module}\n"


def _check_flags(flags: _flags.Parsed) -> None:
    _flags.conflict(
        flags,
        {
            "--pass-pipeline": flags["pass-pipeline"] is not None,
            f"--{flags.passes[0][0] if flags.passes else ''}": bool(flags.passes),
            "--run-reproducer": flags["run-reproducer"],
        },
    )
    if len(flags.positional) > 1:
        given = ", ".join(flags.positional)
        raise UserError.at(
            "PGP011", f"expected one input file, got {len(flags.positional)}: {given}"
        )
    for name in ("o", "remarks-output-file", "report-output-file", "trace-out"):
        if flags[name] is not None:
            _cli.check_writable(flags[name])


if __name__ == "__main__":
    sys.exit(main())
