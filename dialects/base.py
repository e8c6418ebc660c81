"""What the dialects share: loading, op classes with cheap builders, verification, memory effects.

A dialect is `class Foo(Dialect, name="foo")`, its ops are subclasses of `Foo.Operation`:

    class CopyOp(Foo.Operation, name="copy"):
        src: Operand[ir.MemRefType]
        dst: Operand[ir.MemRefType]
        axes: IndexList

        def violation(self) -> str | None: ...   # the first constraint that does not hold
        def effects(self) -> Effects: ...        # operand numbers read and written

* Builders: `CopyOp(src, dst, [0, 1])`. Attributes are given as Python values (`int` is i64, `str`,
  sequences of int) or as MLIR attributes. The bindings' own builder costs 15 to 24 us, this one 5.
* `violation` returns the text after `'foo.copy' op `; the bindings' contract (emit, return a bool,
  never raise through C++) is kept here. An op of `Foo` without constraints just leaves it out.
* Fields are read from real annotation objects: no `from __future__ import annotations` in files
  that define ops. One base per op class: the bindings allow no mixins.
* A `Sequence[Operand[...]]` field holds values of ONE type: IRDL binds a constraint to the first
  type it meets, even `Any`. Values of different types need a field each, or `srcs: Many`, which
  is declared as `Many.RUNS` such sequences, one per run of equal types.
* One sequence in an op needs no `operandSegmentSizes`; more of them do, and `Many` does.
* Optional attributes cannot be declared: read them with `op.attributes.get(key)`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from penguin import dtypes
from penguin.dialects.memory import Space
from penguin.mlir import BOUNDARY, ext, ir

Operand = ext.Operand
Result = ext.Result
Region = ext.Region
# `axis: ir.IntegerAttr = defaulted(lambda: ...)`: the builder's default, a keyword argument.
defaulted = ext.attribute

SEGMENTS = "operandSegmentSizes"


class IndexList(ir.Attribute):
    """Field kind for `array<i64: ...>`; that the elements are i64 is up to the verifier."""

    attr_name = "builtin.dense_array"


class Many:
    """Field kind for any number of operands of up to `RUNS` runs of equal types."""

    RUNS = 16

    @staticmethod
    def runs(values: Sequence[ir.Value]) -> list[list[ir.Value]]:
        """The operand groups for `values`."""
        groups = [list(group) for _, group in groupby(values, key=lambda value: value.type)]
        if len(groups) > Many.RUNS:
            raise ValueError(
                f"operands change their type {len(groups) - 1} times, at most {Many.RUNS - 1} can"
            )
        return groups + [[] for _ in range(Many.RUNS - len(groups))]


class Effects(NamedTuple):
    """Numbers of the operands that an op reads and writes."""

    reads: Iterable[int]
    writes: Iterable[int]


class Dialect(ext.Dialect, name="__penguin_base"):
    """A Python-defined dialect; `load` may be called any number of times per context."""

    def __init_subclass__(cls, name: str, **kwargs: Any) -> None:
        super().__init_subclass__(name=name, **kwargs)
        cls.Operation = type("Operation", (Operation,), {}, dialect=cls)

    @classmethod
    def load(cls) -> None:
        if ir.Context.current.is_dialect_loaded(cls.DIALECT_NAMESPACE):
            return
        # A new context: types of earlier ones need not be kept alive any longer.
        _TENSORS.clear()
        super().load()


class Operation(ext.Operation):
    """Base of all op classes; see the module's docstring."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        own_init = cls.__dict__.get("__init__")
        many = _expand_many(cls)
        super().__init_subclass__(**kwargs)
        if kwargs.get("name"):
            _define_operand_groups(cls, many)
            cls.__init__ = own_init or _builder(cls, many)

    @classmethod
    def _attach_traits(cls) -> None:
        super()._attach_traits()
        if cls.effects is not Operation.effects:
            _effects_model(cls).attach(cls.OPERATION_NAME)

    def violation(self) -> str | None:
        """The first constraint that does not hold, as the text after `'dialect.op' op `."""
        return None

    def effects(self) -> Effects:
        """Operands read and written; an op class without its own is opaque to MLIR."""
        raise NotImplementedError

    def verify_invariants(self) -> bool:
        if BOUNDARY.exception is not None:
            return False
        try:
            problem = self.violation()
        except BaseException as error:
            BOUNDARY.exception = error
            return False
        if problem is None:
            return True
        self.location.emit_error(f"'{self.OPERATION_NAME}' op {problem}")
        return False


