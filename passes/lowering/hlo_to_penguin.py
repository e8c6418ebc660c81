"""Turn functions on tensor values into kernels on buffers, one op to one op.

Before                                         After
  func.func @main(%a: tensor<4x8xf32>)           func.func @main(
      -> tensor<32xf32> {                            %a: memref<4x8xf32, "dram">
                                                         {penguin.io = "input", ...},
                                                     %o: memref<32xf32, "dram">
                                                         {penguin.io = "output", ...})
                                                     attributes {penguin.kernel} {
    %0 = stablehlo.tanh %a                         %t0 = memref.alloc() {penguin.name = "t0"}
                                                   "penguin.unary"(%a, %t0) {function = "tanh"}
    %1 = stablehlo.reshape %0                      %t1 = memref.alloc() {penguin.name = "t1"}
                                                   "penguin.memcpy"(%t0, %t1)
    return %1                                      "penguin.memcpy"(%t1, %o)
  }                                                return
                                                 }

No cleverness: a reshape is a memcpy, a convert a memcast (a memcpy if the dtype stays), results are
copied to output arguments even if they are arguments themselves. A splat constant
is an alloc with a memset; other constants become `memref.global`, whose data stays the attribute
that it was (large data is never unpacked); equal ones share a global. `supported_ops` lists what is
converted.

An argument that the caller gives away (donates) lends its buffer to an output, as `penguin.alias`
(`_donations.py`). A result that is an argument which an earlier output overwrites is saved before.

A composite is decided by its `CompositeKind` alone (`_composites.py`):

  %0 = stablehlo.composite "composite.Fused"     %t0 = memref.alloc() {penguin.name = "t0"}
      %a {CompositeKind = "Expm1",               "penguin.fusion"(%a, %t0) ({
          decomposition = @d}                      ^bb0(%s, %d): ...the ops of @d, %d last...
                                                 }) {kind = "ElementWiseFusionOp",
                                                     label = "Elementwise",
                                                     hilo_fusion_op = "Expm1"}

A ScheduleFusion is transparent: its body stands in its place, in its order. So does the body of an
ordinary composite, one without a kind, with a remark; of a composite inside of a composite that
becomes a fusion; and, with a missed remark, of one with operands of more types than an op can take
or without results. A decomposition is used wherever it is named. Private functions with
`genComposite`, and those that only composites name, become no kernels; they are erased.

The options `disable-emit-offloaded-...` (document 000, "Related Knobs") write a memcpy, memcast,
concat, slice or transpose as a loop nest straight away, the nest that `late-lower-tensor-op` would
make of it, so that no copy elimination sees the op. Inside of a fusion it stays an op, since a
fusion has no loops: expanding the fusion frees it.

Legality, for every op of every function with a body that becomes a kernel, and of decompositions:
  (L1) the op has a rule;
  (L2) every type is a tensor of a dtype that penguin has and that the op is defined on;
  (L3) every shape is static;
  (L4) the op's form is one that the rule knows;
  (L5) the decomposition of a composite can be put in its place
       (`penguin.analysis.decompositions`), and does not contain the composite;
  (L6) the kind of a composite, if it has one, is known.
All that does not hold is reported, for the whole module at once, and then nothing is changed.
Keeps: locations; names of functions; attributes of the module.
Drops: attributes of functions, arguments and ops that are only for JAX or XLA. A donated argument
gets a remark: which output has its buffer, or why none has.
"""

import enum
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from penguin import dtypes
from penguin.analysis.decompositions import Decompositions, composites, name_of, symbol_of
from penguin.dialects import penguin as pg
from penguin.dialects.penguin import attributes as names
from penguin.mlir import func as func_dialect
from penguin.mlir import ir, memref
from penguin.nests.builder import Builder
from penguin.nests.movement import LOWERINGS
from penguin.passes.lowering._donations import Unused, pair
from penguin.passes.lowering._driver import replace
from penguin.passes.lowering._hlo_ops import RULES, Emitter, Tensor, TensorType
from penguin.passes.lowering._plan import Plan, Planner, Why
from penguin.passlib import ModulePass, Statistic, option

__all__ = ["HloToPenguin", "SupportedOp", "Why", "supported_ops"]

# Names of arguments, with their numbers.
_INPUT, _OUTPUT = "arg", "out"


@dataclass(frozen=True)
class SupportedOp:
    """A row of the table of supported ops."""

    name: str
    dtypes: tuple[str, ...]
    limits: str


