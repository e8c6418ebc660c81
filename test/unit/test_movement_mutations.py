"""Every legality clause of the elimination engine is needed: without it, a program goes wrong.

A case is a program on which one clause says no. With the clause, the pass leaves the copy alone and
results stay. Without it (the method is made to say yes), results differ or the pass breaks:
`VALUES`; broken IR may end the process, so that happens in a fork. Clauses about quality, about who
may see what, or about memories that the interpreter does not tell apart cannot change results;
without those the IR differs: `IR`.
"""

import enum
import faulthandler
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest import mock

import numpy as np
import pytest

from penguin import execute, mlir, ports
from penguin.errors import InternalError
from penguin.passes.data_movement import PASSES, _addresses, _optimizer
from penguin.passes.data_movement._optimizer import OpOptimizer
from penguin.passlib import Result, RunOptions, registry, run_pipeline


class Shows(enum.Enum):
    """What disabling a clause does."""

    VALUES = "other results, or an internal error"
    IR = "other IR"


# What is not a clause itself but decides for one.
HELPERS = (
    *("reject_load", "is_in_place", "is_degraded_fusion", "is_trivial_aliased_copy"),
    *("producer", "can_move"),
)
FUNCTIONS = {
    **dict.fromkeys(("can_cut", "can_cut_by_forms", "may_reorder"), _addresses),
    **dict.fromkeys(("is_injective", "is_before"), _optimizer),
    "is_injective for cuts": _addresses,
}
# Says yes to everything; what subclasses ask counts.
NO_CLAUSES = {"OpOptimizer.reject_load"}


@dataclass(frozen=True)
class Case:
    """`clause` is `Class.method` or a function; `reason` is given for a copy that stays."""

    clause: str
    shows: Shows
    element: str
    reason: str
    text: str
    instead: Callable | None = None

    def __str__(self) -> str:
        return f"{self.clause}-{self.element.split('{')[0]}-{self.reason}"


def optimizers() -> Iterator[type[OpOptimizer]]:
    """The engine's classes, of all passes of the group."""
    seen = {}
    for name in PASSES:
        cls = getattr(registry.default().load(name), "optimizer", None)
        if cls is not None:
            seen.update(dict.fromkeys(c for c in cls.__mro__ if issubclass(c, OpOptimizer)))
    yield from seen


def clauses() -> set[str]:
    """Every place where legality is decided."""
    found = set(FUNCTIONS)
    for cls in optimizers():
        instance = cls.__new__(cls)
        names = {c.__name__ for c in (*instance.dst_clauses, *instance.src_clauses)}
        found |= {f"{cls.__name__}.{n}" for n in vars(cls) if n in names or n in HELPERS}
    return found - NO_CLAUSES


# Programs -----------------------------------------------------------------------------------------

_CONSTANT = "memref.global constant @c : m<4xi32> = dense<[5, 6, 7, 8]>\n"


def kernel(arguments: str, body: str) -> str:
    """`arguments` as "a: 4 in, o: 4 out, p: 4 out=0": the last one is in the buffer of input 0.

    In the body, `m<..>` is a type of DRAM.
    """
    texts = []
    for argument in arguments.split(", "):
        name, shape, io = argument.replace(":", "").split()
        io, _, alias = io.partition("=")
        facts = f'penguin.io = "{io}put"' + (f", penguin.alias = {alias} : i64" if alias else "")
        texts.append(f"%{name}: m<{shape}xi32> {{{facts}}}")
    text = f"func.func @main({', '.join(texts)}) attributes {{penguin.kernel}} {{\n"
    text = f"{_CONSTANT}{text}{textwrap.dedent(body).strip()}\nreturn\n}}\n"
    parts = text.split("m<")
    closed = [parts[0], *(p.replace(">", ', "dram">', 1) for p in parts[1:])]
    return "memref<".join(closed)


def move(src: str, dst: str, at: str = "%i", to: str = "%i", plus: str = "", count: int = 4) -> str:
    """A nest that stores elements of one tensor of four to another."""
    add = f"%w = arith.addi %v, {plus} : i32" if plus else "%w = arith.addi %v, %v : i32"
    return textwrap.dedent(f"""
        affine.for %i = 0 to {count} {{
          %v = affine.load %{src}[{at}] : m<4xi32>
          {add}
          affine.store %w, %{dst}[{to}] : m<4xi32>
        }}
    """)