def _expand_many(cls: type) -> list[str]:
    """Replaces each `Many` field by its sequences; returns the names of those fields."""
    many, fields = [], {}
    for name, kind in cls.__annotations__.items():
        if kind is not Many:
            fields[name] = kind
            continue
        many.append(name)
        for number in range(Many.RUNS):
            fields[_run(name, number)] = Sequence[Operand[Any]]
    if many:
        cls.__annotations__ = fields
    return many


def _run(name: str, number: int) -> str:
    return f"{name}_{number}"


def _define_operand_groups(cls: type, many: list[str]) -> None:
    """Accessors for sequences: of `Many` fields, and of the only one, which needs no segments."""
    fields = [field for field in cls._fields if isinstance(field, ext.OperandDef)]
    for name in many:
        first = next(i for i, field in enumerate(fields) if field.name == _run(name, 0))

        def values(self: Any, first: int = first) -> list[ir.Value]:
            sizes = list(self.attributes[SEGMENTS])
            start = sum(sizes[:first])
            return list(self.operands)[start : start + sum(sizes[first : first + Many.RUNS])]

        setattr(cls, name, property(values))
    groups = [i for i, f in enumerate(fields) if f.variadicity is not ext.Variadicity.single]
    if len(groups) != 1 or fields[groups[0]].variadicity is ext.Variadicity.optional:
        return
    cls._ODS_OPERAND_SEGMENTS = None
    for i, field in enumerate(fields):
        if i == groups[0]:
            stop = i - len(fields) + 1 or None
            setattr(cls, field.name, property(lambda s, a=i, b=stop: list(s.operands)[a:b]))
        else:
            number = i if i < groups[0] else i - len(fields)
            setattr(cls, field.name, property(lambda s, n=number: s.operands[n]))


def _effects_model(cls: type) -> type:
    """MemoryEffectsOpInterface for one op class, from its `effects` method."""

    def get_effects(op: Any, effects: Any) -> None:
        reads, writes = op.opview.effects()
        operands = op.op_operands
        for number in reads:
            effects.append(ir.MemoryEffect.Read, operands[number])
        for number in writes:
            effects.append(ir.MemoryEffect.Write, operands[number])

    body = {"get_effects": staticmethod(BOUNDARY.wrap(get_effects, None))}
    return type(f"{cls.__name__}Effects", (ir.MemoryEffectsOpInterface,), body)


def index_list(values: Iterable[int] | ir.Attribute) -> ir.Attribute:
    """`array<i64: ...>`; an attribute is passed through, as in the two functions below."""
    return values if isinstance(values, ir.Attribute) else ir.DenseI64ArrayAttr.get(list(values))


def integer(value: int | ir.Attribute) -> ir.Attribute:
    """An i64 attribute."""
    if isinstance(value, ir.Attribute):
        return value
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def string(value: str | ir.Attribute) -> ir.Attribute:
    """A string attribute; members of a `StrEnum` are strings."""
    return value if isinstance(value, ir.Attribute) else ir.StringAttr.get(value)


_CONVERTERS: dict[Any, Callable[[Any], ir.Attribute]] = {
    IndexList: index_list,
    ir.IntegerAttr: integer,
    ir.StringAttr: string,
}


def _parameters(cls: type, many: list[str]) -> Iterator[tuple[str, str, str]]:
    """(kind, name, parameter or "") of the builder's arguments, in field order."""
    runs = {_run(name, i): name if i == 0 else "" for name in many for i in range(Many.RUNS)}
    for field in cls._fields:
        if isinstance(field, ext.RegionDef):
            continue
        name = runs.get(field.name, field.name)
        if not name:
            continue
        kind = {ext.OperandDef: "operand", ext.ResultDef: "result"}.get(type(field), "attribute")
        if name in many:
            kind = "many"
        match field.param_kind:
            case ext.ParameterKind.POSITIONAL_OR_KEYWORD:
                yield kind, name, ""
            case ext.ParameterKind.KEYWORD_ONLY_WITH_DEFAULT:
                yield kind, name, f"{name}=None"
            case _:
                yield kind, name, name


