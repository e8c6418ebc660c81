"""Which memref values of a function name the same memory.

    aliases = Aliases(func)
    aliases.root(value)       # the value that stands for the buffer
    aliases.must(a, b)        # the same elements of one buffer
    aliases.may(a, b)         # perhaps an element in common
    aliases.no(a, b)          # none
    aliases.members(value)    # every name of the buffer, in program order

Buffers are shared by
* an output argument and the input argument that its `penguin.alias` numbers;
* a `memref.alloc` and the tensor that its `penguin.must_alias` names;
* a view (`memref.cast`, `memref.reinterpret_cast`, `memref.subview`, and the reshapes without data
  movement) and its source;
* a formal argument of a `penguin.fusion` and its operand;
* all `memref.get_global` of one global.

Everything else is apart: different arguments, allocations and globals never alias. A memref of any
other origin (an `iter_args` of a loop, the result of a call or of a select) may alias everything.
Two values of one buffer must alias if their types give them the same range of it, whatever the
shape; may alias unless the ranges, where static, are apart.

Pure: reads the function once, in time linear in its ops. `faults` checks the declarations.

Codes of `faults`: PGA001 no such argument, PGA002 types, PGA003 two outputs with one input, PGA004
a cycle, PGA005 no such tensor.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from penguin.dialects.penguin.attributes import ALIAS, IO, MUST_ALIAS, NAME, PREFIX, IoKind
from penguin.errors import Diagnostic, UserError
from penguin.mlir import ir, walk
from penguin.passlib.diagnostics import Message, describe

_ALLOC = "memref.alloc"
_GLOBAL = "memref.get_global"
_FUSION = f"{PREFIX}fusion"
# Their result is a part of operand 0.
VIEWS = frozenset(
    {
        "memref.cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.memory_space_cast",
        "memref.reinterpret_cast",
        "memref.subview",
        "memref.transpose",
    }
)


@dataclass(frozen=True, slots=True)
class Extent:
    """The elements `offset + sum of step * k` for all k below num; pairs sorted and merged."""

    offset: int
    pairs: tuple[tuple[int, int], ...]

    @property
    def last(self) -> int:
        return self.offset + sum(step * (num - 1) for step, num in self.pairs)

    @property
    def empty(self) -> bool:
        return any(num == 0 for _, num in self.pairs)


@dataclass(frozen=True)
class Fault:
    """A declaration that does not hold; `notes` are other places with what is there."""

    where: Any
    code: str
    message: str
    notes: tuple[tuple[Any, str], ...] = ()

    def diagnostic(self) -> Diagnostic:
        """For those who are no pass."""
        notes = tuple(Diagnostic("", text, describe(at), "note") for at, text in self.notes)
        return Message(self.code, self.message, describe(self.where), "error", (), notes)


def check(func: Any) -> None:
    """Raises the faults of a function's declarations."""
    found = [fault.diagnostic() for fault in faults(func)]
    if found:
        raise UserError(found)