def supported_ops() -> list[SupportedOp]:
    """The StableHLO ops that can be converted, by name, with the dtypes they are defined on."""
    rows = []
    for cls, rule in RULES.items():
        taken = tuple(t.mlir for t in dtypes.TABLE if names.kind_of(t) in rule.kinds)
        rows.append(SupportedOp(cls.OPERATION_NAME, taken, rule.limits))
    return sorted(rows, key=lambda row: row.name)


class Unfused(enum.Enum):
    """Why a composite of ours stands in place instead of becoming a fusion op."""

    TOO_MANY_TYPES = "the values that go in and out are of more types than one op can take"
    NO_RESULTS = "it has no results"


@dataclass
class HloToPenguin(ModulePass):
    name = "hlo-to-penguin"
    requires = ("hlo-level", "inlined")
    produces = ("tensor-level",)

    disable_emit_offloaded_memcpy: bool = option(
        False, "write copies and reshapes as loop nests instead of penguin.memcpy"
    )
    disable_emit_offloaded_memcast: bool = option(
        False, "write conversions as loop nests instead of penguin.memcast"
    )
    disable_emit_offloaded_concat: bool = option(
        False, "write concatenations as loop nests instead of penguin.concat"
    )
    disable_emit_offloaded_slice: bool = option(
        False, "write slices as loop nests instead of penguin.slice"
    )
    disable_emit_offloaded_transpose: bool = option(
        False, "write transposes as loop nests instead of penguin.transpose"
    )

    converted = Statistic("Number of operations converted")
    constants = Statistic("Number of constants with data")
    copied = Statistic("Number of results copied to outputs")
    fused = Statistic("Number of composites converted to fusion ops")
    donated = Statistic("Number of outputs in the buffer of an input")
    inlined = Statistic("Number of ordinary composites replaced by their decomposition")
    unrolled = Statistic("Number of offloaded ops emitted as loop nests")

    def run(self, module: ir.Module) -> None:
        decompositions = Decompositions(module.operation)
        bodies = set(decompositions.private(composites(module.operation)))
        planner = Planner(decompositions)
        plans = [
            planner.plan(function.opview)
            for symbol, function in decompositions.functions.items()
            if symbol not in bodies and len(function.regions[0].blocks)
        ]
        for finding in planner.findings:
            self.error(finding.where, finding.why.value, finding.message)
        if self.failed:
            return
        globals_, builder = Globals(module.operation), Builder()

        def unroll(op: ir.Operation) -> None:
            self.unrolled += 1
            replace(op, LOWERINGS[type(op.opview)], builder)

        for each in plans:
            aliases, unused = pair(each.function, each.arguments, each.results)
            self._remark_donations(each.function, aliases, unused)
            self._remark_composites(each)
            emit(each, globals_, aliases, self._unrolled_classes(), unroll)
            self.donated += len(aliases)
            self.converted += each.converted
            self.fused += each.fused
            self.inlined += len(each.inlined)
            self.copied += len(each.results)
        for symbol in bodies:
            decompositions.functions[symbol].erase()
        self.constants += len(globals_.names)

    def _unrolled_classes(self) -> frozenset[type]:
        """The op classes that are written as loop nests."""
        disabled = {
            pg.MemcpyOp: self.disable_emit_offloaded_memcpy,
            pg.MemcastOp: self.disable_emit_offloaded_memcast,
            pg.ConcatOp: self.disable_emit_offloaded_concat,
            pg.SliceOp: self.disable_emit_offloaded_slice,
            pg.TransposeOp: self.disable_emit_offloaded_transpose,
        }
        return frozenset(cls for cls, is_disabled in disabled.items() if is_disabled)

    def _remark_donations(
        self, function: Any, aliases: dict[int, int], unused: list[tuple[int, Unused]]
    ) -> None:
        for output, number in aliases.items():
            self.passed(
                function, "Donation", Argument=f"{_INPUT}{number}", Output=f"{_OUTPUT}{output}"
            )
        for number, reason in unused:
            self.analysis(
                function, "DonationNotUsed", Argument=f"{_INPUT}{number}", Reason=reason.value
            )

    def _remark_composites(self, found: Plan) -> None:
        for op in found.inlined:
            self.passed(op, "InlinedComposite", Name=name_of(op), Decomposition=symbol_of(op))
        for op in found.unfused:
            reason = Unfused.TOO_MANY_TYPES if len(op.results) else Unfused.NO_RESULTS
            self.missed(op, reason, Decomposition=symbol_of(op))


