"""What JAX does for us: lowering a function, handing its module over, running a module on the CPU.

JAX is imported when a function is called, never before.
"""

import contextlib
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from penguin.mlir.bindings import to_bytecode


def jax_lower(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any] | None = None
) -> Any:
    """The `jax.stages.Lowered` of a function, for an accelerator; keeps unused arguments.

    Lowering for the CPU would give LAPACK calls and other forms that only XLA's CPU compiler knows.
    """
    import jax

    jitted = function if hasattr(function, "trace") else jax.jit(function, keep_unused=True)
    with _no_frames_of_ours():
        return jitted.trace(*args, **(kwargs or {})).lower(lowering_platforms=("tpu",))


@contextlib.contextmanager
def _no_frames_of_ours() -> Iterator[None]:
    """Keeps JAX from taking penguin's files and console scripts for the user's, in locations."""
    from jax._src import source_info_util

    folders = {
        str(Path(module.__file__).parent)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "penguin" and getattr(module, "__file__", None)
    }
    folders.add(sysconfig.get_path("scripts"))
    before = list(source_info_util._exclude_paths)
    for folder in sorted(folders):
        source_info_util.register_exclusion(folder + os.sep)
    try:
        yield
    finally:
        # Registering the last one again also empties the caches of the others.
        source_info_util._exclude_paths[:] = before[:-1]
        source_info_util.register_exclusion(before[-1])


def jax_bytecode(lowered: Any) -> bytes:
    """StableHLO bytecode of a `jax.stages.Lowered` or `jax.export.Exported`, locations kept."""
    if hasattr(lowered, "mlir_module_serialized"):
        return lowered.mlir_module_serialized
    return to_bytecode(lowered.compiler_ir("stablehlo").operation)


def xla_cpu(bytecode: bytes, inputs: Sequence[Any]) -> list[Any]:
    """Compiles `@main` with XLA for the CPU and runs it on numpy arrays.

    Raises `ValueError` with XLA's message.
    """
    import jax
    import numpy as np

    device = jax.devices("cpu")[0]
    try:
        program = device.client.compile_and_load(bytecode, [device])
        buffers = [jax.device_put(array, device) for array in inputs]
        shards = program.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return [np.asarray(shard[0]) for shard in shards]
    except jax.errors.JaxRuntimeError as error:
        raise ValueError(str(error)) from None
