"""The functions of a test file as kernels that can be executed, each in a module of its own.

    python kernels.py FILE... [--without=NAME,NAME]     # to stdout, with split markers between

A function with an argument that is neither input nor output, or with an op that the interpreter
does not know or that takes a computed index, is left out.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

_FUNCTION = re.compile(r"^func\.func @(\w+)\((.*?)\) \{\n(.*?)^\}\n", re.M | re.S)
_SHARED = re.compile(r"^(?:!\w+ = |memref\.global ).*\n", re.M)
_OTHER = re.compile(r"\b(?:memref\.load|cf\.br|scf\.for)\b")


def kernels(text: str, without: Sequence[str] = ()) -> list[str]:
    """The modules."""
    shared = "".join(_SHARED.findall(text))
    found = []
    for name, arguments, body in _FUNCTION.findall(text):
        ports_only = arguments.count("%") == arguments.count("penguin.io")
        if ports_only and not _OTHER.search(body) and name not in without:
            head = f"func.func @main({arguments}) attributes {{penguin.kernel}} {{\n"
            found.append(f"// {name}\n{shared}{head}{body}}}\n")
    return found


if __name__ == "__main__":
    *paths, last = sys.argv[1:]
    without = last.removeprefix("--without=").split(",") if last.startswith("--") else []
    paths += [last] if not last.startswith("--") else []
    parts = [part for path in paths for part in kernels(Path(path).read_text(), without)]
    print("\n// -----\n\n".join(parts))