def memcpy(src: str, dst: str, facts: str = "") -> str:
    return f'"penguin.memcpy"(%{src}, %{dst}) {{{facts}}} : (m<4xi32>, m<4xi32>) -> ()\n'


def transpose(src: str, dst: str, facts: str = "") -> str:
    facts = f"permutation = array<i64: 1, 0>{facts}"
    return f'"penguin.transpose"(%{src}, %{dst}) {{{facts}}} : (m<2x3xi32>, m<3x2xi32>) -> ()\n'


def concat(a: str, b: str, dst: str, shape: str = "4", total: str = "8", axis: int = 0) -> str:
    sizes = ", ".join(["1", "1", *["0"] * 14, "1"])
    facts = f"axis = {axis} : i64, operandSegmentSizes = array<i32: {sizes}>"
    types = f"m<{shape}xi32>, m<{shape}xi32>, m<{total}xi32>"
    return f'"penguin.concat"(%{a}, %{b}, %{dst}) {{{facts}}} : ({types}) -> ()\n'


def slice_(src: str, dst: str) -> str:
    facts = "starts = array<i64: 1>, limits = array<i64: 3>, strides = array<i64: 1>"
    return (
        f'"penguin.slice"(%{src}, %{dst}) {{{facts}, access = "ndim"}}'
        " : (m<4xi32>, m<2xi32>) -> ()\n"
    )


def alloc(name: str, shape: str = "4", facts: str = "") -> str:
    return f"%{name} = memref.alloc() {{{facts}}} : m<{shape}xi32>\n"


def memset(dst: str) -> str:
    return f'"penguin.memset"(%{dst}) {{value = 7 : i32}} : (m<4xi32>) -> ()\n'


def nest2(rows: int, columns: int, *lines: str) -> str:
    inside = "\n".join(lines)
    return f"affine.for %i = 0 to {rows} {{\naffine.for %j = 0 to {columns} {{\n{inside}\n}}\n}}\n"


def negate(src: str, dst: str, shape: str) -> str:
    types = f"m<{shape}xi32>, m<{shape}xi32>"
    return f'"penguin.unary"(%{src}, %{dst}) {{function = "negate"}} : ({types}) -> ()\n'


def triangle(src: str, dst: str, at: str = "", shape: str = "4") -> str:
    """Bounds that depend on a loop: nothing is known about the addresses."""
    return f"""
        affine.for %i = 0 to 3 {{
          affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {{
            %v = affine.load %{src}[%j{at}] : m<{shape}xi32>
            %w = arith.addi %v, %v : i32
            affine.store %w, %{dst}[%j] : m<4xi32>
          }}
        }}
    """


MEMCPY, TRANSPOSE, CONCAT = (
    "memcpy-elimination",
    "transpose-op-elimination",
    "concat-op-elimination",
)
CAST, SLICE, RESHAPE = "cast-op-elimination", "slice-op-elimination", "reshape-op-elimination"
VALUES, IR = Shows.VALUES, Shows.IR

