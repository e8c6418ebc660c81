"""One thread for numpy's matrix products while a program runs.

A product of tiles takes some 200 us. Two threads save a quarter of that on an idle machine; on a
busy one they wait for each other in a spin loop, and a program takes several times as long. numpy
has no call for this; its wheels bundle OpenBLAS, which has one. With another BLAS nothing changes.
"""

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

# Spellings of OpenBLAS's functions: as numpy's wheels rename them, and the plain one.
_SPELLINGS = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")


@functools.cache
def _functions() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Reads and sets the number of threads."""
    package = Path(np.__file__).parent
    folders = (package.parent / "numpy.libs", package / ".dylibs")
    for path in (p for folder in folders for p in sorted(folder.glob("*openblas*"))):
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for spelling in _SPELLINGS:
            get = getattr(library, spelling.format("get_num_threads"), None)
            put = getattr(library, spelling.format("set_num_threads"), None)
            if get is not None and put is not None:
                return get, put
    return None


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Restores the number of threads at the end."""
    functions = _functions()
    if functions is None:
        yield
        return
    get, put = functions
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)
