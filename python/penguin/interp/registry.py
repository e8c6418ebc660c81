"""Which function interprets which op; filled by the modules named like the dialect files.

Three kinds of entries:

* `tensor_op(op_class)`: `fn(op, *arrays)`, one array per operand; writes the last one.
* `scalar_op(name)`: `fn(op) -> g`, read once per op in the program; `g(*arrays)` computes the
  result for a whole iteration domain.
* `emitter(name)`: `fn(compiler, op) -> node`, for ops with regions, memory or index arithmetic.
"""

from collections.abc import Callable
from typing import Any

TENSOR_OPS: dict[str, Callable[..., None]] = {}
SCALAR_OPS: dict[str, Callable[[Any], Callable[..., Any]]] = {}
EMITTERS: dict[str, Callable[[Any, Any], Any]] = {}


def _register(table: dict[str, Any], name: str) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        assert name not in table, f"{name} has two entries"
        table[name] = function
        return function

    return add


def tensor_op(op_class: type) -> Callable[[Any], Any]:
    """Decorates a function that interprets the ops of a penguin class."""
    return _register(TENSOR_OPS, op_class.OPERATION_NAME)


def scalar_op(name: str) -> Callable[[Any], Any]:
    """Decorates a function that makes the scalar function of an op."""
    return _register(SCALAR_OPS, name)


def emitter(name: str) -> Callable[[Any], Any]:
    """Decorates a function that makes the node of an op."""
    return _register(EMITTERS, name)