_NEGATED_T = negate("t", "o", "3x2")
_ONE_BY_ONE = nest2(
    2,
    4,
    "%x = affine.load %t[%i, %j] : m<2x4xi32>",
    "%y = affine.load %o[0] : m<4xi32>",
    "%k = arith.constant 3 : i32",
    "%z = arith.muli %y, %k : i32",
    "%w = arith.addi %x, %z : i32",
    "affine.store %w, %o[0] : m<4xi32>",
)
_SPANNING = kernel(
    "a: 2x2 in, b: 2x2 in, o: 4 out",
    memset("o") + alloc("t", "2x4") + concat("a", "b", "t", "2x2", "2x4", 1) + _ONE_BY_ONE,
)
_COPIED = nest2(
    2, 3, "%v = affine.load %a[%i, %j] : m<2x3xi32>", "affine.store %v, %s[%i, %j] : m<2x3xi32>"
)
# The last store to an element of %o is not the last one in the order of the columns.
_CROSSING = kernel(
    "a: 2x2 in, b: 2x2 in, o: 5 out",
    alloc("t", "2x4")
    + concat("a", "b", "t", "2x2", "2x4", 1)
    + nest2(
        2,
        4,
        "%x = affine.load %t[%i, %j] : m<2x4xi32>",
        "affine.store %x, %o[%i + %j] : m<5xi32>",
    ),
)
_STORED_SQUARE = _COPIED.replace("affine.store %v", "%w = arith.addi %v, %v : i32\naffine.store %w")
# The producer computes from %x, which is overwritten before the copy; %o is read in between.
_PRODUCER_STAYS = kernel(
    "a: 4 in, o: 4 out, p: 4 out",
    alloc("s") + alloc("x") + move("a", "o") + move("o", "x") + move("x", "s") + move("o", "p")
    + memset("x") + memcpy("s", "o"),
)  # fmt: skip
_SOURCE_IS_READ = kernel(
    "a: 4 in, o: 4 out, p: 4 out",
    alloc("s") + memset("o") + memset("p") + move("a", "s") + move("o", "p", count=2)
    + move("s", "p", count=1) + memcpy("s", "o"),
)  # fmt: skip
_TWO_RESULTS = kernel(
    "a: 4 in, o: 4 out, p: 4 out, q: 4 out",
    alloc("s") + memset("o") + memset("q")
    + """
affine.for %i = 0 to 4 {
  %v = affine.load %a[%i] : m<4xi32>
  affine.store %v, %s[%i] : m<4xi32>
  affine.store %v, %q[%i] : m<4xi32>
}
"""
    + """
affine.for %i = 0 to 4 {
  %v = affine.load %o[%i] : m<4xi32>
  %w = affine.load %q[%i] : m<4xi32>
  %x = arith.addi %v, %w : i32
  affine.store %x, %p[%i] : m<4xi32>
}
"""
    + memcpy("s", "o"),
)  # fmt: skip


def in_place(*lines: str, before: str = "", start: str = "memset") -> str:
    """A nest that reads %o while it makes %s, which is copied to %o."""
    inside = "\n".join(lines)
    return kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("s") + move("a", "o") + memset("p") + before
        + f"affine.for %i = 0 to 4 {{\n{inside}\n}}\n" + memcpy("s", "o"),
    )  # fmt: skip


_LOAD, _STORE = "%v = affine.load %o[%i] : m<4xi32>", "affine.store %v, %s[%i] : m<4xi32>"
_BOTH = ("%w = arith.addi %v, %v : i32", "affine.store %w, %s[%i] : m<4xi32>")

CAST_S = """
%t = memref.alloc() : memref<4xi16, "dram">
"penguin.memcast"(%s, %t) : (m<4xi32>, memref<4xi16, "dram">) -> ()
"""