class Aliases:
    """The buffers of a function; a snapshot, which no rewrite keeps current."""

    def __init__(self, func: Any) -> None:
        self._roots: dict[ir.Value, ir.Value] = {}
        self._members: dict[ir.Value, list[ir.Value]] = {}
        self._unknown: set[ir.Value] = set()
        self._extents: dict[ir.Type, Extent | None] = {}
        self.io: dict[ir.Value, IoKind] = {}
        """The arguments that have a kind."""
        self.names: dict[str, list[ir.Value]] = {}
        """Arguments and allocations in the function's own block, by `penguin.name`."""
        self.tensors: list[ir.Value] = []
        """Arguments and allocations, in program order."""
        self.declared: dict[ir.Value, ir.Value] = {}
        """Tensors with the one that their attribute names."""
        self._scan(func.operation)

    def root(self, value: ir.Value) -> ir.Value:
        """An argument if the buffer has one, the input if it has two; else what defines it first.

        A value that is no memory of this function is its own root.
        """
        found = self._roots.get(value)
        return self._discover(value) if found is None else found

    def members(self, value: ir.Value) -> list[ir.Value]:
        """Every value of the buffer, the root first, the others in program order."""
        return list(self._members.get(self.root(value), [value]))

    def is_shared(self, value: ir.Value) -> bool:
        """Whether the buffer has more than one name."""
        return len(self._members.get(self.root(value), ())) > 1

    def must(self, a: ir.Value, b: ir.Value) -> bool:
        """Both are the same elements of one buffer."""
        if a == b:
            return True
        if self.root(a) != self.root(b):
            return False
        one, other = self._extent(a), self._extent(b)
        return one is not None and one == other

    def may(self, a: ir.Value, b: ir.Value) -> bool:
        """Perhaps they have an element in common."""
        return not self.no(a, b)

    def no(self, a: ir.Value, b: ir.Value) -> bool:
        """They have no element in common."""
        if a == b:
            return False
        one, other = self.root(a), self.root(b)
        if one != other:
            return one not in self._unknown and other not in self._unknown
        left, right = self._extent(a), self._extent(b)
        if left is None or right is None:
            return False
        if left.empty or right.empty:
            return True
        return left.last < right.offset or right.last < left.offset

    def _extent(self, value: ir.Value) -> Extent | None:
        type_ = value.type
        if type_ not in self._extents:
            self._extents[type_] = extent_of(type_)
        return self._extents[type_]

    def _scan(self, func: ir.Operation) -> None:
        block = func.regions[0].blocks[0]
        given = func.attributes["arg_attrs"] if "arg_attrs" in func.attributes else None
        arguments = list(block.arguments)
        declared: list[tuple[ir.Value, ir.Value | str]] = []
        for number, argument in enumerate(arguments):
            attributes = {} if given is None else given[number]
            self._tensor(argument, attributes)
            kind = attributes[IO].value if IO in attributes else None
            if kind in tuple(IoKind):
                self.io[argument] = IoKind(kind)
            target = _integer(attributes, ALIAS)
            if target is not None and 0 <= target < len(arguments):
                declared.append((argument, arguments[target]))
        globals_: dict[str, ir.Value] = {}
        later: list[ir.Value] = []
        for op in walk(func):
            name = op.name
            if name == _ALLOC:
                (value,) = op.results
                # Names inside of fusions and loops are not the function's.
                self._tensor(value, op.attributes if op.parent.operation == func else {})
                if MUST_ALIAS in op.attributes:
                    declared.append((value, op.attributes[MUST_ALIAS].value))
            elif name == _GLOBAL:
                (value,) = op.results
                first = globals_.setdefault(op.attributes["name"].value, value)
                self._join(value, first)
            elif name in VIEWS:
                later.append(op.results[0])
            elif name == _FUSION:
                later += op.regions[0].blocks[0].arguments
        self._declare(declared)
        for value in later:
            self.root(value)

    def _tensor(self, value: ir.Value, attributes: Any) -> None:
        self.tensors.append(value)
        self._join(value, value)
        if NAME in attributes:
            self.names.setdefault(attributes[NAME].value, []).append(value)

    def _declare(self, declared: list[tuple[ir.Value, ir.Value | str]]) -> None:
        """Unites the classes; the first tensor of each, inputs before outputs, is its root."""
        if not declared:
            return
        rank = {
            value: (self.io.get(value) is not IoKind.INPUT, number)
            for number, value in enumerate(self.tensors)
        }
        parent: dict[ir.Value, ir.Value] = {}

        def find(value: ir.Value) -> ir.Value:
            while value in parent:
                above = parent[value]
                # Halves the path for those who come next.
                parent[value] = parent.get(above, above)
                value = above
            return value

        for value, target in declared:
            named = self.names.get(target, []) if isinstance(target, str) else [target]
            for each in named:
                self.declared.setdefault(value, each)
                one, other = find(value), find(each)
                if one != other:
                    low, high = sorted((one, other), key=rank.__getitem__)
                    parent[high] = low
        for value in self.tensors:
            root = find(value)
            if root != value:
                del self._members[value]
                self._join(value, root)

    def _join(self, value: ir.Value, root: ir.Value) -> None:
        self._roots[value] = root
        self._members.setdefault(root, [root])
        if value != root:
            self._members[root].append(value)

    def _discover(self, value: ir.Value) -> ir.Value:
        """Follows views and formal arguments to their buffer."""
        path: list[ir.Value] = []
        current = value
        while current not in self._roots:
            path.append(current)
            source = _source(current)
            if source is None:
                self._join(current, current)
                if isinstance(current.type, ir.MemRefType):
                    self._unknown.add(current)
                path.pop()
                break
            current = source
        root = self._roots[current]
        for each in reversed(path):
            self._join(each, root)
        return root