class Globals:
    """Constants with data, as `memref.global` ops at the head of the module."""

    def __init__(self, module: ir.Operation) -> None:
        self._block = module.regions[0].blocks[0]
        self._taken = {
            op.operation.attributes["sym_name"].value
            for op in self._block.operations
            if "sym_name" in op.operation.attributes
        }
        self._last: ir.Operation | None = None
        self._count = 0
        self.names: dict[ir.Attribute, str] = {}

    def name(self, value: ir.Attribute, type_: TensorType, location: ir.Location) -> str:
        """The symbol of the global that holds `value`."""
        if value in self.names:
            return self.names[value]
        while (name := f"cst_{self._count}") in self._taken:
            self._count += 1
        self._count += 1
        attributes = {
            "sym_name": ir.StringAttr.get(name),
            "sym_visibility": ir.StringAttr.get("private"),
            "type": ir.TypeAttr.get(type_.memref),
            "initial_value": value,
            "constant": ir.UnitAttr.get(),
        }
        # Made anew each time: what it refers to may be a function that is replaced meanwhile.
        if self._last is None:
            ip = ir.InsertionPoint.at_block_begin(self._block)
        else:
            ip = ir.InsertionPoint.after(self._last)
        self._last = ir.Operation.create(
            memref.GlobalOp.OPERATION_NAME, attributes=attributes, ip=ip, loc=location
        )
        self.names[value] = name
        return name


def emit(
    found: Plan,
    globals_: Globals,
    aliases: dict[int, int],
    unrolled: Collection[type],
    unroll: Callable[[ir.Operation], None],
) -> None:
    """Puts the kernel in the place of the function; `aliases` are outputs with their inputs."""
    outputs = [Tensor(tensor.type) for tensor in found.results]
    block = _kernel(found, outputs, aliases)
    for tensor, argument in zip([*found.arguments, *outputs], block.arguments, strict=True):
        tensor.buffer = argument
    emitter = Emitter(
        block,
        lambda value, type_: globals_.name(value, type_, emitter.location),
        unrolled,
        unroll,
    )
    for step in found.steps:
        step.emit(emitter)
    emitter.location = found.terminator.location
    results = _saved(found, aliases, emitter)
    for result, output in zip(results, outputs, strict=True):
        emitter.raw(pg.MemcpyOp, [result.buffer, output.buffer], {})
    emitter.raw(func_dialect.ReturnOp, [], {})
    found.function.erase()


def _saved(found: Plan, aliases: dict[int, int], emitter: Emitter) -> list[Tensor]:
    """The results; an argument that an earlier output overwrites is copied before."""
    overwritten = {found.arguments[number].buffer: output for output, number in aliases.items()}
    results = []
    for number, result in enumerate(found.results):
        if overwritten.get(result.buffer, number) < number:
            saved = Tensor(result.type)
            emitter.op(pg.MemcpyOp, [result, saved], {})
            result = saved
        results.append(result)
    return results


def _kernel(found: Plan, outputs: Sequence[Tensor], aliases: dict[int, int]) -> ir.Block:
    """An empty kernel before the function; the function keeps its name until it is erased."""
    function = found.function
    types = [tensor.type.memref for tensor in (*found.arguments, *outputs)]
    attributes = {
        "sym_name": function.sym_name,
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
        "arg_attrs": ir.ArrayAttr.get(list(_argument_attributes(found, outputs, aliases))),
        names.KERNEL: ir.UnitAttr.get(),
    }
    op = ir.Operation.create(
        func_dialect.FuncOp.OPERATION_NAME,
        attributes=attributes,
        regions=1,
        ip=ir.InsertionPoint(function),
        loc=function.location,
    )
    locations = [argument.location for argument in function.arguments]
    locations += [found.terminator.location] * len(outputs)
    return op.regions[0].blocks.append(*types, arg_locs=locations)


def _argument_attributes(
    found: Plan, outputs: Sequence[Tensor], aliases: dict[int, int]
) -> Iterator[ir.Attribute]:
    for kind, prefix, tensors in (
        (names.IoKind.INPUT, _INPUT, found.arguments),
        (names.IoKind.OUTPUT, _OUTPUT, outputs),
    ):
        for number in range(len(tensors)):
            attributes: dict[str, ir.Attribute] = {
                names.IO: ir.StringAttr.get(kind),
                names.NAME: ir.StringAttr.get(f"{prefix}{number}"),
            }
            if kind is names.IoKind.OUTPUT and number in aliases:
                i64 = ir.IntegerType.get_signless(64)
                attributes[names.ALIAS] = ir.IntegerAttr.get(i64, aliases[number])
            yield ir.DictAttr.get(attributes)