CASES = [
    # fuse_dst
    Case("OpOptimizer.both_are_in_one_memory", IR, MEMCPY, "space", kernel(
        "a: 4 in, o: 4 out",
        """
        %t = memref.alloc() : memref<4xi32, "sbuf">
        "penguin.memcpy"(%a, %t) : (m<4xi32>, memref<4xi32, "sbuf">) -> ()
        affine.for %i = 0 to 4 {
          %v = affine.load %t[%i] : memref<4xi32, "sbuf">
          affine.store %v, %o[%i] : m<4xi32>
        }
        """)),
    Case("OpOptimizer.dst_is_private", VALUES, MEMCPY, "boundary", kernel(
        "a: 4 in, o: 4 out", memcpy("a", "o"))),
    Case("OpOptimizer.dst_is_defined_once", VALUES, MEMCPY, "defined-twice", kernel(
        "a: 4 in, b: 4 in, o: 4 out",
        alloc("t") + memcpy("a", "t") + move("b", "t", count=2) + move("t", "o"))),
    Case("OpOptimizer.dst_is_not_rematerialised", IR, MEMCPY, "rematerialised", kernel(
        "a: 4 in, o: 4 out",
        alloc("t", facts="penguin.remat") + memcpy("a", "t") + move("t", "o"))),
    Case("OpOptimizer.dst_is_read_by_known_accesses", IR, MEMCPY, "generic", kernel(
        "a: 4 in, o: 4 out",
        alloc("t") + memcpy("a", "t") + """
        affine.for %i = 0 to 4 {
          %v = memref.load %t[%i] : m<4xi32>
          affine.store %v, %o[%i] : m<4xi32>
        }
        """)),
    Case("OpOptimizer.dst_is_not_needed_as_a_whole", VALUES, TRANSPOSE, "whole", kernel(
        "a: 2x3 in, o: 3x2 out",
        alloc("s", "2x3") + _STORED_SQUARE + negate("s", "s", "2x3") + alloc("t", "3x2")
        + transpose("s", "t") + _NEGATED_T)),
    Case("OpOptimizer.dst_is_read_after_the_copy", VALUES, MEMCPY, "read-before", kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("t") + move("t", "p") + memset("p") + "%c = memref.get_global @c : m<4xi32>\n"
        + memcpy("c", "t") + move("t", "o"))),
    Case("OpOptimizer.srcs_are_not_overwritten", VALUES, MEMCPY, "overwritten", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + alloc("t") + move("a", "s") + memcpy("s", "t") + memset("s")
        + move("t", "o"))),
    Case("OpOptimizer.no_barrier_before_the_loads", IR, MEMCPY, "barrier", kernel(
        "a: 4 in, b: 4 in, o: 4 out, p: 4 out",
        alloc("t") + memcpy("a", "t") + memcpy("b", "p", "penguin.barrier") + move("t", "o"))),
    Case("OpOptimizer.dst_addresses_are_expressible", VALUES, TRANSPOSE, "address", kernel(
        "a: 2x3 in, o: 4 out",
        memset("o") + alloc("t", "3x2") + transpose("a", "t")
        + triangle("t", "o", ", 0", "3x2"))),
    *(
        Case(name, VALUES, CONCAT, "spans", _SPANNING, lambda *_: True)
        for name in ("can_cut", "can_cut_by_forms", "may_reorder")
    ),
    Case("is_injective for cuts", VALUES, CONCAT, "spans", _CROSSING, lambda *_: True),
    # fuse_src
    Case("OpOptimizer.srcs_are_private", VALUES, MEMCPY, "boundary", kernel(
        "a: 4 in, o: 4 out", memcpy("a", "o"))),
    Case("OpOptimizer.srcs_are_private", VALUES, CONCAT, "boundary", kernel(
        "a: 4 in, o: 8 out", alloc("s") + move("a", "s") + concat("s", "s", "o"))),
    Case("OpOptimizer.srcs_are_not_rematerialised", IR, MEMCPY, "rematerialised", kernel(
        "a: 4 in, o: 4 out",
        alloc("s", facts="penguin.remat") + move("a", "s") + memcpy("s", "o"))),
    Case("OpOptimizer.srcs_are_written_by_known_accesses", IR, MEMCPY, "generic", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + """
        affine.for %i = 0 to 4 {
          %v = affine.load %a[%i] : m<4xi32>
          memref.store %v, %s[%i] : m<4xi32>
        }
        """ + memcpy("s", "o"))),
    Case("OpOptimizer.srcs_are_not_needed_as_a_whole", VALUES, TRANSPOSE, "whole", kernel(
        "a: 2x3 in, o: 3x2 out",
        alloc("s", "2x3") + negate("a", "s", "2x3") + alloc("t", "3x2") + transpose("s", "t")
        + _NEGATED_T)),
    Case("OpOptimizer.srcs_are_written_before_the_copy", VALUES, MEMCPY, "overwritten", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + move("a", "s") + memcpy("s", "o") + move("a", "s", to="3 - %i"))),
    Case("OpOptimizer.dst_is_not_used_before_the_copy", VALUES, TRANSPOSE, "read-before", kernel(
        "a: 2x3 in, b: 3x2 in, o: 3x2 out, p: 3x2 out",
        alloc("s", "2x3") + negate("b", "o", "3x2") + _STORED_SQUARE + negate("o", "p", "3x2")
        + transpose("s", "o"))),
    Case("OpOptimizer.dst_is_not_overwritten", VALUES, MEMCPY, "overwritten", kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("s") + move("a", "s") + memcpy("s", "o") + memset("o") + move("s", "p"))),
    Case("OpOptimizer.no_barrier_after_the_stores", IR, MEMCPY, "barrier", kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("s") + move("a", "s") + memcpy("a", "p", "penguin.barrier") + memcpy("s", "o"))),
    *(Case(f"OpOptimizer.{name}", VALUES, MEMCPY, "address", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + memset("s") + triangle("a", "s")
        + memcpy("s", "o"))) for name in ("src_addresses_are_expressible",)),
    # In place
    Case("OpOptimizer.is_in_place", VALUES, MEMCPY, "read-before", in_place(
        "%v = affine.load %o[3 - %i] : m<4xi32>", _STORE), lambda *_: True),
    Case("OpOptimizer.is_in_place", VALUES, MEMCPY, "read-before", in_place(
        _LOAD, _STORE, before=memset("s")), lambda *_: True),
    Case("OpOptimizer.is_in_place", VALUES, MEMCPY, "read-before", in_place(
        "%u = affine.load %a[%i] : m<4xi32>", "affine.store %u, %s[%i] : m<4xi32>",
        "affine.if affine_set<(d0) : (d0 >= 0)>(%i) {", _LOAD,
        "affine.store %v, %p[%i] : m<4xi32>", "}"), lambda *_: True),
    Case("is_injective", VALUES, MEMCPY, "read-before", in_place(
        "affine.for %j = 0 to 2 {", _LOAD, *_BOTH, "}"), lambda *_: True),
    Case("is_injective", VALUES, MEMCPY, "read-before", in_place(
        "affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {", _LOAD, *_BOTH, "}"),
        lambda *_: True),
    Case("is_before", VALUES, MEMCPY, "read-before", in_place(
        "%u = affine.load %a[%i] : m<4xi32>", "affine.store %u, %s[%i] : m<4xi32>", _LOAD,
        "affine.store %v, %p[%i] : m<4xi32>"), lambda *_: True),
    Case("MemcpyFolder.is_trivial_aliased_copy", VALUES, MEMCPY, "boundary", kernel(
        "a: 4 in, o: 4 out", memcpy("a", "o")), lambda *_: True),
    # A producer that moves
    Case("MemcpyFolder.dst_is_not_used_before_the_copy", VALUES, MEMCPY, "read-before",
         _PRODUCER_STAYS),
    Case("MemcpyFolder.dst_is_not_used_before_the_copy", VALUES, MEMCPY, "read-more-than-once",
         _SOURCE_IS_READ),
    Case("MemcpyFolder.can_move", VALUES, MEMCPY, "read-before", _PRODUCER_STAYS, lambda *_: True),
    Case("MemcpyFolder.producer", VALUES, MEMCPY, "read-before", _TWO_RESULTS,
         lambda _, copy: next(copy.srcs[0].writers).step),
    # Particular passes
    Case("CastOpOptimizer.src_has_no_other_readers", VALUES, CAST, "other-readers", kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("s") + move("a", "s") + CAST_S + """
        %u = memref.alloc() : memref<4xi16, "dram">
        "penguin.unary"(%t, %u) {function = "negate"}
          : (memref<4xi16, "dram">, memref<4xi16, "dram">) -> ()
        "penguin.memcast"(%u, %o) : (memref<4xi16, "dram">, m<4xi32>) -> ()
        """ + move("s", "p"))),
    Case("CastOpOptimizer.reject_load", IR, CAST, "read-more-than-once", kernel(
        "a: 4 in, o: 4 out",
        memset("o") + CAST_S.replace("%s", "%a") + """
        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 4 {
            %v = affine.load %t[%j] : memref<4xi16, "dram">
            %w = arith.extsi %v : i16 to i32
            %x = affine.load %o[%i] : m<4xi32>
            %y = arith.addi %w, %x : i32
            affine.store %y, %o[%i] : m<4xi32>
          }
        }
        """)),
    Case("SliceOpOptimizer.reject_load", IR, SLICE, "matmul", kernel(
        "a: 4 in, o: 2 out",
        alloc("t", "2") + slice_("a", "t") + """
        affine.for %i = 0 to 2 {
          %zero = arith.constant 0 : i32
          %sum = affine.for %j = 0 to 2 iter_args(%s = %zero) -> (i32) {
            %v = affine.load %t[%j] : m<2xi32>
            %w = affine.load %a[%i + %j] : m<4xi32>
            %x = arith.muli %v, %w : i32
            %y = arith.addi %s, %x : i32
            affine.yield %y : i32
          }
          affine.store %sum, %o[%i] : m<2xi32>
        }
        """)),
    Case("ReshapeOpOptimizer.src_is_input", IR, RESHAPE, "not-io", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + alloc("t") + move("a", "s") + memcpy("s", "t") + move("t", "o"))),
    Case("ReshapeOpOptimizer.dst_is_output", IR, RESHAPE, "not-io", kernel(
        "a: 4 in, o: 4 out",
        alloc("s") + alloc("t") + move("a", "s") + memcpy("s", "t") + move("t", "o"))),
    Case("ReshapeOpOptimizer.src_has_no_other_loads", IR, RESHAPE, "other-loads", kernel(
        "a: 4 in, o: 4 out, p: 4 out",
        alloc("s") + move("a", "s") + memcpy("s", "o") + move("s", "p"))),
    Case("TransposeOpOptimizer.is_no_dram_to_dram_transpose", IR, TRANSPOSE, "dram-to-dram", kernel(
        "a: 2x3 in, o: 3x2 out",
        alloc("s", "2x3") + _COPIED + transpose("s", "o"))),
    Case("OpOptimizer.is_degraded_fusion", IR,
         f"{MEMCPY}{{big-tensor-threshold-one-d=3}}", "degraded",
         kernel("a: 4 in, o: 2x2 out", alloc("t", "2x2")
        + '"penguin.memcpy"(%a, %t) : (m<4xi32>, m<2x2xi32>) -> ()\n'
        + nest2(2, 2, "%v = affine.load %t[%j, %i] : m<2x2xi32>",
                "affine.store %v, %o[%i, %j] : m<2x2xi32>")), lambda *_: False),
]  # fmt: skip


