"""Fixtures of the pytest suites: the checkout, the folder of shared data, an MLIR context."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

# The same examples on every machine and in every run; a failure prints how to replay it.
hypothesis.settings.register_profile(
    "penguin", database=None, deadline=None, derandomize=True, print_blob=True
)
hypothesis.settings.load_profile("penguin")


@pytest.fixture(autouse=True)
def _temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reproducers and other temporary files go where pytest clears them away."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared(root: Path) -> Path:
    """Models and conformance data, beside the checkout or at $PENGUIN_SHARED; skips without."""
    path = Path(os.environ.get("PENGUIN_SHARED", root.parent / "shared"))
    if not path.is_dir():
        pytest.skip(f"no shared data at {path}")
    return path


@pytest.fixture
def context() -> Iterator[object]:
    """A context with every dialect loaded, entered."""
    from penguin import mlir

    with mlir.context() as ctx:
        yield ctx