def _builder(cls: type, many: list[str]) -> Callable[..., None]:
    """Generates `__init__(self, <fields in order>, *, <defaulted fields>, loc=None, ip=None)`."""
    fields = {field.name: field for field in cls._fields}
    env: dict[str, Any] = {
        "_init": ir.OpView.__init__,
        "_name": cls.OPERATION_NAME,
        "_regions": cls._ODS_REGIONS,
        "_operand_segments": cls._ODS_OPERAND_SEGMENTS,
        "_result_segments": cls._ODS_RESULT_SEGMENTS,
        "_runs": Many.runs,
    }
    positional: list[str] = []
    keyword: list[str] = []
    parts: dict[str, list[str]] = {"operand": [], "result": [], "attribute": []}
    for kind, name, parameter in _parameters(cls, many):
        if parameter:
            keyword.append(parameter)
        else:
            positional.append(name)
        if kind == "many":
            parts["operand"].append(f"*_runs({name})")
            continue
        field = fields[name]
        given = name
        default = getattr(field, "infer_type", None) or getattr(field, "default_factory", None)
        if default is not None:
            env[f"_default_{name}"] = default
            given = f"(_default_{name}() if {name} is None else {name})"
        if kind == "operand" and cls._ODS_OPERAND_SEGMENTS is None:
            given = given if field.variadicity is ext.Variadicity.single else f"*{given}"
        if kind == "attribute":
            convert = _CONVERTERS.get(field.constraint)
            if convert is not None:
                env[f"_convert_{name}"] = convert
                given = f"_convert_{name}({given})"
            given = f"{name!r}: {given}"
        parts[kind].append(given)
    regions = sum(isinstance(field, ext.RegionDef) for field in cls._fields)
    parameters = ", ".join(["self", *positional, "*", *keyword, "loc=None", "ip=None"])
    source = (
        f"def __init__({parameters}):\n"
        f"    _init(self, _name, _regions, _operand_segments, _result_segments,"
        f" attributes={{{', '.join(parts['attribute'])}}}, results=[{', '.join(parts['result'])}],"
        f" operands=[{', '.join(parts['operand'])}], successors=None, regions={regions or None},"
        f" loc=loc, ip=ip)\n"
    )
    exec(source, env)
    return env["__init__"]


@dataclass(frozen=True, slots=True)
class Tensor:
    """What penguin needs to know of a memref type."""

    shape: tuple[int, ...]
    dtype: dtypes.DType | None
    space: str | None
    """`"dram"`, `"sbuf"` or `"psum"`."""
    problem: str | None
    """Why the type is no penguin tensor, as the text after `operand #n `; else None."""

    @property
    def count(self) -> int:
        """Number of elements."""
        total = 1
        for extent in self.shape:
            total *= extent
        return total


# Types are few and each is looked at once per op that uses it. The keys keep their contexts alive,
# hence a pointer is never reused by a type of another context.
_TENSORS: dict[ir.Type, Tensor] = {}


def tensor(value: ir.Value) -> Tensor:
    """The facts about the type of a memref value."""
    return tensor_of(value.type)


def tensor_of(type_: ir.Type) -> Tensor:
    """The facts about a memref type."""
    found = _TENSORS.get(type_)
    if found is None:
        found = _TENSORS[type_] = _inspect(type_)
    return found


def _inspect(type_: ir.Type) -> Tensor:
    if not isinstance(type_, ir.MemRefType):
        return Tensor((), None, None, f"is {type_}, expected a memref")
    dtype = dtypes.of(type_.element_type)
    attribute = type_.memory_space
    space = attribute.value if isinstance(attribute, ir.StringAttr) else None
    if not type_.has_static_shape:
        return Tensor((), dtype, space, f"is {type_}, expected a static shape")
    shape = tuple(type_.shape)
    problem = None
    if dtype is None:
        known = " ".join(dtypes.BY_MLIR)
        problem = f"has element type {type_.element_type}, expected one of {known}"
    elif space not in tuple(Space):
        found = "no memory space" if attribute is None else f"memory space {attribute}"
        problem = f'has {found}, expected "dram", "sbuf" or "psum"'
    elif type_.affine_map != ir.AffineMap.get_identity(len(shape)):
        problem = f"has layout {type_.layout}, expected row-major"
    return Tensor(shape, dtype, space, problem)
