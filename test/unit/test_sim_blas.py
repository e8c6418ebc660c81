"""The number of threads that the simulator leaves to numpy's matrix products."""

import numpy as np
import pytest

from penguin.sim import blas


@pytest.fixture
def threads() -> object:
    functions = blas._functions()
    if functions is None:
        pytest.skip("numpy is not built with OpenBLAS")
    return functions


def test_one_thread_inside_and_the_old_number_after(threads: tuple) -> None:
    get, put = threads
    before = get()
    put(2)
    try:
        with blas.one_thread():
            assert get() == 1
            assert (np.eye(4) @ np.eye(4)).trace() == 4
        assert get() == 2
        with pytest.raises(KeyError), blas.one_thread():
            raise KeyError
        assert get() == 2
    finally:
        put(before)


def test_another_blas_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_functions", lambda: None)
    with blas.one_thread():
        assert (np.eye(4) @ np.eye(4)).trace() == 4