def _source(value: ir.Value) -> ir.Value | None:
    """What a value is a view or another name of."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        op = owner.owner.operation
        return op.operands[ir.BlockArgument(value).arg_number] if op.name == _FUSION else None
    op = owner.operation
    return op.operands[0] if op.name in VIEWS else None


def extent_of(type_: ir.Type) -> Extent | None:
    """The part of its buffer that a memref type covers, or None if it is not static."""
    if not isinstance(type_, ir.MemRefType) or not type_.has_static_shape:
        return None
    try:
        strides, offset = type_.get_strides_and_offset()
    except (RuntimeError, ValueError):
        # A layout that is no strides.
        return None
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    if offset == dynamic or dynamic in strides or any(stride < 0 for stride in strides):
        return None
    if 0 in type_.shape:
        return Extent(offset, ((1, 0),))
    merged: list[tuple[int, int]] = []
    for step, num in sorted((s, n) for s, n in zip(strides, type_.shape, strict=True) if n != 1):
        if merged and merged[-1][0] * merged[-1][1] == step:
            merged[-1] = (merged[-1][0], merged[-1][1] * num)
        else:
            merged.append((step, num))
    return Extent(offset, tuple(merged))


def _integer(attributes: Any, key: str) -> int | None:
    if key not in attributes or not isinstance(attributes[key], ir.IntegerAttr):
        return None
    return attributes[key].value


def faults(func: Any) -> Iterator[Fault]:
    """What is wrong with the declarations of a function, in program order."""
    func = func.operation
    if not len(func.regions[0].blocks):
        return
    yield from _argument_faults(func)
    allocations = [op for op in walk(func, _ALLOC) if MUST_ALIAS in op.attributes]
    if allocations:
        yield from _allocation_faults(func, allocations)


def _argument_faults(func: ir.Operation) -> Iterator[Fault]:
    if "arg_attrs" not in func.attributes:
        return
    given = list(func.attributes["arg_attrs"])
    if not any(ALIAS in each for each in given):
        return
    arguments = list(func.regions[0].blocks[0].arguments)
    taken: dict[int, int] = {}
    for number, attributes in enumerate(given):
        if ALIAS not in attributes:
            continue
        fault = _argument_fault(func, arguments, given, number)
        target = _integer(attributes, ALIAS)
        if fault is None and target in taken:
            fault = Fault(
                arguments[number].location,
                "PGA003",
                f"argument #{number} has {ALIAS} = {target}, as has argument #{taken[target]}:"
                " expected one output for one input",
                ((arguments[taken[target]].location, f"argument #{taken[target]} is here"),),
            )
        if fault is None:
            taken[target] = number
        else:
            yield fault


def _argument_fault(
    func: ir.Operation, arguments: list[ir.Value], given: list[Any], number: int
) -> Fault | None:
    attribute = given[number][ALIAS]
    where = arguments[number].location
    if str(getattr(attribute, "type", "")) != "i64" or not 0 <= attribute.value < len(arguments):
        expected = f"the number of an input, an i64 below {len(arguments)}"
        text = f"argument #{number} has {ALIAS} = {attribute}, expected {expected}"
        return Fault(where, "PGA001", text)
    target = attribute.value
    if _kind(given[number]) != IoKind.OUTPUT:
        text = f"argument #{number} is no output and has {ALIAS} = {target}: an alias cycle"
        return Fault(where, "PGA004", text)
    if _kind(given[target]) != IoKind.INPUT:
        text = (
            f"argument #{number} has {ALIAS} = {target}, which is no input itself: an alias cycle"
        )
        notes = ((arguments[target].location, f"argument #{target} is here"),)
        return Fault(where, "PGA004", text, notes)
    if arguments[target].type != arguments[number].type:
        text = (
            f"argument #{number} has type {arguments[number].type}, expected"
            f" {arguments[target].type} to share the buffer of argument #{target}"
        )
        return Fault(where, "PGA002", text)
    return None


def _kind(attributes: Any) -> str | None:
    return attributes[IO].value if IO in attributes else None


def _allocation_faults(func: ir.Operation, allocations: list[ir.Operation]) -> Iterator[Fault]:
    names = Aliases(func).names
    target_of: dict[ir.Value, ir.Value] = {}
    for op in allocations:
        attribute = op.attributes[MUST_ALIAS]
        found = names.get(attribute.value, []) if isinstance(attribute, ir.StringAttr) else []
        (value,) = op.results
        if len(found) != 1:
            count = f"{len(found)} tensors have that name, expected 1"
            text = f"'{_ALLOC}' op has {MUST_ALIAS} = {attribute}, but {count}"
            yield Fault(op, "PGA005", text)
        elif found[0].type != value.type:
            expected = f"expected {found[0].type} to share the buffer of {attribute}"
            yield Fault(op, "PGA002", f"'{_ALLOC}' op has type {value.type}, {expected}")
        else:
            target_of[value] = found[0]
    yield from _cycles(allocations, target_of)


def _cycles(
    allocations: Iterable[ir.Operation], target_of: dict[ir.Value, ir.Value]
) -> Iterator[Fault]:
    """One fault per cycle, at its first tensor."""
    settled: set[ir.Value] = set()
    for op in allocations:
        path: list[ir.Value] = []
        on_path: set[ir.Value] = set()
        value: ir.Value | None = op.results[0]
        while value is not None and value not in settled and value not in on_path:
            path.append(value)
            on_path.add(value)
            value = target_of.get(value)
        if value is not None and value in on_path:
            names = [_name(each) for each in path[path.index(value) :]]
            chain = " -> ".join([*names, names[0]])
            yield Fault(value.owner, "PGA004", f"'{_ALLOC}' op is in an alias cycle: {chain}")
        settled |= on_path


def _name(value: ir.Value) -> str:
    attributes = value.owner.attributes
    return attributes[NAME].value if NAME in attributes else "?"
