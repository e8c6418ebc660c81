"""Tables of the reports, as text."""

from collections.abc import Sequence
from typing import Any


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Numbers to the right, words to the left."""
    if not rows:
        return f"{title}: none\n"
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(head[i]), *(len(row[i]) for row in cells)) for i in range(len(head))]
    right = [any(isinstance(row[i], int | float) for row in rows) for i in range(len(head))]

    def line(values: Sequence[str]) -> str:
        parts = [
            value.rjust(width) if to_right else value.ljust(width)
            for value, width, to_right in zip(values, widths, right, strict=True)
        ]
        return ("  " + "  ".join(parts)).rstrip()

    return "\n".join([title, line(head), *map(line, cells)]) + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
