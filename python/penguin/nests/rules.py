"""Tables of scalar functions: function name -> kind of element -> rule.

A rule is called with a `Scalars` of the operands' element type and the operands; it returns the
result. The dialect's verifier has seen to it that the function is defined on the kind.
"""

from collections.abc import Callable

from penguin.dialects.penguin.attributes import Kind
from penguin.mlir import ir
from penguin.nests.scalars import Scalars

Rule = Callable[..., ir.Value]
Rules = dict[Kind, Rule]


def rules(
    *,
    floats: Rule | None = None,
    integers: Rule | None = None,
    signed: Rule | None = None,
    unsigned: Rule | None = None,
    booleans: Rule | None = None,
) -> Rules:
    """The rules of one function; `integers` stands for both signed and unsigned."""
    table = {
        Kind.FLOAT: floats,
        Kind.SIGNED: signed or integers,
        Kind.UNSIGNED: unsigned or integers,
        Kind.BOOLEAN: booleans,
    }
    return {kind: rule for kind, rule in table.items() if rule is not None}


def direct(name: str) -> Rule:
    """One arith or math op in the element type."""
    return lambda s, *operands: s.op(name, *operands)


def widened(rule: Rule) -> Rule:
    """A float function of several steps: computed in f32, rounded to the element type once."""

    def computed(s: Scalars, *operands: ir.Value) -> ir.Value:
        wide = s.widened()
        if wide is s:
            return rule(s, *operands)
        return s.op("arith.truncf", rule(wide, *(wide.op("arith.extf", x) for x in operands)))

    return computed
