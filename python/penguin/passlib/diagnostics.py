"""Located errors, warnings, remarks and notes, and their collection while a module is compiled.

`Message` is a `Diagnostic` whose notes have locations of their own. `Diagnostics` gathers what the
passes report (through `add`) and what MLIR reports (through `capture`, a context handler), in
order, so that a driver can print all findings at once or compare them with expectations.
"""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from penguin.errors import Diagnostic
from penguin.mlir import BOUNDARY, ir

_STRING = r'"((?:[^"\\]|\\.)*)"'
_FILE = re.compile(_STRING + r":(\d+):(\d+)")
_NAME = re.compile(rf"loc\({_STRING}(?!:\d)")
# The buffer name that the bindings give to text parsed from memory.
_BUFFER = "-"


@dataclass(frozen=True)
class Message(Diagnostic):
    """A diagnostic with located notes."""

    located_notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self.located_notes)])


def describe(location: "ir.Location | ir.Operation | ir.OpView | None") -> str:
    """`file:line:col` of the innermost source position, else the location's name, else nothing."""
    if location is None:
        return ""
    # An op or a location of either package of bindings.
    if hasattr(location, "operation"):
        location = location.operation.location
    text = str(location)
    found = _FILE.search(text)
    if found is not None and found[2] == "0":
        # The whole file: a module that was not written down.
        return found[1]
    if found is not None:
        return f"{found[1]}:{found[2]}:{found[3]}"
    return name_of(location)


def name_of(location: ir.Location) -> str:
    """The outermost name of a location, e.g. `jit(f)/mlp/dot_general`; empty if it has none."""
    found = _NAME.match(str(location))
    return found[1] if found is not None else ""


def from_mlir(info: "ir.DiagnosticInfo | ir.Diagnostic") -> Message:
    """MLIR's own diagnostic as one of ours."""
    notes = tuple(
        Diagnostic("", _short(n.message), describe(n.location), "note") for n in info.notes
    )
    severity = str(info.severity).rsplit(".", 1)[-1].lower()
    return Message("", info.message.strip(), describe(info.location), severity, (), notes)


def _short(text: str) -> str:
    """The first line: "see current operation" shows the whole op, regions and all."""
    if text.startswith("Available dialects: "):
        return "--show-dialects lists the dialects; --allow-unregistered-dialect accepts others"
    head, _, rest = text.strip().partition("\n")
    return f"{head} ..." if rest else head


@dataclass
class Diagnostics:
    """Findings in the order in which they came; `file` is the name shown for the input buffer."""

    found: list[Diagnostic] = field(default_factory=list)
    file: str = "<stdin>"

    def add(self, diagnostic: Diagnostic) -> None:
        self.found.append(self._named(diagnostic))

    def extend_mlir(self, error: Any) -> int:
        """Adds what MLIR attached to an exception; says how many there were."""
        for info in error.error_diagnostics:
            self.add(from_mlir(info))
        return len(error.error_diagnostics)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.found if d.severity == "error"]

    @contextlib.contextmanager
    def capture(self, context: Any = None) -> Iterator[None]:
        """Takes over what MLIR and `Location.emit_error` report in a context (the current)."""

        def handle(diagnostic: ir.Diagnostic) -> bool:
            message = from_mlir(diagnostic)
            # The reproducer section is read by the tool itself.
            if "external resources for 'mlir_reproducer'" not in message.message:
                self.add(message)
            return True

        context = ir.Context.current if context is None else context
        handler = context.attach_diagnostic_handler(BOUNDARY.wrap(handle, True))
        try:
            yield
        finally:
            handler.detach()

    def shown(self, location: str) -> str:
        """A described location with the input's name for the bindings' name of a buffer."""
        if location == _BUFFER or location.startswith(f"{_BUFFER}:"):
            return self.file + location[len(_BUFFER) :]
        return location

    def _named(self, diagnostic: Diagnostic) -> Diagnostic:
        changes: dict[str, object] = {}
        if self.shown(diagnostic.location) != diagnostic.location:
            changes["location"] = self.shown(diagnostic.location)
        if isinstance(diagnostic, Message) and diagnostic.located_notes:
            changes["located_notes"] = tuple(map(self._named, diagnostic.located_notes))
        return replace(diagnostic, **changes) if changes else diagnostic
