"""Configuration of the suite. Parameters: `-Dexec_root=DIR` (outputs; default build/test),
`-Dtimeout=SECONDS` (per test; default 300)."""

import multiprocessing
import os
import sys
from pathlib import Path

_here = Path(__file__).resolve().parent
sys.path.insert(0, str(_here))

# Before numpy is imported: OpenBLAS threads in the workers would not survive the forks.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import penguin_lit

# The workers inherit the imported programs.
multiprocessing.set_start_method("fork", force=True)
for _program, _reason in penguin_lit.preload().items():
    lit_config.note(f"{_program} is started, not forked: {_reason}")

_shared = Path(os.environ.get("PENGUIN_SHARED", _here.parent.parent / "shared")).resolve()

config.name = "penguin"
config.test_format = penguin_lit.PenguinFormat(int(lit_config.params.get("timeout", 300)))
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "bench"]
config.test_source_root = str(_here)
config.test_exec_root = lit_config.params.get("exec_root", str(_here.parent / "build" / "test"))

# The programs beside this interpreter are the ones under test.
_bin = os.path.dirname(sys.executable)
config.environment["PATH"] = os.pathsep.join((_bin, config.environment.get("PATH", os.defpath)))
config.environment["OPENBLAS_NUM_THREADS"] = "1"
config.environment["JAX_PLATFORMS"] = os.environ["JAX_PLATFORMS"]
# Reproducers of provoked crashes stay among the outputs.
config.environment["TMPDIR"] = os.path.join(config.test_exec_root, "tmp")
os.makedirs(config.environment["TMPDIR"], exist_ok=True)
for _name in ("HOME", "PENGUIN_SHARED"):
    if _name in os.environ:
        config.environment[_name] = os.environ[_name]

config.substitutions.append(("%python", f"'{sys.executable}'"))
config.substitutions.append(("%examples", str(_here.parent / "examples")))
config.substitutions.append(("%shared", str(_shared)))
# Programs of LLVM's test tools that need no LLVM here.
config.substitutions.append((r"\bFileCheck\b", "filecheck"))
_split = f"'{sys.executable}' '{_here / 'split_file.py'}'"
config.substitutions.append((r"(?<!\S)split-file(?!\S)", _split))
if _shared.is_dir():
    config.available_features.add("shared")

# The same program in the other HLO dialect; the two differ in the attributes of broadcast_in_dim.
config.substitutions.append(
    (
        "%to_mhlo",
        r"sed -e 's/stablehlo\./mhlo./g' -e 's/array<i64: \([0-9]\)>/dense<\1> : tensor<1xi64>/'"
        r" -e 's/array<i64: \([0-9]\), \([0-9]\)>/dense<[\1, \2]> : tensor<2xi64>/'",
    )
)
