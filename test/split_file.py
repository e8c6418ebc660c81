"""LLVM's `split-file`, for machines without LLVM: `split-file INPUT DIRECTORY`.

A line `//--- name`, `#--- name` or `;--- name` starts the part that is written to DIRECTORY/name.
"""

import re
import shutil
import sys
from pathlib import Path

_SEPARATOR = re.compile(r"(?://|#|;)--- (\S+)\n?")


def main(source: str, directory: str) -> None:
    folder = Path(directory)
    shutil.rmtree(folder, ignore_errors=True)
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in Path(source).read_text(encoding="utf-8").splitlines(keepends=True):
        found = _SEPARATOR.fullmatch(line)
        if found is not None:
            lines = parts.setdefault(found[1], [])
        else:
            lines.append(line)
    if not parts:
        raise SystemExit(f"split-file: error: {source}: no part is separated")
    for name, text in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
