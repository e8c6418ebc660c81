"""The excerpts of docs/walkthrough.md are what the tools print."""

import io
import re
from pathlib import Path

import pytest

from penguin.tools import penguin_compile

_BLOCK = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEVELS = ("penguin", "loops", "tiled", "bir")


@pytest.fixture(scope="module")
def excerpts(root: Path) -> dict[str, str]:
    text = (root / "docs" / "walkthrough.md").read_text()
    return {level or language: body for language, level, body in _BLOCK.findall(text)}


@pytest.mark.parametrize("level", LEVELS)
def test_the_excerpt_is_printed(
    excerpts: dict[str, str], level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dense.mlir").write_text(excerpts["stablehlo"])
    output = io.StringIO()
    assert penguin_compile.main(["dense.mlir", f"--emit={level}"], stdout=output) == 0
    printed = output.getvalue()
    # The runs of lines between the dots stand there as they are, one after the other.
    position = 0
    for run in excerpts[level].split("...\n"):
        found = printed.find(run, position)
        assert found >= 0, run
        position = found + len(run)


def test_every_level_has_an_excerpt(excerpts: dict[str, str]) -> None:
    assert set(excerpts) == {"stablehlo", *LEVELS}
