"""Gathers of every form through all levels, against JAX on the CPU."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from penguin import driver, execute, frontend, mlir
from penguin.driver import Level

RNG = np.random.default_rng(11)
LEVELS = tuple(level for level in Level if level is not Level.STABLEHLO)


def data(*shape: int, dtype: str = "float32") -> np.ndarray:
    values = RNG.standard_normal(shape) * 100
    return np.asarray(jnp.asarray(values.astype(np.float32)).astype(dtype))


def starts(*shape: int, reach: int, dtype: str = "int32") -> np.ndarray:
    """Places up to `reach`, some of them outside on either side."""
    low = 0 if dtype.startswith("u") else -3
    return RNG.integers(low, reach + 3, shape).astype(dtype)


def check(function, *arguments: np.ndarray) -> str:
    """Compares each level with JAX, bit by bit; returns the BIR text."""
    expected = jax.tree.leaves(jax.jit(function)(*arguments))
    text = jax.jit(function).lower(*arguments).as_text()
    reached = []

    def compare(level: Level, module: mlir.ir.Module) -> None:
        reached.append(level)
        if level in LEVELS:
            for got, want in zip(execute.run(module, arguments), expected, strict=True):
                np.testing.assert_array_equal(got, np.asarray(want), err_msg=str(level))

    with mlir.context():
        compiled = driver.compile(frontend.load(text.encode()), after_stage=compare)
        compiled.module.operation.verify()
        assert set(LEVELS) <= set(reached)
        return compiled.bir_text()


def gather(src: np.ndarray, indices: np.ndarray, sizes: list[int], **numbers: tuple) -> str:
    given = {"collapsed_slice_dims": (), "offset_dims": (), **numbers}
    dimensions = lax.GatherDimensionNumbers(**given)

    def function(x, i):
        return lax.gather(x, i, dimensions, sizes, mode="clip")

    return check(function, src, indices)


def take(axis: int | None = None, mode: str = "clip"):
    return lambda x, i: jnp.take(x, i, axis=axis, mode=mode)


@pytest.mark.parametrize("rows", [1, 2, 15, 16, 128, 129, 300])
@pytest.mark.parametrize("width", [1, 5, 770])
def test_rows(rows, width):
    text = check(take(0), data(40, width), starts(rows, reach=40))
    assert "GenericIndirectLoad" in text
