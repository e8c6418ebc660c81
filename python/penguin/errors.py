"""The two kinds of failure: the user's, with a code and a location, and ours.

Exit statuses follow: 0 fine, 1 `UserError`, 70 anything else (`EX_SOFTWARE`).
"""

from dataclasses import dataclass, field

EXIT_OK = 0
EXIT_USER = 1
EXIT_INTERNAL = 70


@dataclass(frozen=True)
class Diagnostic:
    """One located message: `location: severity: message [code]`.

    `location` is `file:line:col` or a named location's text; `code` has a page in `penguin/codes`.
    """

    code: str
    message: str
    location: str = ""
    severity: str = "error"
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        code = f" [{self.code}]" if self.code else ""
        lines = [f"{where}{self.severity}: {self.message}{code}"]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


@dataclass
class UserError(Exception):
    """The input, an option or a file is at fault; every finding is in `diagnostics`."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    @classmethod
    def at(cls, code: str, message: str, location: str = "") -> "UserError":
        return cls([Diagnostic(code, message, location)])

    def __str__(self) -> str:
        return "\n".join(str(d) for d in self.diagnostics)


@dataclass
class InternalError(Exception):
    """A bug of ours inside `pass_name`; `reproducer` is the file that replays it, if written."""

    pass_name: str
    message: str
    reproducer: str = ""

    def __str__(self) -> str:
        return f"internal error in {self.pass_name}: {self.message}"