def run(case: Case) -> tuple[mlir.ir.Module, Result]:
    module = mlir.parse(case.text)
    options = RunOptions(write_reproducers=False)
    return module, run_pipeline(module, f"builtin.module({case.element})", options=options)


def results(case: Case, module: mlir.ir.Module) -> list[np.ndarray]:
    signature = ports.signature(mlir.parse(case.text))
    inputs = [
        np.arange(10, 10 + np.prod(port.shape), dtype=port.dtype.numpy).reshape(port.shape) * k
        for k, port in enumerate(signature.inputs, 1)
    ]
    return execute.run(module, inputs)


def same(a: list[np.ndarray], b: list[np.ndarray]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def with_clause(case: Case) -> str:
    """The IR; the results have stayed, and the copy too, for the reason."""
    expected = results(case, mlir.parse(case.text))
    module, result = run(case)
    assert same(results(case, module), expected)
    values = {row.name: row.value for step in result.steps for row in step.rows}
    assert values.get(f"missed-{case.reason}"), values
    return str(module)


def without_clause(case: Case, before: str) -> bytes:
    """What disabling the clause does."""
    owner, _, name = case.clause.rpartition(".")
    place = next((c for c in optimizers() if c.__name__ == owner), FUNCTIONS.get(name))
    name = name.partition(" ")[0]
    with mock.patch.object(place, name, case.instead or (lambda *_: None)), mlir.context():
        expected = results(case, mlir.parse(case.text))
        try:
            module, _ = run(case)
        except InternalError:
            return b"VALUES"
        if not same(results(case, module), expected):
            return b"VALUES"
        return b"nothing" if str(module) == before else b"IR"


def forked(function: Callable[[], bytes]) -> bytes:
    """What a function returns in another process; a crash is worse than another value."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        try:
            os.write(sender, function())
        except BaseException as error:
            os.write(sender, repr(error).encode()[:4000])
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return b"VALUES" if os.WIFSIGNALED(status) else text


@pytest.mark.parametrize("case", CASES, ids=str)
def test_without_the_clause(case: Case) -> None:
    with mlir.context():
        before = with_clause(case)
    assert forked(lambda: without_clause(case, before)).decode() == case.shows.name


def test_bounds_that_depend_on_a_loop() -> None:
    """They are no obstacle for an address that does not use them."""
    nest = triangle("t", "o").replace("%t[%j]", "%t[%i]")
    text = kernel("a: 4 in, o: 4 out", memset("o") + alloc("t") + memcpy("a", "t") + nest)
    case = Case("", Shows.IR, MEMCPY, "", text)
    with mlir.context():
        expected = results(case, mlir.parse(text))
        module, _ = run(case)
        assert "memcpy" not in str(module)
        assert same(results(case, module), expected)


def test_each_clause_has_a_case() -> None:
    assert clauses() == {case.clause for case in CASES}
